#include "thalweg/project/tables/particle_metrics_files.hpp"

#include "thalweg/core/version.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/project/tables/meander_metrics_files.hpp"
#include "thalweg/render/time_charts.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

/// One number of a record, and how charts call it; those without a title are in tables alone.
struct RecordColumn {
    const char* name;
    double (*value)(const ParticleReport& record);
    const char* title = nullptr;
    const char* subtitle = "";
    const char* axis = "";
};

using Record = ParticleReport;
constexpr std::array<RecordColumn, 9> kRecordColumns = {
    {{"cycle", [](const Record& r) { return static_cast<double>(r.cycles); }},
     {"sinuosity", [](const Record& r) { return r.sinuosity; }, "Sinuosity",
      "of the stream that carries the most", "Sinuosity, 1"},
     {"drained_share", [](const Record& r) { return r.drained_share; }, "Drained ground",
      "whose water comes to the border", "Share of the cells, 1"},
     {"sediment_in_m3", [](const Record& r) { return r.sediment_in; }},
     {"sediment_out_m3", [](const Record& r) { return r.sediment_out; }, "Sediment",
      "that has left over the border", "Sediment, m³"},
     {"bedrock_eroded_m3", [](const Record& r) { return r.bedrock_eroded; }},
     {"lake_volume_m3", [](const Record& r) { return r.lake_volume; }, "Lakes", "water that stands in them",
      "Volume, m³"},
     {"moves", [](const Record& r) { return static_cast<double>(r.moves); }},
     {"mass_error", [](const Record& r) { return static_cast<double>(r.sediment_error); }}}};

std::vector<double> column_of(const ParticleMetrics& metrics, const RecordColumn& column) {
    std::vector<double> values;
    for (const ParticleReport& record : metrics.records) values.push_back(column.value(record));
    return values;
}

TimeCharts charts_of(const ParticleMetrics& metrics, const std::string& title) {
    TimeCharts charts{
        .title = title, .time_axis = "Cycle", .times = column_of(metrics, kRecordColumns[0]), .charts = {}};
    for (const RecordColumn& column : kRecordColumns)
        if (column.title != nullptr)
            charts.charts.push_back({.title = column.title,
                                     .subtitle = column.subtitle,
                                     .axis = column.axis,
                                     .values = column_of(metrics, column)});
    return charts;
}

}  // namespace

std::string particle_metrics_csv(const ParticleMetrics& metrics) {
    std::string text;
    for (const RecordColumn& column : kRecordColumns)
        text += fmt::format("{}{}", text.empty() ? "" : ",", column.name);
    text += '\n';
    for (const ParticleReport& record : metrics.records) {
        std::string line;
        for (const RecordColumn& column : kRecordColumns)
            line += fmt::format("{}{:.12g}", line.empty() ? "" : ",", column.value(record));
        text += line + '\n';
    }
    return text;
}

std::string particle_metrics_json(const ParticleMetrics& metrics) {
    nlohmann::ordered_json json;
    json["version"] = kVersion;
    for (const RecordColumn& column : kRecordColumns) json[column.name] = column_of(metrics, column);
    return json.dump(2) + "\n";
}

void write_particle_metrics(const std::filesystem::path& path, const ParticleMetrics& metrics,
                            const std::string& title) {
    check_metrics_file(path);
    const std::string extension = lower_case_extension(path);
    if (extension == ".png") return write_png(path, draw_time_charts(charts_of(metrics, title)));
    const std::string text = extension == ".csv"    ? particle_metrics_csv(metrics)
                             : extension == ".json" ? particle_metrics_json(metrics)
                                                    : time_charts_svg(charts_of(metrics, title));
    write_file_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace thalweg
