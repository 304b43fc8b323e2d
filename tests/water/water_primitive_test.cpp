#include "thalweg/water/water_primitive.hpp"

#include "thalweg/water/primitives/carried_noise.hpp"
#include "thalweg/water/primitives/half_float.hpp"

#include <cmath>
#include <cstdlib>

#include "tests/water/waters.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr WaterSetting kSetting{.origin = {}, .loop_period = kLoop};

TEST(HalfFloat, keeps_every_number_of_16_bits_and_rounds_others_to_the_nearest) {
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
        const float value = float_of(static_cast<std::uint16_t>(bits));
        ASSERT_EQ(half_of(value), bits);
        ASSERT_EQ(half_of(-value), bits | 0x8000U);
        // Half way to the next, the even one wins.
        if (bits + 1 == 0x7c00) break;
        const float next = float_of(static_cast<std::uint16_t>(bits + 1));
        ASSERT_EQ(half_of(0.5F * (value + next)), bits + (bits & 1U));
        ASSERT_EQ(half_of(value + 0.26F * (next - value)), bits);
        ASSERT_EQ(half_of(value + 0.74F * (next - value)), bits + 1);
    }
    EXPECT_EQ(half_of(1.0F), 0x3c00);
    EXPECT_EQ(half_of(1e6F), 0x7c00);
}

TEST(WaterPrimitive, stays_within_its_greatest_offset) {
    for (std::uint64_t key = 0; key < 140; ++key) {
        const WaterPrimitive p = drawn_primitive(kind_of(key), key);
        const WaterKindRow& row = built_in_water_kinds()[static_cast<std::size_t>(p.kind)];
        double greatest = 0.0;
        for (std::uint64_t i = 0; i < 100; ++i) {
            const Position point{p.x + drawn(i, 1, -0.7, 0.7) * p.radius,
                                 p.y + drawn(i, 2, -0.7, 0.7) * p.radius};
            const WaterSample water = row.evaluate(p, point, kSetting, drawn(i, 3, 0.0, kLoop));
            greatest = std::max(greatest, std::abs(water.elevation - p.elevation));
            ASSERT_GE(water.foam, 0.0);
            ASSERT_LE(water.foam, p.foam);
        }
        EXPECT_LE(greatest, row.greatest_offset(p)) << row.name;
        EXPECT_GT(greatest, 0.1 * row.greatest_offset(p)) << row.name;
    }
}

TEST(WaterPrimitive, is_carried_downstream) {
    // The noise moves by the velocity, but for the rounding to whole periods in a loop.
    const WaterPrimitive p{.radius = 5.0, .velocity_x = 1.2, .velocity_y = 0.9, .wavelength = 0.5};
    const double seconds = 0.5;
    const auto noise = [&](double x, double y, double time) {
        return noise_at(carried_noise(kTurbulentForms, 0, p, kSetting, time), x, y);
    };
    for (std::uint64_t i = 0; i < 50; ++i) {
        const double x = drawn(i, 1, -2.0, 2.0);
        const double y = drawn(i, 2, -2.0, 2.0);
        EXPECT_NEAR(noise(x + 1.2 * seconds, y + 0.9 * seconds, seconds), noise(x, y, 0.0), 0.03);
    }
}

TEST(WaterPrimitive, shares_its_waves_with_an_equal_neighbour) {
    const WaterPrimitive a = drawn_primitive(WaterKind::Turbulent, 4);
    WaterPrimitive b = a;
    b.x += 1.1;
    b.slope = 0.0;
    WaterPrimitive level = a;
    level.slope = 0.0;
    const WaterKindRow& row = built_in_water_kinds()[static_cast<std::size_t>(WaterKind::Turbulent)];
    const Position point{a.x + 0.4, a.y + 0.3};
    EXPECT_NEAR(row.evaluate(level, point, kSetting, 3.0).elevation,
                row.evaluate(b, point, kSetting, 3.0).elevation, 1e-9);
    b.seed = a.seed + 1;
    EXPECT_NE(row.evaluate(level, point, kSetting, 3.0).elevation,
              row.evaluate(b, point, kSetting, 3.0).elevation);
}

TEST(WaterPrimitive, falls_from_above_a_cascade_to_below_it) {
    const WaterPrimitive p{.kind = WaterKind::Cascade,
                           .radius = 10.0,
                           .elevation = 5.0,
                           .amplitude = 0.0,
                           .velocity_x = 3.0,
                           .velocity_y = 4.0,
                           .fall = 2.0,
                           .fall_length = 0.5};
    const WaterKindRow& row = built_in_water_kinds()[static_cast<std::size_t>(p.kind)];
    const auto elevation = [&](double along) {
        return row.evaluate(p, {0.6 * along, 0.8 * along}, kSetting, 0.0).elevation;
    };
    EXPECT_EQ(elevation(-1.0), 6.0);  // whatever the speed: the direction is a unit vector
    EXPECT_EQ(elevation(3.0), 4.0);
    EXPECT_LT(elevation(1.0), 3.7);  // the plunge pool
}

TEST(WaterPrimitive, turns_a_vortex_as_a_solid_at_its_middle_and_not_at_its_rim) {
    const WaterPrimitive p{.kind = WaterKind::Vortex,
                           .radius = 2.0,
                           .elevation = 5.0,
                           .amplitude = 0.0,
                           .velocity_x = 0.5,
                           .fall = 0.3,
                           .rotation = 1.5};
    const WaterKindRow& row = built_in_water_kinds()[static_cast<std::size_t>(p.kind)];
    const WaterSample inside = row.evaluate(p, {0.0, 0.01}, kSetting, 0.0);
    EXPECT_NEAR(inside.velocity_x, 0.5 - 0.015, 1e-5);
    EXPECT_NEAR(row.evaluate(p, {0.0, 2.0}, kSetting, 0.0).velocity_x, 0.5, 1e-12);
    EXPECT_NEAR(inside.elevation, 4.7, 1e-3);
    EXPECT_EQ(row.evaluate(p, {0.0, 2.0}, kSetting, 0.0).elevation, 5.0);
}

TEST(WaterPrimitive, changes_little_by_the_rounding_of_its_record) {
    for (std::uint64_t key = 0; key < 70; ++key) {
        const WaterPrimitive p = drawn_primitive(kind_of(key), key);
        const WaterKindRow& row = built_in_water_kinds()[static_cast<std::size_t>(p.kind)];
        const WaterPrimitive kept = kept_form(p, row, kSetting);
        EXPECT_EQ(kept, kept_form(kept, row, kSetting));
        EXPECT_NEAR(kept.radius, p.radius, 5e-4 * p.radius);
        EXPECT_NEAR(kept.x, p.x, 1e-6);
        EXPECT_NEAR(kept.elevation, p.elevation, 5e-6);
    }
}

}  // namespace
}  // namespace thalweg
