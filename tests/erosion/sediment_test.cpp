#include "thalweg/erosion/levels/sediment.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/baselines/stepping.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/levels/increment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// A mountain in the north, up to 600 m high, with a plain before it; the mountain rises.
constexpr double kExtent = 12800.0;  // m

Field<float> mountain_front(const Grid& grid, Progress&) {
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const double north = grid.y(row) - 0.5 * kExtent;
            const double hills = 20.0 * std::sin(grid.x(column) / 500.0) + 0.001 * grid.x(column);
            z(column, row) = static_cast<float>(20.0 + 0.001 * grid.y(row) + std::max(0.0, 0.1 * north) +
                                                (north > 0.0 ? hills : 0.0));
        }
    return z;
}

Field<float> northern_uplift(const Grid& grid, Progress&) {
    Field<float> u(grid, 0.0F);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            if (grid.y(row) > 0.5 * kExtent) u(column, row) = 5e-4F;
    return u;
}

ErosionInputs problem(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, cells);
    inputs.elevation = mountain_front;
    inputs.uplift = northern_uplift;
    return inputs;
}

double mean_of_plain(const Field<float>& z) {
    double sum = 0.0;
    int cells = 0;
    for (int row = z.rows() / 2 + 2; row < z.rows() - 1; ++row)
        for (int column = 1; column < z.columns() - 1; ++column, ++cells)
            sum += static_cast<double>(z(column, row));
    return sum / cells;
}

/// A row of cells that drain to the west end: rising mountains in the east, a plain before them.
ErosionInputs channel(int cells) {
    ErosionInputs inputs;
    inputs.grid = Grid{.columns = cells, .rows = 1, .cell_size = kExtent / cells, .north = kExtent / cells};
    inputs.elevation = [](const Grid& grid, Progress&) {
        Field<float> z(grid);
        for (int i = 0; i < grid.columns; ++i)
            z[i] = static_cast<float>(0.002 * grid.x(i) + 0.05 * std::max(0.0, grid.x(i) - 0.5 * kExtent));
        return z;
    };
    inputs.uplift = [](const Grid& grid, Progress&) {
        Field<float> u(grid);
        for (int i = 0; i < grid.columns; ++i) u[i] = grid.x(i) > 0.5 * kExtent ? 1e-3F : 1e-4F;
        return u;
    };
    inputs.boundary = Field<std::uint8_t>(inputs.grid, 0);
    inputs.boundary[0] = 1;
    return inputs;
}

/// One terrain with its network, aged on that network alone.
struct FixedNetwork {
    ErosionParameters parameters = {.lattice = ErosionLattice::FourNeighbours};
    ErosionLevel level;
    ErosionNetwork network;

    explicit FixedNetwork(const ErosionInputs& inputs) {
        parameters.law.thermal = false;
        level = make_erosion_level(inputs, inputs.grid, inputs.boundary, parameters, 3, progress);
        TerrainRouter router;
        PhaseTimes phases;
        router.route(level, level.initial, ReceiverRule::Steepest, 1, network, phases, progress);
        network.celerity.resize(network.area.size());
        celerities(parameters.law, network.area, level.erodibility, network.celerity);
    }

    [[nodiscard]] Field<float> by_increments(double coefficient, double time, int count,
                                             SedimentReport* report = nullptr) const {
        ErosionParameters with_deposition = parameters;
        with_deposition.deposition = coefficient;
        IncrementSolver increments(with_deposition);
        PhaseTimes phases;
        Field<float> terrain = level.initial;
        for (int i = 0; i < count; ++i) {
            const Field<float> start = terrain;
            increments.solve({level, network}, time / count, start, terrain, {progress, phases},
                             TreeOf::Start);
        }
        if (report != nullptr) *report = increments.sediment_report().value();
        return terrain;
    }

    [[nodiscard]] Field<double> by_steps(double coefficient, double time, int count) const {
        Sediment sediment(coefficient);
        Field<double> elevation(level.initial.grid());
        std::copy(level.initial.begin(), level.initial.end(), elevation.begin());
        const double years = time / count;
        for (int i = 0; i < count; ++i) {
            const Field<double> start = elevation;
            StepInputs inputs = {network.path_inputs(level), {}};
            sediment.estimate_erosion(start, network.tree,
                                      {.length = network.length, .power = network.celerity, .creep = {}});
            inputs.path.uplift = sediment.uplift_over(years, start, level, network.tree, progress);
            step_along_tree(network.tree, inputs, {parameters.law, 1.0, years}, elevation, progress);
        }
        return elevation;
    }

    /// Mean difference of the two after `time`, m.
    [[nodiscard]] double difference(double coefficient, double time, int count) const {
        const Field<float> closed = by_increments(coefficient, time, count);
        const Field<double> stepped = by_steps(coefficient, time, count);
        double sum = 0.0;
        for (std::int64_t cell = 0; cell < closed.size(); ++cell)
            sum += std::abs(static_cast<double>(closed[cell]) - stepped[cell]);
        return sum / static_cast<double>(closed.size());
    }
};

TEST(Sediment, at_steady_state_steepens_a_channel_by_what_arrives) {
    for (const double coefficient : {0.3, 1.0, 1.9}) {
        ErosionInputs inputs = channel(200);
        inputs.uplift = constant_source(1e-3F);
        ErosionParameters parameters = {.lattice = ErosionLattice::FourNeighbours, .deposition = coefficient};
        parameters.law.hillslope = false;
        parameters.law.thermal = false;
        const ErosionResult result = erode(inputs, parameters, 3, progress);
        const double cell = inputs.grid.cell_size;
        double expected = static_cast<double>(inputs.elevation(inputs.grid, progress)[0]);
        for (int i = 1; i < 200; ++i) {
            const double area = (200 - i) * cell * cell;
            const double uplift = 1e-3 * (1.0 + coefficient * (area - cell * cell) / area);
            expected += cell * uplift / (2e-5 * std::pow(area, 0.4));
            ASSERT_NEAR(result.elevation[i], expected, 1e-4 * expected) << i;
        }
        ASSERT_TRUE(result.report.sediment);
        EXPECT_NEAR(result.report.sediment->exported, 199 * cell * cell * 1e-3, 1.0);
        EXPECT_LT(result.report.unsettled_median, 1e-4);
    }
}

TEST(Sediment, weighs_uplift_by_area_at_steady_state) {
    const FixedNetwork fixed(problem(32));
    Sediment sediment(0.8);
    const std::vector<float> uplift = sediment.steady_uplift(fixed.level, fixed.network.tree, progress);
    const FlowTree& tree = fixed.network.tree;
    const double cell_area = tree.grid.cell_area();
    // Walk down from every cell, with its own uplift in hand.
    std::vector<double> upstream(tree.direction.size(), 0.0);
    for (const std::int32_t cell : tree.order)
        for (std::int32_t below = tree.receiver(cell); below >= 0; below = tree.receiver(below))
            if (tree.receiver(cell) >= 0)
                upstream[at(below)] += static_cast<double>(fixed.level.uplift[at(cell)]) * cell_area;
    for (const std::int32_t cell : tree.order)
        if (tree.receiver(cell) >= 0) {
            const double expected =
                static_cast<double>(fixed.level.uplift[at(cell)]) +
                0.8 * upstream[at(cell)] / static_cast<double>(fixed.network.area[at(cell)]);
            ASSERT_NEAR(uplift[at(cell)], expected, 1e-9);
        }
}

TEST(Sediment, over_increments_agrees_with_stepping_to_first_order_on_a_channel) {
    const FixedNetwork fixed(channel(128));
    for (const double coefficient : {0.5, 2.0}) {
        const double coarse = fixed.difference(coefficient, 1e5, 50);
        const double middle = fixed.difference(coefficient, 1e5, 100);
        const double fine = fixed.difference(coefficient, 1e5, 200);
        EXPECT_NEAR(std::log2(coarse / middle), 1.0, 0.25) << coarse;
        EXPECT_NEAR(std::log2(middle / fine), 1.0, 0.25) << middle;
        EXPECT_LT(fine, 0.02);  // m, of 100 m of uplift
    }
}

TEST(Sediment, over_increments_agrees_with_stepping_to_first_order_on_a_network) {
    const FixedNetwork fixed(problem(48));
    const double coarse = fixed.difference(1.0, 1e5, 50);
    const double middle = fixed.difference(1.0, 1e5, 100);
    const double fine = fixed.difference(1.0, 1e5, 200);
    EXPECT_GT(std::log2(coarse / middle), 0.7) << coarse << " " << middle;
    EXPECT_GT(std::log2(middle / fine), 0.7) << middle << " " << fine;
    EXPECT_LT(fine, 0.02);
}

TEST(Sediment, is_neither_made_nor_lost) {
    const FixedNetwork fixed(problem(48));
    SedimentReport report;
    const Field<float> before = fixed.by_increments(1.0, 9e4, 9);
    const Field<float> after = fixed.by_increments(1.0, 1e5, 10, &report);
    const FlowTree& tree = fixed.network.tree;
    double lost = 0.0;  // m^3/yr
    for (const std::int32_t cell : tree.order)
        if (tree.receiver(cell) >= 0)
            lost += (static_cast<double>(fixed.level.uplift[at(cell)]) -
                     (static_cast<double>(after[cell]) - static_cast<double>(before[cell])) / 1e4) *
                    tree.grid.cell_area();
    EXPECT_GT(report.deposited, 0.05 * report.eroded);
    EXPECT_NEAR(report.exported, lost, 1e-9 * report.eroded);
    EXPECT_NEAR(report.eroded - report.deposited - report.exported, 0.0, 1e-9 * report.eroded);
}

TEST(Sediment, is_not_laid_down_beyond_what_arrives_or_above_the_banks) {
    FixedNetwork fixed(channel(64));
    const FlowTree& tree = fixed.network.tree;
    const double cell_area = tree.grid.cell_area();
    constexpr double kYears = 1e5;
    Sediment sediment(10.0);
    sediment.gross_erosion().assign(tree.direction.size(), 0.0F);
    sediment.gross_erosion()[50] = 1e-2F;
    const std::vector<float> uplift =
        sediment.uplift_over(kYears, fixed.level.initial, fixed.level, tree, progress);
    double left = 1e-2 * cell_area;
    for (int i = 49; i > 0; --i) {
        const double laid = static_cast<double>(uplift[at(i)] - fixed.level.uplift[at(i)]);
        // The only bank is the donor's bed.
        const double bank = static_cast<double>(fixed.level.initial[i + 1] - fixed.level.initial[i]);
        ASSERT_LE(laid * kYears, bank + Sediment::kLeveeSlope * tree.grid.cell_size + 1e-2) << i;
        left -= laid * cell_area;
        ASSERT_GE(left, -1e-3);
    }
    EXPECT_GT(sediment.report().limited, 0);
    EXPECT_NEAR(sediment.report().exported, left, 1e-3);
}

TEST(Sediment, near_a_source_is_laid_down_at_most_whole) {
    const FixedNetwork fixed(channel(64));
    Sediment sediment(10.0);
    sediment.gross_erosion().assign(64, 0.0F);
    sediment.gross_erosion()[63] = 1e-3F;
    // Ten times a flux over two cells would be five times what arrives.
    const std::vector<float> uplift =
        sediment.uplift_over(100.0, fixed.level.initial, fixed.level, fixed.network.tree, progress);
    EXPECT_NEAR(uplift[62] - fixed.level.uplift[62], 1e-3, 1e-8);
    EXPECT_EQ(uplift[61], fixed.level.uplift[61]);
    EXPECT_EQ(sediment.report().limited, 1);
    EXPECT_NEAR(sediment.report().exported, 0.0, 1e-9);
}

TEST(Sediment, builds_up_the_plain_before_a_mountain) {
    const std::pair<ErosionLattice, TimeDefinition> ways[] = {
        {ErosionLattice::Mesh, TimeDefinition::Multilevel},
        {ErosionLattice::Mesh, TimeDefinition::FullResolution},
        {ErosionLattice::EightNeighbours, TimeDefinition::FullResolution}};
    for (const auto& [lattice, definition] : ways) {
        ErosionParameters parameters = {.time = 3e5, .time_definition = definition, .lattice = lattice};
        const double bare = mean_of_plain(erode(problem(64), parameters, 3, progress).elevation);
        parameters.deposition = 1.0;
        const ErosionResult filled = erode(problem(64), parameters, 3, progress);
        parameters.method = ErosionMethod::Stepping;
        parameters.time_step = 2000.0;
        const double stepped = mean_of_plain(erode(problem(64), parameters, 3, progress).elevation);
        const double built = mean_of_plain(filled.elevation);
        EXPECT_GT(built, bare + 2.0);
        EXPECT_NEAR(built, stepped, 0.15 * (stepped - bare));
        ASSERT_TRUE(filled.report.sediment);
        EXPECT_GT(filled.report.sediment->deposited, 0.0);
    }
}

TEST(Sediment, fills_the_floor_of_a_basin_as_stepping_does_and_nothing_above_its_sill) {
    const auto crater = [](const Grid& grid, Progress&) {
        Field<float> z(grid);
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column) {
                const double r = std::hypot(grid.x(column) - 0.5 * kExtent, grid.y(row) - 0.5 * kExtent);
                const double rim = 500.0 + 0.06 * (grid.x(column) - 0.5 * kExtent);
                const double ring = rim - 0.15 * std::abs(r - 3500.0);
                z(column, row) = static_cast<float>(ring + 10.0 * std::sin(grid.x(column) / 900.0));
            }
        return z;
    };
    ErosionInputs inputs = problem(64);
    inputs.elevation = crater;
    inputs.uplift = constant_source(0.0F);
    const Field<float> before = crater(inputs.grid, progress);
    float lowest_rim = 1e9F;
    for (int i = 0; i < 720; ++i) {
        const double angle = i * 3.14159265358979 / 360.0;
        const int column =
            static_cast<int>(std::lround(inputs.grid.column_at(0.5 * kExtent + 3500.0 * std::cos(angle))));
        const int row =
            static_cast<int>(std::lround(inputs.grid.row_at(0.5 * kExtent + 3500.0 * std::sin(angle))));
        lowest_rim = std::min(lowest_rim, before(column, row));
    }
    ErosionParameters parameters = {.time = 4e4,
                                    .time_definition = TimeDefinition::FullResolution,
                                    .lattice = ErosionLattice::EightNeighbours,
                                    .deposition = 5.0};
    const Field<float> after = erode(inputs, parameters, 3, progress).elevation;
    parameters.method = ErosionMethod::Stepping;
    const Field<float> stepped = erode(inputs, parameters, 3, progress).elevation;
    double filled = 0.0, by_stepping = 0.0;  // m, over all cells of the floor
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        const double r = std::hypot(inputs.grid.x(inputs.grid.column_of(cell)) - 0.5 * kExtent,
                                    inputs.grid.y(inputs.grid.row_of(cell)) - 0.5 * kExtent);
        if (r > 3000.0 || before[cell] > lowest_rim - 20.0F) continue;
        EXPECT_LT(after[cell], lowest_rim);
        if (r > 500.0) continue;
        filled += static_cast<double>(after[cell] - before[cell]);
        by_stepping += static_cast<double>(stepped[cell] - before[cell]);
    }
    EXPECT_GT(filled, 50.0);
    EXPECT_NEAR(filled, by_stepping, 0.1 * by_stepping);
}

TEST(Sediment, that_is_not_laid_down_leaves_every_bit_as_it_was) {
    for (const double time : {2e5, std::numeric_limits<double>::infinity()}) {
        const ErosionResult plain = erode(problem(64), {.time = time}, 3, progress);
        EXPECT_EQ(erode(problem(64), {.time = time, .deposition = 0.0}, 3, progress).elevation,
                  plain.elevation);
        EXPECT_FALSE(plain.report.sediment);
        EXPECT_NE(erode(problem(64), {.time = time, .deposition = 0.5}, 3, progress).elevation,
                  plain.elevation);
    }
}

TEST(Sediment, is_the_same_on_1_and_8_threads) {
    for (const ErosionMethod method : {ErosionMethod::Analytical, ErosionMethod::Stepping}) {
        const ErosionParameters parameters = {.time = 2e5, .method = method, .deposition = 1.0};
        const ExecutionScope on_one_thread({.threads = 1});
        const Field<float> once = erode(problem(300), parameters, 3, progress).elevation;
        const ExecutionScope on_eight_threads({.threads = 8});
        EXPECT_EQ(erode(problem(300), parameters, 3, progress).elevation, once);
    }
}

TEST(Sediment, of_a_negative_coefficient_is_refused) {
    const auto message = [](const ErosionParameters& parameters) {
        try {
            erode(problem(32), parameters, 3, progress);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(message({.deposition = -0.5}), "deposition = -0.5 is not allowed: give 0 or more");
    EXPECT_EQ(
        message({.deposition = 1.0, .slope_classes = {{0.0, 0.5}}}),
        "deposition = 1 is not allowed with slope_classes: they say how steep the ground is, sediment or "
        "not");
}

}  // namespace
}  // namespace thalweg
