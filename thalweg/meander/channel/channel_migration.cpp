#include "thalweg/meander/channel/channel_migration.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/meander/channel/sinuosity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace thalweg {
namespace {

/// alpha times the width, where memory follows that: bends are then 11 widths long.
constexpr double kMemoryOfWidth = 0.75;

constexpr float kLocalWeight = -1.0F;  // omega, 1

constexpr auto kBlock = static_cast<std::size_t>(kPointsInBlock);

/// Calls body(first, end) for blocks of a line, from its head on or from its end.
template <class Body>
void for_each_block(std::size_t points, const Body& body) {
    for (std::size_t first = 0; first < points; first += kBlock)
        body(first, std::min(points, first + kBlock));
}
template <class Body>
void for_each_block_from_end(std::size_t points, const Body& body) {
    for (std::size_t end = points; end > 0; end = (end - 1) / kBlock * kBlock)
        body((end - 1) / kBlock * kBlock, end);
}

}  // namespace

/// J along a line, block after block.
struct ChannelMigration::UpstreamFilter {
    float upstream = 0.0F;                        // J at the point before, m/yr
    std::array<float, kBlock + 1> local_rate{};   // R0 from the point before on, m/yr
    std::array<float, kBlock> decay{}, source{};  // of J
};

const std::vector<float>& ChannelMigration::rates(const std::vector<double>& x, const std::vector<double>& y,
                                                  const PointValues& values, double inflow) {
    geometry_.measure_segments(x, y);
    find_scaling(x, y, values.width[x.size() / 2]);
    find_displacements(x, y, values, inflow, {});
    return rate_;
}

void ChannelMigration::find_scaling(const std::vector<double>& x, const std::vector<double>& y,
                                    double mean_width) {
    constexpr double kExponent = -2.0 / 3.0;
    ones_.assign(kBlock, 1.0F);
    if (parameters_.sinuosity_scaling == SinuosityScaling::None) return void(scaling_ = ones_);
    if (parameters_.sinuosity_window > 0.0) {
        scaling_.resize(x.size());
        return windowed_scaling(x, y, geometry_.segment, parameters_.sinuosity_window * mean_width, scaling_);
    }
    const double chord = std::hypot(x.back() - x.front(), y.back() - y.front());
    const double sinuosity = bounded_sinuosity(geometry_.length, chord);
    scaling_.assign(kBlock, static_cast<float>(portable_power(sinuosity, kExponent)));
}

const float* ChannelMigration::scaling_from(std::size_t first) const {
    const bool is_windowed =
        parameters_.sinuosity_window > 0.0 && parameters_.sinuosity_scaling != SinuosityScaling::None;
    return scaling_.data() + (is_windowed ? first : 0);
}

/// Of the term of the bends here.
const float* ChannelMigration::local_scaling_from(std::size_t first) const {
    return parameters_.sinuosity_scaling == SinuosityScaling::Both ? scaling_from(first) : ones_.data();
}

void ChannelMigration::Elimination::go_on(float next) {
    if (is_settled && next == lambda) return;
    gain = 1.0F / (1.0F + 2.0F * next - next * factor);
    is_settled = next == lambda && factor == next * gain;
    factor = next * gain;
    lambda = next;
}

/// Of I - lambda d^2/ds^2, lambda = years k w mobility sigma^(-2/3) / spacing^2, into triangles. Where lambda
/// is the same for long, so are the factors: no division then, and one for a whole block.
void ChannelMigration::factorise(std::span<const float> mobility, const std::vector<float>& width,
                                 std::initializer_list<Displacement*> displacements) {
    const std::size_t n = width.size();
    for (Displacement* const displacement : displacements) {
        displacement->elimination = {};
        displacement->even.resize((n + kBlock - 1) / kBlock);
        for (std::vector<float>* column : {&displacement->factor, &displacement->gain, &displacement->value})
            column->resize(n);
    }
    const double spacing = geometry_.length / static_cast<double>(n - 1);
    const auto unit = static_cast<float>(parameters_.rate / (spacing * spacing));
    std::array<float, kBlock> lambda{};  // of a year
    float before = -1.0F;                // of the point before
    for_each_block(n, [&](std::size_t first, std::size_t end) {
        const bool are_alike = in_lanes([&](auto lanes) {
            return lambdas_in_lanes<lanes()>(width.data() + first, mobility.data() + first,
                                             local_scaling_from(first), unit, before, lambda.data(),
                                             static_cast<std::int64_t>(end - first));
        });
        before = lambda[end - first - 1];
        for (Displacement* const displacement : displacements)
            eliminate(*displacement, std::span(lambda).first(end - first), mobility, first, are_alike);
    });
}

/// In a block.
void ChannelMigration::eliminate(Displacement& displacement, std::span<const float> lambda,
                                 std::span<const float> mobility, std::size_t first, bool are_alike) {
    constexpr float kUneven = -1.0F;
    const auto years = static_cast<float>(displacement.years);
    Elimination& elimination = displacement.elimination;
    const bool is_even = are_alike && elimination.is_settled;
    displacement.even[first / kBlock] = {.decay = is_even ? elimination.factor : kUneven,
                                         .gain = is_even ? elimination.gain * years * mobility[first] : 0.0F};
    if (is_even) return;
    for (std::size_t i = 0; i < lambda.size(); ++i) {
        elimination.go_on(years * lambda[i]);
        displacement.factor[first + i] = elimination.factor;
        displacement.gain[first + i] = elimination.gain * years * mobility[first + i];
    }
}

/// Forward substitution in a block, of R.
void ChannelMigration::substitute(Displacement& displacement, std::size_t first, std::size_t end) {
    const auto points = static_cast<std::int64_t>(end - first);
    float* const value = displacement.value.data() + first;
    const float* const rate = rate_.data() + first;
    const float before = first > 0 ? value[-1] : 0.0F;
    const EvenSteps& even = displacement.even[first / kBlock];
    in_lanes([&](auto lanes) {
        if (even.decay >= 0.0F) return recur_evenly_in_lanes<lanes()>(even, rate, value, points, before);
        multiply_in_lanes<lanes()>(displacement.gain.data() + first, rate, value, points);
        return recur_in_lanes<lanes()>(displacement.factor.data() + first, value, value, points, before);
    });
}

void ChannelMigration::substitute_back(Displacement& displacement, std::size_t first, std::size_t end) {
    const auto points = static_cast<std::int64_t>(end - first);
    float* const value = displacement.value.data() + first;
    const float behind = end < displacement.value.size() ? value[points] : 0.0F;
    const EvenSteps even{.decay = displacement.even[first / kBlock].decay, .gain = 1.0F};
    in_lanes([&](auto lanes) {
        if (even.decay >= 0.0F)
            return recur_evenly_back_in_lanes<lanes()>(even, value, value, points, behind);
        return recur_back_in_lanes<lanes()>(displacement.factor.data() + first, value, value, points, behind);
    });
}

/// Bends, J and R of a block.
void ChannelMigration::find_rates(const std::vector<double>& x, const std::vector<double>& y,
                                  const PointValues& values, UpstreamFilter& filter, std::size_t first,
                                  std::size_t end) {
    geometry_.measure_bends(x, y, first, end);
    const bool by_depth = parameters_.memory == MemoryLength::Friction;
    const double scale_of_memory = by_depth ? 2.0 * parameters_.friction_factor : kMemoryOfWidth;
    const FilterColumns columns{.segment = geometry_.segment.data() + first,
                                .curvature = geometry_.curvature.data() + first,
                                .width = values.width.data() + first,
                                .scale = (by_depth ? values.depth.data() : values.width.data()) + first,
                                .rate = static_cast<float>(parameters_.rate),
                                .doubled = static_cast<float>(2.0 * scale_of_memory),
                                .local_rate = filter.local_rate.data() + 1,
                                .decay = filter.decay.data(),
                                .source = filter.source.data()};
    const RateColumns terms{.upstream = filter.source.data(),
                            .local_rate = columns.local_rate,
                            .scaling = scaling_from(first),
                            .local_scaling = local_scaling_from(first),
                            .upstream_weight = static_cast<float>(parameters_.upstream_weight),
                            .local_weight = kLocalWeight,
                            .rate = rate_.data() + first};
    const auto points = static_cast<std::int64_t>(end - first);
    filter.decay[0] = 1.0F;  // at the line's first point, where nothing is added to the inflow
    filter.source[0] = 0.0F;
    in_lanes([&](auto lanes) {
        filter_in_lanes<lanes()>(columns, first == 0, points);
        filter.upstream =
            recur_in_lanes<lanes()>(columns.decay, columns.source, columns.source, points, filter.upstream);
        rates_in_lanes<lanes()>(terms, points);
    });
    filter.local_rate[0] = columns.local_rate[points - 1];
}

/// Block after block down the line: R, and forward substitution. What is left is back substitution, up it.
void ChannelMigration::find_displacements(const std::vector<double>& x, const std::vector<double>& y,
                                          const PointValues& values, double inflow,
                                          std::initializer_list<Displacement*> displacements) {
    rate_.resize(x.size());
    UpstreamFilter filter{.upstream = static_cast<float>(inflow)};
    for_each_block(x.size(), [&](std::size_t first, std::size_t end) {
        find_rates(x, y, values, filter, first, end);
        for (Displacement* const displacement : displacements) substitute(*displacement, first, end);
    });
    outflow_ = filter.upstream;
}

void ChannelMigration::step(ChannelLine& line, std::span<const float> mobility, double inflow, double years,
                            const Pull& pull) {
    const std::size_t n = line.size();
    for (std::vector<float>* column : {&move_x_, &move_y_}) column->resize(n);
    geometry_.measure_segments(line.x, line.y);
    find_scaling(line.x, line.y, line.values.width[n / 2]);
    whole_.years = years;
    half_.years = 0.5 * years;
    if (parameters_.time_scheme == TimeScheme::Extrapolated) {
        factorise(mobility, line.values.width, {&whole_, &half_});
        find_displacements(line.x, line.y, line.values, inflow, {&whole_, &half_});
        go_half_way(line);
        // The second half step keeps the factors of the first: what they change is of third order.
        find_displacements(half_x_, half_y_, line.values, inflow, {&half_});
        move(line, mobility, pull, 2.0F, half_);
    } else {
        factorise(mobility, line.values.width, {&whole_});
        for (std::vector<float>* column : {&move_x_, &move_y_}) std::ranges::fill(*column, 0.0F);
        find_displacements(line.x, line.y, line.values, inflow, {&whole_});
        move(line, mobility, pull, 1.0F, whole_);
    }
}

/// Points after half a step, and moves that are twice that less the whole step.
void ChannelMigration::go_half_way(const ChannelLine& line) {
    const std::size_t n = line.size();
    half_x_.resize(n);
    half_y_.resize(n);
    for_each_block_from_end(n, [&](std::size_t first, std::size_t end) {
        for (Displacement* const displacement : {&whole_, &half_}) substitute_back(*displacement, first, end);
        MoveColumns columns = moves_from(first);
        columns.x = line.x.data() + first;
        columns.y = line.y.data() + first;
        columns.moved_x = half_x_.data() + first;
        columns.moved_y = half_y_.data() + first;
        in_lanes([&](auto lanes) {
            half_moves_in_lanes<lanes()>(columns, half_.value.data() + first, whole_.value.data() + first,
                                         static_cast<std::int64_t>(end - first));
        });
    });
    geometry_.measure_segments(half_x_, half_y_);
    find_scaling(half_x_, half_y_, line.values.width[n / 2]);
}

MoveColumns ChannelMigration::moves_from(std::size_t first) {
    return {.normal_x = geometry_.normal_x.data() + first,
            .normal_y = geometry_.normal_y.data() + first,
            .move_x = move_x_.data() + first,
            .move_y = move_y_.data() + first,
            .x = nullptr,
            .y = nullptr,
            .moved_x = nullptr,
            .moved_y = nullptr};
}

/// Adds `factor` of a displacement, and the pull, to the moves; then moves.
void ChannelMigration::move(ChannelLine& line, std::span<const float> mobility, const Pull& pull,
                            float factor, Displacement& displacement) {
    float furthest = 0.0F;
    const auto limit = static_cast<float>(limit_ * limit_);
    for_each_block_from_end(line.size(), [&](std::size_t first, std::size_t end) {
        const auto points = static_cast<std::int64_t>(end - first);
        substitute_back(displacement, first, end);
        if (!pull.x.empty()) add_pull(pull, mobility, displacement.years * factor, first, end);
        MoveColumns columns = moves_from(first);
        columns.moved_x = line.x.data() + first;
        columns.moved_y = line.y.data() + first;
        const float in_block = in_lanes([&](auto lanes) {
            return moves_in_lanes<lanes()>(columns, factor, displacement.value.data() + first,
                                           line.values.width.data() + first, points);
        });
        furthest = std::max(furthest, in_block);
        if (in_block > limit) limit_moves(line, first, end);
        in_lanes([&](auto lanes) { add_moves_in_lanes<lanes()>(columns, points); });
    });
    largest_displacement_ = std::sqrt(static_cast<double>(furthest));
}

void ChannelMigration::add_pull(const Pull& pull, std::span<const float> mobility, double years,
                                std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        const float way = static_cast<float>(years) * mobility[i] * std::abs(rate_[i]);
        move_x_[i] += way * pull.x[i];
        move_y_[i] += way * pull.y[i];
    }
}

/// Shortens the moves that are too long.
void ChannelMigration::limit_moves(const ChannelLine& line, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        const double most = limit_ * line.values.width[i];
        const double squared = move_x_[i] * move_x_[i] + move_y_[i] * move_y_[i];
        if (squared <= most * most) continue;
        const auto share = static_cast<float>(most / std::sqrt(squared));
        move_x_[i] *= share;
        move_y_[i] *= share;
    }
}

}  // namespace thalweg
