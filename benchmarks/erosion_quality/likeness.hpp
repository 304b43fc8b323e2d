// How much of the terrain of one size the one of another shows.
#pragma once

#include "thalweg/erosion/erode.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <string>

namespace thalweg {

inline constexpr double kTrunkArea = 1e7;  // m^2: rivers above 10 km^2

struct Built {
    Field<float> elevation;      // m
    Field<float> drainage_area;  // m^2, of the terrain at cell centres, 8 neighbours
};

Built build(const ErosionInputs& inputs, std::uint64_t seed,
            const ErosionParameters& parameters = {.diagnostics = false});

/// Of the inner ones, against those of `reference`, %.
double largest_change_of_decile(const Field<float>& elevation, const Field<float>& reference);

using Problem = ErosionInputs (*)(int cells, std::uint64_t seed);

/// `of`: what the first column names.
void print_likeness_head(const char* of);
void print_likeness_row(const std::string& name, Problem problem, int coarse_cells, int fine_cells,
                        const ErosionParameters& parameters = {.diagnostics = false});

}  // namespace thalweg
