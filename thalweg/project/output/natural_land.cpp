#include "thalweg/project/output/natural_land.hpp"

#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/output/rock_colours.hpp"

namespace thalweg {

LandLayers land_layers(const Landscape& landscape) {
    const auto found = [&](const char* name) {
        return landscape.has(name) ? &landscape.layer(name) : nullptr;
    };
    LandLayers land{.bare_rock = found(kBareRock),
                    .scree = found(kScree),
                    .vegetation = found(kVegetation),
                    .forest = found(kForest),
                    .snow = found(kSnow)};
    land.ground = washed_ground(landscape);
    if (!land.ground.empty()) land.ground_kinds = formations_of_body(landscape);
    if (land.bare_rock != nullptr && land.ground.empty()) land.rock = rock_at_ground(landscape);
    return land;
}

}  // namespace thalweg
