#include "thalweg/erosion/cliffs.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/least_rise.hpp"
#include "thalweg/erosion/steep_cells.hpp"
#include "thalweg/erosion/thermal_law.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

using Cells = std::vector<std::int32_t>;

constexpr int kMostRounds = 64;          // of wearing; what is lowered moves on by one cell in each
constexpr float kLeastLowering = 1e-3F;  // m, less is left (empirical)
constexpr float kLookedAt = 0.98F;       // m/m, what rises less over a link is left (empirical)
constexpr float kLongestLink = 3.0F;     // cells, more than any of a mesh
constexpr int kMostAims = 3;  // of a descent that turns as its cell is lowered; it settles fast (empirical)
constexpr std::size_t kClockwise = 1;  // turns by 45 degrees, modulo 8
constexpr std::size_t kAnticlockwise = 7;
constexpr std::int64_t kListedPerTask = 1 << 10;
constexpr std::int64_t kCellsPerTask = 1 << 15;

struct Lowering {
    std::int32_t cell;
    float elevation;  // m, to which it is lowered
};

/// A linked neighbour as seen from a cell.
struct Neighbour {
    std::int64_t cell;
    Link way;
    float square_distance;  // m^2
    bool is_steep;          // whether the cell stands steeply above it
};

/// Where a signal to a cell starts from.
struct Origin {
    float now;       // elevation, m
    float then;      // at the beginning of the time, m
    float distance;  // from the cell, m
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
        const std::uint8_t* const marks = steep.data();
        const auto next_mark = [&](const std::uint8_t* from) {
            return static_cast<const std::uint8_t*>(std::memchr(from, 1, at(marks + steep.size() - from)));
        };
        for (const std::uint8_t* mark = next_mark(marks); mark != nullptr; mark = next_mark(mark + 1))
            add_if_too_high(static_cast<std::int32_t>(begin + (mark - marks)), found);
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

    [[nodiscard]] std::uint8_t links_of(std::int64_t cell) const {
        const std::int32_t columns = lattice_.grid.columns;
        const std::int32_t row = static_cast<std::int32_t>(cell) / columns;
        return lattice_.links_inside(static_cast<std::int32_t>(cell) - row * columns, row);
    }

    template <class Body>
    void for_links(std::int64_t cell, std::uint8_t links, const Body& body) const {
        for (unsigned left = links; left != 0; left &= left - 1) {
            const std::size_t d = at(std::countr_zero(left));
            body(cell + steps_[d], d);
        }
    }

    /// Of `links`, those that fall steeply from the cell (`side` 1) or to it (-1); all of them at the edge of
    /// the grid. Without branches between links, for they would be guessed wrong.
    [[nodiscard]] std::uint8_t steep_of(std::uint8_t links, std::int64_t cell, float side) const {
        if (lattice_.grid.on_edge(lattice_.grid.column_of(cell), lattice_.grid.row_of(cell))) return links;
        unsigned steep = 0;
        for (std::size_t d = 0; d < 8; ++d) {
            const std::int64_t other = cell + steps_[d];
            const float drop = side * (elevation_[cell] - elevation_[other]);
            steep |= static_cast<unsigned>(is_steep(drop, square_length(lattice_.link(cell, other, d)))) << d;
        }
        return static_cast<std::uint8_t>(links & steep);
    }

    /// Of a drop, m, over a squared distance, m^2.
    [[nodiscard]] static bool is_steep(float drop, float square) {
        return (drop > 0.0F) & (drop * drop >= kLookedAt * kLookedAt * square);
    }

    /// Neighbours that stand too high above what was lowered, each once.
    [[nodiscard]] Cells too_high_above(const std::vector<Lowering>& lowerings) {
        const auto add_neighbours = [&](std::int64_t i, Cells& found) {
            const std::int32_t lowered = lowerings[at(i)].cell;
            std::uint8_t links = links_of(lowered);
            if (is_steady()) links = steep_of(links, lowered, -1.0F);
            for_links(lowered, links, [&](std::int64_t neighbour, std::size_t d) {
                const std::size_t back = at(opposite(static_cast<int>(d)));
                if (is_too_high(neighbour, highest_above(neighbour, back)))
                    found.push_back(static_cast<std::int32_t>(neighbour));
            });
        };
        Cells cells = parallel_gather<std::int32_t>(0, static_cast<std::int64_t>(lowerings.size()),
                                                    kListedPerTask, add_neighbours);
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
        std::array<Neighbour, 8> ring;
        std::size_t count = 0;
        float highest = elevation_[cell];
        std::uint8_t links = links_of(cell);
        if (is_steady()) links = steep_of(links, cell, 1.0F);
        for_links(cell, links, [&](std::int64_t, std::size_t d) {
            ring[count] = look_at(cell, d);
            highest = std::min(highest, highest_above_node(cell, ring[count++]));
        });
        if (is_steady()) return highest;
        float before = elevation_[cell] + 2.0F * kLeastLowering;
        // The steepest descent turns as the cell is lowered.
        for (int aim = 0; aim < kMostAims && before - highest > kLeastLowering; ++aim) {
            before = highest;
            for (std::size_t i = 0; i < count; ++i)
                highest = highest_between(cell, ring[i], ring[i + 1 < count ? i + 1 : 0], highest);
        }
        return highest;
    }

    /// The same above one neighbour, in direction d, and the ground on both sides of it.
    [[nodiscard]] float highest_above(std::int64_t cell, std::size_t d) const {
        const float own = elevation_[cell];
        if (!(own > elevation_[cell + steps_[d]])) return own;
        const Neighbour below = look_at(cell, d);
        float highest = std::min(own, highest_above_node(cell, below));
        if (is_steady() || highest < own) return highest;
        const std::uint8_t links = links_of(cell);
        highest = highest_between(cell, below, look_at(cell, next_link(links, d, kClockwise)), highest);
        return highest_between(cell, look_at(cell, next_link(links, d, kAnticlockwise)), below, highest);
    }

    /// The link that follows the one in direction d when one turns by steps of 45 degrees.
    [[nodiscard]] static std::size_t next_link(std::uint8_t links, std::size_t d, std::size_t turn) {
        std::size_t next = (d + turn) % 8;
        while ((links >> next & 1) == 0) next = (next + turn) % 8;
        return next;
    }

    [[nodiscard]] Neighbour look_at(std::int64_t cell, std::size_t d) const {
        const std::int64_t other = cell + steps_[d];
        const Link way = lattice_.link(cell, other, d);
        const float square = square_length(way);
        const float drop = elevation_[cell] - elevation_[other];
        return {other, way, square, is_steep(drop, square)};
    }

    [[nodiscard]] float square_length(const Link& way) const {  // m^2
        return (way.x * way.x + way.y * way.y) * cell_size_ * cell_size_;
    }

    /// The highest above the ground between two neighbours, a and then b clockwise, of a cell that stands no
    /// higher than `highest`, m.
    [[nodiscard]] float highest_between(std::int64_t cell, const Neighbour& a, const Neighbour& b,
                                        float highest) const {
        if (!a.is_steep && !b.is_steep) return highest;
        const std::optional<Origin> origin = origin_between(a, b, highest);
        return origin ? std::min(highest, highest_after(cell, *origin)) : highest;
    }

    [[nodiscard]] float highest_above_node(std::int64_t cell, const Neighbour& below) const {
        if (!below.is_steep) return elevation_[cell];
        const float now = elevation_[below.cell];
        const float distance = std::sqrt(below.square_distance);
        return is_steady() ? now + slope_at_steady_state(cell) * distance
                           : highest_after(cell, {now, (*inputs_.initial)[below.cell], distance});
    }

    /// Where the steepest descent from a cell at `height` m crosses the line between two neighbours; nothing
    /// where it does not, or leads upwards.
    [[nodiscard]] std::optional<Origin> origin_between(const Neighbour& a, const Neighbour& b,
                                                       float height) const {
        const float at_a = elevation_[a.cell], at_b = elevation_[b.cell];
        const float drop_a = height - at_a, drop_b = height - at_b;
        // Twice the triangle's area times the descent, whose sign decides on either side of it.
        const float area = a.way.x * b.way.y - b.way.x * a.way.y;
        const float down_x = drop_a * b.way.y - drop_b * a.way.y;
        const float down_y = a.way.x * drop_b - b.way.x * drop_a;
        const float from_a = a.way.x * down_y - a.way.y * down_x;
        const float from_b = down_x * b.way.y - down_y * b.way.x;
        const bool is_below = drop_a > 0.0F && drop_b > 0.0F;
        if (!(is_below && area > 0.0F && from_a > 0.0F && from_b > 0.0F)) return std::nullopt;
        const float share = from_a / (from_a + from_b);
        const Link way = {std::lerp(a.way.x, b.way.x, share), std::lerp(a.way.y, b.way.y, share)};
        const Field<float>& initial = *inputs_.initial;
        return Origin{at_a + share * (at_b - at_a),
                      initial[a.cell] + share * (initial[b.cell] - initial[a.cell]),
                      std::sqrt(square_length(way))};
    }

    [[nodiscard]] bool is_steady() const { return std::isinf(inputs_.time); }

    [[nodiscard]] float slope_at_steady_state(std::int64_t cell) const {
        const LocalLaw local = thermal_.at_steady_state(inputs_.uplift[at(cell)], inputs_.celerity[at(cell)]);
        return std::max(local.uplift / local.celerity, kLeastSlope);
    }

    /// What the law lets stand above `origin` after the time, m.
    [[nodiscard]] float highest_after(std::int64_t cell, const Origin& origin) const {
        const float uplift = inputs_.uplift[at(cell)];
        const float celerity = inputs_.celerity[at(cell)];
        const float height = after(cell, origin, {uplift, celerity});
        return thermal_.slides((height - origin.now) / origin.distance)
                   ? after(cell, origin, thermal_.sliding(uplift, celerity))
                   : height;
    }

    [[nodiscard]] float after(std::int64_t cell, const Origin& origin, LocalLaw law) const {
        const float time = static_cast<float>(inputs_.time);
        const float way_time = origin.distance / law.celerity;  // yr
        if (way_time <= time) {
            const float then = origin.now + (origin.then - origin.now) * (way_time / time);
            return std::max(then, origin.now) + law.uplift * way_time;
        }
        const float share = 1.0F - time / way_time;
        return origin.then + share * ((*inputs_.initial)[cell] - origin.then) + law.uplift * time;
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
