#include "thalweg/meander/channel/channel_geometry.hpp"

#include <cmath>

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
    double* const h = segment.data();
    double* const kappa = curvature.data();
    double* const right_x = normal_x.data();
    double* const right_y = normal_y.data();
    const double* const px = x.data();
    const double* const py = y.data();
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const double dx = px[i + 1] - px[i];
        const double dy = py[i + 1] - py[i];
        h[i] = std::sqrt(dx * dx + dy * dy);
    }
    h[n - 1] = 0.0;
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double ax = px[i] - px[i - 1];
        const double ay = py[i] - py[i - 1];
        const double chord_x = px[i + 1] - px[i - 1];
        const double chord_y = py[i + 1] - py[i - 1];
        const double per_chord = 1.0 / std::sqrt(chord_x * chord_x + chord_y * chord_y);
        kappa[i] = 2.0 * (ax * chord_y - ay * chord_x) * per_chord / (h[i - 1] * h[i]);
        right_x[i] = chord_y * per_chord;
        right_y[i] = -chord_x * per_chord;
    }
    kappa[0] = kappa[n - 1] = 0.0;
    set_normal(*this, 0, px[1] - px[0], py[1] - py[0]);
    set_normal(*this, n - 1, px[n - 1] - px[n - 2], py[n - 1] - py[n - 2]);
    length = 0.0;
    for (std::size_t i = 0; i < n; ++i) length += h[i];
}

}  // namespace thalweg
