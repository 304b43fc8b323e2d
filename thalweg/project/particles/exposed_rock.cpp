#include "thalweg/project/particles/exposed_rock.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/rock.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

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

/// -1 without a name.
int formation_of(const RockBody& body, const std::string& name) {
    if (name.empty()) return -1;
    std::string names;
    for (const Formation& formation : body.formations()) {
        if (formation.name == name) return static_cast<int>(&formation - body.formations().data());
        names += (names.empty() ? "" : ", ") + formation.name;
    }
    throw Error::input(fmt::format("pigment_formation = \"{}\" is not allowed: {}", name, names));
}

}  // namespace

ExposedRock::ExposedRock(StageContext& context, const std::string& pigment_formation)
    : body_(body_of(rock_of(context.landscape))),
      columns_(body_.columns(context.landscape.grid, context.progress)),
      painted_(formation_of(body_, pigment_formation)),
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
    Field<float> pigment = painted_ < 0 ? Field<float>() : Field<float>(top.grid());
    for (std::int64_t cell = 0; cell < pigment.size(); ++cell)
        pigment[cell] = rock.formation[cell] == painted_ ? 1.0F : 0.0F;
    droplets.set_bedrock(std::move(rock.erodibility_factor), std::move(rock.critical_slope),
                         std::move(pigment));
}

}  // namespace thalweg
