#include "thalweg/project/parts/landforms.hpp"

#include "thalweg/grid/topographic_position.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {
namespace {

constexpr double kUsualShare =
    1.0 / 64.0;  // of the longer side (empirical: one ridge and one valley in a disc)

double radius_of(const LandformParameters& parameters, const Grid& grid) {
    if (parameters.landform_radius > 0.0) return parameters.landform_radius;
    return kUsualShare * std::max(grid.width(), grid.height());
}

}  // namespace

void LandformParameters::declare(Declaration<LandformParameters>& d) {
    d.number("landform_radius", &LandformParameters::landform_radius,
             {.label = "Radius of landforms",
              .group = "Analysis",
              .unit = "m",
              .sentence =
                  "How far around a cell the ground is looked at for the layers ridge and valley; 0 takes a "
                  "64th of the longer side.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {50.0, 2e4, SliderScale::Logarithmic},
              .automatic = 0.0,
              .source = "De Reu et al. 2013",
              .is_advanced = true});
}

void set_landforms(const LandformParameters& parameters, StageContext& context) {
    const bool wants_ridge = context.wanted.has("ridge");
    const bool wants_valley = context.wanted.has("valley");
    if (!wants_ridge && !wants_valley) return;
    Landscape& landscape = context.landscape;
    Field<float> deviation = deviation_from_mean(landscape.layer("elevation"),
                                                 radius_of(parameters, landscape.grid), context.progress);
    if (wants_valley) {
        Field<float> valley = deviation;
        valley_share(valley);
        landscape.set("valley", std::move(valley));
    }
    if (!wants_ridge) return;
    ridge_share(deviation);
    landscape.set("ridge", std::move(deviation));
}

}  // namespace thalweg
