#include <gtest/gtest.h>
#include <thalweg/erosion/erode.hpp>
#include <thalweg/erosion/erosion_series.hpp>

namespace thalweg {
namespace {

void expect_refused(const ErosionInputs& inputs, const std::string& missing) {
    QuietProgress progress;
    const auto expect_error = [&](const auto& action) {
        try {
            action();
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_EQ(error.what(),
                      "the erosion has no source of " + missing + ": give one, such as constant_source");
        }
    };
    for (const double time : {0.0, 1e5, std::numeric_limits<double>::infinity()})
        expect_error([&] { erode(inputs, {.time = time}, 1, progress); });
    expect_error([&] { ErosionSeries(inputs, {}, 1); });
}

TEST(ErosionInputs, without_a_source_are_refused) {
    ErosionInputs inputs;
    inputs.grid = {.columns = 8, .rows = 8, .cell_size = 100.0};
    expect_refused(inputs, "elevation");
    inputs.elevation = constant_source(1.0F);
    expect_refused(inputs, "uplift");
}

}  // namespace
}  // namespace thalweg
