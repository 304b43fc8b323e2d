// Help, the list of stages, and the reference pages say all that the declarations say.
#include "thalweg/project/stage.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/cli/program.hpp"
#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::HasSubstr;

class Help : public Program {};

std::string flag_of(const Parameter& parameter) {
    std::string name = parameter.name;
    std::replace(name.begin(), name.end(), '_', '-');
    return (parameter.type == ParameterType::Boolean ? "--[no-]" : "--") + name;
}

/// `text` with every run of white space as one space, as sentences are before they are wrapped.
std::string unwrapped(const std::string& text) {
    std::string result;
    for (const char letter : text)
        if (letter != '\n' && letter != ' ') {
            result += letter;
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    return result;
}

bool takes_anything(const Parameter& parameter) {
    return parameter.type == ParameterType::Boolean || parameter.type == ParameterType::Text ||
           parameter.type == ParameterType::File;
}

TEST_F(Help, of_the_program_names_every_verb) {
    const Ran ran = run({"--help"});
    EXPECT_EQ(ran.exit_code, 0);
    for (const std::string verb :
         {"build", "new", "info", "render", "describe", "compare", "validate-river", "stages"})
        EXPECT_THAT(ran.output, HasSubstr(verb));
    for (const Stage& stage : stage_registry()) EXPECT_THAT(ran.output, HasSubstr("  " + stage.name + " "));
    EXPECT_EQ(run({}).output, ran.output);
    EXPECT_EQ(run({"help"}).output, ran.output);
}

TEST_F(Help, of_every_stage_names_each_parameter_with_its_sentence_unit_and_range) {
    for (const Stage& stage : stage_registry()) {
        const Ran ran = run({stage.name, "--help"});
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        const std::string text = unwrapped(ran.output);
        for (const Parameter& parameter : stage.parameters->parameters()) {
            if (!has_text_form(parameter)) continue;
            EXPECT_THAT(text, HasSubstr(flag_of(parameter))) << stage.name;
            EXPECT_THAT(text, HasSubstr(unwrapped(parameter.notes.sentence)));
            if (parameter.notes.unit.size() > 1) {
                EXPECT_THAT(text, HasSubstr("unit " + parameter.notes.unit));
            }
            if (parameter.row != nullptr) {
                for (const Parameter& cell : parameter.row->parameters())
                    EXPECT_THAT(text, HasSubstr(cell.name + ": " + unwrapped(cell.allowed())));
            } else if (!takes_anything(parameter)) {
                EXPECT_THAT(text, HasSubstr(unwrapped(parameter.allowed())));
            }
        }
        for (const std::string flag :
             {"--threads", "--seed", "--also", "--repeat", "--report", "--progress", "-o, --out"})
            EXPECT_THAT(text, HasSubstr(flag)) << stage.name;
    }
}

TEST_F(Help, of_every_other_verb_works) {
    for (const std::string verb : {"build", "new", "info", "render", "describe", "compare", "validate-river",
                                   "stages", "completion"}) {
        const Ran ran = run({verb, "--help"});
        EXPECT_EQ(ran.exit_code, 0);
        EXPECT_THAT(ran.output, HasSubstr("Usage: thalweg " + verb));
        EXPECT_EQ(run({"help", verb}).output, ran.output);
    }
}

TEST_F(Help, stays_within_a_hundred_columns) {
    for (const Stage& stage : stage_registry()) {
        std::istringstream lines(run({stage.name, "--help"}).output);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
    }
}

TEST_F(Help, version_is_a_number) {
    EXPECT_THAT(run({"--version"}).output, testing::MatchesRegex("thalweg [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Help, stages_lists_the_registry_and_tells_of_one) {
    const Ran list = run({"stages"});
    EXPECT_EQ(list.exit_code, 0);
    for (const Stage& stage : stage_registry()) {
        EXPECT_THAT(list.output, HasSubstr(stage.name));
        EXPECT_THAT(run({"stages", stage.name}).output, HasSubstr(stage.summary));
    }
    const Ran unknown = run({"stages", "eroode"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.errors, HasSubstr("erode"));
}

TEST_F(Help, reference_pages_in_the_repository_are_those_that_the_program_writes) {
    const std::filesystem::path kept = std::filesystem::path(THALWEG_SOURCE_DIR) / "docs" / "reference";
    ASSERT_EQ(run({"stages", "--markdown", "reference"}).exit_code, 0);
    std::vector<std::string> kept_names;
    for (const auto& entry : std::filesystem::directory_iterator(kept))
        kept_names.push_back("reference/" + entry.path().filename().string());
    std::sort(kept_names.begin(), kept_names.end());
    EXPECT_EQ(files(), kept_names) << "run: thalweg stages --markdown docs/reference";
    for (const std::string& name : files()) {
        std::ifstream file(kept.parent_path() / name, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        EXPECT_EQ(read(name), text) << name << " is stale: run thalweg stages --markdown docs/reference";
    }
}

TEST_F(Help, ends_in_silence_when_no_one_reads_on) {
    const std::string command = std::string("(sleep 0.3; exec ") + THALWEG_PROGRAM + " --help) 2> " +
                                path("errors").string() + " | true";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read("errors"), "");
}

TEST_F(Help, completion_knows_every_verb_and_flag) {
    const Ran ran = run({"completion"});
    EXPECT_EQ(ran.exit_code, 0);
    for (const std::string word : {"build", "erode", "--time", "--dry-run"})
        EXPECT_THAT(ran.output, HasSubstr(word));
    write("script",
          ran.output + "COMP_WORDS=(thalweg ero) COMP_CWORD=1\n_thalweg\necho \"${COMPREPLY[@]}\"\n");
    EXPECT_EQ(std::system(("bash " + path("script").string() + " | grep -qx erode").c_str()), 0);
}

}  // namespace
}  // namespace thalweg
