#include "thalweg/meander/channel/close_points.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/box_grid.hpp"
#include "thalweg/meander/channel/line_columns.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

/// Of one line.
struct LineLimits {
    std::int32_t between = 0;  // least_points_between
    double width = 0.0;        // m, the largest
    double spacing = 0.0;      // m, mean
};

LineLimits limits_of(const ChannelLine& line) {
    const double spacing = length_of(line) / static_cast<double>(line.size() - 1);
    const double width = greatest_width(line);
    return {.between = least_points_between(width, spacing), .width = width, .spacing = spacing};
}

class PairSearch {
  public:
    explicit PairSearch(std::span<const ChannelLine* const> lines) : lines_(lines), limits_(lines.size()) {
        parallel_for(0, std::ssize(lines), 1,
                     [&](std::int64_t line, std::int64_t) { limits_[line] = limits_of(*lines[line]); });
        std::vector<double> spacings;
        for (const LineLimits& limits : limits_) spacings.push_back(limits.spacing);
        boxes_ = boxes_of(lines, spacings);
    }

    [[nodiscard]] std::vector<ClosePair> pairs() const {
        if (boxes_.empty()) return {};
        std::vector<ClosePair> found = parallel_gather<ClosePair>(
            0, std::ssize(lines_), 1, [&](std::int64_t line, std::vector<ClosePair>& pairs_of_line) {
                add_pairs_of_neighbours(static_cast<std::int32_t>(line), pairs_of_line);
            });
        const BoxGrid grid(boxes_);
        constexpr std::int64_t kCellsAtOnce = 512;
        const std::vector<ClosePair> others = parallel_gather<ClosePair>(
            0, grid.cells(), kCellsAtOnce, [&](std::int64_t cell, std::vector<ClosePair>& pairs_of_piece) {
                grid.for_each_pair(
                    cell, [&](const PointBox& a, const PointBox& b) { add_pairs(a, b, pairs_of_piece); });
            });
        found.insert(found.end(), others.begin(), others.end());
        std::ranges::sort(found, [](const ClosePair& a, const ClosePair& b) {
            return a.first != b.first ? a.first < b.first : a.second < b.second;
        });
        return found;
    }

  private:
    /// Of boxes that follow each other on one line.
    void add_pairs_of_neighbours(std::int32_t place, std::vector<ClosePair>& pairs_of_line) const {
        const ChannelLine& line = *lines_[place];
        const LineLimits& limits = limits_[place];
        const double reach = std::max(limits.width, limits.spacing);
        std::vector<std::uint8_t> are_near(line.size() / kPointsInBox + 1);
        in_lanes([&](auto lanes) {
            near_neighbours_in_lanes<lanes()>(line.x.data(), line.y.data(), std::ssize(line.x),
                                              {.between = limits.between, .reach = reach}, are_near.data());
        });
        const auto first = std::ranges::lower_bound(boxes_, place, {}, &PointBox::line) - boxes_.begin();
        for (std::size_t i = 0; i < are_near.size(); ++i)
            if (are_near[i] != 0 && !can_have_no_pair(boxes_[first + i], boxes_[first + i + 1]))
                add_pairs(boxes_[first + i], boxes_[first + i + 1], pairs_of_line);
    }

    /// Of boxes in the order of their lines and points.
    void add_pairs(const PointBox& a, const PointBox& b, std::vector<ClosePair>& pairs_of_piece) const {
        const ChannelLine& first = *lines_[a.line];
        const ChannelLine& second = *lines_[b.line];
        const std::int32_t between = a.line == b.line ? limits_[a.line].between : 0;
        for (std::int32_t i = a.first; i < a.end; ++i)
            for (std::int32_t j = a.line == b.line ? std::max(b.first, i + between) : b.first; j < b.end;
                 ++j) {
                const double dx = second.x[j] - first.x[i];
                const double dy = second.y[j] - first.y[i];
                const double width = 0.5 * (width_at(a.line, i) + width_at(b.line, j));
                const double squared = dx * dx + dy * dy;
                if (squared > width * width) continue;
                pairs_of_piece.push_back({.first = {.line = a.line, .point = i},
                                          .second = {.line = b.line, .point = j},
                                          .closeness = std::sqrt(squared) / width});
            }
    }

    /// As wide as the distance of points, at least: no crossing lies between points unseen then.
    [[nodiscard]] double width_at(std::int32_t line, std::int32_t point) const {
        return std::max(static_cast<double>(lines_[line]->values.width[point]), limits_[line].spacing);
    }

    /// Boxes that follow each other on one line: their ends would be closer together, had they a pair.
    [[nodiscard]] bool can_have_no_pair(const PointBox& a, const PointBox& b) const {
        constexpr double kUnevenness = 2.0;  // of the longest distance of points to their mean
        const LineLimits& limits = limits_[a.line];
        const ChannelLine& line = *lines_[a.line];
        const double chord_x = line.x[b.end - 1] - line.x[a.first];
        const double chord_y = line.y[b.end - 1] - line.y[a.first];
        const double steps = static_cast<double>(b.end - 1 - a.first - limits.between);
        const double most = std::max(0.0, steps * kUnevenness * limits.spacing + limits.width);
        return chord_x * chord_x + chord_y * chord_y > most * most;
    }

    std::span<const ChannelLine* const> lines_;
    std::vector<LineLimits> limits_;
    std::vector<PointBox> boxes_;
};

}  // namespace

float greatest_width(const ChannelLine& line) {
    return in_lanes(
        [&](auto lanes) { return greatest_in_lanes<lanes()>(line.values.width.data(), std::ssize(line.x)); });
}

std::int32_t least_points_between(double width, double spacing) {
    constexpr double kTightestBend = 3.2;  // widths along the line, half round
    return static_cast<std::int32_t>(std::ceil(kTightestBend * width / spacing)) + 2;
}

std::vector<ClosePair> close_pairs(std::span<const ChannelLine* const> lines) {
    return PairSearch(lines).pairs();
}

}  // namespace thalweg
