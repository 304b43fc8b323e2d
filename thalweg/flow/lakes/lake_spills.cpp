#include "thalweg/flow/lakes/lake_spills.hpp"

#include "thalweg/core/index.hpp"

#include <utility>

namespace thalweg {
namespace {

/// Turns the spills between basins under one lake so that they lead to `last`, whose own is left empty.
void lead_to(std::int32_t last, const std::vector<std::int32_t>& standing_over, std::vector<Spill>& spills) {
    const std::int32_t lake = standing_over[at(last)];
    Spill turned;
    std::int32_t basin = last;
    for (;;) {
        const Spill spill = std::exchange(spills[at(basin)], turned);
        if (spill.into <= kDrained || standing_over[at(spill.into)] != lake) return;
        turned = {basin, spill.to, spill.from, spill.saddle};
        basin = spill.into;
    }
}

}  // namespace

SpillTree spills_through(const Lakes& lakes, const Basins& basins, const DepressionHierarchy& hierarchy,
                         const SpillTree& tree) {
    SpillTree through = tree;
    std::vector<std::uint8_t> is_led(hierarchy.depressions.size(), 0);
    for (std::int32_t basin = 1; basin < basins.count(); ++basin) {
        const std::int32_t depression = lakes.standing_over[at(basin)];
        if (depression == kNoDepression) through.spills[at(basin)] = {};
        if (depression == kNoDepression || std::exchange(is_led[at(depression)], std::uint8_t{1}) != 0)
            continue;
        const Depression& of = hierarchy.depressions[at(depression)];
        const bool spills = lakes.is_full[at(depression)] != 0;
        const std::int32_t last = basins.of_cell[at(spills ? of.spill_from : of.pit)];
        lead_to(last, lakes.standing_over, through.spills);
        if (spills)
            through.spills[at(last)] = {of.spills_into, of.spill_from, of.spill_to, of.spill_elevation};
    }
    return through;
}

}  // namespace thalweg
