#include "thalweg/meander/ground/belt.hpp"

#include "thalweg/grid/rows.hpp"
#include "thalweg/meander/maps/channel_strips.hpp"
#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/meander/maps/instants.hpp"

#include <algorithm>

namespace thalweg {

Field<float> levelled_share(const MeanderHistory& history, const Grid& grid, Progress& progress) {
    constexpr float kBank = 0.5F;  // widths
    Field<float> nearest(grid, kBeltReach);
    ChannelStrips strips(grid, kBeltReach);
    const auto come_near = [&](const std::vector<Course>& courses) {
        strips.for_each_cell(courses, [&](std::int64_t cell, const NearestChannel& channel) {
            nearest[cell] = std::min(nearest[cell], channel.distance);
        });
    };
    for_each_instant(history, {}, progress, [&](const Instant& instant) { come_near(instant.courses); });
    // Instants lie between records: add the first and the last, and what was left before them.
    for (const std::size_t place : {std::size_t{0}, history.networks.size() - 1})
        if (place < history.networks.size()) come_near(courses_of(history, history.networks[place]));
    std::vector<Course> left;
    for (const AbandonedCourse& abandoned : history.courses)
        if (Course course = course_of(abandoned); course.size() >= 2) left.push_back(std::move(course));
    come_near(left);
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            float& here = nearest(column, row);
            const float rest = std::clamp((kBeltReach - here) / (kBeltReach - kBank), 0.0F, 1.0F);
            here = rest * rest * (3.0F - 2.0F * rest);
        }
    });
    return nearest;
}

}  // namespace thalweg
