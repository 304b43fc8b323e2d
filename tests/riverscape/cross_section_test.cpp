#include "thalweg/riverscape/cross_section.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Area of a section by Simpson's rule on both sides of the thalweg, m^2.
double measured_area(const CrossSection& section) {
    constexpr int kSteps = 2000;
    double sum = 0.0;
    for (const auto& [low, high] : {std::pair{-1.0, static_cast<double>(section.form.thalweg)},
                                    std::pair{static_cast<double>(section.form.thalweg), 1.0}}) {
        const double step = (high - low) / kSteps;
        for (int i = 0; i <= kSteps; ++i) {
            const double factor = i == 0 || i == kSteps ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
            sum += factor * step / 3.0 *
                   static_cast<double>(relative_depth(section.form, static_cast<float>(low + i * step)));
        }
    }
    return 0.5 * section.width * section.greatest_depth * sum;
}

TEST(CrossSections, of_every_type_and_bend_have_the_area_that_they_are_scaled_to) {
    for (const RiverTypeForm& form : river_type_forms())
        for (const double bend : {-0.5, -0.1, 0.0, 0.2, 0.33}) {
            const CrossSection section = cross_section(form.type, 7.5, 15.0, bend);
            EXPECT_NEAR(section.width * section.greatest_depth * section_fullness(section.form), 7.5, 1e-6);
            EXPECT_NEAR(measured_area(section), 7.5, 1e-5) << form.name << " " << bend;
        }
}

TEST(CrossSections, keep_to_the_width_over_depth_of_their_type) {
    for (const RiverTypeForm& form : river_type_forms()) {
        if (form.type == RiverType::D) continue;  // one of its channels has its own
        for (const double ratio : {1.0, 8.0, 15.0, 90.0}) {
            const CrossSection section = cross_section(form.type, 3.0, ratio, 0.0);
            const double found = section.width * section.width / 3.0;
            EXPECT_GE(found, form.width_depth.least - 1e-9) << form.name;
            EXPECT_LE(found, form.width_depth.most + 1e-9) << form.name;
        }
    }
}

TEST(CrossSections, are_deepest_at_the_outer_bank_of_bends_and_mirrored_in_the_other_bend) {
    const SectionForm left = section_form(RiverType::C, 0.3);
    const SectionForm right = section_form(RiverType::C, -0.3);
    EXPECT_LT(left.thalweg, -0.4F);
    EXPECT_EQ(left.thalweg, -right.thalweg);
    EXPECT_EQ(left.left_flatness, right.right_flatness);
    EXPECT_GT(left.right_bank, left.left_bank);
    for (const float y : {-0.9F, -0.3F, 0.2F, 0.8F})
        EXPECT_FLOAT_EQ(relative_depth(left, y), relative_depth(right, -y));
    EXPECT_EQ(relative_depth(left, left.thalweg), 1.0F);
    EXPECT_EQ(relative_depth(left, 1.0F), 0.0F);
    EXPECT_EQ(relative_depth(left, -1.5F), 0.0F);
}

TEST(CrossSections, change_linearly_from_straights_to_bends) {
    const SectionForm straight = section_form(RiverType::C, 0.0);
    const SectionForm bend = section_form(RiverType::C, 1.0 / 3.0);
    const SectionForm half = section_form(RiverType::C, 1.0 / 6.0);
    EXPECT_FLOAT_EQ(half.thalweg, 0.5F * (straight.thalweg + bend.thalweg));
    EXPECT_FLOAT_EQ(half.left_flatness, 0.5F * (straight.left_flatness + bend.left_flatness));
    EXPECT_EQ(straight.thalweg, 0.0F);
    EXPECT_EQ(straight.left_bank, straight.right_bank);
}

}  // namespace
}  // namespace thalweg
