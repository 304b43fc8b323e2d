#include "thalweg/meander/metrics/belt_form.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/meander/metrics/bends.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

constexpr double kCellsAcross = 4.0;  // of a channel
constexpr double kMostCellsAside = 2048.0;
constexpr double kSection = 8.0;  // widths of valley
constexpr int kFineBlock = 4;     // cells whose belt goes to one section
constexpr int kCoarseBlock = 16;  // likewise, where it goes to one valley

/// A stretch of valley.
struct Section {
    Position middle;
    double length = 0.0;     // m
    std::size_t valley = 0;  // its number
};

std::vector<Section> sections_of(const ValleyLines& valleys, double spacing) {
    std::vector<Section> sections;
    for (std::size_t number = 0; number < valleys.size(); ++number) {
        const std::vector<Position>& valley = valleys[number];
        for (std::size_t i = 0; i + 1 < valley.size(); ++i) {
            const double dx = valley[i + 1].x - valley[i].x;
            const double dy = valley[i + 1].y - valley[i].y;
            const double length = std::hypot(dx, dy);
            const int pieces = std::max(1, static_cast<int>(std::lround(length / spacing)));
            for (int j = 0; j < pieces && length > 0.0; ++j) {
                const double share = (j + 0.5) / pieces;
                sections.push_back(
                    {{valley[i].x + share * dx, valley[i].y + share * dy}, length / pieces, number});
            }
        }
    }
    return sections;
}

/// Square cells over all that is recorded, and a width around it.
Grid belt_grid(const MeanderHistory& history, double width) {
    double west = std::numeric_limits<double>::infinity();
    double south = west;
    double east = -west;
    double north = -west;
    const auto add = [&](double x, double y) {
        west = std::min(west, x);
        east = std::max(east, x);
        south = std::min(south, y);
        north = std::max(north, y);
    };
    double widest = width;
    for (const RecordedNetwork& network : history.networks)
        for (const Course& course : courses_of(history, network))
            for (std::size_t i = 0; i < course.size(); ++i) {
                add(course.x[i], course.y[i]);
                widest = std::max(widest, course.width[i]);
            }
    for (const AbandonedCourse& abandoned : history.courses)
        for (std::size_t i = 0; i < abandoned.line.size(); ++i) add(abandoned.line.x[i], abandoned.line.y[i]);
    Grid grid{.west = west - widest, .north = north + widest};
    const double span_x = east - west + 2.0 * widest;
    const double span_y = north - south + 2.0 * widest;
    grid.cell_size = std::max(width / kCellsAcross, std::max(span_x, span_y) / kMostCellsAside);
    grid.columns = static_cast<int>(std::ceil(span_x / grid.cell_size));
    grid.rows = static_cast<int>(std::ceil(span_y / grid.cell_size));
    return grid;
}

/// Cells of the belt within a block, whose upper left one is given.
std::int64_t belt_cells(const Field<float>& last, int left, int top, int block) {
    std::int64_t cells = 0;
    for (int row = top; row < std::min(top + block, last.rows()); ++row)
        for (int column = left; column < std::min(left + block, last.columns()); ++column)
            cells += is_no_data(last(column, row)) ? 0 : 1;
    return cells;
}

/// Cells of the belt by the section that is nearest to each block of cells.
std::vector<std::int64_t> cells_of(const Field<float>& last, const std::vector<Section>& sections,
                                   int block) {
    using Cells = std::vector<std::int64_t>;
    const auto of_rows = [&](std::int64_t first, std::int64_t end) {
        Cells found(sections.size(), 0);
        for (auto top = static_cast<int>(first) * block; top < static_cast<int>(end) * block; top += block)
            for (int left = 0; left < last.columns(); left += block) {
                const std::int64_t cells = belt_cells(last, left, top, block);
                if (cells == 0) continue;
                const Position centre{last.grid().x(left + 0.5 * (block - 1)),
                                      last.grid().y(top + 0.5 * (block - 1))};
                const auto nearest = std::ranges::min_element(sections, {}, [&](const Section& section) {
                    const double dx = section.middle.x - centre.x;
                    const double dy = section.middle.y - centre.y;
                    return dx * dx + dy * dy;
                });
                found[nearest - sections.begin()] += cells;
            }
        return found;
    };
    const std::int64_t rows_of_blocks = (last.rows() + block - 1) / block;
    return parallel_reduce(0, rows_of_blocks, 8, Cells(sections.size(), 0), of_rows,
                           [](Cells sum, const Cells& part) {
                               for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
                               return sum;
                           });
}

}  // namespace

BeltSurvey::BeltSurvey(const MeanderHistory& history, double width)
    : width_(width), years_(history, belt_grid(history, width)) {
}

std::vector<double> BeltSurvey::areas(const ValleyLines& valleys) const {
    const std::vector<Section> sections = sections_of(valleys, kSection * width_);
    std::vector<double> areas(valleys.size(), 0.0);
    if (sections.empty()) return areas;
    const std::vector<std::int64_t> cells = cells_of(years_.last(), sections, kCoarseBlock);
    for (std::size_t i = 0; i < sections.size(); ++i)
        areas[sections[i].valley] += static_cast<double>(cells[i]) * years_.last().grid().cell_area();
    return areas;
}

BeltForm BeltSurvey::form(const ValleyLines& valleys) const {
    BeltForm belt;
    const std::vector<Section> sections = sections_of(valleys, kSection * width_);
    if (sections.empty()) return belt;
    const std::vector<std::int64_t> cells = cells_of(years_.last(), sections, kFineBlock);
    std::vector<std::pair<double, double>> widths;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const double area = static_cast<double>(cells[i]) * years_.last().grid().cell_area();
        belt.area += area;
        belt.valley_length += sections[i].length;
        widths.emplace_back(area / sections[i].length, sections[i].length);
    }
    belt.mean_width = belt.area / belt.valley_length;
    std::ranges::sort(widths);
    belt.p90_width = weighted_quantile(widths, 0.9);
    return belt;
}

}  // namespace thalweg
