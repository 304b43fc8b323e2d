#include "thalweg/meander/channel/channel_migration.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/channel_geometry.hpp"
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

/// Points that go through all of half a step together, so that what is found of them stays in the second
/// cache (empirical).
constexpr std::size_t kPiece = 16 * kBlock;

/// A share of a displacement that rounding hides, 1.
constexpr float kUnfelt = 1e-9F;

/// Calls body(first, end) for the blocks of a part of a line, which begins with one, from its head on or from
/// its end.
template <class Body>
void for_each_block(std::size_t from, std::size_t to, const Body& body) {
    for (std::size_t first = from; first < to; first += kBlock) body(first, std::min(to, first + kBlock));
}
template <class Body>
void for_each_block_from_end(std::size_t from, std::size_t to, const Body& body) {
    for (std::size_t end = to; end > from; end = (end - 1) / kBlock * kBlock)
        body((end - 1) / kBlock * kBlock, end);
}

}  // namespace

const std::vector<float>& ChannelMigration::rates(const std::vector<double>& x, const std::vector<double>& y,
                                                  const PointValues& values, double inflow) {
    const std::size_t n = x.size();
    const double length = in_lanes([&](auto lanes) {
        return length_in_lanes<lanes()>(x.data(), y.data(), static_cast<std::int64_t>(n));
    });
    find_scaling(x, y, length, values.width[n / 2]);
    first_ = 0;
    for (std::vector<float>* column : {&normal_x_, &normal_y_, &rate_}) column->resize(n);
    filter_.upstream = static_cast<float>(inflow);
    for_each_block(0, n, [&](std::size_t first, std::size_t end) {
        find_rates(x.data() + first, y.data() + first, values, first, end);
    });
    outflow_ = filter_.upstream;
    return rate_;
}

bool ChannelMigration::is_windowed() const {
    return parameters_.sinuosity_window > 0.0 && parameters_.sinuosity_scaling != SinuosityScaling::None;
}

/// Of a line of this length (m), whose points or, without windows, ends are given.
void ChannelMigration::find_scaling(std::span<const double> x, std::span<const double> y, double length,
                                    double mean_width) {
    constexpr double kExponent = -2.0 / 3.0;
    ones_.assign(kBlock, 1.0F);
    if (parameters_.sinuosity_scaling == SinuosityScaling::None) return void(scaling_ = ones_);
    if (is_windowed()) return windowed_scaling(x, y, parameters_.sinuosity_window * mean_width, scaling_);
    const double chord = std::hypot(x.back() - x.front(), y.back() - y.front());
    const double sinuosity = bounded_sinuosity(length, chord);
    scaling_.assign(kBlock, static_cast<float>(portable_power(sinuosity, kExponent)));
}

const float* ChannelMigration::scaling_from(std::size_t first) const {
    return scaling_.data() + (is_windowed() ? first : 0);
}

/// Of the term of the bends here.
const float* ChannelMigration::local_scaling_from(std::size_t first) const {
    return parameters_.sinuosity_scaling == SinuosityScaling::Both ? scaling_from(first) : ones_.data();
}

/// The stabilising term's lambda = years k w mobility sigma^(-2/3) / spacing^2 in a block, and the factors
/// that it gives.
void ChannelMigration::factorise(std::span<const float> mobility, const std::vector<float>& width,
                                 std::size_t first, std::size_t end, AllSmoothed all) {
    std::array<float, kBlock> lambda;  // of a year
    const bool are_alike = in_lanes([&](auto lanes) {
        return lambdas_in_lanes<lanes()>(width.data() + first, mobility.data() + first,
                                         local_scaling_from(first), unit_lambda_, known_lambda_,
                                         lambda.data(), static_cast<std::int64_t>(end - first));
    });
    known_lambda_ = lambda[end - first - 1];
    for (Smoothed* const smoothed : all)
        smoothed->displacement.eliminate(std::span(lambda).first(end - first), mobility, first, are_alike);
}

/// Bends, J and R of a block, whose points are `x` and `y`; its neighbours on the line lie beside them.
void ChannelMigration::find_rates(const double* x, const double* y, const PointValues& values,
                                  std::size_t first, std::size_t end) {
    const bool is_head = first == 0;
    const bool is_end = end == values.width.size();
    const auto points = static_cast<std::int64_t>(end - first);
    const bool by_depth = parameters_.memory == MemoryLength::Friction;
    const double scale_of_memory = by_depth ? 2.0 * parameters_.friction_factor : kMemoryOfWidth;
    const LineColumns line{.x = x,
                           .y = y,
                           .segment = filter_.segment.data() + 1,
                           .curvature = filter_.curvature.data(),
                           .normal_x = normal_x_.data() + (first - first_),
                           .normal_y = normal_y_.data() + (first - first_)};
    const FilterColumns columns{.segment = line.segment,
                                .curvature = line.curvature,
                                .width = values.width.data() + first,
                                .scale = (by_depth ? values.depth.data() : values.width.data()) + first,
                                .rate = static_cast<float>(parameters_.rate),
                                .doubled = static_cast<float>(2.0 * scale_of_memory),
                                .local_rate = filter_.local_rate.data() + 1,
                                .decay = filter_.decay.data(),
                                .source = filter_.source.data()};
    const RateColumns terms{.upstream = filter_.source.data(),
                            .local_rate = columns.local_rate,
                            .scaling = scaling_from(first),
                            .local_scaling = local_scaling_from(first),
                            .upstream_weight = static_cast<float>(parameters_.upstream_weight),
                            .local_weight = kLocalWeight,
                            .rate = rate_.data() + (first - first_)};
    filter_.decay[0] = 1.0F;  // at the line's first point, where nothing is added to the inflow
    filter_.source[0] = 0.0F;
    measure_bends(line, points, is_head, is_end);
    in_lanes([&](auto lanes) {
        filter_in_lanes<lanes()>(columns, is_head, points);
        filter_.upstream =
            recur_in_lanes<lanes()>(columns.decay, columns.source, columns.source, points, filter_.upstream);
        rates_in_lanes<lanes()>(terms, points);
    });
    filter_.local_rate[0] = columns.local_rate[points - 1];
}

/// Forward substitution in a block.
void ChannelMigration::substitute(std::size_t first, std::size_t end, AllSmoothed all) {
    const std::size_t at = first - first_;
    for (Smoothed* const smoothed : all)
        smoothed->displacement.substitute(first, end, rate_.data() + at, smoothed->value.data() + at);
}

/// Calls find(first, end) for block after block of a line, which leaves forward substituted values, and
/// finish(first, end) for each block once they are substituted back: for piece after piece of the line, from
/// its end. That begins so far behind a piece that no more is felt in it.
template <class Find, class Finish>
void ChannelMigration::sweep(std::size_t points, AllSmoothed all, const Find& find, const Finish& finish) {
    std::size_t found = 0;
    const auto find_to = [&](std::size_t end) {
        if (end <= found) return;
        make_room(end, all);
        for_each_block(found, end, find);
        found = end;
    };
    first_ = 0;
    for (std::size_t first = 0; first < points; first += kPiece) {
        const std::size_t end = std::min(points, first + kPiece);
        drop_before(first, found, all);
        find_to(end);
        for (Smoothed* const smoothed : all) {
            std::size_t felt = end;
            for (float share = 1.0F; felt < points && share > kUnfelt;) {
                const std::size_t next = std::min(points, felt + kBlock);
                find_to(next);
                share *= smoothed->displacement.passed_on(felt, next, kUnfelt);
                felt = next;
            }
            std::array<float, kBlock> beyond;
            smoothed->behind = 0.0F;
            for_each_block_from_end(end, felt, [&](std::size_t from, std::size_t to) {
                substitute_back(*smoothed, from, to, beyond.data());
            });
        }
        for_each_block_from_end(first, end, [&](std::size_t from, std::size_t to) {
            for (Smoothed* const smoothed : all)
                substitute_back(*smoothed, from, to, smoothed->value.data() + (from - first_));
            finish(from, to);
        });
    }
}

void ChannelMigration::substitute_back(Smoothed& smoothed, std::size_t first, std::size_t end,
                                       float* displacement) const {
    smoothed.behind = smoothed.displacement.substitute_back(
        first, end, smoothed.behind, smoothed.value.data() + (first - first_), displacement);
}

/// For points up to `end` of the line.
void ChannelMigration::make_room(std::size_t end, AllSmoothed all) {
    const auto widen = [&](std::vector<float>& column) {
        if (column.size() < end - first_) column.resize(end - first_);
    };
    for (std::vector<float>* column : {&normal_x_, &normal_y_, &rate_}) widen(*column);
    for (Smoothed* const smoothed : all) widen(smoothed->value);
}

/// Points before `first` are no longer under way; those from there to `end` are.
void ChannelMigration::drop_before(std::size_t first, std::size_t end, AllSmoothed all) {
    const auto drop = [&](std::vector<float>& column) {
        if (first < end)
            std::copy(column.data() + (first - first_), column.data() + (end - first_), column.data());
    };
    for (std::vector<float>* column : {&normal_x_, &normal_y_, &rate_}) drop(*column);
    for (Smoothed* const smoothed : all) drop(smoothed->value);
    first_ = first;
}

void ChannelMigration::step(ChannelLine& line, std::span<const float> mobility, double inflow, double years,
                            const Pull& pull) {
    const std::size_t n = line.size();
    for (std::vector<float>* column : {&move_x_, &move_y_, &half_x_, &half_y_}) column->resize(n);
    const double length = length_of(line);
    const double spacing = length / static_cast<double>(n - 1);
    find_scaling(line.x, line.y, length, line.values.width[n / 2]);
    unit_lambda_ = static_cast<float>(parameters_.rate / (spacing * spacing));
    known_lambda_ = -1.0F;
    whole_.displacement.begin(n, years);
    half_.displacement.begin(n, 0.5 * years);
    largest_displacement_ = 0.0;
    if (parameters_.time_scheme == TimeScheme::SemiImplicit) return go_at_once(line, mobility, inflow, pull);
    go_half_way(line, mobility, inflow);
    go_on_from_half_way(line, mobility, inflow, pull);
}

void ChannelMigration::go_at_once(ChannelLine& line, std::span<const float> mobility, double inflow,
                                  const Pull& pull) {
    filter_.upstream = static_cast<float>(inflow);
    const auto find = [&](std::size_t first, std::size_t end) {
        factorise(mobility, line.values.width, first, end, {&whole_});
        find_rates(line.x.data() + first, line.y.data() + first, line.values, first, end);
        substitute(first, end, {&whole_});
    };
    for (std::vector<float>* column : {&move_x_, &move_y_}) std::ranges::fill(*column, 0.0F);
    sweep(line.size(), {&whole_}, find,
          [&](std::size_t first, std::size_t end) { move(line, mobility, pull, 1.0F, whole_, first, end); });
    outflow_ = filter_.upstream;
}

/// Half a step of points, and moves that are twice that less the whole step.
void ChannelMigration::go_half_way(const ChannelLine& line, std::span<const float> mobility, double inflow) {
    filter_.upstream = static_cast<float>(inflow);
    const auto find = [&](std::size_t first, std::size_t end) {
        factorise(mobility, line.values.width, first, end, {&whole_, &half_});
        find_rates(line.x.data() + first, line.y.data() + first, line.values, first, end);
        substitute(first, end, {&whole_, &half_});
    };
    half_way_length_ = 0.0;
    const std::size_t n = line.size();
    sweep(n, {&whole_, &half_}, find, [&](std::size_t first, std::size_t end) {
        const std::size_t at = first - first_;
        // Segments to points that have gone half way: blocks of a piece are finished from its end.
        const std::size_t from = first > 0 && first % kPiece == 0 ? first - 1 : first;
        const std::size_t to = end == n || end % kPiece == 0 ? end : end + 1;
        in_lanes([&](auto lanes) {
            half_moves_in_lanes<lanes()>(moves_from(line, first), half_.value.data() + at,
                                         whole_.value.data() + at, static_cast<std::int64_t>(end - first));
            half_way_length_ += half_way_length_in_lanes<lanes()>(moves_from(line, from),
                                                                  static_cast<std::int64_t>(to - from));
        });
    });
}

/// The second half step keeps the factors of the first: what they change is of third order.
void ChannelMigration::go_on_from_half_way(ChannelLine& line, std::span<const float> mobility, double inflow,
                                           const Pull& pull) {
    const std::size_t n = line.size();
    const auto place = [&](std::size_t first, std::size_t end, double* x, double* y) {
        MoveColumns columns = moves_from(line, first);
        columns.moved_x = x;
        columns.moved_y = y;
        in_lanes([&](auto lanes) {
            place_half_way_in_lanes<lanes()>(columns, static_cast<std::int64_t>(end - first));
        });
    };
    if (is_windowed()) {
        for (std::vector<double>* column : {&half_way_x_, &half_way_y_}) column->resize(n);
        place(0, n, half_way_x_.data(), half_way_y_.data());
        find_scaling(half_way_x_, half_way_y_, half_way_length_, line.values.width[n / 2]);
    } else {
        std::array<double, 2> x;
        std::array<double, 2> y;
        place(0, 1, x.data(), y.data());
        place(n - 1, n, x.data() + 1, y.data() + 1);
        find_scaling(x, y, half_way_length_, line.values.width[n / 2]);
    }
    filter_.upstream = static_cast<float>(inflow);
    const auto find = [&](std::size_t first, std::size_t end) {
        std::array<double, kBlock + 2> x;  // from the point before the block to that behind it
        std::array<double, kBlock + 2> y;
        const std::size_t before = first > 0 ? 1 : 0;
        place(first - before, std::min(n, end + 1), x.data() + 1 - before, y.data() + 1 - before);
        find_rates(x.data() + 1, y.data() + 1, line.values, first, end);
        substitute(first, end, {&half_});
    };
    sweep(n, {&half_}, find,
          [&](std::size_t first, std::size_t end) { move(line, mobility, pull, 2.0F, half_, first, end); });
    outflow_ = filter_.upstream;
}

/// Columns from point `first` of the line on; normals where that is under way.
MoveColumns ChannelMigration::moves_from(const ChannelLine& line, std::size_t first) {
    const std::size_t at = first - std::min(first, first_);
    return {.normal_x = normal_x_.data() + at,
            .normal_y = normal_y_.data() + at,
            .move_x = move_x_.data() + first,
            .move_y = move_y_.data() + first,
            .half_x = half_x_.data() + first,
            .half_y = half_y_.data() + first,
            .x = line.x.data() + first,
            .y = line.y.data() + first,
            .moved_x = nullptr,
            .moved_y = nullptr};
}

/// Adds `factor` of a displacement, and the pull, to the moves of a block; then moves.
void ChannelMigration::move(ChannelLine& line, std::span<const float> mobility, const Pull& pull,
                            float factor, const Smoothed& smoothed, std::size_t first, std::size_t end) {
    if (!pull.x.empty()) add_pull(pull, mobility, smoothed.displacement.years() * factor, first, end);
    const auto points = static_cast<std::int64_t>(end - first);
    MoveColumns columns = moves_from(line, first);
    columns.moved_x = line.x.data() + first;
    columns.moved_y = line.y.data() + first;
    const float furthest = in_lanes([&](auto lanes) {
        return moves_in_lanes<lanes()>(columns, factor, smoothed.value.data() + (first - first_),
                                       line.values.width.data() + first, points);
    });
    largest_displacement_ = std::max(largest_displacement_, std::sqrt(static_cast<double>(furthest)));
    if (furthest > static_cast<float>(limit_ * limit_)) limit_moves(line, first, end);
    in_lanes([&](auto lanes) { add_moves_in_lanes<lanes()>(columns, points); });
}

void ChannelMigration::add_pull(const Pull& pull, std::span<const float> mobility, double years,
                                std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        const float way = static_cast<float>(years) * mobility[i] * std::abs(rate_[i - first_]);
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
