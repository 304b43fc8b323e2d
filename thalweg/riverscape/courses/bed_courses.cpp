#include "thalweg/core/error.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/courses/base_line.hpp"
#include "thalweg/riverscape/courses/course_maker.hpp"
#include "thalweg/riverscape/courses/rocks.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include <fmt/format.h>

namespace thalweg {

BedCourses bed_courses(const RiverNetwork& network, const std::vector<RiverStretch>& stretches,
                       const Field<float>& elevation, const BedCourseParameters& parameters,
                       std::uint64_t seed, Progress& progress, const StandingWater* lakes) {
    const std::vector<BaseLine> lines = base_lines(network, elevation, parameters, lakes);
    CourseMaker maker(parameters, seed);
    std::size_t first = 0;
    for (std::size_t reach = 0; reach < lines.size(); ++reach) {
        progress.poll();
        std::size_t last = first;
        while (last < stretches.size() && stretches[last].reach == reach) ++last;
        if (first == last)
            throw Error::input(
                fmt::format("reach {} has no stretch: give those of classify_reaches for this network",
                            network.reaches[reach].id));
        maker.add_reach(lines[reach], std::span(stretches).subspan(first, last - first));
        first = last;
    }
    BedCourses beds = maker.take();
    clear_mouths(beds);
    return beds;
}

double resolution_needed(const BedCourses& courses) {
    double narrowest = std::numeric_limits<double>::infinity();
    for (const BedCourse& course : courses.courses)
        for (const BedCoursePoint& point : course.points) narrowest = std::min(narrowest, point.width);
    return courses.courses.empty() ? 0.0 : 0.25 * narrowest;
}

std::string resolution_note(const BedCourses& courses, const Grid& grid) {
    const double needed = resolution_needed(courses);
    if (courses.courses.empty() || grid.cell_size <= needed) return {};
    return fmt::format("cells of {:.3g} m do not show all beds: the narrowest river needs cells of {:.2g} m",
                       grid.cell_size, needed);
}

}  // namespace thalweg
