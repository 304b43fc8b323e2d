#include "thalweg/render/riverside/floating_things.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/noise/bases.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/riverside/fractal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace thalweg {
namespace {

constexpr double kLeafLength = 0.10;  // m, of a willow or birch leaf with its stalk
constexpr double kLeafWidth = 0.055;  // m
constexpr double kLeastPatch = 0.08;  // m, radius of a patch of foam that comes off; empirical
constexpr double kMostPatch = 0.30;   // m
constexpr double kSpread = 0.5;       // by how much of its radius a patch grows until it has faded
constexpr double kOblong = 1.5;       // length of a patch over its width

}  // namespace

ThingSquares::ThingSquares(const std::vector<FloatingThing>& things, double side) : side_(side) {
    for (std::size_t i = 0; i < things.size(); ++i) by_square_.emplace(square_of(things[i].middle, 0, 0), i);
}

std::uint64_t ThingSquares::square_of(Position p, int east, int north) const {
    const auto column = static_cast<std::int64_t>(std::floor(p.x / side_)) + east;
    const auto row = static_cast<std::int64_t>(std::floor(p.y / side_)) + north;
    return mix64(mix64(static_cast<std::uint64_t>(column)) ^ static_cast<std::uint64_t>(row));
}

Leaves::Leaves(const std::vector<FloatingThing>& things) : squares_(things, kLeafLength) {
    constexpr std::array<Colour, 4> kAutumn{Colour{0.42F, 0.20F, 0.035F}, Colour{0.36F, 0.26F, 0.040F},
                                            Colour{0.28F, 0.085F, 0.025F}, Colour{0.12F, 0.16F, 0.035F}};
    for (const FloatingThing& thing : things) {
        const float turn = 2.0F * std::numbers::pi_v<float> * unit_float(thing.bits);
        leaves_.push_back(
            {thing.middle, std::cos(turn), std::sin(turn), kAutumn[mix64(thing.bits) % kAutumn.size()]});
    }
}

const Colour* Leaves::at(Position p) const {
    const Leaf* first = nullptr;
    squares_.for_each_near(p, [&](std::size_t number) {
        const Leaf& leaf = leaves_[number];
        const double x = p.x - leaf.middle.x;
        const double y = p.y - leaf.middle.y;
        const double along = (x * leaf.east + y * leaf.north) / (0.5 * kLeafLength);
        const double across = (y * leaf.east - x * leaf.north) / (0.5 * kLeafWidth);
        if (along * along + across * across < 1.0 && (first == nullptr || &leaf < first)) first = &leaf;
    });
    return first == nullptr ? nullptr : &first->colour;
}

FoamPatches::FoamPatches(std::vector<FloatingThing> things)
    : patches_(std::move(things)), squares_(patches_, kOblong * (1.0 + kSpread) * kMostPatch) {
}

float FoamPatches::at(Position p) const {
    constexpr float kDense = 0.6F;    // share of the water in the middle of a new patch
    constexpr double kRagged = 0.22;  // m, of the largest tongues and gaps
    constexpr double kBubble = 0.05;  // m, of a cluster of bubbles
    CellularBasis net(random_bits(105, Stream::Render));
    float most = 0.0F;
    squares_.for_each_near(p, [&](std::size_t number) {
        const FloatingThing& patch = patches_[number];
        const double gone = 1.0 - patch.left;
        const double radius = (kLeastPatch + (kMostPatch - kLeastPatch) * unit_double(mix64(patch.bits))) *
                              (1.0 + kSpread * gone);
        const double turn = 2.0 * std::numbers::pi * unit_double(patch.bits);
        const double x = p.x - patch.middle.x;
        const double y = p.y - patch.middle.y;
        const double along = std::cos(turn) * x + std::sin(turn) * y;
        const double across = std::cos(turn) * y - std::sin(turn) * x;
        const auto away = static_cast<float>(std::hypot(along / kOblong, across) / radius);
        if (away >= 1.0F) return;
        // Its rim is ragged, and it is a net of bubbles that thins out.
        const double apart = 1e3 * unit_double(mix64(patch.bits ^ 1));  // m: each has bubbles of its own
        const double u = along + apart;
        const float ragged = away + 0.9F * fractal(104, u / kRagged, across / kRagged, 4);
        const float there = smoothstep(0.0F, 0.04F, static_cast<float>(gone)) *
                            smoothstep(0.0F, 0.7F, static_cast<float>(patch.left));
        const float body = there * smoothstep(0.95F, 0.1F, ragged) * smoothstep(1.0F, 0.7F, away);
        most = std::max(
            most, kDense * smoothstep(0.0F, 1.2F, body * (0.5F + 0.9F * net(u / kBubble, across / kBubble))));
    });
    return most;
}

}  // namespace thalweg
