#include "thalweg/project/formation_names.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/output/earlier_files.hpp"
#include "thalweg/project/output/rock_colours.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/rock/rock_body.hpp"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

/// A text or number of a manifest.
Value plain_value(const nlohmann::json& json) {
    return json.is_string() ? Value(json.get<std::string>()) : Value(json.get<double>());
}

/// What the manifest tells of a stage `rock`: its preset and formations.
RockParameters rock_of_manifest(const nlohmann::json& parameters) {
    const ParameterTable& declared = parameters_of<RockParameters>();
    std::vector<ValueTable> rows;
    for (const nlohmann::json& formation : parameters.at("formations")) {
        ValueTable& row = rows.emplace_back();
        for (const auto& [name, value] : formation.items())
            row.entries.emplace_back(name, plain_value(value));
    }
    RockParameters rock;
    declared.at("preset").set(&rock, plain_value(parameters.at("preset")));
    declared.at("formations").set(&rock, Value(std::move(rows)));
    return rock;
}

/// Of the last stage `rock`; none where there is none, or a hand has changed it into what is none.
std::vector<Category> formations_of_manifest(const nlohmann::json& manifest) {
    std::vector<Category> formations;
    try {
        for (const nlohmann::json& stage : manifest.at("stages"))
            if (stage.at("use") == "rock")
                formations =
                    categories_of(RockBody(rock_of_manifest(stage.at("parameters")), 0).formations());
    } catch (const nlohmann::json::exception&) {
        return {};
    } catch (const Error&) {
        return {};
    }
    return formations;
}

}  // namespace

std::vector<Category> formations_beside(const std::filesystem::path& raster) {
    for (const char* const name : {kManifestName, kFramesName}) {
        const nlohmann::json manifest = read_manifest(raster.parent_path() / name);
        if (files_of(manifest).contains(raster.filename().string())) return formations_of_manifest(manifest);
    }
    return {};
}

}  // namespace thalweg
