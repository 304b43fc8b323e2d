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

/// The elimination of I - lambda d^2/ds^2, point after point.
struct Elimination {
    float lambda = -1.0F;  // of the point before
    float factor = 0.0F;
    float gain = 0.0F;
    bool is_settled = false;  // both are what they were, and stay so while lambda does

    void go_on(float next) {
        if (is_settled && next == lambda) return;
        gain = 1.0F / (1.0F + 2.0F * next - next * factor);
        is_settled = next == lambda && factor == next * gain;
        factor = next * gain;
        lambda = next;
    }
};

void back_substitute(const std::vector<float>& factor, std::vector<float>& value, std::size_t first,
                     std::size_t end) {
    const float behind = end < value.size() ? value[end] : 0.0F;
    in_lanes([&](auto lanes) {
        recur_back_in_lanes<lanes()>(factor.data() + first, value.data() + first, value.data() + first,
                                     static_cast<std::int64_t>(end - first), behind);
    });
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
    if (parameters_.sinuosity_scaling != SinuosityScaling::Both) ones_.assign(x.size(), 1.0F);
    if (parameters_.sinuosity_scaling == SinuosityScaling::None) return void(scaling_ = ones_);
    if (parameters_.sinuosity_window > 0.0) {
        scaling_.resize(x.size());
        return windowed_scaling(x, y, geometry_.segment, parameters_.sinuosity_window * mean_width, scaling_);
    }
    const double chord = std::hypot(x.back() - x.front(), y.back() - y.front());
    const double sinuosity = bounded_sinuosity(geometry_.length, chord);
    scaling_.assign(x.size(), static_cast<float>(portable_power(sinuosity, kExponent)));
}

/// Of the term of the bends here.
const float* ChannelMigration::local_scaling() const {
    return parameters_.sinuosity_scaling == SinuosityScaling::Both ? scaling_.data() : ones_.data();
}

/// Of I - lambda d^2/ds^2, lambda = years k w mobility sigma^(-2/3) / spacing^2, into triangles. Where lambda
/// is the same for long, so are the factors: no division then.
void ChannelMigration::factorise(std::span<const float> mobility, const std::vector<float>& width,
                                 Displacement& displacement) {
    const std::size_t n = width.size();
    for (std::vector<float>* column : {&displacement.factor, &displacement.gain, &displacement.value})
        column->resize(n);
    const double spacing = geometry_.length / static_cast<double>(n - 1);
    const auto unit = static_cast<float>(displacement.years * parameters_.rate / (spacing * spacing));
    const auto years = static_cast<float>(displacement.years);
    const float* const scaling = local_scaling();
    std::array<float, kBlock> lambda{};
    Elimination elimination;
    for_each_block(n, [&](std::size_t first, std::size_t end) {
        int others = 0;  // than that of the point before the block
        for (std::size_t i = first; i < end; ++i) {
            lambda[i - first] = unit * width[i] * mobility[i] * scaling[i];
            others += lambda[i - first] != elimination.lambda ? 1 : 0;
        }
        if (others == 0 && elimination.is_settled) {
            const float gain = elimination.gain * years;
            for (std::size_t i = first; i < end; ++i) displacement.factor[i] = elimination.factor;
            for (std::size_t i = first; i < end; ++i) displacement.gain[i] = gain * mobility[i];
            return;
        }
        for (std::size_t i = first; i < end; ++i) {
            elimination.go_on(lambda[i - first]);
            displacement.factor[i] = elimination.factor;
            displacement.gain[i] = elimination.gain * years * mobility[i];
        }
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
                            .scaling = scaling_.data() + first,
                            .local_scaling = local_scaling() + first,
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
        for (Displacement* const displacement : displacements) {
            const auto points = static_cast<std::int64_t>(end - first);
            float* const value = displacement->value.data() + first;
            const float before = first > 0 ? value[-1] : 0.0F;
            in_lanes([&](auto lanes) {
                multiply_in_lanes<lanes()>(displacement->gain.data() + first, rate_.data() + first, value,
                                           points);
                recur_in_lanes<lanes()>(displacement->factor.data() + first, value, value, points, before);
            });
        }
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
    factorise(mobility, line.values.width, whole_);
    if (parameters_.time_scheme == TimeScheme::Extrapolated) {
        half_.years = 0.5 * years;
        factorise(mobility, line.values.width, half_);
        find_displacements(line.x, line.y, line.values, inflow, {&whole_, &half_});
        go_half_way(line);
        // The second half step keeps the factors of the first: what they change is of third order.
        find_displacements(half_x_, half_y_, line.values, inflow, {&half_});
        move(line, mobility, pull, 2.0F, half_);
    } else {
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
        for (Displacement* const displacement : {&whole_, &half_})
            back_substitute(displacement->factor, displacement->value, first, end);
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
        back_substitute(displacement.factor, displacement.value, first, end);
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
        const double length = std::hypot(move_x_[i], move_y_[i]);
        if (length <= most) continue;
        move_x_[i] *= static_cast<float>(most / length);
        move_y_[i] *= static_cast<float>(most / length);
    }
}

}  // namespace thalweg
