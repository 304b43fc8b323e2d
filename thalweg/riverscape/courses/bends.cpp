#include "thalweg/riverscape/courses/bends.hpp"

#include "thalweg/riverscape/courses/type_habits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace thalweg {
namespace {

constexpr int kSamples = 24;  // of a half wave

/// Half a wave of the sine-generated curve, of length 1 along the valley.
struct HalfWave {
    std::vector<double> along;    // 1
    std::vector<double> lateral;  // 1
    double height = 0.0;          // 1, the greatest lateral
};

HalfWave half_wave(double angle) {
    HalfWave wave{.along = {0.0}, .lateral = {0.0}};
    constexpr int kFine = 8;  // steps of the integral for each sample
    double x = 0.0;
    double y = 0.0;
    for (int i = 0; i < kSamples * kFine; ++i) {
        const double direction = angle * std::cos(std::numbers::pi * (i + 0.5) / (kSamples * kFine));
        x += std::cos(direction);
        y += std::sin(direction);
        if ((i + 1) % kFine != 0) continue;
        wave.along.push_back(x);
        wave.lateral.push_back(y);
    }
    for (int i = 0; i <= kSamples; ++i) {
        wave.along[i] /= x;
        wave.lateral[i] /= x;
        wave.height = std::max(wave.height, wave.lateral[i]);
    }
    return wave;
}

/// Lengths of half waves, in widths, and what their amplitudes are multiplied by.
struct WaveTrain {
    std::vector<double> first = {0.0};  // m from the beginning, of each, and the end of the last
    std::vector<double> amplitude;      // 1
};

WaveTrain wave_train(double length, double width, const ReachDraws& draws, std::uint64_t place) {
    WaveTrain train;
    while (train.first.back() < length) {
        const auto number = train.amplitude.size();
        train.first.push_back(train.first.back() +
                              width * draws.between(5.0, 7.0, BedDraw::Bend, place, 2 * number));
        train.amplitude.push_back(draws.between(0.65, 1.15, BedDraw::Bend, place, 2 * number + 1));
    }
    // Scale the lengths so that the last one ends with the stretch.
    const double scale = length / train.first.back();
    for (double& first : train.first) first *= scale;
    // Bends grow from the ends of the stretch.
    train.amplitude.front() *= 0.5;
    train.amplitude.back() *= 0.5;
    return train;
}

/// The greatest curvature of the base line between two places, 1/m.
double curvature_within(const BaseLine& base, double first, double last) {
    double greatest = 0.0;
    const auto begin = static_cast<std::size_t>(std::max(first, 0.0));
    const auto end = std::min(base.size(), static_cast<std::size_t>(std::max(last, 0.0)) + 2);
    for (std::size_t i = begin + 1; i < end; ++i)
        greatest = std::max(greatest, std::hypot(base.normal_x[i] - base.normal_x[i - 1],
                                                 base.normal_y[i] - base.normal_y[i - 1]) /
                                          base.step);
    return greatest;
}

/// The place of the base line, moved to the left by `lateral` m.
void append_beside(const BaseLine& base, double place, double lateral, double phase, PlanLine& line) {
    line.x.push_back(value_along(base.x, place) + lateral * value_along(base.normal_x, place));
    line.y.push_back(value_along(base.y, place) + lateral * value_along(base.normal_y, place));
    line.place.push_back(phase);
}

}  // namespace

PlanLine straight_line(const BaseLine& base, double first, double last) {
    PlanLine line;
    append_beside(base, first, 0.0, first, line);
    for (double place = std::ceil(first + 0.5); place <= last - 0.5; place += 1.0)
        append_beside(base, place, 0.0, place, line);
    append_beside(base, last, 0.0, last, line);
    return line;
}

double bend_angle(double sinuosity) {
    // J_0(omega) is the mean cosine of omega cos t.
    const auto mean_cosine = [](double angle) {
        constexpr int kSteps = 32;
        double sum = 0.0;
        for (int i = 0; i < kSteps; ++i)
            sum += std::cos(angle * std::cos(std::numbers::pi * (i + 0.5) / kSteps));
        return sum / kSteps;
    };
    double low = 0.0;
    double high = 1.9;  // sinuosity of 3.4
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        (mean_cosine(middle) * sinuosity > 1.0 ? low : high) = middle;
    }
    return low;
}

PlanLine bent_line(const BaseLine& base, double first, double last, const RiverStretch& stretch,
                   double sinuosity_factor, const ReachDraws& draws) {
    constexpr double kShortest = 12.0;  // widths: a whole wave
    const double width = base.reach->width;
    const double length = (last - first) * base.step;
    const double wanted = 1.0 + sinuosity_factor * (habits_of(stretch.type).sinuosity - 1.0);
    const double sinuosity = std::min(wanted / stretch.sinuosity, 3.0);
    if (sinuosity < 1.02 || length < kShortest * width) return straight_line(base, first, last);
    const HalfWave wave = half_wave(bend_angle(sinuosity));
    const WaveTrain train = wave_train(length, width, draws, static_cast<std::uint64_t>(first));
    // Bends stay on ground that floods reach, and within the radius of the valley's own bends.
    const double room = std::max(0.4 * width, 0.5 * (stretch.flood_prone_width - width));
    std::vector<double> amplitude;
    for (std::size_t i = 0; i < train.amplitude.size(); ++i) {
        const double half_length = train.first[i + 1] - train.first[i];
        const double curvature = curvature_within(base, first + train.first[i] / base.step,
                                                  first + train.first[i + 1] / base.step);
        const double most = std::min(room, curvature > 0.0 ? 0.4 / curvature : room);
        amplitude.push_back(std::min(train.amplitude[i], most / (half_length * wave.height)));
    }
    PlanLine line;
    for (std::size_t i = 0; i < amplitude.size(); ++i) {
        const double half_length = train.first[i + 1] - train.first[i];
        const double side = i % 2 == 0 ? 1.0 : -1.0;
        const double before = i == 0 ? amplitude[i] : 0.5 * (amplitude[i - 1] + amplitude[i]);
        const double after =
            i + 1 == amplitude.size() ? amplitude[i] : 0.5 * (amplitude[i] + amplitude[i + 1]);
        for (int k = 0; k < kSamples; ++k) {
            const double t = static_cast<double>(k) / kSamples;
            const double of = t < 0.5 ? before + (amplitude[i] - before) * 2.0 * t
                                      : amplitude[i] + (after - amplitude[i]) * (2.0 * t - 1.0);
            append_beside(base, first + (train.first[i] + half_length * wave.along[k]) / base.step,
                          side * of * half_length * wave.lateral[k],
                          first + (train.first[i] + half_length * t) / base.step, line);
        }
    }
    append_beside(base, last, 0.0, last, line);
    return evenly_spaced(line, base.step);
}

}  // namespace thalweg
