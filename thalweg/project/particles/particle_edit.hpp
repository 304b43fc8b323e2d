// What a project does to droplets while they run: strokes, stages and parameters, each before a cycle.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/strokes.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

inline constexpr const char* kParticles = "particles";  // the stage, and the edit of its parameters

/// A stroke on a layer, or a stage, or other parameters of stage particles.
struct ParticleEdit {
    std::int64_t cycle = 0;           // before which it is done
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

/// Whether it gives a parameter of stage particles, or changes a layer.
bool sets(const ParticleEdit& edit, const std::string& parameter);
bool changes_layer(const ParticleEdit& edit, const std::string& layer);

/// Throws Error::input for a parameter that says how droplets begin or end, or what is kept, which no edit
/// can change any more.
void check_particle_change(const ValueTable& values);

}  // namespace thalweg
