#include "thalweg/project/river_validation_files.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/version.hpp"
#include "thalweg/io/point_table.hpp"
#include "thalweg/io/river_lines.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/sheet_files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kWidth = "width_m";

OrderedJson json_of_excluded(const RiverValidation& found) {
    OrderedJson json = OrderedJson::array();
    for (const ExcludedStretch& stretch : found.excluded)
        json.push_back({{"from_m", found.distance[stretch.first]},
                        {"to_m", found.distance[stretch.last]},
                        {"x_m", found.before.x[stretch.first]},
                        {"y_m", found.before.y[stretch.first]},
                        {"is_cutoff", stretch.is_cutoff}});
    return json;
}

OrderedJson json_of_points(const RiverValidation& found) {
    OrderedJson json;
    json["distance_m"] = found.distance;
    json["x_m"] = found.before.x;
    json["y_m"] = found.before.y;
    json["width_m"] = found.before.values.width;
    json["observed_m_per_yr"] = found.observed;
    json["predicted_m_per_yr"] = found.predicted;
    json["is_compared"] = std::vector<bool>(found.is_used.begin(), found.is_used.end());
    return json;
}

}  // namespace

ChannelLine read_surveyed_line(const std::filesystem::path& path) {
    if (is_river_file(path))
        throw Error::input(
            fmt::format("{}: lines of vector files have no widths: give a .csv with the columns x_m, "
                        "y_m and width_m",
                        path.string()));
    const PointTable table = read_points(path, "x_m", "y_m", {kWidth});
    ChannelLine line = channel_line(table.points, 0.0, 0.0, 0.0);
    for (std::size_t i = 0; i < line.size(); ++i)
        line.values.width[i] = static_cast<float>(table.columns.front().values[i]);
    with_place(path.string() + ": ", [&] { check_surveyed_line(line); });
    return line;
}

std::string river_validation_json(const NamedValidation& named) {
    OrderedJson json;
    json["version"] = kVersion;
    json["earlier"] = named.earlier;
    json["later"] = named.later;
    json["years"] = named.years;
    for (const ValidationFigure& figure : figures_of(named.found))
        json["figures"][figure.name] = {
            {"value", figure.value}, {"unit", figure.unit}, {"meaning", figure.meaning}};
    json["excluded"] = json_of_excluded(named.found);
    json["points"] = json_of_points(named.found);
    json["notes"] = named.found.notes;
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

void write_river_validation(const NamedValidation& named, const std::filesystem::path& sheet,
                            const std::filesystem::path& json) {
    write_sheet({[&] { return draw_river_validation(named); }, [&] { return river_validation_svg(named); },
                 [&] { return river_validation_json(named); }},
                sheet, json);
}

}  // namespace thalweg
