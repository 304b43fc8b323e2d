#include "thalweg/noise/noise.hpp"

namespace thalweg {
namespace {

constexpr double kGreatestLength = 1e8;  // m, more than twice around the Earth

void declare_size(Declaration<NoiseParameters>& declaration) {
    declaration.choice(
        "kind", &NoiseParameters::kind,
        {{"gradient", NoiseKind::Gradient, "Rolling ground: gradient noise."},
         {"simplex", NoiseKind::Simplex, "Rolling ground without the directions of a lattice."},
         {"ridged", NoiseKind::Ridged, "Sharp crests: ridged multifractal noise."},
         {"billow", NoiseKind::Billow, "Rounded hills and sharp valleys."},
         {"cellular", NoiseKind::Cellular, "Cones around random points."},
         {"cellular_edges", NoiseKind::CellularEdges, "Cells around random points, with straight edges."},
         {"white", NoiseKind::White, "An independent draw for every cell."},
         {"multifractal", NoiseKind::Multifractal, "Rolling ground, the low smoother than the high."}},
        {.label = "Pattern",
         .group = "Form",
         .unit = "",
         .sentence = "What the octaves of the noise look like."});
    declaration.number("amplitude", &NoiseParameters::amplitude,
                       {.label = "Amplitude",
                        .group = "Form",
                        .unit = "m",
                        .sentence = "Greatest height above and depth below the mean.",
                        .minimum = 0.0,
                        .maximum = 1e5,
                        .usual = {1.0, 5000.0, SliderScale::Logarithmic}});
    declaration.number("mean", &NoiseParameters::mean,
                       {.label = "Mean elevation",
                        .group = "Form",
                        .unit = "m",
                        .sentence = "Mean elevation.",
                        .minimum = -1e5,
                        .maximum = 1e5,
                        .usual = {-1000.0, 3000.0}});
    declaration.number(
        "wavelength", &NoiseParameters::wavelength,
        {.label = "Wavelength",
         .group = "Form",
         .unit = "m",
         .sentence = "Size of the largest forms; 0 takes a quarter of the grid's longer side, and "
                     "for white noise one cell.",
         .minimum = 0.0,
         .maximum = kGreatestLength,
         .usual = {100.0, 1e5, SliderScale::Logarithmic},
         .automatic = 0.0});
}

void declare_octaves(Declaration<NoiseParameters>& declaration) {
    declaration.integer(
        "octaves", &NoiseParameters::octaves,
        {.label = "Octaves",
         .group = "Detail",
         .unit = "1",
         .sentence = "Number of wavelengths that are summed; 0 takes all that have more than 4 "
                     "cells each.",
         .minimum = 0,
         .maximum = 32,
         .usual = {1.0, 12.0},
         .automatic = 0.0,
         .enabled_when = {differs("kind", {"white"})}});
    declaration.number("persistence", &NoiseParameters::persistence,
                       {.label = "Persistence",
                        .group = "Detail",
                        .unit = "1",
                        .sentence = "Amplitude of an octave as a share of the next larger one's.",
                        .minimum = 0.0,
                        .maximum = 0.95,
                        .usual = {0.2, 0.8},
                        .enabled_when = {differs("kind", {"white"})}});
    declaration.number("lacunarity", &NoiseParameters::lacunarity,
                       {.label = "Lacunarity",
                        .group = "Detail",
                        .unit = "1",
                        .sentence = "Wavelength of an octave as a multiple of the next smaller one's.",
                        .minimum = 1.2,
                        .maximum = 8.0,
                        .usual = {1.5, 3.0},
                        .is_advanced = true,
                        .enabled_when = {differs("kind", {"white"})}});
    declaration.number(
        "heterogeneity", &NoiseParameters::heterogeneity,
        {.label = "Heterogeneity",
         .group = "Detail",
         .unit = "1",
         .sentence = "How much smoother low ground is than high, for multifractal noise alone.",
         .minimum = 0.0,
         .maximum = 1.0,
         .usual = {0.0, 1.0},
         .enabled_when = {equals("kind", {"multifractal"})}});
}

void declare_warp(Declaration<NoiseParameters>& declaration) {
    declaration.number("warp", &NoiseParameters::warp,
                       {.label = "Domain warp",
                        .group = "Detail",
                        .unit = "m",
                        .sentence = "Greatest distance by which the domain warp moves forms along each axis.",
                        .minimum = 0.0,
                        .maximum = kGreatestLength,
                        .usual = {0.0, 1e4},
                        .enabled_when = {differs("kind", {"white"})}});
    declaration.number("warp_wavelength", &NoiseParameters::warp_wavelength,
                       {.label = "Wavelength of the warp",
                        .group = "Detail",
                        .unit = "m",
                        .sentence = "Size of the largest bends of the domain warp; 0 takes the wavelength.",
                        .minimum = 0.0,
                        .maximum = kGreatestLength,
                        .usual = {100.0, 1e5, SliderScale::Logarithmic},
                        .automatic = 0.0,
                        .is_advanced = true,
                        .enabled_when = {differs("kind", {"white"}), differs("warp", {0.0})}});
}

}  // namespace

void NoiseParameters::declare(Declaration<NoiseParameters>& declaration) {
    declare_size(declaration);
    declare_octaves(declaration);
    declare_warp(declaration);
}

}  // namespace thalweg
