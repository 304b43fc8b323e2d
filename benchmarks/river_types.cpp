// The nine types of rivers as one picture:
//
//   build/release/benchmarks/river_types types.png
//
// A row a type, on the valley that tests make for it: in plan, with the shaded ground and the depth of the
// water; in section where the river is deepest in a bend, or across all channels; and along its thalweg. As
// figures 11 to 13 of Peytavie et al. 2019.
#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/render/drawing/canvas.hpp"
#include "thalweg/render/hillshade.hpp"
#include "thalweg/riverscape/bed_tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr Colour kPaper = srgb(0xF7F4EE);
constexpr Colour kInk = srgb(0x33322F);
constexpr Colour kFaintInk = srgb(0x7C7870);
constexpr Colour kGround = srgb(0x8A6F52);
constexpr Colour kWater = srgb(0x3E86A8);
constexpr std::uint64_t kSeed = 5;
constexpr double kLabel = 7.5;  // hundredths of the width, for the name of a type

QuietProgress progress;

/// A valley with its bed.
struct Carved {
    tests::Valley valley;
    BedCourses beds;
    BedTree tree;
};

Carved carved_in(const tests::ValleyForm& form) {
    tests::Valley valley = tests::make_valley(form);
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    if (stretches.front().type != form.type)
        throw Error::failure(fmt::format("the valley of {} is classified as {}", form_of(form.type).name,
                                         form_of(stretches.front().type).name));
    BedCourses beds = bed_courses(valley.network, stretches, valley.elevation, {}, kSeed, progress);
    BedTree tree(valley.elevation, beds, {}, kSeed);
    return {std::move(valley), std::move(beds), std::move(tree)};
}

/// Ground and water along a line; `along` in m.
struct Cut {
    std::vector<double> along;
    std::vector<double> ground;  // m
    std::vector<double> water;   // m, NaN where it is dry

    void add(double way, const BedSample& at) {
        along.push_back(way);
        ground.push_back(static_cast<double>(at.elevation));
        water.push_back(!is_no_data(at.water) && at.water > at.elevation
                            ? static_cast<double>(at.water)
                            : std::numeric_limits<double>::quiet_NaN());
    }
};

/// Across the valley at one of its points, as far as the banks are seen.
Cut section_at(const Carved& river, std::size_t point) {
    const ValleyPoint& at = river.beds.valleys.front().points[point];
    const double reach = 1.7 * at.half_span + 1.0;
    Cut cut;
    for (int k = -300; k <= 300; ++k) {
        const double way = reach * k / 300.0;
        cut.add(way, river.tree.at({at.x + way * at.normal_x, at.y + way * at.normal_y}));
    }
    return cut;
}

/// Down the thalweg of the channel with most water, `length` metres from the middle on.
Cut profile_of(const Carved& river, double length) {
    const BedCourse& course = *std::ranges::max_element(river.beds.courses, {}, &BedCourse::share);
    const double begin = std::max(0.0, 0.5 * (course.points.back().distance - length));
    Cut cut;
    for (std::size_t i = 0; i + 1 < course.points.size(); ++i) {
        const BedCoursePoint& a = course.points[i];
        const BedCoursePoint& b = course.points[i + 1];
        constexpr int kPieces = 8;
        for (int k = 0; k < kPieces; ++k) {
            const double share = static_cast<double>(k) / kPieces;
            const double way = a.distance + share * (b.distance - a.distance) - begin;
            if (way < 0.0 || way > length) continue;
            cut.add(way, river.tree.at({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)}));
        }
    }
    return cut;
}

/// The point of the valley away from its ends whose bend is sharpest.
std::size_t sharpest_point(const Carved& river) {
    const std::vector<BedCoursePoint>& points = river.beds.courses.front().points;
    std::size_t found = points.size() / 2;
    for (std::size_t i = points.size() / 4; i < 3 * points.size() / 4; ++i)
        if (std::abs(points[i].curvature) > std::abs(points[found].curvature)) found = i;
    return std::min(found, river.beds.valleys.front().points.size() - 1);
}

/// What of a valley a plan shows, m: its bends, at least 22 widths of its river along it.
double shown_length(const tests::ValleyForm& form) {
    constexpr double kShape = 4.6;  // of plans, width over height
    const double width = channel_flow(form.flow, form.slope, {}).width;
    const double amplitude = tests::river_offset(form, 0.25 * 11.0 * width);
    const double across = form.type == RiverType::D || form.type == RiverType::DA
                              ? 0.6 * form.floor_width
                              : 2.0 * amplitude + 4.0 * width;
    return std::max(22.0 * width, kShape * across);
}

/// A round number that is at least a quarter of a length.
double round_length(double length) {
    double step = 1e-3;
    for (int k = 0; step * 4.0 < length; ++k) step *= k % 3 == 1 ? 2.5 : 2.0;
    return step;
}

/// Ground in shade, water by its depth, in the valley's middle.
void draw_plan(Canvas& canvas, const Box& box, const Carved& river, double width) {
    const auto columns = static_cast<int>(box.width);
    const auto rows = static_cast<int>(box.height);
    const tests::ValleyForm& form = river.valley.form;
    Grid grid{.columns = columns, .rows = rows, .cell_size = width / columns};
    grid.west = 0.5 * (form.length - width);
    grid.north = 0.5 * grid.height();
    const CarvedWindow plan = river.tree.carve(grid, progress);
    const Field<float> shade = hillshade(plan.elevation, {.azimuth = 315.0, .altitude = 45.0});
    const float deepest = *std::max_element(plan.water_depth.begin(), plan.water_depth.end());
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const float light = 0.35F + 0.85F * shade(column, row);
            const float depth = plan.water_depth(column, row) / std::max(deepest, 0.01F);
            Colour colour = srgb(0xC9C0A4) * light;
            if (depth > 0.0F)
                colour = mix(srgb(0x9CCBD6), srgb(0x0F3F66), std::sqrt(depth)) * (0.75F + 0.35F * light);
            canvas.set_pixel(static_cast<int>(box.x) + column, static_cast<int>(box.y) + row, colour);
        }
}

/// Ground below, water between, both as areas; a bar that tells both scales.
void draw_cut(Canvas& canvas, const Box& box, const Cut& cut, double unit) {
    const auto [low, highest_ground] = std::ranges::minmax(cut.ground);
    double high = highest_ground;
    for (const double water : cut.water)
        if (water > high) high = water;
    const double bottom = low - 0.12 * (high - low);
    const double top = high + 0.06 * (high - low);
    const double length = cut.along.back() - cut.along.front();
    const auto y_of = [&](double height) { return box.y + box.height * (top - height) / (top - bottom); };
    canvas.clip(box);
    const auto columns = static_cast<int>(box.width);
    std::size_t at = 0;
    for (int column = 0; column < columns; ++column) {
        const double way = cut.along.front() + length * (column + 0.5) / columns;
        while (at + 1 < cut.along.size() && cut.along[at + 1] < way) ++at;
        const double x = box.x + column;
        const double ground = y_of(cut.ground[at]);
        if (!std::isnan(cut.water[at])) {
            const double level = y_of(cut.water[at]);
            canvas.fill({x, level, 1.0, ground - level}, kWater);
        }
        canvas.fill({x, ground, 1.0, box.y + box.height - ground}, kGround);
    }
    canvas.unclip();
    const double along = round_length(length);
    const double up = round_length(top - bottom);
    const double x = box.x + 0.8 * unit;
    const double y = box.y + box.height - 0.7 * unit;
    const double wide = box.width * along / length;
    const double tall = box.height * up / (top - bottom);
    canvas.draw({{{x, y - tall}, {x, y}, {x + wide, y}}, {0.16 * unit, 0.16 * unit, 0.16 * unit}}, kPaper);
    canvas.write(fmt::format("{:g} m x {:g} m", along, up), {x + 0.5 * unit, y - 0.45 * unit},
                 {.size = 1.15 * unit, .colour = kPaper});
}

void draw_row(Canvas& canvas, const Box& row, const Carved& river, double unit) {
    const RiverTypeForm& form = form_of(river.valley.form.type);
    const double shown = shown_length(river.valley.form);
    const double gap = 0.8 * unit;
    const double label = kLabel * unit;
    const double part = (row.width - label - 2.0 * gap) / 4.0;
    canvas.write(form.name, {row.x, row.y + 0.42 * row.height},
                 {.size = 3.6 * unit, .colour = kInk, .bold = true});
    canvas.write(fmt::format("{:.2g} %", 100.0 * river.valley.form.slope), {row.x, row.y + 0.62 * row.height},
                 {.size = 1.3 * unit, .colour = kFaintInk});
    canvas.write(fmt::format("{:.2g} m^3/s", river.valley.form.flow), {row.x, row.y + 0.78 * row.height},
                 {.size = 1.3 * unit, .colour = kFaintInk});
    const auto whole = [](Box box) {
        return Box{std::floor(box.x), std::floor(box.y), std::floor(box.width), std::floor(box.height)};
    };
    const Box plan = whole({row.x + label, row.y, 2.0 * part, row.height});
    draw_plan(canvas, plan, river, shown);
    const double bar = round_length(0.3 * shown);
    const double y = plan.y + plan.height - 0.7 * unit;
    const double x = plan.x + 0.8 * unit;
    canvas.fill({x - 0.4 * unit, y - 1.9 * unit, plan.width * bar / shown + 0.8 * unit, 2.3 * unit}, kPaper);
    canvas.draw({{{x, y}, {x + plan.width * bar / shown, y}}, {0.16 * unit, 0.16 * unit}}, kInk);
    canvas.write(fmt::format("{:g} m", bar), {x, y - 0.45 * unit}, {.size = 1.15 * unit, .colour = kInk});
    draw_cut(canvas, whole({row.x + label + 2.0 * part + gap, row.y, part, row.height}),
             section_at(river, sharpest_point(river)), unit);
    draw_cut(canvas, whole({row.x + label + 3.0 * part + 2.0 * gap, row.y, part, row.height}),
             profile_of(river, shown), unit);
}

Image draw_types(int width) {
    const double unit = 0.01 * width;
    const double row = 9.4 * unit;
    const double gap = 0.7 * unit;
    const double head = 3.0 * unit;
    const double margin = 1.2 * unit;
    const auto height = static_cast<int>(head + kRiverTypeCount * (row + gap) + margin);
    Canvas canvas(width, height, kPaper);
    const double left = margin + kLabel * unit;
    const double part = (width - 2.0 * margin - (kLabel + 1.6) * unit) / 4.0;
    const TextStyle heading{.size = 1.5 * unit, .colour = kFaintInk};
    canvas.write("Plan, downstream to the right", {left, 2.2 * unit}, heading);
    canvas.write("Section, sharpest bend", {left + 2.0 * part + 0.8 * unit, 2.2 * unit}, heading);
    canvas.write("Profile of the thalweg", {left + 3.0 * part + 1.6 * unit, 2.2 * unit}, heading);
    double top = head;
    for (tests::ValleyForm form : tests::valley_forms()) {
        form.length = std::max(form.length, 1.15 * shown_length(form));
        draw_row(canvas, {margin, top, width - 2.0 * margin, row}, carved_in(form), unit);
        top += row + gap;
    }
    return canvas.image();
}

}  // namespace
}  // namespace thalweg

int main(int count, char** arguments) {
    using namespace thalweg;
    try {
        if (count != 2) throw Error::input("give the name of a .png");
        write_png(arguments[1], draw_types(1500));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
