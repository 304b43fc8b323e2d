#include "thalweg/riverscape/beds/bed_streams.hpp"

#include "thalweg/grid/field.hpp"
#include "thalweg/riverscape/courses/section_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

/// sqrt(x^2 + y^2), rounded once.
FourFloats distances(FourFloats x, FourFloats y) {
    const FourDoubles east(x);
    const FourDoubles north(y);
    return FourDoubles(square_root(east.first * east.first + north.first * north.first),
                       square_root(east.last * east.last + north.last * north.last))
        .rounded();
}

/// Adds a rock to the sum of what holds the stream.
void weigh_in(const BedDeflector& rock, FourFloats x, FourFloats y, FourFloats& weight, FourFloats& sum) {
    constexpr float kAtRock = 1e-3F;
    const FourFloats east = x - rock.x;
    const FourFloats north = y - rock.y;
    constexpr float kSlack = 1.001F;
    if (!any_of(east * east + north * north < kSlack * rock.reach * rock.reach)) return;
    const FourFloats distance = distances(east, north);
    const FourFloats r = clamped((distance - rock.core) / (rock.reach - rock.core), 0.0F, 1.0F);
    const FourFloats bent = rock.part * (1.0F - GradientBasis::quintic(r));
    const FourFloats of_rock = choose(distance < rock.reach, bent / (1.0F - bent + kAtRock), FourFloats{});
    weight += of_rock;
    sum += of_rock * rock.share;
}

}  // namespace

FourFloats BedStreams::stream(FourFloats x, FourFloats y, std::uint32_t course,
                              std::span<const std::uint32_t> deflectors, BedNoise& noise) {
    constexpr float kAtBank = 1e-6F;
    const std::vector<BedNode>& nodes = primitives_.nodes;
    const FourFloats least = find_near(x, y, segments_, nodes, ChannelSupport(), near_);
    SectionSums<FourFloats, sizeof(BedSection) / sizeof(float) - kStreamNumbers, kStreamNumbers> sums;
    for (const NearPiece<FourFloats>& near : near_) {
        const FourFloats weight = merging_weight(near.share, least);
        if (any_of(weight > 0.0F)) sums.add(nodes[near.piece], nodes[near.piece + 1], near, weight);
    }
    const auto is_there = sums.weight() > 0.0F;
    if (!any_of(is_there)) return FourFloats{} + kNoData;
    const auto [thalweg, left_flatness, right_flatness, discharge, irregularity, octave] = sums.means();
    const FourFloats across = clamped(
        across_water(x, y, sums.across(kChannelEdge * least), irregularity, octave, noise), -1.0F, 1.0F);
    const FourFloats square = across * across;
    const FourFloats fourth = square * square;
    // Banks and rocks each hold the stream at one value, so that none runs through them.
    FourFloats weight = 1.0F / (1.0F - fourth * fourth + kAtBank);
    FourFloats sum = weight * flow_to_the_right(thalweg, left_flatness, right_flatness, across);
    for (const std::uint32_t i : deflectors)
        if (primitives_.deflectors[i].course == course)
            weigh_in(primitives_.deflectors[i], x, y, weight, sum);
    return choose(is_there, discharge * sum / weight, FourFloats{} + kNoData);
}

UnitDischarge BedStreams::at(float x, float y, float half_width, std::uint32_t course,
                             std::span<const std::uint32_t> segments,
                             std::span<const std::uint32_t> deflectors, BedNoise& noise) {
    const std::uint32_t valley = primitives_.valley_of_course[course];
    const float step = stream_step(half_width);
    const float west = x - step;
    const float east = x + step;
    const float south = y - step;
    const float north = y + step;
    const float reach = std::max({x - west, east - x, y - south, north - y});  // as rounded
    UnitDischarge flow;
    for_each_course(segments, primitives_.nodes, [&](auto of_course, std::uint32_t number) {
        if (primitives_.valley_of_course[number] != valley) return;
        segments_.clear();
        append_weighing(x, y, reach, of_course, primitives_.nodes, ChannelSupport(), shares_, segments_);
        if (segments_.empty()) return;
        const FourFloats streams =
            stream(FourFloats{east, west, x, x}, FourFloats{y, y, north, south}, number, deflectors, noise);
        const float to_east = streams[0] - streams[1];
        const float to_north = streams[2] - streams[3];
        // Beyond their supports streams change no more.
        if (std::isfinite(to_north)) flow.x += to_north / (north - south);
        if (std::isfinite(to_east)) flow.y -= to_east / (east - west);
    });
    return flow;
}

}  // namespace thalweg
