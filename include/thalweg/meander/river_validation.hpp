// Migration of a river between two surveys, beside that which the law of migration predicts.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/meander/channel_line.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

/// What is known besides two surveyed centrelines.
struct RiverValidationParameters {
    double years = 0.0;             // yr, from the earlier survey to the later one
    double depth = 0.0;             // m, where the river has its median width; 0: that which fits best
    double sinuosity_window = 0.0;  // channel widths; 0: the whole channel

    static void declare(Declaration<RiverValidationParameters>& declaration);
};

/// Predicted against observed rates with one depth, and with the k that fits best by least squares through 0.
struct RateFit {
    double depth = 0.0;        // m, where the river has its median width
    double rate = 0.0;         // k, m/yr
    double correlation = 0.0;  // Pearson's r of predicted and observed rates, 1
};

/// Points of the earlier line from the one to the other, both included, that nothing on the later line
/// corresponds to, or (not is_cutoff) beside which the later line has a course that the earlier had not.
struct ExcludedStretch {
    std::size_t first = 0;
    std::size_t last = 0;
    bool is_cutoff = true;

    bool operator==(const ExcludedStretch&) const = default;
};

/// Both lines where both were surveyed, and rates of migration at the points of the earlier one.
struct RiverValidation {
    ChannelLine before;  // smoothed, in even steps; its depth is that of `fit`
    ChannelLine after;
    double width = 0.0;                 // m, median of both
    std::vector<double> distance;       // m, along the earlier line
    std::vector<double> match;          // the later line's point that corresponds, in points from its first
    std::vector<double> observed;       // m/yr, to the right, smoothed
    std::vector<double> predicted;      // m/yr, likewise, by `fit`
    std::vector<std::uint8_t> is_used;  // whether the point counts
    std::vector<ExcludedStretch> excluded;

    RateFit fit;               // by the depth that is asked for, or the best
    RateFit width_fit;         // by the depth that follows from the width (river/hydraulics.hpp)
    RateFit best_fit;          // by the depth of the highest correlation
    RateFit start_fit;         // by the depth of `fit` and rates of the earlier line as it was surveyed
    RateFit mean_fit;          // likewise by the mean of the rates of both lines at points that match
    double slowed_rate = 0.0;  // m/yr: k of `fit` times the mean of sinuosity^(-2/3)
    double lag = 0.0;          // m, of observed migration behind curvature, downstream; negative: before it
    double before_lag = 0.0;   // m, behind the curvature of the earlier line alone
    double shifted_rms = 0.0;  // of the correlations with predictions moved along the river, 1
    double shifted_greatest = 0.0;   // the greatest of their absolute values, 1
    std::vector<std::string> notes;  // what was done to the lines, and what is doubtful
};

/// Compares observed with predicted migration between two surveyed centrelines of one river. Lengths are
/// counted in widths w, the median of both lines, so that large and small rivers are treated alike:
///
///   lines      in steps of w / 8; smoothed by Gauss kernels of standard deviations w / 2 and w that leave
///              bends of 10 w nearly as they are (twicing: 2 G - G G); widths averaged by one of 5 w
///   match      monotone along both lines, with the least sum of (distance / w)^2 + 4 (1 - cos angle) over
///              both (symmetric dynamic time warping: Sakoe and Chiba 1978), each pair once for each line's
///              step; within 5 w of the best match of points that are w apart
///   excluded   stretches of the earlier line over twice as long as what they match on the later one
///              (cutoffs), and of the later line over four times as long, by more than 2 w in all; 5 w before
///              and after them, and 5 w at the ends
///   observed   area between the lines over their mean length and the years, which is the mean distance
///              along the normal; to the right, seen downstream, positive
///   predicted  likewise, between the earlier line and where the law takes that over the years, step by step
///              (migration.hpp); depth follows width^(1/1.41); the later line gives k and depth alone
///   both       averaged along the earlier line by a Gauss kernel of standard deviation w
///
/// docs/theory/river_validation.md tells why, what each step gains, and how far to trust the figures. A later
/// line that runs the other way is turned round, repeated points are dropped, and both are cut to what they
/// share; `notes` tell. O(points x steps of time + (length / w)^2) time, and as many bytes; same bits at any
/// number of threads; polls.
///
/// Throws Error::input for years or a depth that is not allowed, lines of fewer than 10 points or 40 w, or of
/// more than 12 000 w, values that are not finite, widths that are not greater than 0, coordinates in
/// degrees, and lines of two places.
///
/// Example:
///     const auto correlation = [&](const ChannelLine& before, const ChannelLine& after) {
///         return validate_river(before, after, {.years = 30.0}, progress).fit.correlation;
///     };
RiverValidation validate_river(const ChannelLine& before, const ChannelLine& after,
                               const RiverValidationParameters& parameters, Progress& progress);

/// Throws Error::input for a line that validate_river refuses whatever the other is.
void check_surveyed_line(const ChannelLine& line);

/// One number of a validation.
struct ValidationFigure {
    const char* name;     // with its unit: "lag_m"
    const char* meaning;  // a few words: "lag of migration behind curvature"
    const char* unit;     // "1" for plain numbers
    double value;
    int decimals;  // that are worth showing
};

/// All numbers, in the order in which they are shown. O(points log points).
std::vector<ValidationFigure> figures_of(const RiverValidation& validation);

}  // namespace thalweg
