// The trunk of real terrain against a second, slow implementation that shares no code with the first: a flood
// from the edges with a queue, the steepest of 8 neighbours, and sums in the order of height.
#include "thalweg/flow/river_profile.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/river/extract.hpp"
#include "thalweg/river/network_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kLeastArea = 1e6;  // m^2, where rivers begin

std::filesystem::path data_folder() {
    const char* folder = std::getenv("THALWEG_DATA");
    return folder != nullptr ? folder : THALWEG_DATA_DEFAULT;
}

/// Every raster of elevation in the folder.
std::vector<std::filesystem::path> rasters_of_data() {
    std::vector<std::filesystem::path> rasters;
    std::error_code absent;
    for (const auto& file : std::filesystem::directory_iterator(data_folder(), absent))
        if (file.path().extension() == ".tif") rasters.push_back(file.path());
    std::ranges::sort(rasters);
    return rasters;
}

/// The largest river of a terrain.
struct Trunk {
    double area = 0.0;          // m^2, that leaves through its outlet
    double basin_length = 0.0;  // m, of the longest flow path to the outlet, along cells
    double river_length = 0.0;  // m, of its part where kLeastArea or more drains through
};

/// Out of depressions: over filled ground; down carved ground; or down it, but along the very cells by which
/// the flood came wherever it carved.
enum class SlowWay { Fills, Carves, KeepsToWays };

/// Drainage as a textbook has it.
class SlowDrainage {
  public:
    SlowDrainage(const Field<float>& elevation, SlowWay way)
        : columns_(elevation.columns()), rows_(elevation.rows()), side_(elevation.grid().cell_size) {
        for (const float height : elevation) level_.push_back(static_cast<double>(height));
        flood(way);
        if (way != SlowWay::Fills) carve();
        descend();
        if (way == SlowWay::KeepsToWays) keep_to_ways();
    }

    [[nodiscard]] Trunk trunk() const {
        std::vector<int> by_height;
        for (int cell = 0; cell < columns_ * rows_; ++cell)
            if (!std::isnan(level_[place(cell)])) by_height.push_back(cell);
        std::ranges::sort(by_height, [&](int a, int b) { return level_[place(a)] > level_[place(b)]; });
        std::vector<Trunk> above(level_.size(), {.area = side_ * side_});
        Trunk trunk;
        for (const int cell : by_height) {
            const Trunk& here = above[place(cell)];
            const int receiver = receiver_[place(cell)];
            if (receiver < 0) {
                if (here.area > trunk.area) trunk = here;
                continue;
            }
            const double way = distance(cell, receiver);
            Trunk& below = above[place(receiver)];
            below.area += here.area;
            below.basin_length = std::max(below.basin_length, here.basin_length + way);
            if (here.area >= kLeastArea)
                below.river_length = std::max(below.river_length, here.river_length + way);
        }
        return trunk;
    }

  private:
    static std::size_t place(int cell) { return static_cast<std::size_t>(cell); }

    [[nodiscard]] double distance(int a, int b) const {
        return side_ * std::hypot(a % columns_ - b % columns_, a / columns_ - b / columns_);
    }

    [[nodiscard]] std::vector<int> neighbours(int cell) const {
        std::vector<int> found;
        for (int row = cell / columns_ - 1; row <= cell / columns_ + 1; ++row)
            for (int column = cell % columns_ - 1; column <= cell % columns_ + 1; ++column)
                if (row >= 0 && row < rows_ && column >= 0 && column < columns_ &&
                    row * columns_ + column != cell)
                    found.push_back(row * columns_ + column);
        return found;
    }

    /// Whether water leaves at the cell: on the edge, or beside one without data.
    [[nodiscard]] bool is_outlet(int cell) const {
        const std::vector<int> around = neighbours(cell);
        return around.size() < 8 ||
               std::ranges::any_of(around, [&](int other) { return std::isnan(level_[place(other)]); });
    }

    /// Notes from where the flood reaches every cell, the lowest first and of equal ones the first. Where it
    /// fills, every cell that lies lower than there is raised a little above it.
    void flood(SlowWay way) {
        constexpr double kLeastRise = 1e-6;  // m
        using Wave = std::tuple<double, std::size_t, int>;
        std::priority_queue<Wave, std::vector<Wave>, std::greater<>> waves;
        const auto reach = [&](int cell) { waves.emplace(level_[place(cell)], reached_.size(), cell); };
        is_root_.assign(level_.size(), 0);
        reached_from_.assign(level_.size(), -1);
        for (int cell = 0; cell < columns_ * rows_; ++cell)
            if (!std::isnan(level_[place(cell)]) && is_outlet(cell)) is_root_[place(cell)] = 1;
        std::vector<char> is_seen = is_root_;
        for (int cell = 0; cell < columns_ * rows_; ++cell)
            if (is_root_[place(cell)] != 0) reach(cell);
        while (!waves.empty()) {
            const auto [height, when, cell] = waves.top();
            waves.pop();
            reached_.push_back(cell);
            for (const int other : neighbours(cell)) {
                if (is_seen[place(other)] != 0 || std::isnan(level_[place(other)])) continue;
                is_seen[place(other)] = 1;
                reached_from_[place(other)] = cell;
                if (way == SlowWay::Fills)
                    level_[place(other)] = std::max(level_[place(other)], height + kLeastRise);
                reach(other);
            }
        }
    }

    /// Cuts a way from every cell without a lower neighbour back to where the flood came from.
    void carve() {
        constexpr double kLeastFall = 1e-7;  // m
        const std::vector<double> before = level_;
        is_on_way_.assign(level_.size(), 0);
        for (const int start : reached_) {
            const auto is_lower = [&](int other) { return before[place(other)] < before[place(start)]; };
            if (is_root_[place(start)] != 0 || std::ranges::any_of(neighbours(start), is_lower)) continue;
            for (int cell = start; reached_from_[place(cell)] >= 0;) {
                const int onwards = reached_from_[place(cell)];
                if (level_[place(onwards)] < level_[place(cell)]) break;
                level_[place(onwards)] = level_[place(cell)] - kLeastFall;
                is_on_way_[place(cell)] = 1;
                cell = onwards;
            }
        }
    }

    void descend() {
        receiver_.assign(level_.size(), -1);
        for (int cell = 0; cell < columns_ * rows_; ++cell) {
            if (std::isnan(level_[place(cell)]) || is_root_[place(cell)] != 0) continue;
            double steepest = 0.0;
            for (const int other : neighbours(cell)) {
                const double slope = (level_[place(cell)] - level_[place(other)]) / distance(cell, other);
                if (slope <= steepest) continue;
                steepest = slope;
                receiver_[place(cell)] = other;
            }
        }
    }

    void keep_to_ways() {
        for (std::size_t cell = 0; cell < level_.size(); ++cell)
            if (is_on_way_[cell] != 0) receiver_[cell] = reached_from_[cell];
    }

    int columns_;
    int rows_;
    double side_;                // m
    std::vector<double> level_;  // m, flooded; NaN outside
    std::vector<char> is_root_;
    std::vector<char> is_on_way_;    // that was carved
    std::vector<int> reached_;       // cells in the order of the flood
    std::vector<int> reached_from_;  // -1: roots
    std::vector<int> receiver_;
};

/// Ours.
Trunk trunk_of(const FlowResult& flow) {
    const Lattice lattice = eight_neighbours(flow.tree.grid);
    const Field<double> basin = longest_flow_length(flow.tree, lattice);
    Field<double> river(flow.tree.grid, 0.0);
    Trunk trunk;
    for (auto cell = flow.tree.order.rbegin(); cell != flow.tree.order.rend(); ++cell) {
        const std::int32_t below = flow.tree.receiver(*cell);
        if (below >= 0 && flow.drainage_area[*cell] >= kLeastArea)
            river[below] = std::max(river[below],
                                    river[*cell] + lattice.distance(*cell, flow.tree.direction[at(*cell)]));
        if (below < 0 && flow.drainage_area[*cell] > trunk.area)
            trunk = {flow.drainage_area[*cell], basin[*cell], river[*cell]};
    }
    return trunk;
}

class TrunkOracle : public testing::Test {
  protected:
    void SetUp() override {
        rasters = rasters_of_data();
        if (rasters.empty()) GTEST_SKIP() << data_folder() << " holds no raster; set THALWEG_DATA";
    }
    std::vector<std::filesystem::path> rasters;
};

/// Area and lengths within a hundredth, and those of the report of rivers, of lines from cell to cell.
void expect_agreement(const Field<float>& elevation, const ConditioningParameters& conditioning,
                      const Trunk& slow) {
    QuietProgress progress;
    const FlowResult flow = route(elevation, {.conditioning = conditioning}, progress);
    const Trunk ours = trunk_of(flow);
    const NetworkSummary told = summary_of(extract_network(
        flow.tree, flow.drainage_area, flow.elevation, {.min_area = kLeastArea, .smoothing = 0.0}, progress));
    EXPECT_NEAR(told.trunk_length, slow.river_length, 0.01 * slow.river_length);
    EXPECT_NEAR(ours.area, slow.area, 0.01 * slow.area);
    EXPECT_NEAR(ours.basin_length, slow.basin_length, 0.01 * slow.basin_length);
    EXPECT_NEAR(ours.river_length, slow.river_length, 0.01 * slow.river_length);
    EXPECT_GT(slow.river_length, 5000.0);
}

TEST_F(TrunkOracle, agrees_on_area_and_length_within_a_hundredth_where_flats_rise_by_the_least_step) {
    for (const std::filesystem::path& raster : rasters) {
        SCOPED_TRACE(raster.string());
        const Field<float> elevation = read_raster(raster);
        expect_agreement(elevation, {.depressions = Depressions::Fill, .fill_gradient = true},
                         SlowDrainage(elevation, SlowWay::Fills).trunk());
    }
}

TEST_F(TrunkOracle, agrees_on_area_and_length_within_a_hundredth_where_ways_are_carved) {
    for (const std::filesystem::path& raster : rasters)
        for (const SlowWay way : {SlowWay::Carves, SlowWay::KeepsToWays}) {
            SCOPED_TRACE(raster.string());
            const Field<float> elevation = read_raster(raster);
            expect_agreement(elevation, {}, SlowDrainage(elevation, way).trunk());
        }
}

TEST_F(TrunkOracle, agrees_on_area_within_a_hundredth_however_depressions_are_dealt_with) {
    for (const std::filesystem::path& raster : rasters) {
        SCOPED_TRACE(raster.string());
        const Field<float> elevation = read_raster(raster);
        const Trunk slow = SlowDrainage(elevation, SlowWay::Fills).trunk();
        for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
            QuietProgress progress;
            const Trunk ours =
                trunk_of(route(elevation, {.conditioning = {.depressions = depressions}}, progress));
            EXPECT_NEAR(ours.area, slow.area, 0.01 * slow.area);
            // Ours keeps to the beds of what is filled, where a flood goes straight over the bends of the
            // drowned valley: that tells the tenth.
            EXPECT_NEAR(ours.basin_length, slow.basin_length, 0.1 * slow.basin_length);
        }
    }
}

}  // namespace
}  // namespace thalweg
