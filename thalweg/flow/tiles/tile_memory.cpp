#include "thalweg/flow/tiles/tile_memory.hpp"

namespace thalweg {

TileBytes flats_to_keep(const TileMemory& memory) {
    TileBytes bytes;
    bytes.add(memory.flats);
    return bytes;
}

TileBytes basins_to_keep(const TileMemory& memory) {
    TileBytes bytes;
    bytes.add(memory.terminals);
    bytes.add(memory.elevation.values());
    bytes.add(memory.ends_in.values());
    bytes.add(memory.links);
    return bytes;
}

TileBytes cuts_to_keep(const TileMemory& memory, const std::vector<Cut>& cuts) {
    TileBytes bytes;
    bytes.add(cuts);
    bytes.add(memory.carved.values());
    bytes.add(memory.turned.values());
    return bytes;
}

TileBytes water_to_keep(const TileMemory& memory) {
    TileBytes bytes;
    bytes.add(memory.leaves_by.values());
    bytes.add(memory.outflows);
    bytes.add(std::vector<std::int64_t>{memory.cells, memory.drained_cells});
    return bytes;
}

void remember_flats(std::span<const std::byte> kept, TileMemory& memory) {
    memory.flats = TileBytesReader(kept).take<FlatCell>();
}

void remember_basins(std::span<const std::byte> kept, const CellRange& range, TileMemory& memory) {
    TileBytesReader bytes(kept);
    memory.terminals = bytes.take<Terminal>();
    memory.elevation = EdgeValues<float>(range, bytes.take<float>());
    memory.ends_in = EdgeValues<std::int32_t>(range, bytes.take<std::int32_t>());
    memory.links = bytes.take<BasinLink>();
}

void remember_water(std::span<const std::byte> kept, const CellRange& range, TileMemory& memory) {
    TileBytesReader bytes(kept);
    memory.leaves_by = EdgeValues<std::int32_t>(range, bytes.take<std::int32_t>());
    memory.outflows = bytes.take<Outflow>();
    const std::vector<std::int64_t> counts = bytes.take<std::int64_t>();
    memory.cells = counts[0];
    memory.drained_cells = counts[1];
}

void remember_carved_edges(std::span<const std::byte> kept, const CellRange& range, TileMemory& memory) {
    TileBytesReader bytes(kept);
    bytes.take<Cut>();
    memory.carved = EdgeValues<float>(range, bytes.take<float>());
    memory.turned = EdgeValues<std::uint8_t>(range, bytes.take<std::uint8_t>());
}

std::vector<Cut> cuts_from(std::span<const std::byte> kept) {
    return TileBytesReader(kept).take<Cut>();
}

}  // namespace thalweg
