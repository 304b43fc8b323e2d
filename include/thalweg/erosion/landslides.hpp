// Landslides: scars where ground is too steep, and the aprons of what came down.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

struct LandslideParameters {
    double landslides = 0.0;      // places tried, 1/km^2
    double failure_slope = 0.6;   // m/m over the length of a slide, from which it comes down
    double repose_slope = 0.25;   // m/m at which what came down rests
    double least_slide = 8e3;     // m^2 of a scar
    double most_slide = 4e5;      // m^2
    double slide_exponent = 2.1;  // of the frequency of areas, 1

    static void declare(Declaration<LandslideParameters>& declaration);
};

/// Throws Error::input for most_slide < least_slide.
void check_landslides(const LandslideParameters& parameters);

struct LandslideReport {
    std::int64_t tried = 0;           // places
    std::int64_t slides = 0;          // that came down
    double removed_volume = 0.0;      // m^3
    double deposited_volume = 0.0;    // m^3
    double carried_off_volume = 0.0;  // m^3, over the rim of the data: the rest, but for rounding
    double scar_area = 0.0;           // m^2, of all
};

struct LandslideResult {
    Field<float> elevation;  // m
    LandslideReport report;
};

/// Terrain after landslides, one after the other, each on what those before it have left.
///
/// Where: `landslides` places a square kilometre, drawn by a hash of seed and place, so that every cell size
/// has the same ones. A place slides where the ground falls by `failure_slope` or more, all the way from the
/// head to the toe of the scar. How large: areas A between `least_slide` and `most_slide` with
///   p(A) ~ A^-slide_exponent                 a truncated Pareto distribution
///   V = 0.186 A^1.35 [m^3]                   of bedrock: Larsen, Montgomery and Korup 2010 (Nature
///   Geoscience 3, 247)
/// A scar is an uneven ellipse twice as long as wide, spoon-shaped, deepest and steepest at its head; no part
/// of it lies lower than where its toe drains. The volume that it lacks lies below as a cone of
/// `repose_slope`, which leans on the slope as high as that volume asks for, down the way of the water from
/// the toe; where there is no room the scar is buried again. What would cover the rim of the data leaves over
/// it. Where nothing does, both volumes are equal, and so are sums of elevation before and after but for the
/// rounding of floats. Cones may dam valleys.
///
/// elevation: m, NaN is no data. The rim, cells at the edge or beside one without data, keeps its elevation.
/// Scars smaller than 4 cells are left out. O(cells of scars and cones x 30), serial, so the same bits on any
/// number of threads; 16 bytes a cell. Polls `progress`. Throws as
/// check_landslides does.
///
/// Example:
///     const LandslideResult slid = slide(elevation, {.landslides = 4.0}, seed, progress);
LandslideResult slide(const Field<float>& elevation, const LandslideParameters& parameters,
                      std::uint64_t seed, Progress& progress);

}  // namespace thalweg
