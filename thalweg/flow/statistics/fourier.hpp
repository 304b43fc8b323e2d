// The discrete Fourier transform.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace thalweg {

/// Of series of one length, which is a power of two.
class FourierTransform {
  public:
    explicit FourierTransform(std::size_t length);

    [[nodiscard]] std::size_t length() const { return turns_.size() * 2; }

    /// In place, F(k) = sum over n of f(n) exp(-2 pi i k n / length), in halves (Cooley and Tukey 1965).
    /// O(length log length).
    void operator()(std::span<std::complex<double>> series) const;

  private:
    std::vector<std::complex<double>> turns_;  // exp(-2 pi i k / length) of the first half
    std::vector<std::size_t> places_;          // the bits of each place in reverse
};

}  // namespace thalweg
