#include "thalweg/grid/limits.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/summary.hpp"

#include <cmath>

#include <fmt/format.h>

namespace thalweg {

void check_elevation(const Field<float>& elevation, const std::string& name) {
    const FieldSummary summary = summary_of(elevation);
    for (const double extreme : {summary.minimum, summary.maximum})
        if (std::abs(extreme) > kMostElevation)
            throw Error::input(fmt::format("{} holds an elevation of {:.6g} m: give {:g} to {:g} m", name,
                                           extreme, -kMostElevation, kMostElevation));
}

}  // namespace thalweg
