// Means along the fall of the ground.
#include "thalweg/erosion/hillslopes/fall_lines.hpp"

#include "thalweg/core/execution.hpp"

#include <cmath>
#include <functional>

#include "tests/cancelling_progress.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using OfPlace = std::function<double(double east, double north)>;  // m, from the middle

Field<float> field_of(const OfPlace& value, int cells = 101, double cell_size = 20.0) {
    Field<float> field(make_grid(cells * cell_size, cells * cell_size, cells));
    const Position middle = field.grid().centre(cells / 2, cells / 2);
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column) {
            const Position p = field.grid().centre(column, row);
            field(column, row) = static_cast<float>(value(p.x - middle.x, p.y - middle.y));
        }
    return field;
}

double cone(double east, double north) {
    return -0.5 * std::hypot(east, north);
}

Field<float> mean_of(const Field<float>& field, const Field<float>& elevation) {
    QuietProgress progress;
    return mean_along_fall(field, elevation, progress);
}

TEST(FallLines, keep_what_changes_across_the_slope_alone) {
    const Field<float> rays = field_of([](double x, double y) { return std::sin(3.0 * std::atan2(y, x)); });
    const Field<float> means = mean_of(rays, field_of(cone));
    for (int row = 0; row < 101; ++row)
        for (int column = 0; column < 101; ++column) {
            const double away = 20.0 * std::hypot(column - 50, row - 50);
            if (away > 450.0 && away < 700.0) {
                ASSERT_NEAR(means(column, row), rays(column, row), 0.02);
            }
        }
}

TEST(FallLines, take_what_changes_down_the_slope_away) {
    // Waves of 200 m: a Hann window of 300 m to either side leaves 2 % of them.
    const auto rings = [](double x, double y) { return std::sin(std::hypot(x, y) / 200.0 * 6.283185); };
    const Field<float> means = mean_of(field_of(rings), field_of(cone));
    for (int row = 0; row < 101; ++row)
        for (int column = 0; column < 101; ++column) {
            const double away = 20.0 * std::hypot(column - 50, row - 50);
            if (away > 450.0 && away < 700.0) {
                ASSERT_LT(std::abs(means(column, row)), 0.05);
            }
        }
}

TEST(FallLines, end_on_level_ground_at_gaps_and_at_edges) {
    const Field<float> waves = field_of([](double x, double y) { return std::sin(x / 50.0 + y / 70.0); });
    EXPECT_EQ(mean_of(waves, field_of([](double, double) { return 5.0; })), waves);
    Field<float> hill = field_of(cone);
    hill(30, 30) = kNoData;
    for (const float mean : mean_of(waves, hill)) ASSERT_TRUE(std::isfinite(mean) && std::abs(mean) <= 1.0F);
    for (const auto& [columns, rows] : {std::pair{1, 40}, std::pair{40, 1}, std::pair{1, 1}}) {
        Grid narrow = waves.grid();
        narrow.columns = columns;
        narrow.rows = rows;
        const Field<float> ones(narrow, 1.0F);
        for (const float mean : mean_of(ones, ones)) ASSERT_EQ(mean, 1.0F);
    }
}

TEST(FallLines, have_the_same_bits_on_any_number_of_threads) {
    const Field<float> waves = field_of([](double x, double y) { return std::sin(x / 50.0 + y / 70.0); });
    const auto made_on = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return mean_of(waves, field_of(cone));
    };
    EXPECT_EQ(made_on(1), made_on(2));
    EXPECT_EQ(made_on(1), made_on(8));
}

TEST(FallLines, stop_when_they_are_cancelled) {
    const Field<float> hill = field_of(cone);
    ImpatientProgress progress(1);
    EXPECT_THROW(mean_along_fall(hill, hill, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
