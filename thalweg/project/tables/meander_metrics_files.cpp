#include "thalweg/project/tables/meander_metrics_files.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/version.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/render/meander_charts.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using MetricsJson = nlohmann::ordered_json;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// One number of a channel, NaN where there is none.
struct MetricColumn {
    const char* name;
    double (*value)(const ChannelMetrics& channel);
};

double if_bent(const ChannelMetrics& channel, double value) {
    return channel.form.bends > 0 ? value : kNoNumber;
}

double if_followed(const ChannelMetrics& channel, double value) {
    return channel.migration.years > 0.0 ? value : kNoNumber;
}

using Metrics = ChannelMetrics;
constexpr std::array<MetricColumn, 13> kColumns = {
    {{"width_m", [](const Metrics& c) { return c.form.width; }},
     {"length_m", [](const Metrics& c) { return c.form.length; }},
     {"valley_length_m", [](const Metrics& c) { return c.form.valley_length; }},
     {"sinuosity", [](const Metrics& c) { return c.form.sinuosity; }},
     {"bends", [](const Metrics& c) { return static_cast<double>(c.form.bends); }},
     {"wavelength_m", [](const Metrics& c) { return if_bent(c, c.form.wavelength); }},
     {"amplitude_m", [](const Metrics& c) { return if_bent(c, c.form.amplitude); }},
     {"migration_m_per_yr", [](const Metrics& c) { return if_followed(c, c.migration.mean); }},
     {"migration_median_m_per_yr", [](const Metrics& c) { return if_followed(c, c.migration.median); }},
     {"migration_p90_m_per_yr", [](const Metrics& c) { return if_followed(c, c.migration.p90); }},
     {"cutoffs", [](const Metrics& c) { return static_cast<double>(c.cutoffs); }},
     {"cutoffs_per_century_100km", [](const Metrics& c) { return if_followed(c, c.cutoff_rate); }},
     {"belt_width_m", [](const Metrics& c) { return c.belt_width; }}}};

void add_line(std::string& text, double year, const std::string& reach, const ChannelMetrics& channel) {
    text += fmt::format("{:.9g},{}", year, reach);
    for (const MetricColumn& column : kColumns) {
        const double value = column.value(channel);
        text += std::isnan(value) ? "," : fmt::format(",{:.7g}", value);
    }
    text += '\n';
}

MetricsJson json_number(double value) {
    return std::isnan(value) ? MetricsJson(nullptr) : MetricsJson(value);
}

/// Adds a channel's numbers in a year to the columns, which may be empty still.
void add_year(MetricsJson& columns, double year, const ChannelMetrics& channel) {
    columns["year"].push_back(year);
    for (const MetricColumn& column : kColumns)
        columns[column.name].push_back(json_number(column.value(channel)));
}

MetricsJson json_of_all_years(const MeanderMetrics& metrics) {
    const MigrationRates& migration = metrics.migration;
    const bool is_followed = migration.years > 0.0;
    const auto rate = [&](double value) { return is_followed ? MetricsJson(value) : MetricsJson(nullptr); };
    return {{"years", migration.years},
            {"migration_m_per_yr", rate(migration.mean)},
            {"migration_median_m_per_yr", rate(migration.median)},
            {"migration_p90_m_per_yr", rate(migration.p90)},
            {"cutoffs_per_century_100km", rate(metrics.cutoff_rate)},
            {"belt_area_m2", metrics.belt.area},
            {"belt_valley_length_m", metrics.belt.valley_length},
            {"belt_width_m", metrics.belt.mean_width},
            {"belt_p90_width_m", metrics.belt.p90_width}};
}

}  // namespace

void check_metrics_file(const std::filesystem::path& path) {
    const std::string extension = lower_case_extension(path);
    if (extension != ".csv" && extension != ".json" && extension != ".png" && extension != ".svg")
        throw Error::input(
            fmt::format("{}: metrics of rivers are written as .csv, .json, .png or .svg, not as \"{}\"",
                        path.string(), extension));
}

std::string meander_metrics_csv(const MeanderMetrics& metrics) {
    std::string text = "year,reach_id";
    for (const MetricColumn& column : kColumns) text += fmt::format(",{}", column.name);
    text += '\n';
    for (const NetworkMetrics& network : metrics.networks) {
        add_line(text, network.year, "all", network.whole);
        for (const ReachMetrics& reach : network.reaches)
            add_line(text, network.year, fmt::format("{}", reach.reach), reach.channel);
    }
    return text;
}

std::string meander_metrics_json(const MeanderMetrics& metrics) {
    MetricsJson json;
    json["version"] = kVersion;
    json["window_yr"] = metrics.parameters.window;
    json["all_years"] = json_of_all_years(metrics);
    json["all"] = MetricsJson::object();
    std::map<std::int64_t, MetricsJson> reaches;
    for (const NetworkMetrics& network : metrics.networks) {
        add_year(json["all"], network.year, network.whole);
        for (const ReachMetrics& reach : network.reaches)
            add_year(reaches[reach.reach], network.year, reach.channel);
    }
    json["reaches"] = MetricsJson::array();
    for (const auto& [id, columns] : reaches) {
        MetricsJson reach = {{"reach_id", id}};
        reach.update(columns);
        json["reaches"].push_back(std::move(reach));
    }
    return json.dump(2) + "\n";
}

void write_meander_metrics(const std::filesystem::path& path, const MeanderMetrics& metrics,
                           const std::string& title) {
    check_metrics_file(path);
    const std::string extension = lower_case_extension(path);
    if (extension == ".png") return write_png(path, draw_meander_metrics(metrics, title));
    const std::string text = extension == ".csv"    ? meander_metrics_csv(metrics)
                             : extension == ".json" ? meander_metrics_json(metrics)
                                                    : meander_metrics_svg(metrics, title);
    write_file_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace thalweg
