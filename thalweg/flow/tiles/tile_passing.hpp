// Passing on of what leaves tiles from tile to tile.
#pragma once

#include "thalweg/flow/tiles/tile_memory.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Runs pass(end, target, next) over the ends of ways in all tiles, each once all that flow into it have been
/// passed: target is the cell that it enters the next tile by, next the end by which it leaves that tile, or
/// nullptr. ends: of a tile, with `cell` and `direction`; leaves_by: the place among them of where an edge
/// cell's water leaves, -1: nowhere. Ways must not return. O(ends), serial.
template <class End, class Pass>
void pass_from_tile_to_tile(const TileMap& map, std::vector<TileMemory>& tiles,
                            std::vector<End> TileMemory::* ends,
                            EdgeValues<std::int32_t> TileMemory::* leaves_by, const Pass& pass) {
    struct Step {
        End* end = nullptr;
        TileCell target;
        std::int64_t next = -1;
        std::int32_t awaited = 0;  // ends that flow into this one, not yet passed
    };
    std::vector<std::int64_t> first(tiles.size() + 1, 0);
    for (std::size_t i = 0; i < tiles.size(); ++i)
        first[i + 1] = first[i] + static_cast<std::int64_t>((tiles[i].*ends).size());
    std::vector<Step> steps(at(first.back()));
    std::size_t own = 0;
    for (std::int64_t tile = 0; tile < map.tiles(); ++tile)
        for (End& end : tiles[at(tile)].*ends) {
            Step& step = steps[own++];
            step.end = &end;
            step.target = map.step({tile, end.cell}, end.direction);
            const std::int32_t place = (tiles[at(step.target.tile)].*leaves_by)[step.target.cell];
            if (place < 0) continue;
            step.next = first[at(step.target.tile)] + place;
            ++steps[at(step.next)].awaited;
        }
    std::vector<std::int64_t> ready;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].awaited == 0) ready.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < ready.size(); ++i) {
        const Step& step = steps[at(ready[i])];
        Step* const next = step.next >= 0 ? &steps[at(step.next)] : nullptr;
        pass(*step.end, step.target, next != nullptr ? next->end : nullptr);
        if (next != nullptr && --next->awaited == 0) ready.push_back(step.next);
    }
}

}  // namespace thalweg
