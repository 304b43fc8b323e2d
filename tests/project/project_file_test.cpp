#include "thalweg/project/project_file.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/project/stages/rivers_stage.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const char* const kSmall = R"([project]
name = "small"
seed = 7
[grid]
extent = [1000.0, 500.0]
cells = 20
[[stage]]
use = "strokes"
strokes = [{points = [100.0, 100.0], strength = 5.0}]
[[stage]]
use = "rivers"
min_area = 2e4
)";

Project parse(const std::string& text, const ProjectOverrides& overrides = {}) {
    return parse_project(text, "p.toml", "", overrides);
}

/// The message with which a text is refused; empty when it is not.
std::string refusal(const std::string& text, const ProjectOverrides& overrides = {}) {
    try {
        parse(text, overrides);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "";
}

std::string refusal_of_assignment(const std::string& assignment) {
    ProjectOverrides overrides;
    overrides.assignments = {assignment};
    return refusal(kSmall, overrides);
}

double min_area_of(const Project& project, std::size_t stage) {
    return static_cast<const RiversParameters*>(project.stages.at(stage).parameters.get())->network.min_area;
}

TEST(ProjectFile, gives_name_seed_grid_and_stages_in_order) {
    const Project project = parse(kSmall);
    EXPECT_EQ(project.name, "small");
    EXPECT_EQ(project.seed, 7U);
    EXPECT_EQ(project.grid.columns, 20);
    EXPECT_EQ(project.grid.rows, 10);
    EXPECT_EQ(project.grid.cell_size, 50.0);
    ASSERT_EQ(project.stages.size(), 2U);
    EXPECT_EQ(project.stages[0].label, "strokes");
    EXPECT_EQ(project.stages[1].stage->name, "rivers");
    EXPECT_EQ(project.stages[1].position.line, 11);
    EXPECT_EQ(min_area_of(project, 1), 2e4);
    EXPECT_EQ(project.text_hash.size(), 64U);
}

TEST(ProjectFile, takes_whole_numbers_for_numbers) {
    EXPECT_EQ(min_area_of(parse(std::string(kSmall) + "smoothing = 3\n"), 1), 2e4);
}

TEST(ProjectFile, knows_the_names_that_parameters_had_before) {
    const Project project = parse(std::string(kSmall) + "discharge_factor = 0.5\n");
    const auto& rivers = *static_cast<const RiversParameters*>(project.stages[1].parameters.get());
    EXPECT_EQ(rivers.network.hydraulics.bankfull_factor, 0.5);
    EXPECT_THAT(refusal(std::string(kSmall) + "discharge_factor = -2\n"), HasSubstr("bankfull_factor = -2"));
    EXPECT_THAT(refusal(std::string(kSmall) + "\"\" = 1\n"), HasSubstr("unknown key \"\""));
}

TEST(ProjectFile, says_where_toml_is_broken) {
    EXPECT_THAT(refusal("[project]\nname = \n"), StartsWith("p.toml:2:"));
    EXPECT_THAT(refusal("[project\n"), StartsWith("p.toml:1:"));
}

TEST(ProjectFile, names_the_nearest_key_to_an_unknown_one) {
    const std::string message = refusal(std::string(kSmall) + "min_aera = 3.0\n");
    EXPECT_THAT(message, StartsWith("p.toml:13:1: rivers: "));
    EXPECT_THAT(message, HasSubstr("\"min_aera\""));
    EXPECT_THAT(message, HasSubstr("did you mean \"min_area\"?"));
}

TEST(ProjectFile, names_the_nearest_table_and_stage) {
    EXPECT_EQ(refusal("[gird]\ncells = 3\n"), "p.toml:1:2: unknown table \"gird\": did you mean \"grid\"?");
    EXPECT_EQ(refusal("[[stage]]\nuse = \"river\"\n"),
              "p.toml:2:1: unknown stage \"river\": did you mean \"rivers\"?");
    EXPECT_THAT(refusal("[project]\nsede = 3\n"), HasSubstr("did you mean \"seed\"?"));
}

TEST(ProjectFile, says_what_is_allowed_for_a_value_out_of_range) {
    const std::string message = refusal(std::string(kSmall) + "bankfull_factor = -2\n");
    EXPECT_THAT(message, StartsWith("p.toml:13:1: rivers: bankfull_factor = -2.0"));
    EXPECT_THAT(message, HasSubstr("is not allowed: give "));
}

TEST(ProjectFile, says_what_is_allowed_for_a_value_of_another_type) {
    EXPECT_THAT(refusal("[project]\nseed = \"many\"\n"),
                StartsWith("p.toml:2:1: project: seed = \"many\" is not allowed: give a whole number"));
    EXPECT_THAT(refusal("[grid]\nextent = [3.0]\n"), HasSubstr("give 2 numbers"));
    EXPECT_THAT(refusal("[grid]\nextent = [3.0, \"x\"]\n"), StartsWith("p.toml:2:1: extent is not allowed"));
    EXPECT_THAT(refusal("[grid]\ncells = 2024-01-01\n"), StartsWith("p.toml:2:1: cells is a date"));
    EXPECT_THAT(refusal("[grid.cells]\nx = 1\n"), StartsWith("p.toml:1:7: grid: cells is a table"));
    EXPECT_THAT(refusal("grid = 3\n"), HasSubstr("write it as a table, [grid]"));
    EXPECT_THAT(refusal("[stage]\nuse = \"flow\"\n"), HasSubstr("begin every stage with [[stage]]"));
}

TEST(ProjectFile, refuses_infinity_and_nan_where_they_mean_nothing) {
    EXPECT_THAT(refusal("[grid]\nextent = [inf, 3.0]\n"), StartsWith("p.toml:2:1: grid: extent"));
    EXPECT_THAT(refusal(std::string(kSmall) + "bankfull_factor = nan\n"), HasSubstr("is not allowed"));
}

TEST(ProjectFile, gives_the_place_of_a_value_inside_a_stroke) {
    const std::string message = refusal(
        "[[stage]]\nuse = \"strokes\"\nstrokes = [\n  {points = [1.0, 2.0]},\n"
        "  {points = [1.0, 2.0], radios = 3.0}\n]\n");
    EXPECT_THAT(message, StartsWith("p.toml:5:25: strokes: strokes: "));
    EXPECT_THAT(message, HasSubstr("did you mean \"radius\"?"));
    EXPECT_THAT(
        refusal("[[stage]]\nuse = \"strokes\"\n[[stage.strokes]]\npoints = [1.0, 2.0]\nradius = -3.0\n"),
        StartsWith("p.toml:5:1: strokes: strokes: radius = -3.0 m is not allowed"));
}

TEST(ProjectFile, needs_a_stage_and_its_name) {
    EXPECT_THAT(refusal(""), HasSubstr("there is no stage"));
    EXPECT_THAT(refusal("[[stage]]\nmin_area = 3.0\n"), HasSubstr("lacks the key \"use\""));
    EXPECT_THAT(refusal("[[stage]]\nuse = 3\n"), HasSubstr("give a text"));
}

TEST(ProjectFile, refuses_names_that_can_not_stand_in_a_file_name) {
    EXPECT_THAT(refusal(std::string("[[stage]]\nuse = \"strokes\"\n[project]\nname = \"../x\"\n")),
                StartsWith("p.toml:4:1: project: name = \"../x\" is not allowed"));
    EXPECT_THAT(refusal("[[stage]]\nuse = \"strokes\"\nlayer = \"a b\"\n"), HasSubstr("layer = \"a b\""));
}

TEST(ProjectFile, refuses_a_stage_whose_layer_no_stage_before_makes) {
    const std::string message = refusal("[[stage]]\nuse = \"rivers\"\n");
    EXPECT_THAT(message, StartsWith("p.toml:2:1: rivers: stage rivers reads layer \"elevation\""));
    EXPECT_THAT(message, HasSubstr("strokes"));
}

TEST(ProjectFile, refuses_an_output_layer_that_nothing_makes) {
    EXPECT_THAT(refusal(std::string(kSmall) + "[output]\nlayers = [\"elevatoin\"]\n"),
                HasSubstr("did you mean \"elevation\"?"));
    EXPECT_THAT(refusal(std::string(kSmall) + "[output]\nformats = [\"jpeg\"]\n"), HasSubstr("geotiff"));
    EXPECT_THAT(refusal(std::string(kSmall) + "[output]\nformats = [\"geotiff\", \"cog\"]\n"),
                HasSubstr("same .tif file"));
}

TEST(ProjectFile, opens_raster_inputs_before_any_work) {
    EXPECT_THAT(refusal("[[stage]]\nuse = \"import\"\nfile = \"missing.tif\"\n"),
                StartsWith("p.toml:3:1: import: file: "));
    EXPECT_THAT(refusal("[[stage]]\nuse = \"import\"\n"), HasSubstr("give the path of a raster"));
    EXPECT_THAT(refusal("[grid]\nfrom = \"missing.tif\"\n[[stage]]\nuse = \"strokes\"\n"),
                StartsWith("p.toml:2:1: grid: "));
}

TEST(ProjectFile, numbers_stages_that_are_used_more_than_once) {
    const Project project = parse(std::string(kSmall) +
                                  "[[stage]]\nuse = \"rivers\"\n[[stage]]\nuse = "
                                  "\"rivers\"\nlabel = \"brooks\"\n");
    EXPECT_EQ(project.stages[1].label, "rivers1");
    EXPECT_EQ(project.stages[2].label, "rivers2");
    EXPECT_EQ(project.stages[3].label, "brooks");
    EXPECT_THAT(refusal(std::string(kSmall) + "[[stage]]\nuse = \"rivers\"\nlabel = \"strokes\"\n"),
                HasSubstr("label \"strokes\" is used twice"));
}

TEST(ProjectFile, leaves_out_a_stage_that_is_not_enabled) {
    const std::string text =
        std::string(kSmall) + "[[stage]]\nuse = \"rivers\"\nenabled = false\nmin_area = 1.0\n";
    const Project project = parse(text);
    ASSERT_EQ(project.stages.size(), 2U);
    EXPECT_EQ(project.stages[1].label, "rivers1");
    ASSERT_EQ(project.disabled_stages.size(), 1U);
    EXPECT_EQ(project.disabled_stages[0].label, "rivers2");
    ProjectOverrides overrides;
    overrides.assignments = {"rivers1.enabled=false", "rivers2.enabled=true"};
    EXPECT_EQ(min_area_of(parse(text, overrides), 1), 1.0);
    overrides.assignments = {"rivers1.enabled=no"};
    EXPECT_THAT(refusal(text, overrides), HasSubstr("enabled = no is not allowed: give true or false"));
}

TEST(ProjectFile, checks_what_a_stage_that_is_not_enabled_says_but_not_what_it_needs) {
    const std::string text = std::string(kSmall) + "[[stage]]\nuse = \"erode\"\nenabled = false\n";
    EXPECT_EQ(refusal(text + "uplift = \"no_such.tif\"\nboundary = \"no_such_layer\"\n"), "");
    EXPECT_THAT(refusal(text + "time = -1.0\n"), HasSubstr("time = -1.0"));
    EXPECT_THAT(refusal("[[stage]]\nuse = \"noise\"\nenabled = 1\n"),
                StartsWith("p.toml:3:1: enabled is not allowed: give true or false"));
    EXPECT_THAT(refusal("[[stage]]\nuse = \"noise\"\nenabled = false\n"), HasSubstr("enable one"));
    // What it would have made is not there.
    const std::string off =
        std::string(kSmall).replace(std::string(kSmall).find("strokes = "), 0, "enabled = false\n");
    EXPECT_THAT(
        refusal(off),
        HasSubstr("reads layer \"elevation\", which is not there by then; stage strokes makes it, and has "
                  "enabled = false"));
}

TEST(ProjectOverrides, change_a_stage_by_name_or_label) {
    ProjectOverrides overrides;
    overrides.assignments = {"rivers.min_area=5e4"};
    EXPECT_EQ(min_area_of(parse(kSmall, overrides), 1), 5e4);
    overrides.assignments = {"brooks.min_area=7e4"};
    const std::string labelled = std::string(kSmall) + "[[stage]]\nuse = \"rivers\"\nlabel = \"brooks\"\n";
    EXPECT_EQ(min_area_of(parse(labelled, overrides), 2), 7e4);
    EXPECT_EQ(min_area_of(parse(labelled, overrides), 1), 2e4);
}

TEST(ProjectOverrides, change_project_grid_and_output) {
    ProjectOverrides overrides;
    overrides.assignments = {"project.seed=9", "grid.extent=300,300", "output.formats=png16,r16"};
    overrides.cells = 30;
    overrides.output_directory = "elsewhere";
    const Project project = parse(kSmall, overrides);
    EXPECT_EQ(project.seed, 9U);
    EXPECT_EQ(project.grid.columns, 30);
    EXPECT_EQ(project.grid.cell_size, 10.0);
    EXPECT_THAT(project.output.formats, ::testing::ElementsAre("png16", "r16"));
    EXPECT_EQ(project.output_directory, "elsewhere");
    overrides.seed = 11;
    EXPECT_EQ(parse(kSmall, overrides).seed, 11U);
}

TEST(ProjectOverrides, take_values_as_the_file_writes_them) {
    ProjectOverrides overrides;
    overrides.assignments = {"project.name=\"dale\"", "grid.extent=[300, 600.5]",
                             "output.formats=[\"png16\", 'r16']", "output.directory='a b'",
                             "output.pictures=[]"};
    const Project project = parse(kSmall, overrides);
    EXPECT_EQ(project.name, "dale");
    EXPECT_EQ(project.grid.height(), 600.5);
    EXPECT_THAT(project.output.formats, ElementsAre("png16", "r16"));
    EXPECT_EQ(project.output_directory, "a b");
    EXPECT_TRUE(project.output.pictures.empty());
    overrides.assignments = {"output.directory=[a]"};  // a text, unless quoted, is what it looks like
    EXPECT_EQ(parse(kSmall, overrides).output_directory, "[a]");
}

TEST(ProjectOverrides, are_refused_with_what_was_typed) {
    EXPECT_EQ(refusal_of_assignment("rivers.min_area"), "--set rivers.min_area: give stage.key=value");
    EXPECT_THAT(refusal_of_assignment("river.min_area=3"), HasSubstr("did you mean \"rivers\"?"));
    EXPECT_THAT(refusal_of_assignment("rivers.min_aera=3"), HasSubstr("did you mean \"min_area\"?"));
    EXPECT_THAT(refusal_of_assignment("rivers.min_area=big"), StartsWith("--set rivers.min_area=big: "));
    EXPECT_THAT(refusal_of_assignment("rivers.min_area=-1"), HasSubstr("is not allowed"));
    EXPECT_THAT(refusal_of_assignment("strokes.strokes=1"), HasSubstr("is not allowed"));
    ProjectOverrides overrides;
    overrides.cells = 0;
    EXPECT_THAT(refusal(kSmall, overrides), HasSubstr("--cells 0"));
}

TEST(ProjectOverrides, of_a_stage_used_twice_must_say_which) {
    ProjectOverrides overrides;
    overrides.assignments = {"rivers.min_area=3"};
    EXPECT_THAT(refusal(std::string(kSmall) + "[[stage]]\nuse = \"rivers\"\n", overrides),
                HasSubstr("name one of rivers1, rivers2"));
}

TEST(ProjectFile, that_is_missing_or_a_folder_is_refused_with_its_name) {
    EXPECT_THROW(read_project("no-such-project.toml"), Error);
    EXPECT_THROW(read_project("."), Error);
}

TEST(ProjectFile, refuses_keys_of_very_many_parts_and_tables_deep_in_one_another) {
    std::string key = "a";
    for (int i = 0; i < 100000; ++i) key += ".a";
    const std::string many_parts = "a key of more than 16 parts is not allowed";
    EXPECT_THAT(refusal("[" + key + "]\n"), HasSubstr(many_parts));
    EXPECT_THAT(refusal("[[" + key + "]]\n"), HasSubstr(many_parts));
    EXPECT_THAT(refusal("\n " + key + " = 1\n"), StartsWith("p.toml:2:33: " + many_parts));
    EXPECT_THAT(refusal("a = {" + key + " = 1}\n"), HasSubstr(many_parts));
    // Whatever way of quoting stands before it.
    for (const char* text : {R"("\\")", R"("\"x'")", R"('x\')", R"("")", R"("""x"""")", R"("""x""""")",
                             R"("""\""" ' """)", "'''x\n\"'''"})
        EXPECT_THAT(refusal(std::string("a = {b = ") + text + ", " + key + " = 1}\n"), HasSubstr(many_parts))
            << text;

    std::string nested = "1";
    for (int i = 0; i < 200; ++i) nested = "{a.b.c.d.e.f.g.h.i.j.k.l.m.n.o = " + nested + "}";
    EXPECT_THAT(refusal("a = " + nested + "\n"), HasSubstr("tables lie at most 8 deep in one another"));
}

TEST(ProjectFile, takes_any_number_of_dots_outside_keys) {
    const std::string dots(100, '.');
    const Project project = parse("# " + dots + "\n" + kSmall + "[output]\ndirectory = \"" + dots + "\"\n");
    EXPECT_EQ(project.output_directory, dots);
}

TEST(ProjectFile, never_crashes_on_torn_text) {
    const std::string whole = kSmall;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        try {
            parse(whole.substr(0, length));
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), StartsWith("p.toml:"));
        }
    }
}

}  // namespace
}  // namespace thalweg
