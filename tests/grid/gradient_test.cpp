#include "thalweg/grid/gradient.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>

#include "tests/grid/test_fields.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Gradient, of_a_plane_is_its_slope_up_to_the_edges) {
    const Field<float> field =
        field_of(make_grid(500.0, 300.0, 50), [](double x, double y) { return 0.5 * x - 0.25 * y; });
    const Gradient result = gradient(field);
    for (std::int64_t cell = 0; cell < field.size(); ++cell) {
        EXPECT_NEAR(result.east[cell], 0.5, 1e-5);
        EXPECT_NEAR(result.north[cell], -0.25, 1e-5);
    }
}

TEST(Gradient, error_shrinks_with_the_square_of_the_cell) {
    const auto error = [](int cells) {
        const Field<float> field = field_of(make_grid(1000.0, 1000.0, cells), [](double x, double y) {
            return 1000.0 * std::sin(x / 150.0 + y / 200.0);
        });
        const Gradient result = gradient(field);
        double worst = 0.0;
        for (int row = 1; row < cells - 1; ++row)
            for (int column = 1; column < cells - 1; ++column) {
                const double phase = field.grid().x(column) / 150.0 + field.grid().y(row) / 200.0;
                worst =
                    std::max(worst, std::abs(result.east(column, row) - 1000.0 / 150.0 * std::cos(phase)));
                worst =
                    std::max(worst, std::abs(result.north(column, row) - 1000.0 / 200.0 * std::cos(phase)));
            }
        return worst;
    };
    EXPECT_NEAR(std::log2(error(40) / error(80)), 2.0, 0.1);
}

TEST(Gradient, beside_no_data_it_is_one_sided) {
    Field<float> field(make_grid(30.0, 10.0, 3));
    field[0] = 1.0F;
    field[1] = 4.0F;
    field[2] = kNoData;
    const Gradient result = gradient(field);
    EXPECT_FLOAT_EQ(result.east[0], 0.3F);
    EXPECT_FLOAT_EQ(result.east[1], 0.3F);
    EXPECT_TRUE(is_no_data(result.east[2]));
    EXPECT_TRUE(is_no_data(result.north[2]));
}

TEST(Gradient, without_neighbours_it_is_level) {
    const Gradient lone = gradient(Field<float>(make_grid(10.0, 10.0, 1), 7.0F));
    EXPECT_EQ(lone.east[0], 0.0F);
    EXPECT_EQ(lone.north[0], 0.0F);
    Field<float> between(make_grid(30.0, 10.0, 3), kNoData);
    between[1] = 2.0F;
    EXPECT_EQ(gradient(between).east[1], 0.0F);
}

TEST(Gradient, threads_do_not_change_a_bit) {
    const Field<float> field =
        field_of(make_grid(3000.0, 3000.0, 300), [](double x, double y) { return std::sin(x * y / 1e5); });
    const ExecutionScope on_one_thread({.threads = 1});
    const Gradient one = gradient(field);
    const ExecutionScope on_eight_threads({.threads = 8});
    const Gradient eight = gradient(field);
    EXPECT_TRUE(same_bits(one.east, eight.east));
    EXPECT_TRUE(same_bits(one.north, eight.north));
}

}  // namespace
}  // namespace thalweg
