#include "thalweg/particles/droplets/droplet.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/core/unit_vector.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/particles/droplets/droplet_batch.hpp"
#include "thalweg/particles/droplets/stream_cells.hpp"
#include "thalweg/particles/ground/particle_ground.hpp"
#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/particles/particle_state.hpp"
#include "thalweg/particles/simulation/droplet_starts.hpp"
#include "thalweg/particles/simulation/standing_water.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/particles/slow_droplets.hpp"
#include "tests/particles/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::DropletCargo;
using tests::exchanged;
using tests::gradient_at;
using tests::step_by;
using tests::turned;

constexpr DropletLaw kLaw{.cell_size = 10.0F,
                          .gravity = 0.05F,
                          .capacity = 1e6F,
                          .exchange_length = 141.0F,
                          .evaporation_length = 1e30F,
                          .climb_limit = 1.0F,
                          .steps = 1000};

constexpr StreamLaw kStreamLaw{
    .momentum_transfer = 0.07F, .momentum_discharge = 5e4F, .entrainment = 10.0F, .entrainment_rate = 1e-5F};

/// What droplets read of a stream.
tests::CellStream stream_of(float discharge, Vector2 momentum) {
    StreamCell stream;
    const StreamRow<const float> row = {
        .discharge = &discharge, .momentum_east = &momentum.x, .momentum_south = &momentum.y};
    const CellPlace place = 0;
    in_lanes([&](auto lanes) { find_streams<lanes()>(kStreamLaw, row, &place, 1, &stream); });
    return tests::stream_in(stream, scale_of(kStreamLaw));
}

/// Ground of whole units that falls to the east by `slope` m/m.
Field<std::int32_t> fall_to_the_east(int columns, int rows, double slope) {
    Field<std::int32_t> units(
        Grid{.columns = columns, .rows = rows, .cell_size = 10.0, .north = rows * 10.0});
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            units(column, row) = static_cast<std::int32_t>(
                std::lround((columns - 1 - column) * 10.0 * slope / kElevationUnit));
    return units;
}

/// One droplet on a ground of its own.
DropletTraces run_one(ParticleGround& ground, const Field<std::int32_t>& units, const DropletLaw& law,
                      Droplet droplet) {
    std::vector<DropletTraces> traces(1);
    traces[0] = DropletTraces::on(ground.tiles(), units.size(), false);
    const std::vector<DropletStart> starts = {{.droplet = droplet, .water = 1 << 20}};
    DropletQueue queue = {.starts = starts};
    run_droplets(law, ground.for_droplets(units), ground.tiles(), queue, traces[0]);
    ground.count_visits(UnitField(units.grid()), traces);
    move_sediment(law, ground.for_droplets(units), starts, traces[0]);
    return std::move(traces[0]);
}

/// What droplets have brought to a cell, as TraceSums.
struct WaterSum {
    float visits = 0.0F;
    float east = 0.0F;
    float south = 0.0F;
    friend bool operator==(const WaterSum&, const WaterSum&) = default;
};

/// Water of all cells, which is taken out of the traces.
std::vector<WaterSum> take_water(ParticleGround& ground, std::span<DropletTraces> traces) {
    std::vector<WaterSum> water(traces[0].cells.size());
    ground.take_water(traces, [&](std::int64_t first, std::int64_t count, const TraceSums& sums) {
        for (std::int64_t i = 0; i < count; ++i)
            water[at(first + i)] = {sums.visits[i], sums.east[i], sums.south[i]};
    });
    return water;
}

TEST(Droplet, turns_on_a_plane_into_its_fall_as_the_closed_form_says) {
    constexpr double kSlope = 0.1;
    constexpr double kStep = 0.25;  // m: small beside the length on which it turns
    const double start = 0.5 * std::numbers::pi;
    Vector2 direction = {0.0F, 1.0F};
    double distance = 0.0;
    for (int step = 0; step < 4000; ++step) {
        const Vector2 drive =
            turned(kLaw, direction, {static_cast<float>(-kSlope), 0.0F}, {}, static_cast<float>(kStep));
        direction = step_by(drive, kLaw.cell_size).direction;
        distance += kStep;
        const double rate = 0.05 * kSlope / std::sqrt(1.0 + kSlope * kSlope);
        const double angle = 2.0 * std::atan(std::tan(0.5 * start) * std::exp(-rate * distance));
        ASSERT_NEAR(std::atan2(direction.y, direction.x), angle, 2e-3) << distance;
    }
    EXPECT_NEAR(direction.x, 1.0F, 1e-3F);
}

TEST(Droplet, is_carried_along_by_a_stream_and_not_by_one_across) {
    const tests::CellStream stream = stream_of(1e7F, {1e7F, 0.0F});
    const auto turned_from = [&](Vector2 direction) {
        return step_by(turned(kLaw, direction, {}, stream, 10.0F), kLaw.cell_size).direction;
    };
    EXPECT_GT(turned_from({0.8F, 0.6F}).x, 0.8F);
    EXPECT_EQ(turned_from({0.0F, 1.0F}).x, 0.0F);
    EXPECT_EQ(turned_from({0.0F, 1.0F}).y, 1.0F);
}

TEST(Droplet, comes_to_its_equilibrium_load_on_a_uniform_slope_by_the_closed_form) {
    constexpr double kSlope = 0.02;
    const Field<std::int32_t> units = fall_to_the_east(120, 9, kSlope);
    ParticleGround ground(units, {});
    const DropletTraces traces = run_one(ground, units, kLaw, {.place = {1.5F, 4.5F}});
    EXPECT_EQ(traces.tally.moves, 118);
    // Without discharge, C V is the capacity times the slope, and a batch takes half of the drop at most.
    const double equilibrium = 1e6 * kSlope;
    double load = 0.0;
    for (int step = 0; step < 118; ++step) {
        load -= static_cast<double>(traces.cells[at(units.grid().index(1 + step, 4))].exchange);
        const double expected = equilibrium * (1.0 - std::pow(141.0 / 151.0, step + 1));
        ASSERT_NEAR(load, expected, 1e-3 * equilibrium) << step;
    }
    EXPECT_EQ(static_cast<double>(traces.tally.sediment_left), load);
}

TEST(Droplet, crosses_each_column_once_whichever_way_it_goes) {
    Field<std::int32_t> units = fall_to_the_east(80, 80, 0.0);
    ParticleGround ground(units, {});
    const Field<float> discharge(units.grid(), 1e9F);
    const Field<float> east(units.grid(), 9e8F);
    const Field<float> south(units.grid(), 4e8F);
    ground.set_streams(kStreamLaw, {discharge, east, south}, Field<std::int32_t>(units.grid()), {}, -1e5F);
    std::vector<DropletTraces> traces(1);
    traces[0] = run_one(ground, units, kLaw, {.place = {1.5F, 1.5F}, .direction = {0.9F, 0.4F}});
    const std::vector<WaterSum> water = take_water(ground, traces);
    for (int column = 1; column < 79; ++column) {
        float visits = 0.0F;
        for (int row = 0; row < 80; ++row) visits += water[at(units.grid().index(column, row))].visits;
        ASSERT_EQ(visits, kTraceOfDroplet) << column;
    }
}

TEST(Droplet, lays_what_it_carries_down_where_it_ends) {
    Field<std::int32_t> units = fall_to_the_east(80, 20, 0.02);
    for (int row = 0; row < 20; ++row)  // a hollow without an exit
        for (int column = 50; column < 80; ++column)
            units(column, row) =
                static_cast<std::int32_t>(std::lround((10.0 + column * 2.0) / kElevationUnit));
    for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 80; ++column) units(column, row) += std::abs(row - 9) << 16;
    ParticleGround ground(units, {});
    const DropletTraces traces = run_one(ground, units, kLaw, {.place = {20.5F, 9.5F}});
    std::int64_t sum = 0;
    for (const CellTrace& cell : traces.cells) sum += cell.exchange;
    EXPECT_EQ(sum, 0);
    EXPECT_EQ(traces.tally.sediment_left, 0);
    EXPECT_LT(traces.tally.moves, 200);
}

TEST(Droplet, takes_no_more_than_half_of_the_drop_with_all_that_come_with_it) {
    for (const float visits : {1.0F, 10.0F, 1000.0F}) {
        DropletLaw law = kLaw;
        law.capacity = 1e12F;
        const std::int32_t taken = exchanged(law, {}, 2.0F, 10.0F, {.visits = visits});
        EXPECT_NEAR(taken * static_cast<double>(visits) * kElevationUnit, 1.0, 1e-2) << visits;
    }
    EXPECT_EQ(exchanged(kLaw, {}, -1.0F, 10.0F, {}), 0) << "uphill with nothing to lay down";
}

TEST(Droplet, lays_down_no_more_than_half_of_the_way_up_to_where_it_comes_from) {
    for (const float above : {-1.0F, 0.0F, 0.3F, 4.0F}) {
        const DropletCargo cargo = {.volume = 0.5F, .load = 1 << 24, .above = above};
        const std::int32_t laid = -exchanged(kLaw, cargo, 5.0F, 10.0F, {.visits = 20.0F});
        EXPECT_NEAR(laid * kElevationUnit, 0.5 * std::max(above, 0.0F) * 0.5 / 20.0, 1e-4) << above;
    }
}

TEST(Droplet, that_has_climbed_too_far_falls_to_lower_ground_than_it_has_seen_and_takes_nothing_of_the_bank) {
    // A narrow channel to the south, with a bend, that a droplet leaves by its momentum.
    const auto is_bed = [](int column, int row) {
        return column == (row < 20 ? 8 : 16) || (row == 20 && column >= 8 && column <= 16);
    };
    Field<std::int32_t> units(Grid{.columns = 30, .rows = 40, .cell_size = 10.0, .north = 400.0});
    for (int row = 0; row < 40; ++row)
        for (int column = 0; column < 30; ++column) {
            const double along = 40 - row + (row < 20 ? 8 : row == 20 ? 16 - column : 0);
            const double bank = is_bed(column, row) ? 0.0 : 8.0;
            units(column, row) =
                static_cast<std::int32_t>(std::lround((0.2 * along + bank) / kElevationUnit));
        }
    ParticleGround ground(units, {});
    const DropletTraces traces = run_one(ground, units, kLaw, {.place = {8.5F, 2.5F}});
    EXPECT_NE(traces.paths.ends.at(0).has_left, 0);
    EXPECT_EQ(traces.paths.ends.at(0).cell, units.grid().index(16, 39));
    int climbs = 0;
    for (int row = 0; row < 40; ++row)
        for (int column = 0; column < 30; ++column) {
            const std::int64_t cell = units.grid().index(column, row);
            if (is_bed(column, row) || traces.cells[at(cell)].visits == 0) continue;
            ++climbs;
            EXPECT_GE(traces.cells[at(cell)].exchange, 0) << column << ", " << row;
        }
    EXPECT_GT(climbs, 0);
}

TEST(Droplet, leaves_a_lake_whose_sill_has_been_cut_below_its_level) {
    // A lake that spills to the east over a cell of its eastern shore, with water to the north and south of
    // it.
    Field<std::int32_t> units(Grid{.columns = 40, .rows = 21, .cell_size = 10.0, .north = 210.0});
    Field<std::int32_t> lake(units.grid());
    const std::int64_t sill = units.grid().index(15, 10);
    std::vector<std::uint8_t> directions(at(units.size()), direction_of_step(1, 0));
    for (int row = 0; row < 21; ++row)
        for (int column = 0; column < 40; ++column) {
            const std::int64_t cell = units.grid().index(column, row);
            const bool is_wet = column >= 8 && column <= 15 && row >= 4 && row <= 16 && cell != sill;
            const bool is_outlet = column >= 15 && row == 10;
            lake[cell] = is_wet ? 1 : 0;
            const double metres = is_outlet ? 7.7 - 0.2 * column : is_wet ? 4.0 : 10.0;
            units[cell] = static_cast<std::int32_t>(std::lround(metres / kElevationUnit));
            if (column == 15 && row != 10) directions[at(cell)] = direction_of_step(0, row < 10 ? 1 : -1);
        }
    ParticleGround ground(units, {});
    // The sill, at 4.7 m, lies 1.3 m below the lake: more than a droplet climbs.
    const std::vector<ParticleLake> lakes = {{.level = 6.0F, .sill = static_cast<std::int32_t>(sill)}};
    ground.set_water(units, lake, -1e5F);
    ground.set_directions(directions, lake, lakes);
    const Field<float> none(units.grid());
    ground.set_streams(kStreamLaw, {none, none, none}, lake, lakes, -1e5F);
    for (const float row : {5.5F, 14.5F}) {
        const DropletTraces traces =
            run_one(ground, units, kLaw, {.place = {10.5F, row}, .direction = {1.0F, 0.0F}});
        EXPECT_NE(traces.paths.ends.at(0).has_left, 0) << row;
        EXPECT_LT(traces.tally.moves, 40) << row;
    }
}

TEST(Droplet, knows_the_gradient_of_a_cubic_by_fourth_order) {
    const auto height = [](double x) { return 1e-5 * x * x * x - 2e-3 * x * x; };
    Field<std::int32_t> units(Grid{.columns = 12, .rows = 12, .cell_size = 10.0});
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column)
            units(column, row) =
                static_cast<std::int32_t>(std::lround(height(column * 10.0) / kElevationUnit));
    const ParticleGround particles(units, {});
    const DropletGround seen = particles.for_droplets(units);
    const tests::SlowGround ground{seen};
    DropletLaw law = kLaw;
    law.is_fourth_order = true;
    const double exact = 3e-5 * 2500.0 - 4e-3 * 50.0;
    EXPECT_NEAR(gradient_at(law, ground, 5, 5).x, exact, 1e-5);
    EXPECT_NEAR(gradient_at(kLaw, ground, 5, 5).x, exact + 1e-5 * 100.0, 1e-5);
    EXPECT_NEAR(gradient_at(law, ground, 1, 5).x, 3e-5 * 100.0 - 4e-3 * 10.0 + 1e-5 * 100.0, 1e-5)
        << "beside the border by second order";
}

/// Discharge and momentum of a cell, m^3/yr, of all sizes.
std::array<float, 3> stream_at(std::uint64_t cell) {
    const auto draw = [&](std::uint64_t which) {
        return unit_double(random_bits(which, Stream::Droplet, cell));
    };
    const double discharge = cell % 5 == 0 ? 0.0 : std::pow(10.0, 9.0 * draw(1) - 2.0);
    return {static_cast<float>(discharge), static_cast<float>(discharge * (draw(2) - 0.5)),
            static_cast<float>(discharge * (draw(3) - 0.5))};
}

TEST(Droplet, reads_of_streams_what_the_law_says_in_vectors_of_any_width) {
    constexpr std::int64_t kCells = 61;
    std::array<std::vector<float>, 3> streams;
    for (std::int64_t cell = 0; cell < kCells; ++cell)
        for (std::size_t i = 0; i < 3; ++i)
            streams[i].push_back(stream_at(static_cast<std::uint64_t>(cell))[i]);
    const StreamRow<const float> row = {.discharge = streams[0].data(),
                                        .momentum_east = streams[1].data(),
                                        .momentum_south = streams[2].data()};
    std::vector<StreamCell> first;
    for (const int lanes : {4, 8, 16}) {
        limit_vector_lanes(lanes);
        std::vector<StreamCell> cells(kCells);
        std::vector<CellPlace> places;
        for (std::int64_t i = 0; i < kCells; ++i)  // of no still water
            places.push_back(static_cast<CellPlace>(i * 5 / 2 * 8 + (i % 2 == 0 ? 1 : 4)));
        in_lanes(
            [&](auto width) { find_streams<width()>(kStreamLaw, row, places.data(), kCells, cells.data()); });
        for (std::int64_t i = 0; i < kCells; ++i) {
            const tests::CellStream cell = tests::stream_in(cells[at(i)], scale_of(kStreamLaw));
            const double discharge = row.discharge[i];
            const double size = std::hypot(row.momentum_east[i], row.momentum_south[i]);
            // p p = M |m| / (Qm + Q)
            const double push = size > 0.0 ? std::sqrt(0.07 / size / (5e4 + discharge)) : 0.0;
            EXPECT_NEAR(cell.push_east, push * row.momentum_east[i], 5e-6) << i;
            EXPECT_NEAR(cell.push_south, push * row.momentum_south[i], 5e-6) << i;
            EXPECT_NEAR(cell.entrainment, 1.0 + 10.0 * std::erf(1e-5 * discharge), 5e-3) << i;
            EXPECT_EQ(cells[at(i)].share & kPlaceOfStream, places[at(i)]);
            if (first.size() < kCells) continue;
            EXPECT_EQ(cells[at(i)].push, first[at(i)].push) << lanes;
            EXPECT_EQ(cells[at(i)].share, first[at(i)].share) << lanes;
        }
        first = cells;
    }
    limit_vector_lanes(0);
}

TEST(Droplet, has_its_traces_averaged_alike_in_vectors_of_any_width) {
    constexpr std::int64_t kCells = 45;
    for (const int lanes : {4, 8, 16}) {
        limit_vector_lanes(lanes);
        std::vector<CellTrace> traces(kCells);
        std::vector<std::int32_t> east(kCells, 3);
        std::vector<std::int32_t> south(kCells, -3);
        std::array<std::vector<float>, 3> averages;
        TraceSums sums;
        for (std::int64_t i = 0; i < kCells; ++i) {
            traces[at(i)] = {.east = static_cast<std::int32_t>(i),
                             .south = static_cast<std::int32_t>(-2 * i)};
            for (std::size_t member = 0; member < 3; ++member)
                averages[member].push_back(stream_at(static_cast<std::uint64_t>(i))[member]);
            sums.visits[i] = sums.east[i] = sums.south[i] = static_cast<float>(i % 7);
        }
        const std::array<std::vector<float>, 3> before = averages;
        in_lanes([&](auto width) {
            take_momentum<width()>(traces.data(), kCells, east.data(), south.data());
            average_streams<width()>(sums, 0.25F, 2.0F, kCells,
                                     {before[0].data(), before[1].data(), before[2].data()},
                                     {averages[0].data(), averages[1].data(), averages[2].data()});
        });
        for (std::int64_t i = 0; i < kCells; ++i) {
            EXPECT_EQ(east[at(i)], 3 + i);
            EXPECT_EQ(south[at(i)], -3 - 2 * i);
            EXPECT_EQ(traces[at(i)].east, 0);
            for (std::size_t member = 0; member < 3; ++member) {
                const float was = before[member][at(i)];
                const float is = was + 0.25F * (2.0F * static_cast<float>(i % 7) - was);
                EXPECT_EQ(averages[member][at(i)], std::abs(is) < 1e-6F ? 0.0F : is) << i;
            }
        }
    }
    limit_vector_lanes(0);
}

/// What ground does with water.
enum class Drains : std::uint8_t {
    Everywhere,
    NotFromLakes,  // which are not full
    Nowhere        // no directions are known
};

/// Ground on which rivers have run from a fed spring to the sea, with lakes, roots, bedrock and pigment.
struct Country {
    ParticleState state;
    ParticleGround ground;
    std::vector<float> erodibility;
    std::vector<float> roots;
    std::vector<std::int32_t> soil;
    std::array<std::vector<float>, 2> pigments;

    Country(GradientOrder order, Drains drains)
        : state(tests::after_cycles(ParticleSimulation(tests::hills(72, 10.0, 5), parameters(order), 1, {}),
                                    3)),
          ground(state.elevation, state.parameters.springs),
          erodibility(draws(1)),
          roots(draws(2)),
          pigments{draws(3), draws(4)} {
        // A part of what is loose is soil.
        for (std::int64_t cell = 0; cell < state.elevation.size(); ++cell)
            soil.push_back(state.loose[cell] >> (cell % 12));
        ground.set_owed(state.debt);
        const auto sea_level = static_cast<float>(state.parameters.sea_level - state.datum);
        ground.set_water(state.elevation, state.lake, sea_level);
        QuietProgress progress;
        if (drains == Drains::NotFromLakes)
            for (ParticleLake& lake : state.lakes) lake.sill = -1;
        std::vector<std::uint8_t> directions(at(state.elevation.size()), kPit);
        if (drains != Drains::Nowhere)
            directions = directions_over_filled(drain_ground(
                metres_of(state.elevation), ground.outlets(state.elevation, sea_level), progress));
        ground.set_directions(directions, state.lake, state.lakes);
        ground.set_streams(kStreamLaw, {state.discharge, state.momentum_east, state.momentum_south},
                           state.lake, state.lakes, sea_level);
    }

    static ParticleParameters parameters(GradientOrder order) {
        ParticleParameters p = {.droplets = 6000, .batches = 3, .gradient_order = order};
        p.sediment_depth = 2.0;
        p.sea_level = -12.0;
        p.springs = {{.x = 360.0, .y = 400.0, .radius = 30.0, .discharge = 5e5, .is_fed = true}};
        return p;
    }

    [[nodiscard]] std::vector<float> draws(std::uint64_t which) const {
        std::vector<float> values(at(state.elevation.size()));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(unit_double(random_bits(which, Stream::WhiteNoise, i)));
        return values;
    }

    [[nodiscard]] DropletGround seen() const {
        DropletGround seen = ground.for_droplets(state.elevation);
        seen.loose = state.loose.data();
        seen.soil = soil.data();
        seen.erodibility = erodibility.data();
        seen.roots = roots.data();
        for (std::size_t p = 0; p < pigments.size(); ++p) seen.pigments[p] = pigments[p].data();
        return seen;
    }
};

/// Expects the traces of single droplets.
void expect_alike(const DropletTraces& traces, const std::vector<std::int64_t>& exchanges,
                  const std::vector<WaterSum>& waters, const tests::SlowTraces& slow) {
    std::vector<std::int64_t> at_rest(slow.at_rest.size());
    for (const WaterAtRest& rest : traces.at_rest) at_rest[at(rest.cell)] += rest.water;
    EXPECT_EQ(at_rest, slow.at_rest);
    EXPECT_EQ(traces.tally.moves, slow.tally.moves);
    EXPECT_EQ(traces.tally.water_left, slow.tally.water_left);
    EXPECT_EQ(traces.tally.water_evaporated, slow.tally.water_evaporated);
    EXPECT_EQ(traces.tally.sediment_entered, slow.tally.sediment_entered);
    EXPECT_EQ(traces.tally.sediment_left, slow.tally.sediment_left);
    EXPECT_EQ(traces.tally.soil_left, slow.tally.soil_left);
    EXPECT_EQ(traces.tally.soil_taken, slow.tally.soil_taken);
    EXPECT_GT(slow.tally.soil_left, 0);
    EXPECT_GT(slow.tally.sediment_entered, 0);
    EXPECT_GT(slow.tally.sediment_left, 0);
    for (std::size_t cell = 0; cell < slow.cells.size(); ++cell) {
        const tests::SlowTrace& of_cell = slow.cells[cell];
        ASSERT_EQ(exchanges[cell], of_cell.elevation) << cell;
        ASSERT_EQ(traces.soil[cell], of_cell.soil) << cell;
        ASSERT_EQ(waters[cell],
                  (WaterSum{static_cast<float>(of_cell.visits), static_cast<float>(of_cell.east),
                            static_cast<float>(of_cell.south)}))
            << cell;
        ASSERT_EQ(traces.pigments[cell].laid, slow.pigments[cell].laid) << cell;
        for (int p = 0; p < kMostPigments; ++p)
            ASSERT_EQ(traces.pigments[cell].pigment[p], slow.pigments[cell].pigment[p]) << cell;
    }
}

/// Expects vectors of any width to do what single droplets do.
void expect_alike_in_vectors(const Country& country, const DropletLaw& law) {
    const DropletStarts of_cycle(country.state);
    std::vector<DropletStart> starts = of_cycle.of_batch(0);
    starts[5].droplet.volume = 3000.0F;  // more than traces hold
    starts[6].droplet.volume = 1e-5F;
    for (const int lanes : {4, 8, 16}) {
        limit_vector_lanes(lanes);
        Country copy = country;
        std::vector<DropletTraces> traces(1);
        traces[0] = DropletTraces::on(copy.ground.tiles(), copy.state.elevation.size(), true, true);
        DropletQueue queue = {.starts = starts};
        run_droplets(law, copy.seen(), copy.ground.tiles(), queue, traces[0]);
        copy.ground.count_visits(copy.state.debt, traces);
        move_sediment(law, copy.seen(), starts, traces[0]);
        const tests::SlowTraces slow = tests::run_slowly(law, copy.seen(), traces[0].cells, starts);
        std::vector<std::int64_t> exchanges;
        for (const CellTrace& cell : traces[0].cells) exchanges.push_back(cell.exchange);
        expect_alike(traces[0], exchanges, take_water(copy.ground, traces), slow);
    }
    limit_vector_lanes(0);
}

TEST(Droplet, runs_in_vectors_of_any_width_as_it_does_alone) {
    DropletLaw law = kLaw;
    law.evaporation_length = 2000.0F;
    law.settling_length = 40.0F;
    law.soil_settling_length = 150.0F;
    law.soil_erodibility = 3.0F;
    law.steps = 150;
    expect_alike_in_vectors(Country(GradientOrder::Second, Drains::Everywhere), law);
    law.soil_erodibility = 0.2F;
    expect_alike_in_vectors(Country(GradientOrder::Second, Drains::Nowhere), law);
    law.is_fourth_order = true;
    expect_alike_in_vectors(Country(GradientOrder::Fourth, Drains::NotFromLakes), law);
}

/// Batches of a cycle on `side` cells of `cell_size` m whose largest stream carries `discharge`, m^3/yr.
int batches_on(int side, double cell_size, float discharge, const ParticleParameters& parameters = {}) {
    ParticleState state =
        ParticleSimulation(tests::plane(side, side, cell_size, 0.02), parameters, 1).state();
    state.discharge(side / 2, side / 2) = discharge;
    return DropletStarts(state).batches();
}

TEST(Droplet, comes_in_as_many_batches_as_the_largest_stream_needs_on_cells_of_its_size) {
    // 2 Q dt kc (1 + K) / (dx + lambda) / dx^2 = 2 1e6 0.2145 / 151 / 100 = 28.4
    EXPECT_EQ(batches_on(256, 10.0, 1e6F), 29);
    EXPECT_EQ(batches_on(256, 10.0, 1e6F, {.time_step = 0.7}), 20);
    EXPECT_EQ(batches_on(256, 5.0, 1e6F, {.droplets = 8192}), 118);  // 4 times that, and lambda weighs more
    EXPECT_EQ(batches_on(256, 10.0, 1e8F), batches_on(256, 10.0, 40 * 5.12e4F)) << "near to its capacity";
    EXPECT_EQ(batches_on(256, 40.0, 1e6F), 16) << "the fewest";
    EXPECT_EQ(batches_on(256, 5.0, 1e6F, {.droplets = 1280}), 40) << "of 32 droplets";
    EXPECT_EQ(batches_on(256, 10.0, 1e6F, {.batches = 3}), 3) << "as told";
}

TEST(Droplet, counts_its_water_however_many_come_to_a_cell_in_a_batch) {
    const Field<std::int32_t> units = fall_to_the_east(9, 9, 0.02);
    ParticleGround ground(units, {});
    constexpr std::int64_t kDroplets = 40000;  // 2^16 visits of each: more than 31 bits hold
    const std::vector<DropletStart> starts(
        kDroplets, {.droplet = {.place = {1.5F, 4.5F}, .volume = kHeaviestDroplet}, .water = 1 << 20});
    std::vector<DropletTraces> traces(1);
    traces[0] = DropletTraces::on(ground.tiles(), units.size(), false);
    DropletQueue queue = {.starts = starts};
    run_droplets(kLaw, ground.for_droplets(units), ground.tiles(), queue, traces[0]);
    ground.count_visits(UnitField(units.grid()), traces);
    for (int column = 1; column < 8; ++column)
        EXPECT_EQ(std::bit_cast<float>(traces[0].cells[at(units.grid().index(column, 4))].visits),
                  16.0F * kDroplets);
    const std::vector<WaterSum> water = take_water(ground, traces);
    for (int column = 1; column < 8; ++column) {
        const WaterSum& of_cell = water[at(units.grid().index(column, 4))];
        EXPECT_EQ(of_cell.visits, static_cast<float>(kDroplets << 16)) << column;
        EXPECT_EQ(of_cell.east, static_cast<float>(kDroplets << 16)) << column;
    }
}

}  // namespace
}  // namespace thalweg
