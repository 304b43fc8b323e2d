#include "thalweg/meander/channel/displacement.hpp"

#include "thalweg/core/vector_lanes.hpp"

#include <cstdint>

namespace thalweg {

void Displacement::begin(std::size_t points, double years) {
    years_ = years;
    lambda_ = -1.0F;
    factor_ = gain_ = value_ = 0.0F;
    is_settled_ = false;
    even_.resize(points / kPointsInBlock + 1);
    factors_.resize(points);
    gains_.resize(points);
}

void Displacement::go_on(float lambda) {
    if (is_settled_ && lambda == lambda_) return;
    gain_ = 1.0F / (1.0F + 2.0F * lambda - lambda * factor_);
    is_settled_ = lambda == lambda_ && factor_ == lambda * gain_;
    factor_ = lambda * gain_;
    lambda_ = lambda;
}

void Displacement::eliminate(std::span<const float> lambda, std::span<const float> mobility,
                             std::size_t first, bool are_alike) {
    constexpr float kUneven = -1.0F;
    const auto years = static_cast<float>(years_);
    const bool is_even = are_alike && is_settled_;
    even_[first / kPointsInBlock] = {.decay = is_even ? factor_ : kUneven,
                                     .gain = is_even ? gain_ * years * mobility[first] : 0.0F};
    if (is_even) return;
    for (std::size_t i = 0; i < lambda.size(); ++i) {
        go_on(years * lambda[i]);
        factors_[first + i] = factor_;
        gains_[first + i] = gain_ * years * mobility[first + i];
    }
}

const EvenSteps& Displacement::steps_of(std::size_t first) const {
    return even_[first / kPointsInBlock];
}

void Displacement::substitute(std::size_t first, std::size_t end, const float* rate, float* value) {
    const auto points = static_cast<std::int64_t>(end - first);
    const EvenSteps& even = steps_of(first);
    const float before = first > 0 ? value_ : 0.0F;
    value_ = in_lanes([&](auto lanes) {
        if (even.decay >= 0.0F) return recur_evenly_in_lanes<lanes()>(even, rate, value, points, before);
        multiply_in_lanes<lanes()>(gains_.data() + first, rate, value, points);
        return recur_in_lanes<lanes()>(factors_.data() + first, value, value, points, before);
    });
}

float Displacement::substitute_back(std::size_t first, std::size_t end, float behind, const float* value,
                                    float* displacement) const {
    const auto points = static_cast<std::int64_t>(end - first);
    const EvenSteps even{.decay = steps_of(first).decay, .gain = 1.0F};
    return in_lanes([&](auto lanes) {
        if (even.decay >= 0.0F)
            return recur_evenly_back_in_lanes<lanes()>(even, value, displacement, points, behind);
        return recur_back_in_lanes<lanes()>(factors_.data() + first, value, displacement, points, behind);
    });
}

float Displacement::passed_on(std::size_t first, std::size_t end, float least) const {
    const float of_all = steps_of(first).decay;
    float share = 1.0F;
    for (std::size_t i = first; i < end && share > least; ++i) share *= of_all >= 0.0F ? of_all : factors_[i];
    return share;
}

}  // namespace thalweg
