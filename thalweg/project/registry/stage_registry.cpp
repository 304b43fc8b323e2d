#include "thalweg/core/error.hpp"
#include "thalweg/project/extent/window_stage.hpp"
#include "thalweg/project/geology/history_stage.hpp"
#include "thalweg/project/geology/rock_stage.hpp"
#include "thalweg/project/meandering/meander_stage.hpp"
#include "thalweg/project/particles/particles_stage.hpp"
#include "thalweg/project/riverscape/carve_stage.hpp"
#include "thalweg/project/riverscape/water_stage.hpp"
#include "thalweg/project/shaping/fans_stage.hpp"
#include "thalweg/project/shaping/floors_stage.hpp"
#include "thalweg/project/shaping/ground_stage.hpp"
#include "thalweg/project/shaping/hillslopes_stage.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/project/stages/erode_stage.hpp"
#include "thalweg/project/stages/flow_stage.hpp"
#include "thalweg/project/stages/import_stage.hpp"
#include "thalweg/project/stages/noise_stage.hpp"
#include "thalweg/project/stages/rain_stage.hpp"
#include "thalweg/project/stages/rivers_stage.hpp"
#include "thalweg/project/stages/shape_stage.hpp"
#include "thalweg/project/stages/strokes_stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {

const std::vector<Stage>& stage_registry() {
    static const std::vector<Stage> stages = {
        import_stage(), noise_stage(),      shape_stage(),     strokes_stage(), rock_stage(),
        rain_stage(),   erode_stage(),      particles_stage(), history_stage(), floors_stage(),
        fans_stage(),   hillslopes_stage(), flow_stage(),      rivers_stage(),  meander_stage(),
        carve_stage(),  window_stage(),     water_stage(),     ground_stage()};
    return stages;
}

const Stage& find_stage(std::string_view name) {
    std::vector<std::string> names;
    for (const Stage& stage : stage_registry()) {
        if (stage.name == name) return stage;
        names.push_back(stage.name);
    }
    const std::string near = nearest_name(name, names);
    throw Error::input(fmt::format("unknown stage \"{}\": {}", name,
                                   near.empty() ? fmt::format("known are {}", fmt::join(names, ", "))
                                                : fmt::format("did you mean \"{}\"?", near)));
}

}  // namespace thalweg
