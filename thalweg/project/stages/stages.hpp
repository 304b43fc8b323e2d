// The stages of this program, one function for each; stage_registry() lists them in order.
#pragma once

#include "thalweg/project/stage.hpp"

namespace thalweg {

Stage import_stage();

}  // namespace thalweg
