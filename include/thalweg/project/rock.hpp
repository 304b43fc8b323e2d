// Rock: the dataset that says what rock a landscape is made of.
#pragma once

#include "thalweg/project/landscape.hpp"
#include "thalweg/rock/rock_body.hpp"

#include <cstdint>

namespace thalweg {

/// A body of rock, for every stage that asks what lies at a surface. RockBody(rock.parameters, rock.seed,
/// rock.maps) evaluates it.
///
/// Example:
///     if (const Rock* rock = landscape.find<Rock>("rock")) {
///         const RockBody body(rock->parameters, rock->seed, rock->maps);
///         const RockColumns columns = body.columns(landscape.grid, progress);
///     }
struct Rock {
    RockParameters parameters;
    std::uint64_t seed = 0;
    RockMaps maps = {};
    double erodibility = 2e-5;  // m^(1-2m)/yr, of ordinary rock, whose factor is 1
};

}  // namespace thalweg
