#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/survey/planar_path.hpp"
#include "thalweg/flow/survey/samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

// All lengths in steps.
constexpr double kLeastStream = 25.0;     // whose sinuosity is measured
constexpr double kStreamSmoothing = 2.0;  // deviations of gaussians
constexpr double kWindowSmoothing = 1.5;
constexpr double kTurnSmoothing = 1.0;
constexpr double kCourseSmoothing = 6.0;   // of the course about which rivers are rough
constexpr double kLeastWindowShift = 4.0;  // from one window to the next; or half a window
constexpr double kLeastRoughStem = 40.0;
constexpr double kRoughEnds = 10.0;      // at ends of stems, where smoothing is one-sided
constexpr double kNearDirection = 10.0;  // degrees
constexpr double kLargeRiver = 10000.0;  // square steps
constexpr double kGroundShare = 0.7;     // of a piece that counts
constexpr double kLeastChord = 1.0;
constexpr std::size_t kFewestStreams = 3;
constexpr std::size_t kFewestWindows = 11;
constexpr double kHalfTurn = std::numbers::pi;

/// Cells over which directions of rivers are taken: of how many decides which bearings there are.
constexpr int kDirectionCells = 10;

double mean_of_many(const std::vector<float>& sample, std::size_t fewest) {
    return sample.size() < fewest ? kNoStatistic : moments_of(sample).mean;
}

PlanarPath smooth_path(const Survey& survey, const StreamTree& tree, const River& river, double steps) {
    return smoothed(planar_path(survey, tree, river), survey.scale.cells_of(steps));
}

void describe_streams(const Survey& survey, const RiverPieces& rivers, TerrainStatistics& statistics) {
    const auto least = at(survey.scale.whole_cells(kLeastStream));
    std::array<std::vector<float>, 3> sinuosities;  // by order, from 1
    for (const River& stream : rivers.streams) {
        const auto order = at(rivers.order[at(stream.front())]);
        if (order > sinuosities.size() || stream.size() < least ||
            ground_share(survey, rivers.tree, stream) < kGroundShare)
            continue;
        const PlanarPath path = smooth_path(survey, rivers.tree, stream, kStreamSmoothing);
        const double chord = std::max(path.chord(0, path.size() - 1), kLeastChord);
        sinuosities[order - 1].push_back(static_cast<float>(way_along(path).back() / chord));
    }
    const auto median = [&](std::size_t order) {
        const std::vector<float>& sample = sinuosities[order - 1];
        return sample.size() < kFewestStreams ? kNoStatistic : median_of(sample);
    };
    statistics.sinuosity_order_1 = median(1);
    statistics.sinuosity_order_2 = median(2);
    statistics.sinuosity_order_3 = median(3);
}

/// Sinuosities of stems over windows of one length.
struct WindowSinuosities {
    std::vector<float> all;
    std::vector<float> of_large_rivers;
};

WindowSinuosities sinuosities_over(double steps, const Survey& survey, const RiverPieces& rivers) {
    const int window = survey.scale.whole_cells(steps);
    const int shift = std::max(survey.scale.whole_cells(kLeastWindowShift), window / 2);
    WindowSinuosities found;
    for (const River& stem : rivers.stems) {
        if (std::ssize(stem) <= window) continue;
        const PlanarPath path = smooth_path(survey, rivers.tree, stem, kWindowSmoothing);
        const std::vector<double> way = way_along(path);
        for (int first = 0; first + window < path.size(); first += shift) {
            const int last = first + window;
            const auto cells = std::span(stem).subspan(at(first), at(window));
            if (ground_share(survey, rivers.tree, cells) < kGroundShare) continue;
            const double chord = std::max(path.chord(first, last), kLeastChord);
            found.all.push_back(static_cast<float>((way[at(last)] - way[at(first)]) / chord));
            const std::int32_t middle = rivers.tree.cell[at(stem[at(first + window / 2)])];
            if (survey.upstream(middle) >= kLargeRiver) found.of_large_rivers.push_back(found.all.back());
        }
    }
    return found;
}

void describe_sinuosity(const Survey& survey, const RiverPieces& rivers, TerrainStatistics& statistics) {
    const auto over = [&](double steps) { return sinuosities_over(steps, survey, rivers); };
    const WindowSinuosities middle = over(64.0);
    statistics.sinuosity_short = mean_of_many(over(16.0).all, kFewestWindows);
    statistics.sinuosity_middle = mean_of_many(middle.all, kFewestWindows);
    statistics.sinuosity_long = mean_of_many(over(128.0).all, kFewestWindows);
    statistics.sinuosity_of_large_rivers = mean_of_many(middle.of_large_rivers, kFewestWindows);
}

/// Mean angle, degrees, by which stems turn from one chord of so many steps to the next.
double mean_turn(double steps, const Survey& survey, const RiverPieces& rivers) {
    const int chord = survey.scale.whole_cells(steps);
    std::vector<float> turns;
    for (const River& stem : rivers.stems) {
        if (std::ssize(stem) <= 2 * chord + 2) continue;
        const PlanarPath path = smooth_path(survey, rivers.tree, stem, kTurnSmoothing);
        for (int middle = chord; middle + chord < path.size(); ++middle) {
            if (survey.ground[rivers.tree.cell[at(stem[at(middle)])]] == 0) continue;
            const double turn =
                std::abs(path.bearing(middle, middle + chord) - path.bearing(middle - chord, middle));
            turns.push_back(static_cast<float>(180.0 / kHalfTurn * std::min(turn, 2.0 * kHalfTurn - turn)));
        }
    }
    return moments_of(turns).mean;
}

/// Root of the mean square distance of stems from their smoothed courses, steps.
double roughness(const Survey& survey, const RiverPieces& rivers) {
    const int ends = survey.scale.whole_cells(kRoughEnds);
    std::vector<float> squares;
    for (const River& stem : rivers.stems) {
        if (std::ssize(stem) <= survey.scale.whole_cells(kLeastRoughStem)) continue;
        const PlanarPath path = smooth_path(survey, rivers.tree, stem, kTurnSmoothing);
        const PlanarPath course = smooth_path(survey, rivers.tree, stem, kCourseSmoothing);
        for (int i = ends; i < path.size() - ends; ++i) {
            if (survey.ground[rivers.tree.cell[at(stem[at(i)])]] == 0) continue;
            const double x = path.x[at(i)] - course.x[at(i)], y = path.y[at(i)] - course.y[at(i)];
            squares.push_back(static_cast<float>(x * x + y * y));
        }
    }
    return std::sqrt(moments_of(squares).mean);
}

/// How much more often than by chance rivers run along rows and columns, and along diagonals.
void describe_directions(const Survey& survey, const RiverPieces& rivers, TerrainStatistics& statistics) {
    constexpr double kByChance = 2.0 * kNearDirection / 90.0;
    double along_axes = 0.0, along_diagonals = 0.0, all = 0.0;
    for (const River& stem : rivers.stems) {
        const PlanarPath path = planar_path(survey, rivers.tree, stem);
        for (int first = 0; first + kDirectionCells < path.size(); ++first) {
            if (survey.ground[rivers.tree.cell[at(stem[at(first + kDirectionCells / 2)])]] == 0) continue;
            double folded =
                std::fmod(180.0 / kHalfTurn * path.bearing(first, first + kDirectionCells) + 360.0, 90.0);
            folded = std::min(folded, 90.0 - folded);
            all += 1.0;
            if (folded < kNearDirection) along_axes += 1.0;
            if (folded > 45.0 - kNearDirection) along_diagonals += 1.0;
        }
    }
    if (!(all > 0.0)) return;
    statistics.direction_axis_bias = along_axes / all / kByChance;
    statistics.direction_diagonal_bias = along_diagonals / all / kByChance;
}

}  // namespace

void describe_planform(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description) {
    TerrainStatistics& statistics = description.statistics;
    describe_streams(survey, rivers, statistics);
    describe_sinuosity(survey, rivers, statistics);
    statistics.turn_angle_short = mean_turn(3.0, survey, rivers);
    statistics.turn_angle_middle = mean_turn(5.0, survey, rivers);
    statistics.turn_angle_long = mean_turn(20.0, survey, rivers);
    statistics.planform_roughness = roughness(survey, rivers);
    describe_directions(survey, rivers, statistics);
}

}  // namespace thalweg
