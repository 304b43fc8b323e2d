// Stage `flow`: where water goes.
#pragma once

#include "thalweg/flow/route.hpp"

namespace thalweg {

struct FlowStageParameters {
    FlowParameters flow;
    bool condition = false;

    static void declare(Declaration<FlowStageParameters>& declaration);
};

}  // namespace thalweg
