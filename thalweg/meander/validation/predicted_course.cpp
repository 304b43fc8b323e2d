#include "thalweg/meander/validation/predicted_course.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/meander/channel/channel_migration.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kFewestSteps = 8.0;
constexpr double kMostSteps = 400.0;
constexpr double kStepWidths = 0.25;  // of migration in a step
constexpr int kStepsPerResampling = 4;

/// Where the whole numbers up to `count` stand in a column that never falls.
std::vector<double> places_of_numbers(const std::vector<double>& column, std::size_t count) {
    std::vector<double> places(count);
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double number = static_cast<double>(i);
        while (at + 2 < column.size() && column[at + 1] <= number) ++at;
        const double step = column[at + 1] - column[at];
        const double share = step > 0.0 ? (number - column[at]) / step : 0.0;
        places[i] = static_cast<double>(at) + std::clamp(share, 0.0, 1.0);
    }
    return places;
}

double spacing_of(const ChannelLine& line) {
    return length_of(line) / static_cast<double>(line.size() - 1);
}

}  // namespace

MatchedCourse predicted_course(const ChannelLine& line, const MigrationParameters& law, double years,
                               double spacing, double width, double fastest) {
    // The bed carries along which point of `line` a place was: it is linear between points.
    ChannelLine moved = line;
    for (std::size_t i = 0; i < moved.size(); ++i) moved.z[i] = static_cast<double>(i);
    moved = resampled(moved, spacing);
    const double wanted = std::ceil(years * fastest / (kStepWidths * width));
    const int steps = static_cast<int>(std::clamp(wanted, kFewestSteps, kMostSteps));
    ChannelMigration migration(law);
    std::vector<float> mobility;
    for (int step = 0; step < steps; ++step) {
        poll_cancelled();
        if (step % kStepsPerResampling == 0) {
            if (step > 0) moved = resampled(moved, spacing);
            mobility.assign(moved.size(), 1.0F);
            mobility.front() = mobility.back() = 0.0F;
        }
        migration.step(moved, mobility, 0.0, years / steps);
    }
    moved = resampled(moved, spacing);
    std::vector<double> match = places_of_numbers(moved.z, line.size());
    return {std::move(moved), std::move(match)};
}

std::vector<double> swept_rates(const ChannelLine& before, const MatchedCourse& course, double years) {
    const std::vector<double> x = values_at(course.line.x, course.match);
    const std::vector<double> y = values_at(course.line.y, course.match);
    const double spacing = spacing_of(before), course_spacing = spacing_of(course.line);
    const std::size_t n = before.size();
    std::vector<double> rates(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t from = i > 0 ? i - 1 : 0, to = std::min(i + 1, n - 1);
        // Diagonals of the quadrangle.
        const double ax = x[to] - before.x[from], ay = y[to] - before.y[from];
        const double bx = x[from] - before.x[to], by = y[from] - before.y[to];
        const double length = 0.5 * (spacing * static_cast<double>(to - from) +
                                     course_spacing * (course.match[to] - course.match[from]));
        rates[i] = -0.5 * (ax * by - ay * bx) / (length * years);
    }
    return rates;
}

std::vector<double> values_at(const std::vector<double>& values, const std::vector<double>& match) {
    std::vector<double> found(match.size());
    for (std::size_t i = 0; i < match.size(); ++i) {
        const std::size_t at = std::min(static_cast<std::size_t>(match[i]), values.size() - 2);
        found[i] = values[at] + (match[i] - static_cast<double>(at)) * (values[at + 1] - values[at]);
    }
    return found;
}

}  // namespace thalweg
