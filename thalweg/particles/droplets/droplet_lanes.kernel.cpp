#include "thalweg/particles/droplets/droplet_lanes.hpp"

#include "thalweg/core/lane_reads.hpp"
#include "thalweg/flow/directions.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thalweg {
namespace {

using Row = RowOf<kLanes>;
constexpr int kMostStops = 8;             // in a hollow, until a droplet stays there (empirical)
constexpr float kSettlingLengths = 8.0F;  // in still water: 3e-4 of a load is left
constexpr float kUnit = 0x1p-17F;         // m, kElevationUnit
constexpr float kDiagonal = 1.0F / 1.41421356F;
constexpr float kLeastDrive = 1e-12F;  // of what drives droplets
constexpr auto kLake = static_cast<std::int32_t>(CellKind::Lake);
constexpr auto kSea = static_cast<std::int32_t>(CellKind::Sea);
constexpr auto kBorder = static_cast<std::int32_t>(CellKind::Border);

/// The cells where droplets are, and what they read there.
struct Surroundings {
    Ints cell, column, row;
    Ints place;
    Floats elevation, surface;        // m
    Floats west, east, north, south;  // m, of the neighbours
    Floats push_east, push_south, entrainment;

    [[gnu::always_inline]] Ints kind() const { return place & kKindOfPlace; }
    [[gnu::always_inline]] Ints is_water() const { return (kind() == kLake) | (kind() == kSea); }
};

/// Where the traces of all lanes' cells lie, of 16 bytes each: 2^28 of them at most.
struct LaneTraces {
    alignas(64) std::uint32_t of[kLanes];

    [[gnu::always_inline]] explicit LaneTraces(Ints cells) {
        const Words bytes = reinterpret_cast<Words>(cells) << 4;
        std::memcpy(of, &bytes, sizeof bytes);
        asm("" : "+m"(of));  // as LaneCells
    }

    [[gnu::always_inline]] CellTrace* in(CellTrace* traces, int lane) const {
        static_assert(sizeof(CellTrace) == 16);
        return reinterpret_cast<CellTrace*>(reinterpret_cast<char*>(traces) + of[lane]);
    }
};

[[gnu::always_inline]] inline Ints clamped(Ints v, std::int32_t least, std::int32_t most) {
    const Ints above = v < least ? Ints{} + least : v;
    return above > most ? Ints{} + most : above;
}

[[gnu::always_inline]] inline Surroundings look_around(const DropletRun& run, Floats x, Floats y) {
    const DropletGround& ground = *run.ground;
    Surroundings here;
    here.column = __builtin_convertvector(x, Ints);
    here.row = __builtin_convertvector(y, Ints);
    here.cell = here.row * ground.columns + here.column;
    // Neighbours of cells on the edge may be others: nothing goes on from there.
    const std::int32_t last = ground.columns * ground.rows - 1;
    const Ints within = clamped(here.cell, ground.columns, last - ground.columns);
    const LaneTraces traces(here.cell);
    const LaneCells cells(here.cell);
    const LaneCells inner(within);
    const Twos streams = read_twos([&](int lane) {
        // Traces are left there in the next row.
        __builtin_prefetch(traces.in(run.cells, lane), 1);
        return ground.streams + cells.of[lane];
    });
    const std::int32_t* of_west = ground.elevation - 1;
    const Fours along = read_fours([&](int lane) { return of_west + inner.of[lane]; });
    Ints elevation = along.second;
    if (bits_of(within != here.cell) != 0) [[unlikely]]
        elevation = read_ints(ground.elevation, cells);
    here.elevation = floats_of(elevation) * kUnit;
    here.west = floats_of(along.first) * kUnit;
    here.east = floats_of(along.third) * kUnit;
    here.north = floats_of(read_ints(ground.elevation - ground.columns, inner)) * kUnit;
    here.south = floats_of(read_ints(ground.elevation + ground.columns, inner)) * kUnit;
    const StreamScale& scale = ground.stream_scale;
    here.push_east = floats_of(streams.first << kHalf >> kHalf) * scale.push;
    here.push_south = floats_of(streams.first >> kHalf) * scale.push;
    here.place = streams.second & kPlaceOfStream;
    const Floats share = floats_of((streams.second >> kHalf) & 0xffff);
    here.entrainment = choose(here.is_water(), share * scale.open_depth, 1.0F + share * scale.entrainment);
    here.surface = choose(here.is_water(), most_of(here.elevation, as_floats(streams.first)), here.elevation);
    return here;
}

[[gnu::always_inline]] inline Surroundings choose(Ints mask, const Surroundings& a, const Surroundings& b) {
    const auto of = [&](auto Surroundings::* member) { return choose(mask, a.*member, b.*member); };
    return {of(&Surroundings::cell),       of(&Surroundings::column),    of(&Surroundings::row),
            of(&Surroundings::place),      of(&Surroundings::elevation), of(&Surroundings::surface),
            of(&Surroundings::west),       of(&Surroundings::east),      of(&Surroundings::north),
            of(&Surroundings::south),      of(&Surroundings::push_east), of(&Surroundings::push_south),
            of(&Surroundings::entrainment)};
}

/// Droplets under way, as DropletLanes.
struct Movers {
    Floats x, y, u, v, volume, lowest, release, distance_in_water, length;
    Ints steps, stops, descent, is_active, is_falling, has_climbed, goes_back, is_ashore, arrives;

    explicit Movers(const DropletLanes& lanes)
        : x(load(lanes.x)),
          y(load(lanes.y)),
          u(load(lanes.east)),
          v(load(lanes.south)),
          volume(load(lanes.volume)),
          lowest(load(lanes.lowest)),
          release(load(lanes.release)),
          distance_in_water(load(lanes.distance_in_water)),
          length(load(lanes.length)),
          steps(load_ints(lanes.steps)),
          stops(load_ints(lanes.stops)),
          descent(load_ints(lanes.descent)),
          is_active(load_ints(lanes.is_active)),
          is_falling(load_ints(lanes.is_falling)),
          has_climbed(load_ints(lanes.has_climbed)),
          goes_back(load_ints(lanes.goes_back)),
          is_ashore(load_ints(lanes.is_ashore)),
          arrives(load_ints(lanes.arrives)) {}

    void store_to(DropletLanes& lanes) const {
        store(lanes.x, x);
        store(lanes.y, y);
        store(lanes.east, u);
        store(lanes.south, v);
        store(lanes.volume, volume);
        store(lanes.lowest, lowest);
        store(lanes.release, release);
        store(lanes.distance_in_water, distance_in_water);
        store(lanes.length, length);
        store_ints(lanes.steps, steps);
        store_ints(lanes.stops, stops);
        store_ints(lanes.descent, descent);
        store_ints(lanes.is_active, is_active);
        store_ints(lanes.is_falling, is_falling);
        store_ints(lanes.has_climbed, has_climbed);
        store_ints(lanes.goes_back, goes_back);
        store_ints(lanes.is_ashore, is_ashore);
        store_ints(lanes.arrives, arrives);
    }
};

/// Rise of the ground per m, of the fourth order where its cells lie within the grid and have data.
[[gnu::noinline]] void refine_gradient(const DropletRun& run, const Surroundings& here, Floats& x,
                                       Floats& y) {
    const DropletGround& ground = *run.ground;
    Ints is_fine = (here.column > 1) & (here.row > 1) & (here.column < ground.columns - 2) &
                   (here.row < ground.rows - 2);
    const Ints some = Ints{} + (2 * ground.columns + 2);  // a cell with all of them, if there is any
    const LaneCells cells(choose(is_fine, here.cell, some));
    if (ground.columns < 5 || ground.rows < 5) return;
    const Ints east = read_ints(ground.elevation + 2, cells);
    const Ints west = read_ints(ground.elevation - 2, cells);
    const std::int64_t two_rows = 2 * std::int64_t{ground.columns};
    const Ints south = read_ints(ground.elevation + two_rows, cells);
    const Ints north = read_ints(ground.elevation - two_rows, cells);
    is_fine &= (east != kNoGround) & (west != kNoGround) & (south != kNoGround) & (north != kNoGround);
    const float scale = 0.5F / run.law->cell_size;
    constexpr float kNear = 4.0F / 3.0F;
    constexpr float kFar = 1.0F / 6.0F;
    const auto wide = [](Ints a, Ints b) { return floats_of(a) * kUnit - floats_of(b) * kUnit; };
    x = choose(is_fine, scale * (kNear * (here.east - here.west) - kFar * wide(east, west)), x);
    y = choose(is_fine, scale * (kNear * (here.south - here.north) - kFar * wide(south, north)), y);
}

/// What drives droplets after the last step, under gravity and the stream: a vector of any length.
[[gnu::always_inline]] inline void turn(const DropletRun& run, const Surroundings& here, Floats length,
                                        Floats& u, Floats& v) {
    const DropletLaw& law = *run.law;
    const float scale = 0.5F / law.cell_size;
    Floats x = scale * (here.east - here.west);
    Floats y = scale * (here.south - here.north);
    if (law.is_fourth_order) refine_gradient(run, here, x, y);
    const Floats pull = -length * law.gravity / square_root(1.0F + x * x + y * y);
    const Floats push = length * (u * here.push_east + v * here.push_south);
    u = u + pull * x + push * here.push_east;
    v = v + pull * y + push * here.push_south;
}

/// Directions (directions.hpp) as vectors.
[[gnu::always_inline]] inline void take_direction(Ints direction, Floats& u, Floats& v) {
    const Ints columns = ((direction >= 3) & (direction <= 5)) - ((direction <= 1) | (direction == 7));
    const Ints rows = (direction >= 5) - ((direction >= 1) & (direction <= 3));
    const Floats size = choose((direction & 1) != 0, Floats{} + kDiagonal, Floats{} + 1.0F);
    u = floats_of(columns) * size;
    v = floats_of(rows) * size;
}

float surface_at(const DropletGround& ground, std::int64_t cell) {
    const float elevation = static_cast<float>(ground.elevation[cell]) * kUnit;
    const StreamCell& stream = ground.streams[cell];
    const std::int32_t kind = stream.share & kKindOfPlace;
    if (kind != kLake && kind != kSea) return elevation;
    float level;
    std::memcpy(&level, &stream.push, sizeof level);
    return elevation < level ? level : elevation;
}

/// The direction of the lowest neighbour; kPit where none is lower.
std::int32_t direction_to_lowest(const DropletGround& ground, std::int64_t cell) {
    float lowest = surface_at(ground, cell);
    std::int32_t direction = kPit;
    for (std::int32_t d = 0; d < 8; ++d) {
        const float surface =
            surface_at(ground, cell + std::int64_t{kRowStep[d]} * ground.columns + kColumnStep[d]);
        if (!(surface < lowest)) continue;
        lowest = surface;
        direction = d;
    }
    return direction;
}

[[gnu::noinline]] Ints directions_to_lowest(const DropletGround& ground, unsigned lanes, Ints cells,
                                            Ints direction) {
    const LaneCells of(cells);
    alignas(64) std::int32_t directions[kLanes];
    store_ints(directions, direction);
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        directions[lane] = direction_to_lowest(ground, of.of[lane]);
    }
    return load_ints(directions);
}

/// What droplets do next, and which.
struct Decision {
    Ints is_straight, is_free, is_turning, falls;
    Ints goes_by_direction;  // of those that fall
    Ints is_stuck;           // where there is no way down
    Ints ends, has_left;
};

/// A droplet in still water goes straight on until its load has settled or it comes to the shore; then it
/// falls if its lake is full, and else ends there. One that has climbed too far, on land or from a sill that
/// has been cut back up into its lake, in which it would go round for ever, turns back and falls.
[[gnu::always_inline]] inline Decision decide(const DropletLaw& law, const Surroundings& here, Movers& s) {
    const Ints kind = here.kind();
    const Ints in_water = here.is_water();
    const Ints has_settled = s.distance_in_water > kSettlingLengths * law.settling_length;
    const Ints leaves = s.is_active & in_water & ~s.is_falling & (s.is_ashore | has_settled);
    Decision decision;
    decision.has_left = leaves & (kind == kSea);
    decision.ends = decision.has_left | (leaves & ((here.place & kKeepsWater) != 0));
    s.is_falling |= leaves & ~decision.ends;
    const Ints goes = s.is_active & ~decision.ends;
    const Ints spills = (kind == kLake) & ((here.place & kKeepsWater) == 0);
    decision.is_turning = goes & (~in_water | spills) & s.has_climbed;
    decision.falls = goes & s.is_falling & ~decision.is_turning;
    decision.is_straight = goes & in_water & ~s.is_falling & ~decision.is_turning;
    decision.is_free = goes & ~in_water & ~decision.falls & ~decision.is_turning;
    s.distance_in_water = choose(in_water, s.distance_in_water, Floats{});
    s.release =
        choose(decision.falls & in_water, least_of(s.release, here.surface - law.climb_limit), s.release);
    s.release = choose(decision.is_turning, s.lowest, s.release);
    s.is_falling |= decision.is_turning;
    s.has_climbed &= ~decision.is_turning;
    s.goes_back = (s.goes_back | decision.is_turning) & s.is_falling & ~in_water;
    return decision;
}

/// A step as it would be.
struct Step {
    Floats x, y, u, v, length;
    Ints moves;
};

[[gnu::always_inline]] inline Step step_of(const DropletRun& run, const Surroundings& here, const Movers& s,
                                           Decision& decision) {
    const Ints looked_up = (here.place >> kDirectionShift) & kDirectionOfPlace;
    const Ints direction = choose(s.descent >= 0, s.descent, looked_up);
    decision.goes_by_direction = decision.falls & (direction < kRoot);
    decision.is_stuck = decision.falls & (s.descent >= kRoot);
    Floats u = s.u;
    Floats v = s.v;
    turn(run, here, s.length, u, v);
    u = choose(decision.is_free, u, choose(decision.is_turning, -s.u, s.u));
    v = choose(decision.is_free, v, choose(decision.is_turning, -s.v, s.v));
    Floats flow_u;
    Floats flow_v;
    take_direction(direction, flow_u, flow_v);
    u = choose(decision.goes_by_direction, flow_u, u);
    v = choose(decision.goes_by_direction, flow_v, v);
    const Floats x = choose(decision.goes_by_direction, floats_of(here.column) + 0.5F, s.x);
    const Floats y = choose(decision.goes_by_direction, floats_of(here.row) + 0.5F, s.y);
    const Floats size_u = u < 0.0F ? -u : u;
    const Floats size_v = v < 0.0F ? -v : v;
    const Floats major = most_of(size_u, size_v);
    const Ints is_driven = major > kLeastDrive;
    const Ints wants =
        decision.is_free | decision.is_turning | decision.is_straight | decision.goes_by_direction;
    decision.ends |= wants & ~is_driven;
    const Ints moves = wants & is_driven;
    // To the next column or row.
    const Floats scale = 1.0F / major;
    u = u * scale;
    v = v * scale;
    const Floats size = square_root(u * u + v * v);
    const Floats to_unit = 1.0F / size;
    return {choose(moves, x + u, s.x),
            choose(moves, y + v, s.y),
            u * to_unit,
            v * to_unit,
            run.law->cell_size * size,
            moves};
}

/// Asks for the memory of the cells to which droplets come in the next row if they keep their directions.
[[gnu::always_inline]] inline void look_ahead(const DropletRun& run, const Surroundings& here,
                                              const Step& step) {
    const Ints column = __builtin_convertvector(step.x, Ints);
    const Ints row = __builtin_convertvector(step.y, Ints);
    const LaneCells ahead((2 * row - here.row) * run.ground->columns + 2 * column - here.column);
#pragma GCC unroll 16
    for (const std::int32_t cell : ahead.of) __builtin_prefetch(run.ground->streams + cell);
}

/// Leaves water and momentum in the cells that droplets go from, and marks these.
[[gnu::always_inline]] inline void leave_traces(const DropletRun& run, const Surroundings& here,
                                                const Step& step, Floats volume, Ints moved,
                                                DropletLanes& lanes, Four& all) {
    const Floats water = kTraceOfDroplet * volume;
    const Ints is_counted = moved & (volume <= kHeaviestDroplet);
    const Floats one = Floats{} + 1.0F;
    const Ints visits =
        __builtin_convertvector(choose(is_counted, most_of(water + 0.5F, one), Floats{}), Ints);
    const Ints east = floor_of(choose(is_counted, water * step.u + 0.5F, Floats{}));
    const Ints south = floor_of(choose(is_counted, water * step.v + 0.5F, Floats{}));
    const Fours traces = transposed(visits, east, south, Ints{});
    // A vector holds those of every fourth lane.
    const LaneTraces places(here.cell);
    const LaneCells words(here.row * run.tile_columns + (here.column >> 5));
    const LaneCells bits((moved & 1) << (here.column & 31));
    const Ints four[4] = {traces.first, traces.second, traces.third, traces.fourth};
#pragma GCC unroll 16
    for (int lane = 0; lane < kLanes; ++lane) {
        Four trace;
        std::memcpy(&trace, reinterpret_cast<const char*>(&four[lane % 4]) + std::ptrdiff_t{16} * (lane / 4),
                    sizeof trace);
        CellTrace* to = places.in(run.cells, lane);
        Four sum;
        std::memcpy(&sum, to, sizeof sum);
        sum += trace;
        std::memcpy(static_cast<void*>(to), &sum, sizeof sum);
        all |= sum;
        run.is_touched[words.of[lane]] |= static_cast<std::uint32_t>(bits.of[lane]);
    }
    unsigned heavy = bits_of(moved & ~is_counted);
    for (; heavy != 0; heavy &= heavy - 1) [[unlikely]] {
        const int lane = __builtin_ctz(heavy);
        const auto whole = [&](float part) {
            return static_cast<std::int64_t>(__builtin_floorf(water[lane] * part + 0.5F));
        };
        run.carried[lanes.carried++] = {.cell = here.cell[lane],
                                        .visits = whole(1.0F),
                                        .east = whole(step.u[lane]),
                                        .south = whole(step.v[lane])};
    }
}

/// Takes the steps of those that have moved.
[[gnu::always_inline]] inline void go_on(const DropletLaw& law, const Step& step, const Decision& decision,
                                         const Surroundings& next, Ints moved, Movers& s) {
    s.distance_in_water =
        choose(decision.is_straight & moved, s.distance_in_water + s.length, s.distance_in_water);
    s.x = choose(moved, step.x, s.x);
    s.y = choose(moved, step.y, s.y);
    s.u = choose(moved, step.u, s.u);
    s.v = choose(moved, step.v, s.v);
    s.length = choose(moved, step.length, s.length);
    s.volume =
        choose(moved, s.volume * (law.evaporation_length / (law.evaporation_length + step.length)), s.volume);
    // See whether a droplet has climbed too far, or a fall has come to lower ground than it has seen.
    s.has_climbed = choose(moved, ~s.is_falling & (next.surface > s.lowest + law.climb_limit), s.has_climbed);
    s.is_falling &= ~(moved & (next.surface < s.release));
    s.stops = choose(moved & (next.surface < s.lowest), Ints{}, s.stops);
    s.lowest = choose(moved, least_of(s.lowest, next.surface), s.lowest);
    // One that has found no way down goes on as it came, unless it has done so too often.
    s.is_falling &= ~decision.is_stuck;
    s.stops -= decision.is_stuck;
    s.steps -= moved | decision.is_stuck;
}

constexpr std::int32_t kDropletsAhead = 16;  // whose memory is asked for (empirical)

/// Where a droplet begins.
std::int32_t cell_of(const DropletRun& run, std::int32_t number) {
    const Vector2& place = run.starts[number].droplet.place;
    return static_cast<std::int32_t>(place.y) * run.ground->columns + static_cast<std::int32_t>(place.x);
}

void ask_for(const DropletGround& ground, std::int32_t cell) {
    __builtin_prefetch(ground.places + cell);
    __builtin_prefetch(ground.streams + cell);
    __builtin_prefetch(ground.elevation + cell);
}

/// The number of the next droplet that does not leave where it begins, for a lane; -1: none.
std::int32_t next_droplet(const DropletRun& run, DropletLanes& lanes, int lane, std::int64_t row) {
    lanes.droplet[lane] = -1;
    while (true) {
        const std::int32_t number = __atomic_fetch_add(run.begun, 1, __ATOMIC_RELAXED);
        if (number >= run.count) break;
        const std::int32_t cell = cell_of(run, number);
        if (number + kDropletsAhead < run.count) ask_for(*run.ground, cell_of(run, number + kDropletsAhead));
        if ((run.ground->places[cell] & kKindOfPlace) == kBorder) {
            run.ends[lanes.ended++] = {.row = row,
                                       .droplet = number,
                                       .cell = cell,
                                       .volume = run.starts[number].droplet.volume,
                                       .has_left = -1};
            continue;
        }
        lanes.first_row[lane] = row;
        lanes.droplet[lane] = number;
        break;
    }
    return lanes.droplet[lane];
}

/// Lets a droplet begin in a lane: at first it comes to its cell.
[[gnu::always_inline]] inline void begin(const DropletRun& run, int lane, std::int32_t number, Movers& s) {
    const Ints here = reinterpret_cast<Ints>(lane_numbers()) == lane;
    const auto set = [&](Floats& of_lanes, float value) {
        of_lanes = choose(here, Floats{} + value, of_lanes);
    };
    s.is_active &= ~here;
    if (number < 0) return;
    const DropletStart& start = run.starts[number];
    const std::int64_t cell = static_cast<std::int64_t>(start.droplet.place.y) * run.ground->columns +
                              static_cast<std::int64_t>(start.droplet.place.x);
    const float surface = surface_at(*run.ground, cell);
    set(s.x, start.droplet.place.x);
    set(s.y, start.droplet.place.y);
    set(s.u, start.droplet.direction.x);
    set(s.v, start.droplet.direction.y);
    set(s.volume, start.droplet.volume);
    set(s.lowest, surface);
    set(s.release, surface);
    set(s.distance_in_water, 0.0F);
    set(s.length, run.law->cell_size);
    s.descent |= here;  // -1
    const Ints others = ~here;
    s.steps &= others;
    s.stops &= others;
    s.is_falling &= others;
    s.has_climbed &= others;
    s.goes_back &= others;
    s.is_ashore &= others;
    s.arrives |= here;
}

/// Lists droplets that have ended, and gives their lanes to others.
[[gnu::noinline]] void replace(const DropletRun& run, DropletLanes& lanes, unsigned ended, Ints cells,
                               unsigned left, std::int64_t row, Movers& s) {
    const LaneCells of(cells);
    alignas(64) float volume[kLanes];
    store(volume, s.volume);
    for (; ended != 0; ended &= ended - 1) {
        const int lane = __builtin_ctz(ended);
        DropletEnd& end = run.ends[lanes.ended++];
        end = {.first_row = lanes.first_row[lane],
               .row = row,
               .droplet = lanes.droplet[lane],
               .lane = lane,
               .cell = of.of[lane],
               .volume = volume[lane],
               .has_left = (left >> lane & 1U) != 0 ? -1 : 0};
        end.next = next_droplet(run, lanes, lane, row);
        begin(run, lane, end.next, s);
    }
}

}  // namespace

template <>
void begin_in_lanes<kLanes>(const DropletRun& run, DropletLanes& lanes) {
    Movers s(lanes);
    s.x = s.y = Floats{} + 1.0F;
    for (int lane = 0; lane < kLanes; ++lane) {
        lanes.first[lane] = next_droplet(run, lanes, lane, 0);
        begin(run, lane, lanes.first[lane], s);
    }
    s.store_to(lanes);
}

template <>
std::int64_t run_in_lanes<kLanes>(const DropletRun& run, DropletLanes& lanes, float* rows, std::int64_t first,
                                  std::int64_t last) {
    const DropletGround& ground = *run.ground;
    const DropletLaw& law = *run.law;
    Movers s(lanes);
    // Grids without an inside have no place where idle lanes could be.
    if (bits_of(s.is_active | s.arrives) == 0) return first;
    Surroundings here = look_around(run, s.x, s.y);
    Four all{};
    std::int64_t row = first;
    for (; row < last && bits_of(s.is_active | s.arrives) != 0; ++row) {
        Decision decision = decide(law, here, s);
        const Step step = step_of(run, here, s, decision);
        const Surroundings next = look_around(run, step.x, step.y);
        look_ahead(run, here, step);
        // Look whether the shore is ahead, or the way down leads up.
        const Ints comes_ashore = decision.is_straight & step.moves & (next.surface > here.surface);
        const Ints goes_up = decision.goes_by_direction & (s.descent < 0) & (here.kind() != kLake) &
                             ~(next.surface <= here.surface);
        const Ints moved = step.moves & ~comes_ashore & ~goes_up;
        const Ints searches = decision.falls & (s.descent < 0) & (goes_up | ~decision.goes_by_direction);

        const Ints in_water = here.is_water();
        float* to = rows + (row - first) * Row::kEnd;
        store(to, as_floats(here.cell | here.kind() << kStepKind | (s.goes_back & kStepBack)));
        store(to + Row::kLength, choose(moved, step.length, Floats{}));
        store(to + Row::kDrop, here.surface - next.surface);
        store(to + Row::kWater,
              choose(in_water, here.surface - here.elevation - here.entrainment, here.entrainment));
        leave_traces(run, here, step, s.volume, moved, lanes, all);
        lanes.moves += __builtin_popcount(bits_of(moved));

        go_on(law, step, decision, next, moved, s);
        s.is_ashore = comes_ashore;
        s.descent = Ints{} - 1;
        if (const unsigned lost = bits_of(searches); lost != 0)
            s.descent = directions_to_lowest(ground, lost, here.cell, s.descent);
        here = choose(moved | s.arrives, next, here);
        s.is_active |= s.arrives;
        s.arrives = Ints{};
        const Ints has_left = decision.has_left | (moved & (here.kind() == kBorder));
        const Ints ends = s.is_active & (decision.ends | has_left | (s.steps >= law.steps) |
                                         (decision.is_stuck & (s.stops >= kMostStops)));
        if (const unsigned ended = bits_of(ends); ended != 0)
            replace(run, lanes, ended, here.cell, bits_of(has_left), row + 1, s);
    }
    s.store_to(lanes);
    lanes.all_visits |= all[0];
    return row;
}

}  // namespace thalweg
