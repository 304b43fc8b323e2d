#include "thalweg/meander/channel/loops.hpp"

#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/channel/line_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace thalweg {
namespace {

/// By how much a line turns at each point, or more: the tangent of the angle up to a right one, pi above.
std::vector<double> turns_of(const ChannelLine& line) {
    std::vector<double> turns(line.size(), 0.0);
    double before_x = line.x[1] - line.x[0];
    double before_y = line.y[1] - line.y[0];
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        const double dx = line.x[i + 1] - line.x[i];
        const double dy = line.y[i + 1] - line.y[i];
        const double dot = before_x * dx + before_y * dy;
        const double cross = before_x * dy - before_y * dx;
        turns[i] = dot > 0.0 ? std::min(0.5 * std::numbers::pi, std::abs(cross) / dot) : std::numbers::pi;
        before_x = dx;
        before_y = dy;
    }
    return turns;
}

/// The first loop from point `first` on that ends within `most` points: the point at its end, or 0.
std::size_t loop_end(const ChannelLine& line, std::size_t first, std::size_t most) {
    const std::size_t end = std::min(first + most + 1, line.size() - 1);
    for (std::size_t j = first + 2; j < end; ++j)
        if (segments_cross(line, first, line, j)) return j + 1;
    return 0;
}

}  // namespace

bool remove_loops(ChannelLine& line) {
    constexpr double kHalfCircle = 0.999 * std::numbers::pi;  // the least by which a loop turns
    const double spacing = length_of(line) / static_cast<double>(line.size() - 1);
    // As far as close_pairs does not look, which goes by the greatest width too.
    const auto most =
        static_cast<std::size_t>(least_points_between(*std::ranges::max_element(line.values.width), spacing));
    std::vector<double> turns = turns_of(line);
    bool is_changed = false;
    double sum = 0.0;  // of the turns at points i + 1 to i + most
    for (std::size_t i = 1; i < std::min(most, line.size()); ++i) sum += turns[i];
    for (std::size_t i = 0; i + 3 < line.size(); ++i) {
        if (i + most < turns.size()) sum += turns[i + most];
        if (sum >= kHalfCircle)
            if (const std::size_t end = loop_end(line, i, most); end > 0) {
                leave_out(line, i, end);
                is_changed = true;
                turns = turns_of(line);
                sum = 0.0;
                for (std::size_t j = i + 1; j <= std::min(i + most, line.size() - 1); ++j) sum += turns[j];
            }
        sum -= turns[i + 1];
    }
    return is_changed;
}

}  // namespace thalweg
