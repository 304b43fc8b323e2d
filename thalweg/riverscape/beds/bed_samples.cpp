#include "thalweg/riverscape/beds/bed_samples.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/sorted_by_key.hpp"

#include <algorithm>
#include <cstdint>

namespace thalweg {
namespace {

/// The order of points by the Morton codes of cells of `size` m.
std::vector<std::uint32_t> morton_order(std::span<const Position> positions, double size) {
    Position low = positions.front();
    for (const Position& p : positions) low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    std::vector<std::uint64_t> keys(positions.size());
    const auto along = [&](double offset) {
        return static_cast<std::uint32_t>(std::min(offset / size, 4e9));
    };
    for (std::size_t i = 0; i < positions.size(); ++i)
        keys[i] = morton_code(along(positions[i].x - low.x), along(positions[i].y - low.y));
    return order_of_keys(keys);
}

}  // namespace

std::vector<BedSample> samples_at(const BedTree::Parts& parts, const BedOutput& output,
                                  std::span<const Position> positions) {
    constexpr double kCellSize = 16.0;     // m (empirical)
    constexpr std::int64_t kBlock = 1024;  // points
    std::vector<BedSample> samples(positions.size());
    if (positions.empty()) return samples;
    const std::vector<std::uint32_t> order = morton_order(positions, kCellSize);
    parallel_for(0, std::ssize(positions), kBlock, [&](std::int64_t first, std::int64_t last) {
        const std::span numbers =
            std::span(order).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
        std::vector<Position> places;
        for (const std::uint32_t number : numbers) places.push_back(positions[number]);
        BedEvaluator(parts, output).evaluate_all(places, [&](std::size_t i, const BedPoint& point) {
            samples[numbers[i]] = point.sample;
        });
    });
    return samples;
}

}  // namespace thalweg
