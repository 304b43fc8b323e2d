#include "thalweg/riverscape/beds/bed_points.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/noise/bases.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr std::uint64_t kSeed = 5;

std::uint64_t key_of(int octave) {
    return random_bits(kSeed, Stream::Riverbed, static_cast<std::uint64_t>(octave), 7);
}

/// A whole octave, point by point: waves of 0.125 m times powers of 4, on lattices that are turned.
float whole_octave(float x, float y, int octave) {
    constexpr std::array<std::array<double, 2>, 3> kTurns = {{{0.8, 0.6}, {0.28, 0.96}, {0.6, -0.8}}};
    const auto& [cosine, sine] = kTurns[static_cast<std::size_t>(octave % 3)];
    const double scale = 8.0 * std::ldexp(1.0, -2 * octave);
    return GradientBasis(key_of(octave))(scale * (cosine * x - sine * y), scale * (sine * x + cosine * y));
}

float noise_at(float x, float y, float octave) {
    const float within = std::clamp(octave, 0.0F, 8.0F);
    const int below = std::min(static_cast<int>(within), 7);
    const float share = within - static_cast<float>(below);
    return (1.0F - share) * whole_octave(x, y, below) + share * whole_octave(x, y, below + 1);
}

/// Half widths to the left of a channel of one piece, as bed_tree.hpp has it, in plain floats.
float across_of(const ChannelPiece& piece, float x, float y) {
    const float px = x - piece.x;
    const float py = y - piece.y;
    const float t = std::clamp((px * piece.along_x + py * piece.along_y) * piece.per_square, 0.0F, 1.0F);
    const float ex = px - t * piece.along_x;
    const float ey = py - t * piece.along_y;
    const auto number = [&](SectionNumber i) { return piece.from[i] + t * piece.change[i]; };
    const float share = std::sqrt(ex * ex + ey * ey) / (kChannelEdge * number(SectionHalfWidth));
    const float weight = 1.0F - share * share;
    const float per = 1.0F / weight;
    const auto mean = [&](SectionNumber i) { return weight * number(i) * per; };
    const float cross = piece.along_x * py - piece.along_y * px;
    const float middle = weight * cross * piece.per_length / number(SectionHalfWidth) * per;
    const float way = std::abs(middle);
    const float off = kChannelEdge * share;
    const float part = std::clamp((off - 0.08F) / (0.32F - 0.08F), 0.0F, 1.0F);
    const float step = part * part * part * (part * (part * 6.0F - 15.0F) + 10.0F);
    const float across = std::copysign(way < off ? way + (off - way) * step : way, middle);
    const float octave = mean(SectionOctave);
    const float edge = noise_at(x, y, octave - 0.1F) + 0.5F * noise_at(x, y, octave - 1.1F);
    return across * std::max(1.0F + mean(SectionIrregularity) * edge, 0.7F);
}

TEST(BedPoints, have_the_bits_of_plain_floats_point_by_point_at_any_width_of_vectors) {
    constexpr std::size_t kPoints = 64;
    ChannelPiece piece{.x = 3.0F,
                       .y = -2.0F,
                       .along_x = 7.0F,
                       .along_y = 4.0F,
                       .per_square = 1.0F / 65.0F,
                       .per_length = std::sqrt(1.0F / 65.0F),
                       .course = 0,
                       .valley = 0,
                       .ends = 0,
                       .from = {},
                       .change = {}};
    piece.from[SectionHalfWidth] = 4.0F;
    piece.change[SectionHalfWidth] = 0.7F;
    piece.from[SectionIrregularity] = 0.26F;
    NearPrimitives near{};
    near.channels = &piece;
    near.channel_count = 1;
    for (const float octave : {0.4F, 2.3F, 4.0F, 8.0F})
        for (const float spacing : {0.004F, 0.07F, 0.11F})
            for (const int lanes : {4, 8, 16}) {
                piece.from[SectionOctave] = octave;
                NoiseCells noise{};
                for (int k = 0; k < kWaveOctaves; ++k) {
                    noise.keys[k] = key_of(k);
                    noise.blocks[k].column = std::numeric_limits<std::int32_t>::min();
                }
                std::vector<float> x(kPoints), y(kPoints), places(3 * kWidestVector);
                std::vector<std::vector<float>> found(4, std::vector<float>(kPoints));
                std::array<std::int32_t, 1> pieces{}, weighing{}, rocks{};
                for (std::size_t i = 0; i < kPoints; ++i) {
                    x[i] = 3.0F + spacing * static_cast<float>(i);
                    y[i] = -1.5F + spacing * 0.8F * static_cast<float>(i) - 0.3F * static_cast<float>(i % 4);
                }
                const BedScratch scratch{&noise, places.data(), pieces.data(), weighing.data(), rocks.data()};
                limit_vector_lanes(lanes);
                in_lanes([&](auto width) {
                    channels_in_lanes<width()>(near, scratch,
                                               {kPoints, x.data(), y.data(), found[0].data(), found[1].data(),
                                                found[2].data(), found[3].data()});
                });
                limit_vector_lanes(0);
                for (std::size_t i = 0; i < kPoints; ++i) {
                    ASSERT_GT(found[0][i], 0.0F);
                    ASSERT_EQ(std::bit_cast<std::uint32_t>(found[1][i]),
                              std::bit_cast<std::uint32_t>(across_of(piece, x[i], y[i])))
                        << octave << " " << spacing << " " << lanes << " " << i;
                }
            }
}

TEST(BedPoints, stand_on_terrain_with_the_bits_of_single_samples_at_any_width_of_vectors) {
    Field<float> terrain({.columns = 9, .rows = 7, .cell_size = 10.0, .west = -20.0, .north = 50.0});
    for (std::int64_t i = 0; i < terrain.size(); ++i)
        terrain[i] = unit_float(random_bits(kSeed, Stream::Riverbed, static_cast<std::uint64_t>(i), 1));
    const Grid& grid = terrain.grid();
    for (const bool has_hole : {false, true})
        for (const double spacing : {0.2, 3.0, 11.0})
            for (const int lanes : {4, 8, 16}) {
                if (has_hole) terrain(5, 2) = kNoData;
                constexpr std::size_t kPoints = 100;
                std::vector<double> x, y;
                std::vector<float> found(kPoints + kWidestVector);
                for (std::size_t i = 0; i < kPoints + kWidestVector; ++i) {
                    const auto number = static_cast<double>(i % kPoints);
                    x.push_back(-30.0 + spacing * number - 100.0 * std::floor(spacing * number / 100.0));
                    y.push_back(-25.0 + 0.8 * number);
                }
                limit_vector_lanes(lanes);
                const bool has_all = in_lanes([&](auto width) {
                    return terrain_in_lanes<width()>(
                        {terrain.data(), grid.columns, grid.rows, grid.cell_size, grid.west, grid.north},
                        x.data(), y.data(), kPoints, found.data());
                });
                limit_vector_lanes(0);
                bool is_known = true;
                for (std::size_t i = 0; i < kPoints; ++i) {
                    if (is_no_data(found[i])) {
                        is_known = false;
                    } else {
                        ASSERT_EQ(std::bit_cast<std::uint32_t>(found[i]),
                                  std::bit_cast<std::uint32_t>(sample_bicubic(terrain, {x[i], y[i]})))
                            << spacing << " " << lanes << " " << i;
                    }
                }
                EXPECT_EQ(is_known, has_all);
                if (spacing > 1.0) {
                    EXPECT_EQ(has_all, !has_hole);
                }
            }
}

}  // namespace
}  // namespace thalweg
