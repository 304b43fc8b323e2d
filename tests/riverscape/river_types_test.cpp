#include "thalweg/riverscape/river_types.hpp"

#include "thalweg/core/execution.hpp"

#include <cmath>
#include <limits>

#include "tests/refusal.hpp"
#include "tests/riverscape/valleys.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(RiverTypes, each_type_is_found_on_terrain_that_is_made_for_it) {
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const tests::Valley valley = tests::make_valley(form);
        const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
        ASSERT_EQ(stretches.size(), 1U) << form_of(form.type).name;
        const RiverStretch& found = stretches.front();
        EXPECT_STREQ(form_of(found.type).name, form_of(form.type).name)
            << "entrenchment " << found.entrenchment << ", width/depth " << found.width_depth
            << ", sinuosity " << found.sinuosity << ", slope " << found.slope << ", power "
            << found.specific_power << ", misfit " << found.misfit;
        EXPECT_EQ(found.channels > 1.5, form.type == RiverType::D || form.type == RiverType::DA);
    }
}

}  // namespace
}  // namespace thalweg
