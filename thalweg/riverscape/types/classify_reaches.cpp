#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/river/braid_threshold.hpp"
#include "thalweg/river/seam.hpp"
#include "thalweg/riverscape/river_types.hpp"
#include "thalweg/riverscape/types/flood_prone.hpp"
#include "thalweg/riverscape/types/stretches.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kSlopeTolerance = 1.1;     // ratio (empirical: bounds of slope are the sharpest ones)
constexpr double kLeastSlope = 1e-5;        // m/m, below which slopes count as this one
constexpr double kChannelRoom = 1.6;        // widths of ground for a channel and its bars (empirical)
constexpr double kMostTolerances = 3.0;     // as which all larger misfits count (empirical)
constexpr double kAnastomosedPower = 10.0;  // W/m^2 (Nanson and Croke 1992)
constexpr double kAnastomosedRoom = 4.0;    // entrenchment (Rosgen 1994, table 1)

/// How far `value` lies outside a range.
double outside(double value, const TypeRange& range) {
    return std::max({0.0, range.least - value, value - range.most});
}

/// The same of slopes, as the logarithm of their ratio.
double slope_outside(double slope, const TypeRange& range) {
    const double lower = range.least > 0.0 ? portable_log(range.least / slope) : 0.0;
    const double upper = std::isfinite(range.most) ? portable_log(slope / range.most) : 0.0;
    return std::max({0.0, lower, upper});
}

/// The misfit of a stretch to a type, in tolerances.
double misfit_to(const RiverTypeForm& form, const RiverStretch& stretch, bool shows_bends) {
    constexpr double kEntrenchmentTolerance = 0.2;  // Rosgen 1994
    constexpr double kWidthDepthTolerance = 2.0;    // Rosgen 1994
    constexpr double kSinuosityTolerance = 0.2;     // Rosgen 1994
    const double slope = std::max(stretch.slope, kLeastSlope);
    const auto misfit_of = [](double value, const TypeRange& range, double tolerance) {
        return std::min(kMostTolerances, outside(value, range) / tolerance);
    };
    const double entrenchment = misfit_of(stretch.entrenchment, form.entrenchment, kEntrenchmentTolerance);
    const double width_depth = misfit_of(stretch.width_depth, form.width_depth, kWidthDepthTolerance);
    const double sinuosity =
        shows_bends ? misfit_of(stretch.sinuosity, form.sinuosity, kSinuosityTolerance) : 0.0;
    const double steepness = slope_outside(slope, form.slope) / portable_log(kSlopeTolerance);
    return std::sqrt(entrenchment * entrenchment + width_depth * width_depth + sinuosity * sinuosity +
                     steepness * steepness);
}

/// Whether a stretch runs in several channels of type D or DA (river_types.hpp).
bool is_braided(const RiverStretch& stretch, double grain_size) {
    return stretch.specific_power >= braiding_power(grain_size) &&
           stretch.entrenchment >= 2.0 * kChannelRoom && stretch.slope < form_of(RiverType::D).slope.most;
}
bool is_anastomosed(const RiverStretch& stretch) {
    return stretch.specific_power < kAnastomosedPower && stretch.entrenchment >= kAnastomosedRoom &&
           stretch.slope < form_of(RiverType::DA).slope.most;
}

double channels_of(const RiverStretch& stretch) {
    if (stretch.type != RiverType::D && stretch.type != RiverType::DA) return 1.0;
    const bool is_braid = stretch.type == RiverType::D;
    return std::clamp(std::floor(stretch.entrenchment / (is_braid ? 3.0 : 4.0)), 2.0, is_braid ? 6.0 : 4.0);
}

void give_nearest_type(RiverStretch& stretch, double grain_size, bool shows_bends) {
    if (is_braided(stretch, grain_size)) {
        stretch.type = RiverType::D;
    } else if (is_anastomosed(stretch)) {
        stretch.type = RiverType::DA;
    } else {
        double least = std::numeric_limits<double>::infinity();
        for (const RiverTypeForm& form : river_type_forms()) {
            if (form.type == RiverType::D || form.type == RiverType::DA) continue;
            const double misfit = misfit_to(form, stretch, shows_bends);
            if (misfit < least) {
                least = misfit;
                stretch.type = form.type;
            }
        }
    }
    stretch.misfit = misfit_to(form_of(stretch.type), stretch, shows_bends);
}

/// Throws Error::input unless a reach can be classified and carved.
void check_reach(const Reach& reach) {
    for (std::size_t i = 1; i < reach.points.size(); ++i)
        if (reach.points[i].z > reach.points[i - 1].z)
            throw Error::input(fmt::format(
                "reach {} runs uphill from {} m to {} m at ({}, {}): give a network whose beds never rise",
                reach.id, reach.points[i - 1].z, reach.points[i].z, reach.points[i].x, reach.points[i].y));
    if (reach.points.size() < 2)
        throw Error::input(
            fmt::format("reach {} has {} points: give lines of at least 2", reach.id, reach.points.size()));
    if (!(reach.width > 0.0 && reach.depth > 0.0 && reach.velocity > 0.0))
        throw Error::input(
            fmt::format("reach {} has a width of {} m, a depth of {} m and a velocity of {} "
                        "m/s: give rivers with a discharge, so that all three are above 0",
                        reach.id, reach.width, reach.depth, reach.velocity));
    if (!(reach.bankfull_discharge > 0.0 && reach.discharge >= 0.0))
        throw Error::input(fmt::format(
            "reach {} has a bankfull discharge of {} m^3/s and a mean discharge of {} m^3/s: give the "
            "first above 0, and the second, where it is known",
            reach.id, reach.bankfull_discharge, reach.discharge));
}

/// The station at `way` m along a line.
SectionStation station_at(const Reach& reach, const std::vector<double>& along, double way) {
    const auto above = std::upper_bound(along.begin() + 1, along.end() - 1, way);
    const auto i = static_cast<std::size_t>(above - along.begin());
    const RiverPoint& a = reach.points[i - 1];
    const RiverPoint& b = reach.points[i];
    const double length = along[i] - along[i - 1];
    const double share = length > 0.0 ? std::clamp((way - along[i - 1]) / length, 0.0, 1.0) : 0.0;
    SectionStation station{.place = {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)},
                           .bed = a.z + share * (b.z - a.z),
                           .width = reach.width,
                           .depth = reach.depth};
    if (length > 0.0) {
        station.normal_x = -(b.y - a.y) / length;
        station.normal_y = (b.x - a.x) / length;
    }
    return station;
}

double median_entrenchment(const Reach& reach, const std::vector<double>& along,
                           const Field<float>& elevation, const RiverStretch& stretch) {
    constexpr int kMostStations = 25;
    const double length = stretch.to - stretch.from;
    const int stations = std::clamp(static_cast<int>(std::min(length / reach.width, 1e6)), 1, kMostStations);
    std::vector<double> ratios;
    for (int i = 0; i < stations; ++i)
        ratios.push_back(
            flood_prone_width(elevation,
                              station_at(reach, along, stretch.from + length * (i + 0.5) / stations)) /
            reach.width);
    std::ranges::sort(ratios);
    return ratios[ratios.size() / 2];
}

/// Cuts one reach into stretches and measures them.
std::vector<RiverStretch> stretches_of(const Reach& reach, std::size_t place, const Field<float>& elevation,
                                       const RiverTypeParameters& parameters) {
    const std::vector<double> along = ways_along(reach.points);
    const std::vector<std::size_t> breaks = slope_breaks(reach.points, along, parameters.stretch_length);
    const double flow = reach.width * reach.depth * reach.velocity;  // m^3/s, bankfull
    const double spacing = along.back() / static_cast<double>(reach.points.size() - 1);
    std::vector<RiverStretch> stretches;
    for (std::size_t i = 1; i < breaks.size(); ++i) {
        const RiverPoint& first = reach.points[breaks[i - 1]];
        const RiverPoint& last = reach.points[breaks[i]];
        RiverStretch stretch{.reach = place,
                             .from = along[breaks[i - 1]],
                             .to = along[breaks[i]],
                             .width_depth = reach.width / reach.depth,
                             .strahler = reach.strahler};
        const double length = std::max(stretch.to - stretch.from, 1e-9);
        stretch.slope = (first.z - last.z) / length;
        const double chord = distance_between(first, last);
        stretch.sinuosity = chord > 0.0 ? std::max(1.0, length / chord) : 1.0;
        stretch.entrenchment = median_entrenchment(reach, along, elevation, stretch);
        stretch.flood_prone_width = stretch.entrenchment * reach.width;
        stretch.stream_power = std::sqrt(reach.upland_area) * stretch.slope;
        stretch.specific_power =
            potential_stream_power(flow, stretch.slope * stretch.sinuosity, parameters.grain_size);
        give_nearest_type(stretch, parameters.grain_size, spacing < 2.0 * reach.width);
        stretch.channels = channels_of(stretch);
        stretches.push_back(stretch);
    }
    return stretches;
}

/// Whether the slope of a stretch is not far outside of what a type has.
bool may_have(const RiverStretch& stretch, RiverType type) {
    constexpr double kFar = 1.5;  // times the bounds
    const TypeRange& range = form_of(type).slope;
    return stretch.slope <= kFar * range.most && kFar * stretch.slope >= range.least;
}

/// Throws Error::input: no stretch of a reach, of which this is the longest, may have a type.
[[noreturn]] void refuse_type(const RiverStretch& longest, const GivenRiverType& given) {
    const TypeRange& range = form_of(given.type).slope;
    throw Error::input(
        fmt::format("reach {} falls {:.3g} m/m, which is too {} for type {}, with {:.3g} to "
                    "{:.3g} m/m: give another type or leave it out",
                    given.reach, longest.slope, longest.slope > range.most ? "steep" : "level",
                    form_of(given.type).name, range.least, range.most));
}

/// Gives a type to those stretches of a reach that may have it.
void give_type(const GivenRiverType& given, std::span<RiverStretch> of_reach) {
    bool is_given = false;
    for (RiverStretch& stretch : of_reach) {
        if (!may_have(stretch, given.type)) continue;
        is_given = true;
        stretch.type = given.type;
        stretch.is_given = true;
        stretch.misfit = misfit_to(form_of(given.type), stretch, false);
        stretch.channels = channels_of(stretch);
    }
    const auto length = [](const RiverStretch& stretch) { return stretch.to - stretch.from; };
    if (!is_given) refuse_type(*std::ranges::max_element(of_reach, {}, length), given);
}

void give_types(const RiverNetwork& network, const std::vector<GivenRiverType>& types,
                std::vector<RiverStretch>& stretches) {
    for (const GivenRiverType& given : types) {
        const auto is_of_reach = [&](const RiverStretch& stretch) {
            return network.reaches[stretch.reach].id == given.reach;
        };
        const auto first = std::ranges::find_if(stretches, is_of_reach);
        if (first == stretches.end())
            throw Error::input(
                fmt::format("reach_types: there is no reach {}: give an id of the network's {} "
                            "reaches",
                            given.reach, network.reaches.size()));
        give_type(given, {first, std::find_if_not(first, stretches.end(), is_of_reach)});
    }
}

/// Types that the network names and that its reaches have not by themselves, but for reaches of `given`.
std::vector<GivenRiverType> types_of_network(const RiverNetwork& network,
                                             const std::vector<RiverStretch>& stretches,
                                             const std::vector<GivenRiverType>& given) {
    const std::vector<RiverType> own = types_of_reaches(network, stretches);
    std::vector<GivenRiverType> types;
    for (std::size_t i = 0; i < network.reaches.size(); ++i) {
        const Reach& reach = network.reaches[i];
        if (reach.type.empty() || std::ranges::find(given, reach.id, &GivenRiverType::reach) != given.end())
            continue;
        const RiverType type = river_type_of(reach.type);
        if (type != own[i]) types.push_back({.reach = reach.id, .type = type});
    }
    return types;
}

}  // namespace

std::vector<RiverStretch> classify_reaches(const RiverNetwork& network, const Field<float>& elevation,
                                           const RiverTypeParameters& parameters) {
    std::ranges::for_each(network.reaches, check_reach);
    std::vector<RiverStretch> stretches = parallel_concat<RiverStretch>(
        0, std::ssize(network.reaches), 16, [&](std::int64_t first, std::int64_t last) {
            std::vector<RiverStretch> found;
            for (std::int64_t i = first; i < last; ++i) {
                const auto place = static_cast<std::size_t>(i);
                const std::vector<RiverStretch> part =
                    stretches_of(network.reaches[place], place, elevation, parameters);
                found.insert(found.end(), part.begin(), part.end());
            }
            return found;
        });
    give_types(network, types_of_network(network, stretches, parameters.types), stretches);
    give_types(network, parameters.types, stretches);
    return stretches;
}

std::vector<RiverType> types_of_reaches(const RiverNetwork& network,
                                        const std::vector<RiverStretch>& stretches) {
    std::vector<RiverType> types(network.reaches.size(), RiverType::B);
    std::vector<double> longest(network.reaches.size(), 0.0);
    for (const RiverStretch& stretch : stretches) {
        if (stretch.to - stretch.from <= longest[stretch.reach]) continue;
        longest[stretch.reach] = stretch.to - stretch.from;
        types[stretch.reach] = stretch.type;
    }
    return types;
}

}  // namespace thalweg
