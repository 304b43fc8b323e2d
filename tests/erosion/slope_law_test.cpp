#include "thalweg/erosion/law/slope_law.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/baselines/stepping.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kUplift = 1e-3;     // m/yr
constexpr double kStrip = 1000.0;    // m, width of the strip that drains into a channel
constexpr double kLength = 20000.0;  // m, from the outlet to where nothing drains
const double kJustAbove1 = std::nextafter(1.0, 2.0);

/// A channel of `cells` in a row that drains to the first one: A(x) = kStrip (kLength - x).
ErosionInputs channel(int cells) {
    ErosionInputs inputs;
    const double spacing = kLength / cells;
    inputs.grid = Grid{.columns = cells, .rows = 1, .cell_size = spacing, .north = spacing};
    inputs.elevation = constant_source(0.0F);
    inputs.uplift = constant_source(static_cast<float>(kUplift));
    inputs.precipitation_factor = constant_source(static_cast<float>(kStrip / spacing));
    inputs.boundary = Field<std::uint8_t>(inputs.grid, 0);
    inputs.boundary[0] = 1;
    return inputs;
}

ErosionParameters of_channel(double n) {
    ErosionParameters parameters;
    parameters.lattice = ErosionLattice::FourNeighbours;
    parameters.slope_exponent = n;
    return parameters;
}

/// Largest relative error of the channel's lower nine tenths against the integral of (u / (k A^m))^(1/n).
double channel_error(int cells, double n) {
    ErosionParameters parameters = of_channel(n);
    parameters.law.hillslope = false;
    parameters.law.thermal = false;
    parameters.law.erodibility = n == 0.5 ? 2e-4 : 2e-5;
    const ErosionInputs inputs = channel(cells);
    const Field<float> z = erode(inputs, parameters, 3, progress).elevation;
    const double p = parameters.law.area_exponent / n;
    const double scale =
        std::pow(kUplift / parameters.law.erodibility, 1.0 / n) * std::pow(kStrip, -p) / (1.0 - p);
    double worst = 0.0;
    for (int i = 1; i < cells * 9 / 10; ++i) {
        const double left = kLength - i * inputs.grid.cell_size;
        const double exact = scale * (std::pow(kLength, 1.0 - p) - std::pow(left, 1.0 - p));
        worst = std::max(worst, std::abs(double{z(i, 0)} - exact) / exact);
    }
    return worst;
}

TEST(SlopeExponent, of_a_steady_channel_reaches_the_closed_form_to_first_order_in_the_cell_size) {
    for (const double n : {0.5, 1.5, 2.0}) {
        const double at_100 = channel_error(100, n);
        const double at_400 = channel_error(400, n);
        const double at_1600 = channel_error(1600, n);
        EXPECT_LT(at_100, 0.05) << n;
        EXPECT_NEAR(std::log(at_100 / at_400) / std::log(4.0), 1.0, 0.15) << n;
        EXPECT_NEAR(std::log(at_400 / at_1600) / std::log(4.0), 1.0, 0.15) << n;
    }
}

TEST(SlopeExponent, of_2_ends_where_long_stepping_ends) {
    ErosionParameters parameters = of_channel(2.0);
    parameters.law.critical_slope = 0.2;
    const Field<float> closed = erode(channel(200), parameters, 3, progress).elevation;
    parameters.method = ErosionMethod::Stepping;
    parameters.time = 2e7;
    const Field<float> stepped = erode(channel(200), parameters, 3, progress).elevation;
    for (int i = 1; i < 200; ++i) ASSERT_NEAR(closed(i, 0), stepped(i, 0), 1e-4F * stepped(i, 0)) << i;
}

/// Cells that drain over a random tree, with random inputs.
struct Forest {
    FlowTree tree;
    std::vector<float> length, area, uplift, erodibility;
    Field<float> roots;

    explicit Forest(int side) : roots(Grid{.columns = side, .rows = side, .cell_size = 30.0}) {
        Field<float> z(roots.grid());
        Field<std::uint8_t> edge(roots.grid(), 0);
        const auto draw = [](std::int64_t cell, std::uint64_t what) {
            return unit_float(random_bits(7, Stream::SeedTerrain, static_cast<std::uint64_t>(cell), what));
        };
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            z[cell] = 200.0F * draw(cell, 0);
            edge[cell] = z.grid().on_edge(z.grid().column_of(cell), z.grid().row_of(cell)) ? 1 : 0;
            length.push_back(15.0F + 15.0F * draw(cell, 1));
            area.push_back(std::pow(10.0F, 2.0F + 6.0F * draw(cell, 2)));
            uplift.push_back(2e-3F * draw(cell, 3));
            erodibility.push_back(1e-5F + 4e-5F * draw(cell, 4));
        }
        tree = build_flow_tree(z, four_neighbours(z.grid()), edge, progress);
    }

    /// Elevations that the steady slopes add up to, m.
    [[nodiscard]] Field<float> summed(const SlopeLaw& law) const {
        std::vector<float> slopes(area.size());
        EXPECT_EQ(steady_slopes(law, area, uplift, slopes), 0);
        const std::vector<float> ones(area.size(), 1.0F);
        Field<float> z = roots;
        solve_steady(tree, {.thermal = false}, {length, ones, slopes}, z, progress);
        return z;
    }
};

TEST(SteadySlopes, on_a_fixed_tree_are_where_long_steps_end_for_every_exponent) {
    const Forest forest(60);
    const ErosionLaw law{.critical_slope = 0.3};
    for (const double n : {0.25, 0.5, 0.999, 1.5, 2.0, 4.0}) {
        const SlopeLaw slope_law(law, n, forest.erodibility);
        const Field<float> closed = forest.summed(slope_law);
        std::vector<float> power, creep;
        for (std::int64_t cell = 0; cell < closed.size(); ++cell) {
            const SlopeRates rates = slope_law.rates(cell, forest.area[at(cell)]);
            power.push_back(rates.power);
            creep.push_back(rates.creep);
        }
        Field<double> z(closed.grid());
        const StepInputs inputs{{forest.length, power, forest.uplift}, creep};
        for (int i = 0; i < 10; ++i)
            step_along_tree(forest.tree, inputs, {.law = law, .slope_exponent = n, .years = 1e8}, z,
                            progress);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            ASSERT_NEAR(double{closed[cell]}, z[cell], 1e-4 * (1.0 + z[cell])) << n;
    }
}

TEST(SteadySlopes, of_exponent_1_are_those_of_the_celerities) {
    const Forest forest(60);
    for (const bool hillslope : {false, true}) {
        const ErosionLaw law{.hillslope = hillslope, .critical_slope = 0.3};
        std::vector<float> celerity(forest.area.size());
        celerities(law, forest.area, forest.erodibility, celerity);
        Field<float> ordinary = forest.roots;
        solve_steady(forest.tree, law, {forest.length, celerity, forest.uplift}, ordinary, progress);
        const Field<float> z = forest.summed({law, 1.0, forest.erodibility});
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            ASSERT_NEAR(z[cell], ordinary[cell], 1e-4F * (1.0F + ordinary[cell]));
    }
}

TEST(SteadySlopes, leave_no_residual_where_they_hold_and_one_where_they_do_not) {
    const Forest forest(60);
    const SlopeLaw law({.critical_slope = 0.3}, 2.0, forest.erodibility);
    Field<float> z = forest.summed(law);
    const auto worst = [&] {
        std::vector<float> residuals =
            slope_residuals(forest.tree, law, {forest.length, forest.area, forest.uplift}, z);
        std::erase_if(residuals, [](float residual) { return std::isnan(residual); });
        EXPECT_GT(residuals.size(), 3000U);
        return *std::max_element(residuals.begin(), residuals.end());
    };
    EXPECT_LT(worst(), 1e-3F);
    for (float& here : z) here *= 1.5F;
    EXPECT_GT(worst(), 0.5F);
}

/// Rolling ground, where a kept network has one tree.
ErosionInputs ground(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(12800.0, 12800.0, cells);
    inputs.elevation = [](const Grid& grid, Progress&) {
        Field<float> z(grid);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            z[cell] = static_cast<float>(200.0 + 100.0 * std::sin(grid.x(grid.column_of(cell)) / 1500.0) +
                                         100.0 * std::cos(grid.y(grid.row_of(cell)) / 1900.0));
        return z;
    };
    inputs.uplift = constant_source(static_cast<float>(kUplift));
    return inputs;
}

TEST(SlopeExponent, next_to_1_gives_the_terrain_of_exponent_1_on_a_kept_network) {
    for (const ErosionLattice lattice :
         {ErosionLattice::Mesh, ErosionLattice::FourNeighbours, ErosionLattice::EightNeighbours})
        for (const double deposition : {0.0, 0.5}) {
            ErosionParameters parameters{
                .lattice = lattice, .network = NetworkSource::Terrain, .deposition = deposition};
            const Field<float> ordinary = erode(ground(64), parameters, 3, progress).elevation;
            parameters.slope_exponent = kJustAbove1;
            const Field<float> z = erode(ground(64), parameters, 3, progress).elevation;
            for (std::int64_t cell = 0; cell < z.size(); ++cell)
                ASSERT_NEAR(z[cell], ordinary[cell], 1e-4F * (1.0F + std::abs(ordinary[cell])));
        }
}

TEST(SlopeExponent, other_than_1_settles_like_exponent_1_and_tells_so) {
    for (const double n : {0.7, 1.0, 1.5})
        for (const ErosionLattice lattice :
             {ErosionLattice::Mesh, ErosionLattice::FourNeighbours, ErosionLattice::EightNeighbours}) {
            const ErosionReport report =
                erode(ground(128), {.lattice = lattice, .slope_exponent = n}, 3, progress).report;
            EXPECT_LT(report.residual_median, 1e-4) << n;
            EXPECT_LT(report.residual_p99, 1e-3) << n;
            EXPECT_GT(report.unsettled_median, report.residual_median) << n;
            EXPECT_LT(report.unsettled_median, 0.2) << n;
        }
}

TEST(SlopeExponent, is_the_same_on_1_2_and_8_threads) {
    for (const ErosionLattice lattice :
         {ErosionLattice::Mesh, ErosionLattice::FourNeighbours, ErosionLattice::EightNeighbours}) {
        std::vector<Field<float>> results;
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            results.push_back(
                erode(ground(220), {.lattice = lattice, .slope_exponent = 1.5}, 3, progress).elevation);
        }
        EXPECT_EQ(results[0], results[1]);
        EXPECT_EQ(results[0], results[2]);
    }
}

TEST(SlopeExponent, other_than_1_is_refused_at_a_finite_time_in_one_sentence) {
    for (const ErosionMethod method : {ErosionMethod::Analytical, ErosionMethod::FixedPoint}) {
        try {
            erode(ground(32), {.time = 1e5, .method = method, .slope_exponent = 2.0}, 3, progress);
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_EQ(
                std::string(error.what()),
                "slope_exponent = 2 is only allowed with time = inf or method = \"stepping\", and time is "
                "100000 yr: the closed form knows other exponents than 1 at steady state alone");
        }
    }
    EXPECT_NO_THROW(
        erode(ground(32), {.method = ErosionMethod::FixedPoint, .slope_exponent = 2.0}, 3, progress));
}

}  // namespace
}  // namespace thalweg
