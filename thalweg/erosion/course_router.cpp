#include "thalweg/erosion/course_router.hpp"

#include "thalweg/core/index.hpp"

#include <algorithm>
#include <array>

namespace thalweg {
namespace {

constexpr std::int64_t kPopsPerPoll = 1 << 16;
constexpr std::uint8_t kUnset = 255;   // way back of a cell that no flood has reached
constexpr std::uint8_t kSource = 254;  // way back of the end from which the flood comes

/// A flooded cell that waits.
struct Waiting {
    float elevation;        // m
    std::int32_t sequence;  // how many were reached before it
    std::int32_t cell;

    /// Lowest first; of equal ones the first that was reached.
    bool operator<(const Waiting& other) const {
        return elevation != other.elevation ? elevation > other.elevation : sequence > other.sequence;
    }
};

class CourseRouter {
  public:
    CourseRouter(const Field<float>& elevation, const Lattice& lattice, std::vector<std::uint8_t>& direction,
                 Progress& progress)
        : elevation_(elevation),
          lattice_(lattice),
          steps_(lattice.index_steps()),
          direction_(direction),
          progress_(progress),
          is_given_(direction.size(), 0),
          way_back_(direction.size(), kUnset) {}

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
        const std::uint8_t links =
            lattice_.links_inside(lattice_.grid.column_of(cell), lattice_.grid.row_of(cell));
        for (std::size_t d = 0; d < 8; ++d)
            if ((links >> d & 1) != 0) visit(cell + steps_[d], static_cast<int>(d));
    }

    void lead_on(std::int32_t end) {
        const std::vector<std::int32_t> own = course_to(end);
        std::int32_t exit = flood(end, own, false);
        if (exit < 0) exit = flood(end, own, true);
        if (exit < 0) {
            give(end, kRoot);
        } else {
            carve(exit);
        }
        clear();
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

    /// Floods from `end` up to a root or a course other than `own`, which the flood crosses only if it may.
    std::int32_t flood(std::int32_t end, const std::vector<std::int32_t>& own, bool may_cross) {
        clear();
        is_own_ = own;
        std::sort(is_own_.begin(), is_own_.end());
        push(end, kSource);
        while (!waiting_.empty()) {
            if (++pops_ % kPopsPerPoll == 0) progress_.poll();
            std::pop_heap(waiting_.begin(), waiting_.end());
            const std::int32_t cell = waiting_.back().cell;
            waiting_.pop_back();
            const bool is_own = cell == end || std::binary_search(is_own_.begin(), is_own_.end(), cell);
            if (direction_[at(cell)] == kRoot || (is_given_[at(cell)] != 0 && !is_own)) return cell;
            if (is_own && cell != end && !may_cross) continue;
            for_neighbours(cell, [&](std::int32_t other, int d) {
                if (direction_[at(other)] != kOutside && way_back_[at(other)] == kUnset)
                    push(other, static_cast<std::uint8_t>(opposite(d)));
            });
        }
        return -1;
    }

    void push(std::int32_t cell, std::uint8_t way_back) {
        way_back_[at(cell)] = way_back;
        flooded_.push_back(cell);
        waiting_.push_back({elevation_[cell], static_cast<std::int32_t>(flooded_.size()), cell});
        std::push_heap(waiting_.begin(), waiting_.end());
    }

    /// Turns the way from the flood's end to `exit` towards `exit`.
    void carve(std::int32_t exit) {
        for (std::int32_t cell = exit; way_back_[at(cell)] != kSource;) {
            const std::uint8_t back = way_back_[at(cell)];
            cell += steps_[back];
            give(cell, static_cast<std::uint8_t>(opposite(back)));
        }
    }

    void clear() {
        for (const std::int32_t cell : flooded_) way_back_[at(cell)] = kUnset;
        flooded_.clear();
        waiting_.clear();
        is_own_.clear();
    }

    const Field<float>& elevation_;
    const Lattice& lattice_;
    std::array<std::int32_t, 8> steps_;
    std::vector<std::uint8_t>& direction_;
    Progress& progress_;
    std::vector<std::uint8_t> is_given_;  // per cell: 1 where its direction is given
    std::vector<std::int32_t> given_;     // those cells
    std::vector<std::uint8_t> way_back_;  // per cell: direction towards the end of the present flood
    std::vector<std::int32_t> flooded_;
    std::vector<std::int32_t> is_own_;  // cells of the end's own river, ascending
    std::vector<Waiting> waiting_;
    std::int64_t pops_ = 0;
};

}  // namespace

std::vector<std::int32_t> follow_courses(const RiverCourses& courses, const Field<float>& elevation,
                                         const Lattice& lattice, std::vector<std::uint8_t>& direction,
                                         Progress& progress) {
    return CourseRouter(elevation, lattice, direction, progress).follow(courses);
}

}  // namespace thalweg
