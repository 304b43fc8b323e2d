#include "thalweg/particles/particle_ground.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/particles/inlets.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kTilesPerTask = 4;
constexpr std::int64_t kCellsPerPass = 1 << 15;

bool is_border(const Field<std::int32_t>& elevation, int column, int row) {
    const Grid& grid = elevation.grid();
    if (grid.on_edge(column, row)) return true;
    for (int y = row - 1; y <= row + 1; ++y)
        for (int x = column - 1; x <= column + 1; ++x)
            if (elevation(x, y) == kNoGround) return true;
    return false;
}

CellPlace place_of(CellKind kind, int way) {
    return static_cast<CellPlace>(static_cast<int>(kind) | (way << kWayShift));
}

int way_of(CellPlace place) {
    return (place >> kWayShift) & kWayOfPlace;
}

}  // namespace

Field<float> metres_of(const Field<std::int32_t>& elevation) {
    Field<float> metres(elevation.grid());
    parallel_for(0, elevation.size(), kCellsPerPass, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            metres[cell] = elevation[cell] == kNoGround
                               ? kNoData
                               : static_cast<float>(static_cast<double>(elevation[cell]) * kElevationUnit);
    });
    return metres;
}

ParticleGround::ParticleGround(const Field<std::int32_t>& elevation, std::span<const ParticleSpring> springs)
    : grid_(elevation.grid()),
      tiles_(grid_),
      streams_(at(grid_.cells())),
      visits_(at(grid_.cells()), 0.0F),
      kinds_(at(grid_.cells()), CellKind::Land),
      change_(at(grid_.cells()), 0),
      has_fixed_(at(tiles_.count()), 0),
      is_unsettled_(at(tiles_.count()), 1),
      slid_rows_(at(tiles_.count()), 0),
      is_at_hand_(tiles_.no_marks()),
      is_owed_(tiles_.no_marks()) {
    for (int row = 0; row < grid_.rows; ++row) {
        for (int column = 0; column < grid_.columns; ++column) {
            if (is_border(elevation, column, row)) kinds_[at(grid_.index(column, row))] = CellKind::Border;
        }
    }
    for (const ParticleSpring& spring : springs) {
        if (!spring.is_fed) continue;
        for (const std::int64_t cell : inlet_cells(spring, grid_))
            if (kinds_[at(cell)] == CellKind::Land) kinds_[at(cell)] = CellKind::Inlet;
    }
    for (const CellKind kind : kinds_) places_.push_back(place_of(kind, kPit));
    find_fixed();
}

/// Tells which tiles hold fixed cells, or lie beside some.
void ParticleGround::find_fixed() {
    for (std::int64_t tile = 0; tile < tiles_.count(); ++tile)
        tiles_.for_each_cell(tile, [&](int column, int row, std::int64_t cell) {
            bool is_free = !grid_.on_edge(column, row);
            for (const std::int32_t step : index_steps(grid_.columns))
                is_free = is_free && !is_fixed(kinds_[at(cell + step)]);
            if (!is_free) has_fixed_[at(tile)] = 1;
        });
}

DropletGround ParticleGround::for_droplets(const Field<std::int32_t>& elevation) const {
    return {.elevation = elevation.data(),
            .streams = streams_.data(),
            .places = places_.data(),
            .visits = visits_.data(),
            .columns = grid_.columns,
            .rows = grid_.rows};
}

void ParticleGround::set_water(const Field<std::int32_t>& elevation, const Field<std::int32_t>& lake,
                               std::span<const ParticleLake> lakes, float sea_level) {
    parallel_for(0, grid_.cells(), kCellsPerPass, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            CellKind& kind = kinds_[at(cell)];
            if (is_fixed(kind)) continue;
            float& level = streams_[at(cell)].water_level;
            level = -std::numeric_limits<float>::infinity();
            kind = CellKind::Land;
            if (lake[cell] > 0) {
                kind = CellKind::Lake;
                level = lakes[at(lake[cell] - 1)].level;
            }
            const double metres = static_cast<double>(elevation[cell]) * kElevationUnit;
            if (static_cast<float>(metres) < sea_level) {
                kind = CellKind::Sea;
                level = sea_level;
            }
        }
    });
}

void ParticleGround::set_ways(const std::vector<std::uint8_t>& ways, const Field<std::int32_t>& lake,
                              std::span<const ParticleLake> lakes) {
    const std::array<std::int32_t, 8> steps = index_steps(grid_.columns);
    for (std::int64_t cell = 0; cell < grid_.cells(); ++cell) {
        if (kinds_[at(cell)] != CellKind::Lake || ways[at(cell)] >= kRoot) continue;
        CellKind& next = kinds_[at(cell + steps[ways[at(cell)]])];
        if (next == CellKind::Land) next = CellKind::Sill;
    }
    parallel_for(0, grid_.cells(), kCellsPerPass, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            places_[at(cell)] = place_of(kinds_[at(cell)], ways[at(cell)]);
            if (kinds_[at(cell)] == CellKind::Lake && lakes[at(lake[cell] - 1)].sill < 0)
                places_[at(cell)] |= kKeepsWater;
        }
    });
}

Field<std::uint8_t> ParticleGround::outlets() const {
    Field<std::uint8_t> outlets(grid_);
    parallel_for(0, grid_.cells(), kCellsPerPass, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            outlets[cell] = kinds_[at(cell)] == CellKind::Border || kinds_[at(cell)] == CellKind::Sea ? 1 : 0;
    });
    return outlets;
}

void ParticleGround::collect_tiles(const std::vector<std::uint8_t>& is_marked, bool with_neighbours) {
    tiles_at_hand_.clear();
    const int reach = with_neighbours ? 1 : 0;
    for (int row = 0; row < tiles_.rows(); ++row) {
        for (int column = 0; column < tiles_.columns(); ++column) {
            bool is_wanted = false;
            for (int y = std::max(row - reach, 0); y <= std::min(row + reach, tiles_.rows() - 1); ++y)
                for (int x = std::max(column - reach, 0); x <= std::min(column + reach, tiles_.columns() - 1);
                     ++x)
                    is_wanted = is_wanted || is_marked[at(std::int64_t{y} * tiles_.columns() + x)] != 0;
            if (is_wanted) tiles_at_hand_.push_back(std::int64_t{row} * tiles_.columns() + column);
        }
    }
}

/// Changes a cell as change_ and soil_change_ tell. Where what is loose does not give as much, bedrock does.
void ParticleGround::change(GroundLayers layers, std::int64_t cell) const {
    std::int32_t soil = 0;
    if (layers.soil != nullptr) soil = (*layers.soil)[cell] += soil_change_[at(cell)];
    layers.elevation[cell] += change_[at(cell)];
    layers.loose[cell] = std::max(layers.loose[cell] + change_[at(cell)], soil);
}

/// Tells how soil changes in a cell that leaves `rest` of what is pending of all materials, while `pending`
/// of it is soil. Returns whether it does.
bool ParticleGround::change_soil(GroundLayers layers, std::int64_t cell, std::int64_t pending,
                                 std::int64_t rest) {
    const std::int64_t owed =
        std::clamp(pending, std::min<std::int64_t>(rest, 0), std::max<std::int64_t>(rest, 0));
    const std::int64_t change = std::max<std::int64_t>(pending - owed, -(*layers.soil)[cell]);
    (*layers.soil_debt)[cell] = pending - change;
    soil_change_[at(cell)] = static_cast<std::int32_t>(change);
    return change != 0;
}

std::int32_t ParticleGround::room_below(const Field<std::int32_t>& elevation, std::int64_t cell) const {
    std::int32_t lowest = elevation[cell];
    for (const std::int32_t step : index_steps(grid_.columns))
        lowest = std::min(lowest, elevation[cell + step]);
    return (elevation[cell] - lowest) / 2;
}

/// How far a cell may surely rise, whatever drains over it: nine twentieths of the way to the lowest
/// neighbour that is as high, and not beyond the highest.
std::int32_t ParticleGround::sure_room_above(const Field<std::int32_t>& elevation, std::int64_t cell) const {
    std::int32_t highest = 0;
    std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
    for (const std::int32_t step : index_steps(grid_.columns)) {
        const std::int32_t rise = elevation[cell + step] - elevation[cell];
        highest = std::max(highest, rise);
        lowest = std::min(lowest, rise < 0 ? lowest : rise);
    }
    return static_cast<std::int32_t>(std::int64_t{std::min(highest, lowest)} * 9 / 20);
}

std::int32_t ParticleGround::room_above(const Field<std::int32_t>& elevation, std::int64_t cell) const {
    const std::array<std::int32_t, 8> steps = index_steps(grid_.columns);
    const auto is_lowest_of = [&](std::int64_t other) {
        return std::ranges::all_of(
            steps, [&](std::int32_t step) { return elevation[other + step] >= elevation[cell]; });
    };
    std::int32_t highest = 0;
    std::int32_t rise_of_drained = std::numeric_limits<std::int32_t>::max();
    for (int d = 0; d < 8; ++d) {
        const std::int64_t other = cell + steps[at(d)];
        const std::int32_t rise = elevation[other] - elevation[cell];
        highest = std::max(highest, rise);
        if (rise < 0 || rise >= rise_of_drained || is_fixed(kinds_[at(other)])) continue;
        const bool does_take_its_water = way_of(places_[at(other)]) == opposite(d);
        if (does_take_its_water || (rise > 0 && is_lowest_of(other))) rise_of_drained = rise;
    }
    return static_cast<std::int32_t>(std::int64_t{std::min(highest, rise_of_drained)} * 9 / 20);
}

/// How much of what is pending, not 0, a cell can take.
std::int64_t ParticleGround::change_of(const Field<std::int32_t>& elevation, std::int64_t cell,
                                       std::int64_t pending) const {
    if (is_fixed(kinds_[at(cell)])) return 0;
    if (pending < 0) return std::max<std::int64_t>(pending, -room_below(elevation, cell));
    if (kinds_[at(cell)] == CellKind::Sill) return 0;
    if (pending <= sure_room_above(elevation, cell)) return pending;
    return std::min<std::int64_t>(pending, room_above(elevation, cell));
}

void ParticleGround::set_owed(const Field<std::int64_t>& debt) {
    is_owed_ = tiles_.no_marks();
    for (std::int64_t cell = 0; cell < debt.size(); ++cell)
        if (debt[cell] != 0)
            is_owed_[at(tiles_.word_of(grid_.column_of(cell), grid_.row_of(cell)))] |=
                GroundTiles::bit_of(grid_.column_of(cell));
}

/// The visits of this batch to cells of which threads carry some beside their traces.
std::vector<CarriedTrace> ParticleGround::visits_with_carried(std::span<DropletTraces> traces) {
    std::vector<CarriedTrace> carried;
    for (DropletTraces& trace : traces) {
        carried.insert(carried.end(), trace.carried.begin(), trace.carried.end());
        trace.carried.clear();
    }
    carried_.insert(carried_.end(), carried.begin(), carried.end());
    std::ranges::sort(carried, {}, &CarriedTrace::cell);
    std::vector<CarriedTrace> cells;
    for (const CarriedTrace& part : carried) {
        if (cells.empty() || cells.back().cell != part.cell) {
            cells.push_back({.cell = part.cell});
            for (const DropletTraces& trace : traces) {
                const WaterTrace& of_cell = trace.water[at(part.cell)];
                cells.back().of_batch += of_cell.visits - of_cell.before;
            }
        }
        cells.back().of_batch += part.of_batch;
    }
    return cells;
}

void ParticleGround::count_visits(const Field<std::int64_t>& debt, std::span<DropletTraces> traces) {
    const auto set_visits = [&](std::int64_t cell, std::int64_t count, bool is_owed) {
        const float visits = static_cast<float>(count) / kTraceOfDroplet;
        visits_[at(cell)] = is_owed && debt[cell] > 0 ? -visits : visits;
    };
    const std::vector<CarriedTrace> carried = visits_with_carried(traces);
    std::vector<std::uint8_t> is_touched(at(tiles_.count()), 0);
    parallel_for(0, tiles_.count(), kTilesPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t tile = first; tile < last; ++tile) {
            std::uint32_t any = 0;
            tiles_.for_each_word(tile, [&](std::int64_t word) {
                std::uint32_t touched = 0;
                for (const DropletTraces& trace : traces) touched |= trace.is_touched[at(word)];
                is_at_hand_[at(word)] = touched;
                any |= touched;
                tiles_.for_each_bit(word, touched, [&](std::int64_t cell, std::uint32_t bit) {
                    std::int64_t visits = 0;
                    for (DropletTraces& trace : traces) {
                        if ((trace.is_touched[at(word)] & bit) == 0) continue;
                        WaterTrace& of_cell = trace.water[at(cell)];
                        visits += of_cell.visits - of_cell.before;
                        of_cell.before = of_cell.visits;
                    }
                    set_visits(cell, visits, (is_owed_[at(word)] & bit) != 0);
                });
            });
            if (any == 0) continue;
            is_touched[at(tile)] = is_unsettled_[at(tile)] = 1;
            tiles_.for_each_word(tile,
                                 [&](std::int64_t word) { is_at_hand_[at(word)] |= is_owed_[at(word)]; });
        }
    });
    for (const CarriedTrace& of_cell : carried) set_visits(of_cell.cell, of_cell.of_batch, true);
    collect_tiles(is_touched, false);
}

void ParticleGround::exchange(GroundLayers layers, Field<std::int64_t>& debt,
                              std::span<DropletTraces> traces) {
    if (layers.soil != nullptr) soil_change_.resize(change_.size());
    const auto for_cells = [&](const auto& body) {
        parallel_for(0, std::ssize(tiles_at_hand_), kTilesPerTask,
                     [&](std::int64_t first, std::int64_t last) {
                         for (std::int64_t i = first; i < last; ++i)
                             tiles_.for_each_word(tiles_at_hand_[at(i)], body);
                     });
    };
    // See how much of what is pending each cell can take, before any of them changes.
    for_cells([&](std::int64_t word) {
        std::uint32_t owed = is_owed_[at(word)];
        std::uint32_t changing = 0;
        tiles_.for_each_bit(word, is_at_hand_[at(word)], [&](std::int64_t cell, std::uint32_t bit) {
            std::int64_t pending = 0;
            for (DropletTraces& trace : traces)
                if ((trace.is_touched[at(word)] & bit) != 0)
                    pending += std::exchange(trace.elevation[at(cell)], 0);
            if ((owed & bit) != 0) pending += debt[cell];
            const std::int64_t change = pending == 0 ? 0 : change_of(layers.elevation, cell, pending);
            change_[at(cell)] = static_cast<std::int32_t>(change);
            if (change != 0) changing |= bit;
            if (layers.soil != nullptr) {
                std::int64_t soil = (*layers.soil_debt)[cell];
                for (DropletTraces& trace : traces)
                    if ((trace.is_touched[at(word)] & bit) != 0)
                        soil += std::exchange(trace.soil[at(cell)], 0);
                if (change_soil(layers, cell, soil, pending - change)) changing |= bit;
            }
            const bool is_left_over = change != pending;
            if (is_left_over || (owed & bit) != 0) debt[cell] = pending - change;
            owed = is_left_over ? owed | bit : owed & ~bit;
        });
        for (DropletTraces& trace : traces) trace.is_touched[at(word)] = 0;
        is_at_hand_[at(word)] = changing;
        is_owed_[at(word)] = owed;
    });
    for_cells([&](std::int64_t word) {
        tiles_.for_each_bit(word, is_at_hand_[at(word)],
                            [&](std::int64_t cell, std::uint32_t) { change(layers, cell); });
    });
}

void ParticleGround::wash(GroundPigments pigments, const Field<std::int32_t>& loose,
                          std::span<DropletTraces> traces) {
    parallel_for(0, std::ssize(tiles_at_hand_), kTilesPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i)
            tiles_.for_each_cell(tiles_at_hand_[at(i)], [&](int, int, std::int64_t cell) {
                PigmentTrace sum;
                for (DropletTraces& trace : traces) {
                    const PigmentTrace part = std::exchange(trace.pigments[at(cell)], {});
                    sum.laid += part.laid;
                    for (int p = 0; p < kMostPigments; ++p) sum.pigment[p] += part.pigment[p];
                }
                for (int p = 0; p < std::ssize(pigments.surface); ++p) {
                    float& surface = pigments.surface[at(p)][cell];
                    if (sum.laid > 0) surface = covered_pigment(surface, pigments.depth, sum, p);
                    if (loose[cell] == 0) surface = pigments.bedrock[at(p)][cell];
                }
            });
    });
}

SlidOut ParticleGround::avalanche(GroundLayers layers, const GroundSlides& slides_by,
                                  const GroundPigments* pigments) {
    const std::int64_t pigment_count = pigments == nullptr ? 0 : std::ssize(pigments->surface);
    constexpr std::uint32_t kAllRows = ~0U;
    if (layers.soil != nullptr) soil_change_.resize(change_.size());
    for (std::int64_t p = 0; p < pigment_count; ++p) new_pigments_[at(p)].resize(change_.size());
    collect_tiles(is_unsettled_, true);
    std::ranges::fill(is_unsettled_, std::uint8_t{0});
    const auto slide_in = [&](std::int64_t first, std::int64_t last) {
        SlidOut out;
        for (std::int64_t i = first; i < last; ++i) {
            const std::int64_t tile = tiles_at_hand_[at(i)];
            std::uint32_t slid_rows = 0;
            tiles_.for_each_row(tile, kAllRows, [&](int number, std::int64_t cell, int count) {
                RowSlice row = {.elevation = layers.elevation.data() + cell,
                                .kinds = kinds_.data() + cell,
                                .columns = grid_.columns,
                                .count = count,
                                .has_fixed = has_fixed_[at(tile)] != 0};
                if (slides_by.bedrock_rise != nullptr) {
                    row.loose = layers.loose.data() + cell;
                    row.bedrock_rise = slides_by.bedrock_rise + cell;
                    row.held = slides_by.held == nullptr ? nullptr : slides_by.held + cell;
                }
                RowChange change = {.all = change_.data() + cell};
                if (layers.soil != nullptr) {
                    row.soil = layers.soil->data() + cell;
                    change.soil = soil_change_.data() + cell;
                }
                for (std::int64_t p = 0; p < pigment_count; ++p) {
                    row.pigments[p] = pigments->surface[at(p)].data() + cell;
                    change.pigments[p] = new_pigments_[at(p)].data() + cell;
                }
                const bool does_slide = in_lanes(
                    [&](auto lanes) { return slide_in_lanes<lanes()>(row, slides_by.law, change, out); });
                if (does_slide) slid_rows |= GroundTiles::bit_of(number);
            });
            slid_rows_[at(tile)] = slid_rows;
            is_unsettled_[at(tile)] = slid_rows != 0 ? 1 : 0;
        }
        return out;
    };
    const SlidOut out =
        parallel_reduce(0, std::ssize(tiles_at_hand_), kTilesPerTask, SlidOut{}, slide_in, std::plus<>{});
    parallel_for(0, std::ssize(tiles_at_hand_), kTilesPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const std::int64_t tile = tiles_at_hand_[at(i)];
            tiles_.for_each_row(tile, slid_rows_[at(tile)], [&](int, std::int64_t cell, int count) {
                for (int c = 0; c < count; ++c) change(layers, cell + c);
                for (std::int64_t p = 0; p < pigment_count; ++p)
                    for (int c = 0; c < count; ++c) {
                        const bool is_bare = layers.loose[cell + c] == 0;
                        pigments->surface[at(p)][cell + c] =
                            is_bare ? pigments->bedrock[at(p)][cell + c] : new_pigments_[at(p)][at(cell + c)];
                    }
            });
        }
    });
    return out;
}

}  // namespace thalweg
