#include "thalweg/core/execution.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/riverscape/beds/bed_samples.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

BedTree tree_in(const tests::Valley& valley, double rock_density = 1.0) {
    QuietProgress progress;
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    return {
        valley.elevation,
        bed_courses(valley.network, stretches, valley.elevation, {.rock_density = rock_density}, 5, progress),
        {},
        5};
}

double step_of_ground(const BedSample& a, const BedSample& b) {
    return std::abs(static_cast<double>(a.elevation) - b.elevation);
}

/// Of velocities, where both are under more than a decimetre of water.
double step_of_velocity(const BedSample& a, const BedSample& b) {
    constexpr float kDeep = 0.1F;  // m
    if (!(a.water - a.elevation > kDeep) || !(b.water - b.elevation > kDeep)) return 0.0;
    return std::hypot(a.velocity_x - b.velocity_x, a.velocity_y - b.velocity_y);
}

/// A piece in the middle of a valley, with its river.
Rectangle middle_of(const tests::ValleyForm& form) {
    const double half_span = (form.bends > 0.0 || form.type >= RiverType::C ? 0.08 : 0.04) * form.length;
    return {0.42 * form.length, -half_span, 0.58 * form.length, half_span};
}

/// Where rivers meet in tests::confluence.
Rectangle around_node(const tests::ValleyForm& form) {
    const double width = channel_flow(form.flow, form.slope, {}).width;
    return {0.5 * form.length - 0.7 * width, -0.8 * width, 0.5 * form.length + 0.7 * width, 0.8 * width};
}

/// The greatest step over a tenth of a millimetre, on lines to the east: looked for where places `step` m
/// apart differ by `suspicious`, by halves.
template <class StepOf>
double greatest_jump(const BedTree& tree, const Rectangle& within, double step, double suspicious,
                     const StepOf& step_of) {
    constexpr double kFinest = 1e-4;  // m
    constexpr int kLines = 24;
    double greatest = 0.0;
    for (int line = 0; line < kLines; ++line) {
        const double y = within.south + (line + 0.5) / kLines * (within.north - within.south);
        std::vector<Position> places;
        for (double x = within.west; x < within.east; x += step) places.push_back({x, y});
        const std::vector<BedSample> samples = samples_at(tree.parts(), {}, places);
        for (std::size_t i = 0; i + 1 < places.size(); ++i) {
            if (step_of(samples[i], samples[i + 1]) <= suspicious) continue;
            double low = places[i].x;
            double high = places[i + 1].x;
            BedSample below = samples[i];
            BedSample above = samples[i + 1];
            while (high - low > kFinest) {
                const double middle = 0.5 * (low + high);
                const BedSample here = tree.at({middle, y});
                const bool is_below = step_of(below, here) > step_of(here, above);
                (is_below ? high : low) = middle;
                (is_below ? above : below) = here;
            }
            greatest = std::max(greatest, step_of(below, above));
        }
    }
    return greatest;
}

/// Expects smaller jumps than `bound` in the ground or the water of `valley_of(form)`, for rivers of all
/// types.
template <class ValleyOf, class Within, class StepOf>
void expect_jumps_below(double bound, const ValleyOf& valley_of, const Within& within, double step,
                        double suspicious, const StepOf& step_of) {
    for (const tests::ValleyForm& form : tests::valley_forms())
        EXPECT_LT(greatest_jump(tree_in(valley_of(form)), within(form), step, suspicious, step_of), bound)
            << form_of(form.type).name;
}

TEST(BedContinuity, the_ground_has_no_step_in_and_around_beds_of_any_type) {
    constexpr double kFaces = 0.006;  // m: faces of rocks rise by 3 mm on a tenth of one
    expect_jumps_below(kFaces, tests::make_valley, middle_of, 0.05, 0.012, step_of_ground);
}

TEST(BedContinuity, the_ground_has_no_step_where_rivers_of_any_type_meet) {
    expect_jumps_below(0.006, tests::confluence, around_node, 0.01, 0.006, step_of_ground);
}

TEST(BedContinuity, water_has_no_jump_of_velocity_in_rivers_of_any_type) {
    expect_jumps_below(0.15, tests::make_valley, middle_of, 0.05, 0.3, step_of_velocity);
}

TEST(BedContinuity, no_stream_is_torn_where_rivers_of_any_type_meet) {
    // There the water of one river takes over from that of another.
    constexpr double kOfOthers = 4.0;  // m/s
    expect_jumps_below(kOfOthers, tests::confluence, around_node, 0.02, 0.5, step_of_velocity);
}

/// From outside of all supports towards the middle at some place along the valley: where ground is carved
/// first.
std::optional<double> edge_of_support(const BedTree& tree, const Field<float>& terrain, double x) {
    constexpr double kStep = 0.1;     // m
    constexpr double kCarved = 2e-4;  // m
    for (double y = 0.45 * terrain.grid().height(); y > 0.0; y -= kStep)
        if (std::abs(static_cast<double>(tree.at({x, y}).elevation) - sample_bicubic(terrain, {x, y})) >
            kCarved)
            return y;
    return std::nullopt;
}

TEST(BedContinuity, slopes_have_no_kink_across_the_edge_of_supports) {
    int edges = 0;
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const tests::Valley valley = tests::make_valley(form);
        const BedTree tree = tree_in(valley, 0.0);
        for (double x = 0.3 * form.length; x < 0.7 * form.length; x += 0.037 * form.length) {
            const std::optional<double> edge = edge_of_support(tree, valley.elevation, x);
            if (!edge) continue;
            ++edges;
            constexpr double kStep = 0.01;  // m: supports of brooks are curved over a decimetre
            const auto carved = [&](double y) {
                return static_cast<double>(tree.at({x, y}).elevation) -
                       sample_bicubic(valley.elevation, {x, y});
            };
            for (double y = *edge - 0.06; y < *edge + 0.3; y += kStep) {
                const double before = (carved(y) - carved(y - kStep)) / kStep;
                const double after = (carved(y + kStep) - carved(y)) / kStep;
                EXPECT_LT(std::abs(after - before), 0.035)
                    << form_of(form.type).name << " at " << x << " " << y;
            }
        }
    }
    EXPECT_GT(edges, 60);
}

TEST(BedContinuity, the_ground_behind_banks_has_no_creases) {
    const tests::ValleyForm form = tests::valley_forms()[static_cast<std::size_t>(RiverType::B)];
    const BedTree tree = tree_in(tests::make_valley(form), 0.0);
    constexpr double kStep = 0.1;  // m
    std::vector<Position> places;
    for (double side : {-1.0, 1.0})
        for (double off = 14.0; off < 26.0; off += 1.3)  // m, behind the water, before the terrain
            for (double x = 100.0; x < 300.0; x += kStep) places.push_back({x, side * off});
    std::vector<float> elevations(places.size());
    tree.elevation_at(places, elevations);
    double sharpest = 0.0;
    for (std::size_t i = 1; i + 1 < places.size(); ++i)
        if (places[i + 1].y == places[i - 1].y)
            sharpest = std::max(sharpest, std::abs(static_cast<double>(elevations[i + 1]) -
                                                   2.0 * elevations[i] + elevations[i - 1]) /
                                              kStep);
    EXPECT_LT(sharpest, 0.2);  // m/m, of slopes on two sides of a place
}

}  // namespace
}  // namespace thalweg
