#include "thalweg/core/error.hpp"
#include "thalweg/grid/sampling.hpp"
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

std::string deep_cut_note(const BedCourses& courses, const Field<float>& elevation) {
    constexpr double kDeep = 10.0;  // m
    constexpr double kOwnDepths = 3.0;
    double length = 0.0;   // m
    double deepest = 0.0;  // m
    const BedCourse* in = nullptr;
    const BedCoursePoint* at = nullptr;
    for (const BedCourse& course : courses.courses)
        for (std::size_t i = 0; i + 1 < course.points.size(); ++i) {
            const BedCoursePoint& point = course.points[i];
            const float ground = sample_bilinear(elevation, {point.x, point.y});
            const double cut = is_no_data(ground) ? 0.0 : static_cast<double>(ground) - point.bed;
            if (cut <= std::max(kDeep, kOwnDepths * (point.water - point.bed))) continue;
            length += course.points[i + 1].distance - point.distance;
            if (cut <= deepest) continue;
            deepest = cut;
            in = &course;
            at = &point;
        }
    if (at == nullptr) return {};
    return fmt::format(
        "beds are cut up to {:.3g} m below the ground, at ({:.1f}, {:.1f}) in reach {}, and more than {} m "
        "over {:.2f} km of channels, as behind dams: give terrain or a network in which rivers run on the "
        "ground",
        deepest, at->x, at->y, in->reach, kDeep, 1e-3 * length);
}

}  // namespace thalweg
