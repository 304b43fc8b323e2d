#include "thalweg/project/parts/elevation_edit.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <memory>

#include <fmt/format.h>

namespace thalweg {

StageUse elevation_edit(const std::string& command, const ValueTable& values, const std::string& simulation,
                        const std::string& others) {
    const Stage& stage = find_stage(command);
    const std::shared_ptr<void> parameters = stage.make_parameters();
    stage.parameters->assign(parameters.get(), values);
    if (primary_layer(stage, parameters.get()) != kElevation)
        throw Error::input(fmt::format("{} is no edit of {}: give {}, or a stage that changes elevation",
                                       command, simulation, others));
    if (stage.check) stage.check(parameters.get());
    return {&stage, stage.name, parameters, {}};
}

}  // namespace thalweg
