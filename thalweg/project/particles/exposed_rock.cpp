#include "thalweg/project/particles/exposed_rock.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/rock.hpp"
#include "thalweg/render/colour.hpp"

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

/// 1 of the formation of that name, 0 of others.
std::vector<float> share_of_formation(const RockBody& body, const std::string& name) {
    std::string names;
    std::vector<float> shares;
    for (const Formation& formation : body.formations()) {
        shares.push_back(formation.name == name ? 1.0F : 0.0F);
        names += (names.empty() ? "" : ", ") + formation.name;
    }
    if (std::ranges::max(shares) > 0.0F) return shares;
    throw Error::input(fmt::format("pigment_formation = \"{}\" is not allowed: give one of {}", name, names));
}

/// Red, green and blue of formations, linear light.
std::vector<std::vector<float>> colours_of_formations(const RockBody& body) {
    std::vector<std::vector<float>> colours(3);
    for (const Formation& formation : body.formations()) {
        const Colour light = to_linear(srgb(formation.colour));
        colours[0].push_back(light.red);
        colours[1].push_back(light.green);
        colours[2].push_back(light.blue);
    }
    return colours;
}

}  // namespace

ExposedRock::ExposedRock(StageContext& context, const std::string& pigment_formation, bool has_colours)
    : body_(body_of(rock_of(context.landscape))),
      columns_(body_.columns(context.landscape.grid, context.progress)),
      risen_(context.landscape.has(kRockUplift) ? context.landscape.layer(kRockUplift) : Field<float>()) {
    if (has_colours)
        pigments_ = colours_of_formations(body_);
    else if (!pigment_formation.empty())
        pigments_ = {share_of_formation(body_, pigment_formation)};
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
    std::vector<Field<float>> pigments;
    for (const std::vector<float>& of_formations : pigments_) {
        Field<float>& pigment = pigments.emplace_back(top.grid());
        for (std::int64_t cell = 0; cell < pigment.size(); ++cell)
            pigment[cell] = of_formations[rock.formation[cell]];
    }
    droplets.set_bedrock(std::move(rock.erodibility_factor), std::move(rock.critical_slope),
                         std::move(pigments));
}

}  // namespace thalweg
