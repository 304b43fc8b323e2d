// Brush strokes: edits of a layer that are kept as data, in metres.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/layer_source.hpp"

#include <span>
#include <vector>

namespace thalweg {

/// What a stroke does to the values v under it, with its weight w in [0, 1] there.
enum class StrokeOperation {
    Raise,   // v + w strength
    Lower,   // v - w strength
    Smooth,  // v + w (gaussian mean of v - v)
    Set,     // v + w (strength - v)
};

/// A brush drawn along a polyline. Its weight is 1 within `radius` of the line, falls to 0 over `falloff`
/// with zero first and second derivative at both ends (the quintic of Perlin 2002), and is 0 beyond.
struct Stroke {
    std::vector<double> points;      // m: x0, y0, x1, y1, ...; one point is a dab
    double radius = 200.0;           // m
    double falloff = 200.0;          // m
    double strength = 10.0;          // in the layer's unit; not for Smooth
    double smoothing_width = 100.0;  // m, standard deviation; for Smooth alone
    StrokeOperation operation = StrokeOperation::Raise;

    static void declare(Declaration<Stroke>& declaration);
};

/// Weight of a brush at a `distance` from its line, in [0, 1], as Stroke tells; all in m.
double brush_weight(double distance, double radius, double falloff);

/// The place of a stroke's line, which is given as Stroke::points, that is nearest to a point: O(points).
struct NearestOnStroke {
    Position place;
    double distance = 0.0;  // m
};
NearestOnStroke nearest_on_stroke(std::span<const double> points, Position point);

/// Declares `points`, `radius` and `falloff` (m) of any struct that is drawn along a line.
template <class P>
void declare_stroke_path(Declaration<P>& declaration) {
    declaration.numbers("points", &P::points,
                        {.label = "Points",
                         .unit = "m",
                         .sentence = "Corners of the stroke's line: x0, y0, x1, y1, ...; one is a dab."});
    declaration.number("radius", &P::radius,
                       {.label = "Radius",
                        .unit = "m",
                        .sentence = "Distance from the line up to which the stroke has its full effect.",
                        .minimum = 0.0,
                        .maximum = 1e7,
                        .usual = {10.0, 5000.0, SliderScale::Logarithmic}});
    declaration.number("falloff", &P::falloff,
                       {.label = "Falloff",
                        .unit = "m",
                        .sentence = "Distance beyond the radius over which the effect fades to nothing.",
                        .minimum = 0.0,
                        .maximum = 1e7,
                        .usual = {10.0, 5000.0, SliderScale::Logarithmic}});
}

/// Throws Error::input unless the points are finite pairs, at least one.
void check_stroke(const Stroke& stroke);

/// Applies the strokes one after another to the values at the cells' centres, so that a finer grid gets the
/// same strokes: raise, lower and set agree to rounding, smooth as far as the grids hold the same relief.
/// No-data cells stay, and count for nothing in a mean; so does what lies beyond the edge. Cells out of reach
/// keep their bits. Throws as check_stroke, before any change. O(cells in reach x segments near them), and
/// for smooth O(cells in reach x smoothing_width / cell_size); same bits on any number of threads.
///
/// Example:
///     const std::vector<Stroke> valley = {{.points = {0.0, 0.0, 5000.0, 2000.0},
///                                          .radius = 300.0,
///                                          .strength = 40.0,
///                                          .operation = StrokeOperation::Lower}};
///     Field<float> edited = elevation;
///     apply_strokes(edited, valley);
void apply_strokes(Field<float>& field, std::span<const Stroke> strokes);

/// `base` with the strokes on it, on any grid. Throws as check_stroke.
LayerSource stroked_source(LayerSource base, std::vector<Stroke> strokes);

}  // namespace thalweg
