// What a project does to droplets while they run: strokes, stages and parameters, each before a cycle.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/strokes.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// A stroke on a layer, or a stage, or other parameters of stage particles.
struct ParticleEdit {
    double cycle = 0.0;               // before which it is done
    std::string stage = "strokes";    // or that of `set`
    std::string layer = "elevation";  // of the stroke
    Stroke stroke = {};
    std::vector<std::string> set = {};  // "parameter=value"

    static void declare(Declaration<ParticleEdit>& declaration);
};

/// Throws Error::input unless an edit has what its stage takes, and nothing else.
void check_edit(const ParticleEdit& edit);

/// What Simulation::edit takes of it.
ValueTable values_of(const ParticleEdit& edit);

}  // namespace thalweg
