// What every stage must hold to, whoever adds it.
#include "thalweg/core/error.hpp"
#include "thalweg/core/version.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/parameter_groups.hpp"
#include "thalweg/project/project.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/toml_document.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "changed_values.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::EndsWith;

struct NamedTable {
    std::string name;
    const ParameterTable* table;
};

/// The tables of all stages and of the project file, with the rows of table parameters.
std::vector<NamedTable> all_tables() {
    std::vector<NamedTable> tables;
    for (const SettingsTable& table : settings_tables()) tables.push_back({table.name, table.parameters});
    for (const Stage& stage : stage_registry()) tables.push_back({stage.name, stage.parameters});
    const std::vector<NamedTable> outer = tables;
    for (const NamedTable& named : outer)
        for (const Parameter& parameter : named.table->parameters())
            if (parameter.row != nullptr)
                tables.push_back({named.name + "." + parameter.name, parameter.row});
    return tables;
}

bool is_numeric(ParameterType type) {
    return type == ParameterType::Integer || type == ParameterType::Number ||
           type == ParameterType::NumberList;
}

TEST(Registry, gives_every_parameter_a_unit_and_a_sentence) {
    for (const NamedTable& named : all_tables())
        for (const Parameter& parameter : named.table->parameters()) {
            SCOPED_TRACE(named.name + "." + parameter.name);
            EXPECT_THAT(parameter.notes.sentence, EndsWith("."));
            EXPECT_GT(parameter.notes.sentence.size(), 10U);
            EXPECT_EQ(is_numeric(parameter.type) && parameter.notes.unit.empty(), false);
            EXPECT_LE(parameter.notes.minimum, parameter.notes.maximum);
        }
}

TEST(Registry, gives_every_parameter_a_label_that_no_other_of_its_table_has) {
    for (const NamedTable& named : all_tables()) {
        std::set<std::string> labels;
        for (const Parameter& parameter : named.table->parameters()) {
            EXPECT_FALSE(parameter.notes.label.empty()) << named.name << "." << parameter.name;
            EXPECT_TRUE(labels.insert(parameter.notes.label).second) << named.name << "." << parameter.name;
        }
    }
}

TEST(Registry, puts_every_parameter_of_a_stage_into_a_known_group_and_uses_all_groups) {
    std::set<std::string> known;
    std::set<std::string> used;
    for (const ParameterGroup& group : parameter_groups()) {
        EXPECT_TRUE(known.insert(group.name).second) << group.name;
        EXPECT_THAT(group.summary, EndsWith("."));
    }
    for (const Stage& stage : stage_registry())
        for (const Parameter& parameter : stage.parameters->parameters()) {
            EXPECT_TRUE(known.contains(parameter.notes.group)) << stage.name << "." << parameter.name;
            used.insert(parameter.notes.group);
        }
    EXPECT_EQ(used, known);
}

TEST(Registry, loses_no_parameter_by_grouping) {
    for (const NamedTable& named : all_tables()) {
        std::set<const Parameter*> grouped;
        for (const GroupedParameters& group : by_group(*named.table))
            grouped.insert(group.parameters.begin(), group.parameters.end());
        EXPECT_EQ(grouped.size(), named.table->parameters().size()) << named.name;
    }
}

/// The number that a parameter holds by default; NaN where that is none.
double default_number(const Parameter& parameter) {
    if (const auto* number = std::get_if<double>(&parameter.default_value)) return *number;
    if (const auto* whole = std::get_if<std::int64_t>(&parameter.default_value))
        return static_cast<double>(*whole);
    return std::nan("");
}

/// Whether a slider can set it: a number with a range, and no position or mask.
bool is_slidable(const Parameter& parameter) {
    const bool is_number = parameter.type == ParameterType::Integer ||
                           parameter.type == ParameterType::Number ||
                           parameter.type == ParameterType::NumberOrLayer;
    const ParameterNotes& notes = parameter.notes;
    return is_number && notes.minimum < notes.maximum &&
           (std::isfinite(notes.minimum) || std::isfinite(notes.maximum) || notes.unit == "1");
}

TEST(Registry, gives_every_number_a_usual_range_within_what_is_allowed) {
    for (const NamedTable& named : all_tables())
        for (const Parameter& parameter : named.table->parameters()) {
            SCOPED_TRACE(named.name + "." + parameter.name);
            const ParameterNotes& notes = parameter.notes;
            if (is_slidable(parameter)) {
                EXPECT_FALSE(notes.usual.empty());
            }
            if (notes.usual.empty()) continue;
            EXPECT_LT(notes.usual.minimum, notes.usual.maximum);
            EXPECT_GE(notes.usual.minimum, notes.minimum);
            EXPECT_LE(notes.usual.maximum, notes.maximum);
            if (notes.minimum_excluded) {
                EXPECT_GT(notes.usual.minimum, notes.minimum);
            }
            if (notes.usual.scale == SliderScale::Logarithmic) {
                EXPECT_GT(notes.usual.minimum, 0.0);
            }
            const double present = default_number(parameter);
            if (!std::isfinite(present) || present == notes.automatic) continue;
            EXPECT_LE(notes.usual.minimum, present);
            EXPECT_GE(notes.usual.maximum, present);
        }
}

TEST(Registry, allows_the_values_that_leave_the_choice_to_the_program) {
    for (const NamedTable& named : all_tables())
        for (const Parameter& parameter : named.table->parameters()) {
            if (!parameter.notes.automatic) continue;
            const double automatic = *parameter.notes.automatic;
            const Value value = parameter.type == ParameterType::Integer
                                    ? Value(static_cast<std::int64_t>(automatic))
                                    : Value(automatic);
            EXPECT_NO_THROW((void)parameter.checked(value)) << named.name << "." << parameter.name;
            EXPECT_EQ(value, parameter.default_value) << named.name << "." << parameter.name;
        }
}

TEST(Registry, tells_in_a_sentence_what_every_choice_does) {
    for (const NamedTable& named : all_tables())
        for (const Parameter& parameter : named.table->parameters()) {
            std::set<std::string> sentences;
            for (const ParameterChoice& choice : parameter.choices) {
                SCOPED_TRACE(named.name + "." + parameter.name + " = " + choice.name);
                EXPECT_THAT(choice.sentence, EndsWith("."));
                EXPECT_TRUE(sentences.insert(choice.sentence).second);
            }
        }
}

/// Whether the conditions of a parameter lead back to it, or to one in `above`.
bool leads_in_a_circle(const ParameterTable& table, const Parameter& parameter,
                       std::set<std::string> above = {}) {
    if (!above.insert(parameter.name).second) return true;
    return std::ranges::any_of(parameter.notes.enabled_when, [&](const ParameterCondition& condition) {
        return leads_in_a_circle(table, table.at(condition.parameter), above);
    });
}

TEST(Registry, reads_parameters_on_conditions_that_others_can_meet_and_miss) {
    for (const NamedTable& named : all_tables())
        for (const Parameter& parameter : named.table->parameters()) {
            SCOPED_TRACE(named.name + "." + parameter.name);
            for (const ParameterCondition& condition : parameter.notes.enabled_when) {
                const Parameter* const other = named.table->find(condition.parameter);
                ASSERT_NE(other, nullptr) << condition.parameter;
                ASSERT_FALSE(condition.values.empty());
                // Compared with what members hold, a whole number would never equal a number.
                for (const Value& value : condition.values) EXPECT_EQ(other->checked(value), value);
                EXPECT_LT(condition.values.size(), std::max<std::size_t>(2, other->choices.size()));
            }
            EXPECT_FALSE(leads_in_a_circle(*named.table, parameter));
        }
}

/// 0.1 or 0.1.0 as numbers that compare.
std::vector<int> version_numbers(const std::string& version) {
    std::vector<int> numbers;
    std::istringstream text(version);
    for (std::string part; std::getline(text, part, '.');) numbers.push_back(std::stoi(part));
    numbers.resize(3, 0);
    return numbers;
}

TEST(Registry, knows_no_parameter_since_a_version_that_is_still_to_come) {
    for (const NamedTable& named : all_tables())
        for (const Parameter& parameter : named.table->parameters())
            EXPECT_LE(version_numbers(parameter.notes.since), version_numbers(kVersion))
                << named.name << "." << parameter.name;
}

TEST(Registry, names_no_parameter_twice) {
    for (const NamedTable& named : all_tables()) {
        std::set<std::string> names;
        for (const Parameter& parameter : named.table->parameters()) {
            EXPECT_TRUE(names.insert(parameter.name).second) << named.name << "." << parameter.name;
            const std::string& formerly = parameter.notes.formerly;
            EXPECT_TRUE(formerly.empty() || names.insert(formerly).second) << named.name << "." << formerly;
        }
    }
}

TEST(Registry, keeps_the_keys_of_stages_free) {
    for (const Stage& stage : stage_registry())
        for (const char* key : {"use", "label", "enabled"})
            EXPECT_EQ(stage.parameters->find(key), nullptr) << stage.name;
}

TEST(Registry, has_every_default_in_range) {
    for (const Stage& stage : stage_registry()) {
        const auto object = stage.make_parameters();
        for (const Parameter& parameter : stage.parameters->parameters())
            EXPECT_NO_THROW(parameter.set(object.get(), parameter.default_value))
                << stage.name << "." << parameter.name;
    }
}

TEST(Registry, brings_every_changed_parameter_through_toml) {
    for (const Stage& stage : stage_registry())
        for (const Parameter& parameter : stage.parameters->parameters()) {
            SCOPED_TRACE(stage.name + "." + parameter.name);
            const auto written = stage.make_parameters();
            parameter.set(written.get(), changed_value(parameter));
            const std::string text = to_text(parameter.get(written.get()));
            ASSERT_NE(text, to_text(parameter.default_value));

            const TomlTable document = parse_toml(parameter.name + " = " + text + "\n", "t.toml");
            const TomlEntry& entry = document.entries.at(0);
            Value value = entry.value;
            if (entry.kind == TomlKind::TableList) {
                std::vector<ValueTable> rows;
                for (const TomlTable& table : entry.tables) {
                    ValueTable& row = rows.emplace_back();
                    for (const TomlEntry& cell : table.entries)
                        row.entries.emplace_back(cell.key, cell.value);
                }
                value = rows;
            }
            const auto read = stage.make_parameters();
            parameter.set(read.get(), value);
            EXPECT_EQ(to_text(parameter.get(read.get())), text);
        }
}

TEST(Registry, describes_every_stage) {
    std::set<std::string> names;
    for (const Stage& stage : stage_registry()) {
        SCOPED_TRACE(stage.name);
        EXPECT_TRUE(names.insert(stage.name).second);
        EXPECT_THAT(stage.summary, EndsWith("."));
        EXPECT_GT(stage.description.size(), 60U);
        EXPECT_FALSE(stage.writes.empty());
        EXPECT_THAT(stage.writes, ::testing::Contains(stage.primary));
        EXPECT_GT(stage.bytes_per_cell, 0.0);
        EXPECT_TRUE(stage.run != nullptr);
    }
}

TEST(Registry, knows_the_datasets_that_stages_read_and_write) {
    std::set<std::string> known;
    for (const DatasetDescription& dataset : dataset_catalogue()) known.insert(dataset.name);
    for (const Stage& stage : stage_registry()) {
        for (const std::string& layer : stage.reads) EXPECT_TRUE(known.contains(layer)) << layer;
        for (const std::string& layer : stage.writes) EXPECT_TRUE(known.contains(layer)) << layer;
    }
}

TEST(Registry, has_a_stage_that_leaves_the_settings_which_another_needs) {
    std::set<std::string> left;
    int needed = 0;
    for (const Stage& stage : stage_registry()) {
        for (const std::string& name : stage.reads)
            if (description_of(name).kind == DatasetKind::Settings) {
                EXPECT_TRUE(left.contains(name)) << stage.name << " needs " << name;
                ++needed;
            }
        left.insert(stage.settings.begin(), stage.settings.end());
        EXPECT_TRUE(stage.verb_after.empty() || !find_stage(stage.verb_after).settings.empty()) << stage.name;
    }
    EXPECT_GT(needed, 0);
}

/// The layers that sources of values are for: those that a stage takes by a parameter of their name.
std::set<std::string> layers_taken() {
    std::set<std::string> taken;
    for (const Stage& stage : stage_registry())
        for (const Parameter& parameter : stage.parameters->parameters())
            if (parameter.type == ParameterType::NumberOrLayer) taken.insert(parameter.name);
    return taken;
}

TEST(Registry, has_a_writer_for_every_dataset_of_the_catalogue) {
    const std::set<std::string> taken = layers_taken();
    for (const DatasetDescription& dataset : dataset_catalogue())
        if (dataset.kind != DatasetKind::Settings) {
            EXPECT_TRUE(!stages_that_write(dataset.name).empty() || taken.contains(dataset.name))
                << dataset.name;
        }
}

TEST(Registry, makes_on_request_only_what_it_writes) {
    for (const Stage& stage : stage_registry())
        for (const std::string& layer : stage.on_request)
            EXPECT_THAT(stage.writes, ::testing::Contains(layer)) << stage.name;
}

TEST(Registry, gives_a_parameter_the_unit_of_the_layer_of_its_name) {
    int compared = 0;
    for (const Stage& stage : stage_registry())
        for (const Parameter& parameter : stage.parameters->parameters())
            for (const DatasetDescription& layer : dataset_catalogue())
                if (parameter.type == ParameterType::NumberOrLayer && parameter.name == layer.name) {
                    EXPECT_EQ(parameter.notes.unit, layer.unit) << layer.name;
                    ++compared;
                }
    EXPECT_GE(compared, 3);
}

TEST(Registry, names_the_nearest_stage) {
    try {
        find_stage("eroed");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "unknown stage \"eroed\": did you mean \"erode\"?");
    }
}

}  // namespace
}  // namespace thalweg
