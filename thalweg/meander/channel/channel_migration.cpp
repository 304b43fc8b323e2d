#include "thalweg/meander/channel/channel_migration.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/meander/channel/sinuosity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thalweg {
namespace {

/// alpha times the width, where memory follows that: bends are then 11 widths long.
constexpr double kMemoryOfWidth = 0.75;

constexpr double kLocalWeight = -1.0;  // omega, 1

constexpr std::size_t kPointsInBlock = 256;  // that stay in the nearest cache (empirical)

/// Back substitution up the line, for each displacement at once.
template <std::size_t count>
void substitute_back(std::array<const double*, count> factor, std::array<double*, count> value,
                     std::size_t points) {
    std::array<double, count> carried{};
    for (std::size_t i = points; i-- > 0;)
        for (std::size_t k = 0; k < count; ++k)
            value[k][i] = carried[k] = value[k][i] + factor[k][i] * carried[k];
}

}  // namespace

const std::vector<double>& ChannelMigration::rates(const std::vector<double>& x, const std::vector<double>& y,
                                                   const PointValues& values, double inflow) {
    geometry_.measure_segments(x, y);
    find_scaling(x, y, values.width[x.size() / 2]);
    find_displacements<0>(x, y, values, inflow, {});
    return rate_;
}

void ChannelMigration::find_scaling(const std::vector<double>& x, const std::vector<double>& y,
                                    double mean_width) {
    constexpr double kExponent = -2.0 / 3.0;
    if (parameters_.sinuosity_scaling == SinuosityScaling::None) return void(scaling_.assign(x.size(), 1.0));
    if (parameters_.sinuosity_window > 0.0) {
        scaling_.resize(x.size());
        return windowed_scaling(x, y, geometry_.segment, parameters_.sinuosity_window * mean_width, scaling_);
    }
    const double chord = std::hypot(x.back() - x.front(), y.back() - y.front());
    scaling_.assign(x.size(), portable_power(bounded_sinuosity(geometry_.length, chord), kExponent));
}

/// Of the term of the bends here.
const double* ChannelMigration::local_scaling() {
    if (parameters_.sinuosity_scaling == SinuosityScaling::Both) return scaling_.data();
    ones_.assign(scaling_.size(), 1.0);
    return ones_.data();
}

/// Of I - lambda d^2/ds^2, lambda = years k w mobility sigma^(-2/3) / spacing^2, into triangles. Where lambda
/// is the same for long, so are the factors: no division then.
void ChannelMigration::factorise(std::span<const float> mobility, const std::vector<float>& width,
                                 Displacement& displacement) {
    const std::size_t n = width.size();
    for (std::vector<double>* column : {&displacement.factor, &displacement.gain, &displacement.value})
        column->resize(n);
    const double spacing = geometry_.length / static_cast<double>(n - 1);
    const double unit = displacement.years * parameters_.rate / (spacing * spacing);
    const double* const scaling = local_scaling();
    double before = -1.0;  // lambda of the point before
    double factor = 0.0;
    double gain = 0.0;
    bool is_settled = false;
    for (std::size_t i = 0; i < n; ++i) {
        const auto mobile = static_cast<double>(mobility[i]);
        const double lambda = unit * width[i] * mobile * scaling[i];
        if (!is_settled || lambda != before) {
            gain = 1.0 / (1.0 + 2.0 * lambda - lambda * factor);
            is_settled = lambda == before && factor == lambda * gain;
            factor = lambda * gain;
            before = lambda;
        }
        displacement.factor[i] = factor;
        displacement.gain[i] = gain * displacement.years * mobile;
    }
}

/// Bends, J, R and forward substitution down the line in blocks, and then back substitution up it.
template <std::size_t count>
void ChannelMigration::find_displacements(const std::vector<double>& x, const std::vector<double>& y,
                                          const PointValues& values, double inflow,
                                          std::array<Displacement*, count> displacements) {
    const std::size_t n = x.size();
    for (std::vector<double>* column : {&local_rate_, &decay_, &source_, &rate_}) column->resize(n);
    const bool by_depth = parameters_.memory == MemoryLength::Friction;
    const FilterColumns columns{
        .segment = geometry_.segment.data(),
        .curvature = geometry_.curvature.data(),
        .width = values.width.data(),
        .scale = by_depth ? values.depth.data() : values.width.data(),
        .rate = parameters_.rate,
        .doubled = 2.0 * (by_depth ? 2.0 * parameters_.friction_factor : kMemoryOfWidth),
        .local_rate = local_rate_.data(),
        .decay = decay_.data(),
        .source = source_.data()};
    decay_[0] = 1.0;
    source_[0] = 0.0;
    std::array<const double*, count> factor{};
    std::array<const double*, count> gain{};
    std::array<double*, count> value{};
    std::array<double, count> carried{};
    for (std::size_t k = 0; k < count; ++k) {
        factor[k] = displacements[k]->factor.data();
        gain[k] = displacements[k]->gain.data();
        value[k] = displacements[k]->value.data();
    }
    const double* const scaling = scaling_.data();
    const double* const scaling_here = local_scaling();
    double* const rate = rate_.data();
    double upstream = inflow;
    for (std::size_t first = 0; first < n; first += kPointsInBlock) {
        const std::size_t end = std::min(n, first + kPointsInBlock);
        geometry_.measure_bends(x, y, first, end);
        in_lanes([&](auto lanes) {
            filter_in_lanes<lanes()>(columns, static_cast<std::int64_t>(first),
                                     static_cast<std::int64_t>(end));
        });
        for (std::size_t i = first; i < end; ++i) {
            upstream = columns.decay[i] * upstream + columns.source[i];
            const double r = scaling[i] * parameters_.upstream_weight * upstream +
                             scaling_here[i] * kLocalWeight * columns.local_rate[i];
            rate[i] = r;
            for (std::size_t k = 0; k < count; ++k)
                value[k][i] = carried[k] = gain[k][i] * r + factor[k][i] * carried[k];
        }
    }
    outflow_ = upstream;
    substitute_back<count>(factor, value, n);
}

void ChannelMigration::step(ChannelLine& line, std::span<const float> mobility, double inflow, double years,
                            const Pull& pull) {
    const std::size_t n = line.size();
    move_x_.resize(n);
    move_y_.resize(n);
    geometry_.measure_segments(line.x, line.y);
    find_scaling(line.x, line.y, line.values.width[n / 2]);
    whole_.years = years;
    factorise(mobility, line.values.width, whole_);
    if (parameters_.time_scheme == TimeScheme::Extrapolated) {
        half_.years = 0.5 * years;
        factorise(mobility, line.values.width, half_);
        extrapolate(line, inflow);
    } else {
        find_displacements<1>(line.x, line.y, line.values, inflow, {&whole_});
        add_moves(0.0, 1.0, whole_.value);
    }
    if (!pull.x.empty()) add_pull(pull, mobility, years);
    move(line);
}

/// The second half step keeps the factors of the first: what they change is of third order.
void ChannelMigration::extrapolate(const ChannelLine& line, double inflow) {
    const std::size_t n = line.size();
    find_displacements<2>(line.x, line.y, line.values, inflow, {&whole_, &half_});
    add_moves(0.0, 1.0, half_.value);
    half_x_.resize(n);
    half_y_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        half_x_[i] = line.x[i] + move_x_[i];
        half_y_[i] = line.y[i] + move_y_[i];
    }
    add_moves(2.0, -1.0, whole_.value);
    geometry_.measure_segments(half_x_, half_y_);
    find_scaling(half_x_, half_y_, line.values.width[n / 2]);
    find_displacements<1>(half_x_, half_y_, line.values, inflow, {&half_});
    add_moves(1.0, 2.0, half_.value);
}

void ChannelMigration::add_moves(double kept, double factor, const std::vector<double>& displacement) {
    const MoveColumns columns{.normal_x = geometry_.normal_x.data(),
                              .normal_y = geometry_.normal_y.data(),
                              .move_x = move_x_.data(),
                              .move_y = move_y_.data()};
    in_lanes([&](auto lanes) {
        moves_in_lanes<lanes()>(columns, kept, factor, displacement.data(), std::ssize(displacement));
    });
}

void ChannelMigration::add_pull(const Pull& pull, std::span<const float> mobility, double years) {
    for (std::size_t i = 0; i < rate_.size(); ++i) {
        const double way = years * static_cast<double>(mobility[i]) * std::abs(rate_[i]);
        move_x_[i] += way * static_cast<double>(pull.x[i]);
        move_y_[i] += way * static_cast<double>(pull.y[i]);
    }
}

void ChannelMigration::move(ChannelLine& line) {
    const std::size_t n = line.size();
    const MoveColumns columns{
        .normal_x = nullptr, .normal_y = nullptr, .move_x = move_x_.data(), .move_y = move_y_.data()};
    const double furthest = in_lanes([&](auto lanes) {
        return greatest_move_in_lanes<lanes()>(columns, line.values.width.data(),
                                               static_cast<std::int64_t>(n));
    });
    largest_displacement_ = std::sqrt(furthest);
    if (largest_displacement_ > limit_)
        for (std::size_t i = 0; i < n; ++i) {
            const double most = limit_ * line.values.width[i];
            const double squared = move_x_[i] * move_x_[i] + move_y_[i] * move_y_[i];
            if (squared <= most * most) continue;
            const double share = most / std::sqrt(squared);
            move_x_[i] *= share;
            move_y_[i] *= share;
        }
    for (std::size_t i = 0; i < n; ++i) {
        line.x[i] += move_x_[i];
        line.y[i] += move_y_[i];
    }
}

}  // namespace thalweg
