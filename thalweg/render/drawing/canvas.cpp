#include "thalweg/render/drawing/canvas.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kLargestSide = 32767;  // pixels, what cairo's image surfaces bear
constexpr double kWidthStep = 0.25;  // pixels, change of width that starts a new stroke: invisible
constexpr char kFontFamily[] = "DejaVu Sans";

cairo_status_t append(void* text, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

struct Canvas::Surface {
    cairo_surface_t* pixels = nullptr;
    cairo_t* context = nullptr;
    unsigned char* data = nullptr;
    int stride = 0;  // bytes from row to row
    int width = 0;
    int height = 0;
    std::string text;  // of SVG

    void use(Colour colour) const { cairo_set_source_rgb(context, colour.red, colour.green, colour.blue); }

    void use(const TextStyle& style) const {
        cairo_select_font_face(context, kFontFamily, CAIRO_FONT_SLANT_NORMAL,
                               style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(context, style.size);
    }
};

Canvas::Canvas(int width, int height, Colour background, CanvasKind kind)
    : surface_(std::make_unique<Surface>()) {
    if (width < 1 || height < 1 || width > kLargestSide || height > kLargestSide)
        throw Error::input(fmt::format("a picture of {} x {} pixels is not allowed: give sides from 1 to {}",
                                       width, height, kLargestSide));
    surface_->width = width;
    surface_->height = height;
    surface_->pixels = kind == CanvasKind::Pixels
                           ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)
                           : cairo_svg_surface_create_for_stream(append, &surface_->text, width, height);
    surface_->context = cairo_create(surface_->pixels);
    const cairo_status_t status = cairo_status(surface_->context);
    if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
    if (status != CAIRO_STATUS_SUCCESS)
        throw Error::failure(fmt::format("a picture of {} x {} pixels cannot be drawn: {}", width, height,
                                         cairo_status_to_string(status)));
    surface_->use(background);
    cairo_paint(surface_->context);
    cairo_surface_flush(surface_->pixels);
    if (kind == CanvasKind::Pixels) {
        surface_->data = cairo_image_surface_get_data(surface_->pixels);
        surface_->stride = cairo_image_surface_get_stride(surface_->pixels);
    }
    cairo_font_options_t* options = cairo_font_options_create();
    // Whole-pixel hints would make letters uneven at small sizes.
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(surface_->context, options);
    cairo_font_options_destroy(options);
    cairo_set_line_cap(surface_->context, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(surface_->context, CAIRO_LINE_JOIN_ROUND);
}

Canvas::~Canvas() {
    cairo_destroy(surface_->context);
    cairo_surface_destroy(surface_->pixels);
}

int Canvas::width() const {
    return surface_->width;
}

int Canvas::height() const {
    return surface_->height;
}

void Canvas::set_pixel(int x, int y, Colour colour) {
    const std::uint32_t pixel = static_cast<std::uint32_t>(to_byte(colour.red)) << 16 |
                                static_cast<std::uint32_t>(to_byte(colour.green)) << 8 |
                                static_cast<std::uint32_t>(to_byte(colour.blue));
    std::memcpy(surface_->data + static_cast<std::ptrdiff_t>(y) * surface_->stride + std::ptrdiff_t{4} * x,
                &pixel, sizeof pixel);
}

void Canvas::clip(const Box& box) {
    if (surface_->data != nullptr) cairo_surface_mark_dirty(surface_->pixels);
    cairo_rectangle(surface_->context, box.x, box.y, box.width, box.height);
    cairo_clip(surface_->context);
}

void Canvas::unclip() {
    cairo_reset_clip(surface_->context);
}

void Canvas::fill(const Box& box, Colour colour) {
    surface_->use(colour);
    cairo_rectangle(surface_->context, box.x, box.y, box.width, box.height);
    cairo_fill(surface_->context);
}

void Canvas::outline(const Box& box, Colour colour, double line_width) {
    surface_->use(colour);
    cairo_set_line_width(surface_->context, line_width);
    cairo_rectangle(surface_->context, box.x, box.y, box.width, box.height);
    cairo_stroke(surface_->context);
}

void Canvas::draw(const CanvasLine& line, Colour colour) {
    if (line.points.size() < 2) return;
    surface_->use(colour);
    // One stroke for as long as the width stays nearly the same.
    for (std::size_t first = 0; first + 1 < line.points.size();) {
        std::size_t last = first + 1;
        while (last + 1 < line.points.size() &&
               std::abs(line.widths[last + 1] - line.widths[first]) < kWidthStep)
            ++last;
        cairo_move_to(surface_->context, line.points[first].x, line.points[first].y);
        for (std::size_t i = first + 1; i <= last; ++i)
            cairo_line_to(surface_->context, line.points[i].x, line.points[i].y);
        cairo_set_line_width(surface_->context, 0.5 * (line.widths[first] + line.widths[last]));
        cairo_stroke(surface_->context);
        first = last;
    }
}

void Canvas::write(const std::string& text, CanvasPoint base, const TextStyle& style) {
    const double shift = style.anchor == Anchor::Left     ? 0.0
                         : style.anchor == Anchor::Middle ? -0.5 * text_width(text, style)
                                                          : -text_width(text, style);
    surface_->use(style);
    surface_->use(style.colour);
    cairo_move_to(surface_->context, base.x + shift, base.y);
    cairo_show_text(surface_->context, text.c_str());
}

double Canvas::text_width(const std::string& text, const TextStyle& style) const {
    surface_->use(style);
    cairo_text_extents_t extents;
    cairo_text_extents(surface_->context, text.c_str(), &extents);
    return extents.x_advance;
}

Image Canvas::image() const {
    cairo_surface_flush(surface_->pixels);
    Image image{.width = width(), .height = height(), .rgb = {}};
    image.rgb.resize(std::size_t{3} * image.width * image.height);
    for_each_row(0, image.height, image.width, [&](int y) {
        for (int x = 0; x < image.width; ++x) {
            std::uint32_t pixel = 0;
            std::memcpy(
                &pixel,
                surface_->data + static_cast<std::ptrdiff_t>(y) * surface_->stride + std::ptrdiff_t{4} * x,
                sizeof pixel);
            std::uint8_t* rgb = image.rgb.data() +
                                3 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x));
            rgb[0] = static_cast<std::uint8_t>(pixel >> 16);
            rgb[1] = static_cast<std::uint8_t>(pixel >> 8);
            rgb[2] = static_cast<std::uint8_t>(pixel);
        }
    });
    return image;
}

std::string Canvas::svg() {
    cairo_surface_finish(surface_->pixels);
    // Its one group is named by the number of surfaces that the process has made.
    constexpr std::string_view kGroup = "id=\"surface";
    std::string text = surface_->text;
    if (const std::size_t group = text.find(kGroup); group != std::string::npos) {
        const std::size_t number = group + kGroup.size();
        text.erase(number, text.find('"', number) - number);
    }
    return text;
}

}  // namespace thalweg
