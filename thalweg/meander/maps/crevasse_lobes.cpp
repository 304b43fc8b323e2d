#include "thalweg/meander/maps/crevasse_lobes.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/river/hydraulics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace thalweg {
namespace {

constexpr double kThickness = 0.3;  // of the channel's depth, on the bank (empirical)
constexpr double kSpread = 0.5;     // of lengths and thicknesses about their means (empirical)
constexpr double kDownstream = 25.0 * std::numbers::pi / 180.0;  // from the way out, that water turns
constexpr double kTurn = 20.0 * std::numbers::pi / 180.0;        // to either side of that (empirical)

/// Where a bank is, and its outer side.
struct BurstPlace {
    double width = 0.0;  // m
    double out_x = 0.0;  // unit vector from the channel
    double out_y = 0.0;
    double down_x = 0.0;  // along it
    double down_y = 0.0;
};

std::optional<BurstPlace> burst_place(const std::vector<Course>& courses, const MeanderEvent& event) {
    const Course* nearest = nullptr;
    std::size_t point = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const Course& course : courses) {
        if (course.reach != event.reach) continue;
        for (std::size_t i = 0; i < course.size(); ++i) {
            const double distance = std::hypot(course.x[i] - event.x, course.y[i] - event.y);
            if (distance >= least) continue;
            least = distance;
            nearest = &course;
            point = i;
        }
    }
    if (nearest == nullptr) return std::nullopt;
    const double outer = bends_of(*nearest)[point] > 0.0 ? -1.0 : 1.0;  // 1: left
    const double left_x = nearest->normal_x[point];
    const double left_y = nearest->normal_y[point];
    return BurstPlace{.width = nearest->width[point],
                      .out_x = outer * left_x,
                      .out_y = outer * left_y,
                      .down_x = left_y,
                      .down_y = -left_x};
}

/// Even draws in [0, 1) of a place and a year.
double burst_draw(const MeanderEvent& event, std::uint64_t number) {
    constexpr std::uint64_t kLobe = 21;  // purpose, among those of Stream::Meander
    const std::uint64_t place =
        mix64(std::bit_cast<std::uint64_t>(event.x)) ^ std::bit_cast<std::uint64_t>(event.y);
    return unit_double(random_bits(std::bit_cast<std::uint64_t>(event.year), Stream::Meander,
                                   static_cast<std::uint64_t>(event.reach), place, kLobe + (number << 8)));
}

CrevasseLobe lobe_of(const MeanderEvent& event, const BurstPlace& place, double length_in_widths) {
    const auto spread = [&](std::uint64_t number) {
        return 1.0 + kSpread * (2.0 * burst_draw(event, number) - 1.0);
    };
    const double turn = kDownstream + kTurn * (2.0 * burst_draw(event, 0) - 1.0);
    return {.year = event.year,
            .x = event.x + 0.5 * place.width * place.out_x,
            .y = event.y + 0.5 * place.width * place.out_y,
            .way_x = std::cos(turn) * place.out_x + std::sin(turn) * place.down_x,
            .way_y = std::cos(turn) * place.out_y + std::sin(turn) * place.down_y,
            .length = length_in_widths * place.width * spread(1),
            .thickness = kThickness * depth_of_width(place.width) * spread(2),
            .phases = {2.0 * std::numbers::pi * burst_draw(event, 3),
                       2.0 * std::numbers::pi * burst_draw(event, 4)}};
}

}  // namespace

double CrevasseLobe::thickness_at(Position place) const {
    const double dx = place.x - x;
    const double dy = place.y - y;
    const double distance = std::sqrt(dx * dx + dy * dy);
    const double along = dx * way_x + dy * way_y;
    if (!(along > 0.0) || distance >= length) return distance == 0.0 ? thickness : 0.0;
    const double cosine = along / distance;
    const double angle = std::atan2(way_x * dy - way_y * dx, along);
    const double edge =
        (1.0 + 0.2 * std::sin(3.0 * angle + phases[0]) + 0.15 * std::sin(5.0 * angle + phases[1])) / 1.35;
    const double u = distance / (length * cosine * std::sqrt(cosine) * edge);
    return u < 1.0 ? thickness * (1.0 - u) * (1.0 - u) * (1.0 + 2.0 * u) : 0.0;
}

void CrevasseLobe::lay_down(Field<float>& deposit) const {
    const Grid& grid = deposit.grid();
    const auto within = [](double cell, int end) {
        return static_cast<int>(std::clamp(std::ceil(cell), 0.0, static_cast<double>(end)));
    };
    const int end_row = within(grid.row_at(y - length), grid.rows);
    const int end_column = within(grid.column_at(x + length), grid.columns);
    for (int row = within(grid.row_at(y + length), grid.rows); row < end_row; ++row)
        for (int column = within(grid.column_at(x - length), grid.columns); column < end_column; ++column)
            deposit(column, row) += static_cast<float>(thickness_at(grid.centre(column, row)));
}

std::vector<CrevasseLobe> crevasse_lobes(const MeanderHistory& history, double year,
                                         const MeanderMapParameters& parameters) {
    std::vector<CrevasseLobe> lobes;
    if (!(parameters.lobe_length > 0.0) || history.networks.empty()) return lobes;
    std::vector<Course> courses;
    std::size_t known = history.networks.size();  // the record that `courses` are of; none yet
    for (const MeanderEvent& event : history.events) {
        if (event.kind != MeanderEventKind::Crevasse || event.year > year) continue;
        const std::size_t before = networks_until(history, event.year);
        const std::size_t record = before > 0 ? before - 1 : 0;
        if (record != known) courses = courses_of(history, history.networks[record]);
        known = record;
        if (const auto place = burst_place(courses, event); place)
            lobes.push_back(lobe_of(event, *place, parameters.lobe_length));
    }
    return lobes;
}

}  // namespace thalweg
