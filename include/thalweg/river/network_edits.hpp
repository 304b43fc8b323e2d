// Edits of river networks under which reaches and nodes keep their identity.
//
// A reach lives on under its id as long as water runs through it. What an edit adds is a child of a reach,
// the parent, and its id follows from the parent's id and from how many children that had before
// (Reach::children, which files keep):
//
//   id = 2^52 + (52 bits of a hash of parent id and number of the child)
//
// So an id depends on what happened to its own reach alone, and not on edits elsewhere or on their order; ids
// from cells, which are smaller, are never met, and every program that reads JSON can hold one. A number
// counts once, so that an id does not come again when its reach is gone, unless two hashes are equal: among a
// million children with odds of one in ten thousand. A node that an edit adds has the id of the reach that
// begins there, or of a child of its own where none does.
//
// Every edit leaves a network that passes check_network as it did before (General after add_branch), with
// reaches and nodes in order, and touches no reach but those that it names. Each throws Error::input with one
// sentence where a reach, node or point isn't there, or the edit is not possible, and leaves the network as
// it was. O(points of the reaches named + reaches + nodes), add_branch O(points of the network).
#pragma once

#include "thalweg/river/network.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

/// A loop that a river has left: what becomes an oxbow lake.
struct Oxbow {
    std::int64_t id = 0;
    std::int64_t reach = 0;          // id of the reach that it was part of
    std::vector<RiverPoint> points;  // downstream as the river ran, both ends on what is left of it
    PointValues values = {};         // of the river, when it ran there
};

/// Id of a reach's child, numbered from 1.
std::int64_t child_id(std::int64_t parent, std::int64_t number);

/// Splits a reach at an inner point of its line, where a new node lies. The upper part keeps the id; the
/// lower part is its child, whose id is returned. Both keep what the reach carries, and have length, slope
/// and sinuosity of their own.
///
/// Example:
///     RiverNetwork edited = network;
///     const std::int64_t lower = split_reach(edited, edited.reaches.front().id, 5);
std::int64_t split_reach(RiverNetwork& network, std::int64_t reach, std::size_t point);

/// Joins the reach that ends at a node and the one that begins there, where no other does and no seam is. The
/// upper one lives on, with what the lower one carried at its end; the lower one's id and the node are gone.
void merge_reaches(RiverNetwork& network, std::int64_t node);

/// Takes a reach away, and nodes that it leaves without any. Reaches above it flow on into the one of the
/// greatest discharge that still begins at their node (of equal ones, that of the lowest id), or end at an
/// outlet.
void remove_reach(RiverNetwork& network, std::int64_t reach);

/// Adds a reach between two nodes that are there: where a river bursts its bank, or parts around an island.
/// It is a child of `parent`, and brings its ends, line and what it carries; id, `next_down` and what is
/// measured of the line are set here. Returns its id. Refused where water would come round to itself.
std::int64_t add_branch(RiverNetwork& network, std::int64_t parent, Reach branch);

/// Adds a reach that begins at a source of its own and ends at a node that is there, or, where its `to_node`
/// is -1, at an outlet of its own. It is a child of `parent` and brings its line, and what it carries; id,
/// ends, `next_down` and what is measured of the line are set here. Returns its id. Refused where its line
/// has fewer than two points.
std::int64_t add_tributary(RiverNetwork& network, std::int64_t parent, Reach tributary);

/// Lets a reach run straight from one point of its line to a later one that does not follow it, and returns
/// the loop between them, a child of the reach.
Oxbow cut_off(RiverNetwork& network, std::int64_t reach, std::size_t first, std::size_t last);

/// Lets a reach run from a point of its line straight to a node and end there, and returns what it has left:
/// its line from that point on, a child of the reach. The node where it ended is gone where no other reach
/// ends or begins; those that begin there have one reach above them less. Refused where water would come
/// round to itself.
Oxbow redirect_reach(RiverNetwork& network, std::int64_t reach, std::size_t point, std::int64_t node);

}  // namespace thalweg
