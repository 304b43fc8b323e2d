#include "thalweg/erosion/erosion_series.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/grid/resampling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

using ::testing::HasSubstr;

constexpr double kExtent = 12800.0;  // m
constexpr std::uint64_t kSeed = 3;
constexpr double kSteady = std::numeric_limits<double>::infinity();
constexpr std::int64_t kPlenty = ErosionSeries::kCheckpointBytes;

// On keys, between them, from far apart to near, forwards, backwards and twice.
const std::vector<double> kShuffledYears = {3e5,  1e4,   0.0,    2.5e5,   kSteady, 5e3,  1e5,   3e5,
                                            1e-3, 1.1e5, 1.12e5, kSteady, 0.0,     15e3, 7.3e4, 5e3};

Field<float> rolling_ground(const Grid& grid, Progress&) {
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            z(column, row) = static_cast<float>(200.0 + 100.0 * std::sin(grid.x(column) / 1500.0) +
                                                100.0 * std::cos(grid.y(row) / 1900.0));
    return z;
}

ErosionInputs problem(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, cells);
    inputs.elevation = rolling_ground;
    inputs.uplift = constant_source(1e-3F);
    return inputs;
}

ErosionParameters sweep() {
    return {.time_definition = TimeDefinition::FullResolution};
}

ErosionResult alone(const ErosionInputs& inputs, ErosionParameters parameters, double time) {
    parameters.time = time;
    return erode(inputs, parameters, kSeed, progress);
}

/// Whether both reports tell the same of the terrain.
void expect_equal_reports(const ErosionReport& a, const ErosionReport& b) {
    EXPECT_EQ(a.levels, b.levels);
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_EQ(a.pits, b.pits);
    // NaN at time 0.
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.discontinuous_share),
              std::bit_cast<std::uint64_t>(b.discontinuous_share));
    EXPECT_EQ(a.deciles, b.deciles);
}

/// Bits, since no data does not equal itself.
bool are_same(const Field<float>& a, const Field<float>& b) {
    return std::ranges::equal(
        a, b, {}, [](float x) { return std::bit_cast<std::uint32_t>(x); },
        [](float x) { return std::bit_cast<std::uint32_t>(x); });
}

void expect_the_bytes_of_erode(int cells, ErosionParameters parameters, std::int64_t checkpoint_bytes) {
    const ErosionInputs inputs = problem(cells);
    parameters.keeps_net_erosion = parameters.keeps_drainage_area = true;
    ErosionSeries series(inputs, parameters, kSeed, checkpoint_bytes);
    for (const double year : kShuffledYears) {
        const ErosionResult slid = series.at(year, progress);
        const ErosionResult asked = alone(inputs, parameters, year);
        EXPECT_EQ(slid.elevation, asked.elevation) << year << " years at " << cells << " cells";
        EXPECT_TRUE(are_same(slid.net_erosion, asked.net_erosion)) << year;
        EXPECT_TRUE(are_same(slid.drainage_area, asked.drainage_area)) << year;
        EXPECT_EQ(slid.drainage_area.size(), slid.elevation.size());
        expect_equal_reports(slid.report, asked.report);
    }
}

TEST(ErosionSeries, gives_the_bytes_of_erode_for_any_times_in_any_order) {
    for (const std::int64_t checkpoint_bytes : {kPlenty, std::int64_t{0}, std::int64_t{3 * 100 * 100 * 4}}) {
        expect_the_bytes_of_erode(100, {}, checkpoint_bytes);
        expect_the_bytes_of_erode(100, sweep(), checkpoint_bytes);
    }
    expect_the_bytes_of_erode(300, {}, kPlenty);
}

TEST(ErosionSeries, gives_the_bytes_of_erode_with_random_receivers) {
    for (ErosionParameters parameters : {ErosionParameters{}, sweep()}) {
        parameters.receivers = ReceiverRule::Random;
        expect_the_bytes_of_erode(100, parameters, kPlenty);
    }
}

TEST(ErosionSeries, gives_the_bytes_of_erode_on_four_and_eight_neighbours) {
    for (ErosionParameters parameters : {ErosionParameters{}, sweep()})
        for (const ErosionLattice lattice :
             {ErosionLattice::FourNeighbours, ErosionLattice::EightNeighbours}) {
            parameters.lattice = lattice;
            expect_the_bytes_of_erode(64, parameters, kPlenty);
        }
}

TEST(ErosionSeries, asks_the_baselines_anew_for_every_time) {
    const ErosionParameters fixed_point{.method = ErosionMethod::FixedPoint, .fixed_point_iterations = 4};
    const ErosionParameters stepping{.method = ErosionMethod::Stepping, .time_step = 5e4};
    const ErosionInputs inputs = problem(48);
    for (const ErosionParameters& parameters : {fixed_point, stepping}) {
        ErosionSeries series(inputs, parameters, kSeed);
        for (const double year : {2e5, 0.0, 1e5, 2e5})
            EXPECT_EQ(series.at(year, progress).elevation, alone(inputs, parameters, year).elevation);
        EXPECT_EQ(series.networks_found(), 0);
    }
}

TEST(ErosionSeries, gives_the_bytes_of_erode_with_a_boundary_and_no_data) {
    ErosionInputs inputs = problem(90);
    inputs.elevation = [](const Grid& grid, Progress& polled) {
        Field<float> z = rolling_ground(grid, polled);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            if (grid.x(grid.column_of(cell)) < 2000.0) z[cell] = kNoData;
        return z;
    };
    inputs.boundary = Field<std::uint8_t>(inputs.grid);
    for (int row = 0; row < inputs.grid.rows; ++row) inputs.boundary(60, row) = 1;
    for (const ErosionParameters& parameters : {ErosionParameters{}, sweep()}) {
        ErosionSeries series(inputs, parameters, kSeed);
        for (const double year : {2e5, 1e5, 1.02e5}) {
            const Field<float> slid = series.at(year, progress).elevation;
            const Field<float> asked = alone(inputs, parameters, year).elevation;
            ASSERT_EQ(slid.size(), asked.size());
            for (std::int64_t cell = 0; cell < slid.size(); ++cell)
                EXPECT_TRUE(slid[cell] == asked[cell] || (is_no_data(slid[cell]) && is_no_data(asked[cell])));
        }
    }
}

TEST(ErosionSeries, gives_the_bytes_of_erode_with_water_from_elsewhere) {
    ErosionInputs inputs = problem(90);
    inputs.sources = {{.x = 6000.0, .y = 6000.0, .area = 1e9}};
    for (const ErosionParameters& parameters : {ErosionParameters{}, sweep()}) {
        ErosionSeries series(inputs, parameters, kSeed);
        for (const double year : {2e5, 1e5, 1.02e5, kSteady})
            EXPECT_EQ(series.at(year, progress).elevation, alone(inputs, parameters, year).elevation);
    }
}

TEST(ErosionSeries, gives_the_bytes_of_erode_with_deposition_optimisation_and_drawn_rivers) {
    ErosionInputs inputs = problem(64);
    inputs.rivers = {{.points = {6000.0, 6000.0, 6000.0, 100.0}}};
    for (ErosionParameters parameters : {ErosionParameters{}, sweep()}) {
        const auto expect_equal_bytes = [&] {
            ErosionSeries series(inputs, parameters, kSeed);
            for (const double year : {1e5, 3e4, 1.02e5})
                EXPECT_EQ(series.at(year, progress).elevation, alone(inputs, parameters, year).elevation);
        };
        expect_equal_bytes();
        parameters.optimisation_iterations = 3;
        expect_equal_bytes();
        parameters.optimisation_iterations = 0;
        parameters.deposition = 0.5;
        expect_equal_bytes();
    }
}

TEST(ErosionSeries, gives_the_steady_state_of_prescribed_slopes) {
    const ErosionParameters parameters{.slope_classes = {{.slope = 0.2}}};
    ErosionSeries series(problem(64), parameters, kSeed);
    EXPECT_EQ(series.at(kSteady, progress).elevation, alone(problem(64), parameters, kSteady).elevation);
    EXPECT_THROW(series.at(1e5, progress), Error);
}

TEST(ErosionSeries, tells_of_no_work_where_a_steady_state_is_asked_for_again) {
    ErosionSeries series(problem(64), {}, kSeed);
    EXPECT_FALSE(series.at(kSteady, progress).report.phases_ms.empty());
    const ErosionResult again = series.at(kSteady, progress);
    EXPECT_TRUE(again.report.phases_ms.empty());
    expect_equal_reports(again.report, alone(problem(64), {}, kSteady).report);
}

TEST(ErosionSeries, a_time_between_the_same_keys_needs_no_new_network) {
    ErosionSeries series(problem(64), sweep(), kSeed);
    series.at(1.0e5, progress);
    const std::int64_t found = series.networks_found();
    EXPECT_GT(found, 10);
    series.at(1.001e5, progress);
    series.at(0.999e5, progress);
    EXPECT_EQ(series.networks_found(), found);
    ErosionSeries built(problem(64), {}, kSeed);
    built.at(1.0e5, progress);
    built.at(1.0e5, progress);  // the two states' networks are now the last used
    const std::int64_t found_to_build = built.networks_found();
    built.at(1.001e5, progress);
    EXPECT_EQ(built.networks_found(), found_to_build);
}

TEST(ErosionSeries, an_earlier_time_starts_from_the_nearest_key_kept) {
    ErosionSeries series(problem(64), sweep(), kSeed);
    series.at(5e5, progress);
    const std::int64_t found = series.networks_found();
    series.at(2e5, progress);
    EXPECT_EQ(series.networks_found(), found + 2);  // of the key before, and of that before nine tenths
    ErosionSeries forgetful(problem(64), sweep(), kSeed, 0);
    forgetful.at(5e5, progress);
    forgetful.at(2e5, progress);
    EXPECT_GT(forgetful.networks_found(), found + 10);
}

TEST(ErosionSeries, keeps_no_more_terrain_than_it_may) {
    constexpr std::int64_t kTerrainBytes = 64 * 64 * 4;
    ErosionSeries series(problem(64), sweep(), kSeed, 5 * kTerrainBytes);
    series.at(5e5, progress);
    EXPECT_LE(series.kept_terrain_bytes(), 5 * kTerrainBytes);
    EXPECT_GE(series.kept_terrain_bytes(), 2 * kTerrainBytes);
    const std::int64_t found = series.networks_found();
    for (const double year : {4e5, 2e5, 1e5, 3e4}) {
        const std::int64_t before = series.networks_found();
        series.at(year, progress);
        EXPECT_LE(series.networks_found() - before, found / 3) << "it walked from the start to " << year;
    }
    ErosionSeries forgetful(problem(64), sweep(), kSeed, kTerrainBytes - 1);
    forgetful.at(5e5, progress);
    EXPECT_EQ(forgetful.kept_terrain_bytes(), 0);
}

TEST(ErosionSeries, asks_the_sources_once_for_every_grid) {
    for (const ErosionParameters& parameters : {ErosionParameters{}, sweep()}) {
        ErosionInputs inputs = problem(300);
        int asked = 0;
        inputs.uplift = [&](const Grid& grid, Progress&) {
            ++asked;
            return Field<float>(grid, 1e-3F);
        };
        ErosionSeries series(inputs, parameters, kSeed);
        series.at(1e5, progress);
        const int asked_at_first = asked;
        for (const double year : {1.1e5, 0.0, 2e4}) series.at(year, progress);
        EXPECT_GT(asked_at_first, 0);
        EXPECT_EQ(asked, asked_at_first);
    }
}

TEST(ErosionSeries, is_the_same_on_1_2_and_8_threads) {
    for (const ErosionParameters& parameters : {ErosionParameters{}, sweep()}) {
        std::vector<Field<float>> results;
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            ErosionSeries series(problem(200), parameters, kSeed);
            series.at(2e5, progress);
            results.push_back(series.at(1e5, progress).elevation);
        }
        for (const Field<float>& result : results) EXPECT_EQ(result, results[0]);
    }
}

/// Notes whether what it is told ever goes back.
class SteadfastProgress final : public Progress {
  public:
    [[nodiscard]] bool went_back() const { return went_back_; }

  protected:
    void show(double fraction, std::string_view) override {
        went_back_ = went_back_ || fraction < last_;
        last_ = fraction;
    }

  private:
    double last_ = 0.0;
    bool went_back_ = false;
};

TEST(ErosionSeries, tells_of_progress_that_never_goes_back) {
    for (const ErosionParameters& parameters : {ErosionParameters{}, sweep()})
        for (const int cells : {64, 600}) {
            SteadfastProgress steadfast;
            ErosionSeries(problem(cells), parameters, kSeed).at(3e5, steadfast);
            EXPECT_FALSE(steadfast.went_back()) << cells;
        }
}

/// Whether the work was cancelled before its end.
bool is_cut_short(ErosionSeries& series, double time, int patience) {
    ImpatientProgress impatient(patience);
    try {
        series.at(time, impatient);
    } catch (const Cancelled&) {
        return true;
    }
    return false;
}

TEST(ErosionSeries, stays_usable_when_it_is_cancelled_at_any_point) {
    constexpr int kYoungerTimes = 17;
    const ErosionInputs inputs = problem(40);
    for (const ErosionParameters& parameters : {ErosionParameters{}, sweep()}) {
        const auto younger = [](int i) { return 6e3 * (i % kYoungerTimes + 1); };
        const Field<float> asked = alone(inputs, parameters, 1.5e5).elevation;
        std::vector<Field<float>> asked_younger;
        for (int i = 0; i < kYoungerTimes; ++i)
            asked_younger.push_back(alone(inputs, parameters, younger(i)).elevation);
        int cut_short = 0;
        for (int step = 0; step < 120; ++step) {
            const int patience = 3 * step;
            ErosionSeries series(inputs, parameters, kSeed, step % 2 == 0 ? kPlenty : 0);
            cut_short += is_cut_short(series, 1.5e5, patience) ? 1 : 0;
            EXPECT_EQ(series.at(younger(step), progress).elevation,
                      asked_younger[static_cast<std::size_t>(step % kYoungerTimes)])
                << patience;
            EXPECT_EQ(series.at(1.5e5, progress).elevation, asked) << patience;
        }
        EXPECT_GT(cut_short, 60);
    }
}

TEST(ErosionSeries, can_be_moved) {
    ErosionSeries first(problem(40), sweep(), kSeed);
    const Field<float> before = first.at(1e5, progress).elevation;
    ErosionSeries second = std::move(first);
    EXPECT_EQ(second.at(1e5, progress).elevation, before);
}

std::string message_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(ErosionSeries, refuses_bad_input_in_one_sentence_and_goes_on) {
    EXPECT_THAT(message_of([] { ErosionSeries(problem(40), sweep(), kSeed, -1); }),
                HasSubstr("-1 bytes for terrain at checkpoint times are not allowed: give 0 or more"));
    EXPECT_THAT(message_of([] { ErosionSeries(problem(40), {.coarse_iterations = 0}, kSeed); }),
                HasSubstr("iterations are not allowed"));
    ErosionInputs tiny = problem(40);
    tiny.grid = Grid{.columns = 1, .rows = 1};
    EXPECT_THAT(message_of([&] { ErosionSeries(tiny, {}, kSeed); }), HasSubstr("too small to erode"));

    ErosionSeries series(problem(40), sweep(), kSeed);
    for (const double year : {-1.0, std::nan(""), 1.01 * kMostTime, 1e300})
        EXPECT_THAT(message_of([&] { series.at(year, progress); }), HasSubstr("give 0 to 1e+12 yr, or inf"));
    EXPECT_EQ(series.at(1e5, progress).elevation, alone(problem(40), sweep(), 1e5).elevation);
}

TEST(ErosionSeries, takes_the_longest_time_that_is_allowed) {
    ErosionSeries series(problem(32), {}, kSeed);
    EXPECT_EQ(series.at(kMostTime, progress).elevation.columns(), 32);
}

}  // namespace
}  // namespace thalweg
