#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/meander/maps/cell_rows.hpp"
#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/meander/maps/sweeps.hpp"
#include "thalweg/meander/meander_maps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace thalweg {
namespace {

/// A triangle over which the year in which a bank passed runs evenly.
struct YearTriangle {
    std::array<CellPoint, 3> corners;
    std::array<double, 3> years;
};

/// What channels have covered, as triangles.
class Coverage {
  public:
    explicit Coverage(const Grid& grid) : grid_(grid), triangles_(grid) {}

    /// A channel from bank to bank.
    void add_channel(const Course& course) {
        for (std::size_t i = 0; i + 1 < course.size(); ++i)
            add_quad(bank(course, i, 1.0), bank(course, i + 1, 1.0), bank(course, i + 1, -1.0),
                     bank(course, i, -1.0), course.year, course.year);
    }

    /// What both banks have passed between two courses. Where the channel is now, add_channel says so.
    void add_piece(const Course& course, const std::vector<Course>& others, const SweptPiece& piece) {
        const Course& other = others[piece.first.course];
        const auto i = static_cast<std::size_t>(piece.point);
        for (const double side : {1.0, -1.0})
            add_quad(bank(other, piece.first, side), bank(other, piece.second, side),
                     bank(course, i + 1, side), bank(course, i, side), other.year, course.year);
    }

    /// Sets cells to the latest year of the triangles over them.
    void write(Field<float>& last) const {
        parallel_for(0, bands_of(grid_), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t band = begin; band < end; ++band) {
                HullScan scan(band_of(grid_, band));
                for (const YearTriangle& triangle : triangles_.in(band)) write(triangle, scan, last);
            }
        });
    }

  private:
    [[nodiscard]] CellPoint bank(const Course& course, std::size_t i, double side) const {
        const double offset = 0.5 * side * course.width[i];
        return cell_point(grid_, course.x[i] + offset * course.normal_x[i],
                          course.y[i] + offset * course.normal_y[i]);
    }

    [[nodiscard]] CellPoint bank(const Course& course, const CoursePlace& place, double side) const {
        const CellPoint a = bank(course, static_cast<std::size_t>(place.segment), side);
        const CellPoint b = bank(course, static_cast<std::size_t>(place.segment) + 1, side);
        return {a.column + place.share * (b.column - a.column), a.row + place.share * (b.row - a.row)};
    }

    void add_quad(CellPoint a, CellPoint b, CellPoint c, CellPoint d, double year_ab, double year_cd) {
        triangles_.add({{a, b, c}, {year_ab, year_ab, year_cd}});
        triangles_.add({{a, c, d}, {year_ab, year_cd, year_cd}});
    }

    static void write(const YearTriangle& triangle, HullScan& scan, Field<float>& last) {
        const CellPoint& a = triangle.corners[0];
        const CellPoint& b = triangle.corners[1];
        const CellPoint& c = triangle.corners[2];
        const double year_a = triangle.years[0];
        const double year_b = triangle.years[1];
        const double year_c = triangle.years[2];
        const double area = (b.column - a.column) * (c.row - a.row) - (c.column - a.column) * (b.row - a.row);
        const double earliest = std::min({year_a, year_b, year_c});
        const double latest = std::max({year_a, year_b, year_c});
        double by_column = 0.0;
        double by_row = 0.0;
        if (std::abs(area) > 1e-9 && latest > earliest) {
            by_column = ((year_b - year_a) * (c.row - a.row) - (year_c - year_a) * (b.row - a.row)) / area;
            by_row = ((year_c - year_a) * (b.column - a.column) - (year_b - year_a) * (c.column - a.column)) /
                     area;
        }
        scan.scan(triangle.corners, [&](int row, int first, int end) {
            for (int column = first; column < end; ++column) {
                const double year = std::clamp(
                    year_a + by_column * (column - a.column) + by_row * (row - a.row), earliest, latest);
                float& here = last(column, row);
                if (!(here >= static_cast<float>(year))) here = static_cast<float>(year);
            }
        });
    }

    const Grid& grid_;
    BandedShapes<YearTriangle> triangles_;
};

}  // namespace

ChannelYears::ChannelYears(const MeanderHistory& history, const Grid& grid) : history_(&history) {
    check_grid(grid);
    check_history(history);
    last_ = Field<float>(grid, kNoData);
}

void ChannelYears::advance(double year, Progress& progress) {
    const std::size_t end = networks_until(*history_, year);
    for (; networks_ < end; ++networks_) {
        progress.poll();
        Coverage coverage(last_.grid());
        if (networks_ == 0) {
            const RecordedNetwork& first = history_->networks.front();
            for (const AbandonedCourse& abandoned : history_->courses)
                if (const Course course = course_of(abandoned);
                    abandoned.year <= first.year && course.size() >= 2)
                    coverage.add_channel(course);
            for (const Course& course : courses_of(*history_, first)) coverage.add_channel(course);
        } else {
            const Sweep sweep = sweep_to_next(*history_, networks_ - 1);
            for (const SweptPiece& piece : sweep.pieces())
                coverage.add_piece(sweep.after[piece.course], sweep.before, piece);
            for (const Course& course : sweep.after) coverage.add_channel(course);
        }
        coverage.write(last_);
    }
}

Field<float> channel_age(const MeanderHistory& history, const Grid& grid, Progress& progress,
                         std::optional<double> year) {
    ChannelYears years(history, grid);
    const std::size_t end = networks_until(history, year.value_or(std::numeric_limits<double>::infinity()));
    if (end == 0) return years.last();
    for (std::size_t i = 0; i < end; ++i) {
        progress.report(static_cast<double>(i) / static_cast<double>(end), "mapping channels");
        years.advance(history.networks[i].year, progress);
    }
    const auto now = static_cast<float>(history.networks[end - 1].year);
    Field<float> age = years.last();
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) age(column, row) = now - age(column, row);
    });
    return age;
}

Field<float> channel_belt(const Field<float>& channel_age) {
    Field<float> belt(channel_age.grid());
    for_each_row(belt.grid(), [&](int row) {
        for (int column = 0; column < belt.columns(); ++column)
            belt(column, row) = is_no_data(channel_age(column, row)) ? 0.0F : 1.0F;
    });
    return belt;
}

}  // namespace thalweg
