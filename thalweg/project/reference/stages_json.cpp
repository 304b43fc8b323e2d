#include "thalweg/project/stages_json.hpp"

#include "thalweg/core/version.hpp"
#include "thalweg/project/model/json_values.hpp"
#include "thalweg/project/parameter_groups.hpp"
#include "thalweg/project/settings.hpp"
#include "thalweg/project/stage.hpp"

#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using Json = nlohmann::ordered_json;

const char* contents_of_file(const ParameterNotes& notes) {
    if (notes.holds_lines) return "lines";
    return notes.holds_points ? "points" : "raster";
}

Json json_of_condition(const ParameterCondition& condition) {
    Json values = Json::array();
    for (const Value& value : condition.values) values.push_back(json_of(value));
    return {{"parameter", condition.parameter}, {condition.is_excluded ? "none_of" : "one_of", values}};
}

Json json_of_parameters(const ParameterTable& table);

Json json_of_parameter(const Parameter& parameter) {
    const ParameterNotes& notes = parameter.notes;
    Json json = {{"name", parameter.name},
                 {"label", notes.label},
                 {"group", notes.group},
                 {"type", names_of(parameter.type).key},
                 {"unit", notes.unit},
                 {"sentence", notes.sentence},
                 {"default", json_of(parameter.default_value)},
                 {"minimum", json_of(Value(notes.minimum))},
                 {"minimum_excluded", notes.minimum_excluded},
                 {"maximum", json_of(Value(notes.maximum))},
                 {"infinity_allowed", notes.infinity_allowed},
                 {"is_advanced", notes.is_advanced},
                 {"since", notes.since},
                 {"source", notes.source}};
    if (!notes.usual.empty())
        json["usual"] = {{"minimum", notes.usual.minimum},
                         {"maximum", notes.usual.maximum},
                         {"scale", notes.usual.scale == SliderScale::Logarithmic ? "logarithmic" : "linear"}};
    if (notes.automatic) json["automatic"] = *notes.automatic;
    if (notes.list_size > 0) json["list_size"] = notes.list_size;
    if (parameter.type == ParameterType::File) json["contents"] = contents_of_file(notes);
    if (!notes.formerly.empty()) json["formerly"] = notes.formerly;
    for (const ParameterChoice& choice : parameter.choices) {
        json["choices"].push_back({{"name", choice.name}, {"sentence", choice.sentence}});
        if (!choice.formerly.empty()) json["choices"].back()["formerly"] = choice.formerly;
    }
    if (parameter.row != nullptr) json["row"] = json_of_parameters(*parameter.row);
    json["enabled_when"] = Json::array();
    for (const ParameterCondition& condition : notes.enabled_when)
        json["enabled_when"].push_back(json_of_condition(condition));
    return json;
}

Json json_of_parameters(const ParameterTable& table) {
    Json list = Json::array();
    for (const Parameter& parameter : table.parameters()) list.push_back(json_of_parameter(parameter));
    return list;
}

Json json_of_stage(const Stage& stage) {
    return {{"name", stage.name},
            {"summary", stage.summary},
            {"description", stage.description},
            {"reads", stage.reads},
            {"reads_if_present", stage.reads_if_present},
            {"writes", stage.writes},
            {"on_request", stage.on_request},
            {"settings", stage.settings},
            {"intermediates", stage.intermediates},
            {"primary", stage.primary},
            {"needs_input", stage.needs_input},
            {"knows_time", static_cast<bool>(stage.at_times)},
            {"time", stage.at_times ? Json{{"parameter", stage.time.parameter}, {"unit", stage.time.unit}}
                                    : Json(nullptr)},
            {"is_simulation", static_cast<bool>(stage.simulate)},
            {"parameters", json_of_parameters(*stage.parameters)}};
}

}  // namespace

std::string stages_json() {
    Json json = {{"version", kVersion},
                 {"groups", Json::array()},
                 {"tables", Json::array()},
                 {"stages", Json::array()}};
    for (const ParameterGroup& group : parameter_groups())
        json["groups"].push_back({{"name", group.name}, {"summary", group.summary}});
    for (const SettingsTable& table : settings_tables())
        json["tables"].push_back({{"name", table.name},
                                  {"summary", table.summary},
                                  {"parameters", json_of_parameters(*table.parameters)}});
    for (const Stage& stage : stage_registry()) json["stages"].push_back(json_of_stage(stage));
    return json.dump(2) + "\n";
}

}  // namespace thalweg
