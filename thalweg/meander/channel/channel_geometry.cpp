#include "thalweg/meander/channel/channel_geometry.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"

#include <cmath>
#include <cstdint>

namespace thalweg {
namespace {

/// Right of the direction from one point to another.
void set_normal(ChannelGeometry& line, std::size_t at, double dx, double dy) {
    const double length = std::sqrt(dx * dx + dy * dy);
    line.normal_x[at] = dy / length;
    line.normal_y[at] = -dx / length;
}

}  // namespace

void ChannelGeometry::measure(const std::vector<double>& x, const std::vector<double>& y) {
    const std::size_t n = x.size();
    for (std::vector<double>* column : {&segment, &curvature, &normal_x, &normal_y}) column->resize(n);
    const LineColumns line{.x = x.data(),
                           .y = y.data(),
                           .segment = segment.data(),
                           .curvature = curvature.data(),
                           .normal_x = normal_x.data(),
                           .normal_y = normal_y.data()};
    in_lanes([&](auto lanes) {
        segments_in_lanes<lanes()>(line, static_cast<std::int64_t>(n));
        curvature_in_lanes<lanes()>(line, static_cast<std::int64_t>(n));
    });
    segment[n - 1] = 0.0;
    curvature[0] = curvature[n - 1] = 0.0;
    set_normal(*this, 0, x[1] - x[0], y[1] - y[0]);
    set_normal(*this, n - 1, x[n - 1] - x[n - 2], y[n - 1] - y[n - 2]);
    length = 0.0;
    for (std::size_t i = 0; i < n; ++i) length += segment[i];
}

}  // namespace thalweg
