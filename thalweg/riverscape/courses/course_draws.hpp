// Random draws of the riverscape: a hash of seed, reach and place.
#pragma once

#include "thalweg/core/random.hpp"

#include <cstdint>

namespace thalweg {

/// What a draw is for. Never renumber: results would change.
enum class BedDraw : std::uint64_t { Bend = 1, Channel = 2, Fall = 3, Rock = 4, CrestRock = 5, Mound = 6 };

/// The draws of one reach.
struct ReachDraws {
    std::uint64_t seed = 0;
    std::int64_t reach = 0;  // id

    /// Uniform in [0, 1): the number-th draw of the place-th thing.
    [[nodiscard]] double unit(BedDraw purpose, std::uint64_t place, std::uint64_t number = 0) const {
        return unit_double(random_bits(seed, Stream::Riverbed, static_cast<std::uint64_t>(reach),
                                       (static_cast<std::uint64_t>(purpose) << 32) + number, place));
    }
    /// Uniform in [low, high).
    [[nodiscard]] double between(double low, double high, BedDraw purpose, std::uint64_t place,
                                 std::uint64_t number = 0) const {
        return low + (high - low) * unit(purpose, place, number);
    }
};

}  // namespace thalweg
