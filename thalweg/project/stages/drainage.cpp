#include "thalweg/project/stages/drainage.hpp"

namespace thalweg {

void DrainageParameters::declare(Declaration<DrainageParameters>& d) {
    d.include(&DrainageParameters::flow);
    declare_sea_level(d);
}

Field<std::uint8_t> outlets(const Field<float>& elevation, double sea_level) {
    Field<std::uint8_t> roots = edge_roots(elevation);
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        if (elevation[cell] <= sea_level) roots[cell] = 1;
    return roots;
}

FlowResult drain(const Field<float>& elevation, const DrainageParameters& parameters, Progress& progress) {
    return route(elevation, eight_neighbours(elevation.grid()), outlets(elevation, parameters.sea_level),
                 parameters.flow, progress);
}

}  // namespace thalweg
