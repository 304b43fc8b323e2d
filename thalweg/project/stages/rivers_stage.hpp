// Stage `rivers`: the river network.
#pragma once

#include "thalweg/flow/knickpoints.hpp"
#include "thalweg/project/parts/drainage.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/river/extract.hpp"

#include <string>

namespace thalweg {

struct RiversParameters {
    NetworkParameters network;
    DrainageParameters drainage;
    KnickpointParameters knickpoints = {};
    double profile_smoothing = 0.0;  // m, over which long profiles are smoothed
    std::string springs_file;
    std::string drawn_file;  // lines that become reaches; empty: none

    static void declare(Declaration<RiversParameters>& declaration);
};

Stage rivers_stage();

}  // namespace thalweg
