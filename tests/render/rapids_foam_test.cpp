#include "thalweg/render/riverside/rapids_foam.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

const Grid kGrid{.columns = 80, .rows = 80, .cell_size = 0.25, .west = 300.0, .north = 520.0};

/// Water that runs to the north-east, covered by foam of one density.
RiverWater covered(float foam, double time = 0.0) {
    return {.elevation = Field<float>(kGrid, 5.0F),
            .foam = Field<float>(kGrid, foam),
            .velocity_east = Field<float>(kGrid, 1.2F),
            .velocity_north = Field<float>(kGrid, 0.9F),
            .time = time,
            .loop_period = 10.0};
}

/// Calls visit(position) for places that lie 15 cm apart.
template <class Visit>
void for_each_place(const Visit& visit) {
    for (double y = 504.0; y < 516.0; y += 0.15)
        for (double x = 304.0; x < 316.0; x += 0.15) visit(Position{x, y});
}

double mean_share(const RiverWater& water) {
    const RapidsFoam foam(water);
    double sum = 0.0;
    int places = 0;
    for_each_place([&](Position p) {
        const float share = foam.at(p).share;
        EXPECT_GE(share, 0.0F);
        EXPECT_LE(share, 1.0F);
        sum += share;
        ++places;
    });
    return sum / places;
}

/// The mean square of how much foam at `later` differs from that at `before`, `way` seconds upstream of it.
double change(const RiverWater& before, const RiverWater& later, double way) {
    const RapidsFoam first(before);
    const RapidsFoam second(later);
    double sum = 0.0;
    for_each_place([&](Position p) {
        const Position from{p.x - 1.2 * way, p.y - 0.9 * way};
        sum += std::pow(second.at(p).share - first.at(from).share, 2.0);
    });
    return sum;
}

TEST(RapidsFoam, covers_more_of_the_water_where_it_is_denser) {
    double before = 0.0;
    for (const float foam : {0.1F, 0.2F, 0.4F, 0.6F, 0.8F}) {
        const double share = mean_share(covered(foam));
        EXPECT_GT(share, before + 0.01) << foam;
        before = share;
    }
    EXPECT_GT(before, 0.75);
    EXPECT_EQ(mean_share(covered(0.0F)), 0.0);
    EXPECT_EQ(mean_share({.elevation = Field<float>(kGrid, 5.0F)}), 0.0);
}

TEST(RapidsFoam, is_a_web_with_clear_water_in_its_meshes) {
    const RiverWater water = covered(0.4F);
    const RapidsFoam foam(water);
    int clear = 0;
    int dense = 0;
    int places = 0;
    for_each_place([&](Position p) {
        const float share = foam.at(p).share;
        clear += share < 0.05F ? 1 : 0;
        dense += share > 0.5F ? 1 : 0;
        ++places;
    });
    EXPECT_GT(clear, 0.3 * places);
    EXPECT_GT(dense, 0.2 * places);
}

TEST(RapidsFoam, is_carried_by_the_stream) {
    constexpr double kStep = 0.1;  // s
    for (const double time : {0.0, 0.7, 3.3})
        EXPECT_LT(change(covered(0.4F, time), covered(0.4F, time + kStep), kStep),
                  0.2 * change(covered(0.4F, time), covered(0.4F, time + kStep), 0.0))
            << time;
}

TEST(RapidsFoam, looks_after_a_loop_as_before) {
    EXPECT_LT(change(covered(0.4F, 2.3), covered(0.4F, 12.3), 0.0), 1e-6);
    EXPECT_GT(change(covered(0.4F, 2.3), covered(0.4F, 7.1), 0.0), 1.0);
}

}  // namespace
}  // namespace thalweg
