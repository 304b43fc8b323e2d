#include "thalweg/flow/analysis/line_fit.hpp"
#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/survey/samples.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace thalweg {
namespace {

constexpr double kSlopeDrop = 10.0;         // m, over which slopes are taken
constexpr double kLeastSlopeDrop = 8.0;     // m, where that is not reached
constexpr double kMostSlopeLength = 100.0;  // steps
constexpr double kSlopeSpacing = 3.0;       // steps, from one slope to the next
constexpr double kLeastRiver = 1e6;         // m^2: below, debris flows cut valleys (Stock and Dietrich 2003)
constexpr double kBinsPerDecade = 5.0;
constexpr std::size_t kFewestSlopes = 51;
constexpr std::size_t kFewestInBin = 10;
constexpr std::size_t kFewestBins = 4;

/// Slopes of rivers, decades.
struct RiverSlopes {
    std::vector<double> log_area;   // of m^2
    std::vector<double> log_slope;  // of m/m
};

void measure_stem(const Survey& survey, const StreamTree& tree, const River& stem, RiverSlopes& slopes) {
    const auto last = std::ssize(stem) - 1;
    const int longest = survey.scale.whole_cells(kMostSlopeLength);
    const auto height = [&](std::int64_t i) { return tree.elevation[at(stem[at(i)])]; };
    std::int64_t end = 0;
    for (std::int64_t i = 0; i < last; i += survey.scale.whole_cells(kSlopeSpacing)) {
        end = std::max(end, i + 1);
        while (end < last && height(i) - height(end) < kSlopeDrop && end - i < longest) ++end;
        const double drop = height(i) - height(end);
        const std::size_t middle = at(stem[at((i + end) / 2)]);
        if (drop < kLeastSlopeDrop || tree.area[middle] < kLeastRiver ||
            survey.ground[tree.cell[middle]] == 0)
            continue;
        const double length = tree.distance[at(stem[at(i)])] - tree.distance[at(stem[at(end)])];
        slopes.log_area.push_back(decades_of(tree.area[middle]));
        slopes.log_slope.push_back(decades_of(drop / length));
    }
}

/// Flint's law through the medians of bins of area.
std::optional<LineFit> law_of(const RiverSlopes& slopes) {
    struct Bin {
        std::vector<float> log_area, log_slope;
    };
    std::map<std::int64_t, Bin> bins;
    for (std::size_t i = 0; i < slopes.log_area.size(); ++i) {
        Bin& bin = bins[static_cast<std::int64_t>(std::floor(kBinsPerDecade * slopes.log_area[i]))];
        bin.log_area.push_back(static_cast<float>(slopes.log_area[i]));
        bin.log_slope.push_back(static_cast<float>(slopes.log_slope[i]));
    }
    std::vector<double> area, slope;
    for (const auto& [number, bin] : bins) {
        if (bin.log_area.size() < kFewestInBin) continue;
        area.push_back(moments_of(bin.log_area).mean);
        slope.push_back(median_of(bin.log_slope));
    }
    return area.size() < kFewestBins ? std::nullopt : fit_line(area, slope);
}

void describe_concavity(const Survey& survey, const RiverPieces& rivers, TerrainStatistics& statistics) {
    RiverSlopes slopes;
    for (const River& stem : rivers.stems) measure_stem(survey, rivers.tree, stem, slopes);
    if (slopes.log_area.size() < kFewestSlopes) return;
    const std::optional<LineFit> law = law_of(slopes);
    if (!law) return;
    statistics.concavity = -law->slope;
    std::vector<float> away;
    for (std::size_t i = 0; i < slopes.log_area.size(); ++i)
        away.push_back(
            static_cast<float>(slopes.log_slope[i] - law->intercept - law->slope * slopes.log_area[i]));
    statistics.steepness_spread = moments_of(away).deviation;
}

/// Of the river that drains the largest area, from its mouth up.
std::vector<CurvePoint> long_profile(const StreamTree& tree) {
    std::int32_t mouth = -1;
    for (std::int32_t entry = 0; entry < tree.size(); ++entry)
        if (tree.below[at(entry)] < 0 && (mouth < 0 || tree.area[at(entry)] > tree.area[at(mouth)]))
            mouth = entry;
    std::vector<CurvePoint> profile;
    for (std::int32_t entry = mouth; entry >= 0; entry = tree.main_donor[at(entry)])
        profile.push_back(
            {.x = tree.distance[at(entry)], .y = tree.elevation[at(entry)] - tree.elevation[at(mouth)]});
    return profile;
}

}  // namespace

void describe_profiles(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description) {
    describe_concavity(survey, rivers, description.statistics);
    description.curves.long_profile = long_profile(rivers.tree);
}

}  // namespace thalweg
