#include "thalweg/flow/slope_area.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "tests/flow/built_terrain.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

SlopeArea analysed(const Field<float>& z, const FlowTree& tree, const SlopeAreaParameters& parameters) {
    return slope_area(z, tree, eight_neighbours(tree.grid), parameters, progress);
}

TEST(LineFit, finds_a_line_and_how_much_it_explains) {
    const std::vector<double> x = {1.0, 2.0, 4.0};
    const auto exact = fit_line(x, std::vector<double>{1.0, -1.0, -5.0});
    ASSERT_TRUE(exact.has_value());
    EXPECT_NEAR(exact->slope, -2.0, 1e-14);
    EXPECT_NEAR(exact->intercept, 3.0, 1e-14);
    EXPECT_NEAR(exact->r_squared, 1.0, 1e-14);
    // By hand: means 2 and 1, sums xy = 1, xx = 2, yy = 2.
    const auto rough = fit_line(std::vector<double>{1, 2, 3}, std::vector<double>{0, 2, 1});
    EXPECT_NEAR(rough->slope, 0.5, 1e-14);
    EXPECT_NEAR(rough->intercept, 0.0, 1e-14);
    EXPECT_NEAR(rough->r_squared, 0.25, 1e-14);
}

TEST(LineFit, tells_the_standard_error_of_its_slope) {
    // y = x + (1, -1, -1, 1): what is left is those four, so s^2 = 4 / 2, and xx = 5.
    const std::vector<double> x = {0.0, 1.0, 2.0, 3.0};
    const auto line = fit_line(x, std::vector<double>{1.0, 0.0, 1.0, 4.0});
    ASSERT_TRUE(line.has_value());
    EXPECT_DOUBLE_EQ(line->slope, 1.0);
    EXPECT_DOUBLE_EQ(line->slope_error, std::sqrt(2.0 / 5.0));
    EXPECT_EQ(fit_line(x, x)->slope_error, 0.0);
    EXPECT_TRUE(std::isinf(fit_line(std::vector{1.0, 2.0}, std::vector{1.0, 2.0})->slope_error));
}

TEST(LineFit, is_absent_for_one_point_or_one_place) {
    EXPECT_FALSE(fit_line({}, {}).has_value());
    EXPECT_FALSE(fit_line(std::vector<double>{1}, std::vector<double>{1}).has_value());
    EXPECT_FALSE(fit_line(std::vector<double>{1, 1}, std::vector<double>{1, 2}).has_value());
}

TEST(SlopeArea, gives_back_the_law_that_a_terrain_was_built_by) {
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    for (const double concavity : {0.3, 0.45, 0.7}) {
        const SlopeArea found =
            analysed(tests::flint_terrain(tree, 30.0, concavity), tree, {.least_area = 1e3, .drop = 0.0});
        ASSERT_TRUE(found.fit.has_value());
        EXPECT_NEAR(found.fit->concavity, concavity, 1e-3);
        EXPECT_NEAR(found.fit->steepness, 30.0, 0.3);
        EXPECT_GT(found.fit->r_squared, 0.9999);
        EXPECT_GE(found.fit->least_area, 1e3);
        EXPECT_GT(found.fit->greatest_area, 1e5);
    }
}

TEST(SlopeArea, over_a_drop_still_finds_the_law_within_a_few_hundredths) {
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    const SlopeArea found =
        analysed(tests::flint_terrain(tree, 3.0, 0.45), tree, {.least_area = 1e3, .drop = 1.0});
    ASSERT_TRUE(found.fit.has_value());
    EXPECT_NEAR(found.fit->concavity, 0.45, 0.03);
}

TEST(SlopeArea, over_a_drop_sees_through_whole_metres) {
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    Field<float> z = tests::flint_terrain(tree, 3.0, 0.45);
    const SlopeArea unrounded = analysed(z, tree, {.least_area = 1e3, .drop = 5.0});
    for (float& height : z) height = std::round(height);
    const SlopeArea by_cell = analysed(z, tree, {.least_area = 1e3, .drop = 0.0});
    const SlopeArea by_drop = analysed(z, tree, {.least_area = 1e3, .drop = 5.0});
    EXPECT_NEAR(by_drop.fit->concavity, unrounded.fit->concavity, 0.02);
    EXPECT_NEAR(by_drop.fit->concavity, 0.45, 0.05);
    // From cell to cell most slopes are 0, and where they are not they are too large.
    EXPECT_TRUE(!by_cell.fit || std::abs(by_cell.fit->concavity - 0.45) > 0.1);
}

/// The quantile of sorted values, between two by their logarithms.
double slow_quantile(std::vector<double> values, double share) {
    std::ranges::sort(values);
    const double rank = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(rank));
    if (below + 1 == values.size()) return values[below];
    const double part = rank - std::floor(rank);
    if (values[below] <= 0.0) return part == 0.0 ? values[below] : 0.0;
    return std::exp((1.0 - part) * std::log(values[below]) + part * std::log(values[below + 1]));
}

TEST(SlopeArea, bins_agree_with_sorted_lists_of_every_cell) {
    Field<float> z = tests::white_terrain(50, 41, 7);
    tests::cut_out(z, 11, 9, 16, 12);
    const FlowResult flow = route(z, {}, progress);
    const Lattice lattice = eight_neighbours(z.grid());
    const double drop = 4.0;
    std::map<int, std::pair<std::vector<double>, std::vector<double>>> lists;  // areas and slopes by bin
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        if (is_no_data(z[cell]) || flow.tree.receiver(cell) < 0) continue;
        std::vector<std::int32_t> way = {cell};
        double length = 0.0;
        while (flow.tree.receiver(way.back()) >= 0 && way.size() <= 100 &&
               (way.size() == 1 || flow.elevation[cell] - flow.elevation[way.back()] < drop)) {
            length += lattice.distance(way.back(), flow.tree.direction[at(way.back())]);
            way.push_back(flow.tree.receiver(way.back()));
        }
        const double area = flow.drainage_area[way[(way.size() - 1) / 2]];
        auto& [areas, slopes] = lists[static_cast<int>(10.0 * std::log10(area / z.grid().cell_area()))];
        areas.push_back(area);
        slopes.push_back(
            (static_cast<double>(flow.elevation[cell]) - static_cast<double>(flow.elevation[way.back()])) /
            length);
    }
    const SlopeArea found = analysed(flow.elevation, flow.tree, {.least_area = 1e3, .drop = drop});
    ASSERT_EQ(found.bins.size(), lists.size());
    std::size_t i = 0;
    for (const auto& [number, list] : lists) {
        const SlopeAreaBin& bin = found.bins[i++];
        ASSERT_EQ(bin.cells, std::ssize(list.first));
        ASSERT_NEAR(bin.area, slow_quantile(list.first, 0.5), 1e-9 * bin.area);
        ASSERT_NEAR(bin.lower_quartile, slow_quantile(list.second, 0.25), 1e-6);
        ASSERT_NEAR(bin.median, slow_quantile(list.second, 0.5), 1e-6);
        ASSERT_NEAR(bin.upper_quartile, slow_quantile(list.second, 0.75), 1e-6);
    }
    EXPECT_GT(found.bins.size(), 10U);
}

TEST(SlopeArea, of_level_or_tiny_or_empty_ground_has_no_fit) {
    for (const Field<float>& z : {Field<float>(Grid{.columns = 60, .rows = 60, .cell_size = 100.0}, 5.0F),
                                  tests::white_terrain(4, 3, 1), tests::white_terrain(30, 1, 1),
                                  Field<float>(Grid{.columns = 9, .rows = 9}, kNoData)}) {
        const FlowResult flow = route(z, {}, progress);
        const SlopeArea found = analysed(flow.elevation, flow.tree, {.least_area = 1.0, .drop = 10.0});
        EXPECT_FALSE(found.fit.has_value());
        for (const SlopeAreaBin& bin : found.bins) EXPECT_TRUE(std::isfinite(bin.median));
    }
}

TEST(SlopeArea, is_the_same_on_1_2_and_8_threads) {
    const FlowTree tree = tests::noise_tree(400, 300, 3);
    const Field<float> z = tests::flint_terrain(tree, 3.0, 0.45);
    std::vector<SlopeArea> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        found.push_back(analysed(z, tree, {}));
    }
    for (const SlopeArea& other : found) {
        ASSERT_EQ(other.bins.size(), found[0].bins.size());
        for (std::size_t i = 0; i < other.bins.size(); ++i) {
            ASSERT_EQ(other.bins[i].area, found[0].bins[i].area);
            ASSERT_EQ(other.bins[i].median, found[0].bins[i].median);
            ASSERT_EQ(other.bins[i].upper_quartile, found[0].bins[i].upper_quartile);
        }
    }
}

}  // namespace
}  // namespace thalweg
