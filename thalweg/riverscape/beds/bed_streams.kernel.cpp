#include "thalweg/riverscape/beds/bed_points.hpp"
#include "thalweg/riverscape/beds/noise_lanes.hpp"
#include "thalweg/riverscape/beds/piece_lanes.hpp"
#include "thalweg/riverscape/courses/section_profile.hpp"

#include <cstddef>
#include <cstdint>

namespace thalweg {
namespace {

constexpr int kSides = 4;  // of a point: east, west, north, south
constexpr int kPointsOfSides = kLanes / kSides;
constexpr unsigned kGroup = (1U << kPointsOfSides) - 1U;
constexpr int kStreamFrom = kSectionNumbers - kStreamNumbers;

/// Adds a rock to the sum of what holds the stream.
[[gnu::always_inline]] inline void weigh_in(const BedDeflector& rock, Floats x, Floats y, Floats& weight,
                                            Floats& sum) {
    constexpr float kAtRock = 1e-3F;
    constexpr float kSlack = 1.001F;
    const Floats east = x - rock.x;
    const Floats north = y - rock.y;
    if (!any_of(east * east + north * north < kSlack * rock.reach * rock.reach)) return;
    const Floats distance = length_of(east, north);
    const Floats r = clamped((distance - rock.core) / (rock.reach - rock.core), 0.0F, 1.0F);
    const Floats bent = rock.part * (1.0F - quintic(r));
    const Floats of_rock = distance < rock.reach ? bent / (1.0F - bent + kAtRock) : Floats{};
    weight += of_rock;
    sum += of_rock * rock.share;
}

/// The sides of a vector of points, one point after the other: as many vectors.
class Sides {
  public:
    Sides(Floats x, Floats y, Floats step) {
        float east[kLanes], west[kLanes], north[kLanes], south[kLanes], middle_x[kLanes], middle_y[kLanes];
        store(east, x + step);
        store(west, x - step);
        store(north, y + step);
        store(south, y - step);
        store(middle_x, x);
        store(middle_y, y);
        for (int i = 0; i < kLanes; ++i) {
            float* const to_x = x_ + std::ptrdiff_t{kSides} * i;
            float* const to_y = y_ + std::ptrdiff_t{kSides} * i;
            to_x[0] = east[i];
            to_x[1] = west[i];
            to_x[2] = to_x[3] = middle_x[i];
            to_y[0] = to_y[1] = middle_y[i];
            to_y[2] = north[i];
            to_y[3] = south[i];
        }
    }

    [[nodiscard]] Floats x(int vector) const { return load(x_ + std::ptrdiff_t{kLanes} * vector); }
    [[nodiscard]] Floats y(int vector) const { return load(y_ + std::ptrdiff_t{kLanes} * vector); }

  private:
    float x_[kSides * kLanes];
    float y_[kSides * kLanes];
};

/// The streams of one valley's channels after the other, at up to a vector of points.
class Streams {
  public:
    Streams(const NearPrimitives& near, const BedScratch& scratch, CornerLanes& corners, Floats x, Floats y,
            Floats half_width)
        : near_(near),
          scratch_(scratch),
          x_(x),
          y_(y),
          step_(stream_step(half_width, near.least_step)),
          sides_(x, y, step_),
          noise_{{corners, sides_.x(0), sides_.y(0)},
                 {corners, sides_.x(1), sides_.y(1)},
                 {corners, sides_.x(2), sides_.y(2)},
                 {corners, sides_.x(3), sides_.y(3)}} {
        east_to_west_ = (x + step_) - (x - step_);
        north_to_south_ = (y + step_) - (y - step_);
    }

    /// Adds the flow of a course, whose pieces are [first, end), to the lanes of a mask.
    void add(std::int64_t first, std::int64_t end, Ints where, Floats& flow_x, Floats& flow_y) {
        list_pieces(first, end, where);
        if (pieces_ == 0) return;
        list_rocks(near_.channels[first].course, where);
        float streams[kSides * kLanes];
        for (int group = 0; group < kSides; ++group) {
            const std::ptrdiff_t at = std::ptrdiff_t{group} * kLanes;
            const bool is_asked = ((bits_of(where) >> (group * kPointsOfSides)) & kGroup) != 0;
            store(streams + at, is_asked ? stream(group) : Floats{});
        }
        Floats of_side[kSides];
        for (int side = 0; side < kSides; ++side)
            for (int i = 0; i < kLanes; ++i) of_side[side][i] = streams[kSides * i + side];
        // Beyond their supports streams change no more.
        const auto share = [&](Floats change, Floats way) {
            const Ints is_finite = where & (change - change == 0.0F);
            return is_finite ? change / way : Floats{};
        };
        flow_x += share(of_side[2] - of_side[3], north_to_south_);
        flow_y -= share(of_side[0] - of_side[1], east_to_west_);
    }

  private:
    /// Lists pieces that weigh in within a step of the points, and few others.
    void list_pieces(std::int64_t first, std::int64_t end, Ints where) {
        constexpr float kRounding = 0.002F;  // of shares
        Floats greatest = Floats{} + 1.0F;   // that the least share may be
        float* const least_shares = scratch_.near;
        const Floats reach = 1.01F * step_;
        pieces_ = 0;
        for (std::int64_t k = first; k < end; ++k) {
            const ChannelPiece& piece = near_.channels[k];
            const NearestPlace place = nearest_place(piece, x_, y_);
            const float from = edge_of(piece, 0.0F);
            const float to = edge_of(piece, 1.0F);
            const float widest = from < to ? to : from;
            const Floats farthest = widest + reach;
            if (!any_of(where & (place.square <= farthest * farthest * (1.0F + kRounding)))) continue;
            // The distance changes by `reach` at most, and the edge as much as it does along so much of the
            // piece.
            const Floats distance = square_root(place.square);
            const Floats edge = edge_of(piece, place.t);
            const Floats part = reach * piece.per_length;
            const Floats change =
                (to < from ? from - to : to - from) * (part < 1.0F ? part : Floats{} + 1.0F);
            const Floats most = (distance + reach) / (edge - change);
            const Ints is_less = (edge > change) & (most < greatest);
            greatest = is_less ? most : greatest;
            store(least_shares + pieces_ * kLanes, (distance - reach) / (edge + change));
            scratch_.weighing[pieces_++] = static_cast<std::int32_t>(k);
        }
        std::int64_t kept = 0;
        const Floats limit = greatest + (kMerging + kRounding);
        for (std::int64_t k = 0; k < pieces_; ++k)
            if (any_of(where & (load(least_shares + k * kLanes) < limit)))
                scratch_.weighing[kept++] = scratch_.weighing[k];
        pieces_ = kept;
    }

    /// Lists rocks of a course that reach a point or its sides.
    void list_rocks(std::uint32_t course, Ints where) {
        rocks_ = 0;
        for (std::int64_t i = 0; i < near_.deflector_count; ++i) {
            const BedDeflector& rock = near_.deflectors[i];
            if (rock.course != course) continue;
            const Floats east = x_ - rock.x;
            const Floats north = y_ - rock.y;
            const Floats reach = rock.reach + 1.5F * step_;
            if (any_of(where & (east * east + north * north < reach * reach)))
                scratch_.rocks[rocks_++] = static_cast<std::int32_t>(i);
        }
    }

    /// The stream function of the course, m^3/s, with its rocks; NaN where its pieces do not reach.
    Floats stream(int group) {
        constexpr float kAtBank = 1e-6F;
        const Floats x = sides_.x(group);
        const Floats y = sides_.y(group);
        const Floats none = Floats{} + __builtin_nanf("");
        NearPieces near(scratch_);
        const auto listed = [&](std::int64_t k) { return scratch_.weighing[k]; };
        const MergedChannel<kStreamFrom> channel =
            merged<kStreamFrom>(near_.channels, pieces_, listed, x, y, near);
        const Ints is_there = channel.weight > 0.0F;
        if (!any_of(is_there)) return none;
        const Floats across =
            clamped(across_water(channel, across_stream(channel), noise_[group], is_there), -1.0F, 1.0F);
        const Floats square = across * across;
        const Floats fourth = square * square;
        // Banks and rocks each hold the stream at one value, so that none runs through them.
        Floats weight = 1.0F / (1.0F - fourth * fourth + kAtBank);
        Floats sum = weight * flow_to_the_right(channel[SectionThalweg], channel[SectionLeftFlatness],
                                                channel[SectionRightFlatness], across);
        for (std::int64_t i = 0; i < rocks_; ++i)
            weigh_in(near_.deflectors[scratch_.rocks[i]], x, y, weight, sum);
        return is_there ? channel[SectionDischarge] * sum / weight : none;
    }

    const NearPrimitives& near_;
    const BedScratch& scratch_;
    Floats x_;
    Floats y_;
    Floats step_;
    Sides sides_;
    PointNoise noise_[kSides];  // at each vector of sides
    Floats east_to_west_;
    Floats north_to_south_;
    std::int64_t pieces_ = 0;
    std::int64_t rocks_ = 0;
};

}  // namespace

template <>
void streams_in_lanes<kLanes>(const NearPrimitives& near, const BedScratch& scratch,
                              const StreamColumns& points) {
    CornerLanes corners(*scratch.noise);
    const Ints numbers = reinterpret_cast<Ints>(lane_numbers());
    for (std::int64_t i = 0; i < points.count; i += kLanes) {
        const Ints valley = load_ints(points.valley + i);
        const Ints is_on = numbers < static_cast<std::int32_t>(points.count - i);
        Streams streams(near, scratch, corners, load(points.x + i), load(points.y + i),
                        load(points.half_width + i));
        Floats flow_x{};
        Floats flow_y{};
        for_each_course(near, [&](std::int64_t first, std::int64_t end) {
            const Ints where = is_on & (valley == static_cast<std::int32_t>(near.channels[first].valley));
            if (any_of(where)) streams.add(first, end, where, flow_x, flow_y);
        });
        store(points.flow_x + i, flow_x);
        store(points.flow_y + i, flow_y);
    }
}

template <>
void channels_in_lanes<kLanes>(const NearPrimitives& near, const BedScratch& scratch,
                               const ChannelColumns& points) {
    CornerLanes corners(*scratch.noise);
    for (std::int64_t i = 0; i < points.count; i += kLanes) {
        const Floats x = load(points.x + i);
        const Floats y = load(points.y + i);
        NearPieces pieces(scratch);
        PointNoise noise(corners, x, y);
        const auto all = [](std::int64_t k) { return static_cast<std::int32_t>(k); };
        const MergedChannel<0> channel = merged<0>(near.channels, near.channel_count, all, x, y, pieces);
        const Floats across = across_water(channel, across_stream(channel), noise, channel.weight > 0.0F);
        store(points.weight + i, channel.weight);
        store(points.across + i, across);
        store(points.half_width + i, channel[SectionHalfWidth]);
        store(points.share + i,
              flow_to_the_right(channel[SectionThalweg], channel[SectionLeftFlatness],
                                channel[SectionRightFlatness], clamped(across, -1.0F, 1.0F)));
    }
}

}  // namespace thalweg
