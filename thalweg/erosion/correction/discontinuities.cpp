#include "thalweg/erosion/correction/discontinuities.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/correction/discontinuity_neighbourhoods.hpp"
#include "thalweg/erosion/correction/steep_cells.hpp"
#include "thalweg/erosion/law/thermal_law.hpp"
#include "thalweg/erosion/law/travel_time.hpp"

#include <algorithm>
#include <cstring>
#include <span>
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

DiscontinuityGround ground_of(const Lattice& lattice, const ErosionLaw& law,
                              const DiscontinuityInputs& inputs, const Field<float>& elevation) {
    const ThermalLaw thermal(law);
    return {.columns = lattice.grid.columns,
            .rows = lattice.grid.rows,
            .cell_size = static_cast<float>(lattice.grid.cell_size),
            .elevation = elevation.data(),
            .initial = inputs.initial == nullptr ? nullptr : inputs.initial->data(),
            .offset_x = lattice.displaced() ? lattice.offset_x.data() : nullptr,
            .offset_y = lattice.displaced() ? lattice.offset_y.data() : nullptr,
            .links = lattice.links.empty() ? nullptr : lattice.links.data(),
            .common_links = lattice.common_links,
            .celerity = inputs.celerity.data(),
            .uplift = inputs.uplift.data(),
            .time = float_years(inputs.time),
            .thermal_rate = thermal.rate(),
            .critical_slope = thermal.critical_slope(),
            .least_slope = kLookedAt,
            .least_lowering = kLeastLowering};
}

class DiscontinuityWearer {
  public:
    DiscontinuityWearer(const Lattice& lattice, const Field<std::uint8_t>& roots, const ErosionLaw& law,
                        const DiscontinuityInputs& inputs, Field<float>& elevation)
        : lattice_(lattice),
          roots_(roots),
          ground_(ground_of(lattice, law, inputs, elevation)),
          elevation_(elevation) {}

    /// What has to be lowered of rows [first, last), as far as steep links tell.
    [[nodiscard]] std::vector<Lowering> lowerings_in(std::int64_t first, std::int64_t last) const {
        std::vector<std::uint8_t> steep(at(lattice_.grid.columns));
        Cells cells;
        for (std::int64_t row = first; row < last; ++row) {
            mark_steep(row, steep);
            add_marked(row * lattice_.grid.columns, steep, cells);
        }
        return lowerings_of(cells);
    }

    /// Applies `lowerings`, and lowers in rounds what then stands too high. Returns how many times.
    std::int64_t wear(std::vector<Lowering> lowerings, const Progress& progress) {
        std::int64_t lowered = 0;
        for (int round = 0; round < kMostRounds && !lowerings.empty(); ++round) {
            progress.poll();
            for (const Lowering& lowering : lowerings) elevation_[lowering.cell] = lowering.elevation;
            lowered += static_cast<std::int64_t>(lowerings.size());
            lowerings = lowerings_above(lowerings);
        }
        return lowered;
    }

  private:
    /// What the law lets stand is at least the steady slope above where the neighbour is now, once a signal
    /// from it has arrived.
    void mark_steep(std::int64_t row, std::vector<std::uint8_t>& steep) const {
        const SteepLaw law{.least_slope = kLookedAt,
                           .uplift = ground_.uplift,
                           .celerity = ground_.celerity,
                           .thermal_rate = ground_.thermal_rate,
                           .critical_slope = ground_.critical_slope,
                           .least_celerity = kLongestLink * ground_.cell_size / ground_.time};
        mark_steep_cells(lattice_, elevation_, row, law, steep);
    }

    /// Adds cells with a mark of 1, data and no root, `first` being that of the first mark.
    void add_marked(std::int64_t first, const std::vector<std::uint8_t>& marks, Cells& cells) const {
        const std::uint8_t* const begin = marks.data();
        const auto next_mark = [&](const std::uint8_t* from) {
            return static_cast<const std::uint8_t*>(std::memchr(from, 1, at(begin + marks.size() - from)));
        };
        for (const std::uint8_t* mark = next_mark(begin); mark != nullptr; mark = next_mark(mark + 1)) {
            const std::int64_t cell = first + (mark - begin);
            if (roots_[cell] == 0 && !is_no_data(elevation_[cell]))
                cells.push_back(static_cast<std::int32_t>(cell));
        }
    }

    [[nodiscard]] std::vector<Lowering> lowerings_of(std::span<const std::int32_t> cells) const {
        std::vector<float> highest(cells.size());
        in_lanes([&](auto lanes) {
            highest_allowed_in_lanes<lanes()>(ground_, cells.data(), static_cast<std::int64_t>(cells.size()),
                                              highest.data());
        });
        std::vector<Lowering> lowerings;
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (elevation_[cells[i]] - highest[i] > kLeastLowering)
                lowerings.push_back({cells[i], highest[i]});
        return lowerings;
    }

    /// What has to be lowered above what was lowered.
    [[nodiscard]] std::vector<Lowering> lowerings_above(const std::vector<Lowering>& lowered) {
        const Cells cells = steep_above(lowered);
        return parallel_concat<Lowering>(
            0, std::ssize(cells), kListedPerTask, [&](std::int64_t first, std::int64_t last) {
                return lowerings_of(std::span(cells).subspan(at(first), at(last - first)));
            });
    }

    /// Neighbours that may stand too high above what was lowered, each once.
    [[nodiscard]] Cells steep_above(const std::vector<Lowering>& lowered) {
        Cells cells = parallel_concat<std::int32_t>(
            0, std::ssize(lowered), kListedPerTask, [&](std::int64_t first, std::int64_t last) {
                const std::size_t count = at(last - first);
                Cells below(count);
                for (std::size_t i = 0; i < count; ++i) below[i] = lowered[at(first) + i].cell;
                Cells found(8 * count);
                const std::int64_t found_count = in_lanes([&](auto lanes) {
                    return steep_above_in_lanes<lanes()>(ground_, below.data(),
                                                         static_cast<std::int64_t>(count), found.data());
                });
                found.resize(at(found_count));
                return found;
            });
        is_listed_.resize(at(elevation_.size()));
        std::size_t listed = 0;  // without branches, which would be guessed wrong
        for (const std::int32_t cell : cells) {
            std::uint8_t& is_listed = is_listed_[at(cell)];
            cells[listed] = cell;
            listed += (is_listed | roots_[cell]) == 0 ? 1 : 0;
            is_listed = 1;
        }
        for (const std::int32_t cell : cells) is_listed_[at(cell)] = 0;
        cells.resize(listed);
        return cells;
    }

    const Lattice& lattice_;
    const Field<std::uint8_t>& roots_;
    DiscontinuityGround ground_;
    Field<float>& elevation_;
    std::vector<std::uint8_t> is_listed_;
};

}  // namespace

std::int64_t wear_discontinuities(const Lattice& lattice, const Field<std::uint8_t>& roots,
                                  const ErosionLaw& law, const DiscontinuityInputs& inputs,
                                  Field<float>& elevation, Progress& progress) {
    DiscontinuityWearer wearer(lattice, roots, law, inputs, elevation);
    const std::int64_t rows_per_task =
        std::max<std::int64_t>(1, kCellsPerTask / std::max(1, lattice.grid.columns));
    return wearer.wear(parallel_concat<Lowering>(0, lattice.grid.rows, rows_per_task,
                                                 [&](std::int64_t first, std::int64_t last) {
                                                     return wearer.lowerings_in(first, last);
                                                 }),
                       progress);
}

}  // namespace thalweg
