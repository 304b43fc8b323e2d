// Distances from channels, within strips along them.
#pragma once

#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/meander/maps/cell_rows.hpp"
#include "thalweg/meander/maps/courses.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace thalweg {

/// The nearest place of any channel, as a cell sees it.
struct NearestChannel {
    float distance = std::numeric_limits<float>::infinity();  // widths there, from the middle
    float inside = 0.0F;  // w kappa there, positive on the inner bank of its bend
};

/// The nearest channels of the cells in strips of `radius` widths to both sides of all courses. Keeps what it
/// works with from one set of courses to the next.
class ChannelStrips {
  public:
    ChannelStrips(const Grid& grid, double radius);

    /// Calls body(cell, nearest) once for each cell within a strip, rows in any order and on any thread.
    template <class Body>
    void for_each_cell(const std::vector<Course>& courses, const Body& body) {
        lay_out(courses);
        parallel_for(0, bands_of(nearest_.grid()), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t band = begin; band < end; ++band) {
                const CellRange range = band_of(nearest_.grid(), band);
                fill(band, range);
                for (int row = range.first_row; row < range.end_row; ++row)
                    for (int column = touched_[row].first; column < touched_[row].end; ++column) {
                        NearestChannel& nearest = nearest_(column, row);
                        if (nearest.distance <= radius_) body(nearest_.grid().index(column, row), nearest);
                        nearest = NearestChannel();
                    }
            }
        });
    }

  private:
    /// A segment and the corners of its strip.
    struct Strip {
        CellPoint from;
        CellPoint to;
        double width[2];  // cells
        float bend[2];    // w kappa
        std::array<CellPoint, 4> corners;
    };
    struct Touched {
        int first = 0;
        int end = 0;
    };

    void lay_out(const std::vector<Course>& courses);
    void add_strips(const Course& course);
    void fill(std::int64_t band, const CellRange& range);
    void measure(const Strip& strip, int row, int first, int end);

    double radius_;  // widths
    Field<NearestChannel> nearest_;
    std::vector<Touched> touched_;  // columns of each row
    BandedShapes<Strip> strips_;
};

}  // namespace thalweg
