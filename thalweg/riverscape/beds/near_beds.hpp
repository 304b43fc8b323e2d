// The primitives that count at points which lie near each other.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/riverscape/beds/bed_evaluator.hpp"
#include "thalweg/riverscape/beds/bed_tree_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// A square of points, of whose lists the pieces are left out that weigh in at none. For one thread.
class NearBeds {
  public:
    explicit NearBeds(const BedTree::Parts& parts) : parts_(parts) {}

    /// Sides of squares that are worth it, m.
    [[nodiscard]] double side() const {
        return std::min<double>(parts_.segments.cell_size(), parts_.banks.cell_size());
    }

    /// Goes to the points from (west, south) to (east, north), m.
    void open(Position south_west, Position north_east);

    /// The beds at the first `count` of four points in the square.
    [[nodiscard]] std::array<BedPoint, 4> evaluate(const std::array<Position, 4>& positions, int count,
                                                   BedEvaluator& evaluator) const {
        return evaluator.at(positions,
                            {at(positions[0]), at(positions[1]), at(positions[2]), at(positions[3])}, count);
    }

    /// The beds at many points, of which those that follow each other are taken together where they lie
    /// within a square: calls `take(i, BedPoint)` for each.
    template <class Take>
    void evaluate_all(std::span<const Position> positions, BedEvaluator& evaluator, const Take& take) {
        for (std::size_t begin = 0; begin < positions.size();) {
            const std::size_t end = open_first(positions, begin);
            for (; begin < end; begin += 4) {
                const std::size_t count = std::min<std::size_t>(4, end - begin);
                const auto place = [&](std::size_t k) { return positions[begin + std::min(k, count - 1)]; };
                const std::array<BedPoint, 4> points =
                    evaluate({place(0), place(1), place(2), place(3)}, static_cast<int>(count), evaluator);
                for (std::size_t k = 0; k < count; ++k) take(begin + k, points[k]);
            }
            begin = end;
        }
    }

    /// Of a point in the square.
    [[nodiscard]] BedCandidates at(Position position) const {
        const auto x = static_cast<float>(position.x - parts_.primitives.origin.x);
        const auto y = static_cast<float>(position.y - parts_.primitives.origin.y);
        return {segments_, banks_, parts_.mounds.at(x, y), parts_.deflectors.at(x, y)};
    }

  private:
    /// Goes to points from `begin` on; returns the end of them.
    std::size_t open_first(std::span<const Position> positions, std::size_t begin);

    const BedTree::Parts& parts_;
    std::vector<std::uint32_t> segments_;
    std::vector<std::uint32_t> banks_;
    std::vector<std::uint32_t> listed_;
    std::vector<float> shares_;
};

}  // namespace thalweg
