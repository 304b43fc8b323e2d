#include "thalweg/flow/depression_hierarchy.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/flow/graph/ordered_bits.hpp"

#include <algorithm>
#include <cmath>
#include <compare>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 16;
constexpr std::int64_t kLinksPerPoll = 1 << 16;

/// A link of the spill tree in the order in which rising water takes it. No two are equal.
struct RankedLink {
    std::uint32_t saddle;      // its height, ordered_bits
    std::uint32_t gentleness;  // ~ordered_bits of its steepness
    std::int32_t first;        // the first of its cells by rows
    std::int32_t basin;        // that spills over it

    friend auto operator<=>(const RankedLink&, const RankedLink&) = default;
};

RankedLink ranked(const Spill& spill, std::int32_t basin, const Field<float>& elevation,
                  const Lattice& lattice) {
    const std::uint8_t d = direction_between(lattice.grid, spill.from, spill.to);
    const float drop = std::abs(elevation[spill.from] - elevation[spill.to]);
    const float steepness = drop / lattice.link(spill.from, spill.to, d).length();
    return {ordered_bits(spill.saddle), ~ordered_bits(steepness), std::min(spill.from, spill.to), basin};
}

/// Joins basins to depressions, from the lowest saddle up.
class DepressionJoiner {
  public:
    DepressionJoiner(const Field<float>& elevation, const Basins& basins)
        : elevation_(elevation), set_(at(basins.count())), top_(at(basins.count())) {
        depressions_.reserve(2 * at(basins.count()));
        depressions_.resize(at(basins.count()));
        for (std::size_t i = 0; i < set_.size(); ++i) set_[i] = top_[i] = static_cast<std::int32_t>(i);
        for (std::size_t i = 0; i < basins.pits.size(); ++i) depressions_[i + 1].pit = basins.pits[i];
    }

    void join(std::int32_t basin, const Spill& spill) {
        const std::int32_t one = set_of(basin), other = set_of(spill.into);
        const std::int32_t upper = top_[at(one)], lower = top_[at(other)];
        set_spill(upper, spill.from, spill.to, spill.into, spill.saddle);
        set_[at(one)] = other;
        if (lower == kNoDepression) return;
        set_spill(lower, spill.to, spill.from, basin, spill.saddle);
        top_[at(other)] = parent_of(upper, lower);
    }

    std::vector<Depression> take() && { return std::move(depressions_); }

  private:
    std::int32_t set_of(std::int32_t basin) {
        while (set_[at(basin)] != basin) {
            set_[at(basin)] = set_[at(set_[at(basin)])];
            basin = set_[at(basin)];
        }
        return basin;
    }

    void set_spill(std::int32_t depression, std::int32_t from, std::int32_t to, std::int32_t into,
                   float elevation) {
        Depression& of = depressions_[at(depression)];
        of.spill_from = from;
        of.spill_to = to;
        of.spills_into = into;
        of.spill_elevation = elevation;
    }

    std::int32_t parent_of(std::int32_t one, std::int32_t other) {
        const auto parent = static_cast<std::int32_t>(depressions_.size());
        depressions_[at(one)].parent = depressions_[at(other)].parent = parent;
        const std::int32_t pit = depressions_[at(one)].pit, other_pit = depressions_[at(other)].pit;
        const bool is_lower = elevation_[pit] != elevation_[other_pit]
                                  ? elevation_[pit] < elevation_[other_pit]
                                  : pit < other_pit;
        Depression joined;
        joined.children = {one, other};
        joined.pit = is_lower ? pit : other_pit;
        depressions_.push_back(joined);
        return parent;
    }

    const Field<float>& elevation_;
    std::vector<Depression> depressions_;
    std::vector<std::int32_t> set_;  // per basin: another of its set, or itself
    std::vector<std::int32_t> top_;  // per set: the depression that it has become
};

std::vector<Depression> join_basins(const Field<float>& elevation, const Lattice& lattice,
                                    const Basins& basins, const SpillTree& tree, const Progress& progress) {
    std::vector<RankedLink> links;
    links.reserve(basins.pits.size());
    for (std::int32_t basin = 1; basin < basins.count(); ++basin)
        if (tree.spills[at(basin)].into != kNoBasin)
            links.push_back(ranked(tree.spills[at(basin)], basin, elevation, lattice));
    progress.poll();
    std::sort(links.begin(), links.end());
    DepressionJoiner joiner(elevation, basins);
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (i % kLinksPerPoll == 0) progress.poll();
        joiner.join(links[i].basin, tree.spills[at(links[i].basin)]);
    }
    return std::move(joiner).take();
}

/// Finds ancestors by their spill elevation, which never falls from child to parent. Each depression knows
/// one far ancestor besides its parent, so chosen that a search takes O(log ancestors) steps (Myers 1983,
/// Information Processing Letters 17, 241-244).
class AncestorSearch {
  public:
    explicit AncestorSearch(const std::vector<Depression>& depressions)
        : links_(depressions.size()), highest_(depressions.size()) {
        links_[0] = {std::numeric_limits<float>::infinity(), 0, 0, 0};
        for (std::size_t i = depressions.size() - 1; i > 0; --i) {
            const std::int32_t parent = depressions[i].parent;
            const Links& above = links_[at(parent)];
            const Links& far = links_[at(above.far)];
            const bool may_double = above.depth - far.depth == far.depth - links_[at(far.far)].depth;
            links_[i] = {depressions[i].spill_elevation, parent, may_double ? far.far : parent,
                         above.depth + 1};
            highest_[i] = parent == kNoDepression ? depressions[i].spill_elevation : highest_[at(parent)];
        }
    }

    /// The first of a basin and its ancestors that spills above `elevation`, or kNoDepression.
    [[nodiscard]] std::int32_t find(std::int32_t basin, float elevation) const {
        if (!(highest_[at(basin)] > elevation)) return kNoDepression;
        std::int32_t depression = basin;
        while (!(links_[at(depression)].spill_elevation > elevation)) {
            const Links& here = links_[at(depression)];
            depression = links_[at(here.far)].spill_elevation > elevation ? here.parent : here.far;
        }
        return depression;
    }

  private:
    struct Links {
        float spill_elevation;  // m
        std::int32_t parent;
        std::int32_t far;
        std::int32_t depth;  // ancestors
    };
    std::vector<Links> links_;
    std::vector<float> highest_;  // m, spill elevation of the last ancestor
};

std::vector<std::int32_t> flooded_by(const Field<float>& elevation, const Basins& basins,
                                     const std::vector<Depression>& depressions, const Progress& progress) {
    const AncestorSearch search(depressions);
    std::vector<std::int32_t> of_cell(at(elevation.size()));
    parallel_for(0, elevation.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        for (std::int64_t cell = first; cell < last; ++cell) {
            const std::int32_t basin = basins.of_cell[at(cell)];
            of_cell[at(cell)] = basin > kDrained ? search.find(basin, elevation[cell]) : kNoDepression;
        }
    });
    return of_cell;
}

/// Sums what each depression floods, from layer to layer: depths below a spill elevation are never taken as
/// differences of greater sums.
void measure(const Field<float>& elevation, DepressionHierarchy& hierarchy, const Progress& progress) {
    std::vector<Depression>& depressions = hierarchy.depressions;
    std::vector<double> depth(depressions.size(), 0.0);  // m, summed over cells
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
        if (cell % kCellsPerTask == 0) progress.poll();
        const std::int32_t depression = hierarchy.of_cell[at(cell)];
        if (depression == kNoDepression) continue;
        Depression& of = depressions[at(depression)];
        ++of.cells;
        depth[at(depression)] +=
            static_cast<double>(of.spill_elevation) - static_cast<double>(elevation[cell]);
    }
    const double cell_area = elevation.grid().cell_area();
    for (std::size_t i = 1; i < depressions.size(); ++i) {
        Depression& of = depressions[i];
        double below = 0.0;  // m^3
        for (const std::int32_t child : of.children) {
            if (child == kNoDepression) continue;
            const Depression& part = depressions[at(child)];
            of.cells += part.cells;
            below += part.volume;
            depth[i] += static_cast<double>(part.cells) *
                        (static_cast<double>(of.spill_elevation) - static_cast<double>(part.spill_elevation));
        }
        of.layer_volume = depth[i] * cell_area;
        of.volume = below + of.layer_volume;
    }
}

}  // namespace

DepressionHierarchy find_depressions(const Field<float>& elevation, const Lattice& lattice,
                                     const Basins& basins, const SpillTree& tree, Progress& progress) {
    DepressionHierarchy hierarchy;
    hierarchy.depressions = join_basins(elevation, lattice, basins, tree, progress);
    hierarchy.of_cell = flooded_by(elevation, basins, hierarchy.depressions, progress);
    measure(elevation, hierarchy, progress);
    return hierarchy;
}

}  // namespace thalweg
