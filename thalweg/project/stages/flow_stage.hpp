// Stage `flow`: where water goes.
#pragma once

#include "thalweg/project/stages/drainage.hpp"

namespace thalweg {

struct FlowStageParameters {
    DrainageParameters drainage;
    bool condition = false;

    static void declare(Declaration<FlowStageParameters>& declaration);
};

}  // namespace thalweg
