// The carved terrain at points.
#pragma once

#include "thalweg/riverscape/beds/bed_points.hpp"
#include "thalweg/riverscape/beds/bed_tree_parts.hpp"
#include "thalweg/riverscape/beds/squares_of_points.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// A sample, and the course whose water it has.
struct BedPoint {
    BedSample sample;
    std::int64_t course = -1;  // none: dry
    float mounds = 0.0F;       // m of the elevation
    float water = kNoData;     // m, level of the channel, above or below the ground
};

/// The stream of one course at a point.
struct BedStream {
    float share = 0.0F;       // flow_to_the_right
    float across = 0.0F;      // half widths to the left, of the water's own edges
    float half_width = 0.0F;  // m
    bool is_there = false;
};

/// Evaluates E (bed_tree.hpp), many points sooner than one after the other. One for each thread.
class BedEvaluator {
  public:
    explicit BedEvaluator(const BedTree::Parts& parts, const BedOutput& output = {});

    BedPoint at(Position position);

    /// Calls `take(i, BedPoint)` for each of the positions, in any order.
    template <class Take>
    void evaluate_all(std::span<const Position> positions, const Take& take) {
        squares_.sort(positions);
        std::size_t first = 0;
        for (const std::size_t end : squares_.ends()) {
            gather(positions, squares_.order().subspan(first, end - first));
            open(south_west_, north_east_);
            for (std::size_t k = 0; k < end - first; k += kTogether) {
                const std::size_t count = std::min(kTogether, end - first - k);
                evaluate(k, count);
                for (std::size_t i = 0; i < count; ++i) take(squares_.order()[first + k + i], point(i));
            }
            first = end;
        }
    }

    /// At a point, by all primitives and not by those that are listed near it.
    BedPoint at_by_all(Position position);

    /// The streams of one course, before rocks deflect them.
    BedStream stream_at(float x, float y, std::uint32_t course);

  private:
    static constexpr std::size_t kTogether = 256;  // points: their columns stay in the first cache

    void gather(std::span<const Position> positions, std::span<const std::uint32_t> numbers);
    void gather_one(Position position);

    /// Goes to the points from (west, south) to (east, north).
    void open(Position south_west, Position north_east);
    void open_pieces(std::span<const std::uint32_t> segments, std::span<const std::uint32_t> banks);
    void make_room();

    /// Evaluates gathered points from `first` on, and gives them.
    void evaluate(std::size_t first, std::size_t count);
    [[nodiscard]] BedPoint point(std::size_t i) const;

    void evaluate_terrain(std::size_t first, std::size_t count);
    void evaluate_beds(std::size_t first, std::size_t count);
    void evaluate_streams(std::int64_t count);

    [[nodiscard]] NearPrimitives near() const;
    [[nodiscard]] BedScratch scratch();
    [[nodiscard]] BedColumns columns(std::int64_t count);

    const BedTree::Parts& parts_;
    BedOutput output_;
    SquaresOfPoints squares_;
    std::vector<double> gathered_x_;  // m; behind them lie as many places as the widest vector has
    std::vector<double> gathered_y_;  // m
    Position south_west_;
    Position north_east_;

    // What is near.
    std::vector<ChannelPiece> channels_;
    std::vector<BankPiece> banks_;
    std::vector<BedMound> mounds_;
    std::vector<BedDeflector> deflectors_;
    std::vector<std::uint32_t> listed_;
    std::vector<std::uint32_t> weighing_segments_;
    std::vector<std::uint32_t> weighing_banks_;
    std::vector<float> shares_;

    // Of points, in columns; of kernels.
    NoiseCells noise_;
    std::vector<float> floats_;
    std::vector<std::int32_t> ints_;
    std::vector<float> stream_floats_;
    std::vector<std::int32_t> stream_ints_;
    std::vector<float> near_;
    std::vector<std::int32_t> pieces_;
};

}  // namespace thalweg
