// Formation: a kind of rock that a map shows in one colour.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// One formation of a stratigraphic column.
struct Formation {
    std::string name = "";            // each formation has one of its own
    double thickness = 300.0;         // m, in the mean
    double erodibility_factor = 1.0;  // 1, on the erodibility of ordinary rock; 2: rivers cut twice as fast
    double critical_slope = 0.7;      // m/m, beyond which its slopes fail
    std::string colour = "#b0a090";   // of maps and cut sides: "#rrggbb"

    static void declare(Declaration<Formation>& declaration);
};

/// The most formations that a body may have: cells hold their numbers in 8 bits.
inline constexpr std::size_t kMostFormations = 64;

/// Throws Error::input that names the formation and what is wrong: a name that is empty or given twice, a
/// thickness, factor or slope that is not positive and finite, a colour that is none, or more than
/// kMostFormations.
///
/// Example:
///     const std::vector<Formation> column = {{.name = "limestone", .thickness = 400.0,
///                                             .erodibility_factor = 0.5, .critical_slope = 1.2},
///                                            {.name = "marl", .thickness = 250.0,
///                                             .erodibility_factor = 2.5}};
///     check_formations(column);
void check_formations(const std::vector<Formation>& formations);

}  // namespace thalweg
