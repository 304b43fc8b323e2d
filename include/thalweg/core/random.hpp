// Randomness as a hash of seed and place. There is no generator state: a draw depends on its key alone, so
// that neither loop order, tiling nor threads can change it.
#pragma once

#include <cstdint>

namespace thalweg {

/// What a draw is for; draws of different streams are independent. Never renumber: results would change.
enum class Stream : std::uint32_t {
    Noise = 1,
    WhiteNoise = 2,
    Cellular = 3,
    NodeJitter = 4,
    Receiver = 5,
    UpsampleJitter = 6,
    SeedTerrain = 7,
    Render = 8,
    RainPlace = 9,
    RainStep = 10,
    DescentTie = 11,
    Planform = 12,
    Rock = 13,
    Uplift = 14,
    Landslide = 15,
    Fan = 16,
    Roughness = 17,
    Meander = 18,
    Riverbed = 19,
    RiverWater = 22,
    WaterDisc = 20,
    Drift = 21,
    Droplet = 23,
};

/// Mixes 64 bits so that every input bit changes every output bit with probability near one half
/// (the finaliser of SplitMix64: Steele, Lea and Flood 2014, fig. 16).
constexpr std::uint64_t mix64(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// 64 random bits for the key (seed, stream, a, b, c): for example (seed, stream, level, cell, draw).
constexpr std::uint64_t random_bits(std::uint64_t seed, Stream stream, std::uint64_t a = 0,
                                    std::uint64_t b = 0, std::uint64_t c = 0) {
    std::uint64_t h = mix64(seed ^ (static_cast<std::uint64_t>(stream) << 48));
    h = mix64(h ^ a);
    h = mix64(h ^ b);
    return mix64(h ^ c);
}

/// Uniform in [0, 1) with 24 random bits: never rounds up to 1.
constexpr float unit_float(std::uint64_t bits) {
    return static_cast<float>(bits >> 40) * 0x1p-24F;
}

/// Uniform in [0, 1) with 53 random bits: never rounds up to 1.
///
/// Example:
///     const std::uint64_t cell = 1234;
///     const double draw = unit_double(random_bits(seed, Stream::WhiteNoise, cell));
constexpr double unit_double(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace thalweg
