// thalweg new: a commented project file to start from.
#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/project/project_file.hpp"

#include <span>

#include "cli/file_arguments.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr const char* kExtension = ".toml";

void start_project(const Given& given) {
    std::string name = given.required_operand(0);
    if (name.ends_with(kExtension)) name.resize(name.size() - std::string(kExtension).size());
    const std::string text = starter_project(name);
    const std::string file = given.value("out").value_or(name + kExtension);
    if (file == kStandardStream) return print(text);
    if (file.empty())
        throw Error::input("--out \"\" is not allowed: give the name of a file, or - for standard output");
    if (std::filesystem::exists(file))
        throw Error::input(fmt::format("{} exists already: give another name, or remove it first", file));
    check_outputs({}, {file});
    write_file_atomically(file, std::as_bytes(std::span(text)));
    print_lines(file + "\n");
}

}  // namespace

Verb new_verb() {
    return {.name = "new",
            .summary = "Writes a commented project file to start from.",
            .operands = {{"NAME", "name of the project: letters, digits, - and _"}},
            .groups = {{"Output",
                        {{.name = "out",
                          .value = "FILE",
                          .sentence = "File to write instead of NAME.toml; - is standard output.",
                          .letter = 'o'}}}},
            .run = start_project};
}

}  // namespace thalweg::cli
