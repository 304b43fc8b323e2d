#include "thalweg/grid/strokes.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/cell_range.hpp"
#include "thalweg/grid/gaussian.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace thalweg {
namespace {

struct Segment {
    Position from;
    Position to;
};

std::vector<Segment> segments_of(const Stroke& stroke) {
    const auto point = [&](std::size_t i) {
        return Position{stroke.points[2 * i], stroke.points[2 * i + 1]};
    };
    const std::size_t count = stroke.points.size() / 2;
    if (count == 1) return {{point(0), point(0)}};
    std::vector<Segment> segments;
    for (std::size_t i = 1; i < count; ++i) segments.push_back({point(i - 1), point(i)});
    return segments;
}

/// From the place of a segment that is nearest to `p` to `p`, m.
Position offset_from(const Segment& segment, Position p) {
    const double along_x = segment.to.x - segment.from.x;
    const double along_y = segment.to.y - segment.from.y;
    const double from_x = p.x - segment.from.x;
    const double from_y = p.y - segment.from.y;
    const double squared_length = along_x * along_x + along_y * along_y;
    const double projection =
        squared_length > 0.0 ? (from_x * along_x + from_y * along_y) / squared_length : 0.0;
    const double t = std::clamp(projection, 0.0, 1.0);
    return {.x = from_x - t * along_x, .y = from_y - t * along_y};
}

double squared_distance(Position p, const Segment& segment) {
    const auto [dx, dy] = offset_from(segment, p);
    return dx * dx + dy * dy;
}

/// The first cell whose centre is at `at` or beyond, kept within [0, cells].
int first_centre(double at, int cells) {
    return static_cast<int>(std::clamp(std::ceil(at), 0.0, static_cast<double>(cells)));
}

/// The first cell whose centre is beyond `at`, kept within [0, cells].
int centre_beyond(double at, int cells) {
    return first_centre(std::floor(at) + 1.0, cells);
}

/// The cells whose centres lie within `reach` [m] of the bounding box of `segment`.
CellRange cells_near(const Grid& grid, const Segment& segment, double reach) {
    const auto [west, east] = std::minmax(segment.from.x, segment.to.x);
    const auto [south, north] = std::minmax(segment.from.y, segment.to.y);
    CellRange range;
    range.first_column = first_centre(grid.column_at(west - reach), grid.columns);
    range.end_column = centre_beyond(grid.column_at(east + reach), grid.columns);
    range.first_row = first_centre(grid.row_at(north + reach), grid.rows);
    range.end_row = centre_beyond(grid.row_at(south - reach), grid.rows);
    return range;
}

/// Where a stroke works, and its weight at each cell there.
struct Brush {
    CellRange range;
    Field<double> weights;
};

Brush brush_of(const Stroke& stroke, const Grid& grid) {
    const std::vector<Segment> segments = segments_of(stroke);
    std::vector<CellRange> near;
    Brush brush;
    for (const Segment& segment : segments) {
        near.push_back(cells_near(grid, segment, stroke.radius + stroke.falloff));
        brush.range = united(brush.range, near.back());
    }
    if (brush.range.empty()) return {};
    constexpr double kFar = std::numeric_limits<double>::infinity();
    brush.weights = Field<double>(part_of(grid, brush.range), kFar);
    for_each_row(brush.range.first_row, brush.range.end_row, brush.range.columns(), [&](int row) {
        double* weights = &brush.weights(0, row - brush.range.first_row);
        // Find the squared distance to the nearest segment.
        for (std::size_t i = 0; i < segments.size(); ++i) {
            if (row < near[i].first_row || row >= near[i].end_row) continue;
            for (int column = near[i].first_column; column < near[i].end_column; ++column) {
                double& nearest = weights[column - brush.range.first_column];
                nearest = std::min(nearest, squared_distance(grid.centre(column, row), segments[i]));
            }
        }
        // Turn it into a weight.
        for (int i = 0; i < brush.range.columns(); ++i)
            weights[i] = brush_weight(std::sqrt(weights[i]), stroke.radius, stroke.falloff);
    });
    return brush;
}

/// Adds weight x change(value, column, row of the brush) to every value under the brush.
template <class Change>
void change_under(const Brush& brush, Field<float>& field, const Change& change) {
    for_each_row(brush.weights.grid(), [&](int row) {
        for (int column = 0; column < brush.weights.columns(); ++column) {
            float& value = field(brush.range.first_column + column, brush.range.first_row + row);
            const double weight = brush.weights(column, row);
            if (weight == 0.0 || is_no_data(value)) continue;
            value = static_cast<float>(value + weight * change(value, column, row));
        }
    });
}

void apply_stroke(const Stroke& stroke, Field<float>& field) {
    const Brush brush = brush_of(stroke, field.grid());
    if (brush.range.empty()) return;
    switch (stroke.operation) {
        case StrokeOperation::Raise:
            return change_under(brush, field, [&](float, int, int) { return stroke.strength; });
        case StrokeOperation::Lower:
            return change_under(brush, field, [&](float, int, int) { return -stroke.strength; });
        case StrokeOperation::Set:
            return change_under(brush, field, [&](float value, int, int) { return stroke.strength - value; });
        case StrokeOperation::Smooth: {
            const Field<float> means = gaussian_mean(field, stroke.smoothing_width, brush.range);
            return change_under(brush, field, [&](float value, int column, int row) {
                return static_cast<double>(means(column, row)) - value;
            });
        }
    }
}

}  // namespace

void Stroke::declare(Declaration<Stroke>& declaration) {
    declaration.choice(
        "operation", &Stroke::operation,
        {{"raise", StrokeOperation::Raise, "Adds the strength."},
         {"lower", StrokeOperation::Lower, "Takes the strength off."},
         {"smooth", StrokeOperation::Smooth, "Blends towards a gaussian mean of the surroundings."},
         {"set", StrokeOperation::Set, "Blends towards the strength."}},
        {.label = "Operation", .unit = "", .sentence = "What the brush does to the values under it."});
    declare_stroke_path(declaration);
    declaration.number(
        "strength", &Stroke::strength,
        {.label = "Strength",
         .unit = "unit of the layer",
         .sentence = "Amount to raise or lower by, or value to set; smoothing does not use it.",
         .minimum = -1e9,
         .maximum = 1e9,
         .usual = {-100.0, 500.0},
         .enabled_when = {differs("operation", {"smooth"})}});
    declaration.number("smoothing_width", &Stroke::smoothing_width,
                       {.label = "Smoothing width",
                        .unit = "m",
                        .sentence = "Standard deviation of the gaussian that the smooth brush averages with.",
                        .minimum = 0.0,
                        .maximum = 1e6,
                        .usual = {10.0, 5000.0, SliderScale::Logarithmic},
                        .minimum_excluded = true,
                        .enabled_when = {equals("operation", {"smooth"})}});
}

double brush_weight(double distance, double radius, double falloff) {
    if (distance <= radius) return 1.0;
    if (distance >= radius + falloff) return 0.0;
    const double t = (distance - radius) / falloff;
    return 1.0 - t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

NearestOnStroke nearest_on_stroke(std::span<const double> points, Position point) {
    NearestOnStroke nearest{.place = point, .distance = std::numeric_limits<double>::infinity()};
    const std::size_t count = points.size() / 2;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, count - 1); ++i) {
        const std::size_t next = std::min(i + 1, count - 1);
        const Segment segment{.from = {.x = points[2 * i], .y = points[2 * i + 1]},
                              .to = {.x = points[2 * next], .y = points[2 * next + 1]}};
        const auto [dx, dy] = offset_from(segment, point);
        const double distance = std::sqrt(dx * dx + dy * dy);
        if (distance < nearest.distance)
            nearest = {.place = {.x = point.x - dx, .y = point.y - dy}, .distance = distance};
    }
    return nearest;
}

void check_stroke(const Stroke& stroke) {
    if (stroke.points.empty() || stroke.points.size() % 2 != 0)
        throw Error::input(fmt::format(
            "points of a stroke = {} numbers are not allowed: give pairs x, y in metres, at least one pair",
            stroke.points.size()));
    for (const double coordinate : stroke.points)
        if (!std::isfinite(coordinate))
            throw Error::input(fmt::format(
                "points of a stroke hold {}, which is not allowed: give finite metres", coordinate));
}

void apply_strokes(Field<float>& field, std::span<const Stroke> strokes) {
    for (const Stroke& stroke : strokes) check_stroke(stroke);
    for (const Stroke& stroke : strokes) apply_stroke(stroke, field);
}

LayerSource stroked_source(LayerSource base, std::vector<Stroke> strokes) {
    for (const Stroke& stroke : strokes) check_stroke(stroke);
    const bool is_stored = base.is_stored();
    return {[base = std::move(base), strokes = std::move(strokes)](const Grid& grid, Progress& progress) {
                Field<float> field = base(grid, progress);
                apply_strokes(field, strokes);
                return field;
            },
            is_stored};
}

}  // namespace thalweg
