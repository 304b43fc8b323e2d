#include "thalweg/riverscape/beds/bed_evaluator.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/riverscape/beds/weighing_pieces.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace thalweg {
namespace {

constexpr std::int64_t kFloatColumns = 12;
constexpr std::int64_t kIntColumns = 5;
constexpr std::int64_t kStreamColumns = 5;

/// The side of squares of points that is worth it, m.
double side_of_squares(const BedTree::Parts& parts) {
    return std::min<double>(parts.segments.cell_size(), parts.banks.cell_size());
}

NoiseCells noise_cells(std::uint64_t seed) {
    NoiseCells noise{};
    for (std::uint64_t octave = 0; octave < kWaveOctaves; ++octave) {
        noise.keys[octave] = random_bits(seed, Stream::Riverbed, octave, 7);
        noise.blocks[octave].column = std::numeric_limits<std::int32_t>::min();
    }
    return noise;
}

}  // namespace

BedEvaluator::BedEvaluator(const BedTree::Parts& parts, const BedOutput& output)
    : parts_(parts), output_(output), squares_(side_of_squares(parts)), noise_(noise_cells(parts.seed)) {
    constexpr std::size_t kPlaces = kTogether + kWidestVector;
    floats_.resize(kPlaces * kFloatColumns);
    ints_.resize(kPlaces * kIntColumns);
    stream_floats_.resize(kPlaces * kStreamColumns);
    stream_ints_.resize(kPlaces * 2);
}

BedPoint BedEvaluator::at(Position position) {
    gather_one(position);
    open(position, position);
    evaluate(0, 1);
    return point(0);
}

BedPoint BedEvaluator::at_by_all(Position position) {
    const auto pieces_of = [](const auto& nodes) {
        std::vector<std::uint32_t> pieces;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].per_square > 0.0F) pieces.push_back(static_cast<std::uint32_t>(i));
        return pieces;
    };
    open_pieces(pieces_of(parts_.primitives.nodes), pieces_of(parts_.primitives.banks));
    mounds_ = parts_.primitives.mounds;
    deflectors_ = parts_.primitives.deflectors;
    make_room();
    gather_one(position);
    evaluate(0, 1);
    return point(0);
}

BedStream BedEvaluator::stream_at(float x, float y, std::uint32_t course) {
    listed_.clear();
    for (const std::uint32_t i : parts_.segments.at(x, y))
        if (parts_.primitives.nodes[i].course == course) listed_.push_back(i);
    open_pieces(listed_, {});
    deflectors_.clear();
    make_room();
    std::array<float, kWidestVector> xs;
    std::array<float, kWidestVector> ys;
    xs.fill(x);
    ys.fill(y);
    std::array<std::array<float, kWidestVector>, 4> found;
    in_lanes([&](auto lanes) {
        channels_in_lanes<lanes()>(
            near(), scratch(),
            {1, xs.data(), ys.data(), found[0].data(), found[1].data(), found[2].data(), found[3].data()});
    });
    if (!(found[0][0] > 0.0F)) return {};
    return {.share = found[3][0], .across = found[1][0], .half_width = found[2][0], .is_there = true};
}

void BedEvaluator::gather(std::span<const Position> positions, std::span<const std::uint32_t> numbers) {
    const std::size_t count = numbers.size();
    if (gathered_x_.size() < count + kWidestVector) {
        gathered_x_.resize(count + kWidestVector);
        gathered_y_.resize(count + kWidestVector);
    }
    auto [west, south] = positions[numbers.front()];
    double east = west;
    double north = south;
    for (std::size_t i = 0; i < count; ++i) {
        const Position& p = positions[numbers[i]];
        gathered_x_[i] = p.x;
        gathered_y_[i] = p.y;
        west = std::min(west, p.x);
        south = std::min(south, p.y);
        east = std::max(east, p.x);
        north = std::max(north, p.y);
    }
    south_west_ = {west, south};
    north_east_ = {east, north};
    std::fill_n(gathered_x_.data() + count, kWidestVector, gathered_x_[count - 1]);
    std::fill_n(gathered_y_.data() + count, kWidestVector, gathered_y_[count - 1]);
}

void BedEvaluator::gather_one(Position position) {
    constexpr std::uint32_t kOnly = 0;
    gather({&position, 1}, {&kOnly, 1});
}

void BedEvaluator::open(Position south_west, Position north_east) {
    const Position& origin = parts_.primitives.origin;
    const auto west = static_cast<float>(south_west.x - origin.x);
    const auto south = static_cast<float>(south_west.y - origin.y);
    const auto east = static_cast<float>(north_east.x - origin.x);
    const auto north = static_cast<float>(north_east.y - origin.y);
    const float x = 0.5F * (west + east);
    const float y = 0.5F * (south + north);
    const float half_width = std::max(x - west, east - x);
    const float half_height = std::max(y - south, north - y);
    constexpr float kRounding = 1.0001F;
    const float reach = kRounding * std::sqrt(half_width * half_width + half_height * half_height);
    weighing_segments_.clear();
    parts_.segments.list_within(west, south, east, north, listed_);
    // The stream function is differenced to the points beside, and rocks count within two steps.
    float widest = 0.0F;
    for (const std::uint32_t i : listed_)
        widest = std::max({widest, parts_.primitives.nodes[i].section.half_width,
                           parts_.primitives.nodes[i + 1].section.half_width});
    const float beside = 0.02F * widest + 0.01F;
    for_each_course(listed_, parts_.primitives.nodes, [&](auto of_course) {
        append_weighing(x, y, reach + beside, of_course, parts_.primitives.nodes, shares_,
                        weighing_segments_);
    });
    weighing_banks_.clear();
    parts_.banks.list_within(west, south, east, north, listed_);
    append_weighing(x, y, reach, listed_, parts_.primitives.banks, shares_, weighing_banks_);
    open_pieces(weighing_segments_, weighing_banks_);
    mounds_.clear();
    parts_.mounds.list_within(west, south, east, north, listed_);
    for (const std::uint32_t i : listed_) mounds_.push_back(parts_.primitives.mounds[i]);
    deflectors_.clear();
    if (!channels_.empty()) {
        parts_.deflectors.list_within(west - beside, south - beside, east + beside, north + beside, listed_);
        for (const std::uint32_t i : listed_) deflectors_.push_back(parts_.primitives.deflectors[i]);
    }
    make_room();
}

void BedEvaluator::open_pieces(std::span<const std::uint32_t> segments,
                               std::span<const std::uint32_t> banks) {
    channels_.clear();
    for (const std::uint32_t i : segments) channels_.push_back(channel_piece(parts_.primitives, i));
    banks_.clear();
    for (const std::uint32_t i : banks) banks_.push_back(bank_piece(parts_.primitives, i));
}

void BedEvaluator::make_room() {
    const std::size_t pieces = std::max(channels_.size(), banks_.size());
    const std::size_t columns = std::size_t{3} * kWidestVector * pieces;
    if (near_.size() < columns) near_.resize(columns);
    const std::size_t numbers = pieces + channels_.size() + deflectors_.size();
    if (pieces_.size() < numbers) pieces_.resize(numbers);
}

NearPrimitives BedEvaluator::near() const {
    constexpr double kStep = 0.0025;          // m
    constexpr double kOfCoordinate = 1.2e-7;  // more than the rounding of a float
    const Grid& grid = parts_.elevation.grid();
    const double farthest = 0.5 * std::max(grid.width(), grid.height());
    return {.channels = channels_.data(),
            .channel_count = std::ssize(channels_),
            .banks = banks_.data(),
            .bank_count = std::ssize(banks_),
            .mounds = mounds_.data(),
            .mound_count = std::ssize(mounds_),
            .deflectors = deflectors_.data(),
            .deflector_count = std::ssize(deflectors_),
            .least_step = static_cast<float>(std::max(kStep, kOfCoordinate * farthest))};
}

BedScratch BedEvaluator::scratch() {
    const std::size_t pieces = std::max(channels_.size(), banks_.size());
    return {&noise_, near_.data(), pieces_.data(), pieces_.data() + pieces,
            pieces_.data() + pieces + channels_.size()};
}

BedColumns BedEvaluator::columns(std::int64_t count) {
    constexpr std::size_t kPlaces = kTogether + kWidestVector;
    const auto floats = [&](std::size_t column) { return floats_.data() + column * kPlaces; };
    const auto ints = [&](std::size_t column) { return ints_.data() + column * kPlaces; };
    return {.count = count,
            .x = floats(0),
            .y = floats(1),
            .terrain = floats(2),
            .elevation = floats(3),
            .mounds = floats(4),
            .water = floats(5),
            .depth = floats(6),
            .half_width = floats(7),
            .discharge = floats(8),
            .flowing = floats(9),
            .flow_x = floats(10),
            .flow_y = floats(11),
            .material = ints(0),
            .course = ints(1),
            .valley = ints(2),
            .has_flow = ints(3),
            .is_shallow = ints(4)};
}

void BedEvaluator::evaluate(std::size_t first, std::size_t count) {
    const BedColumns points = columns(static_cast<std::int64_t>(count));
    evaluate_terrain(first, count);
    std::fill_n(points.flow_x, count, 0.0F);
    std::fill_n(points.flow_y, count, 0.0F);
    if (!channels_.empty() || !banks_.empty() || !mounds_.empty()) return evaluate_beds(first, count);
    std::copy_n(points.terrain, count, points.elevation);
    std::fill_n(points.mounds, count, 0.0F);
    std::fill_n(points.water, count, kNoData);
    std::fill_n(points.material, count, static_cast<std::int32_t>(BedMaterial::Ground));
    std::fill_n(points.course, count, -1);
}

/// T: sample_bicubic, to the bit.
void BedEvaluator::evaluate_terrain(std::size_t first, std::size_t count) {
    const Grid& grid = parts_.elevation.grid();
    float* const terrain = floats_.data() + 2 * (kTogether + kWidestVector);
    const bool has_all = in_lanes([&](auto lanes) {
        return terrain_in_lanes<lanes()>({.elevation = parts_.elevation.data(),
                                          .columns = grid.columns,
                                          .rows = grid.rows,
                                          .cell_size = grid.cell_size,
                                          .west = grid.west,
                                          .north = grid.north},
                                         gathered_x_.data() + first, gathered_y_.data() + first,
                                         static_cast<std::int64_t>(count), terrain);
    });
    for (std::size_t i = 0; i < count && !has_all; ++i)
        if (is_no_data(terrain[i]))
            terrain[i] = sample_bilinear(parts_.elevation, {gathered_x_[first + i], gathered_y_[first + i]});
}

void BedEvaluator::evaluate_beds(std::size_t first, std::size_t count) {
    constexpr std::size_t kPlaces = kTogether + kWidestVector;
    float* const x = floats_.data();
    float* const y = x + kPlaces;
    float* const terrain = y + kPlaces;
    const Position origin = parts_.primitives.origin;
    for (std::size_t i = 0; i < count + kWidestVector - 1; ++i) {
        x[i] = static_cast<float>(gathered_x_[first + i] - origin.x);
        y[i] = static_cast<float>(gathered_y_[first + i] - origin.y);
    }
    std::fill_n(terrain + count, kWidestVector - 1, kNoData);
    const BedColumns points = columns(static_cast<std::int64_t>(count));
    in_lanes([&](auto lanes) { beds_in_lanes<lanes()>(near(), output_, scratch(), points); });
    if (output_.has_velocity || output_.has_least_depth) evaluate_streams(points.count);
    in_lanes([&](auto lanes) { let_flow_in_lanes<lanes()>(output_, points); });
}

/// Takes points out whose flow is to be known, and puts that back.
void BedEvaluator::evaluate_streams(std::int64_t count) {
    constexpr std::size_t kPlaces = kTogether + kWidestVector;
    const BedColumns points = columns(count);
    const auto floats = [&](std::size_t column) { return stream_floats_.data() + column * kPlaces; };
    std::int32_t* const numbers = stream_ints_.data();
    std::int32_t* const valley = stream_ints_.data() + kPlaces;
    std::size_t found = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        if (points.has_flow[i] == 0) continue;
        numbers[found] = static_cast<std::int32_t>(i);
        floats(0)[found] = points.x[i];
        floats(1)[found] = points.y[i];
        floats(2)[found] = points.half_width[i];
        valley[found] = points.valley[i];
        ++found;
    }
    if (found == 0) return;
    for (std::size_t i = found; i < found + kWidestVector - 1; ++i) {
        for (std::size_t column = 0; column < 3; ++column) floats(column)[i] = floats(column)[found - 1];
        valley[i] = valley[found - 1];
    }
    in_lanes([&](auto lanes) {
        streams_in_lanes<lanes()>(near(), scratch(),
                                  {static_cast<std::int64_t>(found), floats(0), floats(1), floats(2), valley,
                                   floats(3), floats(4)});
    });
    for (std::size_t i = 0; i < found; ++i) {
        points.flow_x[numbers[i]] = floats(3)[i];
        points.flow_y[numbers[i]] = floats(4)[i];
    }
}

BedPoint BedEvaluator::point(std::size_t i) const {
    constexpr std::size_t kPlaces = kTogether + kWidestVector;
    const auto of = [&](std::size_t column) { return floats_[column * kPlaces + i]; };
    const std::int32_t course = ints_[kPlaces + i];
    BedPoint point{.sample = {}, .course = course, .mounds = of(4), .water = of(5)};
    point.sample.elevation = of(3);
    point.sample.material = static_cast<BedMaterial>(ints_[i]);
    if (course < 0) return point;
    point.sample.water = of(5);
    if (!output_.has_velocity) return point;
    point.sample.velocity_x = of(10);
    point.sample.velocity_y = of(11);
    return point;
}

}  // namespace thalweg
