// Values between the displaced nodes of a lattice, by planes fitted to the nodes around.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Gaussian widths, in cells of the lattice that is read. Exact interpolation would show the jitter as
/// speckle.
inline constexpr double kUpsampleWidth = 0.6;   // empirical: between levels
inline constexpr double kResampleWidth = 0.45;  // empirical: from nodes to cell centres

/// Node values of a coarse lattice at the nodes of the lattice of twice its resolution (grid.coarser() of the
/// fine one). The value stays within those of the nodes around. Nodes without data do not count; a node
/// without any neighbour with data gets no data. O(fine cells), parallel; same bits on any number of threads.
Field<float> upsample_nodes(const Field<float>& values, const Lattice& coarse, const Lattice& fine,
                            double width, Progress& progress);

/// The same for two fields, in less time than one after the other. They have data at the same nodes.
std::array<Field<float>, 2> upsample_both(const Field<float>& one, const Field<float>& other,
                                          const Lattice& coarse, const Lattice& fine, double width,
                                          Progress& progress);

/// Node values at the cell centres of the same grid. A cell without data keeps none.
Field<float> resample_to_centres(const Field<float>& values, const Lattice& lattice, double width,
                                 Progress& progress);

/// Cell values at the nodes: bilinear samples at their displaced places. A cell without data keeps none.
Field<float> sample_at_nodes(const Field<float>& values, const Lattice& lattice, Progress& progress);

/// Relaxes the cells of `where` != 0 `sweeps` times to balance uplift and creep:
///   z <- plane through the 8 neighbours, at the node, + u <r^2> / (4 k_h)
/// <r^2>: their mean squared distance, m^2. Source: discrete form of u + k_h laplace z = 0 (Tzathas et al.
/// 2024, eq. 24).
void diffuse_hillslopes(Field<float>& elevation, const Lattice& lattice,
                        const std::vector<std::uint8_t>& where, std::span<const float> uplift,
                        double hillslope_diffusivity, int sweeps, Progress& progress);

}  // namespace thalweg
