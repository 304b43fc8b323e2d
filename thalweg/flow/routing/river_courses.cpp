#include "thalweg/flow/river_courses.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/depressions/least_cost_flood.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace thalweg {
namespace {

/// Where the water of a cell ends up, as far as that has been asked.
enum class Fate : std::uint8_t { Unknown, AtTheEnd, Elsewhere };

class CourseLeader {
  public:
    CourseLeader(FlowResult& flow, Progress& progress)
        : tree_(flow.tree),
          elevation_(flow.elevation),
          flood_(flow.elevation, progress),
          is_given_(tree_.direction.size(), 0),
          fate_(tree_.direction.size(), Fate::Unknown) {}

    std::int64_t lead(const RiverCourses& courses) {
        for (const CourseCell& course : courses.cells) {
            is_given_[at(course.cell)] = 1;
            tree_.direction[at(course.cell)] = course.direction;
        }
        for (const CourseCell& course : courses.cells) join_sides(course);
        // Ends drain nowhere until their turn comes, so that no way leads in a circle.
        std::vector<std::pair<std::int32_t, std::uint8_t>> ends;
        for (const std::int32_t end : ends_of(courses))
            ends.emplace_back(end, std::exchange(tree_.direction[at(end)], kRoot));
        std::int64_t stays = 0;
        for (const auto& [end, direction] : ends) stays += lead_on(end, direction) ? 0 : 1;
        return stays;
    }

  private:
    /// The cells where courses end that drained on, highest first.
    [[nodiscard]] std::vector<std::int32_t> ends_of(const RiverCourses& courses) const {
        std::vector<std::int32_t> ends;
        for (const CourseCell& course : courses.cells) {
            const std::int32_t next = tree_.receiver(course.cell);
            if (is_given_[at(next)] == 0 && tree_.direction[at(next)] < kRoot) ends.push_back(next);
        }
        std::ranges::sort(ends, [&](std::int32_t a, std::int32_t b) {
            return elevation_[a] != elevation_[b] ? elevation_[a] > elevation_[b] : a < b;
        });
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        return ends;
    }

    void direct(std::int32_t cell, std::int32_t next) {
        tree_.direction[at(cell)] = direction_between(tree_.grid, cell, next);
    }

    /// The two cells between which a diagonal runs.
    [[nodiscard]] std::array<std::int32_t, 2> sides(std::int32_t cell, std::size_t direction) const {
        return {cell + kColumnStep[direction], cell + kRowStep[direction] * tree_.grid.columns};
    }

    /// Water that would cross a course's diagonal joins it at its lower end.
    void join_sides(const CourseCell& course) {
        if (course.direction % 2 == 0) return;
        const auto [a, b] = sides(course.cell, course.direction);
        for (const auto& [side, other] : {std::pair(a, b), std::pair(b, a)})
            if (is_given_[at(side)] == 0 && tree_.receiver(side) == other)
                direct(side, tree_.receiver(course.cell));
    }

    /// Lets the water of an end go on; false where it can't.
    bool lead_on(std::int32_t end, std::uint8_t direction) {
        tree_.direction[at(end)] = direction;
        const std::int32_t next = tree_.receiver(end);
        tree_.direction[at(end)] = kRoot;
        const bool is_free = fate_of(next, end) == Fate::Elsewhere;
        if (is_free) {
            tree_.direction[at(end)] = direction;
        } else {
            std::int32_t exit = path_on(end, false);
            if (exit < 0) exit = path_on(end, true);
            if (exit >= 0)
                flood_.carve(exit, [&](std::int32_t cell, std::uint8_t d) { tree_.direction[at(cell)] = d; });
        }
        forget_fates();
        return tree_.direction[at(end)] != kRoot;
    }

    Fate fate_of(std::int32_t cell, std::int32_t end) {
        const std::size_t first = asked_.size();
        while (cell >= 0 && cell != end && fate_[at(cell)] == Fate::Unknown) {
            asked_.push_back(cell);
            cell = tree_.receiver(cell);
        }
        const Fate fate = cell < 0 ? Fate::Elsewhere : cell == end ? Fate::AtTheEnd : fate_[at(cell)];
        for (std::size_t i = first; i < asked_.size(); ++i) fate_[at(asked_[i])] = fate;
        return fate;
    }

    /// The nearest cell, by the lowest path from `end`, whose water goes elsewhere, -1 where there is none.
    std::int32_t path_on(std::int32_t end, bool may_cross) {
        return flood_.flood(
            end, [&](std::int32_t cell) { return fate_of(cell, end) == Fate::Elsewhere; },
            [&](std::int32_t cell, const auto& reach) {
                if (cell == end || is_given_[at(cell)] == 0 || may_cross)
                    reach_neighbours(cell, may_cross, reach);
            });
    }

    template <class Reach>
    void reach_neighbours(std::int32_t cell, bool may_cross, const Reach& reach) const {
        const Grid& grid = tree_.grid;
        for (std::size_t d = 0; d < 8; ++d) {
            const int column = grid.column_of(cell) + kColumnStep[d], row = grid.row_of(cell) + kRowStep[d];
            if (!grid.contains(column, row)) continue;
            const auto other = static_cast<std::int32_t>(grid.index(column, row));
            if (tree_.direction[at(other)] == kOutside || (!may_cross && crosses_course(cell, d))) continue;
            reach(other, static_cast<int>(d));
        }
    }

    [[nodiscard]] bool crosses_course(std::int32_t cell, std::size_t direction) const {
        if (direction % 2 == 0) return false;
        const auto [a, b] = sides(cell, direction);
        return (is_given_[at(a)] != 0 && tree_.receiver(a) == b) ||
               (is_given_[at(b)] != 0 && tree_.receiver(b) == a);
    }

    void forget_fates() {
        for (const std::int32_t cell : asked_) fate_[at(cell)] = Fate::Unknown;
        asked_.clear();
    }

    FlowTree& tree_;
    const Field<float>& elevation_;
    LeastCostFlood flood_;
    std::vector<std::uint8_t> is_given_;  // per cell: 1 on a course
    std::vector<Fate> fate_;              // per cell: for the present end
    std::vector<std::int32_t> asked_;     // cells whose fate is known
};

}  // namespace

std::int64_t lead_along(const RiverCourses& courses, FlowResult& flow, Progress& progress) {
    if (courses.empty()) return 0;
    const std::int64_t stays = CourseLeader(flow, progress).lead(courses);
    order_tree(flow.tree, progress);
    flow.drainage_area = drainage_area(flow.tree);
    for (auto cell = flow.tree.order.rbegin(); cell != flow.tree.order.rend(); ++cell) {
        const std::int32_t receiver = flow.tree.receiver(*cell);
        if (receiver >= 0)
            flow.elevation[receiver] = std::min(flow.elevation[receiver], flow.elevation[*cell]);
    }
    return stays;
}

}  // namespace thalweg
