// What an ordering of a flow tree begins with, in vectors: how many donors each cell of a row awaits, and
// which have none.
#pragma once

#include <cstdint>

namespace thalweg {

/// Directions that must be readable before the first and behind the last cell of each row of a DonorRow.
inline constexpr std::int64_t kDonorMargin = 64;

/// Places behind the last source that may be written too.
inline constexpr std::int64_t kSourceMargin = 8;

/// Directions (directions.hpp) of a row of cells, or of several that follow each other in memory, and of
/// those above and below, by pointers to the first. kDonorMargin more can be read on either side. None leads
/// over the end of its row, nor from the margins into the row.
struct DonorRow {
    const std::uint8_t* above;
    const std::uint8_t* here;
    const std::uint8_t* below;
    std::int32_t first_cell;  // number of the row's first cell
    std::int32_t cells;
};

/// Fills the state of every cell: its donors in the bits from `shift` on, and 1, but 0 where it is outside.
/// A root or pit has one donor more, so that no walk goes on from there. Appends the row's
/// sources, cells that have a receiver and no donors, to `sources`, from the last to the first; returns the
/// new end. With vectors of 4, 8 or 16; the same for each.
template <int Lanes>
std::int32_t* list_sources_in_lanes(const DonorRow& row, int shift, std::uint32_t* state,
                                    std::int32_t* sources);

}  // namespace thalweg
