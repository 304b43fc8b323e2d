#include "thalweg/noise/noise.hpp"

namespace thalweg {
namespace {

constexpr double kGreatestLength = 1e8;  // m, more than twice around the Earth

void declare_size(Declaration<NoiseParameters>& declaration) {
    declaration.choice("kind", &NoiseParameters::kind,
                       {{"gradient", NoiseKind::Gradient},
                        {"simplex", NoiseKind::Simplex},
                        {"ridged", NoiseKind::Ridged},
                        {"billow", NoiseKind::Billow},
                        {"cellular", NoiseKind::Cellular},
                        {"cellular_edges", NoiseKind::CellularEdges},
                        {"white", NoiseKind::White},
                        {"multifractal", NoiseKind::Multifractal}},
                       {.unit = "", .sentence = "What the octaves of the noise look like."});
    declaration.number("amplitude", &NoiseParameters::amplitude,
                       {.unit = "m",
                        .sentence = "Greatest height above and depth below the mean.",
                        .minimum = 0.0,
                        .maximum = 1e5});
    declaration.number("mean", &NoiseParameters::mean,
                       {.unit = "m", .sentence = "Mean elevation.", .minimum = -1e5, .maximum = 1e5});
    declaration.number(
        "wavelength", &NoiseParameters::wavelength,
        {.unit = "m",
         .sentence = "Size of the largest forms; 0 takes a quarter of the grid's longer side, and "
                     "for white noise one cell.",
         .minimum = 0.0,
         .maximum = kGreatestLength});
}

void declare_octaves(Declaration<NoiseParameters>& declaration) {
    declaration.integer(
        "octaves", &NoiseParameters::octaves,
        {.unit = "1",
         .sentence = "Number of wavelengths that are summed; 0 takes all that have more than 4 "
                     "cells each.",
         .minimum = 0,
         .maximum = 32});
    declaration.number("persistence", &NoiseParameters::persistence,
                       {.unit = "1",
                        .sentence = "Amplitude of an octave as a share of the next larger one's.",
                        .minimum = 0.0,
                        .maximum = 0.95});
    declaration.number("lacunarity", &NoiseParameters::lacunarity,
                       {.unit = "1",
                        .sentence = "Wavelength of an octave as a multiple of the next smaller one's.",
                        .minimum = 1.2,
                        .maximum = 8.0});
    declaration.number(
        "heterogeneity", &NoiseParameters::heterogeneity,
        {.unit = "1",
         .sentence = "How much smoother low ground is than high, for multifractal noise alone.",
         .minimum = 0.0,
         .maximum = 1.0});
}

void declare_warp(Declaration<NoiseParameters>& declaration) {
    declaration.number("warp", &NoiseParameters::warp,
                       {.unit = "m",
                        .sentence = "Greatest distance by which the domain warp moves forms along each axis.",
                        .minimum = 0.0,
                        .maximum = kGreatestLength});
    declaration.number("warp_wavelength", &NoiseParameters::warp_wavelength,
                       {.unit = "m",
                        .sentence = "Size of the largest bends of the domain warp; 0 takes the wavelength.",
                        .minimum = 0.0,
                        .maximum = kGreatestLength});
}

}  // namespace

void NoiseParameters::declare(Declaration<NoiseParameters>& declaration) {
    declare_size(declaration);
    declare_octaves(declaration);
    declare_warp(declaration);
}

}  // namespace thalweg
