// Stage `floors`: flat ground along rivers.
#pragma once

#include "thalweg/erosion/valley_floors.hpp"
#include "thalweg/project/parts/drainage.hpp"

namespace thalweg {

struct FloorsParameters {
    ValleyFloorParameters floors;
    NumberOrLayer incision_rate = {0.0, ""};  // m/yr; 0: what the stream power law says
    NumberOrLayer erodibility = {2e-5, ""};   // m^(1-2m)/yr
    NumberOrLayer rock_strength = {1.0, ""};
    DrainageParameters drainage;

    static void declare(Declaration<FloorsParameters>& declaration);
};

}  // namespace thalweg
