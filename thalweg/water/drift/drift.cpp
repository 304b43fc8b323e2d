#include "thalweg/water/drift.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <optional>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kPushes = 4;            // off the bank, for one step
constexpr int kShortenings = 6;       // halvings of a step that stays too near to it
constexpr double kStill = 1e-6;       // m/s, slower than which a thing stays
constexpr double kMostEntries = 1e7;  // of one inflow in a loop

Position moved(Position p, WaterVelocity u, double time) {
    return {p.x + u.x * time, p.y + u.y * time};
}

double length_of(WaterVelocity u) {
    return std::sqrt(u.x * u.x + u.y * u.y);
}

void check_parameters(const DriftWater& water, std::span<const DriftInflow> inflows,
                      const DriftParameters& parameters) {
    for (const Parameter& parameter : parameters_of<DriftParameters>().parameters())
        (void)parameter.checked(parameter.get(&parameters));
    if (!(water.extent.west < water.extent.east && water.extent.south < water.extent.north))
        throw Error::input(fmt::format(
            "the extent of drift, ({}, {}) to ({}, {}) m, is not allowed: give west < east and south < north",
            water.extent.west, water.extent.south, water.extent.east, water.extent.north));
    for (const DriftInflow& inflow : inflows) {
        const double sum = inflow.begin.x + inflow.begin.y + inflow.end.x + inflow.end.y;
        if (!(inflow.rate >= 0.0 && inflow.rate * parameters.loop_period <= kMostEntries &&
              std::isfinite(sum)))
            throw Error::input(fmt::format(
                "an inflow from ({}, {}) to ({}, {}) m at {} 1/s is not allowed: give a rate from 0, and at "
                "most {} entries in a loop",
                inflow.begin.x, inflow.begin.y, inflow.end.x, inflow.end.y, inflow.rate, kMostEntries));
        if (!(inflow.lifetime >= 0.0 && std::isfinite(inflow.lifetime)))
            throw Error::input(fmt::format(
                "a lifetime of {} s is not allowed for what drifts: give 0 or more", inflow.lifetime));
    }
}

/// Carries one thing.
class Carrier {
  public:
    Carrier(const DriftWater& water, const DriftParameters& parameters)
        : water_(water), parameters_(parameters) {}

    [[nodiscard]] std::vector<Drift::WayPoint> way_from(Position start, double longest_age) const {
        std::vector<Drift::WayPoint> way;
        if (!water_.extent.contains(start) || !(water_.distance_to_bank(start) >= parameters_.margin))
            return way;
        way.push_back({0.0, start});
        while (way.back().age < longest_age && water_.extent.contains(way.back().position))
            way.push_back(next(way.back(), longest_age));
        return way;
    }

  private:
    /// One step: of a time step, or as far as is safe.
    [[nodiscard]] Drift::WayPoint next(const Drift::WayPoint& from, double longest_age) const {
        const Position p = from.position;
        const double safe = std::max(water_.distance_to_bank(p), 2.0 * parameters_.margin);
        double time = std::min(parameters_.time_step, longest_age - from.age);
        const double first_speed = length_of(water_.velocity(p));
        // A piece may be as long as it is safe, by the faster of its two velocities.
        time = std::min(time, safe / std::max(first_speed, kStill));
        WaterVelocity u = water_.velocity(moved(p, water_.velocity(p), 0.5 * time));
        if (length_of(u) * time > safe) time = safe / length_of(u);
        for (int i = 0; i < kShortenings; ++i) {
            const std::optional<Position> reached = pushed_off(moved(p, u, time), p, safe);
            if (reached) return {from.age + time, *reached};
            u = {0.5 * u.x, 0.5 * u.y};
        }
        return {from.age + time, p};
    }

    /// The place off the bank beside `p`, where there is one within `reach` of `from`.
    [[nodiscard]] std::optional<Position> pushed_off(Position p, Position from, double reach) const {
        for (int i = 0; i <= kPushes; ++i) {
            const double distance = water_.distance_to_bank(p);
            if (!std::isfinite(distance)) return std::nullopt;
            if (distance >= parameters_.margin) {
                const bool is_near = std::hypot(p.x - from.x, p.y - from.y) <= reach;
                return is_near ? std::optional(p) : std::nullopt;
            }
            // Along the gradient, a little more than is missing.
            const double h = 0.5 * parameters_.margin;
            const double east = water_.distance_to_bank({p.x + h, p.y});
            const double west = water_.distance_to_bank({p.x - h, p.y});
            const double north = water_.distance_to_bank({p.x, p.y + h});
            const double south = water_.distance_to_bank({p.x, p.y - h});
            const double length = std::hypot(east - west, north - south);
            if (!(length > 0.0)) return std::nullopt;
            const double push = 1.01 * (parameters_.margin - distance) + 1e-9;
            p = {p.x + push * (east - west) / length, p.y + push * (north - south) / length};
        }
        return std::nullopt;
    }

    const DriftWater& water_;
    const DriftParameters& parameters_;
};

}  // namespace

void DriftParameters::declare(Declaration<DriftParameters>& declaration) {
    using P = DriftParameters;
    const auto seconds = [&](const char* name, double P::* member, const char* label, const char* sentence,
                             double least, double most, UsualRange usual) {
        declaration.number(name, member,
                           {.label = label,
                            .group = "Drift",
                            .unit = "s",
                            .sentence = sentence,
                            .minimum = least,
                            .maximum = most,
                            .usual = usual});
    };
    seconds("loop_period", &P::loop_period, "Loop period",
            "After it, the same things are at the same places.", 0.1, 1e6, {5.0, 120.0});
    seconds("time_step", &P::time_step, "Time step", "Longest step along a way.", 1e-3, 10.0, {0.02, 0.5});
    seconds("longest_age", &P::longest_age, "Longest age", "After it, a thing has sunk.", 0.1, 1e5,
            {30.0, 1200.0});
    declaration.number("margin", &P::margin,
                       {.label = "Margin",
                        .group = "Drift",
                        .unit = "m",
                        .sentence = "Things keep so far from rock and bank: half their size.",
                        .minimum = 1e-4,
                        .maximum = 10.0,
                        .usual = {0.01, 0.2}});
}

Drift::Drift(const DriftWater& water, std::span<const DriftInflow> inflows, const DriftParameters& parameters,
             std::uint64_t seed, Progress& progress)
    : loop_period_(parameters.loop_period) {
    check_parameters(water, inflows, parameters);
    // One entry in each equal part of the loop, at a time of its own in it.
    std::vector<Position> starts;
    for (std::size_t number = 0; number < inflows.size(); ++number) {
        const DriftInflow& inflow = inflows[number];
        const auto count = static_cast<std::int64_t>(std::floor(inflow.rate * loop_period_ + 0.5));
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint64_t bits =
                random_bits(seed, Stream::Drift, number, static_cast<std::uint64_t>(i));
            const double when = static_cast<double>(i) + unit_double(mix64(bits ^ 1));
            const double where = unit_double(bits);
            ways_.push_back({.entered = loop_period_ * when / static_cast<double>(count),
                             .bits = mix64(bits),
                             .kind = inflow.kind,
                             .lifetime = inflow.lifetime * (0.5 + unit_double(mix64(bits ^ 2)))});
            starts.push_back({inflow.begin.x + where * (inflow.end.x - inflow.begin.x),
                              inflow.begin.y + where * (inflow.end.y - inflow.begin.y)});
        }
    }
    const Carrier carrier(water, parameters);
    parallel_for(0, std::ssize(ways_), 1, [&](std::int64_t first, std::int64_t last) {
        for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
            progress.poll();
            const double lifetime = ways_[i].lifetime;
            ways_[i].points =
                carrier.way_from(starts[i], lifetime > 0.0 ? std::min(lifetime, parameters.longest_age)
                                                           : parameters.longest_age);
        }
    });
}

std::vector<Drifter> Drift::at(double time) const {
    if (!std::isfinite(time))
        throw Error::input(fmt::format("time = {} s is not allowed: give a finite time", time));
    std::vector<Drifter> drifters;
    for (std::size_t entry = 0; entry < ways_.size(); ++entry) {
        const Way& way = ways_[entry];
        const double turns = (time - way.entered) / loop_period_;
        double age = (turns - std::floor(turns)) * loop_period_;
        for (; !way.points.empty() && age < way.points.back().age; age += loop_period_) {
            // Between the two points of the way around that age.
            const auto behind =
                std::upper_bound(way.points.begin(), way.points.end(), age,
                                 [](double wanted, const WayPoint& point) { return wanted < point.age; });
            const WayPoint& a = *(behind - 1);
            const WayPoint& b = *behind;
            const double step = b.age - a.age;
            const WaterVelocity velocity{(b.position.x - a.position.x) / step,
                                         (b.position.y - a.position.y) / step};
            const double turn = 2.0 * std::numbers::pi * unit_double(mix64(way.bits));
            drifters.push_back({moved(a.position, velocity, age - a.age), velocity, age, turn,
                                static_cast<std::int64_t>(entry), way.bits, way.kind,
                                way.lifetime > 0.0 ? 1.0 - age / way.lifetime : 1.0});
        }
    }
    return drifters;
}

}  // namespace thalweg
