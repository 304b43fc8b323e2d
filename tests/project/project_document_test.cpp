#include "thalweg/project/project_document.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/project/project_file.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "changed_values.hpp"
#include "scratch_folder.hpp"
#include "small_range.hpp"
#include "tests/refusal.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// What no edit may touch: comments everywhere, numbers in other forms, letters of more than one byte.
const char* const kCommented = R"(# A project
# of two lines.

[project]
name = "walled"   # "Gebirge" heißt es sonst
seed = 1_000
[grid]
extent = [1000.0,   # m, of höhe
          500.0]
cells = 20 # few

# The ground.
[[stage]]
use = "noise"  # gentle
amplitude = 2.50e+1 # m

# A dam, and the sea.
[[stage]]
use = "strokes"
layer = "walls"
label = "dam"
# first
[[stage.strokes]]
points = [100.0, 100.0]
strength = 5
# second
[[stage.strokes]]
points = [200.0, 100.0]   # ä

# Rivers at last.
[[stage]]
use = "rivers"
min_area = 2e4
# min_area = 1e4

[output]
directory = "größe"  # ß
pictures = []
# end)";

ProjectDocument commented() {
    return {kCommented, "walled.toml", ""};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

std::vector<std::string> labels_of(const std::vector<DocumentStage>& stages) {
    std::vector<std::string> labels;
    for (const DocumentStage& stage : stages) labels.push_back(stage.use.label);
    return labels;
}

/// Expects the text after an edit, and that undo and redo lead back and forth.
void expect_edit(ProjectDocument document, const std::function<void(ProjectDocument&)>& edit,
                 const std::string& expected) {
    const std::string before = document.text();
    edit(document);
    EXPECT_EQ(document.text(), expected);
    ASSERT_EQ(document.can_undo(), expected != before);
    if (expected == before) return;
    document.undo();
    EXPECT_EQ(document.text(), before);
    EXPECT_FALSE(document.can_undo());
    document.redo();
    EXPECT_EQ(document.text(), expected);
}

TEST(ProjectDocument, changes_a_value_in_its_place) {
    expect_edit(
        commented(), [](ProjectDocument& d) { d.set("noise", "amplitude", 1.0 / 3.0); },
        replaced(kCommented, "2.50e+1", "0.3333333333333333"));
    expect_edit(
        commented(), [](ProjectDocument& d) { d.set("project", "name", std::string("berg")); },
        replaced(kCommented, "\"walled\"", "\"berg\""));
    expect_edit(
        commented(), [](ProjectDocument& d) { d.set("grid", "extent", std::vector{2000.0, 1000.0}); },
        replaced(kCommented, "[1000.0,   # m, of höhe\n          500.0]", "[2000.0, 1000.0]"));
    expect_edit(
        commented(), [](ProjectDocument& d) { d.set("rivers", "min_area", std::int64_t{3000}); },
        replaced(kCommented, "2e4\n", "3000.0\n"));
}

TEST(ProjectDocument, counts_letters_of_several_bytes) {
    expect_edit(
        commented(), [](ProjectDocument& d) { d.set("output", "directory", std::string("maß")); },
        replaced(kCommented, "größe", "maß"));
}

TEST(ProjectDocument, takes_an_equal_value_for_no_edit) {
    expect_edit(
        commented(),
        [](ProjectDocument& d) {
            d.set("noise", "amplitude", 25.0);
            d.set("noise", "mean", d.value("noise", "mean"));
            d.set("project", "seed", std::int64_t{1000});
            d.set_in_row("dam", "strokes", 0, "strength", 5.0);
            d.reset("noise", "mean");
            d.enable_stage("dam", true);
            d.move_stage("dam", 1);
        },
        kCommented);
}

TEST(ProjectDocument, writes_a_new_key_behind_those_of_its_table) {
    expect_edit(
        commented(), [](ProjectDocument& d) { d.set("noise", "mean", 2.0); },
        replaced(kCommented, "# m\n\n# A dam", "# m\nmean = 2.0\n\n# A dam"));
    expect_edit(
        commented(), [](ProjectDocument& d) { d.enable_stage("dam", false); },
        replaced(kCommented, "\"dam\"\n", "\"dam\"\nenabled = false\n"));
    expect_edit(
        commented(), [](ProjectDocument& d) { d.set_in_row("dam", "strokes", 1, "radius", 7.0); },
        replaced(kCommented, "# ä\n", "# ä\nradius = 7.0\n"));
    expect_edit(
        {"[[stage]]\nuse = \"noise\"", "p.toml", ""},
        [](ProjectDocument& d) { d.set("grid", "cells", std::int64_t{7}); },
        "[[stage]]\nuse = \"noise\"\n\n[grid]\ncells = 7\n");
}

TEST(ProjectDocument, removes_a_key_with_its_line) {
    expect_edit(
        commented(), [](ProjectDocument& d) { d.reset("grid", "extent"); },
        replaced(kCommented, "extent = [1000.0,   # m, of höhe\n          500.0]\n", ""));
    expect_edit(
        commented(), [](ProjectDocument& d) { d.reset("output", "pictures"); },
        replaced(kCommented, "pictures = []\n", ""));
}

TEST(ProjectDocument, adds_and_removes_rows) {
    const ValueTable row{{{"points", std::vector{1.0, 2.0}}, {"strength", -1e-5}}};
    const std::string written = "[[stage.strokes]]\npoints = [1.0, 2.0]\nstrength = -1e-05\n";
    expect_edit(
        commented(), [&](ProjectDocument& d) { d.insert_row("dam", "strokes", 0, row); },
        replaced(kCommented, "# first\n", written + "# first\n"));
    expect_edit(
        commented(), [&](ProjectDocument& d) { d.insert_row("dam", "strokes", 1, row); },
        replaced(kCommented, "# second\n", written + "# second\n"));
    expect_edit(
        commented(), [&](ProjectDocument& d) { d.insert_row("dam", "strokes", 2, row); },
        replaced(kCommented, "# ä\n", "# ä\n" + written));
    expect_edit(
        commented(), [](ProjectDocument& d) { d.remove_row("dam", "strokes", 0); },
        replaced(kCommented, "# first\n[[stage.strokes]]\npoints = [100.0, 100.0]\nstrength = 5\n", ""));
    expect_edit(
        commented(), [&](ProjectDocument& d) { d.set("dam", "strokes", Value(std::vector{row})); },
        replaced(
            replaced(kCommented, "# first\n[[stage.strokes]]\npoints = [100.0, 100.0]\nstrength = 5\n", ""),
            "# second\n[[stage.strokes]]\npoints = [200.0, 100.0]   # ä\n", written));
}

TEST(ProjectDocument, edits_rows_that_stand_in_one_line) {
    const std::string text =
        "[[stage]]\nuse = \"strokes\"\nstrokes = [{points = [1.0, 1.0], radius = 3.0}, {points "
        "= [2.0, 2.0]}]  # both\n";
    const ProjectDocument document(text, "p.toml", "");
    const ValueTable row{{{"points", std::vector{7.0, 8.0}}}};
    expect_edit(
        document, [](ProjectDocument& d) { d.set_in_row("strokes", "strokes", 1, "radius", 4.0); },
        replaced(text, "2.0]}]", "2.0], radius = 4.0}]"));
    expect_edit(
        document, [&](ProjectDocument& d) { d.insert_row("strokes", "strokes", 1, row); },
        replaced(text, "3.0}, ", "3.0}, {points = [7.0, 8.0]}, "));
    expect_edit(
        document, [&](ProjectDocument& d) { d.insert_row("strokes", "strokes", 9, row); },
        replaced(text, "}]", "}, {points = [7.0, 8.0]}]"));
    expect_edit(
        document, [](ProjectDocument& d) { d.remove_row("strokes", "strokes", 0); },
        replaced(text, "{points = [1.0, 1.0], radius = 3.0}, ", ""));
    expect_edit(
        document,
        [&](ProjectDocument& d) {
            d.remove_row("strokes", "strokes", 1);
            d.undo();
            d.begin_step();
            d.remove_row("strokes", "strokes", 1);
            d.remove_row("strokes", "strokes", 0);
            d.insert_row("strokes", "strokes", 0, row);
            d.end_step();
        },
        replaced(text, "[{points = [1.0, 1.0], radius = 3.0}, {points = [2.0, 2.0]}]",
                 "[{points = [7.0, 8.0]}]"));
}

TEST(ProjectDocument, adds_moves_and_removes_stages_with_their_comments) {
    const std::string noise =
        "\n# The ground.\n[[stage]]\nuse = \"noise\"  # gentle\namplitude = 2.50e+1 # m\n";
    const std::string rivers =
        "\n# Rivers at last.\n[[stage]]\nuse = \"rivers\"\nmin_area = 2e4\n# min_area = 1e4\n";
    expect_edit(
        commented(), [](ProjectDocument& d) { d.remove_stage("rivers"); }, replaced(kCommented, rivers, ""));
    expect_edit(
        commented(), [](ProjectDocument& d) { d.move_stage("noise", 1); },
        replaced(replaced(kCommented, noise, ""), rivers, noise + rivers));
    expect_edit(
        commented(),
        [](ProjectDocument& d) { d.insert_stage(3, "flow", {{{"depressions", std::string("fill")}}}); },
        replaced(kCommented, rivers, rivers + "\n[[stage]]\nuse = \"flow\"\ndepressions = \"fill\"\n"));
    ProjectDocument document = commented();
    document.insert_stage(0, "noise");
    EXPECT_THAT(labels_of(document.stages()), ElementsAre("noise1", "noise2", "dam", "rivers"));
    document.move_stage("dam", 0);
    EXPECT_THAT(labels_of(document.stages()), ElementsAre("dam", "noise1", "noise2", "rivers"));
    EXPECT_EQ(document.value("noise2", "amplitude"), Value(25.0));
}

TEST(ProjectDocument, moves_a_stage_from_and_to_an_end_without_a_line_break) {
    const std::string a = "[[stage]]\nuse = \"noise\"\n";
    const std::string b = "[[stage]]\nuse = \"flow\"";
    const ProjectDocument document(a + b, "p.toml", "");
    // Flow alone reads what is not there: a second source comes first.
    ProjectDocument longer(a + a + b, "p.toml", "");
    longer.move_stage("flow", 1);
    EXPECT_EQ(longer.text(), a + b + "\n" + a);
    EXPECT_THAT(refusal_of([&] { ProjectDocument(document).move_stage("flow", 0); }), HasSubstr("elevation"));
}

TEST(ProjectDocument, leaves_out_a_disabled_stage_and_keeps_its_place_and_label) {
    ProjectDocument document = commented();
    document.enable_stage("dam", false);
    EXPECT_EQ(document.text(), replaced(kCommented, "\"dam\"\n", "\"dam\"\nenabled = false\n"));
    ASSERT_EQ(document.project().stages.size(), 2U);
    EXPECT_EQ(document.project().stages[1].label, "rivers");
    EXPECT_THAT(labels_of(document.stages()), ElementsAre("noise", "dam", "rivers"));
    EXPECT_FALSE(document.stages()[1].is_enabled);
    document.set_in_row("dam", "strokes", 0, "strength", 6.0);
    document.enable_stage("dam", true);
    EXPECT_EQ(document.text(), replaced(kCommented, "= 5\n", "= 6.0\n"));
    EXPECT_EQ(document.project().stages.size(), 3U);
}

TEST(ProjectDocument, refuses_a_wrong_edit_with_a_sentence_and_stays_as_it_was) {
    ProjectDocument document = commented();
    const auto refusal = [&](const auto& edit) { return refusal_of([&] { edit(document); }); };
    using Document = ProjectDocument;
    EXPECT_THAT(refusal([](Document& d) { d.set("noise", "amplitude", std::string("high")); }),
                HasSubstr("noise: amplitude = \"high\""));
    EXPECT_THAT(refusal([](Document& d) { d.set("noise", "amplitud", 3.0); }), HasSubstr("did you mean"));
    EXPECT_THAT(refusal([](Document& d) { d.set("erode", "time", 3.0); }), HasSubstr("no \"erode\""));
    EXPECT_THAT(refusal([](Document& d) { d.set("grid", "cells", std::int64_t{-1}); }),
                HasSubstr("cells = -1"));
    EXPECT_THAT(refusal([](Document& d) { d.set_in_row("dam", "strokes", 2, "radius", 3.0); }),
                HasSubstr("strokes has no row 2: it has 2"));
    EXPECT_THAT(refusal([](Document& d) { d.set_in_row("dam", "strokes", 1, "radius", -3.0); }),
                HasSubstr("dam: strokes: radius = -3"));
    EXPECT_THAT(refusal([](Document& d) { d.remove_row("noise", "amplitude", 0); }), HasSubstr("no row 0"));
    EXPECT_THAT(refusal([](Document& d) { d.insert_row("noise", "amplitude", 0, {}); }),
                HasSubstr("no rows"));
    EXPECT_THAT(refusal([](Document& d) { d.insert_stage(0, "river"); }),
                HasSubstr("did you mean \"rivers\""));
    EXPECT_THAT(refusal([](Document& d) { d.remove_stage("noise"); }), HasSubstr("elevation"));
    EXPECT_THAT(refusal([](Document& d) { d.enable_stage("noise", false); }), HasSubstr("elevation"));
    EXPECT_THAT(refusal([](Document& d) { d.move_stage("noise", 3); }), HasSubstr("there are 3"));
    EXPECT_EQ(document.text(), kCommented);
    EXPECT_FALSE(document.can_undo());
}

TEST(ProjectDocument, refuses_keys_for_a_table_that_is_written_with_dots) {
    ProjectDocument document("grid.cells = 20\n[[stage]]\nuse = \"noise\"\n", "p.toml", "");
    EXPECT_THAT(refusal_of([&] { document.set("grid", "extent", std::vector{5.0, 5.0}); }),
                HasSubstr("written with dots"));
    document.set("grid", "cells", std::int64_t{30});
    EXPECT_EQ(document.text(), "grid.cells = 30\n[[stage]]\nuse = \"noise\"\n");
}

TEST(ProjectDocument, keeps_the_line_breaks_of_other_systems) {
    ProjectDocument document("\xEF\xBB\xBF[project]\r\nname = \"a\"\r\n\r\n[[stage]]\r\nuse = \"noise\"\r\n",
                             "p.toml", "");
    document.set("noise", "mean", 3.0);
    document.set("project", "name", std::string("bc"));
    document.insert_stage(1, "flow");
    EXPECT_EQ(document.text(),
              "\xEF\xBB\xBF[project]\r\nname = \"bc\"\r\n\r\n[[stage]]\r\nuse = \"noise\"\r\nmean = "
              "3.0\r\n\r\n[[stage]]\r\nuse = \"flow\"\r\n");
}

TEST(ProjectDocument, does_not_take_lines_of_a_text_for_comments) {
    const std::string first =
        "[[stage]]\nuse = \"noise\"\nlayer = \"\"\"\n# \nelevation\"\"\"\n[[stage]]\nuse = \"noise\"\n";
    EXPECT_THAT(refusal_of([&] { ProjectDocument(first, "p.toml", ""); }), HasSubstr("layer"));
    const std::string text =
        "[[stage]]\nuse = \"noise\"\nlayer = '''\nelevation'''\n# second\n[[stage]]\nuse = \"noise\"\n";
    ProjectDocument document(text, "p.toml", "");
    document.remove_stage("noise2");
    EXPECT_EQ(document.text(), "[[stage]]\nuse = \"noise\"\nlayer = '''\nelevation'''\n");
}

TEST(ProjectDocument, takes_the_edits_of_a_drag_back_at_once) {
    ProjectDocument document = commented();
    document.set("noise", "mean", 1.0);
    document.begin_step();
    for (int i = 0; i < 20; ++i) document.set("noise", "amplitude", 30.0 + i);
    document.set("noise", "octaves", std::int64_t{3});
    document.end_step();
    document.set("rivers", "min_area", 7e4);
    document.undo();
    document.undo();
    EXPECT_EQ(document.value("noise", "amplitude"), Value(25.0));
    EXPECT_EQ(document.value("noise", "mean"), Value(1.0));
    document.redo();
    EXPECT_EQ(document.value("noise", "amplitude"), Value(49.0));
    document.undo();
    document.undo();
    EXPECT_EQ(document.text(), kCommented);
    EXPECT_FALSE(document.can_undo());
}

// -- The examples ------------------------------------------------------------------------------------------

std::vector<std::filesystem::path> examples() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples"))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Expects that of two texts only lines of `key` differ.
void expect_other_lines_kept(const std::string& before, const std::string& after, const std::string& key) {
    std::vector<std::string> old_lines = lines_of(before);
    std::vector<std::string> new_lines = lines_of(after);
    const auto first = std::ranges::mismatch(old_lines, new_lines);
    old_lines.erase(old_lines.begin(), first.in1);
    new_lines.erase(new_lines.begin(), first.in2);
    while (!old_lines.empty() && !new_lines.empty() && old_lines.back() == new_lines.back()) {
        old_lines.pop_back();
        new_lines.pop_back();
    }
    ASSERT_FALSE(new_lines.empty());
    EXPECT_TRUE(new_lines.front().starts_with(key + " = ")) << new_lines.front();
    EXPECT_EQ(new_lines.size(), 1U);
    for (std::size_t i = 0; i < old_lines.size() && i < 1; ++i)
        EXPECT_TRUE(old_lines[i].starts_with(key)) << old_lines[i];
    for (std::size_t i = 1; i < old_lines.size(); ++i)
        EXPECT_EQ(old_lines[i].find_first_not_of(" 0123456789.,e+-]#:abcdefghijklmnopqrstuvwxyzm"),
                  std::string::npos)
            << "not a list that went on: " << old_lines[i];
}

/// Everything that decides a project's landscape and files.
std::vector<ValueTable> values_of(const Project& project) {
    std::vector<ValueTable> values = {parameters_of<OutputSettings>().values(&project.output),
                                      parameters_of<GridSettings>().values(&project.grid_settings)};
    values.push_back({{{"name", project.name},
                       {"seed", static_cast<std::int64_t>(project.seed)},
                       {"directory", project.output_directory.string()},
                       {"columns", std::int64_t{project.grid.columns}},
                       {"rows", std::int64_t{project.grid.rows}}}});
    for (const StageUse& use : project.stages)
        values.push_back(use.stage->parameters->values(use.parameters.get()));
    return values;
}

/// Sets one parameter of the example, and compares with what --set makes of the file.
void expect_as_by_set(ProjectDocument document, const std::filesystem::path& file, const std::string& owner,
                      const Parameter& parameter) {
    const Value changed = changed_value(parameter);
    const std::string assignment = fmt::format("{}.{}={}", owner, parameter.name, to_text(changed));
    SCOPED_TRACE(assignment);
    const std::string before = document.text();
    std::optional<Project> expected;
    ProjectOverrides overrides;
    overrides.assignments = {assignment};
    const std::string refused_set = refusal_of([&] { expected = read_project(file, overrides); });
    const std::string refused = refusal_of([&] { document.set(owner, parameter.name, changed); });
    EXPECT_EQ(refused.empty(), refused_set.empty()) << refused << refused_set;
    if (!refused.empty() || document.text() == before) {
        EXPECT_EQ(document.text(), before);
        EXPECT_FALSE(document.can_undo());
        return;
    }
    EXPECT_EQ(values_of(document.project()), values_of(*expected));
    expect_other_lines_kept(before, document.text(), parameter.name);
    document.undo();
    EXPECT_EQ(document.text(), before);
}

TEST(ProjectDocument, sets_every_parameter_of_every_example_as_the_command_line_does) {
    int edits = 0;
    for (const std::filesystem::path& file : examples()) {
        SCOPED_TRACE(file);
        const ProjectDocument document(file);
        std::vector<std::pair<std::string, const ParameterTable*>> owners;
        for (const SettingsTable& table : settings_tables())
            owners.emplace_back(table.name, table.parameters);
        for (const DocumentStage& stage : document.stages())
            owners.emplace_back(stage.use.label, stage.use.stage->parameters);
        for (const auto& [owner, parameters] : owners)
            for (const Parameter& parameter : parameters->parameters())
                if (parameter.type != ParameterType::TableList) {
                    expect_as_by_set(document, file, owner, parameter);
                    ++edits;
                }
    }
    EXPECT_GT(edits, 1000);
}

/// A random edit of any kind; most are allowed.
void edit_at_random(ProjectDocument& document, std::uint64_t draw) {
    const std::vector<DocumentStage> stages = document.stages();
    const DocumentStage& stage = stages[(draw >> 8U) % stages.size()];
    const std::string& label = stage.use.label;
    const std::vector<Parameter>& parameters = stage.use.stage->parameters->parameters();
    const Parameter& parameter = parameters[(draw >> 16U) % parameters.size()];
    const std::size_t place = (draw >> 24U) % stages.size();
    switch (draw % 8) {
        case 0:
            return document.move_stage(label, place);
        case 1:
            return document.insert_stage(place, stage.use.stage->name);
        case 2:
            return document.remove_stage(label);
        case 3:
            return document.enable_stage(label, !stage.is_enabled);
        case 4:
            return document.reset(label, parameter.name);
        default:
            break;
    }
    if (parameter.type != ParameterType::TableList)
        return document.set(label, parameter.name, changed_value(parameter));
    const auto rows = std::get<std::vector<ValueTable>>(changed_value(parameter));
    if (draw % 8 == 5) return document.set(label, parameter.name, rows);
    document.insert_row(label, parameter.name, place, rows.front());
    document.set_in_row(label, parameter.name, 0, rows.front().entries.front().first,
                        rows.front().entries.front().second);
    if (draw % 8 == 6) document.remove_row(label, parameter.name, 0);
}

TEST(ProjectDocument, goes_back_to_the_first_bytes_of_every_example_after_any_edits) {
    int taken = 0;
    for (const std::filesystem::path& file : examples()) {
        SCOPED_TRACE(file);
        ProjectDocument document(file);
        std::vector<std::string> texts = {document.text()};
        for (std::uint64_t i = 0; i < 60; ++i) {
            const std::string refused = refusal_of([&] {
                edit_at_random(document, random_bits(3, Stream::WhiteNoise, texts.front().size(), i));
            });
            if (document.text() == texts.back()) continue;
            // What the text says is what the document holds.
            EXPECT_EQ(values_of(parse_project(document.text(), "again", file.parent_path())),
                      values_of(document.project()));
            if (refused.empty()) texts.push_back(document.text());
            while (!refused.empty() && document.text() != texts.back()) document.undo();
            ++taken;
        }
        const std::string last = document.text();
        int steps = 0;
        for (; document.can_undo(); ++steps) document.undo();
        EXPECT_EQ(document.text(), texts.front());
        for (; steps > 0; --steps) document.redo();
        EXPECT_EQ(document.text(), last);
    }
    EXPECT_GT(taken, 300);
}

TEST(ProjectDocument, edits_a_parameter_that_stands_under_its_former_name) {
    const std::string text =
        "[grid]\ncells = 32\n[[stage]]\nuse = \"noise\"\n[[stage]]\nuse = \"erode\"\nprecipitation = 2.0  # "
        "wet\n";
    ProjectDocument document(text, "wet.toml", "");
    document.set("erode", "precipitation_factor", 5.0);
    EXPECT_THAT(document.text(), ::testing::HasSubstr("precipitation_factor = 5.0"));
    EXPECT_THAT(document.text(), ::testing::Not(::testing::HasSubstr("precipitation =")));
    document.undo();
    EXPECT_EQ(document.text(), text);
    document.set("erode", "precipitation", 7.0);
    EXPECT_THAT(document.text(), ::testing::HasSubstr("precipitation_factor = 7.0"));
    EXPECT_THAT(document.text(), ::testing::Not(::testing::HasSubstr("precipitation =")));
    document.undo();
    document.reset("erode", "precipitation_factor");
    EXPECT_THAT(document.text(), ::testing::Not(::testing::HasSubstr("precipitation")));
    document.undo();
    document.insert_stage(2, "flow", {{{"precipitation", 3.0}}});
    EXPECT_THAT(document.text(), ::testing::HasSubstr("use = \"flow\"\nprecipitation_factor = 3.0"));
}

}  // namespace
}  // namespace thalweg
