#include "thalweg/erosion/fans/fan_plan.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/erosion/fans/fan_apexes.hpp"
#include "thalweg/flow/drained_area.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/grid/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace thalweg {
namespace {

constexpr double kConfinement = 4.0;       // power by which less rests where the ground is less open (by eye)
constexpr double kLookStep = 0.25;         // of a fan's radius, at which its ground is looked at
constexpr double kMostCell = 125.0;        // m, of the plan: a quarter of the way over which slopes are taken
constexpr double kCellsAcross = 5.0;       // at least, of the plan, in the root of fan_area
constexpr int kSearched = 2;               // cells of the plan, about an apex
constexpr double kRoutedShare = 0.6;       // of the progress on larger cells
constexpr double kWeightOfDistance = 0.5;  // 1, per cell of the plan, beside differences of ln A (empirical)

/// How open the ground before a cell is: the share of a half cone that lies above the ground, of parts of
/// 1/16 of its turn and radius (m). Beyond the map the ground goes on as it is at the edge.
double openness(const FanInputs& inputs, std::int32_t cell, double heading, double slope, double radius) {
    constexpr int kParts = 16;
    const Grid& grid = inputs.elevation.grid();
    const Position head = grid.centre(grid.column_of(cell), grid.row_of(cell));
    const auto foot = static_cast<double>(inputs.surface(cell));
    double open = 0.0, all = 0.0;
    for (int turn = 0; turn < kParts; ++turn)
        for (int ring = 0; ring < kParts; ++ring) {
            const double bearing = heading + std::numbers::pi * ((turn + 0.5) / kParts - 0.5);
            const double distance = (ring + 0.5) / kParts;
            const double east = radius * distance * std::cos(bearing);
            const double north = radius * distance * std::sin(bearing);
            const auto column = std::lround(grid.column_at(head.x + east));
            const auto row = std::lround(grid.row_at(head.y + north));
            const float ground = inputs.elevation(static_cast<int>(std::clamp(column, 0L, grid.columns - 1L)),
                                                  static_cast<int>(std::clamp(row, 0L, grid.rows - 1L)));
            const double height = slope * radius * (1.0 - distance);  // m, of the cone there
            const double above = is_no_data(ground) ? 0.0 : std::max(0.0, static_cast<double>(ground) - foot);
            open += distance * std::max(0.0, height - above);
            all += distance * height;
        }
    return open / all;
}

/// The share of the volume (m^3) that comes to rest: by the most open ground to which the river comes within
/// the radius of a half cone that holds it.
double resting_share(const FanInputs& inputs, const FanApex& apex, double volume) {
    const FlowTree& tree = inputs.tree;
    const double radius = std::cbrt(6.0 * volume / (std::numbers::pi * apex.slope));
    double most = 0.0, way = 0.0, next = 0.0;
    for (std::int32_t cell = apex.cell; cell >= 0 && way <= radius; cell = tree.receiver(cell)) {
        if (way >= next) {
            const double column = tree.grid.column_of(cell) - tree.grid.column_of(apex.cell);
            const double row = tree.grid.row_of(cell) - tree.grid.row_of(apex.cell);
            const double heading = cell == apex.cell ? apex.heading : std::atan2(-row, column);
            most = std::max(most, openness(inputs, cell, heading, apex.slope, radius));
            next += kLookStep * radius;
        }
        way += tree.grid.cell_size * (tree.direction[at(cell)] % 2 == 0 ? 1.0 : std::numbers::sqrt2);
    }
    return std::pow(most, kConfinement);
}

/// The sediment that comes to each apex, m^3.
std::vector<double> demanded_volumes(const FanInputs& inputs, const FanParameters& parameters,
                                     const std::vector<FanApex>& apexes, Progress& progress) {
    std::vector<double> volumes;
    for (const FanApex& apex : apexes) volumes.push_back(parameters.fan_thickness * apex.area);
    if (inputs.sediment.empty()) return volumes;
    Field<double> given(inputs.sediment.grid());
    for_each_polled(0, given.size(), [&](std::int64_t cell) {
        const float depth = inputs.sediment[cell];
        given[cell] = is_no_data(depth) ? 0.0 : static_cast<double>(depth) * given.grid().cell_area();
    });
    const Field<double> sum = accumulate(inputs.tree, std::move(given), progress);
    for (std::size_t i = 0; i < apexes.size(); ++i) volumes[i] = sum[apexes[i].cell];
    return volumes;
}

/// The terrain on larger cells. A cell holds water where its mean ground lies no higher than that.
struct CoarseLand {
    Field<float> elevation;  // m
    Field<float> water;      // m; no data, or empty: none
    Field<float> sediment;   // m; empty: the same everywhere
    int factor = 1;          // cells of the terrain along an edge

    void coarsen() {
        elevation = half_coarsen(elevation);
        if (!water.empty()) water = half_coarsen(water);
        if (!sediment.empty()) sediment = half_coarsen(sediment);
        factor *= 2;
    }
};

/// Where water leaves the coarse terrain: where it leaves the fine one on land, and in the water of either.
FlowBoundary coarse_boundary(const FanInputs& inputs, const CoarseLand& land) {
    const Grid& fine = inputs.tree.grid;
    const Grid& grid = land.elevation.grid();
    const auto coarse = [&](std::int64_t cell) {
        return grid.index(fine.column_of(cell) / land.factor, fine.row_of(cell) / land.factor);
    };
    FlowBoundary boundary = {.roots = Field<std::uint8_t>(grid)};
    for_each_polled(0, inputs.elevation.size(), [&](std::int64_t cell) {
        if (inputs.tree.direction[at(cell)] != kRoot) return;
        const std::int64_t place = coarse(cell);
        const bool is_wet = !land.water.empty() && land.elevation[place] <= land.water[place];
        if (is_wet || !inputs.is_water(cell)) boundary.roots[place] = 1;
    });
    for (const NodeSource& source : inputs.tree.sources)
        boundary.sources.push_back({static_cast<std::int32_t>(coarse(source.node)), source.area});
    return boundary;
}

/// Puts apexes on the rivers of the terrain.
class FineRivers {
  public:
    FineRivers(const FanInputs& inputs, int factor) : inputs_(inputs), factor_(factor), area_(inputs.tree) {}

    /// The cell near by that drains most nearly as much; of a delta, the last one on land. -1: none.
    [[nodiscard]] std::int32_t cell_of(const FanApex& apex) const {
        const Grid& grid = inputs_.tree.grid;
        const double column_at = grid.column_at(apex.place.x), row_at = grid.row_at(apex.place.y);
        const int reach = kSearched * factor_;
        const auto column = static_cast<int>(std::lround(column_at));
        const auto row = static_cast<int>(std::lround(row_at));
        double least = std::numeric_limits<double>::infinity();
        std::int32_t best = -1;
        for (int r = std::max(0, row - reach); r <= std::min(grid.rows - 1, row + reach); ++r)
            for (int c = std::max(0, column - reach); c <= std::min(grid.columns - 1, column + reach); ++c) {
                const auto cell = static_cast<std::int32_t>(grid.index(c, r));
                if (!may_hold(cell, apex.is_delta)) continue;
                const double away = std::hypot(c - column_at, r - row_at) / factor_;
                const double unlike = std::abs(std::log(area_(cell) / apex.area)) + kWeightOfDistance * away;
                if (unlike < least) {
                    least = unlike;
                    best = cell;
                }
            }
        return best;
    }

  private:
    [[nodiscard]] bool may_hold(std::int32_t cell, bool is_delta) const {
        const std::int32_t receiver = inputs_.tree.receiver(cell);
        return receiver >= 0 && !inputs_.is_water(cell) && (!is_delta || inputs_.is_water(receiver));
    }

    const FanInputs& inputs_;
    int factor_;
    DrainedArea area_;
};

/// The plan on the terrain as it is.
FanPlan plan_here(const FanInputs& inputs, const FanParameters& parameters, Progress& progress) {
    FanPlan plan = {.apexes = fan_apexes(inputs, parameters, progress), .demanded = {}};
    plan.demanded = demanded_volumes(inputs, parameters, plan.apexes, progress);
    const Grid& grid = inputs.tree.grid;
    for (std::size_t i = 0; i < plan.apexes.size(); ++i) {
        FanApex& apex = plan.apexes[i];
        apex.place = grid.centre(grid.column_of(apex.cell), grid.row_of(apex.cell));
        if (plan.demanded[i] > 0.0) apex.resting_share = resting_share(inputs, apex, plan.demanded[i]);
    }
    return plan;
}

/// The plan on larger cells.
FanPlan plan_on(const CoarseLand& land, const FanInputs& inputs, const FanParameters& parameters,
                Progress& progress) {
    const FlowBoundary boundary = coarse_boundary(inputs, land);
    Field<float> surface = land.elevation;
    for_each_polled(0, land.water.size(), [&](std::int64_t cell) {
        if (land.water[cell] > surface[cell]) surface[cell] = land.water[cell];
    });
    ProgressPart routing(progress, 0.0, kRoutedShare), planning(progress, kRoutedShare, 1.0);
    FlowResult flow =
        route(surface, eight_neighbours(surface.grid()), boundary, {.sums_area = false}, routing);
    for_each_polled(0, land.water.size(), [&](std::int64_t cell) {
        if (land.elevation[cell] <= land.water[cell]) flow.elevation[cell] = land.elevation[cell];
    });
    return plan_here({.elevation = flow.elevation,
                      .tree = flow.tree,
                      .boundary = boundary,
                      .water = land.water,
                      .sediment = land.sediment,
                      .seed = inputs.seed},
                     parameters, planning);
}

}  // namespace

FanPlan plan_fans(const FanInputs& inputs, const FanParameters& parameters, Progress& progress) {
    const double most_cell = std::min(kMostCell, std::sqrt(parameters.fan_area) / kCellsAcross);
    if (2.0 * inputs.tree.grid.cell_size > most_cell) return plan_here(inputs, parameters, progress);
    CoarseLand land = {.elevation = inputs.elevation, .water = inputs.water, .sediment = inputs.sediment};
    while (2.0 * land.elevation.grid().cell_size <= most_cell) land.coarsen();
    const FanPlan coarse = plan_on(land, inputs, parameters, progress);
    const FineRivers rivers(inputs, land.factor);
    FanPlan plan;
    for (std::size_t i = 0; i < coarse.apexes.size(); ++i) {
        FanApex apex = coarse.apexes[i];
        apex.cell = rivers.cell_of(apex);
        if (apex.cell < 0) continue;
        plan.apexes.push_back(apex);
        plan.demanded.push_back(coarse.demanded[i]);
    }
    return plan;
}

}  // namespace thalweg
