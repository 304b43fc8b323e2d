#include "thalweg/project/parameter_groups.hpp"

#include <utility>

namespace thalweg {

const std::vector<ParameterGroup>& parameter_groups() {
    static const std::vector<ParameterGroup> groups = {
        {"Form", "Which landform or pattern, and how high."},
        {"Place", "Where it lies, and how large it is."},
        {"Detail", "What is smaller than the whole."},
        {"Raster", "The file that is read, and its numbers."},
        {"Brush", "What is painted."},
        {"Layer", "The layer that takes the values."},
        {"Time", "How long the terrain ages."},
        {"Rock", "What rock there is, and how hard."},
        {"Structure", "How beds lie: tilted, folded, broken."},
        {"Weakness", "What rivers find within the rock: joints, dykes, soft spots."},
        {"Uplift and climate", "What drives the terrain."},
        {"Stream power", "How rivers cut into rock and lay sediment down."},
        {"Valley floors", "How wide the flat ground along rivers is."},
        {"Valley fill", "How thick the alluvium of rivers is."},
        {"Fans", "What rivers lay down before their valleys."},
        {"Hillslopes", "What shapes the ground between rivers."},
        {"Landslides", "Where slopes fail, and where debris rests."},
        {"Climate", "How warm and wet it is, and where the sun stands."},
        {"Soil", "How deep soil is, and what falls from cliffs."},
        {"Rain", "Units of rain, and what each takes off."},
        {"Droplets", "In how many droplets water runs, how far, and how often the ground changes."},
        {"Motion", "By what droplets are turned: gravity, and the stream around them."},
        {"Sediment", "How much water carries, how soon, and when slopes slide."},
        {"Materials", "What lies at the ground, loose sediment or bedrock, and what each withstands."},
        {"Mudslides", "When neighbours differ too much in height."},
        {"Start", "The terrain before rain falls."},
        {"Boundary", "Where water and sediment leave, and where water enters."},
        {"Drawn rivers", "Rivers that are given as lines."},
        {"Depressions", "How water leaves closed ground."},
        {"Lakes", "The water that fills depressions."},
        {"Routing", "Which neighbours take a cell's water."},
        {"Discharge", "How much water runs off."},
        {"Network", "Where rivers begin."},
        {"Lines", "How rivers are drawn."},
        {"Migration", "How fast and where rivers wander."},
        {"Avulsions", "When banks burst, and rivers take new courses."},
        {"Junctions", "How tributaries come in."},
        {"Chutes", "When floods cut through the inside of bends."},
        {"Braids", "Which rivers part around bars, and how."},
        {"Deltas", "Where rivers part in standing water, and how."},
        {"Oxbow lakes", "How loops that rivers leave fill up."},
        {"Moisture", "How far and how long rivers make the ground moist."},
        {"Deposits", "What rivers lay down beside them."},
        {"Vegetation", "How soon plants cover what rivers have left, and how they hold banks."},
        {"Ground", "What rivers make of the ground that they pass."},
        {"Control", "Where rivers are drawn to, where they stay, and what is done to them on the way."},
        {"Hydraulics", "Width, depth and speed of rivers."},
        {"River types", "What types rivers have, and by what they are told."},
        {"Courses", "Where river beds run, with their falls, pools and rocks."},
        {"Beds", "How river beds are carved."},
        {"Water", "How water flows over beds."},
        {"Drift", "What drifts on water."},
        {"Analysis", "What is measured of terrain and rivers."},
        {"Catchments", "The ground that drains to places."},
        {"Method", "How lines are followed in time; the defaults suit almost all."},
        {"Solver", "How the terrain is computed; the defaults suit almost all."},
    };
    return groups;
}

std::vector<GroupedParameters> by_group(const ParameterTable& table) {
    std::vector<GroupedParameters> grouped;
    const auto collect = [&](const std::string& group) {
        GroupedParameters found{.group = group, .parameters = {}};
        for (const Parameter& parameter : table.parameters())
            if (parameter.notes.group == group) found.parameters.push_back(&parameter);
        if (!found.parameters.empty()) grouped.push_back(std::move(found));
    };
    collect("");
    for (const ParameterGroup& group : parameter_groups()) collect(group.name);
    return grouped;
}

}  // namespace thalweg
