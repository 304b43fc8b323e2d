#include "thalweg/project/output/manifest.hpp"

#include "thalweg/core/version.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/json_values.hpp"
#include "thalweg/project/stage_grids.hpp"
#include "thalweg/project/stage_time.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <variant>

#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const WaterBoundary& boundary) {
    Json json;
    json["sources"] = Json::array();
    for (const DrainageSource& source : boundary.sources)
        json["sources"].push_back(thalweg::json_of(parameters_of<DrainageSource>().values(&source)));
    json["outlet_cells"] = nullptr;
    if (!boundary.outlets.empty())
        json["outlet_cells"] = std::count(boundary.outlets.begin(), boundary.outlets.end(), 1);
    json["sea_level_m"] = std::isinf(boundary.sea_level) ? Json(nullptr) : Json(boundary.sea_level);
    return json;
}

/// The values of parameters, of files named from the root without their folders.
ValueTable without_folders(ValueTable values, const ParameterTable& parameters) {
    for (auto& [name, value] : values.entries) {
        const ParameterType type = parameters.at(name).type;
        auto* text = std::get_if<std::string>(&value);
        if (text == nullptr || (type != ParameterType::File && type != ParameterType::NumberOrLayer))
            continue;
        const std::filesystem::path path = *text;
        if (path.is_absolute()) *text = path.filename().string();
    }
    return values;
}

Json json_of(const StageUse& use) {
    const ParameterTable& parameters = *use.stage->parameters;
    Json json;
    json["use"] = use.stage->name;
    json["label"] = use.label;
    json["parameters"] =
        thalweg::json_of(without_folders(parameters.values(use.parameters.get()), parameters));
    return json;
}

/// Rivers and lakes have kinds of their own, and no layer beside them.
bool names_its_kind(const OutputFile& file) {
    return file.kind == OutputKind::Vectors && (file.layer == kRivers || file.layer == kLakes);
}

std::string kind_text(const OutputFile& file) {
    switch (file.kind) {
        case OutputKind::Layer:
            return "layer";
        case OutputKind::Encoding:
            return "encoding";
        case OutputKind::Vectors:
            if (names_its_kind(file)) return file.layer == kRivers ? "network" : file.layer;
            return "vectors";
        case OutputKind::Analysis:
            return "analysis";
        case OutputKind::Mesh:
            return "mesh";
        case OutputKind::Texture:
            return "texture";
        case OutputKind::Picture:
            return "picture";
    }
    return "";
}

Json json_of(const WrittenFile& written) {
    Json json;
    json["file"] = written.file.name;
    json["kind"] = kind_text(written.file);
    json["format"] = written.file.format;
    if (!written.file.layer.empty() && !names_its_kind(written.file)) json["layer"] = written.file.layer;
    if (written.encoding) json.update(json_of_encoding(written.file.layer, *written.encoding));
    json["bytes"] = written.bytes;
    json["sha256"] = written.sha256;
    return json;
}

/// What every manifest begins with.
Json head_of(const Project& project, const WaterBoundary& boundary) {
    Json json;
    json["program"] = "thalweg";
    json["version"] = kVersion;
    if (!project.name.empty()) {
        json["project"] = project.name;
        json["project_sha256"] = project.text_hash;
    }
    json["seed"] = project.seed;
    json["grid"] = json_of(grids_of(project).back());
    json["stages"] = Json::array();
    for (const StageUse& use : project.stages) json["stages"].push_back(json_of(use));
    json["boundary"] = json_of(boundary);
    return json;
}

Json json_of(const std::vector<WrittenFile>& files) {
    Json json = Json::array();
    for (const WrittenFile& file : files) json.push_back(json_of(file));
    return json;
}

Json json_of(const AnimationFile& animation) {
    Json json;
    json["file"] = animation.name;
    json["frame_rate"] = animation.frame_rate;
    json["width"] = animation.width;
    json["height"] = animation.height;
    json["minimum"] = animation.minimum;
    json["maximum"] = animation.maximum;
    json["bytes"] = animation.bytes;
    json["sha256"] = animation.sha256;
    return json;
}

std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string manifest_json(const Project& project, const WaterBoundary& boundary,
                          const std::vector<WrittenFile>& files) {
    Json json = head_of(project, boundary);
    json["files"] = json_of(files);
    return text_of(json);
}

std::string frames_json(const Project& project, const WaterBoundary& boundary, const StageUse& timed_stage,
                        const std::vector<FrameFiles>& frames,
                        const std::optional<AnimationFile>& animation) {
    Json json = head_of(project, boundary);
    const StageTime& time = timed_stage.stage->time;
    json["timed_stage"] = timed_stage.label;
    json["time"] = {{"parameter", time.parameter}, {"unit", time.unit}};
    json["frames"] = Json::array();
    for (std::size_t i = 0; i < frames.size(); ++i) {
        Json frame;
        frame["frame"] = i;
        frame["time_" + time.unit] = thalweg::json_of(value_of_time(*timed_stage.stage, frames[i].time));
        frame["files"] = json_of(frames[i].files);
        json["frames"].push_back(std::move(frame));
    }
    if (animation) json["animation"] = json_of(*animation);
    return text_of(json);
}

}  // namespace thalweg
