#include "thalweg/erosion/fans/fan_lobes.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/erosion/fans/fan_apexes.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr int kPopsPerPoll = 1 << 12;
constexpr int kMostSteps = 100;
constexpr double kVolumeError = 1e-9;     // of the volume
constexpr float kWayError = 1e-2F;        // of the way across a cell, by which ways may be too long
constexpr double kGrowth = 1.2;           // of covered nodes, from one ceiling to the next
constexpr double kBackfill = 0.5;         // of L, up the river, at most
constexpr double kLeastEdgeSlope = 0.01;  // m/m, by which a fan falls beyond the map at least

// How much ways differ from place to place (empirical).
constexpr NoiseParameters kRoughness = {.kind = NoiseKind::Gradient,
                                        .amplitude = 0.8,
                                        .mean = 1.0,
                                        .wavelength = 1000.0,  // m
                                        .octaves = 3};

/// The grid with a margin of one cell.
Grid with_margin(Grid grid) {
    grid.columns += 2;
    grid.rows += 2;
    grid.west -= grid.cell_size;
    grid.north += grid.cell_size;
    return grid;
}

}  // namespace

LobeLayer::LobeLayer(const FanInputs& inputs, Progress& progress)
    : inputs_(inputs),
      grid_(with_margin(inputs.elevation.grid())),
      steps_(grid_),
      roughness_(evaluate_noise(grid_, kRoughness, inputs.seed, progress)),
      ground_(at(grid_.cells()), kNoData),
      node_(at(grid_.cells()), -1),
      main_donor_(main_donors(inputs.tree)) {
    for_each_polled(0, inputs.elevation.size(), [&](std::int64_t cell) {
        ground_[at(place_of(static_cast<std::int32_t>(cell)))] = inputs.elevation[cell];
    });
}

void LobeLayer::lay(const FanApex& apex, std::int32_t fan, int number, double volume, Progress& progress) {
    clear();
    LobeShape shape(inputs_, apex, number);
    start(apex, shape);
    const double demanded = volume / grid_.cell_area();  // m, summed over cells
    const double top = flood(shape, 4.0 * std::sqrt(apex.area), demanded, progress);
    for (const std::int32_t i : covered_) {
        const Node& node = nodes_[at(i)];
        const double here = thickness(node, top);
        if (!(here > 0.0)) continue;
        ground_[at(node.place)] = static_cast<float>(static_cast<double>(node.ground) + here);
        deposits_.push_back({fan, cell_of(node.place), static_cast<float>(here)});
    }
}

Field<float> LobeLayer::ground() const {
    Field<float> ground = inputs_.elevation;
    for (const LobeDeposit& deposit : deposits_) ground[deposit.cell] = ground_[at(place_of(deposit.cell))];
    return ground;
}

void LobeLayer::clear() {
    for (const Node& node : nodes_) node_[at(node.place)] = -1;
    nodes_.clear();
    covered_.clear();
    sides_.clear();
    queue_ = {};
    need_sum_ = 0.0;
    level_ = -std::numeric_limits<double>::infinity();
    complete_ = 0;
    ceiling_ = std::numeric_limits<double>::infinity();
    next_ceiling_ = 0;
    is_bent_ = false;
}

/// From the apex at 0, and up the river from below 0.
void LobeLayer::start(const FanApex& apex, LobeShape& shape) {
    double way = 0.0;
    const double reach = kBackfill * 4.0 * std::sqrt(apex.area);
    for (std::int32_t cell = apex.cell; cell >= 0 && way < reach;) {
        shorten(nodes_[at(node_at(place_of(cell), shape))], static_cast<float>(-way), shape);
        cell = main_donor_[at(cell)];
        if (cell >= 0)
            way += grid_.cell_size * (inputs_.tree.direction[at(cell)] % 2 == 0 ? 1.0 : std::numbers::sqrt2);
    }
}

/// Covers ground, and returns the top of the lobe on it, m.
double LobeLayer::flood(LobeShape& shape, double reach, double demanded, Progress& progress) {
    for (int pops = 0; !queue_.empty(); ++pops) {
        if (pops % kPopsPerPoll == 0) progress.poll();
        const std::int32_t number = node_[at(queue_.pop().cell)];
        const Node& node = nodes_[at(number)];
        if (node.is_covered) continue;
        if (node.need >= ceiling_) break;
        const bool is_higher = node.need >= level_;
        if (is_higher) {
            level_ = node.need;
            complete_ = covered_.size();
        }
        if (static_cast<double>(node.way) > reach) {
            covered_.resize(complete_);
            return top_of(demanded, level_);
        }
        cover(number, shape, demanded);
        if (is_higher) complete_ = covered_.size();
    }
    return top_of(demanded, ceiling_);
}

void LobeLayer::cover(std::int32_t number, LobeShape& shape, double demanded) {
    Node& node = nodes_[at(number)];
    node.is_covered = true;
    covered_.push_back(number);
    need_sum_ += node.need;
    is_bent_ = is_bent_ || node.need < level_ || node.water > node.ground;
    add_sides(number, shape);
    look_beside(number, shape);
    // It grows as ways beside become shorter too.
    for (std::size_t next = 0; next < shortened_.size();) look_beside(shortened_[next++], shape);
    shortened_.clear();
    lower_ceiling(demanded);
}

/// The top at which the volume would lie on the nodes that are covered falls with each of them. It is exact
/// where the lobe lies on all of them and on nothing else; elsewhere it is too high, and found anew now and
/// then.
void LobeLayer::lower_ceiling(double demanded) {
    ceiling_ = std::min(ceiling_, (demanded + need_sum_) / static_cast<double>(covered_.size()));
    if (!is_bent_ || covered_.size() < next_ceiling_) return;
    ceiling_ = top_of(demanded, ceiling_);
    next_ceiling_ = static_cast<std::size_t>(kGrowth * static_cast<double>(covered_.size())) + 1;
}

void LobeLayer::look_beside(std::int32_t number, LobeShape& shape) {
    steps_.for_each(nodes_[at(number)].place, [&](std::int32_t place) {
        if (!is_no_data(ground_[at(place)])) look_at(place, shape);
    });
}

/// The way to a place over those covered beside it.
void LobeLayer::look_at(std::int32_t place, LobeShape& shape) {
    const std::int32_t number = node_at(place, shape);
    const float a = std::min(covered_way(place - 1), covered_way(place + 1));
    const float b = std::min(covered_way(place - steps_.row), covered_way(place + steps_.row));
    Node& node = nodes_[at(number)];
    const float way = upwind(a, b, node.rise);
    if (!(way < node.way - (node.is_covered ? kWayError * node.rise : 0.0F))) return;
    shorten(node, way, shape);
    if (node.is_covered) shortened_.push_back(number);
}

void LobeLayer::shorten(Node& node, float way, const LobeShape& shape) {
    const double before = node.need;
    node.way = way;
    node.need = height_of_surface(static_cast<double>(node.ground), static_cast<double>(node.water)) +
                shape.drop(static_cast<double>(way)) + static_cast<double>(node.channels);
    if (node.is_covered)
        need_sum_ += node.need - before;
    else
        queue_.push(static_cast<float>(node.need), node.place);
}

/// The number of the node at a place, which is made where there is none.
std::int32_t LobeLayer::node_at(std::int32_t place, LobeShape& shape) {
    std::int32_t& number = node_[at(place)];
    if (number >= 0) return number;
    number = static_cast<std::int32_t>(nodes_.size());
    const Position position = grid_.centre(grid_.column_of(place), grid_.row_of(place));
    const double roughness = static_cast<double>(roughness_[place]);
    nodes_.push_back({.place = place,
                      .ground = ground_[at(place)],
                      .water = inputs_.water_at(cell_of(place)),
                      .way = kNotReached,
                      .rise = static_cast<float>(grid_.cell_size * roughness * shape.cost(position)),
                      .channels = static_cast<float>(shape.channels(position))});
    return number;
}

float LobeLayer::covered_way(std::int32_t place) const {
    const std::int32_t number = node_[at(place)];
    return number >= 0 && nodes_[at(number)].is_covered ? nodes_[at(number)].way : kNotReached;
}

void LobeLayer::add_sides(std::int32_t number, const LobeShape& shape) {
    const Node& node = nodes_[at(number)];
    const Position position = grid_.centre(grid_.column_of(node.place), grid_.row_of(node.place));
    const double east = position.x - shape.apex().x, north = position.y - shape.apex().y;
    const double distance = std::max(grid_.cell_size, std::hypot(east, north));
    const double before = std::max(
        0.0, static_cast<double>(node.ground) - static_cast<double>(inputs_.elevation[cell_of(node.place)]));
    const auto add = [&](std::int32_t beside, double along) {
        if (!is_no_data(ground_[at(beside)]) || !(along > 0.0)) return;
        const double slope = std::max(kLeastEdgeSlope, shape.slope(static_cast<double>(node.way)) *
                                                           static_cast<double>(node.rise) / grid_.cell_size);
        const double share = along / distance / grid_.cell_size;
        sides_.push_back({number, before, share / (2.0 * slope), share / (6.0 * slope * slope * distance)});
        is_bent_ = true;
    };
    add(node.place - 1, -east);
    add(node.place + 1, east);
    add(node.place - steps_.row, north);
    add(node.place + steps_.row, -north);
}

double LobeLayer::thickness(const Node& node, double top) {
    const auto ground = static_cast<double>(node.ground), water = static_cast<double>(node.water);
    if (!(water > ground)) return top - node.need;
    return fan_surface(top - node.need + height_of_surface(ground, water), water) - ground;
}

/// What the lobe holds with this top, on the map and beyond, m summed over cells; and what it gains by a
/// metre.
LobeLayer::Held LobeLayer::held(double top) const {
    Held all;
    for (const std::int32_t number : covered_) {
        const Node& node = nodes_[at(number)];
        const double here = thickness(node, top);
        if (!(here > 0.0)) continue;
        all.volume += here;
        all.gain += 1.0;
    }
    for (const Side& side : sides_) {
        const double here = thickness(nodes_[at(side.node)], top);
        if (!(here > 0.0)) continue;
        const double thick = side.before + here;
        all.volume += thick * thick * (side.square + thick * side.cube) -
                      side.before * side.before * (side.square + side.before * side.cube);
        all.gain += thick * (2.0 * side.square + 3.0 * thick * side.cube);
    }
    return all;
}

/// The top with which the nodes that are covered hold the volume, or `high` where that is too low. Newton's
/// steps within a bracket.
double LobeLayer::top_of(double demanded, double high) const {
    if (covered_.empty() || held(high).volume <= demanded) return high;
    double low = high, top = high;
    for (const std::int32_t number : covered_) low = std::min(low, nodes_[at(number)].need);
    for (int i = 0; i < kMostSteps; ++i) {
        const Held all = held(top);
        if (std::abs(all.volume - demanded) <= kVolumeError * demanded) break;
        (all.volume > demanded ? high : low) = top;
        const double next = all.gain > 0.0 ? top - (all.volume - demanded) / all.gain : low;
        top = next > low && next < high ? next : 0.5 * (low + high);
    }
    return top;
}

std::int32_t LobeLayer::place_of(std::int32_t cell) const {
    return cell + grid_.columns + 1 + 2 * (cell / (grid_.columns - 2));
}

std::int32_t LobeLayer::cell_of(std::int32_t place) const {
    return place - grid_.columns - 1 - 2 * (place / grid_.columns - 1);
}

}  // namespace thalweg
