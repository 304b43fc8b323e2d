#include "thalweg/meander/channel/box_grid.hpp"

#include <limits>

namespace thalweg {
namespace {

constexpr std::int32_t kPointsInBox = 8;  // (empirical)

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

void add_boxes(const ChannelLine& line, std::int32_t place, double least_width,
               std::vector<PointBox>& boxes) {
    const auto points = static_cast<std::int32_t>(line.size());
    for (std::int32_t first = 0; first < points; first += kPointsInBox)
        boxes.push_back(box_of(line, place, least_width, first));
}

BoxGrid::BoxGrid(const std::vector<PointBox>& boxes) : boxes_(boxes) {
    choose_cells();
    first_.assign(columns_ * rows_ + 1, 0);
    for_each_cell([&](std::size_t cell, std::int32_t) { ++first_[cell + 1]; });
    for (std::size_t cell = 0; cell + 1 < first_.size(); ++cell) first_[cell + 1] += first_[cell];
    members_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for_each_cell([&](std::size_t cell, std::int32_t box) { members_[next[cell]++] = box; });
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
    constexpr double kMostCells = 4.0;  // a box
    const auto count = static_cast<double>(boxes_.size());
    per_size_ = 1.0 / std::max(0.5 * sides / count,
                               std::sqrt((east - west_) * (north - south_) / (kMostCells * count)));
    columns_ = column(east) + 1;
    rows_ = row(north) + 1;
}

}  // namespace thalweg
