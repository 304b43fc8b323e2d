#include "thalweg/ground/ground_cover.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/multiple_flow.hpp"
#include "thalweg/grid/gaussian.hpp"
#include "thalweg/grid/gradient.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/ground/covers.hpp"
#include "thalweg/ground/insolation.hpp"
#include "thalweg/ground/runout.hpp"
#include "thalweg/ground/seasons.hpp"
#include "thalweg/ground/soil.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr double kFreemanExponent = 1.1;  // Freeman 1991
constexpr float kLeastSlope = 0.02F;      // m/m, of the wetness index: water spreads on flatter ground
constexpr float kAspectWarmth = 4.0F;     // degC for twice the light of level ground (empirical: 200 to 300 m
                                          // between the tree lines of shaded and sunny slopes)

constexpr RestingSlopes kScreeRests{.gentle = 0.466F, .steep = 0.781F, .length = 60.0F};  // 25 to 38 degrees
constexpr RestingSlopes kSnowRests{.gentle = 0.268F, .steep = 0.625F, .length = 120.0F};  // 15 to 32 degrees

/// Slopes and curvature over a length.
struct Form {
    Gradient rise;           // m/m
    Field<float> laplacian;  // 1/m
};

/// Differences over a cell to each side have a standard deviation of their own, and so have means over cells:
/// the gaussian has what is left of the length.
Form form_over(const Field<float>& elevation, double length) {
    const double cell = elevation.grid().cell_size;
    const double left = length * length - cell * cell * (1.0 / 3.0 + 1.0 / 12.0);
    Form form{.rise = gradient(elevation), .laplacian = {}};
    if (left > 0.0) {
        const CellRange all{.end_column = elevation.columns(), .end_row = elevation.rows()};
        form.rise.east = gaussian_mean(form.rise.east, std::sqrt(left), all);
        form.rise.north = gaussian_mean(form.rise.north, std::sqrt(left), all);
    }
    form.laplacian = gradient(form.rise.east).east;
    const Field<float> across = gradient(form.rise.north).north;
    for_each_row(elevation.grid(), [&](int row) {
        for (int column = 0; column < elevation.columns(); ++column)
            form.laplacian(column, row) += across(column, row);
    });
    return form;
}

/// Everything that the layers are made from, cell by cell.
class Ground {
  public:
    Ground(const GroundInputs& inputs, const GroundParameters& parameters, double map_latitude)
        : inputs_(inputs),
          parameters_(parameters),
          climate_(resolved(parameters.climate, map_latitude)),
          seasons_(climate_),
          insolation_(climate_.latitude),
          soil_law_{.production = static_cast<float>(parameters.soil_production),
                    .decay_depth = static_cast<float>(parameters.soil_decay_depth),
                    .diffusivity = static_cast<float>(parameters.diffusivity),
                    .age = static_cast<float>(parameters.soil_age)} {}

    GroundCover cover(Progress& progress) {
        const Grid& grid = inputs_.elevation.grid();
        progress.report(0.0, "measuring slopes");
        Form form = form_over(inputs_.elevation, parameters_.length);
        progress.report(0.3, "letting soil form");
        GroundCover cover;
        for (Field<float>* layer : {&cover.soil_depth, &cover.bare_rock, &cover.scree, &cover.vegetation,
                                    &cover.forest, &cover.snow})
            *layer = Field<float>(grid, kNoData);
        Field<float> slope(grid, kNoData);
        Field<float> light(grid, kNoData);
        for_each_row(grid, [&](int row) { begin_row(row, form, slope, light, cover); });
        form.rise = {};
        progress.report(0.5, "letting rock and snow fall");
        let_fall(slope, cover, progress);
        progress.report(0.8, "letting plants grow");
        const Field<double> area =
            accumulate_freeman(inputs_.flow.elevation, inputs_.flow.tree.direction, kFreemanExponent,
                               Field<double>(grid, grid.cell_area()), progress);
        for_each_row(grid, [&](int row) { end_row(row, form.laplacian, slope, light, area, cover); });
        return cover;
    }

    void describe(GroundCover& cover) const;

  private:
    [[nodiscard]] bool is_land(std::int64_t cell) const {
        return inputs_.water.empty() || inputs_.water[cell] == 0;
    }
    [[nodiscard]] float temperature(float elevation, float light) const {
        return static_cast<float>(climate_.temperature - 1e-3 * climate_.lapse_rate * elevation) +
               kAspectWarmth * (light - 1.0F);
    }
    [[nodiscard]] float precipitation(std::int64_t cell) const {
        const auto mean = static_cast<float>(climate_.precipitation);
        return inputs_.precipitation_factor.empty() ? mean : mean * inputs_.precipitation_factor[cell];
    }

    /// Debris and snow fall, and spread where they come to rest: cones fill the gullies that lead them.
    void let_fall(const Field<float>& slope, GroundCover& cover, Progress& progress) const {
        const Runout runout(inputs_.flow.elevation, progress);
        runout.take_down(cover.scree, slope, kScreeRests, progress);
        runout.take_down(cover.snow, slope, kSnowRests, progress);
        const double cell = slope.grid().cell_size;
        const double width =
            std::sqrt(std::max(0.0, parameters_.length * parameters_.length - cell * cell / 12.0));
        if (!(width > 0.0)) return;
        const CellRange all{.end_column = slope.columns(), .end_row = slope.rows()};
        cover.scree = gaussian_mean(cover.scree, width, all);
        cover.snow = gaussian_mean(cover.snow, width, all);
    }

    /// Soil; debris and snow before they fall, as m of layers scree and snow.
    void begin_row(int row, const Form& form, Field<float>& slope, Field<float>& light,
                   GroundCover& cover) const {
        const Grid& grid = slope.grid();
        for (int column = 0; column < grid.columns; ++column) {
            const std::int64_t cell = grid.index(column, row);
            const float z = inputs_.elevation[cell];
            if (is_no_data(z)) continue;
            const float east = form.rise.east[cell];
            const float north = form.rise.north[cell];
            const float s = std::sqrt(east * east + north * north);
            slope[cell] = s;
            light[cell] = insolation_.at(east, north);
            cover.scree[cell] = cover.snow[cell] = 0.0F;
            if (!is_land(cell)) {
                cover.soil_depth[cell] = 0.0F;
                continue;
            }
            auto critical = static_cast<float>(parameters_.critical_slope);
            if (!inputs_.critical_slope.empty()) critical = std::min(critical, inputs_.critical_slope[cell]);
            float depth = soil_depth(soil_law_, form.laplacian[cell], s, critical);
            if (!inputs_.sediment.empty())
                depth = std::max(depth, sediment_depth(inputs_.sediment[cell], s, critical));
            cover.soil_depth[cell] = depth;
            const float warmth = temperature(z, light[cell]);
            cover.scree[cell] = static_cast<float>(parameters_.rockfall * parameters_.soil_age) *
                                rock_share(depth) * cliff_share(s) * frost_share(warmth);
            cover.snow[cell] = precipitation(cell) * seasons_.at(warmth).snowfall * (1.0F - snow_held(s));
        }
    }

    void end_row(int row, const Field<float>& laplacian, const Field<float>& slope, const Field<float>& light,
                 const Field<double>& area, GroundCover& cover) const {
        const Grid& grid = slope.grid();
        for (int column = 0; column < grid.columns; ++column) {
            const std::int64_t cell = grid.index(column, row);
            const float z = inputs_.elevation[cell];
            if (is_no_data(z) || !is_land(cell)) {
                for (Field<float>* layer :
                     {&cover.bare_rock, &cover.scree, &cover.vegetation, &cover.forest, &cover.snow})
                    (*layer)[cell] = is_no_data(z) ? kNoData : 0.0F;
                continue;
            }
            const Season season = seasons_.at(temperature(z, light[cell]));
            const auto channels = static_cast<float>(area[cell] / parameters_.channel_area);
            const float left = 1.0F / (1.0F + channels * channels);  // of what streams carry off
            const Site site{.soil = cover.soil_depth[cell],
                            .slope = slope[cell],
                            .laplacian = laplacian[cell],
                            .light = light[cell],
                            .debris = left * cover.scree[cell],
                            .slid_snow = left * cover.snow[cell],
                            .wetness = fast_log2(static_cast<float>(area[cell] / grid.cell_size) /
                                                 std::max(slope[cell], kLeastSlope)) *
                                       0.693147181F,
                            .precipitation = precipitation(cell),
                            .season = season};
            const Shares shares = shares_of(site);
            cover.bare_rock[cell] = shares.bare_rock;
            cover.scree[cell] = shares.scree;
            cover.vegetation[cell] = shares.vegetation;
            cover.forest[cell] = shares.forest;
            cover.snow[cell] = shares.snow;
        }
    }

    const GroundInputs& inputs_;
    const GroundParameters& parameters_;
    ClimateParameters climate_;
    Seasons seasons_;
    Insolation insolation_;
    SoilLaw soil_law_;
};

/// Sums over the land.
struct Sums {
    double land = 0.0, rock = 0.0, scree = 0.0, vegetation = 0.0, forest = 0.0, snow = 0.0;

    Sums& operator+=(const Sums& other) {
        land += other.land;
        rock += other.rock;
        scree += other.scree;
        vegetation += other.vegetation;
        forest += other.forest;
        snow += other.snow;
        return *this;
    }
};

void Ground::describe(GroundCover& cover) const {
    const Sums sums = parallel_reduce(
        0, cover.snow.size(), kCellsPerPiece, Sums{},
        [&](std::int64_t first, std::int64_t last) {
            Sums part;
            for (std::int64_t cell = first; cell < last; ++cell)
                if (!is_no_data(cover.snow[cell]) && is_land(cell))
                    part += {1.0,
                             cover.bare_rock[cell],
                             cover.scree[cell],
                             cover.vegetation[cell],
                             cover.forest[cell],
                             cover.snow[cell]};
            return part;
        },
        [](Sums a, const Sums& b) { return a += b; });
    const double land = std::max(sums.land, 1.0);
    const auto height_of = [&](double temperature) {
        return (climate_.temperature - temperature) / (1e-3 * std::max(climate_.lapse_rate, 1e-6));
    };
    cover.report = {.tree_line = height_of(seasons_.tree_line()),
                    .snow_line = height_of(seasons_.snow_line()),
                    .bare_share = sums.rock / land,
                    .scree_share = sums.scree / land,
                    .vegetation_share = sums.vegetation / land,
                    .forest_share = sums.forest / land,
                    .snow_share = sums.snow / land};
}

}  // namespace

GroundCover ground_cover(const GroundInputs& inputs, const GroundParameters& parameters, double map_latitude,
                         Progress& progress) {
    Ground ground(inputs, parameters, map_latitude);
    GroundCover cover = ground.cover(progress);
    ground.describe(cover);
    progress.report(1.0, "ground covered");
    return cover;
}

}  // namespace thalweg
