#include "thalweg/core/parallel.hpp"
#include "thalweg/riverscape/river_beds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace thalweg {
namespace {

/// The flow through the section half way between two points of a valley, m^3/s.
double flow_through(const BedTree& tree, const ValleyPoint& a, const ValleyPoint& b) {
    constexpr int kHalf = 100;      // places to each side
    constexpr double kWider = 1.3;  // times the span of the water
    const double step = kWider * a.half_span / kHalf;
    double flow = 0.0;
    for (int k = -kHalf; k <= kHalf; ++k) {
        const BedSample at =
            tree.at({0.5 * (a.x + b.x) + k * step * a.normal_x, 0.5 * (a.y + b.y) + k * step * a.normal_y});
        if (is_no_data(at.water)) continue;
        flow += (at.velocity_x * a.normal_y - at.velocity_y * a.normal_x) * (at.water - at.elevation) * step;
    }
    return flow;
}

/// Of one valley; `mean` is a sum.
FlowErrors errors_of(const BedTree& tree, const BedValley& valley, std::size_t stride) {
    constexpr std::size_t kEnds = 8;  // points at both ends, where rivers meet
    FlowErrors errors;
    for (std::size_t i = kEnds; i + kEnds < valley.points.size(); i += stride) {
        const ValleyPoint& a = valley.points[i];
        if (!(a.discharge > 0.0)) continue;
        const double error = flow_through(tree, a, valley.points[i + 1]) / a.discharge - 1.0;
        ++errors.sections;
        errors.mean += error;
        errors.largest = std::max(errors.largest, std::abs(error));
    }
    return errors;
}

FlowErrors joined(const FlowErrors& a, const FlowErrors& b) {
    return {a.sections + b.sections, a.mean + b.mean, std::max(a.largest, b.largest)};
}

}  // namespace

FlowErrors flow_errors(const BedTree& tree, const BedCourses& courses, int stride) {
    FlowErrors all = parallel_reduce(
        0, std::ssize(courses.valleys), 8, FlowErrors{},
        [&](std::int64_t first, std::int64_t end) {
            FlowErrors part;
            for (std::int64_t v = first; v < end; ++v)
                part = joined(part, errors_of(tree, courses.valleys[static_cast<std::size_t>(v)],
                                              static_cast<std::size_t>(std::max(1, stride))));
            return part;
        },
        joined);
    if (all.sections > 0) all.mean /= static_cast<double>(all.sections);
    return all;
}

}  // namespace thalweg
