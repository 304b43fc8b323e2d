// Stage `erode`: a terrain after time under rivers, slopes and uplift.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/project/parts/landforms.hpp"
#include "thalweg/project/stage.hpp"

#include <limits>
#include <string>
#include <vector>

namespace thalweg {

struct ErodeParameters {
    ErosionParameters erosion;
    NumberOrLayer uplift = {1e-3, ""};       // m/yr
    NumberOrLayer erodibility = {2e-5, ""};  // m^(1-2m)/yr
    NumberOrLayer precipitation_factor = {1.0, ""};
    NumberOrLayer boundary;                                       // 0: the edges of the data
    double sea_level = -std::numeric_limits<double>::infinity();  // m
    std::vector<DrainageSource> sources;
    std::vector<DrawnRiver> rivers;
    std::string rivers_file;
    LandformParameters landforms = {};

    static void declare(Declaration<ErodeParameters>& declaration);
};

Stage erode_stage();

}  // namespace thalweg
