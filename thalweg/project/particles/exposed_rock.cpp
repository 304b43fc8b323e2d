#include "thalweg/project/particles/exposed_rock.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/rock.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {
namespace {

const Rock& rock_of(const Landscape& landscape) {
    const Rock* const rock = landscape.find<Rock>(kRock);
    if (rock == nullptr) throw Error::input("rock = true takes the rock of stage rock: there is none");
    return *rock;
}

RockBody body_of(const Rock& rock) {
    return {rock.parameters, rock.seed, rock.maps};
}

}  // namespace

ExposedRock::ExposedRock(StageContext& context)
    : body_(body_of(rock_of(context.landscape))),
      columns_(body_.columns(context.landscape.grid, context.progress)),
      risen_(context.landscape.has(kRockUplift) ? context.landscape.layer(kRockUplift) : Field<float>()) {
}

void ExposedRock::expose(ParticleSimulation& droplets, double ordinary, Progress& progress) const {
    Field<float> top = droplets.elevation();  // m, of bedrock
    const Field<float> sediment = droplets.sediment();
    const Field<float> soil = droplets.soil();
    for (std::int64_t cell = 0; cell < top.size(); ++cell)
        top[cell] -= sediment[cell] + soil[cell] + (risen_.empty() ? 0.0F : risen_[cell]);
    SilentPart quiet(progress);
    RockSurface rock = body_.at(columns_, top, quiet);
    for (float& factor : rock.erodibility_factor)
        factor = std::min(1.0F, static_cast<float>(ordinary) * factor);
    droplets.set_bedrock(std::move(rock.erodibility_factor), std::move(rock.critical_slope));
}

}  // namespace thalweg
