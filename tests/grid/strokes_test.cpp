#include "thalweg/grid/strokes.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/grid/gaussian.hpp"
#include "thalweg/grid/resampling.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "tests/grid/test_fields.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kExtent = 2000.0;  // m

Grid square(int cells) {
    return make_grid(kExtent, kExtent, cells);
}

/// A stroke from (600, 1000) to (1400, 1000) m.
Stroke middle_stroke(StrokeOperation operation) {
    Stroke stroke;
    stroke.points = {600.0, 1000.0, 1400.0, 1000.0};
    stroke.radius = 100.0;
    stroke.falloff = 300.0;
    stroke.strength = 50.0;
    stroke.smoothing_width = 80.0;
    stroke.operation = operation;
    return stroke;
}

Field<float> with_stroke(Field<float> field, const Stroke& stroke) {
    apply_strokes(field, std::span(&stroke, 1));
    return field;
}

CellRange whole(const Grid& grid) {
    CellRange range;
    range.end_column = grid.columns;
    range.end_row = grid.rows;
    return range;
}

Field<float> waves(const Grid& grid) {
    return field_of(
        grid, [](double x, double y) { return 100.0 * std::sin(x / 120.0) * std::cos(y / 90.0) + 0.05 * x; });
}

TEST(Strokes, know_the_place_of_their_line_that_is_nearest) {
    const std::vector<double> corner = {0.0, 0.0, 100.0, 0.0, 100.0, 200.0};
    const auto nearest = [&](double x, double y) { return nearest_on_stroke(corner, {.x = x, .y = y}); };
    EXPECT_EQ(nearest(40.0, 30.0).place.x, 40.0);
    EXPECT_EQ(nearest(40.0, 30.0).distance, 30.0);
    EXPECT_EQ(nearest(90.0, 150.0).distance, 10.0);
    EXPECT_EQ(nearest(-30.0, -40.0).distance, 50.0);
    EXPECT_EQ(nearest_on_stroke(std::vector<double>{7.0, 1.0}, {.x = 7.0, .y = 4.0}).distance, 3.0);
    EXPECT_EQ(brush_weight(100.0, 100.0, 50.0), 1.0);
    EXPECT_EQ(brush_weight(125.0, 100.0, 50.0), 0.5);
    EXPECT_EQ(brush_weight(150.0, 100.0, 50.0), 0.0);
    EXPECT_EQ(brush_weight(100.0, 100.0, 0.0), 1.0);
}

TEST(Strokes, raise_by_the_strength_on_the_line_and_not_at_all_out_of_reach) {
    const Field<float> raised =
        with_stroke(Field<float>(square(100), 7.0F), middle_stroke(StrokeOperation::Raise));
    EXPECT_FLOAT_EQ(raised(50, 50), 57.0F);
    EXPECT_FLOAT_EQ(raised(50, 54), 57.0F);  // 90 m from the line
    EXPECT_EQ(raised(50, 70), 7.0F);         // 410 m from it
    EXPECT_EQ(raised(0, 0), 7.0F);
}

TEST(Strokes, fall_off_as_the_quintic) {
    const Field<float> raised = with_stroke(Field<float>(square(200)), middle_stroke(StrokeOperation::Raise));
    // Distances from a line end as well as from its side.
    for (const auto& [column, row] : {std::pair{100, 75}, {100, 80}, {160, 100}, {155, 115}, {40, 85}}) {
        const double dx = std::max({600.0 - raised.grid().x(column), raised.grid().x(column) - 1400.0, 0.0});
        const double dy = raised.grid().y(row) - 1000.0;
        const double t = std::clamp((std::hypot(dx, dy) - 100.0) / 300.0, 0.0, 1.0);
        EXPECT_NEAR(raised(column, row), 50.0 * (1.0 - std::pow(t, 3) * (10.0 - 15.0 * t + 6.0 * t * t)),
                    1e-4);
    }
}

TEST(Strokes, lower_undoes_raise) {
    const Field<float> start = waves(square(64));
    const Field<float> raised = with_stroke(start, middle_stroke(StrokeOperation::Raise));
    const Field<float> back = with_stroke(raised, middle_stroke(StrokeOperation::Lower));
    double change = 0.0;
    for (std::int64_t cell = 0; cell < start.size(); ++cell) {
        change = std::max<double>(change, std::abs(raised[cell] - start[cell]));
        EXPECT_NEAR(back[cell], start[cell], 1e-4);
    }
    EXPECT_NEAR(change, 50.0, 1e-3);
}

TEST(Strokes, set_gives_its_value_and_never_passes_it) {
    const Field<float> start = waves(square(64));
    const Field<float> after = with_stroke(start, middle_stroke(StrokeOperation::Set));
    EXPECT_FLOAT_EQ(after(32, 32), 50.0F);
    for (std::int64_t cell = 0; cell < start.size(); ++cell) {
        EXPECT_LE(after[cell], std::max(start[cell], 50.0F) + 1e-4F);
        EXPECT_GE(after[cell], std::min(start[cell], 50.0F) - 1e-4F);
    }
}

TEST(Strokes, are_the_same_at_every_size) {
    for (const StrokeOperation operation :
         {StrokeOperation::Raise, StrokeOperation::Lower, StrokeOperation::Set, StrokeOperation::Smooth}) {
        Stroke stroke = middle_stroke(operation);
        stroke.points = {430.0, 610.0, 900.0, 1280.0, 1550.0, 1190.0};
        // Of three times as many cells, every third has its centre on a coarse one's.
        const Field<float> coarse = with_stroke(waves(square(100)), stroke);
        const Field<float> fine = with_stroke(waves(square(300)), stroke);
        const double tolerance = operation == StrokeOperation::Smooth ? 1.0 : 2e-4;  // m, of 200 m relief
        for (int row = 0; row < 100; ++row)
            for (int column = 0; column < 100; ++column)
                ASSERT_NEAR(coarse(column, row), fine(3 * column + 1, 3 * row + 1), tolerance)
                    << static_cast<int>(operation) << " at " << column << ", " << row;
    }
}

TEST(Strokes, smoothing_flattens_a_wave_as_a_gaussian_does) {
    // A wave of number q loses all but exp(-(q width)^2 / 2) of its height.
    const double q = 2.0 * std::numbers::pi / 400.0;
    const Field<float> wave =
        field_of(square(200), [&](double x, double) { return 100.0 * std::sin(q * x); });
    const Field<float> smooth = gaussian_mean(wave, 60.0, whole(wave.grid()));
    const double kept = std::exp(-0.5 * std::pow(q * 60.0, 2));
    for (int column = 40; column < 160; ++column)
        EXPECT_NEAR(smooth(column, 100), 100.0 * kept * std::sin(q * wave.grid().x(column)), 0.3);
}

TEST(Strokes, smoothing_keeps_a_plane_inside) {
    const Field<float> plane = field_of(square(100), [](double x, double y) { return x - 2.0 * y; });
    const Field<float> after = with_stroke(plane, middle_stroke(StrokeOperation::Smooth));
    for (std::int64_t cell = 0; cell < plane.size(); ++cell) EXPECT_NEAR(after[cell], plane[cell], 1e-2);
    EXPECT_NE(with_stroke(waves(square(100)), middle_stroke(StrokeOperation::Smooth)), waves(square(100)));
}

TEST(Strokes, smoothing_agrees_with_the_sum_written_out) {
    Field<float> field = waves(square(24));
    field(5, 6) = kNoData;
    field(0, 0) = kNoData;
    const double width = 130.0;
    const Field<float> smooth = gaussian_mean(field, width, whole(field.grid()));
    const auto share = [&](int k) {
        const double scale = field.grid().cell_size / (width * std::numbers::sqrt2);
        return std::erf((k + 0.5) * scale) - std::erf((k - 0.5) * scale);
    };
    const int reach = static_cast<int>(std::ceil(4.0 * width / field.grid().cell_size));
    for (int row = 0; row < 24; ++row) {
        for (int column = 0; column < 24; ++column) {
            double sum = 0.0;
            double weight = 0.0;
            for (int j = std::max(0, row - reach); j <= std::min(23, row + reach); ++j) {
                for (int i = std::max(0, column - reach); i <= std::min(23, column + reach); ++i) {
                    if (is_no_data(field(i, j))) continue;
                    sum += share(i - column) * share(j - row) * field(i, j);
                    weight += share(i - column) * share(j - row);
                }
            }
            EXPECT_NEAR(smooth(column, row), sum / weight, 1e-4);
        }
    }
}

TEST(Strokes, no_data_stays_and_spreads_nowhere) {
    for (const StrokeOperation operation :
         {StrokeOperation::Raise, StrokeOperation::Lower, StrokeOperation::Set, StrokeOperation::Smooth}) {
        Field<float> field = waves(square(50));
        field(25, 25) = kNoData;
        const Field<float> after = with_stroke(field, middle_stroke(operation));
        int without = 0;
        for (const float value : after) without += is_no_data(value) ? 1 : 0;
        EXPECT_EQ(without, 1);
        EXPECT_TRUE(is_no_data(after(25, 25)));
    }
}

TEST(Strokes, one_point_is_a_round_dab) {
    Stroke dab = middle_stroke(StrokeOperation::Raise);
    dab.points = {1000.0, 1000.0};
    const Field<float> field = with_stroke(Field<float>(square(80)), dab);
    EXPECT_FLOAT_EQ(field(39, 39), 50.0F);
    for (int i = 0; i < 80; ++i) {
        EXPECT_NEAR(field(i, 39), field(39, i), 1e-4);
        EXPECT_NEAR(field(i, 39), field(79 - i, 39), 1e-4);
    }
}

TEST(Strokes, without_falloff_have_a_hard_rim) {
    Stroke stroke = middle_stroke(StrokeOperation::Raise);
    stroke.falloff = 0.0;
    const Field<float> field = with_stroke(Field<float>(square(100)), stroke);
    for (const float value : field) EXPECT_TRUE(value == 0.0F || value == 50.0F);
    EXPECT_EQ(field(50, 50), 50.0F);
}

TEST(Strokes, beside_the_grid_or_on_one_cell_do_no_harm) {
    Stroke stroke = middle_stroke(StrokeOperation::Raise);
    stroke.points = {9e6, 9e6, -9e8, 9e6};
    EXPECT_EQ(with_stroke(Field<float>(square(20), 1.0F), stroke), Field<float>(square(20), 1.0F));
    for (const StrokeOperation operation : {StrokeOperation::Raise, StrokeOperation::Smooth})
        EXPECT_FLOAT_EQ(with_stroke(Field<float>(square(1), 1.0F), middle_stroke(operation))[0],
                        operation == StrokeOperation::Raise ? 51.0F : 1.0F);
}

TEST(Strokes, refuse_points_that_are_no_pairs_before_any_change) {
    Field<float> field(square(10));
    std::vector<Stroke> strokes(2, middle_stroke(StrokeOperation::Raise));
    for (const std::vector<double>& points :
         {std::vector<double>{}, {1.0}, {1.0, 2.0, 3.0}, {1.0, std::numeric_limits<double>::quiet_NaN()}}) {
        strokes[1].points = points;
        EXPECT_THROW(apply_strokes(field, strokes), Error);
        EXPECT_THROW(stroked_source(constant_source(0.0F), strokes), Error);
    }
    EXPECT_EQ(field, Field<float>(square(10)));
}

TEST(Strokes, every_parameter_has_a_unit_a_sentence_and_a_default_in_range) {
    for (const Parameter& parameter : parameters_of<Stroke>().parameters()) {
        EXPECT_FALSE(parameter.notes.sentence.empty()) << parameter.name;
        EXPECT_NE(parameter.notes.unit.empty(), parameter.type != ParameterType::Choice) << parameter.name;
        Stroke stroke;
        EXPECT_NO_THROW(parameter.set(&stroke, parameter.default_value)) << parameter.name;
    }
}

TEST(Strokes, on_a_source_follow_it_to_every_grid) {
    const std::vector<Stroke> strokes(1, middle_stroke(StrokeOperation::Raise));
    const LayerSource source = stroked_source(constant_source(2.0F), strokes);
    for (const int cells : {16, 64}) {
        Field<float> expected(square(cells), 2.0F);
        apply_strokes(expected, strokes);
        EXPECT_EQ(source(square(cells), progress), expected);
        EXPECT_NE(expected, Field<float>(square(cells), 2.0F));
    }
}

TEST(Strokes, threads_do_not_change_a_bit) {
    const std::vector<Stroke> strokes{middle_stroke(StrokeOperation::Raise),
                                      middle_stroke(StrokeOperation::Smooth)};
    const auto run = [&](int threads) {
        const ExecutionScope on_threads({.threads = threads});
        Field<float> field = waves(square(400));
        apply_strokes(field, strokes);
        return field;
    };
    const Field<float> one = run(1);
    EXPECT_TRUE(same_bits(one, run(2)));
    EXPECT_TRUE(same_bits(one, run(8)));
}

}  // namespace
}  // namespace thalweg
