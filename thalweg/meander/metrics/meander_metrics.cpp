#include "thalweg/meander/meander_metrics.hpp"

#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/meander/maps/sweeps.hpp"
#include "thalweg/meander/metrics/belt_form.hpp"
#include "thalweg/meander/metrics/bends.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace thalweg {
namespace {

constexpr double kCentury = 100.0;        // yr
constexpr double kReferenceLength = 1e5;  // m

/// Pieces of channels that moved.
struct Moves {
    std::vector<std::pair<double, double>> rates;  // m/yr, with the length of the piece, m
    double area = 0.0;                             // m^2
    double length = 0.0;                           // m
    double length_years = 0.0;                     // m yr

    void add(const Moves& other) {
        rates.insert(rates.end(), other.rates.begin(), other.rates.end());
        area += other.area;
        length += other.length;
        length_years += other.length_years;
    }

    [[nodiscard]] MigrationRates measured(double years) const {
        if (!(length_years > 0.0)) return {.years = years};
        return {.years = years,
                .length = length,
                .mean = area / length_years,
                .median = weighted_quantile(rates, 0.5),
                .p90 = weighted_quantile(rates, 0.9)};
    }
};

/// Area between a piece and where it came from, whether they cross or not.
double area_of(const Course& course, const SweptPiece& piece) {
    const auto i = static_cast<std::size_t>(piece.point);
    const double dx = course.x[i + 1] - course.x[i];
    const double dy = course.y[i + 1] - course.y[i];
    const double length = std::hypot(dx, dy);
    const auto offset = [&](const CoursePlace& place, std::size_t point) {
        return ((place.x - course.x[point]) * -dy + (place.y - course.y[point]) * dx) / length;
    };
    const double a = offset(piece.first, i);
    const double b = offset(piece.second, i + 1);
    const double mean =
        a * b >= 0.0 ? 0.5 * std::abs(a + b) : 0.5 * (a * a + b * b) / (std::abs(a) + std::abs(b));
    const double origin_length = std::hypot(piece.second.x - piece.first.x, piece.second.y - piece.first.y);
    return mean * 0.5 * (length + origin_length);
}

/// By reach.
std::map<std::int64_t, Moves> moves_of(const Sweep& sweep, double years) {
    std::map<std::int64_t, Moves> moves;
    if (!(years > 0.0)) return moves;
    for (const SweptPiece& piece : sweep.pieces()) {
        if (static_cast<std::size_t>(piece.course) >= sweep.channels) continue;
        const Course& course = sweep.after[piece.course];
        const auto i = static_cast<std::size_t>(piece.point);
        const double length = std::hypot(course.x[i + 1] - course.x[i], course.y[i + 1] - course.y[i]);
        Moves& of_reach = moves[course.reach];
        of_reach.rates.emplace_back(0.5 * (piece.first.distance + piece.second.distance) / years, length);
        of_reach.area += area_of(course, piece);
        of_reach.length += length;
        of_reach.length_years += length * years;
    }
    return moves;
}

/// What is added up over the years.
struct Totals {
    Moves moves;
    double chord_years = 0.0;  // m yr, of all channels
    std::int64_t cutoffs = 0;
};

std::int64_t cutoffs_between(const MeanderHistory& history, double after, double until) {
    return std::ranges::count_if(history.courses, [&](const AbandonedCourse& course) {
        return course.cause == MeanderEventKind::Cutoff && course.year > after && course.year <= until;
    });
}

double per_century(std::int64_t cutoffs, double chord_years) {
    return chord_years > 0.0 ? static_cast<double>(cutoffs) * kCentury * kReferenceLength / chord_years : 0.0;
}

/// The form of all channels of a record; `valleys` are set to their valley lines.
NetworkForm form_of(const std::vector<Course>& courses, double year,
                    std::vector<std::vector<Position>>& valleys) {
    NetworkForm network{.year = year, .reaches = {}, .migration = {}};
    valleys.clear();
    std::vector<double> wavelengths;
    std::vector<double> amplitudes;
    for (const Course& course : courses) {
        BendSurvey survey = survey_bends(course);
        network.length += survey.form.length;
        network.bends += survey.form.bends;
        network.chords += survey.form.length / survey.form.sinuosity;
        for (const Bend& bend : survey.bends) {
            wavelengths.push_back(bend.wavelength);
            amplitudes.push_back(bend.amplitude);
        }
        network.reaches.push_back({.reach = course.reach, .form = survey.form, .migration = {}});
        valleys.push_back(std::move(survey.valley));
    }
    if (network.chords > 0.0) network.sinuosity = network.length / network.chords;
    network.wavelength = median_of(std::move(wavelengths));
    network.amplitude = median_of(std::move(amplitudes));
    return network;
}

/// How a network came from the one before.
void follow(const MeanderHistory& history, std::size_t place, double chords_before, NetworkForm& network,
            Totals& totals) {
    const double start = history.networks[place - 1].year;
    const double years = network.year - start;
    const std::map<std::int64_t, Moves> moves = moves_of(sweep_to_next(history, place - 1), years);
    Moves all;
    for (ReachForm& reach : network.reaches)
        if (const auto found = moves.find(reach.reach); found != moves.end()) {
            reach.migration = found->second.measured(years);
            all.add(found->second);
        }
    network.migration = all.measured(years);
    const double chord_years = 0.5 * (chords_before + network.chords) * years;
    const std::int64_t cutoffs = cutoffs_between(history, start, network.year);
    network.cutoff_rate = per_century(cutoffs, chord_years);
    totals.moves.add(all);
    totals.chord_years += chord_years;
    totals.cutoffs += cutoffs;
}

}  // namespace

MeanderMetrics meander_metrics(const MeanderHistory& history, Progress& progress) {
    check_history(history);
    MeanderMetrics metrics;
    Totals totals;
    std::vector<std::vector<Position>> valleys;
    for (std::size_t i = 0; i < history.networks.size(); ++i) {
        progress.report(0.7 * static_cast<double>(i) / static_cast<double>(history.networks.size()),
                        "measuring channels");
        NetworkForm network =
            form_of(courses_of(history, history.networks[i]), history.networks[i].year, valleys);
        if (i > 0) follow(history, i, metrics.networks.back().chords, network, totals);
        metrics.networks.push_back(std::move(network));
    }
    if (metrics.networks.empty()) return metrics;
    metrics.migration = totals.moves.measured(metrics.networks.back().year - metrics.networks.front().year);
    metrics.cutoff_rate = per_century(totals.cutoffs, totals.chord_years);
    double width = 0.0;  // m, mean over length
    for (const ReachForm& reach : metrics.networks.back().reaches)
        width += reach.form.width * reach.form.length / metrics.networks.back().length;
    ProgressPart rest(progress, 0.7, 1.0);
    if (width > 0.0) metrics.belt = belt_form(history, valleys, width, rest);
    return metrics;
}

}  // namespace thalweg
