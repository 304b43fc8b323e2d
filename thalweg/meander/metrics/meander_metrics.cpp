#include "thalweg/meander/meander_metrics.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/meander/maps/sweeps.hpp"
#include "thalweg/meander/metrics/belt_form.hpp"
#include "thalweg/meander/metrics/bends.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace thalweg {
namespace {

constexpr double kCentury = 100.0;        // yr
constexpr double kReferenceLength = 1e5;  // m
constexpr double kRounding = 1e-9;        // of a window: intervals that end with it lie within it
constexpr double kFormShare = 0.7;        // of the progress; the rest is for belts

/// Pieces of channels that moved.
struct Moves {
    std::vector<std::pair<double, double>> rates;  // m/yr in rising order, with the length of the piece, m
    double area = 0.0;                             // m^2
    double length_years = 0.0;                     // m yr

    void add(const Moves& other) {
        const std::ptrdiff_t known = std::ssize(rates);
        rates.insert(rates.end(), other.rates.begin(), other.rates.end());
        std::inplace_merge(rates.begin(), rates.begin() + known, rates.end());
        area += other.area;
        length_years += other.length_years;
    }

    [[nodiscard]] MigrationRates measured(double years) const {
        if (!(length_years > 0.0)) return {.years = years};
        return {.years = years,
                .length = length_years / years,
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
        of_reach.length_years += length * years;
    }
    for (auto& [reach, of_reach] : moves) std::ranges::sort(of_reach.rates);
    return moves;
}

/// What happened to the channels of one id, or to all.
struct Changes {
    Moves moves;
    double chord_years = 0.0;  // m yr
    std::int64_t cutoffs = 0;

    void add(const Changes& other) {
        moves.add(other.moves);
        chord_years += other.chord_years;
        cutoffs += other.cutoffs;
    }

    [[nodiscard]] double cutoff_rate() const {
        return chord_years > 0.0 ? static_cast<double>(cutoffs) * kCentury * kReferenceLength / chord_years
                                 : 0.0;
    }
};

/// What happened from one record to the next.
struct RecordInterval {
    double start = 0.0;                       // yr
    double end = 0.0;                         // yr
    std::map<std::int64_t, Changes> reaches;  // by id
};

double chord_of(const ChannelForm& form) {
    return form.length / form.sinuosity;
}

/// The form of a network's channels, of which it is the last that is set.
ChannelForm form_of_all(const std::vector<ReachMetrics>& reaches, std::vector<double> wavelengths,
                        std::vector<double> amplitudes) {
    ChannelForm all;
    for (const ReachMetrics& reach : reaches) {
        const ChannelForm& form = reach.channel.form;
        all.length += form.length;
        all.chord += chord_of(form);
        all.valley_length += form.valley_length;
        all.width += form.width * form.length;
        all.bends += form.bends;
    }
    if (all.length > 0.0) all.width /= all.length;
    if (all.chord > 0.0) all.sinuosity = all.length / all.chord;
    all.wavelength = median_of(std::move(wavelengths));
    all.amplitude = median_of(std::move(amplitudes));
    return all;
}

/// The form of all channels of a record; `valleys` are set to their valley lines.
NetworkMetrics form_of(const std::vector<Course>& courses, double year, ValleyLines& valleys) {
    NetworkMetrics network{.year = year, .whole = {}, .reaches = {}};
    std::vector<double> wavelengths;
    std::vector<double> amplitudes;
    for (const Course& course : courses) {
        BendSurvey survey = survey_bends(course);
        for (const Bend& bend : survey.bends) {
            wavelengths.push_back(bend.wavelength);
            amplitudes.push_back(bend.amplitude);
        }
        network.reaches.push_back({.reach = course.reach, .channel = {.form = survey.form, .migration = {}}});
        valleys.push_back(std::move(survey.valley));
    }
    network.whole.form = form_of_all(network.reaches, std::move(wavelengths), std::move(amplitudes));
    return network;
}

/// What happened between the record before `place` and that one, of which the forms are known.
RecordInterval interval_before(const MeanderHistory& history, std::size_t place, const NetworkMetrics& before,
                               const NetworkMetrics& after) {
    RecordInterval interval{.start = before.year, .end = after.year, .reaches = {}};
    const double years = interval.end - interval.start;
    for (auto& [reach, moves] : moves_of(sweep_to_next(history, place - 1), years))
        interval.reaches[reach].moves = std::move(moves);
    // Chords are the mean of both records', and half of one where a reach is new or gone.
    for (const NetworkMetrics* network : {&before, &after})
        for (const ReachMetrics& reach : network->reaches)
            interval.reaches[reach.reach].chord_years += 0.5 * years * chord_of(reach.channel.form);
    for (const AbandonedCourse& course : history.courses)
        if (course.cause == MeanderEventKind::Cutoff && course.year > interval.start &&
            course.year <= interval.end)
            ++interval.reaches[course.reach].cutoffs;
    return interval;
}

/// Intervals that end with the last one, summed.
struct WindowChanges {
    double years = 0.0;
    std::map<std::int64_t, Changes> reaches;  // by id
    Changes whole;
};

/// Those that lie within `window` years, or the last one alone.
WindowChanges changes_within(const std::vector<RecordInterval>& intervals, double window) {
    WindowChanges sum;
    const double end = intervals.back().end;
    const double earliest = end - window * (1.0 + kRounding);
    for (std::size_t i = intervals.size(); i-- > 0;) {
        if (i + 1 < intervals.size() && intervals[i].start < earliest) break;
        sum.years = end - intervals[i].start;
        for (const auto& [reach, changes] : intervals[i].reaches) sum.reaches[reach].add(changes);
    }
    for (const auto& [reach, changes] : sum.reaches) sum.whole.add(changes);
    return sum;
}

void set_rates(const Changes& changes, double years, ChannelMetrics& channel) {
    channel.migration = changes.moves.measured(years);
    channel.cutoff_rate = changes.cutoff_rate();
}

/// Sets the rates of the last network, and its cutoffs by adding to those of the networks before.
void set_changes(const std::vector<RecordInterval>& intervals, double window,
                 std::map<std::int64_t, std::int64_t>& cutoffs, NetworkMetrics& network) {
    const WindowChanges changes = changes_within(intervals, window);
    for (const auto& [reach, latest] : intervals.back().reaches) cutoffs[reach] += latest.cutoffs;
    for (const auto& [reach, count] : cutoffs) network.whole.cutoffs += count;
    set_rates(changes.whole, changes.years, network.whole);
    for (ReachMetrics& reach : network.reaches) {
        set_rates(changes.reaches.at(reach.reach), changes.years, reach.channel);
        if (const auto found = cutoffs.find(reach.reach); found != cutoffs.end())
            reach.channel.cutoffs = found->second;
    }
}

/// Sets the width of the belt in the year of each network. Returns the form of the last.
BeltForm measure_belts(const MeanderHistory& history, const std::vector<ValleyLines>& valleys,
                       std::vector<NetworkMetrics>& networks, Progress& progress) {
    const double width = networks.back().whole.form.width;
    if (!(width > 0.0)) return {};
    BeltSurvey belt(history, width);
    for (std::size_t i = 0; i < networks.size(); ++i) {
        progress.report(static_cast<double>(i) / static_cast<double>(networks.size()), "measuring belts");
        belt.advance(networks[i].year, progress);
        const std::vector<double> areas = belt.areas(valleys[i]);
        double area = 0.0;
        for (std::size_t k = 0; k < areas.size(); ++k) {
            ChannelMetrics& channel = networks[i].reaches[k].channel;
            channel.belt_width = areas[k] / channel.form.valley_length;
            area += areas[k];
        }
        ChannelMetrics& whole = networks[i].whole;
        if (!areas.empty()) whole.belt_width = area / whole.form.valley_length;
    }
    return belt.form(valleys.back());
}

}  // namespace

void MeanderMetricsParameters::declare(Declaration<MeanderMetricsParameters>& d) {
    d.number("metrics_window", &MeanderMetricsParameters::window,
             {.label = "Window of rates",
              .group = "Time",
              .unit = "yr",
              .sentence = "Years before each record over which the metrics' rates of migration and cutoffs "
                          "are means; 0: since the record before.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {10.0, 500.0, SliderScale::Logarithmic}});
}

ReferenceBand natural_wavelengths(double width) {
    constexpr double kLeast = 6.28;
    constexpr double kGreatest = 12.34;
    constexpr double kExponent = 1.12;
    return {.width = width,
            .low = kLeast * width,
            .high = kGreatest * portable_power(width, kExponent),
            .source = kNaturalWavelengths[0].source};
}

MeanderMetrics meander_metrics(const MeanderHistory& history, const MeanderMetricsParameters& parameters,
                               Progress& progress) {
    check_history(history);
    MeanderMetrics metrics{.parameters = parameters, .networks = {}, .migration = {}, .belt = {}};
    std::vector<ValleyLines> valleys;
    std::vector<RecordInterval> intervals;
    std::map<std::int64_t, std::int64_t> cutoffs;  // so far, by reach
    for (const RecordedNetwork& record : history.networks) {
        const std::size_t place = metrics.networks.size();
        progress.report(
            kFormShare * static_cast<double>(place) / static_cast<double>(history.networks.size()),
            "measuring channels");
        NetworkMetrics network = form_of(courses_of(history, record), record.year, valleys.emplace_back());
        if (place > 0) {
            intervals.push_back(interval_before(history, place, metrics.networks.back(), network));
            set_changes(intervals, parameters.window, cutoffs, network);
        }
        metrics.networks.push_back(std::move(network));
    }
    if (metrics.networks.empty()) return metrics;
    if (!intervals.empty()) {
        const WindowChanges all = changes_within(intervals, std::numeric_limits<double>::infinity());
        metrics.migration = all.whole.moves.measured(all.years);
        metrics.cutoff_rate = all.whole.cutoff_rate();
    }
    ProgressPart rest(progress, kFormShare, 1.0);
    metrics.belt = measure_belts(history, valleys, metrics.networks, rest);
    return metrics;
}

}  // namespace thalweg
