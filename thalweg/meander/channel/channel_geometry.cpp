#include "thalweg/meander/channel/channel_geometry.hpp"

#include "thalweg/core/vector_lanes.hpp"

#include <cmath>
#include <cstddef>

namespace thalweg {
namespace {

/// Right of the segment from one point to the next; an end does not bend.
void set_end(const LineColumns& line, std::int64_t at, std::int64_t from) {
    const double dx = line.x[from + 1] - line.x[from];
    const double dy = line.y[from + 1] - line.y[from];
    const double length = std::sqrt(dx * dx + dy * dy);
    line.curvature[at] = 0.0F;
    line.normal_x[at] = static_cast<float>(dy / length);
    line.normal_y[at] = static_cast<float>(-dx / length);
}

}  // namespace

void ChannelGeometry::measure(const std::vector<double>& x, const std::vector<double>& y) {
    const std::size_t n = x.size();
    for (std::vector<float>* column : {&segment, &curvature, &normal_x, &normal_y}) column->resize(n);
    const LineColumns line{.x = x.data(),
                           .y = y.data(),
                           .segment = segment.data(),
                           .curvature = curvature.data(),
                           .normal_x = normal_x.data(),
                           .normal_y = normal_y.data()};
    const auto points = static_cast<std::int64_t>(n);
    length = in_lanes([&](auto lanes) { return length_in_lanes<lanes()>(line.x, line.y, points); });
    measure_bends(line, points, true, true);
    segment[n - 1] = 0.0F;
}

void measure_bends(const LineColumns& line, std::int64_t points, bool is_head, bool is_end) {
    in_lanes([&](auto lanes) {
        curvature_in_lanes<lanes()>(line, is_head ? 1 : 0, is_end ? points - 1 : points);
    });
    if (is_head) set_end(line, 0, 0);
    if (!is_end) return;
    set_end(line, points - 1, points - 2);
    const double dx = line.x[points - 1] - line.x[points - 2];
    const double dy = line.y[points - 1] - line.y[points - 2];
    line.segment[points - 2] = static_cast<float>(std::sqrt(dx * dx + dy * dy));
}

}  // namespace thalweg
