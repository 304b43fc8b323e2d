// Canvas: antialiased lines, areas and text on a picture. Private to render; the one place that knows cairo.
#pragma once

#include "thalweg/render/colour.hpp"
#include "thalweg/render/image.hpp"

#include <memory>
#include <string>
#include <vector>

namespace thalweg {

/// A place on the canvas, pixels from its upper left corner.
struct CanvasPoint {
    double x = 0.0;
    double y = 0.0;
};

/// Upright rectangle on the canvas, pixels.
struct Box {
    double x = 0.0;
    double y = 0.0;
    double width = 0.0;
    double height = 0.0;
};

/// A line whose width [pixels] may change from point to point.
struct CanvasLine {
    std::vector<CanvasPoint> points;
    std::vector<double> widths;  // one per point
};

enum class Anchor { Left, Middle, Right };

/// How a text is set: in "DejaVu Sans", its size [pixels] the height of a line.
struct TextStyle {
    double size = 12.0;
    Colour colour;  // sRGB
    bool bold = false;
    Anchor anchor = Anchor::Left;
};

/// What a canvas keeps: pixels, or the shapes themselves as SVG.
enum class CanvasKind { Pixels, Svg };

/// An opaque picture to draw on. Colours are sRGB.
class Canvas {
  public:
    Canvas(int width, int height, Colour background, CanvasKind kind = CanvasKind::Pixels);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    [[nodiscard]] int width() const;
    [[nodiscard]] int height() const;

    /// Sets one pixel, of a canvas of pixels; many threads may set different pixels at once, between calls of
    /// the others.
    void set_pixel(int x, int y, Colour colour);

    /// What is drawn until unclip() is kept inside `box`.
    void clip(const Box& box);
    void unclip();

    void fill(const Box& box, Colour colour);
    void outline(const Box& box, Colour colour, double line_width);

    /// A line with round ends and joints; its width changes linearly from point to point.
    void draw(const CanvasLine& line, Colour colour);

    /// A text whose base line starts, is centred or ends at `base`.
    void write(const std::string& text, CanvasPoint base, const TextStyle& style);
    [[nodiscard]] double text_width(const std::string& text, const TextStyle& style) const;

    /// The pixels of a canvas of pixels.
    [[nodiscard]] Image image() const;

    /// The text of a canvas of SVG, the same for the same shapes; nothing can be drawn afterwards. Letters
    /// are outlines.
    [[nodiscard]] std::string svg();

  private:
    struct Surface;
    std::unique_ptr<Surface> surface_;
};

}  // namespace thalweg
