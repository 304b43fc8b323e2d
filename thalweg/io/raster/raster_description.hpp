// What Thalweg tells of a raster beside its numbers: in texts of PNG, in attributes of OpenEXR, in sidecars.
#pragma once

#include "thalweg/io/raster.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thalweg {

/// What is known of a raster's place and numbers; what is not is nothing.
struct RasterDescription {
    std::optional<int> columns = {};
    std::optional<int> rows = {};
    std::optional<double> cell_size = {};  // m
    std::optional<double> west = {};       // m
    std::optional<double> north = {};      // m
    std::optional<std::string> crs = {};   // WKT
    std::optional<double> scale = {};      // value = stored * scale + offset
    std::optional<double> offset = {};
    std::optional<double> no_data = {};  // stored number that stands for none
};

/// The description as names and texts, the program's own name first.
std::vector<std::pair<std::string, std::string>> description_texts(const Grid& grid,
                                                                   const RasterStorage& storage,
                                                                   const RasterEncoding& encoding);

/// Reads the same from whatever gives the text of a name; nothing where another program wrote it. `source`
/// stands for it in sentences. Throws Error::input for texts that are no numbers.
std::optional<RasterDescription> description_of(
    const std::function<std::optional<std::string>(const char* name)>& text, const std::string& source);

/// The description in the sidecar of a raster: nothing where there is none, or where it is none of a raster.
/// Throws Error::input as description_of.
std::optional<RasterDescription> read_sidecar(const std::filesystem::path& raster);

}  // namespace thalweg
