// The line of a reach in even steps, with the water that stands along it.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/river/network.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/courses/lake_there.hpp"

#include <cstddef>
#include <vector>

namespace thalweg {

/// A lake on a line: its points from `first` to `last`, and those below its outlet that are level with it.
struct LakeOnLine {
    std::size_t first = 0;
    std::size_t last = 0;
    double level = 0.0;  // m
};

/// A reach in steps of a third of its width and less.
struct BaseLine {
    const Reach* reach = nullptr;
    double flow = 0.0;                   // m^3/s, bankfull
    double step = 0.0;                   // m
    bool can_show_bends = true;          // whether the network's own points lie less than a width apart
    std::vector<double> x = {};          // m
    std::vector<double> y = {};          // m
    std::vector<double> normal_x = {};   // 1, of the line smoothed over two widths to each side; to the left
    std::vector<double> normal_y = {};   // 1
    std::vector<double> level = {};      // m, of the water
    std::vector<double> width = {};      // m, goes over from the reach above
    std::vector<LakeOnLine> lakes = {};  // downstream
    double level_from_first = 0.0;       // m along the line on which the water stays level, from its begin
    double level_to_last = 0.0;          // m, up to its end

    [[nodiscard]] std::size_t size() const { return x.size(); }
    [[nodiscard]] double length() const { return step * static_cast<double>(size() - 1); }
};

/// Means of `values` over `half` neighbours to each side, fewer near the ends, which keep their values. What
/// never rises, never rises afterwards.
std::vector<double> smoothed_along(const std::vector<double>& values, std::size_t half);

/// The lines of all reaches, with levels that never rise downstream and agree where reaches meet, and widths
/// that agree with those of the widest reach above. Where reaches join or part, the water of each is level
/// for one and a half widths of the widest one: there they stand on each other. In lakes, and for as long
/// below them, it has their level. `lakes` may be null. O(points); parallel.
std::vector<BaseLine> base_lines(const RiverNetwork& network, const Field<float>& elevation,
                                 const BedCourseParameters& parameters, const StandingWater* lakes);

/// Linear value of `values`, which stand in even steps, at `place` steps from the first.
double value_along(const std::vector<double>& values, double place);

}  // namespace thalweg
