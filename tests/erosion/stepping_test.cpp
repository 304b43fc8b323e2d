#include "thalweg/erosion/baselines/stepping.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include "tests/erosion/channel.hpp"
#include "tests/erosion/solve_transient.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

QuietProgress progress;

constexpr double kExtent = 12800.0;  // m
constexpr double kSteady = std::numeric_limits<double>::infinity();

Field<double> in_double(const Field<float>& values) {
    Field<double> result(values.grid());
    std::copy(values.begin(), values.end(), result.begin());
    return result;
}

/// Elevation of a channel after `steps` steps of `years`.
Field<double> stepped(const Channel& channel, double exponent, double years, int steps) {
    Field<double> z = in_double(channel.initial);
    const ImplicitStep step{.law = channel.law, .slope_exponent = exponent, .years = years};
    for (int i = 0; i < steps; ++i)
        EXPECT_EQ(step_along_tree(channel.tree, {channel.inputs(), {}}, step, z, progress), 0);
    return z;
}

TEST(StepAlongTree, solves_three_cells_as_by_hand) {
    const Channel channel(3, 200.0);
    const double courant_1 = 1e4 * double{channel.celerity[1]} / 100.0;
    const double courant_2 = 1e4 * double{channel.celerity[2]} / 100.0;
    const double z1 = 10.0 / (1.0 + courant_1);
    const double z2 = (10.0 + courant_2 * z1) / (1.0 + courant_2);
    const Field<double> z = stepped(channel, 1.0, 1e4, 1);
    EXPECT_EQ(z[0], 0.0);
    EXPECT_NEAR(z[1], z1, 1e-6);
    EXPECT_NEAR(z[2], z2, 1e-6);
}

/// The integral from 0 to x of (u / (k A^m))^(1/n), m.
double steady_elevation(const Channel& channel, double n, double x) {
    const double p = channel.law.area_exponent / n;
    const double total = channel.length_of_channel + Channel::kHead;
    return std::pow(Channel::kUplift / channel.law.erodibility, 1.0 / n) * std::pow(Channel::kStrip, -p) *
           (std::pow(total, 1.0 - p) - std::pow(total - x, 1.0 - p)) / (1.0 - p);
}

/// Largest relative error of the channel that steps have brought to its steady state.
double steady_error(int cells, double n) {
    Channel channel(cells, 20000.0);
    channel.law.erodibility = n == 0.5 ? 2e-4 : 2e-5;
    for (int i = 0; i < cells; ++i)
        channel.celerity[at(i)] = static_cast<float>(
            channel.law.celerity(Channel::kStrip * (20200.0 - channel.x(i)), channel.law.erodibility));
    const Field<double> z = stepped(channel, n, 1e5, 400);
    double worst = 0.0;
    for (int i = 1; i < cells; ++i) {
        const double exact = steady_elevation(channel, n, channel.x(i));
        worst = std::max(worst, std::abs(z[i] - exact) / exact);
    }
    return worst;
}

TEST(StepAlongTree, reaches_the_closed_form_of_a_steady_channel_to_first_order_for_every_slope_exponent) {
    for (const double n : {0.5, 1.0, 1.5, 2.0}) {
        const double at_128 = steady_error(129, n);
        const double at_512 = steady_error(513, n);
        const double at_2048 = steady_error(2049, n);
        EXPECT_LT(at_128, 0.12) << n;
        EXPECT_LT(at_2048, 0.01) << n;
        EXPECT_NEAR(std::log(at_128 / at_512) / std::log(4.0), 1.0, 0.15) << n;
        EXPECT_NEAR(std::log(at_512 / at_2048) / std::log(4.0), 1.0, 0.15) << n;
    }
}

/// Mean difference, m, of a ramp after 100 000 years in `steps` steps from the closed form.
double transient_error(const Channel& channel, int steps) {
    Field<float> exact = channel.initial;
    solve_transient(channel.tree, channel.law, channel.inputs(), 1e5, channel.initial, exact, progress);
    const Field<double> z = stepped(channel, 1.0, 1e5 / steps, steps);
    double sum = 0.0;
    for (std::int64_t i = 0; i < z.size(); ++i) sum += std::abs(z[i] - double{exact[i]});
    return sum / static_cast<double>(z.size());
}

TEST(StepAlongTree, converges_to_the_analytical_transient_to_first_order_in_the_time_step) {
    Channel channel(6401, 10000.0);  // so fine that the time step alone counts
    for (int i = 0; i < 6401; ++i) channel.initial[i] = static_cast<float>(0.01 * channel.x(i));
    const double in_10 = transient_error(channel, 10);
    const double in_40 = transient_error(channel, 40);
    const double in_160 = transient_error(channel, 160);
    EXPECT_NEAR(std::log(in_10 / in_40) / std::log(4.0), 1.0, 0.2);
    EXPECT_NEAR(std::log(in_40 / in_160) / std::log(4.0), 1.0, 0.2);
    EXPECT_LT(in_160, 0.3);  // m, where the ground stands near 100 m
}

TEST(StepAlongTree, only_raises_what_lies_below_its_receiver) {
    Channel channel(4, 300.0);
    channel.initial[1] = 80.0F;
    channel.initial[2] = 20.0F;
    channel.initial[3] = 20.0F;
    for (const double n : {1.0, 2.0}) {
        const Field<double> z = stepped(channel, n, 100.0, 1);
        EXPECT_LT(z[1], 80.1);
        EXPECT_NEAR(z[2], 20.0 + 100.0 * Channel::kUplift, 1e-5);
        EXPECT_LE(z[3], z[2]);
    }
}

/// A forest with random inputs.
struct RandomForest {
    FlowTree tree;
    std::vector<float> length, celerity, uplift, creep;
    Field<double> initial;

    RandomForest(std::uint64_t seed, int side) {
        Field<float> z(Grid{.columns = side, .rows = side, .cell_size = 30.0});
        const auto draw = [&](std::int64_t cell, std::uint64_t what) {
            return unit_float(random_bits(seed, Stream::SeedTerrain, static_cast<std::uint64_t>(cell), what));
        };
        for (std::int64_t cell = 0; cell < z.size(); ++cell) z[cell] = 200.0F * draw(cell, 0);
        tree = build_flow_tree(z, four_neighbours(z.grid()), edge_roots(z), progress);
        initial = in_double(z);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            length.push_back(15.0F + 15.0F * draw(cell, 1));
            celerity.push_back(std::pow(10.0F, -5.0F + 5.0F * draw(cell, 2)));
            uplift.push_back(2e-3F * draw(cell, 3));
            creep.push_back(draw(cell, 4) < 0.3F ? 0.0F : 1e-2F * draw(cell, 5));
        }
    }

    [[nodiscard]] PathInputs path() const { return {length, celerity, uplift}; }
};

TEST(StepAlongTree, ends_where_the_closed_form_of_the_steady_state_stands) {
    const RandomForest p(7, 60);
    for (const bool thermal : {false, true}) {
        const ErosionLaw law{.thermal = thermal, .critical_slope = 0.1};
        Field<float> steady(p.tree.grid);
        std::copy(p.initial.begin(), p.initial.end(), steady.begin());
        solve_steady(p.tree, law, p.path(), steady, progress);
        // From above: what lies below its receiver would wait for its own uplift.
        Field<double> z = in_double(steady);
        for (double& here : z) here *= 3.0;
        for (const std::int32_t cell : p.tree.order)
            if (p.tree.receiver(cell) < 0) z[cell] = double{steady[cell]};
        for (int i = 0; i < 400; ++i)
            step_along_tree(p.tree, {p.path(), {}}, {.law = law, .years = 1e6}, z, progress);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            ASSERT_NEAR(z[cell], double{steady[cell]}, 0.01 + 1e-4 * double{steady[cell]}) << thermal;
    }
}

/// The new elevation by 200 bisections: slow and obvious.
double elevation_by_bisection(const RandomForest& p, std::int32_t cell, const ImplicitStep& step,
                              double before, double below) {
    const double lifted = before + double{p.uplift[at(cell)]} * step.years;
    if (lifted <= below) return lifted;
    double low = below;
    double high = lifted;
    for (int i = 0; i < 200; ++i) {
        const double z = 0.5 * (low + high);
        const double slope = (z - below) / double{p.length[at(cell)]};
        const double thermal = step.law.thermal_erosion * std::max(0.0, slope - step.law.critical_slope);
        const double erosion = double{p.celerity[at(cell)]} * std::pow(slope, step.slope_exponent) +
                               double{p.creep[at(cell)]} * slope + thermal;
        (z + step.years * erosion > lifted ? high : low) = z;
    }
    return low;
}

TEST(StepAlongTree, agrees_with_bisection_for_any_exponent_and_step_without_reaching_its_cap) {
    for (const double n : {0.25, 0.5, 0.999, 1.001, 1.5, 2.0, 4.0})
        for (const double years : {1.0, 1e3, 1e6, 1e9}) {
            const RandomForest p(13, 40);
            const ImplicitStep step{.law = {.critical_slope = 0.3}, .slope_exponent = n, .years = years};
            Field<double> z = p.initial;
            ASSERT_EQ(step_along_tree(p.tree, {p.path(), p.creep}, step, z, progress), 0)
                << n << " " << years;
            for (const std::int32_t cell : p.tree.order) {
                const std::int32_t receiver = p.tree.receiver(cell);
                if (receiver < 0) continue;
                const double expected = elevation_by_bisection(p, cell, step, p.initial[cell], z[receiver]);
                ASSERT_NEAR(z[cell], expected, 2e-6 + 1e-12 * years) << "n " << n << ", " << years << " yr";
            }
        }
}

TEST(StepAlongTree, by_newton_gives_what_the_closed_form_of_exponent_1_gives) {
    const RandomForest p(17, 80);
    Field<double> closed = p.initial;
    Field<double> newton = p.initial;
    ImplicitStep step{.law = {.critical_slope = 0.3}, .years = 1e4};
    step_along_tree(p.tree, {p.path(), {}}, step, closed, progress);
    step.slope_exponent = std::nextafter(1.0, 2.0);
    step_along_tree(p.tree, {p.path(), {}}, step, newton, progress);
    for (std::int64_t cell = 0; cell < closed.size(); ++cell) ASSERT_NEAR(newton[cell], closed[cell], 1e-4);
}

Field<float> rolling_ground(const Grid& grid, Progress&) {
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            z(column, row) = static_cast<float>(200.0 + 100.0 * std::sin(grid.x(column) / 1500.0) +
                                                100.0 * std::cos(grid.y(row) / 1900.0));
    return z;
}

ErosionInputs problem(int cells, LayerSource elevation = constant_source(0.0F), float uplift = 1e-3F) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, cells);
    inputs.elevation = std::move(elevation);
    inputs.uplift = constant_source(uplift);
    return inputs;
}

ErosionResult run(const ErosionInputs& inputs, const ErosionParameters& parameters) {
    return erode(inputs, parameters, 3, progress);
}

double mean(const Field<float>& field) {
    double sum = 0.0;
    for (const float value : field) sum += double{value};
    return sum / static_cast<double>(field.size());
}

constexpr ErosionParameters kStepping{.method = ErosionMethod::Stepping};

TEST(Stepping, of_ground_that_nothing_erodes_adds_uplift_times_time) {
    ErosionParameters parameters = kStepping;
    parameters.time = 2000.0;
    parameters.time_step = 1.0;  // so short that floats would lose part of every step's uplift
    parameters.law = {.erodibility = 1e-30, .hillslope = false, .thermal = false};
    for (const ErosionLattice lattice :
         {ErosionLattice::Mesh, ErosionLattice::FourNeighbours, ErosionLattice::EightNeighbours})
        for (const double n : {1.0, 2.0}) {
            parameters.lattice = lattice;
            parameters.slope_exponent = n;
            const ErosionInputs inputs = problem(16, rolling_ground);
            const Field<float> before = rolling_ground(inputs.grid, progress);
            const Field<float> after = run(inputs, parameters).elevation;
            // Resampling mixes the fixed edge into the cells beside it.
            for (int row = 3; row < 13; ++row)
                for (int column = 3; column < 13; ++column)
                    ASSERT_NEAR(after(column, row), before(column, row) + 2.0F, 0.001F);
            EXPECT_EQ(after(0, 5), before(0, 5));
        }
}

/// Mean elevation `time` years after the analytical steady state at the same nodes, over that state's.
double drift_of_the_steady_state(double time) {
    const ErosionInputs inputs = problem(128);
    Field<float> steady;
    erode(inputs, {}, 3, progress, [&](const Grid&, const Field<float>& terrain) { steady = terrain; });
    ErosionParameters parameters = kStepping;
    parameters.time = time;
    parameters.lattice = ErosionLattice::EightNeighbours;
    ErosionLevel level = make_erosion_level(inputs, inputs.grid, {}, parameters, 3, progress);
    level.initial = steady;
    PhaseTimes phases;
    return mean(step_terrain(level, parameters, 3, phases, progress).terrain) / mean(steady);
}

TEST(Stepping, started_from_the_analytical_steady_state_stays_at_its_height) {
    EXPECT_NEAR(drift_of_the_steady_state(2e5), 1.0, 0.005);
    // Over millions of years divides still migrate to networks that lie lower (docs/theory/erosion.md).
    const double settled = drift_of_the_steady_state(kSteady);
    EXPECT_LT(settled, 1.0);
    EXPECT_GT(settled, 0.94);
}

TEST(Stepping, from_noise_settles_near_the_analytical_steady_state) {
    const ErosionResult stepped = run(problem(96), kStepping);
    EXPECT_TRUE(stepped.report.stepping->settled);
    EXPECT_EQ(stepped.report.stepping->capped_solves, 0);
    EXPECT_LT(stepped.report.stepping->change, 1e-5);
    EXPECT_NEAR(mean(stepped.elevation) / mean(run(problem(96), {}).elevation), 1.0, 0.1);
}

TEST(Stepping, reports_a_steady_state_that_it_has_not_reached) {
    ErosionParameters parameters = kStepping;
    parameters.law = {.erodibility = 1e-9, .hillslope = false, .thermal = false};
    const SteppingReport report = *run(problem(16), parameters).report.stepping;
    EXPECT_FALSE(report.settled);
    EXPECT_DOUBLE_EQ(report.years, 2e7);
    EXPECT_GT(report.change, 1e-4);
}

TEST(Stepping, without_uplift_wears_the_ground_down_to_its_outlets) {
    const ErosionInputs inputs = problem(48, rolling_ground, 0.0F);
    const ErosionResult result = run(inputs, kStepping);
    EXPECT_LT(result.report.stepping->change, 1e-6);
    EXPECT_LT(mean(result.elevation), mean(rolling_ground(inputs.grid, progress)) - 20.0);
}

TEST(Stepping, ends_at_the_time_asked_for_in_equal_steps) {
    ErosionParameters parameters = kStepping;
    parameters.time = 1e5;
    parameters.time_step = 3e4;
    const ErosionReport report = run(problem(32, rolling_ground), parameters).report;
    EXPECT_EQ(report.iterations, 4);
    EXPECT_DOUBLE_EQ(report.stepping->years, 1e5);
    EXPECT_TRUE(report.stepping->settled);
    parameters.time_step = 0.0;  // 200 yr/m of 400 m cells would be 80 000 yr: at least 20 steps
    EXPECT_EQ(run(problem(32, rolling_ground), parameters).report.iterations, 20);
    parameters.time = 8e6;
    EXPECT_EQ(run(problem(32, rolling_ground), parameters).report.iterations, 100);
}

TEST(Stepping, with_an_exponent_next_to_1_gives_the_terrain_of_exponent_1) {
    ErosionInputs inputs = problem(64, rolling_ground);
    inputs.erodibility = [](const Grid& grid, Progress&) {
        Field<float> k(grid, 2e-5F);
        for (int row = 0; row < grid.rows; ++row) k(grid.columns / 3, row) = 6e-5F;
        return k;
    };
    inputs.precipitation_factor = constant_source(0.5F);
    ErosionParameters parameters = kStepping;
    parameters.time = 1e4;
    parameters.time_step = 1e4;
    const Field<float> closed = run(inputs, parameters).elevation;
    parameters.slope_exponent = std::nextafter(1.0, 2.0);
    const Field<float> newton = run(inputs, parameters).elevation;
    for (std::int64_t cell = 0; cell < closed.size(); ++cell) ASSERT_NEAR(newton[cell], closed[cell], 0.01);
}

TEST(Stepping, follows_the_maps_of_erodibility_and_rain) {
    ErosionParameters parameters = kStepping;
    parameters.time = 3e6;
    const double common = mean(run(problem(48), parameters).elevation);
    ErosionInputs soft = problem(48);
    soft.erodibility = constant_source(4e-5F);
    EXPECT_LT(mean(run(soft, parameters).elevation), 0.75 * common);
    ErosionInputs wet = problem(48);
    wet.precipitation_factor = constant_source(4.0F);
    EXPECT_LT(mean(run(wet, parameters).elevation), 0.9 * common);
}

TEST(Stepping, keeps_cells_without_data_and_the_cells_of_a_mask) {
    ErosionInputs inputs = problem(48, [](const Grid& grid, Progress& quiet) {
        Field<float> z = rolling_ground(grid, quiet);
        z(20, 20) = kNoData;
        return z;
    });
    inputs.boundary = Field<std::uint8_t>(inputs.grid, 0);
    inputs.boundary(0, 17) = 1;
    const Field<float> before = rolling_ground(inputs.grid, progress);
    for (const ErosionMethod method : {ErosionMethod::Stepping, ErosionMethod::FixedPoint}) {
        const Field<float> after = run(inputs, {.time = 5e5, .method = method}).elevation;
        EXPECT_EQ(after(0, 17), before(0, 17));
        for (std::int64_t cell = 0; cell < after.size(); ++cell)
            ASSERT_EQ(is_no_data(after[cell]), cell == inputs.grid.index(20, 20));
        EXPECT_GT(after(47, 47), before(47, 47));  // no edge but the mask keeps its elevation
    }
}

TEST(FixedPoint, settles_on_a_steady_state_along_every_receiver) {
    const ErosionReport report =
        run(problem(96), {.method = ErosionMethod::FixedPoint, .fixed_point_iterations = 100}).report;
    EXPECT_EQ(report.levels, 1);
    EXPECT_EQ(report.iterations, 100);
    EXPECT_LT(report.residual_p99, 1e-4);
    EXPECT_LT(report.unsettled_median, 0.01);
    EXPECT_LT(report.discontinuous_share, 0.01);
}

TEST(FixedPoint, does_not_carry_the_height_of_the_start_into_the_steady_state) {
    const auto mesa = [](const Grid& grid, Progress&) {
        Field<float> z(grid, 20000.0F);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            if (grid.on_edge(grid.column_of(cell), grid.row_of(cell))) z[cell] = 0.0F;
        return z;
    };
    const ErosionParameters parameters{.method = ErosionMethod::FixedPoint, .fixed_point_iterations = 3};
    const double low = mean(run(problem(64), parameters).elevation);
    EXPECT_NEAR(mean(run(problem(64, mesa), parameters).elevation) / low, 1.0, 0.5);
}

TEST(FixedPoint, at_a_finite_time_agrees_with_short_steps) {
    const ErosionInputs inputs = problem(64, rolling_ground);
    const double closed = mean(run(inputs, {.time = 2e5, .method = ErosionMethod::FixedPoint}).elevation);
    ErosionParameters parameters = kStepping;
    parameters.time = 2e5;
    parameters.time_step = 1e3;
    EXPECT_NEAR(mean(run(inputs, parameters).elevation) / closed, 1.0, 0.1);
}

TEST(FixedPoint, hardly_changes_after_60_iterations_at_a_finite_time) {
    const ErosionInputs inputs = problem(96, rolling_ground, 0.0F);
    ErosionParameters parameters{.time = 1e6, .method = ErosionMethod::FixedPoint};
    for (const ErosionLattice lattice :
         {ErosionLattice::Mesh, ErosionLattice::FourNeighbours, ErosionLattice::EightNeighbours}) {
        parameters.lattice = lattice;
        parameters.fixed_point_iterations = 60;
        const Field<float> before = run(inputs, parameters).elevation;
        parameters.fixed_point_iterations = 61;
        const Field<float> after = run(inputs, parameters).elevation;
        double change = 0.0;
        for (std::int64_t cell = 0; cell < after.size(); ++cell)
            change += std::abs(double{after[cell]} - double{before[cell]});
        EXPECT_LT(change / static_cast<double>(after.size()), 1.0);  // m; over 2 without the average
    }
}

TEST(Baselines, are_the_same_on_1_2_and_8_threads) {
    ErosionParameters bent = kStepping;
    bent.slope_exponent = 1.5;
    ErosionParameters straight = kStepping;
    straight.time = bent.time = 2e5;
    const ErosionParameters random{.time = 2e5,
                                   .method = ErosionMethod::FixedPoint,
                                   .lattice = ErosionLattice::FourNeighbours,
                                   .receivers = ReceiverRule::Random,
                                   .fixed_point_iterations = 5};
    for (const ErosionParameters& parameters : {straight, bent, random}) {
        std::vector<Field<float>> results;
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            results.push_back(run(problem(220, rolling_ground), parameters).elevation);
        }
        EXPECT_EQ(results[0], results[1]);
        EXPECT_EQ(results[0], results[2]);
    }
}

std::string message_of(const ErosionParameters& parameters) {
    try {
        run(problem(32, rolling_ground), parameters);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(Baselines, refuse_bad_parameters_in_one_sentence) {
    EXPECT_THAT(message_of({.time = 1e5, .method = ErosionMethod::FixedPoint, .slope_exponent = 0.5}),
                HasSubstr("slope_exponent = 0.5 is only allowed"));
    for (const double n : {0.0, 0.2, 5.0, static_cast<double>(NAN)})
        EXPECT_THAT(message_of({.method = ErosionMethod::Stepping, .slope_exponent = n}),
                    HasSubstr("is not allowed: give 0.25 to 4"));
    for (const double years : {-1.0, kSteady, static_cast<double>(NAN)})
        EXPECT_THAT(message_of({.method = ErosionMethod::Stepping, .time_step = years}),
                    HasSubstr("time_step"));
    EXPECT_THAT(message_of({.time = 1e6, .method = ErosionMethod::Stepping, .time_step = 1e-3}),
                HasSubstr("would take 1e+09 steps, and at most 10000000 are allowed"));
    EXPECT_THAT(message_of({.method = ErosionMethod::FixedPoint, .fixed_point_iterations = 0}),
                HasSubstr("fixed_point_iterations = 0"));
}

TEST(Baselines, can_be_cancelled_at_any_point) {
    for (const ErosionMethod method : {ErosionMethod::Stepping, ErosionMethod::FixedPoint})
        for (const double time : {1e5, kSteady})
            for (int patience = 0; patience < 100; patience += 13) {
                ImpatientProgress impatient(patience);
                EXPECT_THROW(
                    erode(problem(64, rolling_ground), {.time = time, .method = method}, 1, impatient),
                    Cancelled);
            }
}

}  // namespace
}  // namespace thalweg
