#include "thalweg/project/output/river_picture.hpp"

#include "thalweg/grid/sampling.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/output/natural_land.hpp"
#include "thalweg/riverscape/flowing_water.hpp"
#include "thalweg/riverscape/river_beds.hpp"
#include "thalweg/riverscape/standing_water.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

/// Flowing water at a place.
struct Stream {
    Position place;
    double direction_x = 1.0;  // 1, downstream
    double direction_y = 0.0;
    double width = 0.0;  // m
};

/// How far water goes on from a place in a direction, m.
double water_along(const Landscape& landscape, Position from, double x, double y) {
    const Field<float>& depth = landscape.layer(kWaterDepth);
    const Grid& grid = depth.grid();
    double way = 0.0;
    while (true) {
        const Position p{from.x + way * x, from.y + way * y};
        const int column = static_cast<int>(std::lround(grid.column_at(p.x)));
        const int row = static_cast<int>(std::lround(grid.row_at(p.y)));
        if (!grid.contains(column, row) || !(depth(column, row) > 0.0F)) return way;
        way += grid.cell_size;
    }
}

/// The flowing cell nearest to the grid's middle, the first one of those as near; the middle itself where all
/// is dry.
Stream stream_in_the_middle(const Landscape& landscape) {
    const Field<float>& speed = landscape.layer(kVelocity);
    const Grid& grid = speed.grid();
    std::int64_t nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t cell = 0; cell < speed.size(); ++cell) {
        if (!(speed[cell] > 0.0F)) continue;
        const double away = std::hypot(grid.column_of(cell) - 0.5 * (grid.columns - 1),
                                       grid.row_of(cell) - 0.5 * (grid.rows - 1));
        if (away >= least) continue;
        least = away;
        nearest = cell;
    }
    if (nearest < 0)
        return {.place = grid.centre(grid.columns / 2, grid.rows / 2), .width = 0.1 * grid.width()};
    Stream stream{.place = grid.centre(grid.column_of(nearest), grid.row_of(nearest))};
    stream.direction_x = landscape.layer(kVelocityEast)[nearest] / speed[nearest];
    stream.direction_y = landscape.layer(kVelocityNorth)[nearest] / speed[nearest];
    stream.width = water_along(landscape, stream.place, -stream.direction_y, stream.direction_x) +
                   water_along(landscape, stream.place, stream.direction_y, -stream.direction_x);
    return stream;
}

Position kept_inside(const Grid& grid, Position p) {
    const double margin = 2.0 * grid.cell_size;
    return {std::clamp(p.x, grid.west + margin, grid.west + grid.width() - margin),
            std::clamp(p.y, grid.north - grid.height() + margin, grid.north - margin)};
}

/// What lies around a view's ground: carved beds near by, and the whole terrain.
std::vector<RiverSurroundings> surroundings_of(const Grid& window, const RiverBeds& beds,
                                               Progress& progress) {
    constexpr double kNearReach = 3.0;  // windows to each side of the window
    constexpr double kNearCells = 6.0;  // of the window's, on a side of a cell
    const Grid& whole = beds.terrain.grid();
    if (window.cell_size >= whole.cell_size) return {};
    const double cell_size = std::min(kNearCells * window.cell_size, whole.cell_size);
    const double reach = kNearReach * std::max(window.width(), window.height());
    const double west = std::max(whole.west, window.west - reach);
    const double north = std::min(whole.north, window.north + reach);
    const double east = std::min(whole.west + whole.width(), window.west + window.width() + reach);
    const double south = std::max(whole.north - whole.height(), window.north - window.height() - reach);
    const Grid near{.columns = static_cast<int>((east - west) / cell_size),
                    .rows = static_cast<int>((north - south) / cell_size),
                    .cell_size = cell_size,
                    .west = west,
                    .north = north};
    CarvedWindow carved = beds_near(beds, extent_of(near)).carve(near, progress);
    if (!beds.lakes.empty()) let_stand({.terrain = beds.terrain, .level = beds.lakes}, carved, progress);
    return {{.elevation = std::move(carved.elevation),
             .water_level = std::move(carved.water_elevation),
             .cover = std::move(carved.material)},
            {.elevation = beds.terrain}};
}

/// The landscape that `window` is a part of, as far as its country is known.
Landscape landscape_of(const CountryAround& country, const Landscape& window) {
    Landscape whole;
    for (std::size_t i = 0; i < country.names.size(); ++i) {
        whole.grid = country.values[i].grid();
        whole.set(country.names[i], country.values[i]);
    }
    if (const auto rock = window.datasets.find(kRock); rock != window.datasets.end())
        whole.datasets.insert(*rock);
    return whole;
}

/// Whether nothing of the ground hides a place from an eye above another, nor stands close before it.
bool is_in_sight(const Field<float>& elevation, Position eye, double eye_height, Position target) {
    constexpr double kRoom = 0.4;  // m between the line of sight and the ground
    const double from = sample_bilinear(elevation, eye) + eye_height;
    const double to = sample_bilinear(elevation, target) + kRoom;
    const double way = std::hypot(target.x - eye.x, target.y - eye.y);
    for (double gone = 0.0; gone < 0.9 * way; gone += elevation.grid().cell_size) {
        const double t = gone / way;
        const double ground =
            sample_bilinear(elevation, {eye.x + t * (target.x - eye.x), eye.y + t * (target.y - eye.y)});
        if (ground + kRoom * (1.0 - t) > from + t * (to - from)) return false;
    }
    return true;
}

/// From the bank, somewhat downstream of the place in the middle, looking up the river.
void choose_places(const OutputSettings& look, const Landscape& landscape, RiverViewParameters& view) {
    const auto given = [](const std::vector<double>& numbers) { return Position{numbers[0], numbers[1]}; };
    if (!look.river_eye.empty()) view.eye = given(look.river_eye);
    if (!look.river_target.empty()) view.target = given(look.river_target);
    if (!look.river_eye.empty() && !look.river_target.empty()) return;
    const Stream stream = stream_in_the_middle(landscape);
    const double ux = stream.direction_x;
    const double uy = stream.direction_y;
    const auto beside = [&](double down, double left) {
        return kept_inside(landscape.grid, {stream.place.x + stream.width * (down * ux - left * uy),
                                            stream.place.y + stream.width * (down * uy + left * ux)});
    };
    if (look.river_target.empty()) view.target = beside(-0.9, -0.15);
    if (!look.river_eye.empty()) return;
    constexpr std::array<std::array<double, 2>, 6> kPlaces = {
        {{1.3, 0.75}, {1.3, -0.75}, {0.9, 0.75}, {0.9, -0.75}, {1.8, 0.7}, {1.8, -0.7}}};
    view.eye = beside(kPlaces[0][0], kPlaces[0][1]);
    for (const auto& [down, left] : kPlaces) {
        const Position eye = beside(down, left);
        if (!is_in_sight(landscape.layer(kElevation), eye, view.eye_height, view.target)) continue;
        view.eye = eye;
        return;
    }
}

}  // namespace

bool has_river_picture(const Landscape& landscape) {
    return landscape.has(kElevation) && landscape.has(kWaterElevation) && landscape.has(kVelocity);
}

std::unique_ptr<const RiverView> river_view(const OutputSettings& look, const Landscape& landscape, int width,
                                            int height, Progress& progress) {
    RiverViewParameters view;
    view.width = width;
    view.height = height;
    view.eye_height = look.river_eye_height;
    choose_places(look, landscape, view);
    // What covers the land is shown of the country around too where that is known.
    const auto* const country = landscape.find<CountryAround>(kCountryAround);
    const Landscape whole = country == nullptr ? Landscape{} : landscape_of(*country, landscape);
    const LandLayers around = look.natural_colours ? land_layers(whole) : LandLayers{};
    RiverGround ground{.elevation = landscape.layer(kElevation),
                       .water_level = landscape.layer(kWaterElevation)};
    if (landscape.has(kBedMaterial)) ground.cover = landscape.layer(kBedMaterial);
    if (const auto* const beds = landscape.find<RiverBeds>(kRiverBeds))
        ground.surroundings = surroundings_of(landscape.grid, *beds, progress);
    for (RiverSurroundings& part : ground.surroundings) part.land = around;
    if (look.natural_colours) ground.land = around.empty() ? land_layers(landscape) : around;
    return std::make_unique<const RiverView>(ground, view, progress);
}

RiverWater river_water_of(const Landscape& landscape) {
    RiverWater water{.elevation = landscape.layer(kWaterElevation)};
    if (landscape.has(kFoam)) water.foam = landscape.layer(kFoam);
    if (landscape.has(kVelocityEast) && landscape.has(kVelocityNorth)) {
        water.velocity_east = landscape.layer(kVelocityEast);
        water.velocity_north = landscape.layer(kVelocityNorth);
    }
    if (const auto* const flowing = landscape.find<FlowingWater>(kFlowingWater)) {
        water.time = flowing->time;
        water.loop_period = flowing->loop_period;
        for (const Drifter& thing : flowing->drifters)
            (thing.kind == DriftKind::Foam ? water.foam_patches : water.leaves)
                .push_back({thing.position, thing.bits, thing.left});
    }
    return water;
}

}  // namespace thalweg
