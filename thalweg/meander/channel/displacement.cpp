#include "thalweg/meander/channel/displacement.hpp"

#include "thalweg/core/vector_lanes.hpp"

#include <array>
#include <cstdint>

namespace thalweg {

void Displacement::begin(std::size_t points, double years) {
    years_ = years;
    last_ = {};
    value_ = 0.0F;
    even_.resize(points / kPointsInBlock + 1);
    factors_.resize(points);
    gains_.resize(points);
}

void Displacement::Factors::go_on(float next) {
    if (are_settled && next == lambda) return;
    gain = 1.0F / (1.0F + 2.0F * next - next * factor);
    are_settled = next == lambda && factor == next * gain;
    factor = next * gain;
    lambda = next;
}

/// Returns whether its points need factors of their own.
bool Displacement::begin_block(std::size_t first, float mobility, bool are_alike) {
    constexpr float kUneven = -1.0F;
    const bool is_even = are_alike && last_.are_settled;
    even_[first / kPointsInBlock] = {
        .decay = is_even ? last_.factor : kUneven,
        .gain = is_even ? last_.gain * static_cast<float>(years_) * mobility : 0.0F};
    return !is_even;
}

template <std::size_t count>
void Displacement::eliminate_block(std::span<Displacement* const> all, std::span<const float> lambda,
                                   std::span<const float> mobility, std::size_t first) {
    std::array<Factors, count> here;  // copies, which no column that is written can be taken to change
    std::array<float, count> years;
    for (std::size_t k = 0; k < count; ++k) {
        here[k] = all[k]->last_;
        years[k] = static_cast<float>(all[k]->years_);
    }
    for (std::size_t i = 0, end = 0; i < lambda.size(); i = end) {
        bool are_settled = true;
        for (std::size_t k = 0; k < count; ++k) {
            here[k].go_on(years[k] * lambda[i]);
            are_settled = are_settled && here[k].are_settled;
        }
        end = i + 1;
        while (are_settled && end < lambda.size() && lambda[end] == lambda[i]) ++end;
        for (std::size_t k = 0; k < count; ++k)
            for (std::size_t j = i; j < end; ++j) {
                all[k]->factors_[first + j] = here[k].factor;
                all[k]->gains_[first + j] = here[k].gain * years[k] * mobility[first + j];
            }
    }
    for (std::size_t k = 0; k < count; ++k) all[k]->last_ = here[k];
}

void Displacement::eliminate(std::span<Displacement* const> all, std::span<const float> lambda,
                             std::span<const float> mobility, std::size_t first, bool are_alike) {
    bool are_even = true;
    for (Displacement* const one : all)
        are_even = !one->begin_block(first, mobility[first], are_alike) && are_even;
    if (are_even) return;
    if (all.size() == 2)
        eliminate_block<2>(all, lambda, mobility, first);
    else
        eliminate_block<1>(all, lambda, mobility, first);
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
