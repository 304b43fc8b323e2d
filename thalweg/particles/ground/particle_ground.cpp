#include "thalweg/particles/ground/particle_ground.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/particles/droplets/inlets.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerPass = 1 << 15;

bool is_border(const Field<std::int32_t>& elevation, int column, int row) {
    const Grid& grid = elevation.grid();
    if (grid.on_edge(column, row)) return true;
    for (int y = row - 1; y <= row + 1; ++y)
        for (int x = column - 1; x <= column + 1; ++x)
            if (elevation(x, y) == kNoGround) return true;
    return false;
}

/// Whether ground of so many units lies below `sea_level`, m above the datum.
bool is_below(std::int32_t units, float sea_level) {
    return static_cast<float>(static_cast<double>(units) * kElevationUnit) < sea_level;
}

CellPlace place_of(CellKind kind, int direction) {
    return static_cast<CellPlace>(static_cast<int>(kind) | (direction << kDirectionShift));
}

/// Bits of the cells of a word that droplets have touched.
std::uint32_t touched_in(std::span<const DropletTraces> traces, std::int64_t word) {
    std::uint32_t touched = 0;
    for (const DropletTraces& trace : traces) touched |= trace.is_touched[at(word)];
    return touched;
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
      places_(at(grid_.cells()), place_of(CellKind::Land, kPit)),
      has_fixed_(at(tiles_.count()), 0),
      unsettled_(at(tiles_.count()), {kAllRows, kAllRows, kAllRows}),
      is_owed_(tiles_.no_marks()) {
    for (int row = 0; row < grid_.rows; ++row) {
        for (int column = 0; column < grid_.columns; ++column) {
            if (is_border(elevation, column, row))
                places_[at(grid_.index(column, row))] = place_of(CellKind::Border, kPit);
        }
    }
    for (const ParticleSpring& spring : springs) {
        if (!spring.is_fed) continue;
        for (const std::int64_t cell : inlet_cells(spring, grid_))
            if (kind_at(cell) == CellKind::Land) places_[at(cell)] = place_of(CellKind::Inlet, kPit);
    }
    for (std::size_t cell = 0; cell < streams_.size(); ++cell) streams_[cell].share = places_[cell];
    find_fixed();
}

/// Tells which tiles hold fixed cells, or lie beside some.
void ParticleGround::find_fixed() {
    for (std::int64_t tile = 0; tile < tiles_.count(); ++tile)
        tiles_.for_each_cell(tile, [&](int column, int row, std::int64_t cell) {
            bool is_free = !grid_.on_edge(column, row);
            for (const std::int32_t step : index_steps(grid_.columns))
                is_free = is_free && !is_fixed(kind_at(cell + step));
            if (!is_free) has_fixed_[at(tile)] = 1;
        });
}

DropletGround ParticleGround::for_droplets(const Field<std::int32_t>& elevation) const {
    return {.elevation = elevation.data(),
            .streams = streams_.data(),
            .stream_scale = stream_scale_,
            .places = places_.data(),
            .columns = grid_.columns,
            .rows = grid_.rows};
}

void ParticleGround::set_water(const Field<std::int32_t>& elevation, const Field<std::int32_t>& lake,
                               float sea_level) {
    parallel_for(0, grid_.cells(), kCellsPerPass, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            if (is_fixed(kind_at(cell))) continue;
            CellKind kind = lake[cell] > 0 ? CellKind::Lake : CellKind::Land;
            if (is_below(elevation[cell], sea_level)) kind = CellKind::Sea;
            places_[at(cell)] = place_of(kind, kPit);
        }
    });
}

void ParticleGround::set_directions(const std::vector<std::uint8_t>& directions,
                                    const Field<std::int32_t>& lake, std::span<const ParticleLake> lakes) {
    const std::array<std::int32_t, 8> steps = index_steps(grid_.columns);
    for (std::int64_t cell = 0; cell < grid_.cells(); ++cell) {
        if (kind_at(cell) != CellKind::Lake || directions[at(cell)] >= kRoot) continue;
        CellPlace& next = places_[at(cell + steps[directions[at(cell)]])];
        if (kind_of(next) == CellKind::Land) next = place_of(CellKind::Sill, kPit);
    }
    parallel_for(0, grid_.cells(), kCellsPerPass, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const CellKind kind = kind_at(cell);
            places_[at(cell)] = place_of(kind, directions[at(cell)]);
            if (kind == CellKind::Lake && lakes[at(lake[cell] - 1)].sill < 0)
                places_[at(cell)] |= kKeepsWater;
        }
    });
}

/// The share of what sediment leaves open of still water at its sill: less away from it, so that filled lakes
/// drain.
float ParticleGround::open_share(std::int64_t cell, std::int32_t sill) const {
    constexpr float kHalvedOver = 10.0F;  // cells (empirical)
    if (sill < 0) return 0.0F;
    const auto x = static_cast<float>(grid_.column_of(sill) - grid_.column_of(cell));
    const auto y = static_cast<float>(grid_.row_of(sill) - grid_.row_of(cell));
    return kHalvedOver / (kHalvedOver + std::sqrt(x * x + y * y));
}

void ParticleGround::set_streams(const StreamLaw& law, const StreamFields& streams,
                                 const Field<std::int32_t>& lake, std::span<const ParticleLake> lakes,
                                 float sea_level) {
    stream_scale_ = scale_of(law);
    streams_.resize(at(grid_.cells()));  // they may have been released
    parallel_for(0, grid_.cells(), kCellsPerPass, [&](std::int64_t first, std::int64_t last) {
        const StreamRow<const float> row = {.discharge = streams.discharge.data() + first,
                                            .momentum_east = streams.momentum_east.data() + first,
                                            .momentum_south = streams.momentum_south.data() + first};
        in_lanes([&](auto lanes) {
            find_streams<lanes()>(law, row, places_.data() + first, last - first, streams_.data() + first);
        });
        for (std::int64_t cell = first; cell < last; ++cell) {
            if (!is_water(kind_at(cell))) continue;
            const ParticleLake water =
                kind_at(cell) == CellKind::Sea ? ParticleLake{.level = sea_level} : lakes[at(lake[cell] - 1)];
            const auto share = std::lround(kLargestShare * open_share(cell, water.sill));
            streams_[at(cell)] = {
                .push = std::bit_cast<std::int32_t>(water.level),
                .share = static_cast<std::int32_t>(static_cast<std::uint32_t>(share) << kHalf) |
                         places_[at(cell)]};
        }
    });
}

void ParticleGround::release_memory() {
    const auto release = [](auto& values) { values = std::decay_t<decltype(values)>(); };
    release(streams_);
    release(cells_at_hand_);
    release(change_at_hand_);
    release(change_);
}

Field<std::uint8_t> ParticleGround::outlets(const Field<std::int32_t>& elevation, float sea_level) const {
    Field<std::uint8_t> outlets(grid_);
    parallel_for(0, grid_.cells(), kCellsPerPass, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const CellKind kind = kind_at(cell);
            const bool is_sea = !is_fixed(kind) && is_below(elevation[cell], sea_level);
            outlets[cell] = kind == CellKind::Border || is_sea ? 1 : 0;
        }
    });
    return outlets;
}

/// Changes a cell, and its soil as soil_change_ tells. Where what is loose does not give as much, bedrock
/// does.
void ParticleGround::change(GroundLayers layers, std::int64_t cell, std::int32_t change) const {
    std::int32_t soil = 0;
    if (layers.soil != nullptr) soil = (*layers.soil)[cell] += soil_change_[at(cell)];
    layers.elevation[cell] += change;
    layers.loose[cell] = std::max(layers.loose[cell] + change, soil);
}

/// Tells how soil changes in a cell that leaves `rest` of what is pending of all materials, while `pending`
/// of it is soil.
void ParticleGround::find_soil_change(GroundLayers layers, std::int64_t cell, std::int64_t pending,
                                      std::int64_t rest) {
    const std::int64_t owed =
        std::clamp(pending, std::min<std::int64_t>(rest, 0), std::max<std::int64_t>(rest, 0));
    const std::int64_t change = std::max<std::int64_t>(pending - owed, -(*layers.soil)[cell]);
    layers.soil_debt->set(cell, pending - change);
    soil_change_[at(cell)] = static_cast<std::int32_t>(change);
}

void ParticleGround::set_owed(const UnitField& debt) {
    is_owed_ = tiles_.no_marks();
    for (std::int64_t cell = 0; cell < debt.size(); ++cell)
        if (debt.small()[cell] != 0)
            is_owed_[at(tiles_.word_of(grid_.column_of(cell), grid_.row_of(cell)))] |=
                GroundTiles::bit_of(grid_.column_of(cell));
}

/// Takes what threads carry beside their traces; returns it by cells, one for each.
std::vector<CarriedTrace> ParticleGround::take_carried(std::span<DropletTraces> traces) {
    std::vector<CarriedTrace> carried;
    for (DropletTraces& trace : traces) {
        carried.insert(carried.end(), trace.carried.begin(), trace.carried.end());
        trace.carried.clear();
    }
    carried_.insert(carried_.end(), carried.begin(), carried.end());
    std::ranges::sort(carried, {}, &CarriedTrace::cell);
    std::vector<CarriedTrace> cells;
    for (const CarriedTrace& part : carried) {
        if (cells.empty() || cells.back().cell != part.cell) cells.push_back({.cell = part.cell});
        cells.back().visits += part.visits;
    }
    return cells;
}

/// Finds the tiles that droplets have touched, and how many cells of each are at hand.
void ParticleGround::find_tiles_at_hand(std::span<const DropletTraces> traces) {
    cells_in_tile_.assign(at(tiles_.count()), 0);
    parallel_for(0, tiles_.count(), kTilesPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t tile = first; tile < last; ++tile) {
            std::uint32_t any = 0;
            int cells = 0;
            tiles_.for_each_word(tile, [&](std::int64_t word) {
                const std::uint32_t touched = touched_in(traces, word);
                any |= touched;
                // Without an instruction for it, counting bits is slow: most words have none.
                if (const std::uint32_t marked = touched | is_owed_[at(word)]; marked != 0)
                    cells += std::popcount(marked);
            });
            if (any == 0) continue;
            cells_in_tile_[at(tile)] = cells;
        }
    });
    tiles_at_hand_.clear();
    first_at_hand_.assign(1, 0);
    for (std::int64_t tile = 0; tile < tiles_.count(); ++tile) {
        if (cells_in_tile_[at(tile)] == 0) continue;
        tiles_at_hand_.push_back(tile);
        first_at_hand_.push_back(first_at_hand_.back() + cells_in_tile_[at(tile)]);
    }
    cells_at_hand_.resize(at(first_at_hand_.back()));
    change_at_hand_.resize(cells_at_hand_.size());
}

/// Calls body(first, last) for cells at hand, from any thread; words of marks are never shared between calls.
template <class Body>
void ParticleGround::for_cells_at_hand(const Body& body) const {
    parallel_for(0, std::ssize(tiles_at_hand_), kTilesPerTask, [&](std::int64_t first, std::int64_t last) {
        body(first_at_hand_[at(first)], first_at_hand_[at(last)]);
    });
}

std::vector<ParticleGround::TouchedTraces> ParticleGround::touched_of(std::span<DropletTraces> traces) {
    std::vector<TouchedTraces> touched;
    for (DropletTraces& trace : traces)
        touched.push_back({.cells = trace.cells.data(), .is_touched = trace.is_touched.data()});
    return touched;
}

/// Adds what brought_, `visits`, and momentum of traces have come to, which is too much for them, to `full`,
/// and takes it out of them.
void ParticleGround::carry_full(std::int64_t cell, std::int64_t visits, std::span<DropletTraces> traces,
                                std::vector<CarriedTrace>& full) {
    CarriedTrace all = {.cell = cell, .visits = visits};
    for (DropletTraces& trace : traces) {
        all.east += std::exchange(trace.cells[at(cell)].east, 0);
        all.south += std::exchange(trace.cells[at(cell)].south, 0);
    }
    full.push_back(all);
}

/// Lists the cells of a tile at hand, and asks for what is read of them next.
void ParticleGround::list_cells_at_hand(std::int64_t number, std::span<const DropletTraces> traces) {
    CellAtHand* next = cells_at_hand_.data() + first_at_hand_[at(number)];
    const CellTrace* const of_cells = traces.front().cells.data();
    const std::int32_t* const brought = brought_.data();
    tiles_.for_each_word(tiles_at_hand_[at(number)], [&](std::int64_t word) {
        tiles_.for_each_bit(word, touched_in(traces, word) | is_owed_[at(word)],
                            [&](std::int64_t cell, std::uint32_t bit) {
                                __builtin_prefetch(of_cells + cell, 1);
                                __builtin_prefetch(brought + cell, 1);
                                *next++ = {.cell = static_cast<std::int32_t>(cell),
                                           .word = static_cast<std::int32_t>(word),
                                           .bit = bit};
                            });
    });
}

void ParticleGround::count_visits(const UnitField& debt, std::span<DropletTraces> traces) {
    brought_.resize(at(grid_.cells()));  // of a new cycle none
    const std::vector<CarriedTrace> carried = take_carried(traces);
    const auto carried_to = [&](std::int64_t cell) {
        const auto of_cell = std::ranges::lower_bound(carried, cell, {}, &CarriedTrace::cell);
        return of_cell != carried.end() && of_cell->cell == cell ? of_cell->visits : 0;
    };
    find_tiles_at_hand(traces);
    const std::vector<TouchedTraces> touched = touched_of(traces);
    const auto count_in = [&](std::int64_t first, std::int64_t last) {
        constexpr std::int64_t kMost = 1 << 30;
        std::vector<CarriedTrace> full;
        for (std::int64_t i = first; i < last; ++i) {
            list_cells_at_hand(i, traces);
            for (std::int64_t c = first_at_hand_[at(i)]; c < first_at_hand_[at(i + 1)]; ++c) {
                const CellAtHand at_hand = cells_at_hand_[at(c)];
                std::int64_t visits = 0;
                for (const TouchedTraces& trace : touched)
                    if (trace.has(at_hand)) visits += trace.cells[at_hand.cell].visits;
                const std::int64_t all = carried.empty() ? visits : visits + carried_to(at_hand.cell);
                const float droplets = static_cast<float>(all) / kTraceOfDroplet;
                const bool does_take_none = is_owed(at_hand) && debt[at_hand.cell] > 0;
                const auto told = std::bit_cast<std::int32_t>(does_take_none ? -droplets : droplets);
                for (const TouchedTraces& trace : touched)
                    if (trace.has(at_hand)) trace.cells[at_hand.cell].visits = told;
                visits += brought_[at(at_hand.cell)];
                if (visits > kMost) [[unlikely]]
                    carry_full(at_hand.cell, std::exchange(visits, 0), traces, full);
                brought_[at(at_hand.cell)] = static_cast<std::int32_t>(visits);
            }
        }
        return full;
    };
    const std::vector<CarriedTrace> full =
        parallel_concat<CarriedTrace>(0, std::ssize(tiles_at_hand_), kTilesPerTask, count_in);
    carried_.insert(carried_.end(), full.begin(), full.end());
}

/// Sums up to TraceSums::kMost cells from `first` on, and takes these out of traces.
void ParticleGround::sum_traces(std::int64_t first, std::int64_t count, std::span<DropletTraces> traces,
                                TraceSums& sums) {
    std::array<std::int32_t, TraceSums::kRoom> east = {};
    std::array<std::int32_t, TraceSums::kRoom> south = {};
    for (DropletTraces& trace : traces)
        in_lanes([&](auto lanes) {
            take_momentum<lanes()>(trace.cells.data() + first, count, east.data(), south.data());
        });
    const std::int32_t* const brought = brought_.data() + first;
    for (std::int64_t i = 0; i < count; ++i) {
        sums.visits[i] = static_cast<float>(brought[i]);
        sums.east[i] = static_cast<float>(east[at(i)]);
        sums.south[i] = static_cast<float>(south[at(i)]);
    }
    auto carried = std::ranges::lower_bound(carried_, first, {}, &CarriedTrace::cell);
    while (carried != carried_.end() && carried->cell < first + count) {
        const std::int64_t i = carried->cell - first;
        CarriedTrace all = {.visits = brought[i], .east = east[at(i)], .south = south[at(i)]};
        for (; carried != carried_.end() && carried->cell == first + i; ++carried) {
            all.visits += carried->visits;
            all.east += carried->east;
            all.south += carried->south;
        }
        sums.visits[i] = static_cast<float>(all.visits);
        sums.east[i] = static_cast<float>(all.east);
        sums.south[i] = static_cast<float>(all.south);
    }
}

/// Takes what is pending in cells at hand out of traces and debt.
void ParticleGround::collect_pending(std::span<const CellAtHand> cells, const UnitField& debt,
                                     std::span<const TouchedTraces> traces, PendingChange& of) const {
    constexpr std::int64_t kMost = 1 << 30;  // no cell changes by as much at once
    const std::int32_t inside = grid_.columns + 1;
    of.count = 0;
    for (const CellAtHand& at_hand : cells) {
        std::int64_t pending = is_owed(at_hand) ? debt[at_hand.cell] : 0;
        for (const TouchedTraces& trace : traces) {
            if (!trace.has(at_hand)) continue;
            CellTrace& of_cell = trace.cells[at_hand.cell];
            pending += std::exchange(of_cell.exchange, 0);
            of_cell.visits = 0;
        }
        const CellKind kind = kind_at(at_hand.cell);
        const bool stays = is_fixed(kind) || (kind == CellKind::Sill && pending > 0);
        of.cell[of.count] = stays ? inside : at_hand.cell;
        of.pending[of.count] = stays ? 0 : static_cast<std::int32_t>(std::clamp(pending, -kMost, kMost));
        of.all[of.count++] = pending;
    }
    std::fill_n(of.cell + of.count, kWidestVector, inside);
    std::fill_n(of.pending + of.count, kWidestVector, 0);
}

/// Tells how much of what is pending cells may rise by where their neighbours alone don't tell: nine
/// twentieths of the way to the lowest neighbour that drains over them, and not beyond the highest.
void ParticleGround::find_unsure_change(const Field<std::int32_t>& elevation, PendingChange& of,
                                        PendingChange& unsure) const {
    std::array<std::int32_t, PendingChange::kMost> numbers;  // in `of`
    unsure.count = 0;
    for (std::int32_t i = 0; i < of.count; ++i) {
        numbers[at(unsure.count)] = i;
        unsure.cell[unsure.count] = of.cell[i];
        unsure.count += of.change[i] == kUnsure ? 1 : 0;
    }
    if (unsure.count == 0) return;
    std::fill_n(unsure.cell + unsure.count, kWidestVector, grid_.columns + 1);
    in_lanes([&](auto lanes) {
        find_room<lanes()>(elevation.data(), places_.data(), grid_.columns, grid_.cells(), unsure);
    });
    for (int i = 0; i < unsure.count; ++i) {
        const std::int32_t number = numbers[at(i)];
        const std::int64_t most = std::int64_t{unsure.change[i]} * 9 / 20;
        of.change[number] = static_cast<std::int32_t>(std::min<std::int64_t>(of.all[number], most));
    }
}

/// Tells by how much cells at hand change, and keeps what they can't take as debt.
void ParticleGround::settle_pending(std::span<const CellAtHand> cells, GroundLayers layers, UnitField& debt,
                                    std::span<DropletTraces> traces, const PendingChange& of,
                                    std::span<std::int32_t> changes) {
    for (int i = 0; i < of.count; ++i) {
        const CellAtHand& at_hand = cells[at(i)];
        const std::int64_t pending = of.all[i];
        const std::int64_t change = of.change[i];
        changes[at(i)] = static_cast<std::int32_t>(change);
        if (layers.soil != nullptr) {
            std::int64_t soil = (*layers.soil_debt)[at_hand.cell];
            for (DropletTraces& trace : traces)
                if ((trace.is_touched[at(at_hand.word)] & at_hand.bit) != 0)
                    soil += std::exchange(trace.soil[at(at_hand.cell)], 0);
            find_soil_change(layers, at_hand.cell, soil, pending - change);
        }
        const bool is_left_over = change != pending;
        const bool was_owed = is_owed(at_hand);
        if (is_left_over || was_owed) debt.set(at_hand.cell, pending - change);
        if (is_left_over != was_owed) is_owed_[at(at_hand.word)] ^= at_hand.bit;
    }
}

/// Owes what traces have no room for.
void ParticleGround::owe_laid_down(UnitField& debt, std::span<DropletTraces> traces) {
    for (DropletTraces& trace : traces) {
        for (const LaidDown& laid : trace.laid_down) {
            debt.add(laid.cell, laid.amount);
            const int column = grid_.column_of(laid.cell);
            is_owed_[at(tiles_.word_of(column, grid_.row_of(laid.cell)))] |= GroundTiles::bit_of(column);
        }
        trace.laid_down.clear();
    }
}

void ParticleGround::exchange(GroundLayers layers, UnitField& debt, std::span<DropletTraces> traces) {
    owe_laid_down(debt, traces);
    if (layers.soil != nullptr) soil_change_.resize(at(grid_.cells()));
    const std::vector<TouchedTraces> touched = touched_of(traces);
    // See how much of what is pending each cell can take, before any of them changes.
    for_cells_at_hand([&](std::int64_t first, std::int64_t last) {
        PendingChange pending;
        PendingChange unsure;
        for (; first < last; first += PendingChange::kMost) {
            const std::size_t count = at(std::min<std::int64_t>(last - first, PendingChange::kMost));
            const auto cells = std::span(cells_at_hand_).subspan(at(first), count);
            collect_pending(cells, debt, touched, pending);
            in_lanes([&](auto lanes) {
                find_sure_change<lanes()>(layers.elevation.data(), grid_.columns, pending);
            });
            find_unsure_change(layers.elevation, pending, unsure);
            settle_pending(cells, layers, debt, traces, pending,
                           std::span(change_at_hand_).subspan(at(first), count));
        }
    });
    for_cells_at_hand([&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const CellAtHand& at_hand = cells_at_hand_[at(i)];
            change(layers, at_hand.cell, change_at_hand_[at(i)]);
            for (DropletTraces& trace : traces) trace.is_touched[at(at_hand.word)] = 0;
        }
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

}  // namespace thalweg
