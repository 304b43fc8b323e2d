#include "thalweg/project/stages_json.hpp"

#include "thalweg/project/model/json_values.hpp"
#include "thalweg/project/stage.hpp"

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "scratch_folder.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using Json = nlohmann::ordered_json;

void collect_members(const Json& json, std::set<std::string>& names) {
    if (json.is_object())
        for (const auto& [name, value] : json.items()) names.insert(name);
    if (json.is_object() || json.is_array())
        for (const Json& value : json) collect_members(value, names);
}

TEST(StagesJson, tells_every_parameter_of_every_stage_as_it_is_declared) {
    const Json json = Json::parse(stages_json());
    ASSERT_EQ(json["stages"].size(), stage_registry().size());
    for (std::size_t i = 0; i < stage_registry().size(); ++i) {
        const Stage& stage = stage_registry()[i];
        const Json& told = json["stages"][i];
        EXPECT_EQ(told["name"], stage.name);
        ASSERT_EQ(told["parameters"].size(), stage.parameters->parameters().size()) << stage.name;
        for (std::size_t k = 0; k < told["parameters"].size(); ++k) {
            const Parameter& parameter = stage.parameters->parameters()[k];
            SCOPED_TRACE(stage.name + "." + parameter.name);
            EXPECT_EQ(told["parameters"][k]["name"], parameter.name);
            EXPECT_EQ(told["parameters"][k]["label"], parameter.notes.label);
            EXPECT_EQ(told["parameters"][k]["default"], json_of(parameter.default_value));
            EXPECT_EQ(told["parameters"][k].value("choices", Json::array()).size(), parameter.choices.size());
            EXPECT_EQ(told["parameters"][k]["enabled_when"].size(), parameter.notes.enabled_when.size());
            EXPECT_EQ(told["parameters"][k].contains("usual"), !parameter.notes.usual.empty());
        }
    }
}

TEST(StagesJson, has_no_member_that_its_page_does_not_describe_and_the_other_way_round) {
    const std::string page = bytes_of(std::filesystem::path(THALWEG_SOURCE_DIR) / "docs/stages-json.md");
    std::set<std::string> members;
    collect_members(Json::parse(stages_json()), members);
    for (const std::string& member : members)
        EXPECT_NE(page.find("`" + member + "`"), std::string::npos) << member;
    // The first column of each table names members.
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `")) continue;
        const std::string names = line.substr(0, line.find('|', 1));
        for (std::size_t from = names.find('`'); from != std::string::npos;
             from = names.find('`', from + 1)) {
            const std::size_t end = names.find('`', from + 1);
            EXPECT_TRUE(members.contains(names.substr(from + 1, end - from - 1))) << line;
            from = end;
        }
    }
}

}  // namespace
}  // namespace thalweg
