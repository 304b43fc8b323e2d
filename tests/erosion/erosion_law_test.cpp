#include "thalweg/erosion/erosion_law.hpp"

#include "thalweg/core/power.hpp"
#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(FastPower, is_close_to_the_library_over_all_areas_and_exponents_of_ours) {
    for (double exponent : {-0.8, -0.6, 0.3, 0.4, 0.5, 1.0})
        for (double x = 1e-6; x < 1e13; x *= 1.37) {
            const float argument = static_cast<float>(x);
            const double exact = std::pow(double{argument}, double{static_cast<float>(exponent)});
            ASSERT_NEAR(fast_power(argument, static_cast<float>(exponent)) / exact, 1.0, 4e-6)
                << x << "^" << exponent;
        }
}

TEST(FastPower, is_exact_at_powers_of_two) {
    EXPECT_EQ(fast_log2(1.0F), 0.0F);
    EXPECT_EQ(fast_log2(1024.0F), 10.0F);
    EXPECT_EQ(fast_exp2(-3.0F), 0.125F);
    EXPECT_EQ(fast_power(65536.0F, 0.5F), 256.0F);
}

TEST(ErosionLaw, celerity_is_least_at_the_hillslope_area) {
    const ErosionLaw law;
    const double least = law.hillslope_area(law.erodibility);
    EXPECT_NEAR(least, 5000.0, 1.0);
    EXPECT_LT(law.celerity(least, law.erodibility), law.celerity(0.9 * least, law.erodibility));
    EXPECT_LT(law.celerity(least, law.erodibility), law.celerity(1.1 * least, law.erodibility));
    EXPECT_EQ(ErosionLaw{.hillslope = false}.hillslope_area(2e-5), 0.0);
}

TEST(Celerities, agree_with_the_law_and_stay_level_below_the_hillslope_area) {
    const ErosionLaw law;
    std::vector<float> area;
    for (double a = 10.0; a < 1e9; a *= 1.3) area.push_back(static_cast<float>(a));
    std::vector<float> celerity(area.size());
    celerities(law, area, {}, celerity);
    const double least = law.hillslope_area(law.erodibility);
    for (std::size_t i = 0; i < area.size(); ++i) {
        const double expected = law.celerity(std::max(double{area[i]}, least), law.erodibility);
        EXPECT_NEAR(celerity[i] / expected, 1.0, 1e-5);
    }
}

TEST(Celerities, follow_an_erodibility_that_varies_from_cell_to_cell) {
    const ErosionLaw law;
    const std::vector<float> area = {100.0F, 1e4F, 1e6F};
    const std::vector<float> erodibility = {1e-5F, 4e-5F, 8e-5F};
    std::vector<float> celerity(3);
    celerities(law, area, erodibility, celerity);
    for (std::size_t i = 0; i < 3; ++i) {
        const double k = double{erodibility[i]};
        const double expected = law.celerity(std::max(double{area[i]}, law.hillslope_area(k)), k);
        EXPECT_NEAR(celerity[i] / expected, 1.0, 2e-5);
    }
}

TEST(Celerities, have_the_same_bits_for_every_width_of_vectors_and_are_those_of_the_single_power) {
    const ErosionLaw law;
    std::vector<float> area, erodibility;
    for (int i = 0; i < 37; ++i) {
        area.push_back(static_cast<float>(100.0 * std::pow(1.5, i)));
        erodibility.push_back(static_cast<float>(1e-5 * (1 + i % 5)));
    }
    for (const std::span<const float> varied :
         {std::span<const float>(), std::span<const float>(erodibility)}) {
        std::vector<std::vector<float>> results;
        for (const int lanes : {4, 8, 16}) {
            limit_vector_lanes(lanes);
            results.emplace_back(area.size());
            celerities(law, area, varied, results.back());
        }
        limit_vector_lanes(0);
        EXPECT_EQ(results[0], results[1]);
        EXPECT_EQ(results[0], results[2]);
    }
    // Above A*, without hillslopes, the kernel's power is fast_power's, bit by bit.
    const ErosionLaw bare{.hillslope = false};
    std::vector<float> celerity(area.size());
    celerities(bare, area, {}, celerity);
    for (std::size_t i = 0; i < area.size(); ++i) EXPECT_EQ(celerity[i], 2e-5F * fast_power(area[i], 0.4F));
}

TEST(ErosionLaw, lets_slopes_of_small_valleys_level_off_where_debris_flows_cut_them) {
    const ErosionLaw law = {.debris_flow_celerity = 8e-4, .hillslope = false};
    const std::vector<float> area = {900.0F, 1e4F, 1e5F, 1e6F, 1e7F};
    std::vector<float> celerity(area.size());
    celerities(law, area, {}, celerity);
    const double steepest = 1e-3 / law.debris_flow_celerity;  // u / a_d
    const double a1 = law.erodibility / law.debris_flow_celerity;
    for (std::size_t i = 0; i < area.size(); ++i) {
        const double stock_and_dietrich =
            steepest / (1.0 + a1 * std::pow(static_cast<double>(area[i]), law.area_exponent));
        EXPECT_NEAR(1e-3 / static_cast<double>(celerity[i]) / stock_and_dietrich, 1.0, 1e-5);
        EXPECT_NEAR(law.celerity(static_cast<double>(area[i]), law.erodibility), celerity[i], 1e-8);
    }
}

TEST(ErosionLaw, every_parameter_refuses_what_its_range_excludes) {
    ErosionLaw law;
    const ParameterTable& table = parameters_of<ErosionLaw>();
    EXPECT_ANY_THROW(table.at("area_exponent").set(&law, Value(5.0)));
    EXPECT_ANY_THROW(table.at("critical_slope").set(&law, Value(-1.0)));
    table.at("critical_slope").set(&law, Value(0.7));
    EXPECT_EQ(law.critical_slope, 0.7);
}

}  // namespace
}  // namespace thalweg
