#include "thalweg/meander/maps/sweeps.hpp"

#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

constexpr double kFurthest = 4.0;  // widths that a channel moves at most from one record to the next
constexpr double kCell = 1.0;      // mean widths, of the grid in which segments are looked up
constexpr std::int64_t kMostFinderCells = 1 << 22;
constexpr std::int64_t kPointsMatchedTogether = 512;

/// Segments of courses in square cells.
class CourseFinder {
  public:
    explicit CourseFinder(const std::vector<Course>& courses) : courses_(courses) {
        find_bounds();
        count_segments();
    }

    /// The nearest place within `limit` metres, of a segment that heads like (heading_x, heading_y); of
    /// this branch of a delta, unless that is -1.
    [[nodiscard]] CoursePlace nearest(double x, double y, double heading_x, double heading_y, double limit,
                                      std::int64_t branch) const {
        CoursePlace best{.distance = limit};
        const auto rings = static_cast<int>(std::ceil(limit / size_)) + 1;
        const int column = cell(x - west_);
        const int row = cell(y - south_);
        for (int ring = 0; ring <= rings; ++ring) {
            if ((ring - 1) * size_ > best.distance) break;
            for (int r = std::max(0, row - ring); r <= std::min(rows_ - 1, row + ring); ++r) {
                const bool is_whole = r == row - ring || r == row + ring;
                for (int c = column - ring; c <= column + ring; c += is_whole || ring == 0 ? 1 : 2 * ring)
                    if (c >= 0 && c < columns_)
                        look_at(r * columns_ + c, x, y, heading_x, heading_y, branch, best);
            }
        }
        return best;
    }

  private:
    struct Segment {
        std::int32_t course = 0;
        std::int32_t first = 0;
    };

    [[nodiscard]] int cell(double from_edge) const {
        return static_cast<int>(std::floor(std::clamp(from_edge / size_, -1e6, 2e6)));
    }

    void find_bounds() {
        double east = -std::numeric_limits<double>::infinity();
        double north = east;
        west_ = south_ = -east;
        double widths = 0.0;
        std::size_t points = 0;
        for (const Course& course : courses_)
            for (std::size_t i = 0; i < course.size(); ++i) {
                west_ = std::min(west_, course.x[i]);
                east = std::max(east, course.x[i]);
                south_ = std::min(south_, course.y[i]);
                north = std::max(north, course.y[i]);
                widths += course.width[i];
                ++points;
            }
        if (points == 0) return;
        size_ =
            std::max(kCell * widths / static_cast<double>(points),
                     std::sqrt((east - west_) * (north - south_) / static_cast<double>(kMostFinderCells)));
        size_ = std::max(size_, std::max(east - west_, north - south_) / 1e6);
        columns_ = cell(east - west_) + 1;
        rows_ = cell(north - south_) + 1;
    }

    template <class Body>
    void for_each_segment(const Body& body) const {
        for (std::size_t k = 0; k < courses_.size(); ++k) {
            const Course& course = courses_[k];
            for (std::size_t i = 0; i + 1 < course.size(); ++i) {
                const auto [west, east] = std::minmax(course.x[i], course.x[i + 1]);
                const auto [south, north] = std::minmax(course.y[i], course.y[i + 1]);
                for (int r = cell(south - south_); r <= cell(north - south_); ++r)
                    for (int c = cell(west - west_); c <= cell(east - west_); ++c)
                        body(static_cast<std::size_t>(r) * columns_ + c,
                             Segment{static_cast<std::int32_t>(k), static_cast<std::int32_t>(i)});
            }
        }
    }

    void count_segments() {
        first_.assign(static_cast<std::size_t>(columns_) * rows_ + 1, 0);
        for_each_segment([&](std::size_t cell, Segment) { ++first_[cell + 1]; });
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        segments_.resize(first_.back());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for_each_segment([&](std::size_t cell, Segment segment) { segments_[next[cell]++] = segment; });
    }

    void look_at(int cell, double x, double y, double heading_x, double heading_y, std::int64_t branch,
                 CoursePlace& best) const {
        for (std::uint32_t k = first_[cell]; k < first_[cell + 1]; ++k) {
            const Segment segment = segments_[k];
            const Course& course = courses_[segment.course];
            if (branch >= 0 && course.delta_branch != branch) continue;
            const std::int32_t i = segment.first;
            const double dx = course.x[i + 1] - course.x[i];
            const double dy = course.y[i + 1] - course.y[i];
            if (dx * heading_x + dy * heading_y <= 0.0) continue;
            const double share =
                std::clamp(((x - course.x[i]) * dx + (y - course.y[i]) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
            const double px = course.x[i] + share * dx;
            const double py = course.y[i] + share * dy;
            const double distance = std::sqrt((x - px) * (x - px) + (y - py) * (y - py));
            if (distance < best.distance) best = {segment.course, i, share, distance, px, py};
        }
    }

    const std::vector<Course>& courses_;
    double west_ = 0.0, south_ = 0.0, size_ = 1.0;  // m
    int columns_ = 1, rows_ = 1;
    std::vector<std::uint32_t> first_;  // of each cell, in segments_
    std::vector<Segment> segments_;
};

std::vector<std::vector<CoursePlace>> places_on(const std::vector<Course>& courses,
                                                const std::vector<Course>& others) {
    const CourseFinder finder(others);
    std::vector<std::vector<CoursePlace>> places(courses.size());
    std::vector<std::pair<std::int32_t, std::int32_t>> pieces;  // course, first point
    for (std::size_t k = 0; k < courses.size(); ++k) {
        places[k].resize(courses[k].size());
        for (std::int64_t i = 0; i < std::ssize(courses[k].x); i += kPointsMatchedTogether)
            pieces.emplace_back(static_cast<std::int32_t>(k), static_cast<std::int32_t>(i));
    }
    parallel_for(0, std::ssize(pieces), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t piece = begin; piece < end; ++piece) {
            const auto [k, first] = pieces[piece];
            const Course& course = courses[k];
            const std::int64_t last =
                std::min<std::int64_t>(first + kPointsMatchedTogether, std::ssize(course.x));
            for (std::int64_t i = first; i < last; ++i)
                places[k][i] =
                    finder.nearest(course.x[i], course.y[i], course.normal_y[i], -course.normal_x[i],
                                   kFurthest * course.width[i], course.delta_branch);
        }
    });
    return places;
}

/// Whether two places are so close along one course that what lies between them was swept.
bool follow_each_other(const std::vector<Course>& courses, const CoursePlace& a, const CoursePlace& b,
                       double step) {
    if (a.course < 0 || a.course != b.course) return false;
    const Course& course = courses[a.course];
    const double limit = 4.0 * step + 2.0 * (a.distance + b.distance);  // m, empirical
    const double chord = std::hypot(b.x - a.x, b.y - a.y);
    if (chord > limit) return false;
    const auto [low, high] = std::minmax(a.segment, b.segment);
    double along = 0.0;
    for (std::int32_t i = low; i < high; ++i) {
        along += std::hypot(course.x[i + 1] - course.x[i], course.y[i + 1] - course.y[i]);
        if (along > 2.0 * limit) return false;
    }
    return true;
}

}  // namespace

std::vector<SweptPiece> Sweep::pieces() const {
    std::vector<SweptPiece> pieces;
    for (std::size_t k = 0; k < after.size(); ++k)
        for (std::size_t i = 0; i + 1 < after[k].size(); ++i) {
            const double step =
                std::hypot(after[k].x[i + 1] - after[k].x[i], after[k].y[i + 1] - after[k].y[i]);
            if (follow_each_other(before, origins[k][i], origins[k][i + 1], step))
                pieces.push_back({static_cast<std::int32_t>(k), static_cast<std::int32_t>(i), origins[k][i],
                                  origins[k][i + 1]});
        }
    return pieces;
}

Sweep sweep_to_next(const MeanderHistory& history, std::size_t place) {
    const RecordedNetwork& from = history.networks[place];
    const RecordedNetwork& to = history.networks[place + 1];
    Sweep sweep{.before = courses_of(history, from), .after = courses_of(history, to)};
    sweep.channels = sweep.after.size();
    const auto years = std::ranges::lower_bound(history.courses, from.year, std::ranges::less_equal{},
                                                &AbandonedCourse::year);
    for (auto course = years; course != history.courses.end() && course->year <= to.year; ++course)
        if (Course left = course_of(*course); left.size() >= 2) sweep.after.push_back(std::move(left));
    sweep.origins = places_on(sweep.after, sweep.before);
    return sweep;
}

}  // namespace thalweg
