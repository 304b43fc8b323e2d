// Stage `rivers`: the river network.
#pragma once

#include "thalweg/project/stages/drainage.hpp"
#include "thalweg/river/extract.hpp"

namespace thalweg {

struct RiversParameters {
    NetworkParameters network;
    DrainageParameters drainage;

    static void declare(Declaration<RiversParameters>& declaration);
};

}  // namespace thalweg
