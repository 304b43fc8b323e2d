#include "thalweg/meander/maps/channel_strips.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

/// Where a strip ends at a point: across the course, so far that all within `reach` metres of either segment
/// is inside. Strips of segments that follow each other share it.
struct Crossing {
    CellPoint left;
    CellPoint right;
};

constexpr double kLongestMitre = 1.5;  // times the reach; sharper corners are cut

Crossing crossing_at(const Grid& grid, const Course& course, std::size_t i, double reach) {
    const std::size_t j = i + 1 < course.size() ? i : i - 1;
    const double dx = course.x[j + 1] - course.x[j];
    const double dy = course.y[j + 1] - course.y[j];
    const double length = std::sqrt(dx * dx + dy * dy);
    const double cosine = (course.normal_y[i] * dx - course.normal_x[i] * dy) / length;
    const double mitre = reach / std::max(cosine, 1.0 / kLongestMitre);
    // Ends are round, and a strip ends beyond them.
    const double beyond = i == 0 ? -reach : i + 1 == course.size() ? reach : 0.0;
    const double x = course.x[i] + beyond * course.normal_y[i];
    const double y = course.y[i] - beyond * course.normal_x[i];
    return {cell_point(grid, x + mitre * course.normal_x[i], y + mitre * course.normal_y[i]),
            cell_point(grid, x - mitre * course.normal_x[i], y - mitre * course.normal_y[i])};
}

}  // namespace

ChannelStrips::ChannelStrips(const Grid& grid, double radius)
    : radius_(radius), nearest_(grid), touched_(static_cast<std::size_t>(grid.rows)), strips_(grid) {
}

void ChannelStrips::lay_out(const std::vector<Course>& courses) {
    strips_.clear();
    for (const Course& course : courses) add_strips(course);
}

void ChannelStrips::add_strips(const Course& course) {
    const Grid& grid = nearest_.grid();
    const std::vector<double> bends = bends_of(course);
    Crossing before = crossing_at(grid, course, 0, radius_ * course.width[0]);
    for (std::size_t i = 0; i + 1 < course.size(); ++i) {
        const Crossing after = crossing_at(grid, course, i + 1, radius_ * course.width[i + 1]);
        const std::array<CellPoint, 4> corners = {before.left, before.right, after.left, after.right};
        before = after;
        strips_.add({.from = cell_point(grid, course.x[i], course.y[i]),
                     .to = cell_point(grid, course.x[i + 1], course.y[i + 1]),
                     .width = {course.width[i] / grid.cell_size, course.width[i + 1] / grid.cell_size},
                     .bend = {static_cast<float>(bends[i]), static_cast<float>(bends[i + 1])},
                     .corners = corners});
    }
}

void ChannelStrips::fill(std::int64_t band, const CellRange& range) {
    HullScan scan(range);
    for (int row = range.first_row; row < range.end_row; ++row) touched_[row] = {range.end_column, 0};
    for (const Strip& strip : strips_.in(band))
        scan.scan(strip.corners, [&](int row, int first, int end) { measure(strip, row, first, end); });
}

void ChannelStrips::measure(const Strip& strip, int row, int first, int end) {
    touched_[row] = {std::min(touched_[row].first, first), std::max(touched_[row].end, end)};
    const double dc = strip.to.column - strip.from.column;
    const double dr = strip.to.row - strip.from.row;
    const double squared = dc * dc + dr * dr;
    const double across_row = row - strip.from.row;
    NearestChannel* const cells = &nearest_(0, row);
    for (int column = first; column < end; ++column) {
        const double across_column = column - strip.from.column;
        const double share = std::clamp((across_column * dc + across_row * dr) / squared, 0.0, 1.0);
        const double off_column = across_column - share * dc;
        const double off_row = across_row - share * dr;
        const double width = strip.width[0] + share * (strip.width[1] - strip.width[0]);
        const auto distance =
            static_cast<float>(std::sqrt(off_column * off_column + off_row * off_row) / width);
        if (!(distance < cells[column].distance)) continue;
        const float bend = strip.bend[0] + static_cast<float>(share) * (strip.bend[1] - strip.bend[0]);
        // Rows run south: left of the way there is what is right of it on paper.
        const bool is_left = dc * off_row - dr * off_column < 0.0;
        cells[column] = {distance, is_left ? bend : -bend};
    }
}

}  // namespace thalweg
