// By which numbers wandering rivers are compared, with each other and with real ones.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/meander/channel_line.hpp"
#include "thalweg/meander/meander_history.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// The form of one channel. A bend lies between two inflections, where the curvature, smoothed over two
/// widths along the line, changes its sign; turns of less than 0.35 between two of them are no bends. Bends
/// at the ends, which have one inflection, do not count.
struct ChannelForm {
    double length = 0.0;  // m
    double chord = 0.0;   // m, from end to end
    double valley_length =
        0.0;                 // m, along the valley line: through the middles between inflections, smoothed
    double width = 0.0;      // m, mean
    double sinuosity = 1.0;  // length over chord, at least 1
    std::int64_t bends = 0;
    double wavelength =
        0.0;  // m, of a full wave: twice the median distance between inflections; 0 without bends
    double amplitude = 0.0;  // m, median of the bends' greatest distance from the valley line
};

/// The same as columns of a line. Sources: Langbein and Leopold 1966; Williams 1986; sinuosity as in Paris et
/// al. 2023, eq. 3. Differs in: the paper's table 3 calls the spacing of inflections a wavelength, but gives
/// bands (below) that are those of two spacings. O(points).
///
/// Example:
///     const std::vector<RiverPoint> points = {{0.0, 0.0, 9.0}, {500.0, 40.0, 8.0}, {1000.0, 0.0, 7.0}};
///     const double sinuosity = channel_form(channel_line(points, 100.0, 3.3, 80.0)).sinuosity;
ChannelForm channel_form(const ChannelLine& line);

/// Over which time rates are means.
struct MeanderMetricsParameters {
    double window = 50.0;  // yr before each record, in whole intervals; 0: since the record before

    static void declare(Declaration<MeanderMetricsParameters>& declaration);
};

/// How channels moved. Cutoffs and what else happens at once are left out, and so is what moved further than
/// four widths from one record to the next (ChannelYears of meander_maps.hpp).
struct MigrationRates {
    double years = 0.0;   // over which they are means; 0: no rates
    double length = 0.0;  // m, of what could be followed
    double mean = 0.0;    // m/yr: area between both courses over length and years
    double median = 0.0;  // m/yr, over the length
    double p90 = 0.0;     // m/yr, 90th percentile
};

/// A channel, or all channels of a network, in one year. Rates are of the window before it.
struct ChannelMetrics {
    ChannelForm form;  // of a network: lengths and chords summed, width by length, medians over all bends
    MigrationRates migration;
    std::int64_t cutoffs = 0;  // since the first record
    double cutoff_rate = 0.0;  // per century and 100 km of chords
    double belt_width = 0.0;   // m, of the ground of channels so far, over the length of the valley line
};

/// Cutoffs are those of the channels that had this id; the belt is what lies nearest to the reach's valley
/// line.
struct ReachMetrics {
    std::int64_t reach = 0;  // id
    ChannelMetrics channel;
};

/// All channels in one year.
struct NetworkMetrics {
    double year = 0.0;
    ChannelMetrics whole;
    std::vector<ReachMetrics> reaches;
};

/// Where channels have been. Areas are those of cells a quarter of the mean width, or larger where more than
/// 2048 would be needed along a side.
struct BeltForm {
    double area = 0.0;           // m^2
    double valley_length = 0.0;  // m, of the last network
    double mean_width = 0.0;     // m, area over valley length
    double p90_width = 0.0;  // m, 90th percentile of the widths along the valley, by its sections of 8 widths
};

struct MeanderMetrics {
    MeanderMetricsParameters parameters;
    std::vector<NetworkMetrics> networks;  // as recorded
    double cutoff_rate = 0.0;              // of all years, per century and 100 km of chords
    MigrationRates migration;              // of all years
    BeltForm belt;
};

/// Measures a history, record by record. The same bits on any number of threads; O(points) a network, points
/// within a window times their logarithm, and the cost of a map of the belt. Throws Error::input as
/// ChannelYears does, and Cancelled.
MeanderMetrics meander_metrics(const MeanderHistory& history, const MeanderMetricsParameters& parameters,
                               Progress& progress);

/// A band in which real rivers lie.
struct ReferenceBand {
    double width = 0.0;  // m, of the river; 0: any
    double low = 0.0;
    double high = 0.0;
    const char* source;
};

/// Full wavelengths of real rivers by width, m: lambda = a w^b with 6.28 <= a <= 12.34 and 1 <= b <= 1.13,
/// which hold within -40 % to 65 %.
inline constexpr std::array<ReferenceBand, 3> kNaturalWavelengths = {{
    {50.0, 314.0, 990.0, "Paris et al. 2023, section 8.3, after Leopold and Wolman 1960, Williams 1986"},
    {100.0, 628.0, 2150.0, "Paris et al. 2023, section 8.3, after Leopold and Wolman 1960, Williams 1986"},
    {200.0, 1256.0, 4674.0, "Paris et al. 2023, section 8.3, after Leopold and Wolman 1960, Williams 1986"},
}};

/// The band for a width, m: 6.28 w to 12.34 w^1.12, which are those above to 0.5 %.
ReferenceBand natural_wavelengths(double width);

/// Sinuosity from which on a river is said to meander.
inline constexpr double kMeanderingSinuosity = 1.5;  // Paris et al. 2023, section 8.3

/// What simulations of the paper gave (table 3).
struct PublishedForm {
    const char* figure;
    double lowest_width, highest_width;            // m
    double lowest_wavelength, highest_wavelength;  // m
    double lowest_sinuosity, highest_sinuosity;
};
inline constexpr std::array<PublishedForm, 4> kPublishedForms = {{
    {"Paris et al. 2023, fig. 10", 50.0, 200.0, 710.0, 1680.0, 1.9, 3.8},
    {"Paris et al. 2023, fig. 11", 200.0, 200.0, 2160.0, 2160.0, 2.4, 2.4},
    {"Paris et al. 2023, fig. 14", 200.0, 200.0, 1840.0, 1840.0, 1.9, 1.9},
    {"Paris et al. 2023, fig. 27", 200.0, 200.0, 1600.0, 1600.0, 3.1, 3.1},
}};

}  // namespace thalweg
