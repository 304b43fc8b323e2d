// What pictures of one terrain at many times have in common.
#pragma once

#include "thalweg/render/value_range.hpp"

namespace thalweg {

/// Heights and slopes that decide colours, exaggeration and camera in place of the terrain's own, so that
/// pictures of a terrain at many times can be compared, and follow one another without a jump.
struct CommonScale {
    ValueRange heights;                     // m, of all pictures
    const Field<float>* terrain = nullptr;  // m, one of them, with the slopes that are typical
};

}  // namespace thalweg
