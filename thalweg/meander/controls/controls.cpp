#include "thalweg/meander/controls/controls.hpp"

#include "thalweg/grid/strokes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace thalweg {
namespace {

struct Box {
    double west = std::numeric_limits<double>::infinity();  // m, as are the others
    double south = west;
    double east = -west;
    double north = -west;

    void add(double x, double y) {
        west = std::min(west, x);
        east = std::max(east, x);
        south = std::min(south, y);
        north = std::max(north, y);
    }
};

Box box_of(const ChannelLine& line) {
    Box box;
    for (std::size_t i = 0; i < line.size(); ++i) box.add(line.x[i], line.y[i]);
    return box;
}

/// Where a stroke has any weight.
Box box_of(const ControlStroke& stroke) {
    Box box;
    for (std::size_t i = 0; i + 1 < stroke.points.size(); i += 2)
        box.add(stroke.points[i], stroke.points[i + 1]);
    const double reach = stroke.radius + stroke.falloff;
    return {.west = box.west - reach,
            .south = box.south - reach,
            .east = box.east + reach,
            .north = box.north + reach};
}

bool meet(const Box& a, const Box& b) {
    return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;
}

/// What a stroke does to point i of a channel `distance` from its line, where `nearest` is.
void apply_at(const ControlStroke& stroke, const NearestOnStroke& nearest, std::size_t i,
              MeanderChannel& channel) {
    const double weight = brush_weight(nearest.distance, stroke.radius, stroke.falloff) * stroke.strength;
    if (weight == 0.0) return;
    if (stroke.kind == ControlKind::Damp) {
        channel.mobility[i] *= static_cast<float>(std::max(0.0, 1.0 - weight));
        return;
    }
    const double toward = stroke.kind == ControlKind::Attract ? weight : -weight;
    const double scale = std::max<double>(nearest.distance, channel.line.values.width[i]);
    channel.pull_x[i] += static_cast<float>(toward * (nearest.place.x - channel.line.x[i]) / scale);
    channel.pull_y[i] += static_cast<float>(toward * (nearest.place.y - channel.line.y[i]) / scale);
}

}  // namespace

void apply_controls(std::span<const ControlStroke> strokes, MeanderChannel& channel) {
    if (strokes.empty()) return;
    const ChannelLine& line = channel.line;
    const Box box = box_of(line);
    for (const ControlStroke& stroke : strokes) {
        const Box reached = box_of(stroke);
        if (!meet(box, reached)) continue;
        if (stroke.kind != ControlKind::Damp) {
            channel.pull_x.resize(line.size(), 0.0F);
            channel.pull_y.resize(line.size(), 0.0F);
        }
        for (std::size_t i = 0; i < line.size(); ++i) {
            const Position point{.x = line.x[i], .y = line.y[i]};
            if (point.x < reached.west || point.x > reached.east || point.y < reached.south ||
                point.y > reached.north)
                continue;
            apply_at(stroke, nearest_on_stroke(stroke.points, point), i, channel);
        }
    }
}

}  // namespace thalweg
