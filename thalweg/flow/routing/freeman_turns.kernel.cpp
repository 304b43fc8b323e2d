#include "thalweg/flow/routing/freeman_turns.hpp"

#include "thalweg/core/vector_power.hpp"
#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

constexpr float kLeastPower = -126.0F;  // log2 of the least weight

using Doubles = double __attribute__((vector_size(kLanes * sizeof(double))));

// Where a cell may be ready or not, or of one kind or another, it is written in any case and counted if so:
// branches would be guessed wrong. Each function has a copy of `ground` and `ready` of its own, so that they
// stay in registers while bytes are written, and returns how many cells are ready then.

/// Gives `part` to a receiver; if it awaited nothing else, it is ready.
[[gnu::always_inline]] inline void give(const FreemanGround& ground, FreemanReady& ready,
                                        std::int32_t receiver, double part) {
    ground.sum[receiver] += part;
    const auto awaited = static_cast<std::uint8_t>(ground.cells[receiver].awaited - 1);
    ground.cells[receiver].awaited = awaited;
    ready.cells[ready.count] = receiver;
    ready.count += awaited == 0 ? 1 : 0;
}

/// The end of the next run, which begins at `column` of `row`; moves on behind it.
std::int64_t next_run(FreemanSources& sources) {
    const std::int64_t end_of_block = sources.block + sources.columns_of_block;
    const std::int64_t end_column = end_of_block < sources.columns ? end_of_block : sources.columns;
    const std::int64_t end_of_run = sources.column + kRunOfSources;
    const std::int64_t end = end_of_run < end_column ? end_of_run : end_column;
    const std::int64_t end_cell = sources.row * sources.columns + end;
    sources.column = end;
    if (end == end_column) {
        if (++sources.row == sources.end_row) {
            sources.block = end_column;
            sources.row = sources.first_row;
        }
        sources.column = sources.block;
    }
    return end_cell;
}

bool any_sources(const FreemanSources& sources) {
    return sources.block < sources.columns && sources.first_row < sources.end_row;
}

std::int64_t list_sources(FreemanGround ground, FreemanSources& sources, FreemanReady ready) {
    std::int64_t cell = sources.row * sources.columns + sources.column;
    const std::int64_t end = next_run(sources);
    for (; cell < end; ++cell) {
        ready.cells[ready.count] = static_cast<std::int32_t>(cell);
        ready.count += ground.cells[cell].awaited == kOfSource ? 1 : 0;
    }
    return ready.count;
}

/// Asks for the rows above and below a cell, which are read and written soon.
[[gnu::always_inline]] inline void fetch_around(const FreemanGround& ground, std::int32_t cell) {
    __builtin_prefetch(ground.elevation + cell - ground.columns);
    __builtin_prefetch(ground.elevation + cell + ground.columns);
    __builtin_prefetch(ground.sum + cell - ground.columns, 1);
    __builtin_prefetch(ground.sum + cell + ground.columns, 1);
}

/// Takes the last of the ready cells. Those with one receiver give at once, others wait in their batches.
std::int64_t take_ready(FreemanGround ground, FreemanReady ready, FreemanBatch<4>& few,
                        FreemanBatch<8>& many) {
    std::int32_t ones[kCellsOfTurn];
    int one_count = 0;
    const std::int64_t left = ready.count > kCellsOfTurn ? ready.count - kCellsOfTurn : 0;
    while (ready.count > left) {
        const std::int32_t cell = ready.cells[--ready.count];
        const FreemanReceivers& receivers = ground.of_sets[ground.cells[cell].receivers];
        ones[one_count] = cell;
        one_count += receivers.is_one;
        few.waiting[few.waiting_count] = cell;
        few.waiting_count += receivers.is_few;
        many.waiting[many.waiting_count] = cell;
        many.waiting_count += receivers.is_many;
        fetch_around(ground, cell);
    }
    for (int i = 0; i < one_count; ++i) {
        const std::int32_t cell = ones[i];
        give(ground, ready, cell + ground.of_sets[ground.cells[cell].receivers].step[0], ground.sum[cell]);
    }
    return ready.count;
}

[[gnu::always_inline]] inline Floats greater_of(Floats a, Floats b) {
    return choose(a > b, a, b);
}

/// ratio^p for ratios up to 1; 0 for 0.
[[gnu::always_inline]] inline Doubles power_of(Floats ratio, float exponent) {
    const Floats weight = exp2_of(greater_of(exponent * log2_of(ratio), Floats{} + kLeastPower));
    return __builtin_convertvector(choose(ratio > 0.0F, weight, Floats{}), Doubles);
}

/// In pairs, so that few additions wait for others.
template <int Count>
[[gnu::always_inline]] inline Doubles sum_of(const Doubles* v) {
    if constexpr (Count == 1) {
        return v[0];
    } else {
        return sum_of<Count / 2>(v) + sum_of<Count / 2>(v + Count / 2);
    }
}

template <int Slots>
void find_shares(float exponent, FreemanBatch<Slots>& batch) {
    for (int i = 0; i < kCellsOfTurn; i += kLanes) {
        Floats slopes[Slots];
        for (int slot = 0; slot < Slots; ++slot) slopes[slot] = load(batch.slope[slot] + i);
        Floats steepest = slopes[0];
        for (int slot = 1; slot < Slots; ++slot) steepest = greater_of(steepest, slopes[slot]);
        const Floats inverse = 1.0F / steepest;
        Doubles weights[Slots];
        for (int slot = 0; slot < Slots; ++slot) weights[slot] = power_of(slopes[slot] * inverse, exponent);
        const Doubles scale = 1.0 / sum_of<Slots>(weights);
        for (int slot = 0; slot < Slots; ++slot) {
            const Doubles shares = weights[slot] * scale;
            std::memcpy(batch.share[slot] + i, &shares, sizeof shares);
        }
    }
}

template <int Slots>
std::int64_t share_out(FreemanGround ground, FreemanReady ready, FreemanBatch<Slots>& batch) {
    find_shares(ground.exponent, batch);
    for (int i = 0; i < batch.count; ++i) {
        const double sum = ground.sum[batch.cell[i]];
        for (int slot = 0; slot < Slots; ++slot)
            give(ground, ready, batch.receiver[slot][i], sum * batch.share[slot][i]);
    }
    return ready.count;
}

/// Makes a batch of those that wait.
template <int Slots>
void fill(FreemanGround ground, FreemanBatch<Slots>& batch) {
    const int count = batch.waiting_count < kCellsOfTurn ? batch.waiting_count : kCellsOfTurn;
    for (int i = 0; i < count; ++i) {
        const std::int32_t cell = batch.waiting[i];
        const FreemanReceivers& receivers = ground.of_sets[ground.cells[cell].receivers];
        const float here = ground.elevation[cell];
        batch.cell[i] = cell;
        for (int slot = 0; slot < Slots; ++slot) {
            const std::int32_t receiver = cell + receivers.step[slot];
            batch.receiver[slot][i] = receiver;
            batch.slope[slot][i] = (here - ground.elevation[receiver]) * receivers.per_drop[slot];
        }
    }
    batch.count = count;
    batch.waiting_count -= count;
    for (int i = 0; i < batch.waiting_count; ++i) batch.waiting[i] = batch.waiting[i + count];
}

/// The batch shares out, and is filled again for the next time: vectors read what was written long ago at
/// once, and would have to wait for what has just been written.
template <int Slots>
std::int64_t turn(const FreemanGround& ground, const FreemanReady& ready, FreemanBatch<Slots>& batch) {
    const std::int64_t count = batch.count > 0 ? share_out(ground, ready, batch) : ready.count;
    fill(ground, batch);
    return count;
}

template <int Slots>
bool any(const FreemanBatch<Slots>& batch) {
    return batch.count > 0 || batch.waiting_count > 0;
}

}  // namespace

template <>
bool take_freeman_turns<kLanes>(FreemanWalk& walk, std::int64_t most) {
    FreemanReady ready = walk.ready;
    FreemanBatch<4>& few = walk.few;
    FreemanBatch<8>& many = walk.many;
    for (; most > 0; --most) {
        while (ready.count < kCellsOfTurn && any_sources(walk.sources))
            ready.count = list_sources(walk.ground, walk.sources, ready);
        const bool is_last = ready.count == 0;
        if (is_last && !any(few) && !any(many)) return false;
        ready.count = take_ready(walk.ground, ready, few, many);
        if (few.waiting_count >= kCellsOfTurn || is_last) ready.count = turn(walk.ground, ready, few);
        if (many.waiting_count >= kCellsOfTurn || is_last) ready.count = turn(walk.ground, ready, many);
    }
    walk.ready.count = ready.count;
    return true;
}

}  // namespace thalweg
