#include "thalweg/grid/summary.hpp"

#include "thalweg/core/execution.hpp"

#include "tests/grid/test_fields.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Summary, of_a_hand_sized_field_leaves_out_cells_without_data) {
    Field<float> field(make_grid(2.0, 2.0, 2));
    field[0] = -3.0F;
    field[1] = kNoData;
    field[2] = 5.0F;
    field[3] = 1.0F;
    const FieldSummary summary = summary_of(field);
    EXPECT_EQ(summary.cells_with_data, 3);
    EXPECT_EQ(summary.minimum, -3.0);
    EXPECT_EQ(summary.maximum, 5.0);
    EXPECT_EQ(summary.mean, 1.0);
}

TEST(Summary, of_a_field_without_data_is_zero) {
    const FieldSummary summary = summary_of(Field<float>(make_grid(3.0, 1.0, 3), kNoData));
    EXPECT_EQ(summary.cells_with_data, 0);
    EXPECT_EQ(summary.minimum, 0.0);
    EXPECT_EQ(summary.maximum, 0.0);
    EXPECT_EQ(summary.mean, 0.0);
}

TEST(Summary, has_the_same_bits_on_any_number_of_threads) {
    const Field<float> field = field_of(make_grid(700.0, 500.0, 700),
                                        [](double x, double y) { return std::sin(x) + std::cos(y / 7.0); });
    const ExecutionScope on_one_thread({.threads = 1});
    const double mean = summary_of(field).mean;
    for (const int threads : {2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_EQ(summary_of(field).mean, mean);
    }
}

}  // namespace
}  // namespace thalweg
