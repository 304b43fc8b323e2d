#include "thalweg/render/analysis_charts.hpp"

#include "thalweg/render/chart/chart_sheet.hpp"
#include "thalweg/render/drawing/legend.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kSquareKilometre = 1e6;  // m^2
constexpr double kKilometre = 1000.0;     // m
constexpr std::size_t kMostInLegend = 6;  // basins

constexpr Colour kMeasured = srgb(0x2F6690);  // what counts in a fit
constexpr Colour kBeside = srgb(0xA9BFD0);    // what does not
constexpr Colour kFitted = srgb(0xC8553D);

Colour basin_colour(std::size_t basin) {
    return kSeriesColours[basin % kMostInLegend];
}

std::string area_in_words(double square_metres) {
    return fmt::format("{:.3g} km²", square_metres / kSquareKilometre);
}

/// With a true minus sign.
std::string signed_number(double number, int digits) {
    return fmt::format("{}{:.{}f}", number < 0.0 ? "−" : "", std::abs(number), digits);
}

std::string more_basins(std::size_t basins) {
    return basins > kMostInLegend ? fmt::format("and {} smaller basins", basins - kMostInLegend) : "";
}

Chart slope_area_chart(const SlopeArea& found) {
    Chart chart{.title = "Slope and area", .subtitle = {}, .x = {}, .y = {}, .series = {}, .remark = {}};
    ChartSeries spans{
        .mark = Mark::Spans, .points = {}, .colour = kBeside, .width = 0.35, .legend = "quartiles"};
    ChartSeries beside{.mark = Mark::Dots, .points = {}, .colour = kBeside, .width = 1.3, .legend = {}};
    ChartSeries medians{.mark = Mark::Dots, .points = {}, .colour = kMeasured, .width = 1.3, .legend = {}};
    for (const SlopeAreaBin& bin : found.bins) {
        const double area = bin.area / kSquareKilometre;
        spans.points.push_back({area, std::max(bin.lower_quartile, 0.2 * bin.median), bin.upper_quartile});
        const bool is_fitted = found.fit && bin.area >= found.fit->least_area * (1.0 - 1e-12) &&
                               bin.area <= found.fit->greatest_area * (1.0 + 1e-12);
        (is_fitted ? medians : beside).points.push_back({area, bin.median, 0.0});
    }
    medians.legend = "median of slope";
    beside.legend = found.fit ? "outside the fit" : "median of slope";
    chart.series = {spans, beside, medians};
    if (found.fit) {
        ChartSeries line{.mark = Mark::Line, .points = {}, .colour = kFitted, .width = 0.45, .legend = {}};
        for (const double area : {found.fit->least_area, found.fit->greatest_area})
            line.points.push_back(
                {area / kSquareKilometre, found.fit->steepness * std::pow(area, -found.fit->concavity), 0.0});
        line.legend = fmt::format("S = {:.3g} A^{{{}}}, A in m²", found.fit->steepness,
                                  signed_number(-found.fit->concavity, 3));
        chart.series.push_back(line);
        chart.subtitle =
            fmt::format("θ = {:.3f}, k_{{s}} = {:.3g} m^{{{}}} from {} to {}, R² = {:.2f}",
                        found.fit->concavity, found.fit->steepness,
                        signed_number(2.0 * found.fit->concavity, 2), area_in_words(found.fit->least_area),
                        area_in_words(found.fit->greatest_area), found.fit->r_squared);
    } else {
        chart.subtitle = fmt::format("no fit: fewer than 3 bins of rivers from {} on",
                                     area_in_words(found.parameters.least_area));
    }
    std::erase_if(chart.series, [](const ChartSeries& series) { return series.points.empty(); });
    chart.x = axis_of_x("Drainage area, km²", chart.series, true);
    chart.y = axis_of_y("Slope, m/m", chart.series, true);
    return chart;
}

Chart hack_chart(const HackLaw& law) {
    Chart chart{.title = "Hack’s law", .subtitle = {}, .x = {}, .y = {}, .series = {}, .remark = {}};
    ChartSeries basins{.mark = Mark::Dots,
                       .points = {},
                       .colour = kMeasured,
                       .width = law.points.size() > 500 ? 0.6 : 0.9,
                       .legend = fmt::format("{} basins of river reaches", law.points.size())};
    double least = std::numeric_limits<double>::infinity(), greatest = 0.0;
    for (const HackPoint& point : law.points) {
        basins.points.push_back({point.area / kSquareKilometre, point.length / kKilometre, 0.0});
        least = std::min(least, point.area);
        greatest = std::max(greatest, point.area);
    }
    chart.series = {basins};
    if (law.fit) {
        ChartSeries line{.mark = Mark::Line, .points = {}, .colour = kFitted, .width = 0.45, .legend = {}};
        for (const double area : {least, greatest})
            line.points.push_back({area / kSquareKilometre,
                                   law.fit->coefficient * std::pow(area, law.fit->exponent) / kKilometre,
                                   0.0});
        line.legend = fmt::format("L = {:.3g} A^{{{}}}, in m and m²", law.fit->coefficient,
                                  signed_number(law.fit->exponent, 3));
        chart.series.push_back(line);
        chart.subtitle =
            fmt::format("h = {:.3f}, c = {:.3g} m^{{{}}} from {} on, R² = {:.2f}", law.fit->exponent,
                        law.fit->coefficient, signed_number(1.0 - 2.0 * law.fit->exponent, 2),
                        area_in_words(law.least_area), law.fit->r_squared);
    } else {
        chart.subtitle = fmt::format("no fit: fewer than 10 basins from {} on, or all of one size",
                                     area_in_words(law.least_area));
    }
    chart.x = axis_of_x("Drainage area, km²", chart.series, true);
    chart.y = axis_of_y("Length from the divide, km", chart.series, true);
    return chart;
}

ChartSeries hypsometric_line(const HypsometricCurve& curve, Colour colour, double width) {
    ChartSeries line{.mark = Mark::Line, .points = {}, .colour = colour, .width = width, .legend = {}};
    for (std::size_t i = 0; i < curve.area_at_height.size(); ++i)
        line.points.push_back({curve.area_at_height[i], static_cast<double>(i) / kHypsometricSteps, 0.0});
    return line;
}

Chart hypsometry_chart(const Hypsometry& found) {
    Chart chart{.title = "Hypsometry", .subtitle = {}, .x = {}, .y = {}, .series = {}, .remark = {}};
    if (found.whole.integral) {
        ChartSeries whole = hypsometric_line(found.whole, kInk, 0.55);
        whole.legend =
            fmt::format("all of {}: {:.3f}", area_in_words(found.whole.area), *found.whole.integral);
        chart.series.push_back(whole);
        chart.subtitle = fmt::format("integral {:.3f}, from {} to {} m", *found.whole.integral,
                                     number_in_words(std::round(found.whole.least)),
                                     number_in_words(std::round(found.whole.greatest)));
    } else {
        chart.subtitle = "no curve: the ground is level";
    }
    for (std::size_t i = 0; i < found.basins.size(); ++i) {
        const HypsometricCurve& curve = found.basins[i].curve;
        if (!curve.integral) continue;
        ChartSeries line = hypsometric_line(curve, basin_colour(i), 0.3);
        if (i < kMostInLegend)
            line.legend = fmt::format("basin of {}: {:.3f}", area_in_words(curve.area), *curve.integral);
        chart.series.push_back(line);
    }
    chart.remark = more_basins(found.basins.size());
    chart.x = {.title = "Share of area above", .low = 0.0, .high = 1.0};
    chart.y = {.title = "Height between the lowest and the highest, 0 to 1", .low = 0.0, .high = 1.0};
    return chart;
}

ChartSeries chi_line(const ChiStream& stream, Colour colour, double width) {
    ChartSeries line{.mark = Mark::Line, .points = {}, .colour = colour, .width = width, .legend = {}};
    for (std::size_t i = 0; i < stream.chi.size(); ++i)
        line.points.push_back({stream.chi[i], stream.elevation[i], 0.0});
    return line;
}

std::string chi_legend(const ChiBasin& basin) {
    std::string text = area_in_words(basin.area);
    if (basin.fit) text += fmt::format(": k_{{sn}} {:.3g}", basin.fit->steepness);
    if (basin.best) text += fmt::format(", best m/n {:.2f}", basin.best->concavity);
    return text;
}

Chart chi_chart(const ChiProfiles& profiles) {
    const ChiParameters& chi = profiles.parameters.chi;
    Chart chart{.title = "Chi profiles", .subtitle = {}, .x = {}, .y = {}, .series = {}, .remark = {}};
    chart.subtitle =
        profiles.basins.empty()
            ? fmt::format("no basin of {} or more", area_in_words(profiles.parameters.least_area))
            : fmt::format("m/n = {:.3g}, k_{{sn}} in m^{{{:.3g}}}; trunks thick, tributaries thin",
                          chi.concavity, 2.0 * chi.concavity);
    // The largest basin last, above the others; tributaries below all trunks.
    for (std::size_t i = profiles.basins.size(); i-- > 0;)
        for (std::size_t k = 1; k < profiles.basins[i].streams.size(); ++k)
            chart.series.push_back(
                chi_line(profiles.basins[i].streams[k], mix(basin_colour(i), kPaper, 0.45F), 0.18));
    for (std::size_t i = 0; i < profiles.basins.size(); ++i) {
        if (profiles.basins[i].streams.empty()) continue;
        ChartSeries trunk = chi_line(profiles.basins[i].streams.front(), basin_colour(i), 0.5);
        if (i < kMostInLegend) trunk.legend = chi_legend(profiles.basins[i]);
        chart.series.push_back(trunk);
    }
    chart.remark = more_basins(profiles.basins.size());
    chart.x =
        axis_of_x(fmt::format("χ, m (A₀ = {} m²)", number_in_words(chi.reference_area)), chart.series, false);
    chart.y = axis_of_y("Elevation, m", chart.series, false);
    return chart;
}

std::vector<Chart> charts_of(const TerrainAnalyses& analyses) {
    std::vector<Chart> charts;
    if (analyses.slope_area) charts.push_back(slope_area_chart(*analyses.slope_area));
    if (analyses.hack) charts.push_back(hack_chart(*analyses.hack));
    if (analyses.hypsometry) charts.push_back(hypsometry_chart(*analyses.hypsometry));
    if (analyses.chi_profiles) charts.push_back(chi_chart(*analyses.chi_profiles));
    return charts;
}

}  // namespace

Image draw_analyses(const TerrainAnalyses& analyses, const std::string& title, int chart_width) {
    return draw_chart_sheet({.title = title, .charts = charts_of(analyses), .chart_width = chart_width});
}

std::string analyses_svg(const TerrainAnalyses& analyses, const std::string& title, int chart_width) {
    return chart_sheet_svg({.title = title, .charts = charts_of(analyses), .chart_width = chart_width});
}

}  // namespace thalweg
