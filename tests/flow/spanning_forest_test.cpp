#include "thalweg/flow/depressions/spanning_forest.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// Links of random saddles between random ones of the basins.
std::vector<BasinLink> some_links(std::uint64_t count, std::int32_t basins, std::uint64_t seed) {
    std::vector<BasinLink> links;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto draw = [&](std::uint64_t which) {
            return random_bits(seed, Stream::WhiteNoise, i, which);
        };
        const auto basin = [&](std::uint64_t which) {
            return static_cast<std::int32_t>(draw(which) % static_cast<std::uint64_t>(basins));
        };
        links.push_back({{static_cast<std::uint32_t>(draw(2) % 50), 0, i}, basin(0), basin(1)});
    }
    return links;
}

/// The places of links, ascending.
std::vector<std::uint64_t> places(const std::vector<BasinLink>& links) {
    std::vector<std::uint64_t> found;
    for (const BasinLink& link : links) found.push_back(link.key.place);
    std::sort(found.begin(), found.end());
    return found;
}

/// By Kruskal's algorithm.
std::vector<std::uint64_t> slow_forest(std::vector<BasinLink> links, std::int32_t basins) {
    std::sort(links.begin(), links.end(),
              [](const BasinLink& a, const BasinLink& b) { return a.key < b.key; });
    std::vector<std::int32_t> set(at(basins));
    std::iota(set.begin(), set.end(), 0);
    std::vector<BasinLink> taken;
    for (const BasinLink& link : links) {
        const std::int32_t a = set[at(link.a)];
        const std::int32_t b = set[at(link.b)];
        if (a == b) continue;
        taken.push_back(link);
        std::replace(set.begin(), set.end(), a, b);
    }
    return places(taken);
}

TEST(SpanningForest, is_that_of_kruskals_algorithm) {
    for (const std::uint64_t count : {0U, 1U, 100U, 2000U})
        for (const std::int32_t basins : {1, 2, 90, 3000}) {
            const std::vector<BasinLink> links = some_links(count, basins, 7);
            EXPECT_EQ(places(spanning_forest(links, basins, progress)), slow_forest(links, basins));
        }
}

TEST(PartialForest, is_the_same_as_of_all_basins_call_after_call) {
    PartialForest partial;
    for (const std::int32_t basins : {90, 3000, 2}) {
        const std::vector<BasinLink> links = some_links(400, basins, 9);
        const std::vector<BasinLink> forest = partial.find(links, basins, progress);
        EXPECT_EQ(places(forest), slow_forest(links, basins));
        for (const BasinLink& link : forest) {
            EXPECT_EQ(link.a, links[at(link.key.place)].a);
            EXPECT_EQ(link.b, links[at(link.key.place)].b);
        }
    }
}

}  // namespace
}  // namespace thalweg
