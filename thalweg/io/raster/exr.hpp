// One float layer in and out of an OpenEXR file.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace thalweg {

/// The bytes of an OpenEXR file with one float channel "Y" in the layer's unit, ZIP compressed, and `texts`
/// as attributes; no-data stays NaN. O(cells), on the calling thread alone, so that equal values give equal
/// bytes. `name` is for the sentence of Error::failure.
std::vector<std::byte> encode_exr(const Field<float>& field,
                                  const std::vector<std::pair<std::string, std::string>>& texts,
                                  const std::string& name);

/// One channel of an OpenEXR file.
struct ExrChannel {
    int columns = 0;
    int rows = 0;
    std::vector<float> values = {};                 // rows from the top
    std::map<std::string, std::string> texts = {};  // attributes that are texts
};

/// Reads channel "Y", or the only one, of the first part of a file. Throws Error::input for what is no
/// OpenEXR file, has no such channel, has more than kMaximumCells, or ends early.
ExrChannel read_exr(const std::filesystem::path& path);

}  // namespace thalweg
