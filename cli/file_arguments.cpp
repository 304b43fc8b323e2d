#include "cli/file_arguments.hpp"

#include "thalweg/io/files.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;

/// The file that a name leads to, through links and relative parts, whether it exists or not.
fs::path resolved(const std::string& name) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(fs::absolute(name, error), error);
    return error ? fs::path(name) : path;
}

bool same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    return resolved(a) == resolved(b) || fs::equivalent(a, b, error);
}

}  // namespace

InputFile::InputFile(const std::string& name) : path_(name) {
    if (name != kStandardStream) return;
    const std::string bytes = read_standard_input();
    folder_ = std::make_unique<TemporaryFolder>();
    path_ = folder_->path() / "standard input";
    write_file_atomically(path_, std::as_bytes(std::span(bytes)));
}

std::string InputFile::with_typed_name(std::string message) const {
    const std::size_t place = folder_ == nullptr ? std::string::npos : message.find(path_.string());
    if (place != std::string::npos) message.replace(place, path_.string().size(), "standard input");
    return message;
}

OutputFile::OutputFile(const std::string& name, const std::string& extension) : path_(name) {
    if (name != kStandardStream) return;
    folder_ = std::make_unique<TemporaryFolder>();
    path_ = folder_->path() / ("standard_output" + extension);
}

void OutputFile::deliver() const {
    if (is_standard_output()) print_file(path_);
}

void check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    if (std::count(outputs.begin(), outputs.end(), kStandardStream) > 1)
        throw Error::input("only one result can go to standard output, but - is given for more");
    for (auto output = outputs.begin(); output != outputs.end(); ++output) {
        if (output->empty() || *output == kStandardStream) continue;
        check_writable(*output);
        for (const std::string& input : inputs)
            if (same_file(input, *output))
                throw Error::input(
                    fmt::format("{} is an input and can't be the output too: name another file", *output));
        const auto again = std::find_if(std::next(output), outputs.end(), [&](const std::string& other) {
            return !other.empty() && other != kStandardStream && same_file(other, *output);
        });
        if (again != outputs.end())
            throw Error::input(fmt::format("{} is named for two outputs: give each its own file", *output));
    }
}

}  // namespace thalweg::cli
