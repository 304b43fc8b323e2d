// Layers of what wandering rivers leave.
#pragma once

#include "thalweg/meander/meander_ground.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_maps.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/river/network.hpp"

#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// Their names: channel_age, channel_belt, oxbow, moisture, deposit, vegetation.
std::vector<std::string> course_layers();

/// Layers of a history on the grid of the context's landscape.
class CourseLayers {
  public:
    CourseLayers(const MeanderHistory& history, const MeanderMapParameters& parameters, StageContext& context)
        : history_(history), parameters_(parameters), context_(context) {}

    /// Leaves those that are wanted in the landscape.
    void put();

    /// The ground as it is with what `network` and its history have made of it.
    ShapedGround shaped(const Field<float>& elevation, const RiverNetwork& network,
                        const MeanderGroundParameters& parameters);

  private:
    const Field<float>& age();
    const Field<float>& deposit();
    const OxbowLakes& lakes();
    Field<float> moisture();

    const MeanderHistory& history_;
    const MeanderMapParameters& parameters_;
    StageContext& context_;
    std::optional<Field<float>> age_;  // made when first asked for
    std::optional<Field<float>> deposit_;
    std::optional<OxbowLakes> lakes_;
};

}  // namespace thalweg
