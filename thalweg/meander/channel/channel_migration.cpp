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
    FoundPoints& found = under_way_;
    found.first = 0;
    for (std::vector<float>* column : {&found.normal_x, &found.normal_y, &found.rate}) column->resize(n);
    filter_.upstream = static_cast<float>(inflow);
    for_each_block(0, n, [&](std::size_t first, std::size_t end) {
        find_rates(x.data() + first, y.data() + first, values, first, end, found, found.rate.data() + first);
    });
    outflow_ = filter_.upstream;
    return found.rate;
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
    std::array<Displacement*, 2> displacements{};
    for (std::size_t k = 0; k < all.size(); ++k) displacements[k] = &all[k].displacement;
    Displacement::eliminate(std::span(displacements).first(all.size()), std::span(lambda).first(end - first),
                            mobility, first, are_alike);
}

/// Bends, J and R of a block, whose points are `x` and `y`; its neighbours on the line lie beside them.
void ChannelMigration::find_rates(const double* x, const double* y, const PointValues& values,
                                  std::size_t first, std::size_t end, FoundPoints& found, float* rate) {
    const bool is_head = first == 0;
    const bool is_end = end == values.width.size();
    const auto points = static_cast<std::int64_t>(end - first);
    const bool by_depth = parameters_.memory == MemoryLength::Friction;
    const double scale_of_memory = by_depth ? 2.0 * parameters_.friction_factor : kMemoryOfWidth;
    const LineColumns line{.x = x,
                           .y = y,
                           .segment = filter_.segment.data() + 1,
                           .curvature = filter_.curvature.data(),
                           .normal_x = found.normal_x.data() + (first - found.first),
                           .normal_y = found.normal_y.data() + (first - found.first)};
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
                            .rate = rate};
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

/// Forward substitution in a block, the values of which are from `at` on.
void ChannelMigration::substitute(std::size_t first, std::size_t end, std::size_t at, const float* rate,
                                  AllSmoothed all) {
    for (const Smoothed& smoothed : all)
        smoothed.displacement.substitute(first, end, rate, smoothed.value.data() + at);
}

/// Calls find(first, end) for block after block of a line, which leaves forward substituted values, and
/// finish(first, end) for each block once they are substituted back: for piece after piece of the line, from
/// its end. That begins so far behind a piece that no more is felt in it. Points before a piece are dropped,
/// where there is no room for all.
template <class Find, class Finish>
void ChannelMigration::sweep(std::size_t points, FoundPoints& found, AllSmoothed all, const Find& find,
                             const Finish& finish) {
    std::size_t found_to = 0;
    const auto find_to = [&](std::size_t end) {
        if (end <= found_to) return;
        make_room(end, found, all);
        for_each_block(found_to, end, find);
        found_to = end;
    };
    found.first = 0;
    if (found.are_all) make_room(points, found, all);
    const auto substitute_back = [&](Smoothed& smoothed, std::size_t first, std::size_t end, float* value) {
        smoothed.behind = smoothed.displacement.substitute_back(
            first, end, smoothed.behind, smoothed.value.data() + (first - found.first), value);
    };
    for (std::size_t first = 0; first < points; first += kPiece) {
        const std::size_t end = std::min(points, first + kPiece);
        if (!found.are_all) drop_before(first, found_to, found, all);
        find_to(end);
        for (Smoothed& smoothed : all) {
            std::size_t felt = end;
            for (float share = 1.0F; felt < points && share > kUnfelt;) {
                const std::size_t next = std::min(points, felt + kBlock);
                find_to(next);
                share *= smoothed.displacement.passed_on(felt, next, kUnfelt);
                felt = next;
            }
            std::array<float, kBlock> beyond;
            smoothed.behind = 0.0F;
            for_each_block_from_end(end, felt, [&](std::size_t from, std::size_t to) {
                substitute_back(smoothed, from, to, beyond.data());
            });
        }
        for_each_block_from_end(first, end, [&](std::size_t from, std::size_t to) {
            for (Smoothed& smoothed : all)
                substitute_back(smoothed, from, to, smoothed.value.data() + (from - found.first));
            finish(from, to);
        });
    }
}

/// For points up to `end` of the line.
void ChannelMigration::make_room(std::size_t end, FoundPoints& found, AllSmoothed all) {
    const auto widen = [&](std::vector<float>& column) {
        if (column.size() < end - found.first) column.resize(end - found.first);
    };
    for (std::vector<float>* column : {&found.normal_x, &found.normal_y}) widen(*column);
    if (!found.are_all) widen(found.rate);
    for (const Smoothed& smoothed : all) widen(smoothed.value);
}

/// Points before `first` are no longer under way; those from there to `end` are.
void ChannelMigration::drop_before(std::size_t first, std::size_t end, FoundPoints& found, AllSmoothed all) {
    const auto drop = [&](std::vector<float>& column) {
        if (first < end)
            std::copy(column.data() + (first - found.first), column.data() + (end - found.first),
                      column.data());
    };
    for (std::vector<float>* column : {&found.normal_x, &found.normal_y, &found.rate}) drop(*column);
    for (const Smoothed& smoothed : all) drop(smoothed.value);
    found.first = first;
}

void ChannelMigration::step(ChannelLine& line, std::span<const float> mobility, double inflow, double years,
                            const Pull& pull) {
    const std::size_t n = line.size();
    const double length = length_of(line);
    const double spacing = length / static_cast<double>(n - 1);
    find_scaling(line.x, line.y, length, line.values.width[n / 2]);
    unit_lambda_ = static_cast<float>(parameters_.rate / (spacing * spacing));
    known_lambda_ = -1.0F;
    whole_.begin(n, years);
    half_.begin(n, 0.5 * years);
    largest_displacement_ = 0.0;
    if (parameters_.time_scheme == TimeScheme::SemiImplicit) return go_at_once(line, mobility, inflow, pull);
    go_half_way(line, mobility, inflow);
    go_on_from_half_way(line, mobility, inflow, pull);
}

void ChannelMigration::go_at_once(ChannelLine& line, std::span<const float> mobility, double inflow,
                                  const Pull& pull) {
    FoundPoints& found = under_way_;
    std::array<Smoothed, 1> all = {Smoothed{.displacement = whole_, .value = found.half}};
    filter_.upstream = static_cast<float>(inflow);
    const auto find = [&](std::size_t first, std::size_t end) {
        const std::size_t at = first - found.first;
        factorise(mobility, line.values.width, first, end, all);
        find_rates(line.x.data() + first, line.y.data() + first, line.values, first, end, found,
                   found.rate.data() + at);
        substitute(first, end, at, found.rate.data() + at, all);
    };
    sweep(line.size(), found, all, find, [&](std::size_t first, std::size_t end) {
        move_x_.fill(0.0F);
        move_y_.fill(0.0F);
        if (!pull.x.empty()) add_pull(pull, mobility, whole_.years(), first, end);
        move(line, 1.0F, first, end);
    });
    outflow_ = filter_.upstream;
}

/// Displacements of half a step and of the whole one.
void ChannelMigration::go_half_way(const ChannelLine& line, std::span<const float> mobility, double inflow) {
    const std::size_t n = line.size();
    FoundPoints& found = half_way_;
    std::array<Smoothed, 2> all = {Smoothed{.displacement = whole_, .value = found.whole},
                                   Smoothed{.displacement = half_, .value = found.half}};
    filter_.upstream = static_cast<float>(inflow);
    const auto find = [&](std::size_t first, std::size_t end) {
        factorise(mobility, line.values.width, first, end, all);
        find_rates(line.x.data() + first, line.y.data() + first, line.values, first, end, found,
                   filter_.rate.data());
        substitute(first, end, first, filter_.rate.data(), all);
    };
    half_way_length_ = 0.0;
    sweep(n, found, all, find, [&](std::size_t first, std::size_t end) {
        // Segments to points that have gone half way: blocks of a piece are finished from its end.
        const std::size_t from = first > 0 && first % kPiece == 0 ? first - 1 : first;
        const std::size_t to = end == n || end % kPiece == 0 ? end : end + 1;
        half_way_length_ += in_lanes([&](auto lanes) {
            return half_way_length_in_lanes<lanes()>(line.x.data() + from, line.y.data() + from,
                                                     half_step_from(from),
                                                     static_cast<std::int64_t>(to - from));
        });
    });
}

/// sigma^(-2/3) after half a step.
void ChannelMigration::scale_half_way(const ChannelLine& line) {
    const std::size_t n = line.size();
    const double mean_width = line.values.width[n / 2];
    if (is_windowed()) {
        for (std::vector<double>* column : {&half_way_x_, &half_way_y_}) column->resize(n);
        place_half_way(line, 0, n, half_way_x_.data(), half_way_y_.data());
        return find_scaling(half_way_x_, half_way_y_, half_way_length_, mean_width);
    }
    std::array<double, 2> x;
    std::array<double, 2> y;
    place_half_way(line, 0, 1, x.data(), y.data());
    place_half_way(line, n - 1, n, x.data() + 1, y.data() + 1);
    find_scaling(x, y, half_way_length_, mean_width);
}

/// The second half step keeps the factors of the first: what they change is of third order.
void ChannelMigration::go_on_from_half_way(ChannelLine& line, std::span<const float> mobility, double inflow,
                                           const Pull& pull) {
    const std::size_t n = line.size();
    FoundPoints& found = under_way_;
    std::array<Smoothed, 1> all = {Smoothed{.displacement = half_, .value = found.half}};
    scale_half_way(line);
    filter_.upstream = static_cast<float>(inflow);
    const auto find = [&](std::size_t first, std::size_t end) {
        std::array<double, kBlock + 2> x;  // from the point before the block to that behind it
        std::array<double, kBlock + 2> y;
        const std::size_t before = first > 0 ? 1 : 0;
        place_half_way(line, first - before, std::min(n, end + 1), x.data() + 1 - before,
                       y.data() + 1 - before);
        const std::size_t at = first - found.first;
        find_rates(x.data() + 1, y.data() + 1, line.values, first, end, found, found.rate.data() + at);
        substitute(first, end, at, found.rate.data() + at, all);
    };
    sweep(n, found, all, find, [&](std::size_t first, std::size_t end) {
        in_lanes([&](auto lanes) {
            first_moves_in_lanes<lanes()>(half_step_from(first), move_x_.data(), move_y_.data(),
                                          static_cast<std::int64_t>(end - first));
        });
        if (!pull.x.empty()) add_pull(pull, mobility, 2.0 * half_.years(), first, end);
        move(line, 2.0F, first, end);
    });
    outflow_ = filter_.upstream;
}

HalfStepColumns ChannelMigration::half_step_from(std::size_t first) const {
    return {.normal_x = half_way_.normal_x.data() + first,
            .normal_y = half_way_.normal_y.data() + first,
            .half = half_way_.half.data() + first,
            .whole = half_way_.whole.data() + first};
}

void ChannelMigration::place_half_way(const ChannelLine& line, std::size_t first, std::size_t end, double* x,
                                      double* y) const {
    in_lanes([&](auto lanes) {
        place_half_way_in_lanes<lanes()>(line.x.data() + first, line.y.data() + first, half_step_from(first),
                                         x, y, static_cast<std::int64_t>(end - first));
    });
}

/// Adds `factor` of the displacement under way to the moves of a block; then moves.
void ChannelMigration::move(ChannelLine& line, float factor, std::size_t first, std::size_t end) {
    const auto points = static_cast<std::int64_t>(end - first);
    const std::size_t at = first - under_way_.first;
    const MoveColumns columns{.normal_x = under_way_.normal_x.data() + at,
                              .normal_y = under_way_.normal_y.data() + at,
                              .width = line.values.width.data() + first,
                              .move_x = move_x_.data(),
                              .move_y = move_y_.data()};
    in_lanes([&](auto lanes) {
        const float furthest = moves_in_lanes<lanes()>(columns, factor, under_way_.half.data() + at, points);
        largest_displacement_ = std::max(largest_displacement_, std::sqrt(static_cast<double>(furthest)));
        if (furthest > static_cast<float>(limit_ * limit_))
            limit_moves_in_lanes<lanes()>(columns, limit_, points);
        add_moves_in_lanes<lanes()>(move_x_.data(), move_y_.data(), line.x.data() + first,
                                    line.y.data() + first, points);
    });
}

/// To the moves of a block.
void ChannelMigration::add_pull(const Pull& pull, std::span<const float> mobility, double years,
                                std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        const float rate = under_way_.rate[i - under_way_.first];
        const float way = static_cast<float>(years) * mobility[i] * std::abs(rate);
        move_x_[i - first] += way * pull.x[i];
        move_y_[i - first] += way * pull.y[i];
    }
}

}  // namespace thalweg
