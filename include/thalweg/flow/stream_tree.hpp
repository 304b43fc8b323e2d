// StreamTree: the rivers of a drainage, stream by stream, with what profiles are made of.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// River cells, one entry each. A stream runs from its mouth up by the largest donor to its source, and its
/// entries follow each other; behind them stand the streams that flow into it. So the entries upstream of any
/// one stand in one piece behind it.
struct StreamTree {
    Grid grid;
    double concavity = 0.45;                 // m/n, of chi
    std::vector<std::int32_t> cell;          // row-major index
    std::vector<std::int32_t> below;         // entry of the receiver, -1 at outlets
    std::vector<std::int32_t> main_donor;    // entry of the largest donor, -1 at sources
    std::vector<std::int32_t> upstream_end;  // the entry behind the last one upstream
    std::vector<std::int32_t> stream;        // number of the stream, from 0
    std::vector<double> distance;            // m, to the outlet
    std::vector<double> area;                // m^2
    std::vector<double> chi;                 // m, with A0 = 1 m^2
    std::vector<double> elevation;           // m

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(cell.size()); }
    [[nodiscard]] bool is_mouth(std::int32_t entry) const {
        return below[at(entry)] < 0 || main_donor[at(below[at(entry)])] != entry;
    }
};

/// The rivers of `tree`: cells where `heads` is not 0, and all below them. Of equal donors the one in the
/// first cell is the main one. Chi as in river_profile.hpp, with A0 = 1 m^2, so that elevation over it rises
/// by k_sn. drainage_area in m^2, elevation in m; all on the tree's grid, whose columns do not wrap.
/// O(cells), serial, 4 bytes a cell and 52 a river cell; polls `progress`.
///
/// Example:
///     Field<std::uint8_t> heads(flow.tree.grid);
///     for (std::int64_t cell = 0; cell < heads.size(); ++cell)
///         heads[cell] = flow.drained_area(cell) >= 1e6 ? 1 : 0;
///     const StreamTree rivers =
///         stream_tree(flow.tree, lattice, flow.drainage_area, flow.elevation, heads, 0.45, progress);
StreamTree stream_tree(const FlowTree& tree, const Lattice& lattice, const Field<double>& drainage_area,
                       const Field<float>& elevation, const Field<std::uint8_t>& heads, double concavity,
                       Progress& progress);

}  // namespace thalweg
