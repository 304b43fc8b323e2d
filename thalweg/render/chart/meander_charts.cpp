#include "thalweg/render/meander_charts.hpp"

#include "thalweg/render/chart/chart_sheet.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::size_t kMostReaches = 5;  // in colours of their own
constexpr double kWholeWidth = 0.6;
constexpr double kReachWidth = 0.3;
constexpr double kFaintWidth = 0.12;
constexpr double kBoundWidth = 0.25;

constexpr Colour kOtherReaches = srgb(0xC9C3B8);
constexpr Colour kBound = srgb(0x9A8F7D);  // of what real rivers have
constexpr Colour kFastest = srgb(0x8A8781);

/// A number of a channel in a year, or nothing where it has none.
using ChannelNumber = std::function<std::optional<double>(const ChannelMetrics&)>;

/// All reaches that there were, those first that have the most length over all years.
std::vector<std::int64_t> reaches_by_length(const MeanderMetrics& metrics) {
    std::map<std::int64_t, double> lengths;  // m, summed over the records
    for (const NetworkMetrics& network : metrics.networks)
        for (const ReachMetrics& reach : network.reaches) lengths[reach.reach] += reach.channel.form.length;
    std::vector<std::int64_t> ids;
    for (const auto& [id, length] : lengths) ids.push_back(id);
    std::ranges::stable_sort(ids, std::ranges::greater{}, [&](std::int64_t id) { return lengths.at(id); });
    return ids;
}

ChartSeries line_of(Colour colour, double width, const std::string& legend) {
    return {.mark = Mark::Line, .points = {}, .colour = colour, .width = width, .legend = legend};
}

/// Adds the series unless it is empty; a single point as a dot.
void add_series(Chart& chart, ChartSeries series) {
    if (series.points.empty()) return;
    if (series.points.size() == 1) {
        series.mark = Mark::Dots;
        series.width *= 3.0;
    }
    chart.series.push_back(std::move(series));
}

void add_whole(const MeanderMetrics& metrics, const ChannelNumber& number_of, ChartSeries line,
               Chart& chart) {
    for (const NetworkMetrics& network : metrics.networks)
        if (const auto number = number_of(network.whole)) line.points.push_back({network.year, *number, 0.0});
    add_series(chart, std::move(line));
}

void add_reach(const MeanderMetrics& metrics, std::int64_t id, const ChannelNumber& number_of,
               ChartSeries line, Chart& chart) {
    for (const NetworkMetrics& network : metrics.networks)
        for (const ReachMetrics& reach : network.reaches)
            if (reach.reach == id)
                if (const auto number = number_of(reach.channel))
                    line.points.push_back({network.year, *number, 0.0});
    add_series(chart, std::move(line));
}

/// One chart's titles and what it shows.
struct NumberChart {
    std::string title;
    std::string subtitle;
    std::string unit;  // as it stands on the axis
    ChannelNumber number_of;
    std::vector<ChartSeries> below = {};  // other lines
};

ChartAxis axis_of_years(const MeanderMetrics& metrics, const std::vector<ChartSeries>& series) {
    const double first = metrics.networks.empty() ? 0.0 : metrics.networks.front().year;
    const double last = metrics.networks.empty() ? 0.0 : metrics.networks.back().year;
    return axis_of_time("Year", first, last, series);
}

Chart number_chart(const MeanderMetrics& metrics, const NumberChart& wanted) {
    Chart chart{
        .title = wanted.title, .subtitle = wanted.subtitle, .x = {}, .y = {}, .series = {}, .remark = {}};
    const std::vector<std::int64_t> reaches = reaches_by_length(metrics);
    const std::size_t coloured = reaches.size() > 1 ? std::min(reaches.size(), kMostReaches) : 0;
    for (std::size_t i = 0; i < coloured; ++i)
        add_reach(metrics, reaches[i], wanted.number_of,
                  line_of(kSeriesColours[i], kReachWidth, fmt::format("reach {}", reaches[i])), chart);
    if (reaches.size() > kMostReaches)
        chart.remark = fmt::format("and {} other reaches", reaches.size() - kMostReaches);
    for (const ChartSeries& series : wanted.below) add_series(chart, series);
    add_whole(metrics, wanted.number_of, line_of(kInk, kWholeWidth, "all channels"), chart);
    chart.x = axis_of_years(metrics, chart.series);
    chart.y = axis_of_y(wanted.unit, chart.series, false);
    // Other reaches lie below the rest, and may leave the axis: short ones have wild rates.
    Chart others{.title = {}, .subtitle = {}, .x = {}, .y = {}, .series = {}, .remark = {}};
    for (std::size_t i = kMostReaches; i < reaches.size(); ++i)
        add_reach(metrics, reaches[i], wanted.number_of, line_of(kOtherReaches, kFaintWidth, ""), others);
    chart.series.insert(chart.series.begin(), others.series.begin(), others.series.end());
    return chart;
}

std::string window_in_words(const MeanderMetrics& metrics) {
    return metrics.parameters.window > 0.0 ? fmt::format("mean of {:.6g} years", metrics.parameters.window)
                                           : "from record to record";
}

Chart sinuosity_chart(const MeanderMetrics& metrics) {
    ChartSeries bound = line_of(kBound, kBoundWidth, fmt::format("meandering: {:.2g}", kMeanderingSinuosity));
    for (const NetworkMetrics& network : metrics.networks)
        bound.points.push_back({network.year, kMeanderingSinuosity, 0.0});
    return number_chart(metrics,
                        {.title = "Sinuosity",
                         .subtitle = "length over chord",
                         .unit = "Sinuosity, 1",
                         .number_of = [](const ChannelMetrics& channel) { return channel.form.sinuosity; },
                         .below = {bound}});
}

std::optional<double> wavelength_of(const ChannelMetrics& channel) {
    if (channel.form.bends == 0) return std::nullopt;
    return channel.form.wavelength;
}

std::optional<double> amplitude_of(const ChannelMetrics& channel) {
    if (channel.form.bends == 0) return std::nullopt;
    return channel.form.amplitude;
}

Chart wavelength_chart(const MeanderMetrics& metrics) {
    ChartSeries low = line_of(kBound, kBoundWidth, "range of real rivers");
    ChartSeries high = line_of(kBound, kBoundWidth, "");
    for (const NetworkMetrics& network : metrics.networks) {
        const ReferenceBand band = natural_wavelengths(network.whole.form.width);
        low.points.push_back({network.year, band.low, 0.0});
        high.points.push_back({network.year, band.high, 0.0});
    }
    return number_chart(metrics, {.title = "Wavelength",
                                  .subtitle = "of a full wave, median of bends",
                                  .unit = "Wavelength, m",
                                  .number_of = wavelength_of,
                                  .below = {low, high}});
}

Chart migration_chart(const MeanderMetrics& metrics) {
    ChartSeries fastest = line_of(kFastest, kBoundWidth, "90th percentile of all");
    for (const NetworkMetrics& network : metrics.networks)
        if (network.whole.migration.years > 0.0)
            fastest.points.push_back({network.year, network.whole.migration.p90, 0.0});
    const auto mean = [](const ChannelMetrics& channel) -> std::optional<double> {
        if (!(channel.migration.years > 0.0)) return std::nullopt;
        return channel.migration.mean;
    };
    return number_chart(metrics, {.title = "Migration",
                                  .subtitle = window_in_words(metrics),
                                  .unit = "Migration, m/yr",
                                  .number_of = mean,
                                  .below = {fastest}});
}

Chart cutoff_chart(const MeanderMetrics& metrics) {
    const auto rate = [](const ChannelMetrics& channel) -> std::optional<double> {
        if (!(channel.migration.years > 0.0)) return std::nullopt;
        return channel.cutoff_rate;
    };
    const std::int64_t cutoffs = metrics.networks.empty() ? 0 : metrics.networks.back().whole.cutoffs;
    return number_chart(metrics, {.title = "Cutoffs",
                                  .subtitle = fmt::format("{}; {} in all", window_in_words(metrics), cutoffs),
                                  .unit = "Cutoffs a century and 100 km of straight line",
                                  .number_of = rate});
}

ChartSheet meander_sheet(const MeanderMetrics& metrics, const std::string& title, int chart_width) {
    return {.title = title,
            .charts = {sinuosity_chart(metrics), wavelength_chart(metrics),
                       number_chart(metrics, {.title = "Amplitude",
                                              .subtitle = "distance of bends from the valley line, median",
                                              .unit = "Amplitude, m",
                                              .number_of = amplitude_of}),
                       number_chart(metrics,
                                    {.title = "Belt",
                                     .subtitle = "ground where channels have been, over the valley’s length",
                                     .unit = "Width of the belt, m",
                                     .number_of = [](const ChannelMetrics& c) { return c.belt_width; }}),
                       migration_chart(metrics), cutoff_chart(metrics)},
            .chart_width = chart_width};
}

}  // namespace

Image draw_meander_metrics(const MeanderMetrics& metrics, const std::string& title, int chart_width) {
    return draw_chart_sheet(meander_sheet(metrics, title, chart_width));
}

std::string meander_metrics_svg(const MeanderMetrics& metrics, const std::string& title, int chart_width) {
    return chart_sheet_svg(meander_sheet(metrics, title, chart_width));
}

}  // namespace thalweg
