// Routing as the stages `flow` and `rivers` share it: depressions, and where the sea takes the water.
#pragma once

#include "thalweg/flow/route.hpp"

#include <limits>

namespace thalweg {

struct DrainageParameters {
    FlowParameters flow = {};
    double sea_level = -std::numeric_limits<double>::infinity();  // m

    static void declare(Declaration<DrainageParameters>& declaration);
};

/// Declares `sea_level` of any parameter struct that has it.
template <class P>
void declare_sea_level(Declaration<P>& declaration) {
    declaration.number(
        "sea_level", &P::sea_level,
        {.unit = "m",
         .sentence = "Ground at or below this height is sea, where all water ends; -inf is no sea.",
         .maximum = 1e5,
         .infinity_allowed = true});
}

/// Cells where water leaves: the edges of the data, and all cells at or below `sea_level` (m).
Field<std::uint8_t> outlets(const Field<float>& elevation, double sea_level);

/// Routes water to the outlets by steepest descent among 8 neighbours.
FlowResult drain(const Field<float>& elevation, const DrainageParameters& parameters, Progress& progress);

}  // namespace thalweg
