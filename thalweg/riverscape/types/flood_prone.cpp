#include "thalweg/riverscape/types/flood_prone.hpp"

#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

/// Ground `offset` m to the left of the line; the bed where there is no data.
double ground_beside(const Field<float>& elevation, const SectionStation& station, double offset) {
    const float ground = sample_bilinear(elevation, {.x = station.place.x + offset * station.normal_x,
                                                     .y = station.place.y + offset * station.normal_y});
    return is_no_data(ground) ? station.bed : static_cast<double>(ground);
}

/// How far the ground on one side (1 left, -1 right) stays below `level`, m.
double flooded_beside(const Field<float>& elevation, const SectionStation& station, double level,
                      double side) {
    constexpr double kStep = 0.25;  // widths
    const double most = kSectionReach * station.width;
    const double step = kStep * station.width;
    double before = station.bed;
    for (double offset = step; offset <= most; offset += step) {
        const double ground = ground_beside(elevation, station, side * offset);
        // Ground that the bed lies in may be higher on the first step: water stands there anyway.
        if (ground > level) {
            const double share =
                ground > before ? std::clamp((level - before) / (ground - before), 0.0, 1.0) : 0.0;
            return offset - step + share * step;
        }
        before = ground;
    }
    return most;
}

}  // namespace

double bankfull_level(const Field<float>& elevation, const SectionStation& station) {
    const double ground = std::min(ground_beside(elevation, station, station.width),
                                   ground_beside(elevation, station, -station.width));
    return std::clamp(ground, station.bed, station.bed + station.depth);
}

double flood_prone_width(const Field<float>& elevation, const SectionStation& station) {
    const double level = bankfull_level(elevation, station) + station.depth;
    return std::max(station.width, flooded_beside(elevation, station, level, 1.0) +
                                       flooded_beside(elevation, station, level, -1.0));
}

}  // namespace thalweg
