#include "thalweg/meander/maps/instants.hpp"

#include "thalweg/meander/maps/sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr double kLongestMove = 0.5;  // widths from one instant to the next
constexpr int kMostInstants = 16;     // between two records: more than four widths are not followed

/// How many instants it takes that nothing moves further.
int instants_of(const Sweep& sweep) {
    double furthest = 0.0;  // widths
    for (std::size_t k = 0; k < sweep.after.size(); ++k)
        for (std::size_t i = 0; i < sweep.after[k].size(); ++i)
            if (const CoursePlace& origin = sweep.origins[k][i]; origin.course >= 0)
                furthest = std::max(furthest, origin.distance / sweep.after[k].width[i]);
    return std::clamp(static_cast<int>(std::ceil(furthest / kLongestMove)), 1, kMostInstants);
}

/// A course in a year between that of its origins and its own.
Course course_between(const Sweep& sweep, std::size_t k, double start, double year) {
    const Course& course = sweep.after[k];
    const double share = course.year > start ? (year - start) / (course.year - start) : 1.0;
    Course between{.reach = course.reach, .year = year};
    for (std::size_t i = 0; i < course.size(); ++i) {
        const CoursePlace& origin = sweep.origins[k][i];
        const bool has_origin = origin.course >= 0;
        const double x = has_origin ? origin.x + share * (course.x[i] - origin.x) : course.x[i];
        const double y = has_origin ? origin.y + share * (course.y[i] - origin.y) : course.y[i];
        if (!between.x.empty() && between.x.back() == x && between.y.back() == y) continue;
        between.x.push_back(x);
        between.y.push_back(y);
        between.width.push_back(course.width[i]);
    }
    if (between.size() >= 2) measure_normals(between);
    return between;
}

}  // namespace

void for_each_instant(const MeanderHistory& history, std::optional<double> year, Progress& progress,
                      const std::function<void(const Instant&)>& body) {
    const std::size_t networks =
        networks_until(history, year.value_or(std::numeric_limits<double>::infinity()));
    for (std::size_t i = 0; i + 1 < networks; ++i) {
        progress.report(static_cast<double>(i) / static_cast<double>(networks), "following channels");
        const double start = history.networks[i].year;
        const double end = history.networks[i + 1].year;
        if (!(end > start)) continue;
        const Sweep sweep = sweep_to_next(history, i);
        const int count = instants_of(sweep);
        for (int j = 0; j < count; ++j) {
            Instant instant{.year = start + (j + 0.5) / count * (end - start),
                            .years = (end - start) / count};
            for (std::size_t k = 0; k < sweep.after.size(); ++k)
                if (sweep.after[k].year > instant.year)
                    if (Course course = course_between(sweep, k, start, instant.year); course.size() >= 2)
                        instant.courses.push_back(std::move(course));
            body(instant);
        }
    }
}

}  // namespace thalweg
