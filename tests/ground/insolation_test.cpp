#include "thalweg/ground/insolation.hpp"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr float kSteep = 0.7F;  // m/m

// Ground that faces south rises to the north.
float facing_south(const Insolation& sun) {
    return sun.at(0.0F, kSteep);
}
float facing_north(const Insolation& sun) {
    return sun.at(0.0F, -kSteep);
}

TEST(Insolation, of_level_ground_is_1_at_any_latitude) {
    for (const double latitude : {-80.0, -33.0, 0.0, 45.0, 66.0, 90.0})
        EXPECT_NEAR(Insolation(latitude).at(0.0F, 0.0F), 1.0F, 1e-5F) << latitude;
}

TEST(Insolation, is_greater_on_slopes_that_face_the_equator) {
    EXPECT_GT(facing_south(Insolation(45.0)), 1.3F * facing_north(Insolation(45.0)));
    EXPECT_GT(facing_north(Insolation(-45.0)), 1.3F * facing_south(Insolation(-45.0)));
}

TEST(Insolation, is_mirrored_at_the_equator) {
    EXPECT_NEAR(facing_south(Insolation(38.0)), facing_north(Insolation(-38.0)), 1e-5F);
}

TEST(Insolation, is_the_same_on_slopes_to_the_east_and_west) {
    const Insolation sun(52.0);
    EXPECT_NEAR(sun.at(0.9F, 0.2F), sun.at(-0.9F, 0.2F), 1e-5F);
}

TEST(Insolation, on_walls_is_what_the_sky_leaves_at_least) {
    const Insolation sun(45.0);
    // Half of the sky, which gives 0.35 / 1.35 of the light on level ground.
    EXPECT_GT(sun.at(0.0F, -100.0F), 0.49F * 0.35F / 1.35F);
    EXPECT_LT(sun.at(0.0F, -100.0F), 0.5F);
}

}  // namespace
}  // namespace thalweg
