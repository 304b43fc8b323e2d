// What a body of rock is made of, in few figures.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/rock/formation.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// A kind of country, from which every parameter that is left out is taken.
enum class RockPreset { Alpine, TableLand, FoldBelt, Volcanic, Badlands, Shield };

/// Of RockParameters: by the preset, or, for the strike, by the seed.
inline constexpr double kByPreset = -1.0;

/// Parameters of RockBody. All lengths are metres, whatever the cell size; kByPreset leaves one out.
struct RockParameters {
    RockPreset preset = RockPreset::Alpine;
    std::vector<Formation> formations = {};  // from the top down, one above the other; empty: by the preset
    double strike = kByPreset;               // degrees clockwise from north, along which beds run level
    double dip = kByPreset;                  // degrees below the horizon, to the right of the strike
    double bed_thickness = kByPreset;        // m, of the beds within formations; 0: none
    double bed_contrast = kByPreset;         // 1, standard deviation of ln k between beds
    double fold_height = kByPreset;          // m, from trough to crest; 0: no folds
    double fold_length = kByPreset;          // m, from crest to crest
    double fault_spacing = kByPreset;        // m; 0: no faults
    double fault_throw = kByPreset;          // m, standard deviation of the blocks' heights
    double joint_spacing = kByPreset;        // m; 0: no joints
    double joint_strength = kByPreset;       // 1, ln k that the weakest joint adds
    double heterogeneity = kByPreset;        // 1, standard deviation of ln k within a formation
    double pluton_share = kByPreset;         // 1, of the ground that plutons underlie
    double dyke_spacing = kByPreset;         // m; 0: no dykes
    double cover = kByPreset;                // m, mean thickness of level sediment above; 0: none
    double unconformity = 0.0;        // m, below `top`, of the old land on which the column lies; 0: none
    double unconformity_tilt = 25.0;  // degrees, by which older beds fall more than those on them
    double top = 0.0;                 // m, height at which the column begins, where rock is not folded

    static void declare(Declaration<RockParameters>& declaration);
};

/// Throws Error::input as check_formations does, for a number between kByPreset and 0, and for folds that
/// have a height and no length.
void check_rock(const RockParameters& parameters);

/// The parameters with everything left out filled in by the preset; the strike by `seed`.
///
/// Example:
///     const RockParameters belt = resolved({.preset = RockPreset::FoldBelt, .dip = 30.0}, seed);
RockParameters resolved(RockParameters parameters, std::uint64_t seed);

}  // namespace thalweg
