#include "thalweg/erosion/levels/resolved_parameters.hpp"

#include "thalweg/core/error.hpp"

#include <cmath>

namespace thalweg {
namespace {

/// A raster has its courses at one size: levels of fewer cells cannot carry them, nor can displaced nodes.
bool ages_a_raster(const ErosionParameters& parameters, const ErosionInputs& inputs) {
    return inputs.elevation.is_stored() && !std::isinf(parameters.time) &&
           parameters.network == NetworkSource::Free;
}

}  // namespace

ErosionParameters resolved_parameters(const ErosionParameters& parameters, const ErosionInputs& inputs) {
    const bool is_raster = ages_a_raster(parameters, inputs);
    ErosionParameters resolved = parameters;
    if (parameters.lattice == ErosionLattice::Auto)
        resolved.lattice = is_raster || parameters.method == ErosionMethod::Stepping
                               ? ErosionLattice::EightNeighbours
                               : ErosionLattice::Mesh;
    if (parameters.time_definition == TimeDefinition::Auto)
        resolved.time_definition = is_raster || resolved.lattice == ErosionLattice::FourNeighbours
                                       ? TimeDefinition::FullResolution
                                       : TimeDefinition::Multilevel;
    const bool may_open = is_raster && resolved.lattice == ErosionLattice::EightNeighbours &&
                          resolved.method != ErosionMethod::FixedPoint &&
                          resolved.time_definition == TimeDefinition::FullResolution &&
                          inputs.boundary.empty();
    if (parameters.edges == EdgeRule::RiverOutlets && !may_open)
        throw Error::input(
            "edges = \"river_outlets\" is not allowed here: it needs a raster, a finite time, lattice = "
            "\"eight_neighbours\", time_definition = \"full_resolution\" and no boundary mask or sea level");
    if (parameters.edges == EdgeRule::Auto)
        resolved.edges =
            may_open && parameters.law.base_slope == 0.0 ? EdgeRule::RiverOutlets : EdgeRule::Fixed;
    return resolved;
}

}  // namespace thalweg
