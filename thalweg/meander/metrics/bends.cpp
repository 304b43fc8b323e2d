#include "thalweg/meander/metrics/bends.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

constexpr double kLeastTurn = 0.35;  // radians from inflection to inflection: less is no bend (empirical)
constexpr std::ptrdiff_t kSmoothing = 2;  // inflections to both sides over which the valley line is smoothed

/// A stretch of one sense of turning.
struct Turn {
    double angle = 0.0;  // radians, to the left
    double start = 0.0;  // in points along the course
};

/// Stretches between the changes of sign of the smoothed curvature.
std::vector<Turn> turns_of(const Course& course) {
    const std::vector<double> bends = bends_of(course);
    std::vector<Turn> turns;
    for (std::size_t i = 0; i + 1 < bends.size(); ++i) {
        const double step = std::hypot(course.x[i + 1] - course.x[i], course.y[i + 1] - course.y[i]);
        const double angle = 0.5 * (bends[i] + bends[i + 1]) / course.width[i] * step;
        if (turns.empty()) turns.push_back({0.0, 0.0});
        const bool changes = (bends[i] < 0.0) != (bends[i + 1] < 0.0);
        turns.back().angle += angle;
        if (changes) turns.push_back({0.0, static_cast<double>(i) + bends[i] / (bends[i] - bends[i + 1])});
    }
    return turns;
}

/// Lets turns that are no bends go over into their neighbours, the slightest first.
void join_slight_turns(std::vector<Turn>& turns) {
    while (turns.size() > 1) {
        const auto slightest =
            std::ranges::min_element(turns, {}, [](const Turn& t) { return std::abs(t.angle); });
        if (std::abs(slightest->angle) >= kLeastTurn) return;
        const auto at = slightest - turns.begin();
        if (at == 0) {
            turns[1].angle += turns[0].angle;
            turns[1].start = turns[0].start;
            turns.erase(turns.begin());
        } else {
            turns[at - 1].angle += turns[at].angle;
            if (at + 1 < std::ssize(turns)) turns[at - 1].angle += turns[at + 1].angle;
            turns.erase(turns.begin() + at, turns.begin() + std::min(at + 2, std::ssize(turns)));
        }
    }
}

Position place_at(const Course& course, double point) {
    const auto i = std::min(static_cast<std::size_t>(point), course.size() - 2);
    const double share = point - static_cast<double>(i);
    return {course.x[i] + share * (course.x[i + 1] - course.x[i]),
            course.y[i] + share * (course.y[i + 1] - course.y[i])};
}

double distance_of(Position a, Position b) {
    return std::hypot(b.x - a.x, b.y - a.y);
}

double distance_from_segment(Position p, Position a, Position b) {
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double squared = dx * dx + dy * dy;
    const double share =
        squared > 0.0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / squared, 0.0, 1.0) : 0.0;
    return std::hypot(p.x - a.x - share * dx, p.y - a.y - share * dy);
}

/// Middles between inflections, each the mean of some around it, and both ends of the course.
std::vector<Position> valley_line(const Course& course, const std::vector<Position>& inflections) {
    std::vector<Position> middles;
    for (std::size_t i = 0; i + 1 < inflections.size(); ++i)
        middles.push_back({0.5 * (inflections[i].x + inflections[i + 1].x),
                           0.5 * (inflections[i].y + inflections[i + 1].y)});
    std::vector<Position> valley = {{course.x.front(), course.y.front()}};
    const auto count = std::ssize(middles);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const std::ptrdiff_t reach = std::min({kSmoothing, i, count - 1 - i});
        Position mean;
        for (std::ptrdiff_t j = i - reach; j <= i + reach; ++j) {
            mean.x += middles[j].x / static_cast<double>(2 * reach + 1);
            mean.y += middles[j].y / static_cast<double>(2 * reach + 1);
        }
        valley.push_back(mean);
    }
    valley.push_back({course.x.back(), course.y.back()});
    return valley;
}

/// Greatest distance of a bend's points from the valley line near it; `bend` is also the place of its middle
/// among the valley's points, less one.
double amplitude_of(const Course& course, const std::vector<Position>& valley, std::size_t bend,
                    std::pair<double, double> inflections) {
    const std::size_t first = bend < 2 ? 0 : bend - 2;
    const std::size_t last = std::min(bend + 4, valley.size() - 1);
    double amplitude = 0.0;
    for (auto i = static_cast<std::size_t>(std::ceil(inflections.first));
         i <= static_cast<std::size_t>(inflections.second); ++i) {
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t j = first; j < last; ++j)
            nearest = std::min(nearest,
                               distance_from_segment({course.x[i], course.y[i]}, valley[j], valley[j + 1]));
        amplitude = std::max(amplitude, nearest);
    }
    return amplitude;
}

Course course_of(const ChannelLine& line) {
    return course_of(AbandonedCourse{.id = 0, .reach = 0, .year = 0.0, .line = line});
}

}  // namespace

double weighted_quantile(const std::vector<std::pair<double, double>>& values_and_weights, double share) {
    double sum = 0.0;
    for (const auto& [value, weight] : values_and_weights) sum += weight;
    double below = 0.0;
    for (const auto& [value, weight] : values_and_weights) {
        below += weight;
        if (below >= share * sum) return value;
    }
    return 0.0;
}

double median_of(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

BendSurvey survey_bends(const Course& course) {
    BendSurvey survey;
    ChannelForm& form = survey.form;
    for (std::size_t i = 0; i < course.size(); ++i)
        form.width += course.width[i] / static_cast<double>(course.size());
    if (course.size() < 2) return survey;
    for (std::size_t i = 0; i + 1 < course.size(); ++i)
        form.length += std::hypot(course.x[i + 1] - course.x[i], course.y[i + 1] - course.y[i]);
    form.chord = std::hypot(course.x.back() - course.x.front(), course.y.back() - course.y.front());
    form.sinuosity = form.chord > 0.0 ? std::max(1.0, form.length / form.chord) : 1.0;

    std::vector<Turn> turns = turns_of(course);
    join_slight_turns(turns);
    std::vector<Position> inflections;
    for (std::size_t i = 1; i < turns.size(); ++i) inflections.push_back(place_at(course, turns[i].start));
    survey.valley = valley_line(course, inflections);
    for (std::size_t i = 0; i + 1 < survey.valley.size(); ++i)
        form.valley_length += distance_of(survey.valley[i], survey.valley[i + 1]);
    std::vector<double> wavelengths;
    std::vector<double> amplitudes;
    for (std::size_t i = 0; i + 1 < inflections.size(); ++i) {
        const Bend bend{
            .wavelength = 2.0 * distance_of(inflections[i], inflections[i + 1]),
            .amplitude = amplitude_of(course, survey.valley, i, {turns[i + 1].start, turns[i + 2].start})};
        wavelengths.push_back(bend.wavelength);
        amplitudes.push_back(bend.amplitude);
        survey.bends.push_back(bend);
    }
    form.bends = std::ssize(survey.bends);
    form.wavelength = median_of(std::move(wavelengths));
    form.amplitude = median_of(std::move(amplitudes));
    return survey;
}

ChannelForm channel_form(const ChannelLine& line) {
    return survey_bends(course_of(line)).form;
}

}  // namespace thalweg
