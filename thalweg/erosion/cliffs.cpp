#include "thalweg/erosion/cliffs.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/least_rise.hpp"
#include "thalweg/erosion/steep_cells.hpp"
#include "thalweg/erosion/thermal_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

using Cells = std::vector<std::int32_t>;

constexpr int kMostRounds = 64;          // of wearing; what is lowered moves on by one cell in each
constexpr float kLeastLowering = 1e-3F;  // m, less is left (empirical)
constexpr float kLookedAt = 0.98F;       // m/m, what rises less over a link is left (empirical)
constexpr float kLongestLink = 3.0F;     // cells, more than any of a mesh
constexpr std::int64_t kListedPerTask = 1 << 10;
constexpr std::int64_t kCellsPerTask = 1 << 15;

struct Lowering {
    std::int32_t cell;
    float elevation;  // m, to which it is lowered
};

class CliffWearer {
  public:
    CliffWearer(const Lattice& lattice, const Field<std::uint8_t>& roots, const ErosionLaw& law,
                const CliffInputs& inputs, Field<float>& elevation)
        : lattice_(lattice),
          roots_(roots),
          thermal_(law),
          inputs_(inputs),
          elevation_(elevation),
          steps_(lattice.index_steps()),
          cell_size_(static_cast<float>(lattice.grid.cell_size)) {}

    /// Adds what has to be lowered of a row.
    void add_steep_cells(std::int64_t row, std::vector<Lowering>& found) const {
        std::vector<std::uint8_t> steep(at(lattice_.grid.columns));
        mark_steep(row, steep);
        const std::int64_t begin = row * lattice_.grid.columns;
        for (auto mark = steep.begin(); (mark = std::find(mark, steep.end(), 1)) != steep.end(); ++mark)
            add_if_too_high(static_cast<std::int32_t>(begin + (mark - steep.begin())), found);
    }

    /// Applies `lowerings`, and lowers in rounds what then stands too high. Returns how many times.
    std::int64_t wear(std::vector<Lowering> lowerings, const Progress& progress) {
        std::int64_t lowered = 0;
        for (int round = 0; round < kMostRounds && !lowerings.empty(); ++round) {
            progress.poll();
            for (const Lowering& lowering : lowerings) elevation_[lowering.cell] = lowering.elevation;
            lowered += static_cast<std::int64_t>(lowerings.size());
            lowerings = lowerings_of(too_high_above(lowerings));
        }
        return lowered;
    }

  private:
    void add_if_too_high(std::int32_t cell, std::vector<Lowering>& lowerings) const {
        if (is_no_data(elevation_[cell])) return;
        const float highest = highest_allowed(cell);
        if (is_too_high(cell, highest)) lowerings.push_back({cell, highest});
    }

    [[nodiscard]] std::vector<Lowering> lowerings_of(const Cells& cells) const {
        return parallel_gather<Lowering>(
            0, static_cast<std::int64_t>(cells.size()), kListedPerTask,
            [&](std::int64_t i, std::vector<Lowering>& found) { add_if_too_high(cells[at(i)], found); });
    }

    /// What the law lets stand is at least the steady slope above where the neighbour is now, once a signal
    /// from it has arrived.
    void mark_steep(std::int64_t row, std::vector<std::uint8_t>& steep) const {
        const SteepLaw law{.least_slope = kLookedAt,
                           .uplift = inputs_.uplift.data(),
                           .celerity = inputs_.celerity.data(),
                           .thermal_rate = thermal_.rate(),
                           .critical_slope = thermal_.critical_slope(),
                           .least_celerity = kLongestLink * cell_size_ / static_cast<float>(inputs_.time)};
        mark_steep_cells(lattice_, elevation_, row, law, steep);
    }

    template <class Body>
    void for_links(std::int64_t cell, const Body& body) const {
        const std::int32_t columns = lattice_.grid.columns;
        const std::int32_t row = static_cast<std::int32_t>(cell) / columns;
        const std::uint8_t links =
            lattice_.links_inside(static_cast<std::int32_t>(cell) - row * columns, row);
        for (std::size_t d = 0; d < 8; ++d)
            if ((links >> d & 1) != 0) body(cell + steps_[d], d);
    }

    /// Neighbours that stand too high above what was lowered, each once.
    [[nodiscard]] Cells too_high_above(const std::vector<Lowering>& lowerings) {
        Cells cells = parallel_gather<std::int32_t>(
            0, static_cast<std::int64_t>(lowerings.size()), kListedPerTask,
            [&](std::int64_t i, Cells& found) {
                const std::int32_t lowered = lowerings[at(i)].cell;
                for_links(lowered, [&](std::int64_t neighbour, std::size_t d) {
                    const std::size_t back = at(opposite(static_cast<int>(d)));
                    if (is_too_high(neighbour, highest_above(neighbour, lowered, back)))
                        found.push_back(static_cast<std::int32_t>(neighbour));
                });
            });
        is_listed_.resize(at(elevation_.size()));
        std::erase_if(cells, [&](std::int32_t cell) { return std::exchange(is_listed_[at(cell)], 1) != 0; });
        for (const std::int32_t cell : cells) is_listed_[at(cell)] = 0;
        return cells;
    }

    [[nodiscard]] bool is_too_high(std::int64_t cell, float highest) const {
        return roots_[cell] == 0 && elevation_[cell] - highest > kLeastLowering;
    }

    /// The highest that the law lets the cell stand, m; not above where it stands.
    [[nodiscard]] float highest_allowed(std::int64_t cell) const {
        float highest = elevation_[cell];
        for_links(cell, [&](std::int64_t neighbour, std::size_t d) {
            highest = std::min(highest, highest_above(cell, neighbour, d));
        });
        return highest;
    }

    /// The same above one neighbour.
    [[nodiscard]] float highest_above(std::int64_t cell, std::int64_t neighbour, std::size_t d) const {
        const float below = elevation_[neighbour];
        const float drop = elevation_[cell] - below;
        const Link way = lattice_.link(cell, neighbour, d);
        const float square = (way.x * way.x + way.y * way.y) * cell_size_ * cell_size_;
        if (!(drop > 0.0F) || drop * drop < kLookedAt * kLookedAt * square) return elevation_[cell];
        const float distance = std::sqrt(square);
        return std::isinf(inputs_.time) ? below + slope_at_steady_state(cell) * distance
                                        : highest_after(cell, neighbour, distance);
    }

    [[nodiscard]] float slope_at_steady_state(std::int64_t cell) const {
        const LocalLaw local = thermal_.at_steady_state(inputs_.uplift[at(cell)], inputs_.celerity[at(cell)]);
        return std::max(local.uplift / local.celerity, kLeastSlope);
    }

    /// What the law lets stand above one neighbour after the time, m.
    [[nodiscard]] float highest_after(std::int64_t cell, std::int64_t neighbour, float distance) const {
        const float uplift = inputs_.uplift[at(cell)];
        const float celerity = inputs_.celerity[at(cell)];
        const float height = after(cell, neighbour, distance, {uplift, celerity});
        return thermal_.slides((height - elevation_[neighbour]) / distance)
                   ? after(cell, neighbour, distance, thermal_.sliding(uplift, celerity))
                   : height;
    }

    [[nodiscard]] float after(std::int64_t cell, std::int64_t neighbour, float distance, LocalLaw law) const {
        const Field<float>& initial = *inputs_.initial;
        const float time = static_cast<float>(inputs_.time);
        const float way_time = distance / law.celerity;  // yr
        if (way_time <= time) {
            const float then =
                elevation_[neighbour] + (initial[neighbour] - elevation_[neighbour]) * (way_time / time);
            return std::max(then, elevation_[neighbour]) + law.uplift * way_time;
        }
        const float share = 1.0F - time / way_time;
        return initial[neighbour] + share * (initial[cell] - initial[neighbour]) + law.uplift * time;
    }

    const Lattice& lattice_;
    const Field<std::uint8_t>& roots_;
    ThermalLaw thermal_;
    const CliffInputs& inputs_;
    Field<float>& elevation_;
    std::array<std::int32_t, 8> steps_;
    float cell_size_;  // m
    std::vector<std::uint8_t> is_listed_;
};

}  // namespace

std::int64_t wear_cliffs(const Lattice& lattice, const Field<std::uint8_t>& roots, const ErosionLaw& law,
                         const CliffInputs& inputs, Field<float>& elevation, Progress& progress) {
    CliffWearer wearer(lattice, roots, law, inputs, elevation);
    const std::int64_t rows_per_task =
        std::max<std::int64_t>(1, kCellsPerTask / std::max(1, lattice.grid.columns));
    return wearer.wear(parallel_gather<Lowering>(0, lattice.grid.rows, rows_per_task,
                                                 [&](std::int64_t row, std::vector<Lowering>& found) {
                                                     wearer.add_steep_cells(row, found);
                                                 }),
                       progress);
}

}  // namespace thalweg
