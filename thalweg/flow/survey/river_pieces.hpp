// The rivers of a survey, cut into the pieces that statistics are taken over.
#pragma once

#include "thalweg/flow/stream_tree.hpp"
#include "thalweg/flow/survey/survey.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Entries of a StreamTree, each below the one before it.
using River = std::vector<std::int32_t>;

/// Rivers of kHeadArea and more. Pieces end in the junction that they reach or at an outlet.
struct RiverPieces {
    StreamTree tree;
    std::vector<std::uint8_t> donors;  // of each entry
    std::vector<std::int32_t> order;   // of each entry: Strahler 1957
    std::vector<River> links;          // from a head or junction to the next junction, by where they end
    std::vector<River> streams;        // as far as one Strahler order goes
    std::vector<River> stems;          // from each head on, where the longer ones have not been

    [[nodiscard]] bool is_junction(std::int32_t entry) const { return donors[at(entry)] > 1; }

    /// The links that end in a junction.
    [[nodiscard]] std::span<const River> links_into(std::int32_t entry) const;
};

RiverPieces river_pieces(const Survey& survey, Progress& progress);

/// The share of a piece's cells that lie on the ground that is described.
double ground_share(const Survey& survey, const StreamTree& tree, std::span<const std::int32_t> river);

}  // namespace thalweg
