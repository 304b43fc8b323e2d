// Beds and banks along channels.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/river/network.hpp"

#include <cstddef>
#include <vector>

namespace thalweg {

/// A channel as the ground has it, downstream.
struct BedLine {
    std::vector<double> x = {};      // m
    std::vector<double> y = {};      // m
    std::vector<double> width = {};  // m
    std::vector<double> bank = {};   // m
    std::vector<double> bed = {};    // m
    std::vector<double> bend = {};   // w kappa, left is positive
    double age = 0.0;                // yr since it was left
    bool is_outlet = false;          // whether nothing is below

    [[nodiscard]] std::size_t size() const { return x.size(); }
};

/// Of the reaches of a network, each after those above it; those of fewer than two places are left out. Beds
/// never rise downstream. Throws Error::input for a reach without width or depth.
std::vector<BedLine> bed_lines(const RiverNetwork& network, const Field<float>& elevation);

/// Of the courses that were left by the last record.
std::vector<BedLine> bed_lines(const MeanderHistory& history, const Field<float>& elevation);

}  // namespace thalweg
