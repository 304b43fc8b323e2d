// What every river network obeys, checked where one comes from outside.
#pragma once

#include "thalweg/river/network.hpp"

#include <string>

namespace thalweg {

/// Throws Error::input with one sentence, begun by `origin` (a file's name), unless `network` is a forest of
/// reaches as network.hpp describes it: ids of nodes and of reaches each once, none negative; every quantity
/// and coordinate finite; order at least 1; lines of at least two points that begin and end at their nodes
/// (to 1 mm) and never rise; `next_down` a reach that begins where this one ends, or at the seam across from
/// that where it ends, or -1 where this one ends at an outlet; no way down that comes round to itself.
/// O(points + reaches log reaches).
void check_network(const RiverNetwork& network, const std::string& origin);

/// Puts reaches upstream before downstream, unless they lie so already; others keep their order among those
/// as many reaches above their outlet. The network must have passed check_network.
void order_reaches(RiverNetwork& network);

/// The nodes at the ends of `reaches`: a source where no reach ends, an outlet where none begins, seams where
/// a reach ends at another node than that where the reach below begins, confluences else. Where several
/// reaches meet, the first one gives the place.
std::vector<RiverNode> nodes_at_ends(const std::vector<Reach>& reaches);

/// Puts nodes in the order of the reaches that begin there, and then the others by their ids.
void order_nodes(RiverNetwork& network);

}  // namespace thalweg
