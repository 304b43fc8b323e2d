// Sheets of plots and the numbers behind them, as files that appear together.
#pragma once

#include "thalweg/render/image.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace thalweg {

/// Throws Error::input for a sheet that is neither .png nor .svg.
void check_sheet(const std::filesystem::path& sheet);

/// How a sheet and its numbers are made, where they are asked for.
struct SheetContents {
    std::function<Image()> pixels;
    std::function<std::string()> svg;
    std::function<std::string()> json;
};

/// Writes plots to `sheet` and numbers to `json`, both or none; an empty name is passed over. Throws as
/// check_sheet does, and Error::failure.
///
/// Example:
///     write_sheet({[] { return Image{}; }, [] { return std::string(); }, [] { return std::string("{}"); }},
///     "",
///                 "numbers.json");
void write_sheet(const SheetContents& contents, const std::filesystem::path& sheet,
                 const std::filesystem::path& json);

}  // namespace thalweg
