#include "thalweg/render/chart/description_charts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace thalweg {
namespace {

constexpr double kPerSquareKilometre = 1e-6;  // of m^2
constexpr double kPerKilometre = 1e-3;        // of m
constexpr double kPercent = 100.0;
constexpr double kLeastShown = 0.05;  // %, of slopes
constexpr double kLineWidth = 0.4;    // hundredths of a chart's width
constexpr double kDotWidth = 1.1;

using CurveOf = std::function<std::vector<ChartPoint>(const TerrainCurves&)>;

std::vector<ChartSeries> lines_of(std::span<const DescribedTerrain> terrains, const CurveOf& curve_of) {
    std::vector<ChartSeries> lines;
    for (std::size_t i = 0; i < terrains.size(); ++i)
        lines.push_back({.mark = Mark::Line,
                         .points = curve_of(terrains[i].description.curves),
                         .colour = kSeriesColours[i],
                         .width = kLineWidth,
                         .legend = {}});
    return lines;
}

/// `lines`, and dots where they have points.
std::vector<ChartSeries> with_dots(std::vector<ChartSeries> lines) {
    const std::size_t count = lines.size();
    for (std::size_t i = 0; i < count; ++i) {
        ChartSeries dots = lines[i];
        dots.mark = Mark::Dots;
        dots.width = kDotWidth;
        lines.push_back(std::move(dots));
    }
    return lines;
}

std::vector<ChartPoint> scaled(const std::vector<CurvePoint>& curve, double x_factor) {
    std::vector<ChartPoint> points;
    for (const CurvePoint& point : curve) points.push_back({x_factor * point.x, point.y, 0.0});
    return points;
}

/// Those of its points that logarithmic axes hold.
std::vector<ChartPoint> scaled_above_0(const std::vector<CurvePoint>& curve, double x_factor) {
    std::vector<ChartPoint> points = scaled(curve, x_factor);
    std::erase_if(points, [](const ChartPoint& point) { return !(point.x > 0.0 && point.y > 0.0); });
    return points;
}

/// A logarithmic axis of y that spans a factor of 10 or more.
ChartAxis wide_axis(const char* title, const std::vector<ChartSeries>& series) {
    ChartAxis axis = axis_of_y(title, series, true);
    const double room = std::sqrt(std::max(10.0 * axis.low / axis.high, 1.0));
    axis.low /= room;
    axis.high *= room;
    return axis;
}

/// Per cent at the middles of bins, the first of which lies at `first`.
std::vector<ChartPoint> histogram(const std::vector<double>& shares, double first, double bin) {
    std::vector<ChartPoint> points;
    for (std::size_t i = 0; i < shares.size(); ++i)
        points.push_back({first + bin * static_cast<double>(i), kPercent * shares[i], 0.0});
    return points;
}

Chart chart_of(const char* title, std::vector<ChartSeries> series) {
    return {.title = title, .subtitle = {}, .x = {}, .y = {}, .series = std::move(series), .remark = {}};
}

/// From 0 on.
ChartAxis share_axis(const char* title, const std::vector<ChartSeries>& series) {
    ChartAxis axis = axis_of_y(title, series, false);
    axis.low = 0.0;
    return axis;
}

ChartAxis angle_axis(const char* title, double high, double step) {
    ChartAxis axis{.title = title, .low = 0.0, .high = high};
    for (double angle = 0.0; angle <= high; angle += step)
        axis.ticks.push_back({angle, std::to_string(static_cast<int>(angle))});
    return axis;
}

Chart hypsometry_of_terrains(std::span<const DescribedTerrain> terrains) {
    Chart chart =
        chart_of("Hypsometry", lines_of(terrains, [](const TerrainCurves& curves) {
                     const std::vector<double>& areas = curves.hypsometry.area_at_height;
                     std::vector<ChartPoint> points;
                     for (std::size_t i = 0; i < areas.size(); ++i)
                         points.push_back({areas[i], static_cast<double>(i) / kHypsometricSteps, 0.0});
                     return points;
                 }));
    chart.x = {.title = "Share of area above", .low = 0.0, .high = 1.0};
    chart.y = {.title = "Height, from the lowest 0 to the highest 1", .low = 0.0, .high = 1.0};
    return chart;
}

Chart slopes_of_terrains(std::span<const DescribedTerrain> terrains) {
    Chart chart = chart_of("Slopes", lines_of(terrains, [](const TerrainCurves& curves) {
                               return histogram(curves.slope_shares, 0.5 * kSlopeBin, kSlopeBin);
                           }));
    double steepest = 0.0;  // degrees
    for (const ChartSeries& line : chart.series)
        for (const ChartPoint& point : line.points)
            if (point.y > kLeastShown) steepest = std::max(steepest, point.x + 0.5 * kSlopeBin);
    chart.x = angle_axis("Slope, degrees", std::max(steepest, 10.0), 10.0);
    chart.y = share_axis("Ground per 2 degrees, %", chart.series);
    return chart;
}

Chart slope_area_of_terrains(std::span<const DescribedTerrain> terrains) {
    Chart chart = chart_of("Slope and area", with_dots(lines_of(terrains, [](const TerrainCurves& curves) {
                               return scaled_above_0(curves.slope_area, kPerSquareKilometre);
                           })));
    chart.x = axis_of_x("Drainage area, km²", chart.series, true);
    chart.y = wide_axis("Median slope, m/m", chart.series);
    return chart;
}

Chart profiles_of_terrains(std::span<const DescribedTerrain> terrains) {
    Chart chart =
        chart_of("Profile of the largest river", lines_of(terrains, [](const TerrainCurves& curves) {
                     return scaled(curves.long_profile, kPerKilometre);
                 }));
    chart.x = axis_of_x("Distance to its mouth, km", chart.series, false);
    chart.y = axis_of_y("Height above its mouth, m", chart.series, false);
    return chart;
}

Chart spectra_of_terrains(std::span<const DescribedTerrain> terrains) {
    Chart chart = chart_of("Spectrum of elevation", lines_of(terrains, [](const TerrainCurves& curves) {
                               return scaled_above_0(curves.spectrum, kPerKilometre);
                           }));
    chart.x = axis_of_x("Wavelength, km", chart.series, true);
    chart.y = wide_axis("Mean power, m²", chart.series);
    return chart;
}

Chart aspects_of_terrains(std::span<const DescribedTerrain> terrains) {
    Chart chart = chart_of("Aspect", lines_of(terrains, [](const TerrainCurves& curves) {
                               std::vector<double> shares = curves.aspect_shares;
                               if (!shares.empty()) shares.push_back(shares.front());  // north again
                               return histogram(shares, 0.0, kAspectBin);
                           }));
    chart.x = {.title = "Direction that ground faces",
               .low = 0.0,
               .high = 360.0,
               .ticks = {{0.0, "N"},
                         {45.0, "NE"},
                         {90.0, "E"},
                         {135.0, "SE"},
                         {180.0, "S"},
                         {225.0, "SW"},
                         {270.0, "W"},
                         {315.0, "NW"},
                         {360.0, "N"}}};
    chart.y = share_axis("Ground per 15 degrees, %", chart.series);
    return chart;
}

Chart junctions_of_terrains(std::span<const DescribedTerrain> terrains) {
    Chart chart = chart_of("Junctions of rivers", lines_of(terrains, [](const TerrainCurves& curves) {
                               return histogram(curves.junction_shares, 0.5 * kJunctionBin, kJunctionBin);
                           }));
    chart.x = angle_axis("Angle between the rivers, degrees", 180.0, 30.0);
    chart.y = share_axis("Junctions per 15 degrees, %", chart.series);
    return chart;
}

Chart floors_of_terrains(std::span<const DescribedTerrain> terrains) {
    Chart chart = chart_of("Valley floors", with_dots(lines_of(terrains, [](const TerrainCurves& curves) {
                               return scaled_above_0(curves.floor_widths, kPerSquareKilometre);
                           })));
    chart.x = axis_of_x("Drainage area, km²", chart.series, true);
    chart.y = wide_axis("Width of ground within 10 m above the river, m", chart.series);
    return chart;
}

}  // namespace

std::vector<Chart> description_charts(std::span<const DescribedTerrain> terrains) {
    std::vector<Chart> charts = {hypsometry_of_terrains(terrains), slopes_of_terrains(terrains),
                                 slope_area_of_terrains(terrains), profiles_of_terrains(terrains),
                                 spectra_of_terrains(terrains),    aspects_of_terrains(terrains),
                                 junctions_of_terrains(terrains),  floors_of_terrains(terrains)};
    for (Chart& chart : charts)
        if (std::ranges::all_of(chart.series, [](const ChartSeries& line) { return line.points.empty(); }))
            chart.subtitle = "nothing to draw: too little such ground";
    return charts;
}

}  // namespace thalweg
