#include "thalweg/meander/channel/loops.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/meander/channel/line_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

namespace thalweg {
namespace {

constexpr double kHalfCircle = 0.999 * std::numbers::pi;  // the least by which a loop turns

/// By how much a line turns at a point, or more: the tangent of the angle up to a right one, at most half of
/// pi, and pi above.
double turn_at(const ChannelLine& line, std::size_t i) {
    const double ax = line.x[i] - line.x[i - 1];
    const double ay = line.y[i] - line.y[i - 1];
    const double bx = line.x[i + 1] - line.x[i];
    const double by = line.y[i + 1] - line.y[i];
    const double dot = ax * bx + ay * by;
    return dot > 0.0 ? std::min(std::abs(ax * by - ay * bx) / dot, 0.5 * std::numbers::pi) : std::numbers::pi;
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

/// Looks for loops of at most `most` points.
class LoopSearch {
  public:
    LoopSearch(const ChannelLine& line, std::size_t most) : line_(line), most_(most) {}

    /// The first one from point `from` on. Blocks in which no point turns by its share of half a circle are
    /// passed over.
    std::optional<Loop> first_from(std::size_t from) {
        const double share = std::tan(kHalfCircle / static_cast<double>(most_));
        const std::size_t in_block = std::max<std::size_t>(64, most_);  // points (empirical)
        const std::size_t last = line_.size() - 1;
        for (std::size_t block = from; block < last; block += in_block) {
            const std::size_t end = std::min(block + in_block, last);
            const bool is_sharp = in_lanes([&](auto lanes) {
                return turns_sharply_in_lanes<lanes()>(
                    line_.x.data(), line_.y.data(),
                    static_cast<std::int64_t>(std::max<std::size_t>(1, block)),
                    static_cast<std::int64_t>(end), share);
            });
            if (!is_sharp) continue;
            const std::size_t first = std::max(from, block - std::min(block, most_));
            if (const auto loop = between(first, end)) return loop;
        }
        return std::nullopt;
    }

  private:
    /// The first one that begins at a point from `first` to `end`. Pieces of `most` points that turn by too
    /// little with those that follow hold none.
    std::optional<Loop> between(std::size_t first, std::size_t end) {
        find_turns(first, end + 2 * most_);
        for (std::size_t piece = first; piece < end; piece += most_) {
            if (turn_between(piece, piece + 2 * most_) < kHalfCircle) continue;
            for (std::size_t i = piece; i < std::min(piece + most_, line_.size() - 3); ++i)
                if (turn_between(i, i + most_) >= kHalfCircle)
                    if (const std::size_t loop = loop_end(line_, i, most_); loop > 0) return Loop{i, loop};
        }
        return std::nullopt;
    }

    /// Of points after `first` up to `last`, or the last but one there is.
    void find_turns(std::size_t first, std::size_t last) {
        first_ = first;
        turns_.clear();
        for (std::size_t i = first + 1; i <= std::min(last, line_.size() - 2); ++i)
            turns_.push_back(turn_at(line_, i));
    }

    /// Sum over the points after `first` up to `last`, of those.
    [[nodiscard]] double turn_between(std::size_t first, std::size_t last) const {
        double sum = 0.0;
        for (std::size_t i = first - first_; i < std::min(last - first_, turns_.size()); ++i)
            sum += turns_[i];
        return sum;
    }

    const ChannelLine& line_;
    std::size_t most_;
    std::size_t first_ = 0;
    std::vector<double> turns_;  // of the points after `first_`
};

}  // namespace

bool remove_loops(ChannelLine& line) {
    const double spacing = length_of(line) / static_cast<double>(line.size() - 1);
    // As far as close_pairs does not look, which goes by the greatest width too.
    const auto most = static_cast<std::size_t>(least_points_between(greatest_width(line), spacing));
    bool is_changed = false;
    std::size_t from = 0;
    while (const std::optional<Loop> loop = LoopSearch(line, most).first_from(from)) {
        leave_out(line, loop->first, loop->end);
        is_changed = true;
        from = loop->first + 1;
    }
    return is_changed;
}

}  // namespace thalweg
