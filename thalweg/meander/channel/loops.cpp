#include "thalweg/meander/channel/loops.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/meander/channel/line_edits.hpp"

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

namespace thalweg {
namespace {

std::vector<double> turns_of(const ChannelLine& line) {
    std::vector<double> turns(line.size(), 0.0);
    in_lanes([&](auto lanes) {
        turns_in_lanes<lanes()>(line.x.data(), line.y.data(), turns.data(), std::ssize(turns));
    });
    return turns;
}

/// Of the points after `first` up to `last`, or the last there is.
double sum_of(const std::vector<double>& turns, std::size_t first, std::size_t last) {
    double sum = 0.0;
    for (std::size_t i = first + 1; i <= std::min(last, turns.size() - 1); ++i) sum += turns[i];
    return sum;
}

/// The first loop from point `first` on that ends within `most` points: the point at its end, or 0.
std::size_t loop_end(const ChannelLine& line, std::size_t first, std::size_t most) {
    const std::size_t end = std::min(first + most + 1, line.size() - 1);
    for (std::size_t j = first + 2; j < end; ++j)
        if (segments_cross(line, first, line, j)) return j + 1;
    return 0;
}

/// The points at which a loop begins and ends.
struct Loop {
    std::size_t first = 0;
    std::size_t end = 0;
};

/// The first loop of at most `most` points from point `from` on. Pieces of `most` points that turn by too
/// little with those that follow hold none.
std::optional<Loop> next_loop(const ChannelLine& line, const std::vector<double>& turns, std::size_t most,
                              std::size_t from) {
    constexpr double kHalfCircle = 0.999 * std::numbers::pi;  // the least by which a loop turns
    for (std::size_t piece = from; piece + 3 < line.size(); piece += most) {
        if (sum_of(turns, piece, piece + 2 * most) < kHalfCircle) continue;
        for (std::size_t i = piece; i < std::min(piece + most, line.size() - 3); ++i)
            if (sum_of(turns, i, i + most) >= kHalfCircle)
                if (const std::size_t end = loop_end(line, i, most); end > 0) return Loop{i, end};
    }
    return std::nullopt;
}

}  // namespace

bool remove_loops(ChannelLine& line) {
    const double spacing = length_of(line) / static_cast<double>(line.size() - 1);
    // As far as close_pairs does not look, which goes by the greatest width too.
    const auto most =
        static_cast<std::size_t>(least_points_between(*std::ranges::max_element(line.values.width), spacing));
    bool is_changed = false;
    std::size_t from = 0;
    while (const std::optional<Loop> loop = next_loop(line, turns_of(line), most, from)) {
        leave_out(line, loop->first, loop->end);
        is_changed = true;
        from = loop->first + 1;
    }
    return is_changed;
}

}  // namespace thalweg
