#include "thalweg/project/tables/water_maps.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/distance.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/render/colour.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

constexpr float kFullByte = 255.0F;

/// What one channel of a map holds.
struct MapChannel {
    const char* channel;
    const char* layer;
    const char* unit;
    Field<float> values;
    double minimum = 0.0;
    double maximum = 1.0;
};

/// The least power of 2 that no value exceeds in magnitude, 1/16 at least.
double range_over(std::initializer_list<const Field<float>*> fields) {
    constexpr double kLeastRange = 0.0625;
    float most = 0.0F;
    for (const Field<float>* const field : fields)
        for (const float value : *field)
            if (!is_no_data(value)) most = std::max(most, std::abs(value));
    double range = kLeastRange;
    while (range < static_cast<double>(most)) range *= 2.0;
    return range;
}

Field<float> wet_cells(const Field<float>& depth) {
    Field<float> wet(depth.grid(), 0.0F);
    for (std::int64_t cell = 0; cell < wet.size(); ++cell) wet[cell] = depth[cell] > 0.0F ? 1.0F : 0.0F;
    return wet;
}

/// The distance of water to the nearest dry cell, m; 0 on those, and where all is water.
Field<float> shore_distance(const Field<float>& depth) {
    Field<std::uint8_t> dry(depth.grid(), 0);
    for (std::int64_t cell = 0; cell < dry.size(); ++cell) dry[cell] = depth[cell] > 0.0F ? 0 : 1;
    Field<float> distance = distance_to(dry);
    for (float& value : distance)
        if (std::isinf(value)) value = 0.0F;
    return distance;
}

std::vector<MapChannel> channels_of(WaterMap map, const MappedWater& water) {
    if (map == WaterMap::Flow) {
        const double vmax = range_over({&water.velocity_east, &water.velocity_north});
        return {{"red", "velocity_east", "m/s", water.velocity_east, -vmax, vmax},
                {"green", "velocity_north", "m/s", water.velocity_north, -vmax, vmax},
                {"blue", "water", "1", wet_cells(water.depth)}};
    }
    if (map == WaterMap::Foam) return {{"grey", "foam", "1", water.foam}};
    if (map == WaterMap::Depth)
        return {{"grey", "water_depth", "m", water.depth, 0.0, range_over({&water.depth})}};
    Field<float> distance = shore_distance(water.depth);
    const double range = range_over({&distance});
    return {{"grey", "shore_distance", "m", std::move(distance), 0.0, range}};
}

std::uint8_t byte_of(const MapChannel& channel, std::int64_t cell) {
    const float value = is_no_data(channel.values[cell]) ? 0.0F : channel.values[cell];
    return to_byte((value - static_cast<float>(channel.minimum)) /
                   static_cast<float>(channel.maximum - channel.minimum));
}

}  // namespace

void check_map_file(const std::filesystem::path& path) {
    if (lower_case_extension(path) == ".png") return;
    throw Error::input(fmt::format("{} has the extension \"{}\": a map of water is written as .png",
                                   path.string(), lower_case_extension(path)));
}

void write_water_map(const std::filesystem::path& path, WaterMap map, const MappedWater& water) {
    const std::vector<MapChannel> channels = channels_of(map, water);
    const Grid& grid = water.depth.grid();
    Image image{.width = grid.columns, .height = grid.rows, .rgb = {}};
    image.rgb.reserve(3 * static_cast<std::size_t>(grid.cells()));
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
        for (std::size_t k = 0; k < 3; ++k)
            image.rgb.push_back(byte_of(channels[std::min(k, channels.size() - 1)], cell));
    write_png(path, image);
}

void write_map_scale(const std::filesystem::path& path, const std::string& name, WaterMap map,
                     const MappedWater& water) {
    const Grid& grid = water.depth.grid();
    nlohmann::ordered_json json;
    json["file"] = name;
    json["linear"] = true;
    json["channels"] = nlohmann::ordered_json::array();
    for (const MapChannel& channel : channels_of(map, water))
        json["channels"].push_back({{"channel", channel.channel},
                                    {"layer", channel.layer},
                                    {"unit", channel.unit},
                                    {"minimum", channel.minimum},
                                    {"maximum", channel.maximum},
                                    {"scale", (channel.maximum - channel.minimum) / kFullByte},
                                    {"offset", channel.minimum}});
    json["time_s"] = water.time;
    json["loop_period_s"] = water.loop_period;
    json["width"] = grid.columns;
    json["height"] = grid.rows;
    json["cell_size_m"] = grid.cell_size;
    json["west_m"] = grid.west;
    json["north_m"] = grid.north;
    json["crs"] = grid.crs;
    const std::string text =
        json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    write_file_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace thalweg
