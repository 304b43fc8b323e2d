// Layers of what wandering rivers leave.
#pragma once

#include "thalweg/grid/field.hpp"
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

/// Layers of a history on the grid of the context's landscape. `delta_deposit` (m) is what deltas have laid
/// down, or null.
class CourseLayers {
  public:
    CourseLayers(const MeanderHistory& history, const Field<float>* delta_deposit,
                 const MeanderMapParameters& parameters, StageContext& context)
        : history_(history), delta_deposit_(delta_deposit), parameters_(parameters), context_(context) {}

    /// Leaves those that are wanted in the landscape.
    void put();

    /// The ground as it is with what `network` and its history have made of it.
    ShapedGround shaped(const Field<float>& elevation, const RiverNetwork& network,
                        const MeanderGroundParameters& parameters);

  private:
    const Field<float>& age();
    const Field<float>& deposit();  // beside channels
    [[nodiscard]] Field<float> deposit_with_deltas();
    const OxbowLakes& lakes();
    Field<float> moisture();

    const MeanderHistory& history_;
    const Field<float>* delta_deposit_;
    const MeanderMapParameters& parameters_;
    StageContext& context_;
    std::optional<Field<float>> age_;  // made when first asked for
    std::optional<Field<float>> deposit_;
    std::optional<OxbowLakes> lakes_;
};

}  // namespace thalweg
