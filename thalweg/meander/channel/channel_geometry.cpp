#include "thalweg/meander/channel/channel_geometry.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thalweg {
namespace {

LineColumns columns_of(ChannelGeometry& line, const std::vector<double>& x, const std::vector<double>& y) {
    return {.x = x.data(),
            .y = y.data(),
            .segment = line.segment.data(),
            .curvature = line.curvature.data(),
            .normal_x = line.normal_x.data(),
            .normal_y = line.normal_y.data()};
}

/// Right of the direction from one point to another; an end does not bend.
void set_end(ChannelGeometry& line, std::size_t at, double dx, double dy) {
    const double length = std::sqrt(dx * dx + dy * dy);
    line.curvature[at] = 0.0F;
    line.normal_x[at] = static_cast<float>(dy / length);
    line.normal_y[at] = static_cast<float>(-dx / length);
}

}  // namespace

void ChannelGeometry::measure(const std::vector<double>& x, const std::vector<double>& y) {
    measure_segments(x, y);
    measure_bends(x, y, 0, x.size());
}

void ChannelGeometry::measure_segments(const std::vector<double>& x, const std::vector<double>& y) {
    const std::size_t n = x.size();
    for (std::vector<float>* column : {&segment, &curvature, &normal_x, &normal_y}) column->resize(n);
    const LineColumns line = columns_of(*this, x, y);
    length =
        in_lanes([&](auto lanes) { return segments_in_lanes<lanes()>(line, static_cast<std::int64_t>(n)); });
    segment[n - 1] = 0.0F;
}

void ChannelGeometry::measure_bends(const std::vector<double>& x, const std::vector<double>& y,
                                    std::size_t first, std::size_t end) {
    const std::size_t n = x.size();
    const LineColumns line = columns_of(*this, x, y);
    in_lanes([&](auto lanes) {
        curvature_in_lanes<lanes()>(line, static_cast<std::int64_t>(std::max<std::size_t>(first, 1)),
                                    static_cast<std::int64_t>(std::min(end, n - 1)));
    });
    if (first == 0) set_end(*this, 0, x[1] - x[0], y[1] - y[0]);
    if (end == n) set_end(*this, n - 1, x[n - 1] - x[n - 2], y[n - 1] - y[n - 2]);
}

}  // namespace thalweg
