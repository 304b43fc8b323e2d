#include "thalweg/flow/lake_sources.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/place.hpp"

#include <string>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kMostVolume = 1e18;  // m^3: no sum of it and of kMostRunoff overflows

std::int64_t cell_of(const LakeSource& source, const std::string& name, const Field<float>& elevation) {
    if (!(source.volume > 0.0 && source.volume <= kMostVolume))
        throw Error::input(fmt::format("{} has a volume of {} m^3: give more than 0 and at most {} m^3", name,
                                       source.volume, kMostVolume));
    return cell_with_data_at(source.x, source.y, elevation, name);
}

}  // namespace

void LakeSource::declare(Declaration<LakeSource>& d) {
    d.number("x", &LakeSource::x,
             {.label = "Easting", .unit = "m", .sentence = "Where the water enters, to the east."});
    d.number("y", &LakeSource::y,
             {.label = "Northing", .unit = "m", .sentence = "Where the water enters, to the north."});
    d.number("volume", &LakeSource::volume,
             {.label = "Volume",
              .unit = "m^3",
              .sentence = "Water that enters there in all: discharge times the time that it lasts.",
              .minimum = 0.0,
              .maximum = kMostVolume,
              .usual = {1e3, 1e12, SliderScale::Logarithmic},
              .minimum_excluded = true});
}

std::vector<std::int64_t> cells_of_sources(std::span<const LakeSource> sources,
                                           const Field<float>& elevation) {
    std::vector<std::int64_t> cells;
    cells.reserve(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i)
        cells.push_back(cell_of(
            sources[i], fmt::format("lake source {} at ({}, {}) m", i + 1, sources[i].x, sources[i].y),
            elevation));
    return cells;
}

}  // namespace thalweg
