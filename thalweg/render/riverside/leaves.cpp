#include "thalweg/render/riverside/leaves.hpp"

#include "thalweg/core/random.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kLeafLength = 0.10;  // m, of a willow or birch leaf with its stalk
constexpr double kLeafWidth = 0.055;  // m

}  // namespace

Leaves::Leaves(const std::vector<Position>& places) {
    constexpr std::array<Colour, 4> kAutumn{Colour{0.42F, 0.20F, 0.035F}, Colour{0.36F, 0.26F, 0.040F},
                                            Colour{0.28F, 0.085F, 0.025F}, Colour{0.12F, 0.16F, 0.035F}};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::uint64_t bits = random_bits(88, Stream::Render, i);
        const float turn = 2.0F * std::numbers::pi_v<float> * unit_float(bits);
        leaves_.push_back({places[i], std::cos(turn), std::sin(turn), kAutumn[mix64(bits) % kAutumn.size()]});
        by_square_.emplace(square_of(static_cast<std::int64_t>(std::floor(places[i].x / kLeafLength)),
                                     static_cast<std::int64_t>(std::floor(places[i].y / kLeafLength))),
                           i);
    }
}

const Colour* Leaves::at(Position p) const {
    if (leaves_.empty()) return nullptr;
    const auto column = static_cast<std::int64_t>(std::floor(p.x / kLeafLength));
    const auto row = static_cast<std::int64_t>(std::floor(p.y / kLeafLength));
    const Leaf* first = nullptr;
    for (std::int64_t j = row - 1; j <= row + 1; ++j) {
        for (std::int64_t i = column - 1; i <= column + 1; ++i) {
            const auto [begin, end] = by_square_.equal_range(square_of(i, j));
            for (auto entry = begin; entry != end; ++entry) {
                const Leaf& leaf = leaves_[entry->second];
                const double x = p.x - leaf.middle.x;
                const double y = p.y - leaf.middle.y;
                const double along = (x * leaf.east + y * leaf.north) / (0.5 * kLeafLength);
                const double across = (y * leaf.east - x * leaf.north) / (0.5 * kLeafWidth);
                if (along * along + across * across < 1.0 && (first == nullptr || &leaf < first))
                    first = &leaf;
            }
        }
    }
    return first == nullptr ? nullptr : &first->colour;
}

std::uint64_t Leaves::square_of(std::int64_t column, std::int64_t row) {
    return mix64(mix64(static_cast<std::uint64_t>(column)) ^ static_cast<std::uint64_t>(row));
}

}  // namespace thalweg
