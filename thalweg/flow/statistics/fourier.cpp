#include "thalweg/flow/statistics/fourier.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

namespace thalweg {

FourierTransform::FourierTransform(std::size_t length) : turns_(length / 2), places_(length, 0) {
    assert(std::has_single_bit(length) && length > 1);
    for (std::size_t k = 0; k < turns_.size(); ++k)
        turns_[k] =
            std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
    for (std::size_t i = 1; i < length; ++i) places_[i] = places_[i / 2] / 2 + i % 2 * (length / 2);
}

void FourierTransform::operator()(std::span<std::complex<double>> series) const {
    assert(series.size() == length());
    for (std::size_t i = 0; i < series.size(); ++i)
        if (i < places_[i]) std::swap(series[i], series[places_[i]]);
    for (std::size_t half = 1; half < series.size(); half *= 2) {
        const std::size_t stride = turns_.size() / half;
        for (std::size_t first = 0; first < series.size(); first += 2 * half)
            for (std::size_t k = 0; k < half; ++k) {
                std::complex<double>&even = series[first + k], &odd = series[first + k + half];
                const std::complex<double> turn = turns_[k * stride];
                // By hand: the product of std::complex looks for infinities.
                const std::complex<double> turned = {odd.real() * turn.real() - odd.imag() * turn.imag(),
                                                     odd.real() * turn.imag() + odd.imag() * turn.real()};
                odd = even - turned;
                even += turned;
            }
    }
}

}  // namespace thalweg
