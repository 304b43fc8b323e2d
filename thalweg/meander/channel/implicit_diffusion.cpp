#include "thalweg/meander/channel/implicit_diffusion.hpp"

#include <cstddef>

namespace thalweg {

void ImplicitDiffusion::factorise(std::span<const double> lambda) {
    const std::size_t n = lambda.size();
    gain_.resize(n);
    forward_.resize(n);
    double before = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        gain_[i] = 1.0 / (1.0 + 2.0 * lambda[i] - lambda[i] * before);
        before = forward_[i] = lambda[i] * gain_[i];
    }
}

void ImplicitDiffusion::solve(std::span<double> values) const {
    const std::size_t n = values.size();
    const double* const gain = gain_.data();
    const double* const factor = forward_.data();
    double* const v = values.data();
    for (std::size_t i = 0; i < n; ++i) v[i] *= gain[i];
    double carried = 0.0;
    for (std::size_t i = 0; i < n; ++i) v[i] = carried = v[i] + factor[i] * carried;
    carried = 0.0;
    for (std::size_t i = n; i-- > 0;) v[i] = carried = v[i] + factor[i] * carried;
}

}  // namespace thalweg
