#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/survey/planar_path.hpp"
#include "thalweg/flow/survey/samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace thalweg {
namespace {

constexpr double kLeastMainStream = 60.0;  // steps, along which spacing is measured
constexpr int kLeastMainOrder = 2;
constexpr double kSideSmoothing = 1.0;  // steps
constexpr double kTributaryPart = 8.0;  // steps of a tributary that tell on which side it is
constexpr std::size_t kFewestGaps = 5;  // along one side
constexpr std::size_t kFewestSides = 3;
constexpr double kLeastHeadwater = 10.0;  // steps
constexpr std::size_t kFewestHeadwaters = 21;
constexpr std::size_t kNeighbours = 3;  // of each headwater
constexpr std::int64_t kHeadwatersPerTask = 64;

/// Whether a tributary comes from the left of the stream that it joins at a point.
bool joins_from_left(const Survey& survey, const StreamTree& tree, const PlanarPath& course, int point,
                     const River& tributary) {
    const auto part = std::min(at(survey.scale.whole_cells(kTributaryPart)), tributary.size());
    const PlanarPath way =
        planar_path(survey, tree, std::array{tributary.back(), tributary[tributary.size() - part]});
    const int ahead = std::min(point + 2, course.size() - 1);
    const double along_x = course.x[at(ahead)] - course.x[at(point - 1)];
    const double along_y = course.y[at(ahead)] - course.y[at(point - 1)];
    return along_x * (way.y[1] - way.y[0]) - along_y * (way.x[1] - way.x[0]) > 0.0;
}

/// Adds the variation of gaps between tributaries on each side of a stream.
void measure_spacing(const Survey& survey, const RiverPieces& rivers, const River& stream,
                     std::vector<float>& variations) {
    const PlanarPath course =
        smoothed(planar_path(survey, rivers.tree, stream), survey.scale.cells_of(kSideSmoothing));
    std::array<std::vector<float>, 2> places;  // along the stream, on its right and its left
    for (int point = 1; point + 1 < course.size(); ++point) {
        if (!rivers.is_junction(stream[at(point)])) continue;
        for (const River& link : rivers.links_into(stream[at(point)])) {
            if (link[link.size() - 2] == stream[at(point - 1)]) continue;  // the stream itself
            const bool is_left = joins_from_left(survey, rivers.tree, course, point, link);
            places[is_left ? 1 : 0].push_back(static_cast<float>(point));
        }
    }
    for (std::vector<float>& side : places) {
        std::adjacent_difference(side.begin(), side.end(), side.begin());
        if (side.size() > kFewestGaps)
            variations.push_back(static_cast<float>(moments_of(std::span(side).subspan(1)).variation()));
    }
}

double spacing_variation(const Survey& survey, const RiverPieces& rivers) {
    const auto least = at(survey.scale.whole_cells(kLeastMainStream));
    std::vector<float> variations;
    for (const River& stream : rivers.streams)
        if (rivers.order[at(stream.front())] >= kLeastMainOrder && stream.size() >= least)
            measure_spacing(survey, rivers, stream, variations);
    return variations.size() < kFewestSides ? kNoStatistic : median_of(variations);
}

/// A stream without others above it.
struct Headwater {
    double x = 0.0, y = 0.0;  // steps, of its middle
    Heading heading;
};

std::vector<Headwater> headwaters_of(const Survey& survey, const RiverPieces& rivers) {
    const auto least = at(survey.scale.whole_cells(kLeastHeadwater));
    std::vector<Headwater> headwaters;
    for (const River& link : rivers.links) {
        if (rivers.order[at(link.front())] != 1 || link.size() < least ||
            survey.ground[rivers.tree.cell[at(link.front())]] == 0)
            continue;
        const PlanarPath path = planar_path(survey, rivers.tree, link);
        const double cells = path.size();
        headwaters.push_back({.x = std::accumulate(path.x.begin(), path.x.end(), 0.0) / cells,
                              .y = std::accumulate(path.y.begin(), path.y.end(), 0.0) / cells,
                              .heading = main_heading(path)});
    }
    std::ranges::stable_sort(headwaters, {}, &Headwater::x);
    return headwaters;
}

/// Sum of |cos| between one headwater and those nearest to it; `all` by x.
double parallelism_about(const std::vector<Headwater>& all, std::int64_t here) {
    struct Near {
        double squared = std::numeric_limits<double>::infinity();  // square steps
        std::int64_t number = -1;
    };
    std::array<Near, kNeighbours> nearest;
    const auto see = [&](std::int64_t other) {
        const double x = all[at(other)].x - all[at(here)].x, y = all[at(other)].y - all[at(here)].y;
        if (x * x >= nearest.back().squared) return false;  // all beyond are farther
        Near candidate{.squared = x * x + y * y, .number = other};
        for (Near& one : nearest)
            if (candidate.squared < one.squared) std::swap(candidate, one);
        return true;
    };
    for (std::int64_t other = here + 1; other < std::ssize(all) && see(other);) ++other;
    for (std::int64_t other = here - 1; other >= 0 && see(other);) --other;
    double sum = 0.0;
    for (const Near& one : nearest) sum += std::abs(all[at(here)].heading.dot(all[at(one.number)].heading));
    return sum;
}

double parallelism(const Survey& survey, const RiverPieces& rivers) {
    const std::vector<Headwater> headwaters = headwaters_of(survey, rivers);
    if (headwaters.size() < kFewestHeadwaters) return kNoStatistic;
    const double sum = parallel_reduce(
        0, std::ssize(headwaters), kHeadwatersPerTask, 0.0,
        [&](std::int64_t first, std::int64_t last) {
            double part = 0.0;
            for (std::int64_t i = first; i < last; ++i) part += parallelism_about(headwaters, i);
            return part;
        },
        std::plus<>{});
    return sum / static_cast<double>(kNeighbours * headwaters.size());
}

}  // namespace

void describe_tributaries(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description) {
    description.statistics.tributary_spacing_variation = spacing_variation(survey, rivers);
    description.statistics.stream_parallelism = parallelism(survey, rivers);
}

}  // namespace thalweg
