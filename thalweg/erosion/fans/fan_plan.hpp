// Where fans begin and what comes to each, found on cells of like size whatever those of the terrain.
#pragma once

#include "thalweg/erosion/fans.hpp"

#include <vector>

namespace thalweg {

struct FanPlan {
    std::vector<FanApex> apexes;   // the largest first, with the shares that come to rest
    std::vector<double> demanded;  // m^3, of sediment that comes to each
};

/// Finds apexes, their sediment and how much of it rests on the terrain averaged to cells of 62 to 125 m,
/// over which water is routed anew; smaller ones where fans of less than 0.4 km^2 are asked for, and those of
/// the terrain where these are larger. Each apex is then put on the terrain's river near by that drains most
/// nearly as much. O(cells).
FanPlan plan_fans(const FanInputs& inputs, const FanParameters& parameters, Progress& progress);

}  // namespace thalweg
