#include "thalweg/project/sheet_files.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/project/output/staged_files.hpp"

#include <fmt/format.h>

namespace thalweg {

void check_sheet(const std::filesystem::path& sheet) {
    const std::string extension = lower_case_extension(sheet);
    if (extension != ".png" && extension != ".svg")
        throw Error::input(
            fmt::format("{} is not allowed: give a name that ends in .png or .svg", sheet.string()));
}

void write_sheet(const SheetContents& contents, const std::filesystem::path& sheet,
                 const std::filesystem::path& json) {
    StagedFiles staged;
    const auto write_text = [&](const std::filesystem::path& path, const std::string& text) {
        write_file_atomically(staged.stage(path), std::as_bytes(std::span(text)));
    };
    staged.with_places([&] {
        if (!json.empty()) write_text(json, contents.json());
        if (!sheet.empty()) {
            check_sheet(sheet);
            if (lower_case_extension(sheet) == ".svg")
                write_text(sheet, contents.svg());
            else
                write_png(staged.stage(sheet), contents.pixels());
        }
        staged.commit();
    });
}

}  // namespace thalweg
