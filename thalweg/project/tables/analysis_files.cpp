#include "thalweg/project/tables/analysis_files.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/render/analysis_charts.hpp"

#include <algorithm>
#include <cassert>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSlopeArea = "slope_area";
constexpr const char* kHack = "hack";
constexpr const char* kHypsometry = "hypsometry";
constexpr const char* kChiProfiles = "chi_profiles";
constexpr const char* kAll = "analyses";

void add_outlet(Json& json, const Grid& grid, std::int32_t cell) {
    json["outlet_x_m"] = grid.x(grid.column_of(cell));
    json["outlet_y_m"] = grid.y(grid.row_of(cell));
}

Json json_of(const SlopeArea& found) {
    Json json;
    json["least_area_m2"] = found.parameters.least_area;
    json["drop_m"] = found.parameters.drop;
    json["fit"] = nullptr;
    if (found.fit)
        json["fit"] = {{"concavity", found.fit->concavity},
                       {"steepness", found.fit->steepness},
                       {"least_area_m2", found.fit->least_area},
                       {"greatest_area_m2", found.fit->greatest_area},
                       {"r_squared", found.fit->r_squared},
                       {"bins", found.fit->bins},
                       {"concavity_error", found.fit->concavity_error}};
    json["bins"] = Json::array();
    for (const SlopeAreaBin& bin : found.bins)
        json["bins"].push_back({{"area_m2", bin.area},
                                {"cells", bin.cells},
                                {"slope_lower_quartile", bin.lower_quartile},
                                {"slope_median", bin.median},
                                {"slope_upper_quartile", bin.upper_quartile}});
    return json;
}

Json json_of(const HackLaw& law) {
    Json json;
    json["least_area_m2"] = law.least_area;
    json["fit"] = nullptr;
    if (law.fit)
        json["fit"] = {{"exponent", law.fit->exponent},
                       {"coefficient", law.fit->coefficient},
                       {"r_squared", law.fit->r_squared}};
    Json areas = Json::array(), lengths = Json::array();
    for (const HackPoint& point : law.points) {
        areas.push_back(point.area);
        lengths.push_back(point.length);
    }
    json["area_m2"] = std::move(areas);
    json["length_m"] = std::move(lengths);
    return json;
}

void add_curve(Json& json, const HypsometricCurve& curve) {
    json["area_m2"] = curve.area;
    json["least_m"] = curve.least;
    json["greatest_m"] = curve.greatest;
    json["integral"] = curve.integral ? Json(*curve.integral) : Json(nullptr);
    json["area_at_height"] = curve.area_at_height;
}

Json json_of(const Hypsometry& found, const Grid& grid) {
    Json json;
    Json heights = Json::array();
    for (int i = 0; i <= kHypsometricSteps; ++i)
        heights.push_back(static_cast<double>(i) / kHypsometricSteps);
    json["height"] = std::move(heights);
    add_curve(json["whole"], found.whole);
    json["basins"] = Json::array();
    for (const BasinHypsometry& basin : found.basins) {
        Json entry;
        add_outlet(entry, grid, basin.outlet);
        add_curve(entry, basin.curve);
        json["basins"].push_back(std::move(entry));
    }
    return json;
}

Json json_of(const ChiStream& stream, bool is_trunk) {
    Json json;
    json["kind"] = is_trunk ? "trunk" : "tributary";
    json["chi_m"] = stream.chi;
    json["elevation_m"] = stream.elevation;
    json["distance_m"] = stream.distance;
    json["area_m2"] = stream.area;
    return json;
}

Json json_of(const ChiBasin& basin, const Grid& grid) {
    Json json;
    add_outlet(json, grid, basin.outlet);
    json["area_m2"] = basin.area;
    json["fit"] = nullptr;
    if (basin.fit)
        json["fit"] = {{"steepness", basin.fit->steepness},
                       {"base_m", basin.fit->base},
                       {"r_squared", basin.fit->r_squared}};
    json["best"] = nullptr;
    if (basin.best)
        json["best"] = {{"concavity", basin.best->concavity},
                        {"r_squared", basin.best->r_squared},
                        {"standard_error",
                         basin.best->standard_error ? Json(*basin.best->standard_error) : Json(nullptr)}};
    json["streams"] = Json::array();
    for (std::size_t i = 0; i < basin.streams.size(); ++i)
        json["streams"].push_back(json_of(basin.streams[i], i == 0));
    return json;
}

Json json_of(const ChiProfiles& profiles, const Grid& grid) {
    Json json;
    json["concavity"] = profiles.parameters.chi.concavity;
    json["reference_area_m2"] = profiles.parameters.chi.reference_area;
    json["least_area_m2"] = profiles.parameters.least_area;
    json["basins"] = Json::array();
    for (const ChiBasin& basin : profiles.basins) json["basins"].push_back(json_of(basin, grid));
    return json;
}

/// The analyses without those that `name` does not stand for.
TerrainAnalyses only(TerrainAnalyses analyses, std::string_view name) {
    const auto keep = [&](auto& analysis, const char* its_name) {
        if (name != its_name && name != kAll) analysis.reset();
    };
    keep(analyses.slope_area, kSlopeArea);
    keep(analyses.hack, kHack);
    keep(analyses.hypsometry, kHypsometry);
    keep(analyses.chi_profiles, kChiProfiles);
    return analyses;
}

}  // namespace

void check_analysis_file(const std::filesystem::path& path) {
    const std::string extension = path.extension().string();
    if (extension != ".json" && extension != ".png" && extension != ".svg")
        throw Error::input(fmt::format("{}: analyses are written as .json, .png or .svg, not as \"{}\"",
                                       path.string(), extension));
}

std::string analysis_json(const TerrainAnalyses& analyses, std::string_view name) {
    const TerrainAnalyses wanted = only(analyses, name);
    Json json = Json::object();
    if (wanted.slope_area) json[kSlopeArea] = json_of(*wanted.slope_area);
    if (wanted.hack) json[kHack] = json_of(*wanted.hack);
    if (wanted.hypsometry) json[kHypsometry] = json_of(*wanted.hypsometry, wanted.grid);
    if (wanted.chi_profiles) json[kChiProfiles] = json_of(*wanted.chi_profiles, wanted.grid);
    return json.dump(2) + "\n";
}

void write_analysis(const std::filesystem::path& path, const TerrainAnalyses& analyses, std::string_view name,
                    const std::string& title) {
    check_analysis_file(path);
    if (path.extension() == ".png") return write_png(path, draw_analyses(only(analyses, name), title));
    const std::string text = path.extension() == ".svg" ? analyses_svg(only(analyses, name), title)
                                                        : analysis_json(analyses, name);
    write_file_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace thalweg
