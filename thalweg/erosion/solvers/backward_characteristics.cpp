// The jumps are those of Myers 1983: An applicative random-access stack (Information Processing Letters 17).
#include "thalweg/erosion/solvers/backward_characteristics.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/law/least_rise.hpp"
#include "thalweg/erosion/law/thermal_law.hpp"
#include "thalweg/erosion/law/travel_time.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace thalweg {
namespace {

constexpr std::uint32_t kLeastRiver = 64;  // cells upstream from which nodes have jumps (empirical)
constexpr std::uint8_t kRiver = 16;        // bit of such a node
constexpr std::uint8_t kBeyond = 32;       // bit of a node whose signal comes from beyond the root
constexpr std::uint8_t kDirection = 15;    // bits that hold the direction

constexpr std::int64_t kAhead = 12;  // cells ahead for which memory is asked (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 14;
constexpr std::int64_t kCellsPerPoll = 1 << 16;

}  // namespace

/// One call: the solver's memory and what it works on.
class BackwardCharacteristics::Call {
  public:
    Call(BackwardCharacteristics& memory, const TransientProblem& problem, Field<float>& elevation)
        : links_(memory.links_.data()),
          jumps_(memory.jumps_.get()),
          node_bits_(memory.node_bits_.data()),
          beyond_(memory.beyond_.get()),
          tree_(problem.tree),
          order_(problem.tree.order.data()),
          law_(problem.law),
          thermal_(problem.law),
          most_slope_(thermal_.rate() > 0.0F ? thermal_.critical_slope()
                                             : std::numeric_limits<float>::infinity()),
          inputs_(problem.inputs),
          floor_depth_(problem.inputs.floor_depth()),
          time_(std::min(float_years(problem.time), kLongestTime)),
          initial_(problem.initial.data()),
          elevation_(elevation.data()),
          steps_(index_steps(problem.tree.grid.columns)) {}

    /// Writes what a visit needs of the cells [first, last).
    void prepare(std::int64_t first, std::int64_t last) const {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const std::uint8_t river = tree_.upstream_cells.data()[cell] >= kLeastRiver ? kRiver : 0;
            node_bits_[cell] = static_cast<std::uint8_t>(tree_.direction.data()[cell] | river);
        }
        const float* const uplift = inputs_.uplift.data();
        const float* const celerity = inputs_.celerity.data();
        for (std::int64_t cell = first; cell < last; ++cell) {
            const float length = inputs_.length.data()[cell];
            const float years = years_up_link(length, celerity[cell]);
            links_[cell] = {years, uplift[cell] * years, initial_[cell], length};
        }
    }

    /// Solves entries [first, last) of the order, whose receivers have been solved or are among them.
    void solve(std::int64_t first, std::int64_t last, const Progress& progress) const {
        for (std::int64_t i = first; i < last; ++i) {
            if (i % kCellsPerPoll == 0) progress.poll();
            if (i + kAhead < last) prefetch(order_[i + kAhead]);
            visit(order_[i]);
        }
    }

    /// Writes the elevations of the cells [first, last).
    void finish(std::int64_t first, std::int64_t last) const {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const Link& link = links_[cell];
            const float before = initial_[cell];
            const std::uint8_t direction = tree_.direction.data()[cell];
            // Erosion never builds up: ground that lies under a lake only rises with the rock. A shallow one
            // is filled up and tilted, so that it drains.
            const float depth = link.lake - before;
            // A factor, for a branch would be guessed wrong: half of all noise lies under lakes.
            const int is_shallow = ((depth > 0.0F) & (depth <= inputs_.filled_depth)) ? 1 : 0;
            const float filled = static_cast<float>(is_shallow) * (depth + kMostTilt);
            const float risen = before + inputs_.uplift.data()[cell] * time_ + filled;
            const float solved = direction < kRoot ? std::min(link.surface, risen) : link.surface;
            elevation_[cell] = direction <= kRoot ? solved : before;
        }
    }

  private:
    void prefetch(std::int32_t cell) const {
        __builtin_prefetch(links_ + cell, 1);
        __builtin_prefetch(node_bits_ + cell);
        __builtin_prefetch(jumps_ + cell, 1);
        __builtin_prefetch(beyond_ + cell, 1);
    }

    [[gnu::always_inline]] void visit(std::int32_t cell) const {
        const std::uint8_t bits = node_bits_[cell];
        if ((bits & kDirection) >= kRoot) return begin_at_root(cell);
        const std::int32_t receiver = cell + steps_[bits & 7];
        const Link& below = links_[receiver];
        const Link prepared = links_[cell];
        if (prepared.lake + floor_depth_ < below.lake) return begin_at_floor(cell, below);
        const float length = prepared.surface;
        const float lake = std::max(prepared.lake, below.lake);
        const float drop = below.lake - lake;
        Link link = {prepared.years, drop + prepared.change, lake, 0.0F};
        float surface = lake + change_above(cell, link, receiver);
        // Thermal erosion sets in where the slope without it is too steep.
        if (surface - below.surface > most_slope_ * length) {
            const LocalLaw sliding =
                thermal_.sliding(prepared.change / prepared.years, length / prepared.years);
            link.years = years_up_link(length, sliding.celerity);
            link.change = drop + sliding.uplift * link.years;
            surface = lake + change_above(cell, link, receiver);
        }
        link.surface = std::max(surface, least_above(below.surface, length));
        links_[cell] = link;
        if ((bits & kRiver) != 0) jumps_[cell] = jump_over(link, receiver);
    }

    void begin_at_root(std::int32_t cell) const {
        const float level = initial_[cell];
        // Beyond the root the ground goes on at the base slope, further than any signal comes from.
        const float fall =
            time_ * (inputs_.root_fall.empty() ? static_cast<float>(law_.fall(inputs_.celerity.data()[cell]))
                                               : inputs_.root_fall.data()[cell]);
        begin_path(cell, level, -fall);
    }

    /// At the floor of a closed basin, which lies below its receiver: it rises with the rock until the
    /// receiver has come down to it, then follows.
    void begin_at_floor(std::int32_t cell, const Link& below) const {
        const Link link = links_[cell];
        const float level = link.lake;
        const float length = link.surface;
        const float uplift = link.change / link.years;
        float surface = std::min(level + uplift * time_, following(below, link.years, link.change));
        if (surface - below.surface > most_slope_ * length) {
            const LocalLaw sliding = thermal_.sliding(uplift, length / link.years);
            const float years = years_up_link(length, sliding.celerity);
            surface = std::min(level + uplift * time_, following(below, years, sliding.uplift * years));
        }
        begin_path(cell, level, surface - level);
    }

    /// The elevation that reaches the upper end of a link of `years` and `change` [m] from a receiver whose
    /// own changes steadily; without bounds where none does within the time, m.
    [[nodiscard]] float following(const Link& below, float years, float change) const {
        if (time_ <= years) return std::numeric_limits<float>::infinity();
        return below.lake + (below.surface - below.lake) * ((time_ - years) / time_) + change;
    }

    /// At a cell that every path above it begins at, whose level changes by `change` [m].
    void begin_path(std::int32_t cell, float level, float change) const {
        links_[cell] = {2.0F * time_, 2.0F * change, level, level + change};
        beyond_[cell] = {static_cast<double>(time_), static_cast<double>(change), change / time_};
        node_bits_[cell] |= kBeyond;
        jumps_[cell] = {cell, 0, std::numeric_limits<float>::infinity(), 0.0F};
    }

    /// By how much the elevation of a signal changes that reaches the upper end of `link` after the time, m.
    [[gnu::always_inline]] float change_above(std::int32_t cell, const Link& link,
                                              std::int32_t receiver) const {
        if (time_ <= link.years) return link.change * (time_ / link.years);
        if ((node_bits_[receiver] & kBeyond) != 0) {
            // The signal comes from there too, unless the link takes it all the time that was left.
            const Beyond below = beyond_[receiver];
            const double years = below.years - static_cast<double>(link.years);
            if (years >= 0.0) {
                const double change =
                    below.change + static_cast<double>(link.change - link.years * below.rate);
                beyond_[cell] = {years, change, below.rate};
                node_bits_[cell] |= kBeyond;
                return static_cast<float>(change);
            }
        }
        return link.change + change_within(time_ - link.years, receiver);
    }

    /// The same in the last `years` before it reaches the node of `cell`.
    [[gnu::noinline]] float change_within(float years, std::int32_t cell) const {
        float change = 0.0F;
        const Link* link = links_ + cell;
        while (years > link->years) {
            const std::uint8_t bits = node_bits_[cell];
            if ((bits & kRiver) != 0 && years > jumps_[cell].years) {
                const Jump& jump = jumps_[cell];
                years -= jump.years;
                change += jump.change;
                cell = jump.cell;
            } else {
                years -= link->years;
                change += link->change;
                cell += steps_[bits & 7];
            }
            link = links_ + cell;
        }
        return change + link->change * (years / link->years);
    }

    /// Over one link, or where the two jumps behind it are equally long, over these too: then any number of
    /// links is passed in a number of jumps that grows with its logarithm.
    Jump jump_over(const Link& link, std::int32_t receiver) const {
        const Jump& first = jumps_[receiver];
        const Jump& second = jumps_[first.cell];
        if (first.links == 0 || first.links != second.links) return {receiver, 1, link.years, link.change};
        return {second.cell, 1 + first.links + second.links, link.years + first.years + second.years,
                link.change + first.change + second.change};
    }

    Link* links_;
    Jump* jumps_;
    std::uint8_t* node_bits_;
    Beyond* beyond_;
    const FlowTree& tree_;
    const std::int32_t* order_;
    const ErosionLaw& law_;
    ThermalLaw thermal_;
    float most_slope_;  // m/m, above which slopes slide
    PathInputs inputs_;
    float floor_depth_;  // m
    float time_;         // yr
    const float* initial_;
    float* elevation_;
    std::array<std::int32_t, 8> steps_;
};

void BackwardCharacteristics::solve(const TransientProblem& problem, Field<float>& elevation,
                                    Progress& progress) {
    const std::int64_t cells = problem.tree.grid.cells();
    if (static_cast<std::int64_t>(links_.size()) != cells) {
        links_.resize(at(cells));
        node_bits_.resize(at(cells));
        jumps_ = std::make_unique_for_overwrite<Jump[]>(at(cells));
        beyond_ = std::make_unique_for_overwrite<Beyond[]>(at(cells));
    }
    const Call call(*this, problem, elevation);
    parallel_for(0, cells, kCellsPerTask,
                 [&](std::int64_t first, std::int64_t last) { call.prepare(first, last); });
    const std::vector<std::int64_t>& starts = problem.tree.run_starts;
    call.solve(0, starts.front(), progress);
    // One run after the other: in turns, a processor would guess fewer branches right.
    parallel_for(0, static_cast<std::int64_t>(starts.size()) - 1, 1,
                 [&](std::int64_t first, std::int64_t last) {
                     for (std::int64_t run = first; run < last; ++run) {
                         progress.poll();
                         call.solve(starts[at(run)], starts[at(run + 1)], progress);
                     }
                 });
    parallel_for(0, cells, kCellsPerTask,
                 [&](std::int64_t first, std::int64_t last) { call.finish(first, last); });
}

}  // namespace thalweg
