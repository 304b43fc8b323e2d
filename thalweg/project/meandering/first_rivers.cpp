#include "thalweg/project/meandering/first_rivers.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/io/point_table.hpp"
#include "thalweg/io/river_lines.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/river_start.hpp"
#include "thalweg/river/line_network.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// One river from a table of points: x_m, y_m and width_m.
std::vector<RiverLine> line_of_table(const std::filesystem::path& path) {
    const PointTable table = read_points(path, "x_m", "y_m", {"width_m"});
    RiverLine line{.points = table.points};
    for (const double width : table.columns.front().values) line.widths.push_back(static_cast<float>(width));
    return {std::move(line)};
}

/// Throws Error::input for rivers that lie within the degrees of the globe and are shorter than 10 widths, as
/// no river in metres is: GeoJSON and tables can't say what their numbers are.
void refuse_degrees(const RiverNetwork& network, const std::filesystem::path& path) {
    constexpr double kMostDegrees = 360.0;
    constexpr double kShortest = 10.0;  // widths
    const auto looks_like_degrees = [](const RiverPoint& point) {
        return std::abs(point.x) <= kMostDegrees && std::abs(point.y) <= 0.25 * kMostDegrees;
    };
    const auto is_in_degrees = [&](const Reach& reach) {
        return reach.length < kShortest * reach.width &&
               std::ranges::all_of(reach.points, looks_like_degrees);
    };
    if (std::ranges::all_of(network.reaches, is_in_degrees))
        throw Error::input(
            fmt::format("{}: its coordinates look like degrees: give them in metres", path.string()));
}

/// Throws Error::input for a river with no point where there is ground.
void refuse_rivers_off(const Field<float>& elevation, const RiverNetwork& network,
                       const std::filesystem::path& path) {
    const Grid& grid = elevation.grid();
    const auto has_ground = [&](const RiverPoint& point) {
        return point.x >= grid.west && point.x <= grid.west + grid.width() && point.y <= grid.north &&
               point.y >= grid.north - grid.height() &&
               !std::isnan(sample_bilinear(elevation, {.x = point.x, .y = point.y}));
    };
    for (const Reach& reach : network.reaches)
        if (std::ranges::none_of(reach.points, has_ground))
            throw Error::input(fmt::format(
                "{}: river {} has no point on the terrain: give rivers in the terrain's coordinates",
                path.string(), reach.id));
}

/// What a reach carries as a whole, at all of its points, where nothing is known of these.
void fill_values(Reach& reach) {
    if (!reach.values.empty()) return;
    reach.values = {
        .width = std::vector<float>(reach.points.size(), static_cast<float>(reach.width)),
        .depth = std::vector<float>(reach.points.size(), static_cast<float>(reach.depth)),
        .discharge = std::vector<float>(reach.points.size(), static_cast<float>(reach.discharge))};
}

/// A network as write_network writes it.
RiverNetwork network_of_file(const std::filesystem::path& path) {
    RiverNetwork network = read_network(path);
    std::ranges::for_each(network.reaches, fill_values);
    return network;
}

/// A network of lines, or of one river that is a table.
RiverNetwork drawn_network(const std::filesystem::path& path, const std::string& crs, double width,
                           const std::optional<Field<float>>& elevation) {
    RiverNetwork network =
        network_of_lines(path.extension() == ".csv" ? line_of_table(path) : read_channel_lines(path, crs),
                         width, elevation, path.string());
    refuse_degrees(network, path);
    network.crs = crs;
    return network;
}

}  // namespace

RiverNetwork rivers_of(const std::filesystem::path& file, const std::string& crs, double width,
                       const std::optional<Field<float>>& elevation) {
    RiverNetwork network =
        is_network_file(file) ? network_of_file(file) : drawn_network(file, crs, width, elevation);
    if (elevation) refuse_rivers_off(*elevation, network, file);
    return network;
}

RiverNetwork first_rivers(const MeanderStageParameters& parameters, const StageContext& context) {
    const Landscape& landscape = context.landscape;
    if (parameters.network.empty()) {
        const auto* const network = landscape.find<RiverNetwork>(kRivers);
        if (network == nullptr)
            throw Error::input(
                "meander has no rivers to begin with: put the stage rivers before it, or give "
                "network, a file of rivers");
        return *network;
    }
    std::optional<Field<float>> ground;
    if (landscape.has(kElevation)) ground = landscape.layer(kElevation);
    return rivers_of(std::filesystem::path(context.base_directory) / parameters.network, landscape.grid.crs,
                     parameters.channel_width, ground);
}

Grid grid_around_rivers(const std::filesystem::path& file) {
    constexpr int kCells = 512;
    constexpr double kMargin = 0.1;   // of the longer side
    constexpr double kWidths = 20.0;  // of the widest channel
    const RiverNetwork network = rivers_of(file, "", MeanderStageParameters().channel_width, std::nullopt);
    double west = std::numeric_limits<double>::infinity();
    double south = west;
    double east = -west;
    double north = -west;
    double width = 0.0;
    for (const Reach& reach : network.reaches) {
        width = std::max(width, reach.width);
        for (const RiverPoint& point : reach.points) {
            west = std::min(west, point.x);
            east = std::max(east, point.x);
            south = std::min(south, point.y);
            north = std::max(north, point.y);
        }
    }
    const double margin = std::max(kMargin * std::max(east - west, north - south), kWidths * width);
    Grid grid = make_grid(east - west + 2.0 * margin, north - south + 2.0 * margin, kCells);
    grid.west = west - margin;
    grid.north = grid.height() + south - margin;
    grid.crs = network.crs;
    return grid;
}

}  // namespace thalweg
