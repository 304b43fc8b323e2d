#include "thalweg/riverscape/beds/near_beds.hpp"

#include "thalweg/riverscape/beds/merged_pieces.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {

void NearBeds::open(Position south_west, Position north_east) {
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
    segments_.clear();
    parts_.segments.list_within(west, south, east, north, listed_);
    for_each_course(listed_, parts_.primitives.nodes, [&](auto of_course, std::uint32_t) {
        append_weighing(x, y, reach, of_course, parts_.primitives.nodes, ChannelSupport(), shares_,
                        segments_);
    });
    banks_.clear();
    parts_.banks.list_within(west, south, east, north, listed_);
    append_weighing(x, y, reach, listed_, parts_.primitives.banks, BankSupport(), shares_, banks_);
}

std::size_t NearBeds::open_first(std::span<const Position> positions, std::size_t begin) {
    constexpr std::size_t kTogether = 16;  // more lie too far from each other in rows
    Position low = positions[begin];
    Position high = low;
    std::size_t end = begin + 1;
    for (; end < std::min(begin + kTogether, positions.size()); ++end) {
        const auto& [x, y] = positions[end];
        if (std::max(high.x, x) - std::min(low.x, x) > side()) break;
        if (std::max(high.y, y) - std::min(low.y, y) > side()) break;
        low = {std::min(low.x, x), std::min(low.y, y)};
        high = {std::max(high.x, x), std::max(high.y, y)};
    }
    open(low, high);
    return end;
}

}  // namespace thalweg
