#include "thalweg/meander/channel/box_grid.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/meander/channel/line_columns.hpp"

#include <cmath>
#include <limits>

namespace thalweg {
namespace {

PointBox box_of(const ChannelLine& line, std::int32_t place, double least_width, std::int32_t first) {
    PointBox box{.line = place, .first = first};
    box.end = std::min(first + kPointsInBox, static_cast<std::int32_t>(line.size()));
    box.west = box.south = std::numeric_limits<double>::infinity();
    box.east = box.north = -std::numeric_limits<double>::infinity();
    float width = 0.0F;
    const auto last = std::min(box.end, static_cast<std::int32_t>(line.size()) - 1);
    for (std::int32_t i = first; i <= last; ++i) {
        box.west = std::min(box.west, line.x[i]);
        box.east = std::max(box.east, line.x[i]);
        box.south = std::min(box.south, line.y[i]);
        box.north = std::max(box.north, line.y[i]);
        width = std::max(width, line.values.width[i]);
    }
    const double reach = 0.5 * std::max(static_cast<double>(width), least_width);
    box.west -= reach;
    box.east += reach;
    box.south -= reach;
    box.north += reach;
    return box;
}

}  // namespace

std::vector<PointBox> boxes_of(std::span<const ChannelLine* const> lines,
                               std::span<const double> least_widths) {
    std::vector<std::int64_t> first = {0};  // of each line's boxes
    for (const ChannelLine* const line : lines)
        first.push_back(first.back() + (std::ssize(line->x) + kPointsInBox - 1) / kPointsInBox);
    std::vector<PointBox> boxes(first.back());
    parallel_for(0, std::ssize(lines), 1, [&](std::int64_t k, std::int64_t) {
        const auto place = static_cast<std::int32_t>(k);
        std::int32_t point = 0;
        for (std::int64_t box = first[k]; box < first[k + 1]; ++box, point += kPointsInBox)
            boxes[box] = box_of(*lines[k], place, least_widths[k], point);
    });
    return boxes;
}

BoxGrid::BoxGrid(const std::vector<PointBox>& boxes) : boxes_(boxes) {
    choose_cells();
    find_ranges();
    // Count the boxes of each cell; then let each take its place from the end of those.
    first_.assign(cells() + 1, 0);
    for (const CellRange& range : ranges_) for_each_cell(range, [&](std::int64_t cell) { ++first_[cell]; });
    for (std::size_t cell = 1; cell < first_.size(); ++cell) first_[cell] += first_[cell - 1];
    members_.resize(first_.back());
    for (auto box = static_cast<std::int32_t>(ranges_.size()) - 1; box >= 0; --box)
        for_each_cell(ranges_[box], [&](std::int64_t cell) { members_[--first_[cell]] = box; });
}

void BoxGrid::find_ranges() {
    ranges_.reserve(boxes_.size());
    for (const PointBox& box : boxes_)
        ranges_.push_back({.first_column = column(box.west),
                           .last_column = column(box.east),
                           .first_row = row(box.south),
                           .last_row = row(box.north)});
}

void BoxGrid::choose_cells() {
    double east = -std::numeric_limits<double>::infinity();
    double north = east;
    double sides = 0.0;
    west_ = south_ = std::numeric_limits<double>::infinity();
    for (const PointBox& box : boxes_) {
        west_ = std::min(west_, box.west);
        south_ = std::min(south_, box.south);
        east = std::max(east, box.east);
        north = std::max(north, box.north);
        sides += box.east - box.west + box.north - box.south;
    }
    constexpr double kSides = 3.0;      // of mean boxes, in that of a cell (empirical)
    constexpr double kMostCells = 4.0;  // a box
    const auto count = static_cast<double>(boxes_.size());
    per_size_ = 1.0 / std::max(0.5 * kSides * sides / count,
                               std::sqrt((east - west_) * (north - south_) / (kMostCells * count)));
    columns_ = column(east) + 1;
    rows_ = row(north) + 1;
}

}  // namespace thalweg
