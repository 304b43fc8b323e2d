#include "thalweg/core/parallel.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"
#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/statistics/power_spectrum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr std::size_t kBands = 3;
constexpr std::array<double, kBands + 1> kBandEnds = {192.0, 48.0, 12.0, 4.0};  // steps, wavelengths
constexpr std::size_t kBinsInBand = 8;
constexpr std::size_t kSpectrumBins = kBands * kBinsInBand;
constexpr double kFewestModes = 4.0;  // of a bin
constexpr std::size_t kFewestFitted = 3;

constexpr double kLongestWave = 48.0;    // steps, of directions
constexpr double kShortestWave = 8.0;    // steps
constexpr double kUsualSlope = 3.5;      // by which power is made even before directions are compared
constexpr std::size_t kDirections = 12;  // of 15 degrees
constexpr double kAside = 1e-9;          // half turns

constexpr double kLeastWindow = 256.0;  // steps
constexpr double kRoomForLarger =
    520.0 / 256.0;                       // windows along the shorter side, from which they are doubled
constexpr double kLeastDescribed = 0.5;  // of a window
constexpr double kCurveWindow = 512.0;   // steps: power is told as of windows of this side

/// Power of modes that belong together.
struct PowerBin {
    double sum = 0.0;
    double modes = 0.0;

    void add(double power, double count) {
        sum += count * power;
        modes += count;
    }
    void add(const PowerBin& other) {
        sum += other.sum;
        modes += other.modes;
    }
    [[nodiscard]] double mean() const { return sum / modes; }
};

struct SpectrumBins {
    std::array<PowerBin, kSpectrumBins> by_wave{};
    std::array<PowerBin, kDirections> by_direction{};

    /// A mode of `count` equal ones, of wavenumbers east and north, cycles per step.
    void add(double east, double north, double power, double count) {
        const double wavenumber = std::sqrt(east * east + north * north);
        if (const std::size_t bin = bin_of(wavenumber); bin < kSpectrumBins) by_wave[bin].add(power, count);
        if (wavenumber * kLongestWave <= 1.0 || wavenumber * kShortestWave >= 1.0) return;
        const double half_turns = std::atan2(north, east) / std::numbers::pi + 1.0;
        const double even_power = power * portable_power(wavenumber, kUsualSlope);
        // Half to each side: modes along rows, columns and diagonals lie between two directions.
        for (const double side : {-kAside, kAside}) {
            const auto direction =
                static_cast<std::size_t>((half_turns + side) * static_cast<double>(kDirections));
            by_direction[direction % kDirections].add(even_power, 0.5 * count);
        }
    }

    void add(const SpectrumBins& other) {
        for (std::size_t i = 0; i < kSpectrumBins; ++i) by_wave[i].add(other.by_wave[i]);
        for (std::size_t i = 0; i < kDirections; ++i) by_direction[i].add(other.by_direction[i]);
    }

    /// kSpectrumBins beside all bands.
    static std::size_t bin_of(double wavenumber) {
        if (wavenumber * kBandEnds.front() < 1.0 || wavenumber * kBandEnds.back() >= 1.0)
            return kSpectrumBins;
        std::size_t band = 0;
        while (wavenumber * kBandEnds[band + 1] >= 1.0) ++band;
        const double share = std::log(wavenumber * kBandEnds[band]) /
                             std::log(kBandEnds[band] / kBandEnds[band + 1]);  // of the band
        const auto bin = static_cast<std::size_t>(share * static_cast<double>(kBinsInBand));
        return band * kBinsInBand + std::min(bin, kBinsInBand - 1);
    }

    /// In the middle of a bin by logarithms, cycles per step.
    static double wavenumber_of(std::size_t bin) {
        const std::size_t band = bin / kBinsInBand;
        const double share =
            (static_cast<double>(bin % kBinsInBand) + 0.5) / static_cast<double>(kBinsInBand);
        return std::pow(kBandEnds[band] / kBandEnds[band + 1], share) / kBandEnds[band];
    }
};

/// Sums what windows say.
struct Average {
    double sum = 0.0;
    double count = 0.0;

    void add(double value) {
        if (std::isnan(value)) return;
        sum += value;
        count += 1.0;
    }
    [[nodiscard]] double value() const { return count > 0.0 ? sum / count : kNoStatistic; }
};

struct SpectrumAverages {
    std::array<Average, kBands> slope;
    Average anisotropy, fourfold;
    std::array<Average, kSpectrumBins> power;  // m^2
};

SpectrumBins bins_of(const PowerSpectrum& spectrum, double cells_per_step) {
    const double per_mode = cells_per_step / static_cast<double>(spectrum.side);  // cycles per step
    return parallel_reduce(
        0, spectrum.side / 2 + 1, 16, SpectrumBins{},
        [&](std::int64_t first, std::int64_t last) {
            SpectrumBins bins;
            for (std::int64_t east = first; east < last; ++east)
                for (std::int64_t row = 0; row < spectrum.side; ++row) {
                    const std::int64_t south = row < spectrum.side / 2 ? row : row - spectrum.side;
                    const bool is_twice = east > 0 && east < spectrum.side / 2;  // the opposite is as strong
                    bins.add(per_mode * static_cast<double>(east), -per_mode * static_cast<double>(south),
                             spectrum.power[at(east * spectrum.side + row)], is_twice ? 2.0 : 1.0);
                }
            return bins;
        },
        [](SpectrumBins all, const SpectrumBins& more) {
            all.add(more);
            return all;
        });
}

/// By which power of the wavelength the power of a band grows.
double slope_of_band(const SpectrumBins& bins, std::size_t band) {
    std::vector<double> wave, power;
    for (std::size_t bin = band * kBinsInBand; bin < (band + 1) * kBinsInBand; ++bin) {
        if (bins.by_wave[bin].modes < kFewestModes) continue;
        wave.push_back(portable_log(SpectrumBins::wavenumber_of(bin)));
        power.push_back(portable_log(bins.by_wave[bin].mean()));
    }
    const std::optional<LineFit> line = wave.size() < kFewestFitted ? std::nullopt : fit_line(wave, power);
    return line ? -line->slope : kNoStatistic;
}

void add_directions(const SpectrumBins& bins, SpectrumAverages& averages) {
    std::array<double, kDirections> power{};
    double total = 0.0, fourfold = 0.0;
    for (std::size_t i = 0; i < kDirections; ++i) {
        power[i] = bins.by_direction[i].mean();
        total += power[i];
        const double angle = (static_cast<double>(i) + 0.5) * std::numbers::pi / kDirections;
        fourfold += 2.0 * power[i] * std::cos(4.0 * angle);
    }
    averages.anisotropy.add(std::ranges::max(power) / std::ranges::min(power));
    averages.fourfold.add(fourfold / total);
}

void add_window(const SpectrumBins& bins, double modes_per_curve_mode, SpectrumAverages& averages) {
    for (std::size_t band = 0; band < kBands; ++band) averages.slope[band].add(slope_of_band(bins, band));
    add_directions(bins, averages);
    for (std::size_t bin = 0; bin < kSpectrumBins; ++bin)
        if (bins.by_wave[bin].modes >= kFewestModes)
            averages.power[bin].add(bins.by_wave[bin].mean() * modes_per_curve_mode);
}

/// Cells along windows; they are 256 steps or somewhat more, twice that on larger terrain.
int window_side(const Survey& survey) {
    const auto least =
        static_cast<std::uint32_t>(std::ceil(survey.scale.cells_of(kLeastWindow) * (1.0 - 1e-9)));
    const auto side = static_cast<int>(std::bit_ceil(least));
    return std::min(survey.elevation.columns(), survey.elevation.rows()) < kRoomForLarger * side ? side
                                                                                                 : 2 * side;
}

/// Whether a window has data everywhere, and is described over half of it.
bool is_usable(const Survey& survey, const CellRange& window) {
    std::int64_t described = 0;
    for (int row = window.first_row; row < window.end_row; ++row)
        for (int column = window.first_column; column < window.end_column; ++column) {
            if (is_no_data(survey.elevation(column, row))) return false;
            described += survey.ground(column, row);
        }
    return static_cast<double>(described) >= kLeastDescribed * window.columns() * window.rows();
}

}  // namespace

void describe_spectra(const Survey& survey, Progress& progress, TerrainDescription& description) {
    const int side = window_side(survey);
    const double cells_per_step = survey.scale.cells_of(1.0);
    const double larger = side / (kCurveWindow * cells_per_step);
    SpectrumAverages averages;
    for (int row = 0; row + side <= survey.elevation.rows(); row += side / 2)
        for (int column = 0; column + side <= survey.elevation.columns(); column += side / 2) {
            progress.poll();
            const CellRange window = {
                .first_column = column, .end_column = column + side, .first_row = row, .end_row = row + side};
            if (!is_usable(survey, window)) continue;
            const PowerSpectrum spectrum = power_spectrum(survey.elevation, window);
            add_window(bins_of(spectrum, cells_per_step), larger * larger, averages);
        }
    TerrainStatistics& statistics = description.statistics;
    statistics.spectral_slope_long = averages.slope[0].value();
    statistics.spectral_slope_middle = averages.slope[1].value();
    statistics.spectral_slope_short = averages.slope[2].value();
    statistics.spectral_anisotropy = averages.anisotropy.value();
    statistics.spectral_fourfold_share = averages.fourfold.value();
    for (std::size_t bin = kSpectrumBins; bin-- > 0;)
        if (averages.power[bin].count > 0.0)
            description.curves.spectrum.push_back({.x = survey.scale.step / SpectrumBins::wavenumber_of(bin),
                                                   .y = averages.power[bin].value()});
}

}  // namespace thalweg
