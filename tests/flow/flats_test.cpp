#include "thalweg/flow/depressions/flats.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <map>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// The same a flat at a time, steps counted in maps.
class SlowFlats {
  public:
    SlowFlats(const Field<float>& z, const Lattice& lattice, std::vector<std::uint8_t>& direction)
        : z_(z), lattice_(lattice), direction_(direction) {}

    /// Returns how many flats there are.
    int direct() {
        int flats = 0;
        const std::vector<std::uint8_t> before = direction_;
        std::vector<std::uint8_t> seen(before.size(), 0);
        for (std::int64_t cell = 0; cell < z_.size(); ++cell) {
            if (before[at(cell)] != kPit || seen[at(cell)] != 0) continue;
            std::map<std::int64_t, int> flat = steps_from({cell}, before);
            std::vector<std::int64_t> outs, edges;
            for (const auto& [member, steps] : flat) {
                seen[at(member)] = 1;
                if (exit_direction(member, before) != kPit) outs.push_back(member);
                if (is_below_slope(member)) edges.push_back(member);
            }
            if (flat.size() == 1 && outs.empty()) continue;
            ++flats;
            std::map<std::int64_t, int> towards = steps_from(outs.empty() ? std::vector{cell} : outs, before);
            std::map<std::int64_t, int> away = steps_from(edges, before);
            for (const auto& [member, steps] : flat)
                direction_[at(member)] = direction_of(member, before, towards, away);
        }
        return flats;
    }

  private:
    template <class Visit>
    void for_neighbours(std::int64_t cell, const Visit& visit) const {
        const std::uint8_t links = lattice_.links_inside(z_.grid().column_of(cell), z_.grid().row_of(cell));
        for (int d = 0; d < 8; ++d)
            if ((links >> d & 1) != 0) visit(d, cell + lattice_.index_steps()[at(d)]);
    }

    template <class Visit>
    void for_level(std::int64_t cell, const Visit& visit) const {
        for_neighbours(cell, [&](int d, std::int64_t other) {
            if (z_[other] == z_[cell]) visit(d, other);
        });
    }

    bool is_below_slope(std::int64_t cell) const {
        bool is_below = false;
        for_neighbours(cell, [&](int, std::int64_t other) { is_below |= z_[other] > z_[cell]; });
        return is_below;
    }

    std::uint8_t exit_direction(std::int64_t cell, const std::vector<std::uint8_t>& before) const {
        std::uint8_t found = kPit;
        for_level(cell, [&](int d, std::int64_t other) {
            if (found == kPit && before[at(other)] <= kRoot) found = static_cast<std::uint8_t>(d);
        });
        return found;
    }

    /// From the nearest of `starts` over pits of their height, 1 at these.
    std::map<std::int64_t, int> steps_from(std::vector<std::int64_t> starts,
                                           const std::vector<std::uint8_t>& before) const {
        std::map<std::int64_t, int> steps;
        for (const std::int64_t start : starts) steps[start] = 1;
        for (std::size_t next = 0; next < starts.size(); ++next)
            for_level(starts[next], [&](int, std::int64_t other) {
                if (before[at(other)] != kPit || steps.contains(other)) return;
                steps[other] = steps[starts[next]] + 1;
                starts.push_back(other);
            });
        return steps;
    }

    std::uint8_t direction_of(std::int64_t cell, const std::vector<std::uint8_t>& before,
                              std::map<std::int64_t, int>& towards,
                              const std::map<std::int64_t, int>& away) const {
        if (const std::uint8_t out = exit_direction(cell, before); out != kPit) return out;
        const auto height = [&](std::int64_t of) {
            return 2 * towards.at(of) - (away.contains(of) ? away.at(of) : 0);
        };
        std::uint8_t found = kPit;
        int lowest = height(cell);
        for_level(cell, [&](int d, std::int64_t other) {
            if (before[at(other)] != kPit || height(other) >= lowest) return;
            lowest = height(other);
            found = static_cast<std::uint8_t>(d);
        });
        return found;
    }

    const Field<float>& z_;
    const Lattice& lattice_;
    std::vector<std::uint8_t>& direction_;
};

/// Level ground in patches of up to `patch` cells and holes in it, more than a strip of rows holds: flats
/// that end in a strip, that cross one and several edges of strips, with breach paths and without.
Field<float> terraces(int columns, int rows, int patch, std::uint64_t seed) {
    Field<float> z(Grid{.columns = columns, .rows = rows, .cell_size = 10.0});
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const auto column = static_cast<std::uint64_t>(z.grid().column_of(cell) / patch);
        const auto row = static_cast<std::uint64_t>(z.grid().row_of(cell) / patch);
        z[cell] = static_cast<float>(random_bits(seed, Stream::SeedTerrain, column, row) % 6);
        const auto number = static_cast<std::uint64_t>(cell);
        if (random_bits(seed, Stream::WhiteNoise, number) % 500 == 0) z[cell] = kNoData;
    }
    return z;
}

std::vector<Field<float>> grounds() {
    std::vector<Field<float>> grounds = tests::difficult_terrains();
    for (const int patch : {1, 9, 300}) grounds.push_back(terraces(400, 700, patch, 5));
    grounds.push_back(terraces(3, 50000, 40, 6));
    // All level but for a rim: one flat that spans all strips and has no exit.
    grounds.push_back(Field<float>(Grid{.columns = 400, .rows = 400, .cell_size = 10.0}, 1.0F));
    for (int column = 0; column < 400; ++column) {
        grounds.back()(column, 0) = 9.0F;
        grounds.back()(column, 399) = 9.0F;
    }
    for (int row = 0; row < 400; ++row) {
        grounds.back()(0, row) = 9.0F;
        grounds.back()(399, row) = 9.0F;
    }
    return grounds;
}

TEST(ResolveFlats, finds_what_a_slow_search_does) {
    int flats = 0;
    for (const Field<float>& z : grounds())
        for (const Lattice& lattice : {eight_neighbours(z.grid()), four_neighbours(z.grid())}) {
            std::vector<std::uint8_t> fast = steepest_directions(z, lattice, gap_roots(z));
            std::vector<std::uint8_t> slow = fast;
            resolve_flats(z, lattice, fast, progress);
            flats += SlowFlats(z, lattice, slow).direct();
            ASSERT_EQ(fast, slow) << z.grid().columns << " x " << z.grid().rows;
        }
    EXPECT_GT(flats, 1000);
}

TEST(ResolveFlats, is_the_same_on_1_2_and_8_threads) {
    const Field<float> z = terraces(700, 900, 9, 7);
    const Lattice lattice = eight_neighbours(z.grid());
    const std::vector<std::uint8_t> steepest = steepest_directions(z, lattice, edge_roots(z));
    std::vector<std::vector<std::uint8_t>> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        found.push_back(steepest);
        resolve_flats(z, lattice, found.back(), progress);
    }
    EXPECT_NE(found[0], steepest);
    EXPECT_EQ(found[1], found[0]);
    EXPECT_EQ(found[2], found[0]);
}

}  // namespace
}  // namespace thalweg
