// thalweg stages: the reference, from the registry.
#include "thalweg/io/files.hpp"
#include "thalweg/project/reference.hpp"
#include "thalweg/project/stages_json.hpp"

#include <span>

#include "cli/standard_streams.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

void write_pages(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::vector<ReferencePage> pages = reference_pages();
    for (const ReferencePage& page : pages) check_writable(folder / page.file_name);
    for (const ReferencePage& page : pages) {
        write_file_atomically(folder / page.file_name, std::as_bytes(std::span(page.text)));
        print((folder / page.file_name).string() + "\n");
    }
}

void list_stages() {
    for (const Stage& stage : stage_registry()) print(fmt::format("{:<12} {}\n", stage.name, stage.summary));
}

void show_stages(const Given& given) {
    if (const auto folder = given.value("markdown")) return write_pages(*folder);
    if (given.has("json")) return print(stages_json());
    if (const auto name = given.operand(0)) return print(stage_page(find_stage(*name)));
    list_stages();
}

}  // namespace

Verb stages_verb() {
    return {.name = "stages",
            .summary = "Lists the stages, or tells everything about one.",
            .operands = {{"NAME", "a stage; without it, all are listed", false}},
            .groups = {{"Output",
                        {{.name = "markdown",
                          .value = "DIR",
                          .sentence = "Write every reference page into this folder."},
                         {.name = "json",
                          .form = FlagForm::YesNo,
                          .sentence = "Print all that is declared of stages and parameters as JSON "
                                      "(docs/stages-json.md)."}}}},
            .run = show_stages};
}

}  // namespace thalweg::cli
