#include "thalweg/particles/ground/particle_ground.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "tests/particles/slow_droplets.hpp"
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
    for (int pass = 0; pass < 6000; ++pass) left += ground.avalanche({units, loose}, kSlides).all;
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
    for (int pass = 0; pass < 3000; ++pass) left += ground.avalanche({units, loose}, kSlides).all;
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
std::vector<DropletTraces> traces_at(const ParticleGround& ground, std::int64_t cell, std::int32_t change) {
    std::vector<DropletTraces> traces(1);
    traces[0] = DropletTraces::on(ground.tiles(), std::int64_t{kSide} * kSide, false);
    for (int row = 0; row < kSide; ++row)
        for (int column = 0; column < kSide; ++column)
            traces[0].is_touched[static_cast<std::size_t>(ground.tiles().word_of(column, row))] |=
                GroundTiles::bit_of(column);
    traces[0].cells[at(cell)].exchange = change;
    return traces;
}

/// Lets the ground take what droplets leave.
void change_by(std::vector<DropletTraces>& traces, ParticleGround& ground, Field<std::int32_t>& units,
               UnitField& debt) {
    Field<std::int32_t> loose(units.grid());
    ground.count_visits(debt, traces);
    ground.exchange({units, loose}, debt, traces);
}

/// Rough ground at its angle of repose that droplets raise and lower at hashed places, after so many
/// batches; `is_new`: each on ground that is looked at anew, all of it.
Field<std::int32_t> after_batches(int batches, bool is_new) {
    Field<std::int32_t> units = flat();
    const auto draw = [](std::int64_t number, std::uint64_t which) {
        return static_cast<std::int64_t>(
            random_bits(5, Stream::Droplet, static_cast<std::uint64_t>(number), which) % 1000000);
    };
    for (std::int64_t cell = 0; cell < units.size(); ++cell)
        units[cell] = static_cast<std::int32_t>(draw(cell, 0) * kRise / 200000);
    Field<std::int32_t> loose(units.grid());
    UnitField debt(units.grid());
    ParticleGround ground(units, {});
    for (int pass = 0; pass < 300; ++pass) ground.avalanche({units, loose}, kSlides);
    for (int batch = 0; batch < batches; ++batch) {
        if (is_new) {
            ground = ParticleGround(units, {});
            ground.set_owed(debt);
        }
        std::vector<DropletTraces> traces(1);
        traces[0] = DropletTraces::on(ground.tiles(), units.size(), false);
        for (int i = 0; i < 20; ++i) {
            const int column = 1 + static_cast<int>(draw(20 * batch + i, 1) % (kSide - 2));
            const int row = 1 + static_cast<int>(draw(20 * batch + i, 2) % (kSide - 2));
            traces[0].cells[at(units.grid().index(column, row))].exchange +=
                static_cast<std::int32_t>((draw(20 * batch + i, 3) - 500000) * 8);
            traces[0].is_touched[at(ground.tiles().word_of(column, row))] |= GroundTiles::bit_of(column);
        }
        ground.count_visits(debt, traces);
        ground.exchange({units, loose}, debt, traces);
        ground.avalanche({units, loose}, kSlides);
    }
    return units;
}

TEST(ParticleGround, slides_where_droplets_have_made_it_steep_as_a_full_pass_does_in_vectors_of_any_width) {
    constexpr int kBatches = 60;
    const Field<std::int32_t> slow = after_batches(kBatches, true);
    for (const int lanes : {4, 8, 16}) {
        limit_vector_lanes(lanes);
        EXPECT_EQ(after_batches(kBatches, false), slow) << lanes;
    }
    limit_vector_lanes(0);
}

TEST(ParticleGround, takes_no_more_than_half_of_the_way_to_a_neighbour_and_owes_the_rest) {
    Field<std::int32_t> units = flat();
    UnitField debt(units.grid());
    const std::int64_t cell = units.grid().index(30, 30);
    units[cell + 1] = 1000;
    ParticleGround ground(units, {});
    std::vector<DropletTraces> traces = traces_at(ground, cell, 5000);
    change_by(traces, ground, units, debt);
    EXPECT_EQ(units[cell], 450);
    EXPECT_EQ(debt[cell], 4550);
    EXPECT_EQ(traces[0].cells[at(cell)].exchange, 0);

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

TEST(ParticleGround, tells_droplets_of_lakes_what_sediment_leaves_open_the_more_the_nearer_to_the_sill) {
    const Field<std::int32_t> units = flat();
    ParticleGround ground(units, {});
    Field<std::int32_t> lake(units.grid());
    for (int column = 10; column < 50; ++column) lake(column, 20) = 1;
    lake(50, 40) = 2;
    const auto sill = static_cast<std::int32_t>(units.grid().index(30, 50));
    const std::vector<ParticleLake> lakes = {{.level = 1.0F, .sill = sill}, {.level = 1.0F}};
    ground.set_water(units, lake, -1e6F);
    ground.set_directions(std::vector<std::uint8_t>(at(units.size()), kPit), lake, lakes);
    const Field<float> none(units.grid());
    ground.set_streams({.cell_size = 10.0F}, {none, none, none}, lake, lakes, -1e6F);
    const DropletGround seen = ground.for_droplets(units);
    const auto open_at = [&](int column, int row) {
        return tests::SlowGround{seen}.stream(units.grid().index(column, row)).entrainment;
    };
    for (int column = 10; column < 50; ++column)
        EXPECT_NEAR(open_at(column, 20), 0.2 * 10.0 / (10.0 + std::hypot(column - 30, 30)), 1e-5) << column;
    EXPECT_NEAR(open_at(50, 40), 0.0, 1e-5) << "it does not spill";
    EXPECT_NEAR(open_at(3, 3), 1.0, 1e-4) << "land, without a stream";
}

TEST(ParticleGround, owes_what_traces_have_no_room_for) {
    Field<std::int32_t> units = flat();
    UnitField debt(units.grid());
    const std::int64_t cell = units.grid().index(30, 30);
    units[cell + 1] = 1000;
    ParticleGround ground(units, {});
    std::vector<DropletTraces> traces = traces_at(ground, cell, 50);
    traces[0].laid_down = {{.cell = cell, .amount = 5'000'000'000}, {.cell = cell, .amount = 7}};
    change_by(traces, ground, units, debt);
    EXPECT_EQ(units[cell] + debt[cell], 5'000'000'057);
    EXPECT_EQ(units[cell], 450);
    EXPECT_TRUE(traces[0].laid_down.empty());
}

TEST(ParticleGround, owes_soil_first_of_what_a_cell_can_not_take_or_give) {
    Field<std::int32_t> units = flat();
    UnitField debt(units.grid());
    Field<std::int32_t> loose(units.grid());
    Field<std::int32_t> soil(units.grid());
    UnitField soil_debt(units.grid());
    const std::int64_t cell = units.grid().index(30, 30);
    units[cell + 1] = 10000;  // there is room for 4500
    ParticleGround ground(units, {});
    const auto leave = [&](std::int32_t all, std::int64_t of_soil) {
        std::vector<DropletTraces> traces = traces_at(ground, cell, all);
        traces[0].soil.resize(traces[0].cells.size());
        traces[0].soil[static_cast<std::size_t>(cell)] = of_soil;
        ground.count_visits(debt, traces);
        ground.exchange({.elevation = units, .loose = loose, .soil = &soil, .soil_debt = &soil_debt}, debt,
                        traces);
        EXPECT_EQ(traces[0].soil[static_cast<std::size_t>(cell)], 0);
    };
    leave(5000, 3000);
    EXPECT_EQ(loose[cell], 4500);
    EXPECT_EQ(soil[cell], 2500);
    EXPECT_EQ(soil_debt[cell], 500);
    leave(-1000, 0);
    EXPECT_EQ(units[cell], 4000);
    EXPECT_EQ(soil[cell], 3000) << "what is owed comes, and sediment goes";
    EXPECT_EQ(soil_debt[cell], 0);
    leave(-2500, -2200);
    EXPECT_EQ(units[cell], 2000) << "half of the way down";
    EXPECT_EQ(soil[cell], 1300);
    EXPECT_EQ(soil_debt[cell], -500);
    leave(500, -1000);
    EXPECT_EQ(soil[cell], 0) << "no more soil goes than there is";
    EXPECT_EQ(soil_debt[cell], -200);
    loose[cell] = 0;
    leave(-900, 500);
    EXPECT_EQ(units[cell], 1100);
    EXPECT_EQ(soil[cell], 300);
    EXPECT_EQ(loose[cell], 300) << "bedrock has given the rest";
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
    UnitField debt(units.grid());
    Field<std::int32_t> loose(units.grid());
    ParticleGround ground(units, {});
    for (std::uint64_t batch = 0; batch < 20; ++batch) {
        const Field<std::int32_t> before = units;
        std::vector<DropletTraces> traces = traces_at(ground, 0, 0);
        for (std::int64_t cell = 0; cell < units.size(); ++cell)
            traces[0].cells[at(cell)].exchange =
                static_cast<std::int32_t>(
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

/// What slides at one cell.
struct CellSlide {
    std::int32_t all = 0;
    std::int32_t soil = 0;
    std::array<float, 2> pigments = {};
    friend bool operator==(const CellSlide&, const CellSlide&) = default;
};

/// To each neighbour for itself; with materials where `row` has them.
CellSlide slides_at(const RowSlice& row, const MaterialSlides& law, int i, SlidOut& out) {
    CellSlide change;
    float came = 0.0F;
    std::array<float, 2> pigments = {};
    for (std::size_t d = 0; d < 8; ++d) {
        const std::int32_t other = i + index_steps(row.columns)[d];
        const std::int32_t drop = row.elevation[i] - row.elevation[other];
        const std::int32_t giver = drop > 0 ? i : other;
        const auto part = [&](double slope, std::int64_t share) {
            const std::int64_t excess = std::max(std::abs(drop) - static_cast<std::int32_t>(slope), 0);
            return static_cast<std::int32_t>((excess * share) >> 11);
        };
        const auto steepest = [&](const AvalancheLaw& of) {
            return d % 2 == 0 ? of.steepest_straight : of.steepest_diagonal;
        };
        std::int32_t amount = part(steepest(law.sediment), law.sediment.share);
        std::int32_t soil = 0;
        if (row.loose != nullptr) {
            const std::int32_t height = row.elevation[giver];
            const bool is_beach = height >= law.beach_low && height <= law.beach_high;
            const auto held = [&](std::int32_t slope) {
                const float share = row.held == nullptr ? 0.0F : row.held[giver];
                return slope + static_cast<std::int32_t>(static_cast<float>(slope) * share);
            };
            const auto slope_of = [&](const AvalancheLaw& of) {
                return is_beach ? steepest(law.beach) : held(steepest(of));
            };
            amount = part(slope_of(law.sediment), law.sediment.share);
            amount = std::min(amount, row.loose[giver] / 8);
            const std::int32_t own = row.bedrock_rise[giver];
            const std::int64_t rise = law.do_roots_hold_bedrock ? held(own) : own;
            const std::int64_t of_direction = d % 2 == 0 ? rise : (rise * 92682) >> 16;
            amount = std::max(amount, part(static_cast<double>(of_direction), law.bedrock_share));
            if (row.soil != nullptr) {
                soil = std::min(part(slope_of(law.soil), law.soil.share), row.soil[giver] / 8);
                amount = std::max(amount, soil);
                soil = std::min(amount, row.soil[giver] / 8);
            }
        }
        const bool goes_out = is_fixed(kind_of(row.places[other]));
        if (is_fixed(kind_of(row.places[i])) || (goes_out && drop <= 0)) amount = soil = 0;
        if (goes_out) out = out + SlidOut{.all = amount, .soil = soil};
        change.all += drop > 0 ? -amount : amount;
        change.soil += drop > 0 ? -soil : soil;
        if (drop > 0 || amount == 0) continue;
        came += static_cast<float>(amount);
        for (std::size_t p = 0; p < pigments.size(); ++p)
            pigments[p] += static_cast<float>(amount) * row.pigments[p][other];
    }
    for (std::size_t p = 0; p < pigments.size(); ++p) {
        const float own = row.pigments[p][i];
        const float depth = law.pigment_depth;
        change.pigments[p] = came > 0.0F ? (own * depth + pigments[p]) / (depth + came) : own;
    }
    return change;
}

TEST(ParticleGround, slides_in_vectors_of_any_width_as_cell_by_cell) {
    constexpr int kColumns = 40;
    const auto draw = [](std::uint64_t which, std::uint64_t i) {
        return static_cast<std::int32_t>(random_bits(which, Stream::WhiteNoise, i) >> 34);  // of 30 bits
    };
    std::vector<std::int32_t> elevation;
    std::vector<std::int32_t> loose;
    std::vector<std::int32_t> soil;
    std::vector<std::int32_t> rise;
    std::array<std::vector<float>, 2> pigments;
    std::vector<float> held;
    std::vector<CellPlace> places;
    for (std::uint64_t i = 0; i < 3 * kColumns; ++i) {
        elevation.push_back(draw(1, i) >> 11);
        loose.push_back(draw(2, i) >> 10);
        soil.push_back(loose.back() >> (i % 5));
        for (std::uint64_t p = 0; p < 2; ++p)
            pigments[p].push_back(static_cast<float>(draw(5 + 2 * p, i)) * 0x1p-30F);
        held.push_back(static_cast<float>(draw(6, i)) * 0x1p-29F);
        rise.push_back(draw(3, i) >> (i % 7 == 0 ? 1 : 11));
        const CellKind kind = draw(4, i) % 6 == 0 ? CellKind::Border : CellKind::Land;
        places.push_back(static_cast<CellPlace>(static_cast<unsigned>(kind) | (i % 9 << kDirectionShift)));
    }
    MaterialSlides law = {
        .sediment = {.steepest_straight = 1 << 17, .steepest_diagonal = 185364, .share = 256},
        .soil = {.steepest_straight = 1 << 16, .steepest_diagonal = 92682, .share = 200},
        .beach = {.steepest_straight = 1 << 14, .steepest_diagonal = 23170},
        .beach_low = 1 << 17,
        .beach_high = 1 << 18,
        .bedrock_share = 100,
        .pigment_depth = 5000.0F};
    for (const int materials : {1, 2, 3, 4, 5})  // the last two with roots
        for (const bool has_fixed : {false, true})
            for (const int count : {1, 2, 3, 5, 8, 15, 17, 30, 32}) {
                const std::vector<CellPlace> land(places.size(), 0);
                const std::ptrdiff_t first = kColumns + 3;
                const RowSlice row = {.elevation = elevation.data() + first,
                                      .places = (has_fixed ? places : land).data() + first,
                                      .columns = kColumns,
                                      .count = count,
                                      .has_fixed = has_fixed,
                                      .loose = materials > 1 ? loose.data() + first : nullptr,
                                      .bedrock_rise = materials > 1 ? rise.data() + first : nullptr,
                                      .soil = materials > 2 ? soil.data() + first : nullptr,
                                      .pigments = {pigments[0].data() + first, pigments[1].data() + first},
                                      .held = materials > 3 ? held.data() + first : nullptr};
                law.do_roots_hold_bedrock = materials > 4;
                SlidOut out;
                std::vector<CellSlide> change;
                for (int i = 0; i < count; ++i) change.push_back(slides_at(row, law, i, out));
                for (const int lanes : {4, 8, 16}) {
                    limit_vector_lanes(lanes);
                    SlidOut out_here;
                    std::vector<std::int32_t> all(kMostInSlice, 0);
                    std::vector<std::int32_t> of_soil(kMostInSlice, 0);
                    std::array<std::vector<float>, 2> colours;
                    for (std::size_t p = 0; p < 2; ++p)
                        colours[p].assign(pigments[p].begin() + first,
                                          pigments[p].begin() + first + kMostInSlice);
                    const RowChange here = {.all = all.data(),
                                            .soil = of_soil.data(),
                                            .pigments = {colours[0].data(), colours[1].data()}};
                    const std::uint32_t slides = in_lanes(
                        [&](auto width) { return slide_in_lanes<width()>(row, law, here, out_here); });
                    for (int i = 0; i < 32; ++i)
                        EXPECT_EQ(slides >> i & 1U, i < count && change[at(i)].all != 0 ? 1U : 0U) << i;
                    for (int i = 0; i < count; ++i)
                        EXPECT_EQ(
                            (CellSlide{all[at(i)], of_soil[at(i)], {colours[0][at(i)], colours[1][at(i)]}}),
                            change[at(i)])
                            << i << " of " << count << " cells in vectors of " << lanes;
                    EXPECT_EQ(out_here.all, out.all) << count << " cells in vectors of " << lanes;
                    EXPECT_EQ(out_here.soil, out.soil) << count << " cells in vectors of " << lanes;
                }
                limit_vector_lanes(0);
            }
}

}  // namespace
}  // namespace thalweg
