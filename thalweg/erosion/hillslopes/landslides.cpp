#include "thalweg/erosion/landslides.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/hillslopes/debris_cone.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kSquare = 250.0;         // m, side of the squares of the world that places are drawn in
constexpr double kLengthOverWidth = 2.0;  // of scars (Taylor et al. 2018, Geomorphology 305: 1.5 to 3)
constexpr double kVolumeFactor = 0.186;   // Larsen et al. 2010, table 1, bedrock; m^3 of m^2
constexpr double kVolumeExponent = 1.35;
constexpr double kLeastCells = 4.0;   // of a scar
constexpr double kFloorSlope = 0.1;   // m/m, of the gentlest scar towards its toe (empirical)
constexpr int kChecksAlong = 8;       // places from head to toe where the ground has to fall (empirical)
constexpr double kUnevenness = 0.15;  // of the outline (empirical)

/// A scar before it comes down.
struct Scar {
    Position centre;
    double area = 0.0;                 // m^2
    double long_axis = 0.0;            // m, half of it
    double short_axis = 0.0;           // m
    std::array<double, 2> phase = {};  // of the outline's two waves
    double downhill_x = 0.0;           // unit vector
    double downhill_y = 0.0;
};

/// Draws of one place.
class Draws {
  public:
    Draws(std::uint64_t seed, std::int64_t column, std::int64_t row)
        : seed_(seed), column_(column), row_(row) {}
    double next() {
        return unit_double(random_bits(seed_, Stream::Landslide, static_cast<std::uint64_t>(column_),
                                       static_cast<std::uint64_t>(row_), count_++));
    }

  private:
    std::uint64_t seed_;
    std::int64_t column_, row_;
    std::uint64_t count_ = 0;
};

/// The area at which a share `draw` of a truncated Pareto distribution lies below, m^2.
double area_of(double draw, const LandslideParameters& p) {
    const double power = 1.0 - p.slide_exponent;
    if (std::abs(power) < 1e-9) return p.least_slide * portable_power(p.most_slide / p.least_slide, draw);
    const double low = portable_power(p.least_slide, power), high = portable_power(p.most_slide, power);
    return portable_power(low + draw * (high - low), 1.0 / power);
}

/// The scars that may come down, in the order of the squares of the world.
std::vector<Scar> drawn_scars(const Grid& grid, const LandslideParameters& parameters, std::uint64_t seed) {
    std::vector<Scar> scars;
    const double mean = parameters.landslides * 1e-6 * kSquare * kSquare;
    const auto square = [](double metres) { return static_cast<std::int64_t>(std::floor(metres / kSquare)); };
    const double south = grid.north - grid.height(), east = grid.west + grid.width();
    for (std::int64_t row = square(south); row <= square(grid.north); ++row)
        for (std::int64_t column = square(grid.west); column <= square(east); ++column) {
            Draws draws(seed, column, row);
            auto count = static_cast<int>(mean);
            if (draws.next() < mean - count) ++count;
            for (int i = 0; i < count; ++i) {
                Scar scar;
                scar.centre.x = (static_cast<double>(column) + draws.next()) * kSquare;
                scar.centre.y = (static_cast<double>(row) + draws.next()) * kSquare;
                scar.area = area_of(draws.next(), parameters);
                for (double& phase : scar.phase) phase = 2.0 * std::numbers::pi * draws.next();
                scar.short_axis = std::sqrt(scar.area / (std::numbers::pi * kLengthOverWidth));
                scar.long_axis = kLengthOverWidth * scar.short_axis;
                scars.push_back(scar);
            }
        }
    return scars;
}

/// The terrain while slides come down.
class SlidingGround {
  public:
    SlidingGround(const Field<float>& elevation, const LandslideParameters& parameters)
        : parameters_(parameters), ground_(elevation), cone_(elevation) {}

    void bring_down(Scar& scar, LandslideReport& report) {
        if (scar.area < kLeastCells * ground_.grid().cell_area() || !turn_downhill(scar)) return;
        const std::optional<double> toe = toe_height(scar);
        if (!toe) return;
        const double removed = dig(scar, *toe);
        if (removed <= 0.0) return;
        const Position end = along(scar, 1.0);
        const double deposited = cone_.lay_down(ground_, cell_at(end), removed, parameters_.repose_slope);
        ++report.slides;
        report.removed_volume += removed * ground_.grid().cell_area();
        report.deposited_volume += deposited * ground_.grid().cell_area();
        report.carried_off_volume += (removed - deposited) * ground_.grid().cell_area();
        report.scar_area += scar.area;
    }

    [[nodiscard]] Field<float> take() && { return std::move(ground_).take(); }

  private:
    static Position along(const Scar& scar, double share) {
        return {scar.centre.x + share * scar.long_axis * scar.downhill_x,
                scar.centre.y + share * scar.long_axis * scar.downhill_y};
    }

    [[nodiscard]] std::int64_t cell_at(Position place) const {
        const Grid& grid = ground_.grid();
        return grid.index(static_cast<int>(std::lround(grid.column_at(place.x))),
                          static_cast<int>(std::lround(grid.row_at(place.y))));
    }

    [[nodiscard]] bool has_data(Position place) const {
        const Grid& grid = ground_.grid();
        const auto column = static_cast<int>(std::lround(grid.column_at(place.x)));
        const auto row = static_cast<int>(std::lround(grid.row_at(place.y)));
        return column >= 0 && row >= 0 && grid.contains(column, row) && !grid.on_edge(column, row) &&
               !is_no_data(ground_.heights()(column, row));
    }

    [[nodiscard]] double height(Position place) const {
        return static_cast<double>(sample_bilinear(ground_.heights(), place));
    }

    /// Turns the scar to where the ground falls over its length; false where that is not steep enough.
    [[nodiscard]] bool turn_downhill(Scar& scar) const {
        const double reach = std::max(0.5 * scar.long_axis, ground_.grid().cell_size);
        const auto [x, y] = scar.centre;
        for (const Position place : {Position{x - reach, y}, {x + reach, y}, {x, y - reach}, {x, y + reach}})
            if (!has_data(place)) return false;
        const double fall_x = (height({x - reach, y}) - height({x + reach, y})) / (2.0 * reach);
        const double fall_y = (height({x, y - reach}) - height({x, y + reach})) / (2.0 * reach);
        const double slope = std::hypot(fall_x, fall_y);
        if (!(slope >= parameters_.failure_slope)) return false;
        scar.downhill_x = fall_x / slope;
        scar.downhill_y = fall_y / slope;
        return true;
    }

    /// Height of the ground at the toe, m; nothing unless it falls all the way from the head to there.
    [[nodiscard]] std::optional<double> toe_height(const Scar& scar) const {
        double last = std::numeric_limits<double>::infinity();
        for (int i = 0; i <= kChecksAlong; ++i) {
            const Position place = along(scar, 2.0 * i / kChecksAlong - 1.0);
            if (!has_data(place)) return std::nullopt;
            const double here = height(place);
            if (!(here < last)) return std::nullopt;
            last = here;
        }
        const double fall = height(along(scar, -1.0)) - last;
        if (fall < 2.0 * scar.long_axis * parameters_.failure_slope) return std::nullopt;
        return last;
    }

    /// How deep the scar is at x, y [m] from its centre down the slope and across, as a share of its depth.
    static double share_of_depth(const Scar& scar, double down, double across) {
        const double u = down / scar.long_axis, v = across / scar.short_axis;
        const double angle = std::atan2(v, u);
        const double outline =
            1.0 + kUnevenness *
                      (std::sin(2.0 * angle + scar.phase[0]) + std::sin(3.0 * angle + scar.phase[1])) / 2.0;
        const double square = (u * u + v * v) / (outline * outline);
        if (square >= 1.0) return 0.0;
        // A wall at the head, a gentle lip at the toe.
        return portable_power(1.0 - square, std::clamp(0.9 + 1.1 * u, 0.3, 2.0));
    }

    /// Takes the scar off the ground; returns the sum over its cells, m.
    double dig(const Scar& scar, double toe) {
        const Grid& grid = ground_.grid();
        constexpr double kMeanShare = 0.5;  // of the depth, over the ellipse
        const double depth =
            kVolumeFactor * portable_power(scar.area, kVolumeExponent) / (scar.area * kMeanShare);
        const double reach = scar.long_axis * (1.0 + kUnevenness);
        const int first_column = std::max(1, static_cast<int>(grid.column_at(scar.centre.x - reach)));
        const int last_column =
            std::min(grid.columns - 2, static_cast<int>(grid.column_at(scar.centre.x + reach)) + 1);
        const int first_row = std::max(1, static_cast<int>(grid.row_at(scar.centre.y + reach)));
        const int last_row =
            std::min(grid.rows - 2, static_cast<int>(grid.row_at(scar.centre.y - reach)) + 1);
        double removed = 0.0;
        for (int row = first_row; row <= last_row; ++row)
            for (int column = first_column; column <= last_column; ++column) {
                const std::int64_t cell = grid.index(column, row);
                if (is_no_data(ground_.heights()[cell])) continue;
                const double x = grid.x(column) - scar.centre.x, y = grid.y(row) - scar.centre.y;
                const double down = x * scar.downhill_x + y * scar.downhill_y;
                const double across = y * scar.downhill_x - x * scar.downhill_y;
                const double share = share_of_depth(scar, down, across);
                if (share <= 0.0) continue;
                const double least = toe + kFloorSlope * std::max(0.0, scar.long_axis - down);
                const double before = ground_.height(cell);
                const double lowered = std::min(before, std::max(before - share * depth, least));
                ground_.set(cell, lowered);
                removed += before - lowered;
            }
        return removed;
    }

    const LandslideParameters& parameters_;
    DebrisGround ground_;
    DebrisCone cone_;
};

}  // namespace

void LandslideParameters::declare(Declaration<LandslideParameters>& d) {
    const std::vector<ParameterCondition> where_it_slides = {differs("landslides", {0.0})};
    d.number("landslides", &LandslideParameters::landslides,
             {.label = "Landslides",
              .group = "Landslides",
              .unit = "1/km^2",
              .sentence = "Places on a square kilometre that slide if they are steep enough; 0: none.",
              .minimum = 0.0,
              .maximum = 1e4,
              .usual = {0.0, 20.0}});
    d.number("failure_slope", &LandslideParameters::failure_slope,
             {.label = "Slope of failure",
              .group = "Landslides",
              .unit = "m/m",
              .sentence = "Slope over the length of a slide from which it comes down.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.3, 1.2},
              .enabled_when = where_it_slides});
    d.number("repose_slope", &LandslideParameters::repose_slope,
             {.label = "Slope of repose",
              .group = "Landslides",
              .unit = "m/m",
              .sentence = "Slope at which what came down rests.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.1, 0.7},
              .minimum_excluded = true,
              .enabled_when = where_it_slides});
    d.number("least_slide", &LandslideParameters::least_slide,
             {.label = "Least area of a slide",
              .group = "Landslides",
              .unit = "m^2",
              .sentence = "Smallest area of a scar.",
              .minimum = 1.0,
              .maximum = 1e9,
              .usual = {1e3, 1e5, SliderScale::Logarithmic},
              .is_advanced = true,
              .enabled_when = where_it_slides});
    d.number("most_slide", &LandslideParameters::most_slide,
             {.label = "Greatest area of a slide",
              .group = "Landslides",
              .unit = "m^2",
              .sentence = "Largest area of a scar.",
              .minimum = 1.0,
              .maximum = 1e9,
              .usual = {1e4, 1e7, SliderScale::Logarithmic},
              .is_advanced = true,
              .enabled_when = where_it_slides});
    d.number("slide_exponent", &LandslideParameters::slide_exponent,
             {.label = "Exponent of areas",
              .group = "Landslides",
              .unit = "1",
              .sentence = "How much rarer large slides are than small ones: frequency goes with area to the "
                          "power of minus this.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {1.5, 3.0},
              .is_advanced = true,
              .enabled_when = where_it_slides});
}

void check_landslides(const LandslideParameters& parameters) {
    if (parameters.most_slide < parameters.least_slide)
        throw Error::input(fmt::format("most_slide = {} is not allowed: at least least_slide, {}",
                                       parameters.most_slide, parameters.least_slide));
}

LandslideResult slide(const Field<float>& elevation, const LandslideParameters& parameters,
                      std::uint64_t seed, Progress& progress) {
    check_landslides(parameters);
    LandslideReport report;
    if (elevation.empty() || parameters.landslides <= 0.0) return {elevation, report};
    std::vector<Scar> scars = drawn_scars(elevation.grid(), parameters, seed);
    SlidingGround ground(elevation, parameters);
    for (Scar& scar : scars) {
        progress.report(static_cast<double>(report.tried) / static_cast<double>(scars.size()),
                        "letting slopes slide");
        ground.bring_down(scar, report);
        ++report.tried;
    }
    return {std::move(ground).take(), report};
}

}  // namespace thalweg
