// Stage `rivers`: the river network.
#pragma once

#include "thalweg/project/stages/drainage.hpp"
#include "thalweg/river/extract.hpp"

#include <string>

namespace thalweg {

struct RiversParameters {
    NetworkParameters network;
    DrainageParameters drainage;
    std::string springs_file;
    std::string drawn_file;  // lines that become reaches; empty: none

    static void declare(Declaration<RiversParameters>& declaration);
};

}  // namespace thalweg
