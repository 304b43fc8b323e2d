#include "thalweg/project/parts/river_inputs.hpp"

#include "thalweg/io/river_lines.hpp"

#include <filesystem>

namespace thalweg {

std::vector<DrawnRiver> rivers_of_file(const std::string& file, const StageContext& context) {
    if (file.empty()) return {};
    const auto path = std::filesystem::path(context.base_directory) / file;
    std::vector<DrawnRiver> rivers = read_river_lines(path, context.landscape.grid.crs);
    check_rivers(rivers, context.landscape.grid, path.string() + ": ");
    return rivers;
}

}  // namespace thalweg
