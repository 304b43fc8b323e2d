#include "thalweg/flow/chi_profiles.hpp"

#include <cmath>
#include <vector>

#include "tests/flow/built_terrain.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

ChiProfiles profiles_of(const Field<float>& z, const FlowTree& tree, const ChiProfileParameters& parameters) {
    return chi_profiles(z, tree, eight_neighbours(tree.grid), largest_basins(tree, 3, parameters.least_area),
                        parameters, progress);
}

TEST(ChiProfiles, of_a_steady_terrain_are_straight_with_its_steepness_and_concavity) {
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    for (const double concavity : {0.35, 0.5}) {
        // (U / K)^(1/n) of U = 1e-3 m/yr and n = 1.
        const double erodibility = 1e-3 / 25.0;
        const double steepness = 1e-3 / erodibility;
        const ChiProfiles found =
            profiles_of(tests::steady_terrain(tree, steepness, concavity), tree,
                        {.chi = {.concavity = concavity, .reference_area = 1e4}, .least_area = 2000.0});
        ASSERT_FALSE(found.basins.empty());
        for (const ChiBasin& basin : found.basins) {
            ASSERT_TRUE(basin.fit.has_value());
            EXPECT_NEAR(basin.fit->steepness, steepness, 1e-4 * steepness);
            EXPECT_NEAR(basin.fit->base, 100.0, 0.01);
            EXPECT_GT(basin.fit->r_squared, 1.0 - 1e-8);
            ASSERT_TRUE(basin.best.has_value());
            EXPECT_NEAR(basin.best->concavity, concavity, 1e-3);
            // Every point of every stream lies on the one line.
            const double gradient = steepness * std::pow(1e4, -concavity);
            for (const ChiStream& stream : basin.streams)
                for (std::size_t i = 0; i < stream.chi.size(); ++i)
                    ASSERT_NEAR(stream.elevation[i], 100.0 + gradient * stream.chi[i], 0.01);
        }
    }
}

TEST(ChiProfiles, follow_the_largest_donor_up_and_begin_tributaries_on_the_trunk) {
    Field<float> z = tests::white_terrain(50, 41, 7);
    tests::cut_out(z, 11, 9, 16, 12);
    const FlowResult flow = route(z, {}, progress);
    const Lattice lattice = eight_neighbours(z.grid());
    const ChiProfileParameters parameters{.chi = {}, .least_area = 800.0, .tributaries = 3};
    const ChiProfiles found = profiles_of(flow.elevation, flow.tree, parameters);
    const Field<double> chi_of = chi(flow.tree, lattice, flow.drainage_area, {});
    ASSERT_EQ(found.basins.size(), 3U);
    std::size_t tributaries_seen = 0;
    for (const ChiBasin& basin : found.basins) {
        // Walk up by looking at all cells for donors.
        const auto largest_donor = [&](std::int32_t of, std::vector<std::int32_t>& others) {
            std::int32_t largest = -1;
            for (std::int32_t cell = 0; cell < z.size(); ++cell)
                if (!is_no_data(z[cell]) && flow.tree.receiver(cell) == of &&
                    flow.drainage_area[cell] >= 800.0) {
                    if (largest >= 0 && flow.drainage_area[cell] <= flow.drainage_area[largest]) {
                        others.push_back(cell);
                        continue;
                    }
                    if (largest >= 0) others.push_back(largest);
                    largest = cell;
                }
            return largest;
        };
        std::vector<std::int32_t> trunk = {basin.outlet};
        std::vector<std::int32_t> mouths;
        for (std::int32_t up = largest_donor(basin.outlet, mouths); up >= 0; up = largest_donor(up, mouths))
            trunk.push_back(up);
        ASSERT_EQ(basin.streams.size(), 1 + std::min<std::size_t>(3, mouths.size()));
        const ChiStream& found_trunk = basin.streams.front();
        ASSERT_EQ(found_trunk.chi.size(), trunk.size());
        for (std::size_t i = 0; i < trunk.size(); ++i) {
            ASSERT_EQ(found_trunk.chi[i], chi_of[trunk[i]]);
            ASSERT_EQ(found_trunk.elevation[i], static_cast<double>(flow.elevation[trunk[i]]));
            ASSERT_EQ(found_trunk.area[i], flow.drainage_area[trunk[i]]);
        }
        std::ranges::sort(mouths, [&](std::int32_t a, std::int32_t b) {
            return flow.drainage_area[a] != flow.drainage_area[b]
                       ? flow.drainage_area[a] > flow.drainage_area[b]
                       : a < b;
        });
        for (std::size_t i = 1; i < basin.streams.size(); ++i) {
            ASSERT_EQ(basin.streams[i].area[1], flow.drainage_area[mouths[i - 1]]);
            ASSERT_EQ(basin.streams[i].chi[0], chi_of[flow.tree.receiver(mouths[i - 1])]);
            ASSERT_EQ(basin.streams[i].chi[1], chi_of[mouths[i - 1]]);
            ++tributaries_seen;
        }
    }
    EXPECT_GE(tributaries_seen, 3U);
}

/// Share of variance of elevation that chi explains, from first principles, without what flows through the
/// cell `left_out`.
double slow_share(const FlowResult& flow, std::int32_t outlet, double least_area, double concavity,
                  std::int32_t left_out = -1) {
    const Lattice lattice = eight_neighbours(flow.tree.grid);
    std::vector<double> x, y;
    for (std::int32_t start = 0; start < flow.tree.grid.cells(); ++start) {
        if (is_no_data(flow.elevation[start]) || flow.drainage_area[start] < least_area) continue;
        std::int32_t cell = start;
        double sum = 0.0;
        bool is_left_out = false;
        for (; flow.tree.receiver(cell) >= 0; cell = flow.tree.receiver(cell)) {
            is_left_out = is_left_out || cell == left_out;
            sum += 0.5 * lattice.distance(cell, flow.tree.direction[at(cell)]) *
                   (std::pow(flow.drainage_area[cell], -concavity) +
                    std::pow(flow.drainage_area[flow.tree.receiver(cell)], -concavity));
        }
        if (cell != outlet || is_left_out) continue;
        x.push_back(sum);
        y.push_back(static_cast<double>(flow.elevation[start]));
    }
    double mx = 0, my = 0, xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) mx += x[i], my += y[i];
    mx /= static_cast<double>(x.size()), my /= static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        xy += (x[i] - mx) * (y[i] - my), xx += (x[i] - mx) * (x[i] - mx), yy += (y[i] - my) * (y[i] - my);
    return xy * xy / (xx * yy);
}

/// Nearly steady rivers: every rise is off by up to half.
FlowResult rough_rivers() {
    FlowResult flow;
    flow.tree = tests::noise_tree(60, 50, 4);
    flow.drainage_area = drainage_area(flow.tree);
    flow.elevation = tests::built_up(flow.tree, [&](std::int32_t cell, std::int32_t, double distance) {
        const float luck = unit_float(random_bits(9, Stream::SeedTerrain, static_cast<std::uint64_t>(cell)));
        return distance * 20.0 * std::pow(flow.drainage_area[cell], -0.5) * (0.5 + static_cast<double>(luck));
    });
    return flow;
}

TEST(ChiProfiles, tell_the_error_of_concavity_by_leaving_out_one_tributary_after_the_other) {
    const FlowResult flow = rough_rivers();
    const ChiBasin basin =
        profiles_of(flow.elevation, flow.tree, {.chi = {}, .least_area = 1000.0, .tributaries = 4})
            .basins.at(0);
    ASSERT_EQ(basin.streams.size(), 5U);
    std::vector<double> found;
    for (std::size_t i = 1; i < basin.streams.size(); ++i) {
        // The mouth is told by its area and elevation.
        std::int32_t mouth = 0;
        while (flow.drainage_area[mouth] != basin.streams[i].area[1] ||
               static_cast<double>(flow.elevation[mouth]) != basin.streams[i].elevation[1])
            ++mouth;
        double best = 0.0, most = 0.0;
        for (double concavity = 0.3; concavity < 0.7; concavity += 0.002)
            if (const double share = slow_share(flow, basin.outlet, 1000.0, concavity, mouth); share > most) {
                most = share;
                best = concavity;
            }
        found.push_back(best);
    }
    double mean = 0.0, squares = 0.0;
    for (const double concavity : found) mean += concavity / 4.0;
    for (const double concavity : found) squares += (concavity - mean) * (concavity - mean);
    ASSERT_TRUE(basin.best && basin.best->standard_error);
    EXPECT_NEAR(*basin.best->standard_error, std::sqrt(0.75 * squares), 2e-3);
    EXPECT_GT(*basin.best->standard_error, 2e-3);
}

TEST(ChiProfiles, have_no_error_of_concavity_of_fewer_than_3_tributaries_and_a_small_one_of_steady_rivers) {
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    const Field<float> z = tests::steady_terrain(tree, 25.0, 0.45);
    const ChiBasin steady = profiles_of(z, tree, {.chi = {}, .least_area = 2000.0}).basins.at(0);
    ASSERT_TRUE(steady.best && steady.best->standard_error);
    EXPECT_LT(*steady.best->standard_error, 1e-3);
    const ChiBasin alone =
        profiles_of(z, tree, {.chi = {}, .least_area = 2000.0, .tributaries = 2}).basins.at(0);
    ASSERT_TRUE(alone.best.has_value());
    EXPECT_FALSE(alone.best->standard_error.has_value());
}

TEST(ChiProfiles, best_concavity_is_where_a_fine_search_finds_the_most_explained) {
    const FlowResult flow = rough_rivers();
    const ChiBasin basin =
        profiles_of(flow.elevation, flow.tree, {.chi = {}, .least_area = 1000.0}).basins.at(0);
    ASSERT_TRUE(basin.best.has_value());
    double best = 0.0, most = 0.0;
    for (int i = 10; i <= 300; ++i)
        if (const double share = slow_share(flow, basin.outlet, 1000.0, 0.005 * i); share > most) {
            most = share;
            best = 0.005 * i;
        }
    EXPECT_NEAR(basin.best->concavity, best, 0.0051);
    EXPECT_NEAR(basin.best->r_squared, most, 1e-3);
    EXPECT_GE(basin.best->r_squared, most - 1e-9);
    EXPECT_NEAR(basin.fit->r_squared, slow_share(flow, basin.outlet, 1000.0, 0.45), 1e-9);
}

TEST(ChiProfiles, of_level_ground_or_without_rivers_have_no_fit) {
    const Field<float> level(Grid{.columns = 40, .rows = 40, .cell_size = 100.0}, 5.0F);
    const FlowResult flow = route(level, {}, progress);
    const ChiProfiles found = profiles_of(flow.elevation, flow.tree, {.chi = {}, .least_area = 1e4});
    ASSERT_FALSE(found.basins.empty());
    for (const ChiBasin& basin : found.basins) {
        EXPECT_FALSE(basin.fit.has_value());
        EXPECT_FALSE(basin.best.has_value());
    }
    EXPECT_TRUE(profiles_of(flow.elevation, flow.tree, {.chi = {}, .least_area = 1e12}).basins.empty());
}

}  // namespace
}  // namespace thalweg
