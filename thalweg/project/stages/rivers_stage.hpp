// Stage `rivers`: the river network.
#pragma once

#include "thalweg/flow/route.hpp"
#include "thalweg/river/extract.hpp"

namespace thalweg {

struct RiversParameters {
    NetworkParameters network;
    FlowParameters flow;

    static void declare(Declaration<RiversParameters>& declaration);
};

}  // namespace thalweg
