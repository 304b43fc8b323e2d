#include "thalweg/erosion/slope_classes.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 15;

}  // namespace

void SlopeClass::declare(Declaration<SlopeClass>& d) {
    d.number("area", &SlopeClass::area,
             {.label = "Drainage area",
              .unit = "m^2",
              .sentence = "Drainage area above which the class holds, up to the next class; 0 for the first.",
              .minimum = 0.0,
              .maximum = 1e15,
              .usual = {0.0, 1e8}});
    d.number("slope", &SlopeClass::slope,
             {.label = "Slope",
              .unit = "m/m",
              .sentence = "Slope of what drains that much.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {1e-4, 1.0, SliderScale::Logarithmic},
              .minimum_excluded = true});
}

void check_slope_classes(const std::vector<SlopeClass>& classes) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const double before = i == 0 ? 0.0 : classes[i - 1].area;
        const double area = classes[i].area;
        if (i == 0 && area != 0.0)
            throw Error::input(fmt::format(
                "the first slope class begins at {} m^2: give 0 m^2, so that all ground has one", area));
        if (i > 0 && !(area > before && std::isfinite(area)))
            throw Error::input(
                fmt::format("slope class {} begins at {} m^2: give more than the {} m^2 of the "
                            "class before",
                            i + 1, area, before));
        if (!(classes[i].slope > 0.0 && std::isfinite(classes[i].slope)))
            throw Error::input(fmt::format("slope class {} has a slope of {}: give more than 0 m/m", i + 1,
                                           classes[i].slope));
    }
}

void prescribed_slopes(const std::vector<SlopeClass>& classes, std::span<const float> area,
                       std::span<float> slope) {
    parallel_for(0, static_cast<std::int64_t>(area.size()), kCellsPerTask,
                 [&](std::int64_t first, std::int64_t last) {
                     for (std::int64_t cell = first; cell < last; ++cell) {
                         std::size_t here = 0;
                         while (here + 1 < classes.size() &&
                                static_cast<double>(area[at(cell)]) > classes[here + 1].area)
                             ++here;
                         slope[at(cell)] = static_cast<float>(classes[here].slope);
                     }
                 });
}

}  // namespace thalweg
