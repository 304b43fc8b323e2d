#include "thalweg/meander/channel/channel_migration.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/meander/channel/sinuosity.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

/// alpha times the width, where memory follows that: bends are then 11 widths long.
constexpr double kMemoryOfWidth = 0.75;

constexpr double kLocalWeight = -1.0;  // omega, 1

}  // namespace

const std::vector<double>& ChannelMigration::rates(const std::vector<double>& x, const std::vector<double>& y,
                                                   const PointValues& values, double inflow) {
    const std::size_t n = x.size();
    for (std::vector<double>* column : {&local_rate_, &decay_, &source_, &upstream_rate_, &scaling_, &rate_})
        column->resize(n);
    geometry_.measure(x, y);
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
    in_lanes([&](auto lanes) { filter_in_lanes<lanes()>(columns, static_cast<std::int64_t>(n)); });
    double upstream = inflow;
    upstream_rate_[0] = inflow;
    for (std::size_t i = 1; i < n; ++i) {
        upstream = decay_[i] * upstream + source_[i];
        upstream_rate_[i] = upstream;
    }
    find_scaling(x, y, values.width[n / 2]);
    const bool scales_local = parameters_.sinuosity_scaling == SinuosityScaling::Both;
    const double gamma = parameters_.upstream_weight;
    for (std::size_t i = 0; i < n; ++i) {
        const double local = kLocalWeight * local_rate_[i];
        rate_[i] = scaling_[i] * (gamma * upstream_rate_[i] + (scales_local ? local : 0.0)) +
                   (scales_local ? 0.0 : local);
    }
    return rate_;
}

void ChannelMigration::find_scaling(const std::vector<double>& x, const std::vector<double>& y,
                                    double mean_width) {
    constexpr double kExponent = -2.0 / 3.0;
    if (parameters_.sinuosity_scaling == SinuosityScaling::None) return void(scaling_.assign(x.size(), 1.0));
    if (parameters_.sinuosity_window > 0.0)
        return windowed_scaling(x, y, geometry_.segment, parameters_.sinuosity_window * mean_width, scaling_);
    const double chord = std::hypot(x.back() - x.front(), y.back() - y.front());
    scaling_.assign(x.size(), portable_power(bounded_sinuosity(geometry_.length, chord), kExponent));
}

void ChannelMigration::find_displacements(std::span<const float> mobility, const std::vector<float>& width,
                                          double years, std::vector<double>& displacement) {
    const std::size_t n = rate_.size();
    lambda_.resize(n);
    displacement.resize(n);
    const double spacing = geometry_.length / static_cast<double>(n - 1);
    const double factor = years * parameters_.rate / (spacing * spacing);
    const bool scales_local = parameters_.sinuosity_scaling == SinuosityScaling::Both;
    for (std::size_t i = 0; i < n; ++i) {
        const auto mobile = static_cast<double>(mobility[i]);
        lambda_[i] = factor * width[i] * mobile * (scales_local ? scaling_[i] : 1.0);
        displacement[i] = years * mobile * rate_[i];
    }
    diffusion_.factorise(lambda_);
    diffusion_.solve(displacement);
}

void ChannelMigration::step(ChannelLine& line, std::span<const float> mobility, double inflow, double years,
                            const Pull& pull) {
    const std::size_t n = line.size();
    move_x_.resize(n);
    move_y_.resize(n);
    rates(line.x, line.y, line.values, inflow);
    find_displacements(mobility, line.values.width, years, whole_);
    for (std::size_t i = 0; i < n; ++i) {
        move_x_[i] = whole_[i] * geometry_.normal_x[i];
        move_y_[i] = whole_[i] * geometry_.normal_y[i];
    }
    if (parameters_.time_scheme == TimeScheme::Extrapolated) extrapolate(line, mobility, inflow, years);
    if (!pull.x.empty()) add_pull(pull, mobility, years);
    move(line);
}

void ChannelMigration::extrapolate(const ChannelLine& line, std::span<const float> mobility, double inflow,
                                   double years) {
    const std::size_t n = line.size();
    half_x_.resize(n);
    half_y_.resize(n);
    find_displacements(mobility, line.values.width, 0.5 * years, half_);
    for (std::size_t i = 0; i < n; ++i) {
        half_x_[i] = half_[i] * geometry_.normal_x[i];
        half_y_[i] = half_[i] * geometry_.normal_y[i];
        move_x_[i] = 2.0 * half_x_[i] - move_x_[i];
        move_y_[i] = 2.0 * half_y_[i] - move_y_[i];
        half_x_[i] += line.x[i];
        half_y_[i] += line.y[i];
    }
    rates(half_x_, half_y_, line.values, inflow);
    find_displacements(mobility, line.values.width, 0.5 * years, half_);
    for (std::size_t i = 0; i < n; ++i) {
        move_x_[i] += 2.0 * half_[i] * geometry_.normal_x[i];
        move_y_[i] += 2.0 * half_[i] * geometry_.normal_y[i];
    }
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
    double furthest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double width = line.values.width[i];
        const double squared = (move_x_[i] * move_x_[i] + move_y_[i] * move_y_[i]) / (width * width);
        furthest = std::max(furthest, squared);
        const double limit = limit_ * limit_;
        const double share = squared > limit ? std::sqrt(limit / squared) : 1.0;
        line.x[i] += share * move_x_[i];
        line.y[i] += share * move_y_[i];
    }
    largest_displacement_ = std::sqrt(furthest);
}

}  // namespace thalweg
