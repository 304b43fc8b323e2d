// What every stage must hold to, whoever adds it.
#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/toml_document.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

/// A number in the parameter's range that is not its default.
double other_number(const ParameterNotes& notes, double default_number) {
    const double present = std::isfinite(default_number) ? default_number : 0.0;
    const double low = std::isfinite(notes.minimum) ? notes.minimum : std::min(present, 0.0) - 10.0;
    const double high = std::isfinite(notes.maximum) ? notes.maximum : std::max({low, present, 0.0}) + 10.0;
    const double middle = low + 0.5 * (high - low);
    return middle == present ? low + 0.25 * (high - low) : middle;
}

/// A value that the parameter takes and that differs from its default.
Value changed_value(const Parameter& parameter) {
    const Value& present = parameter.default_value;
    switch (parameter.type) {
        case ParameterType::Boolean:
            return !std::get<bool>(present);
        case ParameterType::Integer:
            return static_cast<std::int64_t>(
                other_number(parameter.notes, static_cast<double>(std::get<std::int64_t>(present))));
        case ParameterType::Number:
            return other_number(parameter.notes, std::get<double>(present));
        case ParameterType::Choice:
            return parameter.choices.front() == std::get<std::string>(present) ? parameter.choices.back()
                                                                               : parameter.choices.front();
        case ParameterType::Text:
        case ParameterType::File:
        case ParameterType::NumberOrLayer:
            return std::string("a \"quoted\" name\\");
        case ParameterType::NumberList:
            return std::vector<double>(parameter.notes.list_size == 0 ? 3 : parameter.notes.list_size,
                                       other_number(parameter.notes, 1.0));
        case ParameterType::TextList:
            return parameter.choices.empty()
                       ? std::vector<std::string>{"one", "two"}
                       : std::vector<std::string>{parameter.choices.back(), parameter.choices.front()};
        case ParameterType::TableList: {
            ValueTable row;
            for (const Parameter& cell : parameter.row->parameters())
                row.entries.emplace_back(cell.name, changed_value(cell));
            return std::vector<ValueTable>{row, row};
        }
    }
    return present;
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

TEST(Registry, names_no_parameter_twice) {
    for (const NamedTable& named : all_tables()) {
        std::set<std::string> names;
        for (const Parameter& parameter : named.table->parameters())
            EXPECT_TRUE(names.insert(parameter.name).second) << named.name << "." << parameter.name;
    }
}

TEST(Registry, keeps_the_keys_of_stages_free) {
    for (const Stage& stage : stage_registry())
        for (const char* key : {"use", "label"})
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
