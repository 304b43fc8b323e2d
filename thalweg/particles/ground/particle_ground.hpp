// Ground under droplets: it takes what they lay down, and slides where it is too steep.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/particles/droplets/droplet.hpp"
#include "thalweg/particles/droplets/droplet_batch.hpp"
#include "thalweg/particles/droplets/ground_tiles.hpp"
#include "thalweg/particles/droplets/stream_cells.hpp"
#include "thalweg/particles/ground/avalanches.hpp"
#include "thalweg/particles/ground/pending_change.hpp"
#include "thalweg/particles/particle_parameters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace thalweg {

/// The ground that droplets change, units. What is taken of a cell is soil as traces tell, then sediment, and
/// bedrock once that is gone; what is laid down is soil as these tell, and sediment.
struct GroundLayers {
    Field<std::int32_t>& elevation;
    Field<std::int32_t>& loose;           // sediment and soil on bedrock
    Field<std::int32_t>* soil = nullptr;  // of these; none where there is none, as the next
    UnitField* soil_debt = nullptr;       // of what is owed
};

/// Pigments of the ground, 0 to 1: one to kMostPigments.
struct GroundPigments {
    std::vector<Field<float>>& surface;
    const std::vector<Field<float>>& bedrock;
    double depth;  // units of the surface that are mixed with what is laid down
};

/// Averages over the grid, m^3/yr.
struct StreamFields {
    const Field<float>& discharge;
    const Field<float>& momentum_east;
    const Field<float>& momentum_south;
};

/// Slopes at which ground rests, and how fast it slides, where it has materials; without `bedrock_rise` they
/// are those of `sediment` everywhere.
struct GroundSlides {
    MaterialSlides law;
    const std::int32_t* bedrock_rise = nullptr;  // per cell: RowSlice::bedrock_rise
    const float* held = nullptr;                 // per cell: RowSlice::held
};

/// m above the datum; no data where there is none.
Field<float> metres_of(const Field<std::int32_t>& elevation);

/// What droplets read of the ground, and what they have left there. Everything is done in whole numbers, tile
/// by tile, and only where something has changed; the same for any number of threads.
class ParticleGround {
  public:
    /// elevation: units; kNoGround where there is no data.
    ParticleGround(const Field<std::int32_t>& elevation, std::span<const ParticleSpring> springs);

    [[nodiscard]] const GroundTiles& tiles() const { return tiles_; }
    [[nodiscard]] DropletGround for_droplets(const Field<std::int32_t>& elevation) const;

    /// Tells cells that are in debt: all of a tile pay where droplets touch it.
    void set_owed(const UnitField& debt);
    /// Tells cells of lakes (0: none, else 1 + the number) and of the sea, which is ground below `sea_level`,
    /// m above the datum.
    void set_water(const Field<std::int32_t>& elevation, const Field<std::int32_t>& lake, float sea_level);
    /// Takes the directions in which water leaves, over flats and through lakes (directions_over_filled), and
    /// finds the sills of these. O(cells).
    void set_directions(const std::vector<std::uint8_t>& directions, const Field<std::int32_t>& lake,
                        std::span<const ParticleLake> lakes);
    /// Lets droplets read these streams, lakes and the sea: averages of discharge and momentum, m^3/yr. After
    /// set_directions. O(cells).
    void set_streams(const StreamLaw& law, const StreamFields& streams, const Field<std::int32_t>& lake,
                     std::span<const ParticleLake> lakes, float sea_level);
    /// Gives back memory that droplets of a cycle need alone, until it is asked for again.
    void release_memory();
    /// Where water leaves: 1 on the border and in the sea, else 0.
    [[nodiscard]] Field<std::uint8_t> outlets(const Field<std::int32_t>& elevation, float sea_level) const;

    /// Tells the traces of cells how many droplets of all threads have come to them in this batch: visits
    /// become the bits of a float, of mean droplets, less than 0 where the ground has still to take what was
    /// laid down before (as -0 where none have come). O(cells touched).
    void count_visits(const UnitField& debt, std::span<DropletTraces> traces);

    /// Takes the water of a cycle out of the traces: body(first cell, number of cells, their TraceSums), from
    /// any thread. O(cells).
    template <class Body>
    void take_water(std::span<DropletTraces> traces, const Body& body);

    /// Changes elevation by what droplets have left in cells that they have come to, and takes that out of
    /// their traces. A cell goes down by at most half of the way to its lowest neighbour. It goes up by at
    /// most 0.45 of the way to its highest neighbour, and to any whose lowest neighbour it is or whose water
    /// it takes. So each cell that has a lower neighbour keeps one. The rest is added to `debt`: of what a
    /// cell can't take or give at once, soil is owed first.
    void exchange(GroundLayers layers, UnitField& debt, std::span<DropletTraces> traces);

    /// Mixes the surface, where droplets have laid sediment down, with its pigments, and takes these out of
    /// their traces; bare bedrock shows its own. After exchange().
    void wash(GroundPigments pigments, const Field<std::int32_t>& loose, std::span<DropletTraces> traces);

    /// Lets slides look at all ground, not only where droplets have made it steep: where slopes at which it
    /// rests, or its soil, have changed.
    void unsettle();

    /// Lets ground slide that is too steep, with its pigments where they are given; bare bedrock shows its
    /// own.
    SlidOut avalanche(GroundLayers layers, const GroundSlides& slides_by,
                      const GroundPigments* pigments = nullptr);

  private:
    static constexpr std::int64_t kTilesPerTask = 4;
    static constexpr std::uint32_t kAllRows = ~0U;  // of a tile

    /// A cell that droplets have touched in this batch, or one in debt in a tile that they have touched.
    struct CellAtHand {
        std::int32_t cell = 0;
        std::int32_t word = 0;  // GroundTiles::word_of
        std::uint32_t bit = 0;
    };

    /// Where the traces of a thread lie.
    struct TouchedTraces {
        CellTrace* cells = nullptr;
        const std::uint32_t* is_touched = nullptr;

        [[nodiscard]] bool has(const CellAtHand& at_hand) const {
            return (is_touched[at_hand.word] & at_hand.bit) != 0;
        }
    };

    /// Rows of a tile, a bit each.
    struct TileRows {
        std::int64_t tile = 0;
        std::uint32_t rows = 0;
        std::int64_t first = 0;  // of their places in change_
    };

    /// Rows of a tile in which ground has become too steep, or has slid, and those where that is so in the
    /// cells beside the next tiles; a bit each.
    struct UnsettledRows {
        std::uint32_t all = 0;
        std::uint32_t west = 0;
        std::uint32_t east = 0;
    };

    void find_fixed();
    [[nodiscard]] CellKind kind_at(std::int64_t cell) const { return kind_of(places_[at(cell)]); }
    [[nodiscard]] float open_share(std::int64_t cell, std::int32_t sill) const;
    [[nodiscard]] bool is_owed(const CellAtHand& at_hand) const {
        return (is_owed_[at(at_hand.word)] & at_hand.bit) != 0;
    }
    static std::vector<TouchedTraces> touched_of(std::span<DropletTraces> traces);
    std::vector<CarriedTrace> take_carried(std::span<DropletTraces> traces);
    void carry_full(std::int64_t cell, std::int64_t visits, std::span<DropletTraces> traces,
                    std::vector<CarriedTrace>& full);
    void owe_laid_down(UnitField& debt, std::span<DropletTraces> traces);
    void sum_traces(std::int64_t first, std::int64_t count, std::span<DropletTraces> traces, TraceSums& sums);
    void find_tiles_at_hand(std::span<const DropletTraces> traces);
    void list_cells_at_hand(std::int64_t number, std::span<const DropletTraces> traces);
    template <class Body>
    void for_cells_at_hand(const Body& body) const;
    void mark_steep(const Field<std::int32_t>& elevation, const GroundSlides& slides_by);
    std::int64_t list_changed(std::int64_t first, std::int64_t last, PendingChange& of) const;
    [[nodiscard]] std::uint32_t rows_to_slide(int column, int row, bool is_coarse) const;
    void list_rows_to_slide(bool is_coarse);
    void collect_pending(std::span<const CellAtHand> cells, const UnitField& debt,
                         std::span<const TouchedTraces> traces, PendingChange& of) const;
    void settle_pending(std::span<const CellAtHand> cells, GroundLayers layers, UnitField& debt,
                        std::span<DropletTraces> traces, const PendingChange& of,
                        std::span<std::int32_t> changes);
    void change(GroundLayers layers, std::int64_t cell, std::int32_t change) const;
    void change_row(GroundLayers layers, std::int64_t cell, std::span<const std::int32_t> changes) const;
    SlidOut find_slides(GroundLayers layers, const GroundSlides& slides_by, const GroundPigments* pigments,
                        const TileRows& at_hand);
    void find_soil_change(GroundLayers layers, std::int64_t cell, std::int64_t pending, std::int64_t rest);
    void find_unsure_change(const Field<std::int32_t>& elevation, PendingChange& of,
                            PendingChange& unsure) const;

    Grid grid_;
    GroundTiles tiles_;
    std::vector<StreamCell> streams_;
    StreamScale stream_scale_;
    std::vector<std::int32_t> brought_;      // CellTrace::visits of the batches of a cycle so far
    std::vector<CarriedTrace> carried_;      // what these and traces have no room for
    std::vector<CellPlace> places_;          // DropletGround::places
    std::vector<std::int32_t> change_;       // units, of rows at hand: kMostInSlice for each
    std::vector<std::int32_t> soil_change_;  // units, of these and cells at hand, where there is some
    std::array<std::vector<float>, kMostPigments>
        new_pigments_;                         // 1, of rows that have slid, where there are
    std::vector<std::uint8_t> has_fixed_;      // per tile, or the cells around it
    std::vector<UnsettledRows> unsettled_;     // per tile
    std::vector<std::int64_t> tiles_at_hand_;  // that droplets have touched
    std::vector<TileRows> rows_at_hand_;       // that may slide
    std::vector<std::int32_t> cells_in_tile_;  // that are at hand, per tile
    std::vector<std::int64_t> first_at_hand_;  // per tile at hand: its first of the next two, and their end
    std::vector<CellAtHand> cells_at_hand_;
    std::vector<std::int32_t> change_at_hand_;  // units
    CellMarks is_owed_;                         // cells in debt
};

template <class Body>
void ParticleGround::take_water(std::span<DropletTraces> traces, const Body& body) {
    std::ranges::sort(carried_, {}, &CarriedTrace::cell);
    constexpr std::int64_t kCellsPerTake = 1 << 14;
    parallel_for(0, grid_.cells(), kCellsPerTake, [&](std::int64_t first, std::int64_t last) {
        TraceSums sums;
        for (; first < last; first += TraceSums::kMost) {
            const std::int64_t count = std::min(last - first, TraceSums::kMost);
            sum_traces(first, count, traces, sums);
            body(first, count, std::as_const(sums));
        }
    });
    carried_.clear();
    brought_ = std::vector<std::int32_t>();
}

}  // namespace thalweg
