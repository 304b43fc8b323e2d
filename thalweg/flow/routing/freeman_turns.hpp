// Turns of a walk that gathers Freeman's sums: cells give shares of their sums to their lower neighbours.
#pragma once

#include <cstdint>

namespace thalweg {

inline constexpr int kCellsOfTurn =
    16;  // that are taken from the ready ones, or share out, at once (empirical)
inline constexpr std::int64_t kRunOfSources = 32;  // cells that are looked at for sources at once (empirical)

/// What follows from a cell's set of receivers (receiver_sets.hpp). Slots behind the last receiver stand for
/// the cell itself.
struct FreemanReceivers {
    std::int32_t step[8] = {};  // of the cell's index, to each receiver
    float per_drop[8] = {};     // slope for a drop of 1 m, in any unit; 0 behind the last receiver

    // How many receivers a cell has, as far as it is treated differently: what is 1 counts, the others are 0.
    std::uint8_t is_one = 0;
    std::uint8_t is_few = 0;   // 2 to 4
    std::uint8_t is_many = 0;  // 5 to 8
};

/// What a cell waits for and where it gives: side by side, for what is asked of both is asked at once.
struct FreemanCell {
    std::uint8_t awaited;    // how many of the cell's donors have not been visited
    std::uint8_t receivers;  // a set
};

/// What walks read and write, by pointers to the first cell's values.
struct FreemanGround {
    const float* elevation;  // m
    FreemanCell* cells;
    const FreemanReceivers* of_sets;  // by set
    double* sum;                      // in the unit of the weights
    float exponent;                   // p, of slope
    std::int64_t columns;
};

// What sources await: more donors than there are, so that nothing makes them ready twice. Empty slots of a
// cell whose turn has come give to itself, at most three times, each of which takes 1 away.
inline constexpr std::uint8_t kOfSource = 72;

/// Cells without awaited donors whose turn has not come. Behind them there is room for kRunOfSources more.
struct FreemanReady {
    std::int32_t* cells = nullptr;
    std::int64_t count = 0;
};

/// Cells of one kind: those that share out together next time, and those that wait to follow them.
template <int Slots>
struct FreemanBatch {
    // Of cells that are left over from before: anything above 0.
    alignas(64) float slope[Slots][kCellsOfTurn];
    alignas(64) double share[Slots][kCellsOfTurn];
    std::int32_t receiver[Slots][kCellsOfTurn];
    std::int32_t cell[kCellsOfTurn];
    int count = 0;
    std::int32_t waiting[2 * kCellsOfTurn];
    int waiting_count = 0;
};

/// Runs of cells in rows, block by block of columns, so that what is read and written around them stays in
/// the cache. None where there are no rows.
struct FreemanSources {
    std::int64_t columns = 0;  // of the grid
    std::int64_t first_row = 0;
    std::int64_t end_row = 0;
    std::int64_t columns_of_block = 0;
    std::int64_t block = 0;  // first column of the present one
    std::int64_t row = 0;    // of the next run
    std::int64_t column = 0;
};

struct FreemanWalk {
    FreemanGround ground;
    FreemanSources sources;
    FreemanReady ready;
    FreemanBatch<4> few;
    FreemanBatch<8> many;
};

/// Takes at most `most` turns, and returns whether there is anything left to do. The sources and ready cells,
/// and all that get ready thereby, give to each receiver i the share S_i^p / sum S_j^p of their sums, where
/// S is slope and p the exponent; where there is one receiver it takes all. With vectors of 4, 8 or 16; the
/// same for each.
template <int Lanes>
bool take_freeman_turns(FreemanWalk& walk, std::int64_t most);

}  // namespace thalweg
