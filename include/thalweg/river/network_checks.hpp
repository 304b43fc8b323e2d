// What every river network obeys, checked where one comes from outside.
#pragma once

#include "thalweg/river/network.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace thalweg {

/// What a network is promised to be.
enum class NetworkProfile {
    DownhillForest,  // every reach has one way down, and no bed rises: what extract_network gives
    General          // rivers may part and meet again, as in braids and deltas, and beds rise over bars
};

/// Throws Error::input with one sentence, begun by `origin` (a file's name), unless `network` is what
/// network.hpp describes: ids of nodes and of reaches each once, none negative; every quantity and coordinate
/// finite; order at least 1; lines of at least two points that begin and end at their nodes (to 1 mm); values
/// of points one for each point, finite and at least 0, or none at all; `next_down` a reach that begins where
/// this one ends, or at the seam across from that where it ends, or -1 where this one ends at an outlet, at
/// which no reach begins; no way down that comes round to itself. In a DownhillForest, no two reaches begin
/// at one node and no bed rises along its line. Any network will do, however broken.
/// O(points + reaches log reaches).
///
/// Example:
///     check_network(network, "delta.gpkg", NetworkProfile::General);
void check_network(const RiverNetwork& network, const std::string& origin,
                   NetworkProfile profile = NetworkProfile::DownhillForest);

/// Puts reaches upstream before downstream, unless they lie so already; others keep their order among those
/// as many reaches above the outlet that is furthest. The network must have passed check_network. O(reaches
/// log reaches).
void order_reaches(RiverNetwork& network);

/// The kind of a node that is no seam, by how many reaches end and begin there.
NodeKind kind_of_node(std::size_t ending, std::size_t beginning);

/// The nodes at the ends of `reaches`: seams where a reach ends at another node than that where its
/// `next_down` begins, and else what kind_of_node says: sources where no reach ends, outlets where none
/// begins, bifurcations where several begin, confluences. Where several reaches meet, the first one gives
/// the place. O(reaches).
std::vector<RiverNode> nodes_at_ends(const std::vector<Reach>& reaches);

/// Puts nodes in the order of the reaches that begin there, and then the others by their ids. O(reaches +
/// nodes log nodes).
void order_nodes(RiverNetwork& network);

}  // namespace thalweg
