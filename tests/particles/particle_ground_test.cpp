#include "thalweg/particles/particle_ground.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr int kSide = 71;
constexpr std::int32_t kRise = 1 << 17;  // units of a metre, which is one cell: repose at slope 1
constexpr AvalancheLaw kLaw{.steepest_straight = kRise, .steepest_diagonal = 185364, .share = 256};
constexpr GroundSlides kSlides{.law = {.sediment = kLaw}, .bedrock_rise = nullptr};

Field<std::int32_t> flat() {
    return Field<std::int32_t>(Grid{.columns = kSide, .rows = kSide, .cell_size = 1.0});
}

std::int64_t sum_of_units(const Field<std::int32_t>& units) {
    return std::accumulate(units.begin(), units.end(), std::int64_t{0});
}

TEST(ParticleGround, lets_a_pile_of_sand_come_to_its_angle_of_repose_within_a_cell) {
    Field<std::int32_t> units = flat();
    const int middle = kSide / 2;
    constexpr std::int32_t kHeight = 3000;  // m
    units(middle, middle) = kHeight * kRise;
    Field<std::int32_t> loose(units.grid());
    ParticleGround ground(units, {});
    std::int64_t left = 0;
    for (int pass = 0; pass < 6000; ++pass) left += ground.avalanche({units, loose}, kSlides);
    EXPECT_EQ(left, 0);
    EXPECT_EQ(sum_of_units(units), std::int64_t{kHeight} * kRise);
    // A cone of slope 1: V = pi h^3 / 3.
    const double height = std::cbrt(3.0 * kHeight / 3.14159265);
    for (int column = middle; column < kSide; ++column) {
        const double along = units(column, middle) * kElevationUnit;
        EXPECT_NEAR(along, std::max(0.0, height - (column - middle)), 1.0) << column;
    }
    for (int row = 1; row + 1 < kSide; ++row)
        for (int column = 1; column + 1 < kSide; ++column) {
            ASSERT_LT(std::abs(units(column, row) - units(column + 1, row)), kLaw.steepest_straight + 8);
            ASSERT_LT(std::abs(units(column, row) - units(column + 1, row + 1)), kLaw.steepest_diagonal + 8);
        }
}

TEST(ParticleGround, slides_alike_in_all_eight_symmetries) {
    Field<std::int32_t> units = flat();
    units(35, 35) = 500 * kRise;
    Field<std::int32_t> loose(units.grid());
    ParticleGround ground(units, {});
    for (int pass = 0; pass < 200; ++pass) ground.avalanche({units, loose}, kSlides);
    for (int row = 0; row < kSide; ++row)
        for (int column = 0; column < kSide; ++column) {
            ASSERT_EQ(units(column, row), units(kSide - 1 - column, row));
            ASSERT_EQ(units(column, row), units(row, column));
        }
}

TEST(ParticleGround, counts_what_slides_over_the_border_and_around_no_data) {
    Field<std::int32_t> units = flat();
    for (int row = 0; row < 12; ++row) units(20, row + 20) = kNoGround;
    units(23, 25) = 900 * kRise;
    units(2, 40) = 900 * kRise;
    Field<std::int32_t> loose(units.grid());
    ParticleGround ground(units, {});
    const auto with_data = [&] {
        std::int64_t sum = 0;
        for (const std::int32_t cell : units) sum += cell == kNoGround ? 0 : cell;
        return sum;
    };
    const std::int64_t before = with_data();
    std::int64_t left = 0;
    for (int pass = 0; pass < 3000; ++pass) left += ground.avalanche({units, loose}, kSlides);
    EXPECT_GT(left, 0);
    EXPECT_EQ(with_data() + left, before);
    EXPECT_EQ(units(0, 40), 0) << "the border keeps its elevation";
}

TEST(ParticleGround, passes_over_ground_where_nothing_changes_and_finds_what_a_full_pass_does) {
    Field<std::int32_t> units = flat();
    for (int i = 0; i < 40; ++i) units(3 + 7 * i % 65, 3 + 11 * i % 65) = (40 + 13 * i % 50) * kRise;
    Field<std::int32_t> slow = units;
    Field<std::int32_t> loose(units.grid());
    ParticleGround ground(units, {});
    for (int pass = 0; pass < 300; ++pass) {
        ground.avalanche({units, loose}, kSlides);
        ParticleGround(slow, {}).avalanche({slow, loose}, kSlides);  // looks at every tile
    }
    EXPECT_EQ(units, slow);
}

/// What droplets leave when they change one cell by so much.
std::vector<DropletTraces> traces_at(const ParticleGround& ground, std::int64_t cell, std::int64_t change) {
    std::vector<DropletTraces> traces(1);
    traces[0].cells.resize(std::size_t{kSide} * kSide);
    traces[0].is_touched = ground.tiles().no_marks();
    for (int row = 0; row < kSide; ++row)
        for (int column = 0; column < kSide; ++column)
            traces[0].is_touched[static_cast<std::size_t>(ground.tiles().word_of(column, row))] |=
                GroundTiles::bit_of(column);
    traces[0].cells[static_cast<std::size_t>(cell)].elevation = change;
    return traces;
}

/// Lets the ground take what droplets leave.
void change_by(std::vector<DropletTraces>& traces, ParticleGround& ground, Field<std::int32_t>& units,
               Field<std::int64_t>& debt) {
    Field<std::int32_t> loose(units.grid());
    ground.count_visits(traces);
    ground.exchange({units, loose}, debt, traces);
}

TEST(ParticleGround, takes_no_more_than_half_of_the_way_to_a_neighbour_and_owes_the_rest) {
    Field<std::int32_t> units = flat();
    Field<std::int64_t> debt(units.grid());
    const std::int64_t cell = units.grid().index(30, 30);
    units[cell + 1] = 1000;
    Field<std::int32_t> loose(units.grid());
    ParticleGround ground(units, {});
    std::vector<DropletTraces> traces = traces_at(ground, cell, 5000);
    change_by(traces, ground, units, debt);
    EXPECT_EQ(units[cell], 450);
    EXPECT_EQ(debt[cell], 4550);
    EXPECT_EQ(traces[0].cells[static_cast<std::size_t>(cell)].elevation, 0);
    EXPECT_FLOAT_EQ(ground.cells()[static_cast<std::size_t>(cell)].elevation,
                    static_cast<float>(450 * kElevationUnit));

    // What is taken pays for what is owed.
    traces = traces_at(ground, cell, -4550);
    change_by(traces, ground, units, debt);
    EXPECT_EQ(debt[cell], 0);
    EXPECT_EQ(units[cell], 450);
    traces = traces_at(ground, cell, -4000);
    change_by(traces, ground, units, debt);
    EXPECT_EQ(units[cell], 225);
    EXPECT_EQ(debt[cell], -3775);
}

/// Whether a cell has a lower neighbour.
bool has_way_down(const Field<std::int32_t>& units, int column, int row) {
    for (int y = row - 1; y <= row + 1; ++y)
        for (int x = column - 1; x <= column + 1; ++x)
            if (units(x, y) < units(column, row)) return true;
    return false;
}

TEST(ParticleGround, keeps_a_way_down_from_every_cell_that_has_one_whatever_droplets_do) {
    Field<std::int32_t> units = flat();
    for (std::int64_t cell = 0; cell < units.size(); ++cell)
        units[cell] = static_cast<std::int32_t>(
            random_bits(1, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)) % (4ULL * kRise));
    Field<std::int64_t> debt(units.grid());
    Field<std::int32_t> loose(units.grid());
    ParticleGround ground(units, {});
    for (std::uint64_t batch = 0; batch < 20; ++batch) {
        const Field<std::int32_t> before = units;
        std::vector<DropletTraces> traces = traces_at(ground, 0, 0);
        for (std::int64_t cell = 0; cell < units.size(); ++cell)
            traces[0].cells[static_cast<std::size_t>(cell)].elevation =
                static_cast<std::int64_t>(
                    random_bits(2 + batch, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)) %
                    (20ULL * kRise)) -
                10 * kRise;
        change_by(traces, ground, units, debt);
        for (int row = 1; row + 1 < kSide; ++row)
            for (int column = 1; column + 1 < kSide; ++column)
                ASSERT_TRUE(has_way_down(units, column, row) || !has_way_down(before, column, row))
                    << column << ", " << row << " in batch " << batch;
    }
}

}  // namespace
}  // namespace thalweg
