#include "thalweg/meander/metrics/belt_form.hpp"

#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/meander/meander_maps.hpp"
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

/// A stretch of valley.
struct Section {
    Position middle;
    double length = 0.0;  // m
};

std::vector<Section> sections_of(const std::vector<std::vector<Position>>& valleys, double spacing) {
    std::vector<Section> sections;
    for (const std::vector<Position>& valley : valleys)
        for (std::size_t i = 0; i + 1 < valley.size(); ++i) {
            const double dx = valley[i + 1].x - valley[i].x;
            const double dy = valley[i + 1].y - valley[i].y;
            const double length = std::hypot(dx, dy);
            const int pieces = std::max(1, static_cast<int>(std::lround(length / spacing)));
            for (int j = 0; j < pieces && length > 0.0; ++j) {
                const double share = (j + 0.5) / pieces;
                sections.push_back({{valley[i].x + share * dx, valley[i].y + share * dy}, length / pieces});
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

/// Area of the belt by the section that is nearest to each 4 x 4 cells, m^2.
std::vector<double> areas_of(const Field<float>& age, const std::vector<Section>& sections) {
    constexpr int kBlock = 4;  // cells
    std::vector<double> areas(sections.size(), 0.0);
    for (int top = 0; top < age.rows(); top += kBlock)
        for (int left = 0; left < age.columns(); left += kBlock) {
            std::int64_t cells = 0;
            for (int row = top; row < std::min(top + kBlock, age.rows()); ++row)
                for (int column = left; column < std::min(left + kBlock, age.columns()); ++column)
                    cells += is_no_data(age(column, row)) ? 0 : 1;
            if (cells == 0) continue;
            const Position centre{age.grid().x(left + 0.5 * (kBlock - 1)),
                                  age.grid().y(top + 0.5 * (kBlock - 1))};
            const auto nearest = std::ranges::min_element(sections, {}, [&](const Section& section) {
                const double dx = section.middle.x - centre.x;
                const double dy = section.middle.y - centre.y;
                return dx * dx + dy * dy;
            });
            areas[nearest - sections.begin()] += static_cast<double>(cells) * age.grid().cell_area();
        }
    return areas;
}

}  // namespace

BeltForm belt_form(const MeanderHistory& history, const std::vector<std::vector<Position>>& valleys,
                   double width, Progress& progress) {
    BeltForm belt;
    const std::vector<Section> sections = sections_of(valleys, kSection * width);
    if (sections.empty()) return belt;
    const Field<float> age = channel_age(history, belt_grid(history, width), progress);
    const std::vector<double> areas = areas_of(age, sections);
    std::vector<std::pair<double, double>> widths;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        belt.area += areas[i];
        belt.valley_length += sections[i].length;
        widths.emplace_back(areas[i] / sections[i].length, sections[i].length);
    }
    belt.mean_width = belt.area / belt.valley_length;
    belt.p90_width = weighted_quantile(std::move(widths), 0.9);
    return belt;
}

}  // namespace thalweg
