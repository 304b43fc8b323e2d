#include "thalweg/erosion/rain_events.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/leheny/rain_choice.hpp"
#include "thalweg/erosion/rain_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

Grid grid_of(int columns, int rows) {
    return {.columns = columns, .rows = rows};
}

RainResult rain_on(const Field<float>& start, Edges edges, const RainParameters& parameters,
                   std::uint64_t seed = 4) {
    QuietProgress progress;
    return rain_events(start, edges, parameters, seed, progress);
}

/// Whole numbers from 0 to `heights` - 1.
Field<float> rough_terrain(int columns, int rows, std::uint64_t heights, std::uint64_t seed = 1) {
    Field<float> terrain(grid_of(columns, rows));
    for (std::int64_t cell = 0; cell < terrain.size(); ++cell)
        terrain[cell] = static_cast<float>(
            random_bits(seed, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)) % heights);
    return terrain;
}

// ---- The slow, obvious way

/// The model as its header tells it, in double precision and with all cells looked at for what they are.
class Oracle {
  public:
    Oracle(Field<float> start, Edges edges, const RainParameters& parameters, std::uint64_t seed)
        : terrain_(std::move(start)),
          outlets_(outlet_cells(terrain_, edges)),
          wraps_(edges == Edges::Wrapped),
          parameters_(parameters),
          seed_(seed) {
        for (std::int64_t cell = 0; cell < terrain_.size(); ++cell)
            if (!is_no_data(terrain_[cell])) cells_.push_back(cell);
    }

    const Field<float>& run() {
        for (std::uint64_t event = 0; event < static_cast<std::uint64_t>(parameters_.events); ++event) {
            std::vector<std::int64_t> way = walk(event);
            const bool leaves = outlets_[way.back()] != 0;
            if (!leaves && parameters_.pits == RainPits::Keep) way.clear();
            for (const std::int64_t cell : way) terrain_[cell] -= static_cast<float>(parameters_.depth);
            std::deque<std::int64_t> queue(way.begin(), way.end());
            if (event == 0)
                for (std::int64_t cell = 0; cell < terrain_.size(); ++cell)
                    if (std::find(way.begin(), way.end(), cell) == way.end()) queue.push_back(cell);
            slide(queue);
        }
        return terrain_;
    }

  private:
    std::int64_t neighbour(std::int64_t cell, std::size_t d) const {
        const Grid& grid = terrain_.grid();
        int column = grid.column_of(cell) + kColumnStep[d];
        const int row = grid.row_of(cell) + kRowStep[d];
        if ((links_of(parameters_.neighbours) >> d & 1) == 0) return -1;
        if (wraps_) column = (column + grid.columns) % grid.columns;
        return grid.contains(column, row) ? grid.index(column, row) : -1;
    }

    std::vector<std::int64_t> walk(std::uint64_t event) const {
        const std::uint64_t place = random_bits(seed_, Stream::RainPlace, event) >> 32;
        std::vector<std::int64_t> way = {cells_[place * cells_.size() >> 32]};
        const std::uint64_t key = random_bits(seed_, Stream::RainStep, event);
        for (std::uint64_t step = 0; outlets_[way.back()] == 0; ++step) {
            std::array<double, 8> share{};
            double sum = 0.0;
            for (std::size_t d = 0; d < 8; ++d) {
                const std::int64_t next = neighbour(way.back(), d);
                const double rise =
                    next < 0 ? 0.0 : static_cast<double>(terrain_[next]) - terrain_[way.back()];
                if (rise < 0.0) share[d] = std::exp(-parameters_.erosivity * rise);
                sum += share[d];
            }
            if (sum == 0.0) break;
            double wanted = inner_unit(mix64(key ^ step)) * sum;
            std::size_t d = 0;
            while (wanted >= share[d]) wanted -= share[d++];
            way.push_back(neighbour(way.back(), d));
        }
        return way;
    }

    void slide(std::deque<std::int64_t>& queue) {
        while (!queue.empty()) {
            const std::int64_t cell = queue.front();
            queue.pop_front();
            for (std::size_t d = 0; d < 8; ++d) {
                const std::int64_t next = neighbour(cell, d);
                if (next < 0) continue;
                bool slid = false;
                while (terrain_[next] - terrain_[cell] > parameters_.landslide) {
                    terrain_[next] -=
                        static_cast<float>(parameters_.landslide_share) * (terrain_[next] - terrain_[cell]);
                    slid = true;
                }
                if (slid && std::find(queue.begin(), queue.end(), next) == queue.end()) queue.push_back(next);
            }
        }
    }

    Field<float> terrain_;
    Field<std::uint8_t> outlets_;
    bool wraps_;
    RainParameters parameters_;
    std::uint64_t seed_;
    std::vector<std::int64_t> cells_;
};

bool same_bits(const Field<float>& a, const Field<float>& b) {
    for (std::int64_t cell = 0; cell < a.size(); ++cell)
        if (a[cell] != b[cell] && !(is_no_data(a[cell]) && is_no_data(b[cell]))) return false;
    return a.grid() == b.grid();
}

TEST(RainEvents, agree_with_the_slow_obvious_way_for_every_edge_and_neighbourhood) {
    for (const Edges edges : {Edges::Wrapped, Edges::Open, Edges::South, Edges::Closed})
        for (const Neighbours neighbours : {Neighbours::Four, Neighbours::Eight})
            for (const RainPits pits : {RainPits::Keep, RainPits::Deepen}) {
                Field<float> start = rough_terrain(17, 11, 400);
                start(5, 5) = start(6, 5) = start(16, 10) = kNoData;
                const RainParameters parameters = {
                    .events = 300, .landslide = 256.0, .neighbours = neighbours, .pits = pits};
                EXPECT_TRUE(same_bits(rain_on(start, edges, parameters).elevation,
                                      Oracle(start, edges, parameters, 4).run()))
                    << static_cast<int>(edges) << static_cast<int>(neighbours) << static_cast<int>(pits);
            }
}

TEST(RainEvents, agree_with_the_slow_obvious_way_on_the_sources_plane) {
    const Field<float> start = tilted_plane(grid_of(40, 30), 1.0);
    const RainParameters parameters = {.events = 2000, .landslide = 200.0};
    const RainResult result = rain_on(start, Edges::Wrapped, parameters);
    EXPECT_GT(result.report.mudslides, 1000);
    EXPECT_TRUE(same_bits(result.elevation, Oracle(start, Edges::Wrapped, parameters, 4).run()));
}

// ---- One event by hand

TEST(RainEvents, one_unit_of_rain_on_a_ramp_lowers_every_cell_from_where_it_falls_to_the_outlet) {
    const Field<float> start = tilted_plane(grid_of(1, 10), 5.0);
    const RainResult result = rain_on(start, Edges::South, {.events = 1, .depth = 3.0});
    const auto fell = 10 - static_cast<int>(result.report.visits);
    for (int row = 0; row < 10; ++row)
        EXPECT_EQ(result.elevation(0, row), start(0, row) - (row >= fell ? 3.0F : 0.0F)) << row;
    EXPECT_EQ(result.report.removed, 3.0 * static_cast<double>(result.report.visits));
    EXPECT_EQ(result.report.trapped, 0);
}

TEST(RainEvents, a_slide_takes_a_quarter_of_the_difference_until_it_is_allowed) {
    Field<float> start(grid_of(1, 2));
    start(0, 0) = 4000.0F;
    // The outlet is 4000 or 4010 below: 3000 and 2250 (or as much of 4010), then below 2000.
    const RainResult result = rain_on(start, Edges::South, {.events = 1, .depth = 0.0});
    EXPECT_EQ(result.elevation(0, 0), 1687.5F);
    EXPECT_EQ(result.elevation(0, 1), 0.0F);
    EXPECT_EQ(result.report.mudslides, 3);
    EXPECT_EQ(result.report.removed, 4000.0 - 1687.5);
}

TEST(RainEvents, no_events_leave_the_start_even_where_it_is_too_steep) {
    const Field<float> start = rough_terrain(20, 20, 100000);
    const RainResult result = rain_on(start, Edges::Open, {.events = 0});
    EXPECT_TRUE(same_bits(result.elevation, start));
    EXPECT_EQ(result.report.events + result.report.visits + result.report.mudslides, 0);
}

// ---- Probabilities

TEST(RainChoice, follows_the_exponential_of_the_drop_over_lower_neighbours_only) {
    // Rise of each neighbour, clockwise from the east; the middle is at 100.
    const float east_first[8] = {-3.0F, 12.0F, -40.0F, 0.0F, -1.0F, kNoData, -17.0F, -25.0F};
    std::array<float, 9> heights{};
    for (std::size_t d = 0; d < 8; ++d)
        heights[static_cast<std::size_t>(4 + 3 * kRowStep[d] + kColumnStep[d])] = 100.0F + east_first[d];
    heights[4] = 100.0F;
    const RainChoice choice(3, kAllEight, 0.05);
    constexpr int kDraws = 400000;
    std::array<double, 8> chosen{};
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
        const int direction = choice.direction(&heights[4], inner_unit(mix64(draw)));
        ASSERT_GE(direction, 0);
        chosen[static_cast<std::size_t>(direction)] += 1.0;
    }
    double sum = 0.0;
    for (const float rise : east_first) sum += rise < 0.0F ? std::exp(-0.05 * rise) : 0.0;
    double chi_squared = 0.0;
    for (std::size_t d = 0; d < 8; ++d) {
        const double expected = east_first[d] < 0.0F ? kDraws * std::exp(-0.05 * east_first[d]) / sum : 0.0;
        if (expected == 0.0)
            EXPECT_EQ(chosen[d], 0.0) << d;
        else
            chi_squared += (chosen[d] - expected) * (chosen[d] - expected) / expected;
    }
    EXPECT_LT(chi_squared, 15.1);  // 4 degrees of freedom: above in 1 of 220 draws
}

TEST(RainChoice, takes_the_lowest_where_differences_would_overflow_the_exponential) {
    std::array<float, 9> heights{};
    heights[7] = -1e30F;
    heights[5] = -9e29F;
    const RainChoice choice(3, kAllEight, 1e6);
    EXPECT_EQ(choice.direction(&heights[4], inner_unit(0)), 2);  // to the south
    EXPECT_EQ(choice.direction(&heights[4], inner_unit(~std::uint64_t{0})), 2);
}

TEST(RainChoice, reaches_each_lower_neighbour_with_u_at_the_ends_of_its_share) {
    for (std::uint64_t trial = 0; trial < 2000; ++trial) {
        std::array<float, 9> heights{};
        for (std::size_t i = 0; i < 9; ++i)
            heights[i] = static_cast<float>(random_bits(trial, Stream::WhiteNoise, i) % 5) * 0.1F;
        heights[4] = 0.25F;
        const RainChoice choice(3, kAllEight, 3.0);
        for (const float u : {inner_unit(0), 0.5F, inner_unit(~std::uint64_t{0})}) {
            const int d = choice.direction(&heights[4], u);
            const bool has_lower = *std::min_element(heights.begin(), heights.end()) < heights[4];
            ASSERT_EQ(d >= 0, has_lower);
            if (d < 0) continue;
            const auto chosen = static_cast<std::size_t>(4 + 3 * kRowStep[d] + kColumnStep[d]);
            ASSERT_LT(heights[chosen], heights[4]) << trial << " " << u;
        }
    }
}

TEST(RainChoice, draws_from_the_open_interval) {
    EXPECT_EQ(inner_unit(0), 0x1p-24F);
    EXPECT_EQ(inner_unit(~std::uint64_t{0}), 1.0F - 0x1p-24F);
}

TEST(RainEvents, fall_on_every_cell_alike) {
    // Nothing is lower than the outlets, so that each unit of rain takes its cell down and no other.
    const Field<float> start(grid_of(10, 1), 0.0F);
    constexpr int kEvents = 20000;
    const RainResult result = rain_on(start, Edges::South, {.events = kEvents, .depth = 1.0});
    double chi_squared = 0.0;
    for (const float height : result.elevation) {
        const double expected = kEvents / 10.0;
        chi_squared += (-height - expected) * (-height - expected) / expected;
    }
    EXPECT_LT(chi_squared, 23.6);  // 9 degrees of freedom: above in 1 of 200 draws
}

// ---- Invariants

TEST(RainEvents, remove_depth_times_visits_where_nothing_slides) {
    const Field<float> start = tilted_plane(grid_of(60, 40), 1.0);
    const RainResult result = rain_on(start, Edges::Wrapped, {.events = 3000, .landslide = INFINITY});
    double removed = 0.0;
    for (std::int64_t cell = 0; cell < start.size(); ++cell) removed += start[cell] - result.elevation[cell];
    EXPECT_EQ(removed, 10.0 * static_cast<double>(result.report.visits));
    EXPECT_EQ(removed, result.report.removed);
    EXPECT_EQ(result.report.eroded, result.report.visits);
    EXPECT_EQ(result.report.mudslides, 0);
}

double greatest_difference(const Field<float>& z) {
    const Grid& grid = z.grid();
    double greatest = 0.0;
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            for (std::size_t d = 0; d < 8; ++d) {
                const int c = (column + kColumnStep[d] + grid.columns) % grid.columns;
                const int r = row + kRowStep[d];
                if (r < 0 || r >= grid.rows) continue;
                greatest = std::max(greatest, static_cast<double>(z(c, r)) - z(column, row));
            }
    return greatest;
}

TEST(RainEvents, leave_no_difference_above_the_threshold) {
    const Field<float> start = rough_terrain(50, 50, 5000);
    for (const double threshold : {1.0, 150.0, 2000.0}) {
        const RainResult result = rain_on(start, Edges::Wrapped, {.events = 500, .landslide = threshold});
        EXPECT_LE(greatest_difference(result.elevation), threshold);
        EXPECT_GT(greatest_difference(result.elevation), 0.5 * threshold);
    }
}

TEST(RainEvents, make_no_pits_on_the_sources_plane) {
    const RainResult result = rain_on(tilted_plane(grid_of(80, 60), 1.0), Edges::Wrapped, {.events = 30000});
    EXPECT_GT(result.report.mudslides, 0);
    EXPECT_EQ(result.report.trapped, 0);
    QuietProgress progress;
    const FlowTree tree = descend(result.elevation, Edges::Wrapped, kAllEight, 1, progress);
    EXPECT_EQ(std::count(tree.direction.begin(), tree.direction.end(), kPit), 0);
}

TEST(RainEvents, do_not_depend_on_a_whole_number_that_all_heights_are_raised_by) {
    const Field<float> start = rough_terrain(30, 30, 500);
    Field<float> raised = start;
    for (float& height : raised) height += 4096.0F;
    const RainParameters parameters = {.events = 1000, .landslide = INFINITY};
    const Field<float> low = rain_on(start, Edges::Open, parameters).elevation;
    const Field<float> high = rain_on(raised, Edges::Open, parameters).elevation;
    for (std::int64_t cell = 0; cell < low.size(); ++cell) ASSERT_EQ(low[cell] + 4096.0F, high[cell]);
}

TEST(RainEvents, do_not_depend_on_the_unit_of_heights) {
    const Field<float> start = rough_terrain(30, 30, 500);
    Field<float> doubled = start;
    for (float& height : doubled) height *= 2.0F;
    const Field<float> single =
        rain_on(start, Edges::Wrapped, {.events = 2000, .erosivity = 0.05, .depth = 10, .landslide = 300})
            .elevation;
    const Field<float> twice =
        rain_on(doubled, Edges::Wrapped, {.events = 2000, .erosivity = 0.025, .depth = 20, .landslide = 600})
            .elevation;
    for (std::int64_t cell = 0; cell < single.size(); ++cell) ASSERT_EQ(2.0F * single[cell], twice[cell]);
}

TEST(RainEvents, on_wrapped_columns_treat_the_seam_like_any_other_place) {
    // A single walled valley, one column wide, whose middle is the seam, or is not: the same falls, since one
    // column of data is left and rain falls on it alone.
    for (const int shift : {0, 3, 5}) {
        Field<float> start(grid_of(8, 20), kNoData);
        for (int row = 0; row < 20; ++row)
            start((row % 2 == 0 ? 7 + shift : 8 + shift) % 8, row) = static_cast<float>(100 - 3 * row);
        const RainResult result = rain_on(start, Edges::Wrapped, {.events = 200});
        EXPECT_EQ(result.report.trapped, 0);
        const RainResult straight =
            rain_on(tilted_plane(grid_of(1, 20), 3.0), Edges::Wrapped, {.events = 200});
        EXPECT_EQ(result.report.visits, straight.report.visits) << shift;
        EXPECT_EQ(result.report.removed, straight.report.removed) << shift;
    }
}

TEST(RainEvents, on_wrapped_columns_lower_each_column_alike_in_the_mean) {
    std::vector<double> removed(24, 0.0);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const RainResult result =
            rain_on(tilted_plane(grid_of(24, 30), 1.0), Edges::Wrapped, {.events = 200}, seed);
        for (int row = 0; row < 30; ++row)
            for (int column = 0; column < 24; ++column)
                removed[static_cast<std::size_t>(column)] += 29.0 - row - result.elevation(column, row);
    }
    double mean = 0.0;
    for (const double each : removed) mean += each / 24.0;
    // Rivers make columns uneven by a tenth at 60 seeds; a wall or an open edge would show as a half.
    for (const double each : removed) EXPECT_NEAR(each / mean, 1.0, 0.3);
}

// ---- Pits

TEST(RainEvents, in_a_pit_keep_the_way_or_deepen_it) {
    Field<float> bowl(grid_of(9, 9));
    for (int row = 0; row < 9; ++row)
        for (int column = 0; column < 9; ++column)
            bowl(column, row) = static_cast<float>(50 * std::max(std::abs(column - 4), std::abs(row - 4)));
    const RainResult kept = rain_on(bowl, Edges::Closed, {.events = 100, .pits = RainPits::Keep});
    EXPECT_TRUE(same_bits(kept.elevation, bowl));
    EXPECT_EQ(kept.report.trapped, 100);
    EXPECT_EQ(kept.report.eroded, 0);
    const RainResult deepened = rain_on(bowl, Edges::Closed, {.events = 100, .pits = RainPits::Deepen});
    EXPECT_EQ(deepened.elevation(4, 4), -1000.0F);
    EXPECT_EQ(deepened.report.eroded, deepened.report.visits);
}

TEST(RainEvents, wear_flat_terrain_from_its_edges_inwards) {
    const RainResult result = rain_on(Field<float>(grid_of(30, 30), 7.0F), Edges::Open, {.events = 3000});
    EXPECT_GT(result.report.trapped, 0);
    EXPECT_LT(result.report.trapped, 3000);
    EXPECT_LT(result.elevation(15, 0), 7.0F);
}

// ---- Degenerate terrain and bad input

TEST(RainEvents, keep_cells_without_data_and_never_visit_them) {
    Field<float> start = tilted_plane(grid_of(20, 20), 1.0);
    for (int row = 5; row < 9; ++row)
        for (int column = 5; column < 12; ++column) start(column, row) = kNoData;
    for (const Edges edges : {Edges::Wrapped, Edges::Open, Edges::South, Edges::Closed}) {
        const RainResult result = rain_on(start, edges, {.events = 2000});
        for (std::int64_t cell = 0; cell < start.size(); ++cell)
            ASSERT_EQ(is_no_data(start[cell]), is_no_data(result.elevation[cell]));
    }
}

TEST(RainEvents, beside_a_hole_water_leaves_where_edges_are_open) {
    Field<float> start(grid_of(21, 21));
    for (int row = 0; row < 21; ++row)
        for (int column = 0; column < 21; ++column)
            start(column, row) = static_cast<float>(std::max(std::abs(column - 10), std::abs(row - 10)));
    start(10, 10) = kNoData;
    EXPECT_EQ(rain_on(start, Edges::Open, {.events = 500}).report.trapped, 0);
    EXPECT_EQ(rain_on(start, Edges::Closed, {.events = 500}).report.trapped, 500);
}

TEST(RainEvents, on_nothing_but_no_data_do_nothing) {
    const RainResult result = rain_on(Field<float>(grid_of(5, 4), kNoData), Edges::Open, {.events = 100});
    EXPECT_EQ(result.report.events, 0);
    EXPECT_TRUE(is_no_data(result.elevation(2, 2)));
}

TEST(RainEvents, on_a_single_row_or_column_end) {
    EXPECT_EQ(rain_on(Field<float>(grid_of(9, 1), 1.0F), Edges::Wrapped, {.events = 50}).report.visits, 50);
    EXPECT_EQ(rain_on(tilted_plane(grid_of(1, 9), 1.0), Edges::Wrapped, {.events = 50}).report.trapped, 0);
    EXPECT_EQ(rain_on(tilted_plane(grid_of(2, 9), 1.0), Edges::Wrapped, {.events = 50}).report.trapped, 0);
}

TEST(RainEvents, end_on_heights_at_which_float_knows_no_units) {
    Field<float> start(grid_of(6, 6));
    for (std::int64_t cell = 0; cell < start.size(); ++cell) start[cell] = cell % 2 == 0 ? 1e30F : -1e30F;
    for (const double share : {0.01, 0.25, 0.9}) {
        const RainResult result =
            rain_on(start, Edges::Open, {.events = 20, .landslide = 1e-3, .landslide_share = share});
        EXPECT_LE(greatest_difference(result.elevation), 1e-3);
    }
}

TEST(RainEvents, refuse_heights_whose_differences_have_no_float) {
    for (const float height : {2e30F, -3e38F, std::numeric_limits<float>::infinity()}) {
        Field<float> start(grid_of(3, 3));
        start(1, 1) = height;
        try {
            rain_on(start, Edges::Open, {.events = 1});
            FAIL() << height;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Input);
            EXPECT_NE(std::string(error.what()).find("is not allowed: from -1e+30 to 1e+30"),
                      std::string::npos)
                << error.what();
        }
    }
}

// ---- Same bits, cancelling

TEST(RainEvents, have_the_same_bits_on_any_number_of_threads_and_any_run) {
    const Field<float> start = tilted_plane(grid_of(100, 80), 1.0);
    const ExecutionScope on_one_thread({.threads = 1});
    const Field<float> one = rain_on(start, Edges::Wrapped, {.events = 2000}).elevation;
    for (const int threads : {2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_TRUE(same_bits(one, rain_on(start, Edges::Wrapped, {.events = 2000}).elevation));
    }
    EXPECT_FALSE(same_bits(one, rain_on(start, Edges::Wrapped, {.events = 2000}, 5).elevation));
}

TEST(RainEvents, begin_alike_however_many_follow) {
    const Field<float> start = tilted_plane(grid_of(40, 40), 1.0);
    const Field<float> half =
        rain_on(start, Edges::Wrapped, {.events = 500, .landslide = INFINITY}).elevation;
    const Field<float> whole =
        rain_on(start, Edges::Wrapped, {.events = 1000, .landslide = INFINITY}).elevation;
    for (std::int64_t cell = 0; cell < half.size(); ++cell) ASSERT_LE(whole[cell], half[cell]);
}

TEST(RainEvents, are_cancelled_in_the_middle) {
    class Impatient final : public Progress {
      public:
        std::vector<double> fractions;

      private:
        void show(double fraction, std::string_view) override {
            fractions.push_back(fraction);
            if (fraction >= 0.3) cancel();
        }
    } impatient;
    const Field<float> start = tilted_plane(grid_of(50, 50), 1.0);
    EXPECT_THROW(rain_events(start, Edges::Wrapped, {.events = 10000}, 4, impatient), Cancelled);
    EXPECT_GE(impatient.fractions.size(), 30U);
    EXPECT_LT(impatient.fractions.back(), 0.32);
    EXPECT_TRUE(std::is_sorted(impatient.fractions.begin(), impatient.fractions.end()));
}

// ---- Going on

bool is_same(const RainReport& a, const RainReport& b) {
    return a.events == b.events && a.trapped == b.trapped && a.visits == b.visits && a.eroded == b.eroded &&
           a.mudslides == b.mudslides && a.removed == b.removed;
}

RainEvents rain_from(const Field<float>& start, const RainParameters& parameters) {
    return {{.elevation = start, .report = {}, .waiting = {}}, Edges::Open, parameters, 4};
}

TEST(RainEvents, gone_on_with_from_a_state_at_any_event_have_the_bits_of_one_run) {
    const Field<float> start = rough_terrain(40, 30, 3000);
    const RainParameters parameters = {.events = 3000, .landslide = 400, .pits = RainPits::Deepen};
    const RainResult whole = rain_on(start, Edges::Open, parameters);
    for (std::uint64_t order = 0; order < 5; ++order) {
        QuietProgress quiet;
        RainEvents rain = rain_from(start, parameters);
        for (std::uint64_t step = 0; rain.events() < parameters.events; ++step) {
            const auto more = static_cast<std::int64_t>(random_bits(order, Stream::WhiteNoise, step) % 900);
            rain.advance(std::min(rain.events() + more, parameters.events), quiet);
            rain = RainEvents(rain.state(), Edges::Open, parameters, 4);
        }
        EXPECT_TRUE(same_bits(rain.state().elevation, whole.elevation));
        EXPECT_TRUE(is_same(rain.state().report, whole.report));
    }
}

/// Cancels itself when it has been asked so often.
class Asked final : public Progress {
  public:
    explicit Asked(int times) : left_(times) {}
    [[nodiscard]] bool cancelled() const noexcept override { return --left_ < 0; }

  private:
    void show(double, std::string_view) override {}
    mutable int left_;
};

TEST(RainEvents, cancelled_anywhere_go_on_from_there_and_from_a_state_of_it) {
    // So large that polls fall within ways, and within the mudslides after the first event.
    const Field<float> start = rough_terrain(400, 300, 5000);
    const RainParameters parameters = {.events = 20000, .landslide = 300, .pits = RainPits::Deepen};
    const RainResult whole = rain_on(start, Edges::Open, parameters);
    int within_an_event = 0;
    for (const int patience : {1, 2, 3, 5, 8, 60}) {
        RainEvents rain = rain_from(start, parameters);
        Asked asked(patience);
        EXPECT_THROW(rain.advance(parameters.events, asked), Cancelled);
        within_an_event += rain.state().waiting.empty() ? 0 : 1;
        RainEvents saved(rain.state(), Edges::Open, parameters, 4);
        QuietProgress quiet;
        for (RainEvents* const each : {&rain, &saved}) {
            each->advance(parameters.events, quiet);
            EXPECT_TRUE(same_bits(each->state().elevation, whole.elevation)) << patience;
            EXPECT_TRUE(is_same(each->state().report, whole.report)) << patience;
        }
    }
    EXPECT_GE(within_an_event, 2);
}

TEST(RainEvents, on_heights_that_were_changed_let_all_slide_that_stands_too_high) {
    QuietProgress quiet;
    const RainParameters parameters = {.landslide = 100};
    RainEvents rain = rain_from(Field<float>(grid_of(20, 20), 50.0F), parameters);
    rain.advance(3, quiet);
    RainState changed = rain.state();
    changed.elevation(10, 10) = 5000.0F;
    changed.is_unsettled = true;
    rain = RainEvents(changed, Edges::Open, parameters, 4);
    rain.advance(4, quiet);
    EXPECT_LE(greatest_difference(rain.state().elevation), 100.0);
}

TEST(RainStart, a_peak_falls_off_in_all_directions_alike) {
    const Field<float> peak = central_peak(grid_of(21, 21), 2.0);
    EXPECT_EQ(peak(10, 10), 20.0F);
    EXPECT_EQ(peak(10, 0), 0.0F);
    EXPECT_EQ(peak(0, 10), 0.0F);
    EXPECT_LT(peak(0, 0), 0.0F);
    for (int row = 0; row < 21; ++row)
        for (int column = 0; column < 21; ++column) EXPECT_EQ(peak(column, row), peak(20 - row, column));
}

}  // namespace
}  // namespace thalweg
