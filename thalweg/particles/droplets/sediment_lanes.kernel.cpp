#include "thalweg/core/lane_reads.hpp"
#include "thalweg/particles/droplets/droplet_lanes.hpp"

#include <cstdint>

namespace thalweg {
namespace {

using Row = RowOf<kLanes>;
constexpr float kUnits = 0x1p17F;       // in a metre
constexpr float kMostOfStep = 0x1p24F;  // units, 128 m: floats count up to here
constexpr float kMostLoad = 0x1p30F;    // units
constexpr float kMostDepth = 0x1p12F;   // m, that is filled in a batch

/// Sediment under way, as SedimentLanes.
struct Loads {
    Ints load;
    Floats volume, feed, above;

    explicit Loads(const SedimentLanes& lanes)
        : load(load_ints(lanes.load)),
          volume(thalweg::load(lanes.volume)),
          feed(thalweg::load(lanes.feed)),
          above(thalweg::load(lanes.above)) {}

    void store_to(SedimentLanes& lanes) const {
        store_ints(lanes.load, load);
        store(lanes.volume, volume);
        store(lanes.feed, feed);
        store(lanes.above, above);
    }
};

/// Steps of the lanes of a vector.
struct Steps {
    Ints cell, kind, goes_back;
    Floats length, drop, water;

    explicit Steps(const float* row)
        : length(load(row + Row::kLength)), drop(load(row + Row::kDrop)), water(load(row + Row::kWater)) {
        const Ints place = as_ints(load(row));
        cell = place & kStepCell;
        kind = (place & ~kStepBack) >> kStepKind;
        goes_back = place < 0;
    }

    [[gnu::always_inline]] Ints are(CellKind of) const { return kind == static_cast<std::int32_t>(of); }
    [[gnu::always_inline]] Ints move() const { return length > 0.0F; }
};

[[gnu::always_inline]] inline Ints rounded(Floats v) {
    return floor_of(v + 0.5F);
}

/// C V: what droplets carry in equilibrium, units on a cell.
[[gnu::always_inline]] inline Floats equilibrium_load(const DropletLaw& law, Floats volume, Floats slope,
                                                      Floats entrainment) {
    return law.capacity * volume * entrainment * most_of(slope, Floats{});
}

/// The shares of a cell's change in a batch that are droplets', and whether it has still to take something.
struct Shares {
    Floats share;
    Ints is_owed;

    Shares(const CellTrace* traces, const LaneCells& cells, Floats volume) {
        Ints marked{};
#pragma GCC unroll 16
        for (int lane = 0; lane < kLanes; ++lane) marked[lane] = traces[cells.of[lane]].visits;
        is_owed = marked < 0;
        const Floats visits = as_floats(marked & 0x7fffffff);
        share = choose(volume < visits, volume / visits, Floats{} + 1.0F);
    }
};

/// What droplets take from their cells, units.
struct Taken {
    Ints amount;  // less than 0 where they lay down
    Floats most;  // that any ground could give
};

/// All droplets of a batch take at most half of the way down to where they go, and lay down half of the way
/// up to where they come from, so that they neither dig hollows nor dam themselves up. Where the ground has
/// still to take something, nothing is laid down.
[[gnu::always_inline]] inline Taken exchanged(const DropletLaw& law, const Loads& s, const Steps& step,
                                              const Shares& shares) {
    const Floats load = floats_of(s.load);
    const Floats wanted = equilibrium_load(law, s.volume, step.drop / step.length, step.water) - load;
    const Floats amount = wanted * (step.length / (step.length + law.exchange_length));
    const Floats half = 0.5F * kUnits * shares.share;
    const Floats most = Floats{} + kMostOfStep;
    const Floats drop = choose(step.goes_back, Floats{}, most_of(step.drop, Floats{}));
    const Floats most_taken = least_of(least_of(drop * half, most), kMostLoad - load);
    const Floats above = choose(step.are(CellKind::Sill), Floats{}, s.above);
    const Floats room = choose(shares.is_owed, Floats{}, most_of(above, Floats{}) * half);
    const Floats most_laid = least_of(least_of(room, most), load);
    return {rounded(least_of(most_of(amount, -most_laid), most_of(most_taken, Floats{}))),
            least_of(most_taken, wanted)};
}

/// Droplets' share of a layer, units.
[[gnu::always_inline]] inline Ints part_of_layer(Floats share, Ints layer) {
    const Floats deep = share * floats_of(layer > 0 ? layer : Ints{});
    return __builtin_convertvector(least_of(deep, Floats{} + 0x1p30F), Ints);
}

/// What droplets take of soil, by its own speed, where they would take `taken` of sediment; that comes down
/// to what they still would once soil is gone.
[[gnu::always_inline]] inline Ints taken_of_soil(const DropletLaw& law, Floats share, Ints soil, Floats most,
                                                 Ints& taken) {
    const Floats fast = least_of(floats_of(taken) * law.soil_erodibility, most);
    Ints of_soil = rounded(fast);
    const Ints there = part_of_layer(share, soil);
    of_soil = of_soil < there ? of_soil : there;
    const Floats later =
        least_of(floats_of(taken) - floats_of(of_soil) / law.soil_erodibility, most - floats_of(of_soil));
    const Ints rest = rounded(most_of(later, Floats{}));
    taken = of_soil < there ? Ints{} : rest;
    return of_soil;
}

/// Of these amounts what roots and bedrock let droplets take; `soil`: of these, soil.
[[gnu::noinline]] Ints withstood(const DropletRun& run, const LaneCells& cells, Floats share, const Taken& of,
                                 Ints& soil) {
    const DropletGround& ground = *run.ground;
    Ints taken = of.amount > 0 ? of.amount : Ints{};  // what lanes at rest take is no number
    if (ground.roots != nullptr)
        taken = rounded(floats_of(taken) * (1.0F - read_floats(ground.roots, cells)));
    Ints above{};
    if (ground.soil != nullptr) {
        above = read_ints(ground.soil, cells);
        soil = taken_of_soil(*run.law, share, above, of.most, taken);
        soil = of.amount > 0 ? soil : Ints{};
    }
    if (ground.erodibility != nullptr) {
        const Ints sediment = part_of_layer(share, read_ints(ground.loose, cells) - above);
        const Ints covered = taken < sediment ? taken : sediment;
        taken = covered + rounded(floats_of(taken - covered) * read_floats(ground.erodibility, cells));
    }
    return of.amount > 0 ? soil + taken : of.amount;
}

/// The share of a load that settles in still water on so many metres.
template <class Number>
[[gnu::always_inline]] inline Number settling_share(Number length, float settling_length) {
    return length / (length + settling_length);
}

/// What droplets lay down in still water, units; `soil` of each load.
[[gnu::always_inline]] inline Ints settled(const DropletRun& run, const Loads& s, const std::int32_t* soil,
                                           const Steps& step, const Shares& shares) {
    const Floats load = floats_of(s.load);
    const Floats of_sediment = settling_share(step.length, run.law->settling_length);
    Floats amount = load * of_sediment;
    if (run.soil != nullptr) {
        const Floats of_soil = settling_share(step.length, run.law->soil_settling_length);
        amount = amount + floats_of(load_ints(soil)) * (of_soil - of_sediment);
    }
    const Floats open = least_of(most_of(step.water, Floats{}), Floats{} + kMostDepth);
    const Floats room = choose(shares.is_owed, Floats{}, open * kUnits * shares.share);
    return rounded(least_of(least_of(least_of(amount, room), Floats{} + kMostOfStep), load));
}

/// Gives droplets of fed springs what they bring.
[[gnu::noinline]] Ints fed(const DropletLaw& law, const Loads& s, const Steps& step) {
    const Floats load = equilibrium_load(law, s.volume, s.feed, step.water);
    const Ints brought = __builtin_convertvector(least_of(load, Floats{} + kMostLoad), Ints);
    return brought > s.load ? brought : s.load;
}

/// Mixes pigments of what is laid down into traces, and of what is taken into loads.
[[gnu::noinline]] void move_pigments(const DropletRun& run, SedimentLanes& lanes, const LaneCells& cells,
                                     Ints loads, Ints laid, unsigned moving) {
    const LaneCells load_of(loads);
    const LaneCells laid_of(laid);
    for (; moving != 0; moving &= moving - 1) {
        const int lane = __builtin_ctz(moving);
        const std::int32_t cell = cells.of[lane];
        const std::int32_t amount = laid_of.of[lane];
        if (amount > 0) run.pigments[cell].laid += amount;
        const float taken = static_cast<float>(-amount);
        const float all = static_cast<float>(load_of.of[lane]) + taken;
        for (int p = 0; p < kMostPigments && run.ground->pigments[p] != nullptr; ++p) {
            float& pigment = lanes.pigments[p][lane];
            if (amount > 0) {
                run.pigments[cell].pigment[p] += __builtin_llround(
                    static_cast<double>(amount) * static_cast<double>(kTraceOfPigment * pigment));
                continue;
            }
            const float of_ground = run.ground->pigments[p][cell];
            pigment = all > 0.0F ? pigment + (of_ground - pigment) * (taken / all) : of_ground;
        }
    }
}

/// The soil of what a droplet lays down of its load, units: its part of the load, or of what settles on
/// `length` m of still water (0: none).
std::int32_t soil_laid(const DropletLaw& law, std::int32_t soil, std::int32_t load, std::int32_t laid,
                       float length) {
    auto of_soil = static_cast<float>(soil);
    auto of_sediment = static_cast<float>(load - soil);
    if (length > 0.0F) {
        of_soil *= settling_share(length, law.soil_settling_length);
        of_sediment *= settling_share(length, law.settling_length);
    }
    const float all = of_soil + of_sediment;
    const float part = all > 0.0F ? static_cast<float>(laid) * (of_soil / all) : 0.0F;
    const auto whole = static_cast<std::int32_t>(__builtin_floorf(part + 0.5F));
    const std::int32_t most = soil < laid ? soil : laid;
    const std::int32_t least = laid - (load - soil) > 0 ? laid - (load - soil) : 0;
    return whole < least ? least : whole > most ? most : whole;
}

/// Moves soil between loads and traces, of what is taken and laid down.
[[gnu::noinline]] void move_soil(const DropletRun& run, SedimentLanes& lanes, const LaneCells& cells,
                                 Ints loads, Ints laid, Ints taken, Floats lengths_in_water,
                                 unsigned moving) {
    const LaneCells load_of(loads);
    const LaneCells laid_of(laid);
    const LaneCells taken_of(taken);
    alignas(64) float lengths[kLanes];
    store(lengths, lengths_in_water);
    for (; moving != 0; moving &= moving - 1) {
        const int lane = __builtin_ctz(moving);
        std::int32_t& soil = lanes.soil[lane];
        std::int32_t amount = -taken_of.of[lane];
        lanes.soil_taken -= amount;
        if (laid_of.of[lane] > 0)
            amount = soil_laid(*run.law, soil, load_of.of[lane], laid_of.of[lane], lengths[lane]);
        run.soil[cells.of[lane]] += amount;
        soil -= amount;
    }
}

/// Takes down what droplets carry that have ended, and gives their lanes to the next ones.
[[gnu::noinline]] void end_until(const DropletRun& run, SedimentLanes& lanes, std::int32_t ended,
                                 std::int64_t row) {
    for (; lanes.end < ended && run.ends[lanes.end].row <= row; ++lanes.end) {
        DropletEnd& end = run.ends[lanes.end];
        if (end.lane < 0) continue;
        end.load = lanes.load[end.lane];
        for (int p = 0; p < kMostPigments; ++p) end.pigments[p] = lanes.pigments[p][end.lane];
        end.soil = lanes.soil[end.lane];
        if (end.next < 0) continue;
        lanes.load[end.lane] = lanes.soil[end.lane] = 0;
        lanes.volume[end.lane] = run.starts[end.next].droplet.volume;
        lanes.feed[end.lane] = run.starts[end.next].feed;
        lanes.above[end.lane] = 0.0F;
        for (auto& of_lanes : lanes.pigments) of_lanes[end.lane] = 0.0F;
    }
}

constexpr std::int64_t kRowsAhead = 4;  // that memory is asked for (empirical)

[[gnu::always_inline]] inline void look_ahead(const DropletRun& run, const float* row) {
    const LaneCells cells(as_ints(load(row)) & kStepCell);
#pragma GCC unroll 16
    for (const std::int32_t cell : cells.of) __builtin_prefetch(run.cells + cell, 1);
}

/// Lets droplets take and lay down sediment in a row.
[[gnu::always_inline]] inline void move_row(const DropletRun& run, SedimentLanes& lanes, const float* of_row,
                                            bool is_plain, Loads& s) {
    const DropletGround& ground = *run.ground;
    const DropletLaw& law = *run.law;
    const Steps step(of_row);
    const LaneCells cells(step.cell);
    const Shares shares(run.cells, cells, s.volume);
    const Ints in_water = step.move() & (step.are(CellKind::Lake) | step.are(CellKind::Sea));
    const Ints feeds = step.move() & step.are(CellKind::Inlet);
    const Taken would_take = exchanged(law, s, step, shares);
    Ints taken = would_take.amount;
    Ints soil{};
    if (!is_plain) taken = withstood(run, cells, shares.share, would_take, soil);
    Ints laid = -choose(step.move(), taken, Ints{});  // what lanes at rest take is no number
    if (bits_of(in_water) != 0) laid = choose(in_water, settled(run, s, lanes.soil, step, shares), laid);
    if (unsigned of_inlets = bits_of(feeds); of_inlets != 0) {
        laid = choose(feeds, s.load - fed(law, s, step), laid);
        const LaneCells brought(laid);
        for (; of_inlets != 0; of_inlets &= of_inlets - 1)
            lanes.entered -= brought.of[__builtin_ctz(of_inlets)];
    }
    if (ground.soil != nullptr)
        move_soil(run, lanes, cells, s.load, laid, choose(in_water | feeds, Ints{}, soil),
                  choose(in_water, step.length, Floats{}), bits_of(step.move()));
    if (ground.pigments[0] != nullptr) move_pigments(run, lanes, cells, s.load, laid, bits_of(step.move()));
    const LaneCells amounts(choose(feeds, Ints{}, laid));
#pragma GCC unroll 16
    for (int lane = 0; lane < kLanes; ++lane) run.cells[cells.of[lane]].exchange += amounts.of[lane];
    s.load -= laid;
    s.above = choose(step.move(), step.drop, s.above);
    s.volume = choose(step.move(),
                      s.volume * (law.evaporation_length / (law.evaporation_length + step.length)), s.volume);
}

}  // namespace

// The shares of a batch's droplets in a cell come to 1.5 at most, since each counts for a unit of visits. So
// all together move 0.75 of the 2^31 units between the lowest and the highest ground there, or of kMostDepth:
// no exchange overflows.
template <>
void move_in_lanes<kLanes>(const DropletRun& run, SedimentLanes& lanes, std::int32_t ended, const float* rows,
                           std::int64_t first, std::int64_t last) {
    const DropletGround& ground = *run.ground;
    const bool is_plain = ground.roots == nullptr && ground.erodibility == nullptr && ground.soil == nullptr;
    Loads s(lanes);
    for (std::int64_t row = first; row < last; ++row) {
        if (lanes.end < ended && run.ends[lanes.end].row <= row) {
            s.store_to(lanes);
            end_until(run, lanes, ended, row);
            s = Loads(lanes);
        }
        const float* of_row = rows + (row - first) * Row::kEnd;
        if (row + kRowsAhead < last) look_ahead(run, of_row + kRowsAhead * Row::kEnd);
        move_row(run, lanes, of_row, is_plain, s);
    }
    s.store_to(lanes);
    end_until(run, lanes, ended, last);
}

}  // namespace thalweg
