#include "thalweg/water/disc_seeding.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kJitter = 0.2;          // sides, of a centre from its cell's middle at most
constexpr double kRadiusPerSide = 1.25;  // of a disc, by its cell's side
constexpr std::int64_t kMostRoots = std::int64_t{1} << 30;
constexpr double kHalfDiagonal = 0.5 * std::numbers::sqrt2;  // sides

constexpr double kFarthestCorner = (0.5 + kJitter) * std::numbers::sqrt2 / kRadiusPerSide;  // radii
constexpr double kSeenThere = 1.0 - kFarthestCorner * kFarthestCorner;
static_assert(kSeenThere * kSeenThere * kSeenThere > 1.02 * kLeastCoverage);

/// A cell of the quadtree: (column, row) among cells of its size, from the world's origin.
struct QuadCell {
    std::int64_t column = 0;
    std::int64_t row = 0;
    double side = 1.0;  // m
    int level = 0;
};

void check_domain(const WaterDomain& domain) {
    const Rectangle& e = domain.extent;
    if (!(e.west < e.east && e.south < e.north && std::isfinite(e.west) && std::isfinite(e.south) &&
          std::isfinite(e.east) && std::isfinite(e.north)))
        throw Error::input(fmt::format(
            "the extent of water, ({}, {}) to ({}, {}) m, is not allowed: give west < east and south < north",
            e.west, e.south, e.east, e.north));
    if (!(domain.least_radius > 0.0 && domain.least_radius <= domain.largest_radius &&
          std::isfinite(domain.largest_radius)))
        throw Error::input(fmt::format(
            "least_radius = {} m and largest_radius = {} m are not allowed: give 0 < least <= largest",
            domain.least_radius, domain.largest_radius));
    if (!(domain.radius_change >= 0.0 && std::isfinite(domain.radius_change)))
        throw Error::input(fmt::format("radius_change = {} is not allowed: greater than or equal to 0",
                                       domain.radius_change));
}

/// What the domain told of places near by. It is asked for the middle of a cell where that does not tell
/// whether the cell has water, and whether it is divided.
struct KnownNearBy {
    double to_water = 0.0;                                           // m
    double away_of_water = std::numeric_limits<double>::infinity();  // m, from the cell's middle
    double radius = 0.0;                                             // m, wanted
    double away_of_radius = std::numeric_limits<double>::infinity();
};

class DiscSeeder {
  public:
    DiscSeeder(const WaterDomain& domain, std::uint64_t seed) : domain_(domain), seed_(seed) {}

    void add_discs(const QuadCell& cell, std::vector<WaterDisc>& discs, KnownNearBy known = {}) const {
        constexpr double kRounding = 1e-9;
        const Position middle{(static_cast<double>(cell.column) + 0.5) * cell.side,
                              (static_cast<double>(cell.row) + 0.5) * cell.side};
        const double reach = kHalfDiagonal * cell.side;
        const double farthest = known.to_water + known.away_of_water;
        if (!(farthest < reach - kRounding * (known.away_of_water - known.to_water + reach))) {
            known.to_water = domain_.distance_to_water(middle);
            known.away_of_water = 0.0;
            if (known.to_water > reach) return;
        }
        const double radius = kRadiusPerSide * cell.side;
        const double least = known.radius - domain_.radius_change * (known.away_of_radius + reach);
        const double most = known.radius + domain_.radius_change * (known.away_of_radius - reach);
        const bool is_surely_large = radius > most + kRounding * (known.radius + radius);
        const bool is_surely_small = radius < least - kRounding * (known.radius + radius);
        if (!is_surely_large && !is_surely_small) {
            known.radius = wanted_at(middle);
            known.away_of_radius = 0.0;
        }
        // Where halves would be too small, the cell stays.
        const bool is_large = known.away_of_radius > 0.0
                                  ? is_surely_large
                                  : radius > known.radius - domain_.radius_change * reach;
        if (is_large && 0.5 * radius >= domain_.least_radius) {
            known.away_of_water += 0.5 * reach;
            known.away_of_radius += 0.5 * reach;
            for (int quarter = 0; quarter < 4; ++quarter)
                add_discs({2 * cell.column + quarter % 2, 2 * cell.row + quarter / 2, 0.5 * cell.side,
                           cell.level + 1},
                          discs, known);
            return;
        }
        const std::uint64_t bits =
            random_bits(seed_, Stream::WaterDisc, static_cast<std::uint64_t>(cell.level),
                        static_cast<std::uint64_t>(cell.column), static_cast<std::uint64_t>(cell.row));
        const auto off = [&](float draw) { return kJitter * cell.side * (2.0 * draw - 1.0); };
        discs.push_back({{middle.x + off(unit_float(bits)), middle.y + off(unit_float(bits << 24))},
                         radius,
                         mix64(bits)});
    }

  private:
    [[nodiscard]] double wanted_at(Position middle) const {
        const double wanted = domain_.radius(middle);
        if (!(wanted > 0.0))
            throw Error::input(
                fmt::format("the radius of water discs at ({}, {}) m is {} m: it must be greater than 0",
                            middle.x, middle.y, wanted));
        return wanted;
    }

    const WaterDomain& domain_;
    std::uint64_t seed_;
};

}  // namespace

std::vector<WaterDisc> seed_discs(const WaterDomain& domain, std::uint64_t seed, Progress& progress) {
    check_domain(domain);
    const double side = domain.largest_radius / kRadiusPerSide;
    const auto lattice = [&](double coordinate) { return std::floor(coordinate / side); };
    const double columns = lattice(domain.extent.east) - lattice(domain.extent.west) + 1.0;
    const double rows = lattice(domain.extent.north) - lattice(domain.extent.south) + 1.0;
    if (!(columns * rows <= static_cast<double>(kMostRoots)) ||
        !(std::abs(lattice(domain.extent.west)) < 1e15) || !(std::abs(lattice(domain.extent.south)) < 1e15))
        throw Error::input(
            fmt::format("an extent of {} x {} m is too large for discs of {} m: give a larger largest_radius",
                        domain.extent.east - domain.extent.west, domain.extent.north - domain.extent.south,
                        domain.largest_radius));
    const auto first_column = static_cast<std::int64_t>(lattice(domain.extent.west));
    const auto first_row = static_cast<std::int64_t>(lattice(domain.extent.south));
    const auto across = static_cast<std::int64_t>(columns);
    constexpr std::int64_t kStrip = 64;  // roots of a row that are looked at together
    const std::int64_t strips = (across + kStrip - 1) / kStrip;
    const DiscSeeder seeder(domain, seed);
    return parallel_gather<WaterDisc>(
        0, strips * static_cast<std::int64_t>(rows), 16, [&](std::int64_t i, std::vector<WaterDisc>& discs) {
            progress.poll();
            const std::int64_t row = first_row + i / strips;
            const std::int64_t begin = first_column + i % strips * kStrip;
            const std::int64_t end = std::min(begin + kStrip, first_column + across);
            const Rectangle strip{.west = static_cast<double>(begin) * side,
                                  .south = static_cast<double>(row) * side,
                                  .east = static_cast<double>(end) * side,
                                  .north = static_cast<double>(row + 1) * side};
            if (domain.may_hold_water && !domain.may_hold_water(strip)) return;
            for (std::int64_t column = begin; column < end; ++column)
                seeder.add_discs({column, row, side, 0}, discs);
        });
}

}  // namespace thalweg
