#include "thalweg/flow/stream_tree.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"

#include <cassert>
#include <cmath>

namespace thalweg {
namespace {

constexpr std::int32_t kDry = -1;
constexpr std::int64_t kCellsPerPoll = 1 << 20;

/// River cells in the order of the tree, receivers before donors, and what their places in a StreamTree
/// follow from.
struct RiverList {
    std::vector<std::int32_t> cell;
    std::vector<std::int32_t> below;       // number of the receiver in this list, -1 at outlets
    std::vector<std::int32_t> main_donor;  // -1 at sources
    std::vector<std::int32_t> upstream;    // how many cells of rivers drain through it, itself included
};

/// Marks the cells below river cells as such.
Field<std::int32_t> river_mask(const FlowTree& tree, const Field<std::uint8_t>& heads, Progress& progress) {
    constexpr std::int32_t kRiver = 0;
    Field<std::int32_t> number(tree.grid, kDry);
    std::int64_t visited = 0;
    for (auto cell = tree.order.rbegin(); cell != tree.order.rend(); ++cell) {
        if (visited++ % kCellsPerPoll == 0) progress.poll();
        if (heads[*cell] == 0 && number[*cell] == kDry) continue;
        number[*cell] = kRiver;
        if (const std::int32_t receiver = tree.receiver(*cell); receiver >= 0) number[receiver] = kRiver;
    }
    return number;
}

RiverList list_rivers(const FlowTree& tree, const Field<double>& area, const Field<std::uint8_t>& heads,
                      Progress& progress) {
    Field<std::int32_t> number = river_mask(tree, heads, progress);
    RiverList list;
    for_each_polled(tree.order, [&](std::int32_t cell) {
        if (number[cell] == kDry) return;
        number[cell] = static_cast<std::int32_t>(list.cell.size());
        const std::int32_t receiver = tree.receiver(cell);
        list.cell.push_back(cell);
        list.below.push_back(receiver < 0 ? -1 : number[receiver]);
    });
    list.main_donor.assign(list.cell.size(), -1);
    list.upstream.assign(list.cell.size(), 1);
    const auto is_larger = [&](std::int32_t a, std::int32_t b) {
        return area[a] != area[b] ? area[a] > area[b] : a < b;
    };
    for (std::size_t i = list.cell.size(); i-- > 0;) {
        if (list.below[i] < 0) continue;
        list.upstream[at(list.below[i])] += list.upstream[i];
        std::int32_t& main = list.main_donor[at(list.below[i])];
        if (main < 0 || is_larger(list.cell[i], list.cell[at(main)])) main = static_cast<std::int32_t>(i);
    }
    return list;
}

/// The entry of each cell of the list: main donors come right behind their receivers, others behind all that
/// is upstream of those before them.
std::vector<std::int32_t> entries_of(const RiverList& list) {
    std::vector<std::int32_t> entry(list.cell.size()), next(list.cell.size());
    std::int32_t next_outlet = 0;
    for (std::size_t i = 0; i < list.cell.size(); ++i) {
        const std::int32_t below = list.below[i];
        if (below < 0) {
            entry[i] = next_outlet;
            next_outlet += list.upstream[i];
        } else if (list.main_donor[at(below)] == static_cast<std::int32_t>(i)) {
            entry[i] = entry[at(below)] + 1;
        } else {
            entry[i] = next[at(below)];
            next[at(below)] += list.upstream[i];
        }
        const std::int32_t main = list.main_donor[i];
        next[i] = entry[i] + 1 + (main < 0 ? 0 : list.upstream[at(main)]);
    }
    return entry;
}

/// What adds up from the outlets, and the numbers of streams.
void measure(StreamTree& streams, const FlowTree& tree, const Lattice& lattice) {
    const auto size = at(streams.size());
    streams.distance.assign(size, 0.0);
    streams.chi.assign(size, 0.0);
    streams.stream.assign(size, 0);
    std::int32_t next_stream = 0;
    std::vector<double> integrand(size);
    for_each_polled(0, streams.size(), [&](std::int64_t number) {
        const std::size_t i = at(number);
        integrand[i] = portable_power(streams.area[i], -streams.concavity);
        const auto entry = static_cast<std::int32_t>(i);
        streams.stream[i] = streams.is_mouth(entry) ? next_stream++ : streams.stream[at(streams.below[i])];
        if (streams.below[i] < 0) return;
        const std::size_t below = at(streams.below[i]);
        const std::int32_t cell = streams.cell[i];
        const double way = lattice.distance(cell, tree.direction[at(cell)]);
        streams.distance[i] = streams.distance[below] + way;
        streams.chi[i] = streams.chi[below] + 0.5 * (integrand[i] + integrand[below]) * way;
    });
}

}  // namespace

StreamTree stream_tree(const FlowTree& tree, const Lattice& lattice, const Field<double>& drainage_area,
                       const Field<float>& elevation, const Field<std::uint8_t>& heads, double concavity,
                       Progress& progress) {
    assert(drainage_area.size() == tree.grid.cells() && elevation.size() == tree.grid.cells() && !tree.wraps);
    const RiverList list = list_rivers(tree, drainage_area, heads, progress);
    const std::vector<std::int32_t> entry = entries_of(list);
    StreamTree streams;
    streams.grid = tree.grid;
    streams.concavity = concavity;
    const auto size = list.cell.size();
    for (auto* whole : {&streams.cell, &streams.below, &streams.main_donor, &streams.upstream_end})
        whole->resize(size);
    for (auto* number : {&streams.area, &streams.elevation}) number->resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t e = at(entry[i]);
        streams.cell[e] = list.cell[i];
        streams.below[e] = list.below[i] < 0 ? -1 : entry[at(list.below[i])];
        streams.main_donor[e] = list.main_donor[i] < 0 ? -1 : entry[at(list.main_donor[i])];
        streams.upstream_end[e] = entry[i] + list.upstream[i];
        streams.area[e] = drainage_area[list.cell[i]];
        streams.elevation[e] = static_cast<double>(elevation[list.cell[i]]);
    }
    measure(streams, tree, lattice);
    return streams;
}

}  // namespace thalweg
