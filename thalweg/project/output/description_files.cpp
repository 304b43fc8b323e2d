#include "thalweg/project/description_files.hpp"

#include "thalweg/core/version.hpp"
#include "thalweg/flow/natural_ranges.hpp"
#include "thalweg/project/sheet_files.hpp"

#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson number_or_null(double number) {
    return std::isnan(number) ? OrderedJson(nullptr) : OrderedJson(number);
}

OrderedJson json_of(const TerrainStatistic& statistic) {
    return {{"name", statistic.name},
            {"family", name_of(statistic.family)},
            {"unit", statistic.unit},
            {"meaning", statistic.meaning},
            {"is_of_cells", statistic.is_of_cells}};
}

OrderedJson json_of(const TerrainStatistic& statistic, const TerrainDescription& terrain) {
    const double value = terrain.statistics.*statistic.value;
    const std::optional<NaturalRange> range = natural_range(statistic, terrain.grid.cell_size);
    OrderedJson json = {
        {"value", number_or_null(value)}, {"z", nullptr}, {"is_outside", nullptr}, {"nature", nullptr}};
    if (range)
        json["nature"] = {{"mean", range->mean},
                          {"standard_deviation", range->deviation},
                          {"least", range->least},
                          {"greatest", range->greatest}};
    if (range && !std::isnan(value)) {
        json["z"] = range->z_of(value);
        json["is_outside"] = !range->holds(value);
    }
    return json;
}

OrderedJson json_of(const std::vector<CurvePoint>& curve, const char* x, const char* y) {
    OrderedJson json = {{x, OrderedJson::array()}, {y, OrderedJson::array()}};
    for (const CurvePoint& point : curve) {
        json[x].push_back(point.x);
        json[y].push_back(point.y);
    }
    return json;
}

OrderedJson json_of(const TerrainCurves& curves) {
    OrderedJson json;
    json["hypsometry"] = {{"least_m", curves.hypsometry.least},
                          {"greatest_m", curves.hypsometry.greatest},
                          {"area_at_height", curves.hypsometry.area_at_height}};
    json["slopes"] = {{"bin_degrees", kSlopeBin}, {"shares", curves.slope_shares}};
    json["aspects"] = {{"bin_degrees", kAspectBin}, {"shares", curves.aspect_shares}};
    json["junctions"] = {{"bin_degrees", kJunctionBin}, {"shares", curves.junction_shares}};
    json["slope_area"] = json_of(curves.slope_area, "area_m2", "slope");
    json["long_profile"] = json_of(curves.long_profile, "distance_m", "height_m");
    json["spectrum"] = json_of(curves.spectrum, "wavelength_m", "power_m2");
    json["floor_widths"] = json_of(curves.floor_widths, "area_m2", "width_m");
    return json;
}

OrderedJson json_of(const DescribedTerrain& named) {
    const TerrainDescription& terrain = named.description;
    const char* const landscapes = natural_landscapes(terrain.grid.cell_size);
    const Naturalness nature = naturalness_of(terrain.statistics, terrain.grid.cell_size);
    OrderedJson json;
    json["name"] = named.name;
    json["columns"] = terrain.grid.columns;
    json["rows"] = terrain.grid.rows;
    json["cell_size_m"] = terrain.grid.cell_size;
    json["reference_length_m"] = terrain.reference_length;
    json["described_share"] = terrain.described_share;
    json["is_mountainous"] = terrain.is_mountainous;
    json["nature"] = landscapes != nullptr ? OrderedJson(landscapes) : OrderedJson(nullptr);
    json["compared"] = nature.compared;
    json["outside"] = nature.outside;
    json["rms_z"] = nature.compared > 0 ? OrderedJson(nature.rms_z) : OrderedJson(nullptr);
    for (const TerrainStatistic& statistic : terrain_statistics())
        json["statistics"][statistic.name] = json_of(statistic, terrain);
    json["curves"] = json_of(terrain.curves);
    return json;
}

}  // namespace

std::string descriptions_json(std::span<const DescribedTerrain> terrains) {
    OrderedJson json;
    json["version"] = kVersion;
    for (const TerrainStatistic& statistic : terrain_statistics())
        json["statistics"].push_back(json_of(statistic));
    for (const DescribedTerrain& terrain : terrains) json["terrains"].push_back(json_of(terrain));
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

void write_descriptions(std::span<const DescribedTerrain> terrains, const std::filesystem::path& sheet,
                        const std::filesystem::path& json) {
    write_sheet({[&] { return draw_descriptions(terrains); }, [&] { return descriptions_svg(terrains); },
                 [&] { return descriptions_json(terrains); }},
                sheet, json);
}

}  // namespace thalweg
