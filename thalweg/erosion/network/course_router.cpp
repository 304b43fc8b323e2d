#include "thalweg/erosion/network/course_router.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/depressions/least_cost_flood.hpp"
#include "thalweg/flow/graph/linked_cells.hpp"

#include <algorithm>
#include <array>

namespace thalweg {
namespace {

class CourseRouter {
  public:
    CourseRouter(const Field<float>& elevation, const Lattice& lattice, std::vector<std::uint8_t>& direction,
                 Progress& progress)
        : lattice_(lattice),
          steps_(lattice.index_steps()),
          direction_(direction),
          flood_(elevation, progress),
          is_given_(direction.size(), 0) {}

    std::vector<std::int32_t> follow(const RiverCourses& courses) {
        for (const CourseCell& course : courses.cells) give(course.cell, course.direction);
        // An end drains nowhere until its turn comes, whatever the terrain says.
        for (const std::int32_t end : courses.ends) give(end, kPit);
        for (const std::int32_t end : courses.ends) lead_on(end);
        return std::move(given_);
    }

  private:
    void give(std::int32_t cell, std::uint8_t direction) {
        if (is_given_[at(cell)] == 0) given_.push_back(cell);
        is_given_[at(cell)] = 1;
        direction_[at(cell)] = direction;
    }

    template <class Visit>
    void for_neighbours(std::int32_t cell, const Visit& visit) const {
        for_each_linked(lattice_, steps_, cell, visit);
    }

    void lead_on(std::int32_t end) {
        is_own_ = course_to(end);
        std::sort(is_own_.begin(), is_own_.end());
        std::int32_t exit = path_on(end, false);
        if (exit < 0) exit = path_on(end, true);
        if (exit < 0) return give(end, kRoot);
        flood_.carve(exit, [&](std::int32_t cell, std::uint8_t direction) { give(cell, direction); });
    }

    /// The cells whose directions lead to `end`, itself included.
    [[nodiscard]] std::vector<std::int32_t> course_to(std::int32_t end) const {
        std::vector<std::int32_t> cells = {end};
        for (std::size_t i = 0; i < cells.size(); ++i)
            for_neighbours(cells[i], [&](std::int32_t other, int d) {
                if (is_given_[at(other)] != 0 && direction_[at(other)] == opposite(d)) cells.push_back(other);
            });
        return cells;
    }

    /// The lowest way from `end` leads to this root or course other than its own river, which the way crosses
    /// only if it may; -1 where there is none.
    std::int32_t path_on(std::int32_t end, bool may_cross) {
        const auto is_own = [&](std::int32_t cell) {
            return std::binary_search(is_own_.begin(), is_own_.end(), cell);
        };
        return flood_.flood(
            end,
            [&](std::int32_t cell) {
                return direction_[at(cell)] == kRoot || (is_given_[at(cell)] != 0 && !is_own(cell));
            },
            [&](std::int32_t cell, const auto& reach) {
                if (cell != end && !may_cross && is_own(cell)) return;
                for_neighbours(cell, [&](std::int32_t other, int d) {
                    if (direction_[at(other)] != kOutside) reach(other, d);
                });
            });
    }

    const Lattice& lattice_;
    std::array<std::int32_t, 8> steps_;
    std::vector<std::uint8_t>& direction_;
    LeastCostFlood flood_;
    std::vector<std::uint8_t> is_given_;  // per cell: 1 where its direction is given
    std::vector<std::int32_t> given_;     // those cells
    std::vector<std::int32_t> is_own_;    // cells of the end's own river, ascending
};

}  // namespace

std::vector<std::int32_t> follow_courses(const RiverCourses& courses, const Field<float>& elevation,
                                         const Lattice& lattice, std::vector<std::uint8_t>& direction,
                                         Progress& progress) {
    return CourseRouter(elevation, lattice, direction, progress).follow(courses);
}

}  // namespace thalweg
