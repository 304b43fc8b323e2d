// Shapes: simple landforms to start from, in closed form.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/layer_source.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Which landform: make_shape gives their equations.
enum class ShapeKind { Plane, Cone, Dome, Escarpment, Crater, Island };

/// Parameters of make_shape. Lengths that are left out follow the grid: `centre` is its middle, `radius` a
/// share of its shorter side, `width` and `coast_wavelength` shares of the radius.
struct ShapeParameters {
    ShapeKind kind = ShapeKind::Dome;
    double height = 500.0;          // m, above the base
    double base = 0.0;              // m
    double depth = 100.0;           // m, of a crater's floor or the sea, below the base
    std::vector<double> centre;     // m, x and y; empty: the middle
    double radius = 0.0;            // m; 0: by the grid
    double width = 0.0;             // m, of an escarpment; 0: by the radius
    double direction = 0.0;         // degrees clockwise from north, of planes and escarpments
    double coast_roughness = 0.5;   // 1, of an island
    double coast_wavelength = 0.0;  // m; 0: by the radius

    static void declare(Declaration<ShapeParameters>& declaration);
};

/// The parameters with everything left out filled in for `grid`. Throws Error::input unless `centre` is empty
/// or two finite numbers.
ShapeParameters resolved_on(const Grid& grid, ShapeParameters parameters);

/// Elevation [m] of a shape at each cell's centre, where R is the radius, t the distance from `centre` in
/// radii, and s the distance [m] from it towards `direction` (degrees clockwise from north):
///
///   plane       base + height (s / R + 1) / 2, which rises by height over 2 R
///   cone        base + height max(0, 1 - t)
///   dome        base + height max(0, 1 - t^2)^2, with level top and foot
///   escarpment  base + height q(s / width + 1/2), a step: q(x) = 6 x^5 - 15 x^4 + 10 x^3 in [0, 1]
///   crater      base - depth + (depth + height) t^2 inside, a bowl
///               base + height t^-3 outside, the ejecta blanket of McGetchin et al. 1973
///   island      base + height (1 - t^2) on land, t < 1
///               base - depth q / (depth + q) in the sea, q = height (t^2 - 1): no kink at the coast
///
/// An island's base is the sea level; its R is moved in and out by up to coast_roughness R by gradient noise
/// of coast_wavelength, drawn from `seed`. A finer grid samples the same shape; the coast gains finer octaves
/// (noise.hpp). O(cells); same bits on any number of threads. Throws as resolved_on.
///
/// Example:
///     const ShapeParameters island = {.kind = ShapeKind::Island, .height = 800.0};
///     const Field<float> elevation = make_shape(make_grid(20000.0, 20000.0, 400), island, seed);
Field<float> make_shape(const Grid& grid, const ShapeParameters& parameters, std::uint64_t seed);

/// The same shape on any grid; what is left out is filled in for `home` alone. Throws as resolved_on(home).
LayerSource shape_source(const ShapeParameters& parameters, std::uint64_t seed, const Grid& home);

}  // namespace thalweg
