#include "thalweg/erosion/transfer/kept_detail.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/law/travel_time.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kDetailDepth = 0.1;  // cells of erosion that wipe out detail finer than the mesh (empirical)
constexpr float kBedDepth = 0.25F;    // m, of a river's bed below the ground (empirical)
constexpr float kMostCut = 4.0F;      // m of detail that a bed is cut through (empirical)
constexpr double kBedYears = 5e3;     // yr, in which beds become so deep: the first key (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 15;
constexpr std::int64_t kParentsPerTask = 1 << 12;

/// How much of the detail is left, 1: m of a depth that count are counted(depth).
template <class Counted>
struct KeptShare {
    float inverse_depth;  // 1/m
    float years;
    Counted counted;

    [[gnu::always_inline]] float operator()(float blurred, float uplift, float terrain) const {
        const float depth = counted(blurred + uplift * years - terrain);
        return std::max(0.0F, 1.0F - depth * inverse_depth);
    }
};

/// Calls `body(kept)` with what `loss` leaves, so that no loop has a branch in it, which would be guessed
/// wrong.
template <class Body>
void with_kept_share(DetailLoss loss, const AgedGround& ground, const Body& body) {
    const auto inverse_depth = static_cast<float>(1.0 / (kDetailDepth * ground.initial.grid().cell_size));
    const float years = float_years(ground.time);
    if (loss == DetailLoss::Erosion)
        body(KeptShare{inverse_depth, years, [](float depth) { return std::max(0.0F, depth); }});
    else
        body(KeptShare{inverse_depth, years, [](float depth) { return std::abs(depth); }});
}

/// Captures by value, or compilers make no vectors.
template <class Kept>
void give_back(const AgedGround& ground, const Kept& kept_share, Field<float>& terrain) {
    const auto give = [kept = kept_share, initial = ground.initial.data(), blurred = ground.blurred.data(),
                       uplift = ground.uplift.data(),
                       data = terrain.data()](std::int64_t first, std::int64_t last) {
        float* __restrict const elevation = data;
        for (std::int64_t cell = first; cell < last; ++cell)
            elevation[cell] +=
                kept(blurred[cell], uplift[cell], elevation[cell]) * (initial[cell] - blurred[cell]);
    };
    parallel_for(0, terrain.size(), kCellsPerTask, give);
}

/// Calls `body(4 i + j, cell)` for the four children j of every cell i of the next coarser level. Children
/// beyond the edge are those inside.
template <class Body>
void for_children(const CoarseRivers& parents, const Grid& fine, const Body& body) {
    parallel_for(0, std::ssize(parents), kParentsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const int row = 2 * parents[at(i)].row, column = 2 * parents[at(i)].column;
            const int next_row = std::min(row + 1, fine.rows - 1);
            const int next_column = std::min(column + 1, fine.columns - 1);
            body(at(4 * i), fine.index(column, row));
            body(at(4 * i + 1), fine.index(next_column, row));
            body(at(4 * i + 2), fine.index(column, next_row));
            body(at(4 * i + 3), fine.index(next_column, next_row));
        }
    });
}

/// The elevations of the beds of `rivers`, m, with as much detail as they keep.
template <class Kept>
std::vector<float> beds_of(const CoarseRivers& rivers, const AgedGround& ground, const Kept& kept,
                           const Field<float>& terrain) {
    const auto age = static_cast<float>(std::min(1.0, ground.time / kBedYears));
    std::vector<float> beds(4 * rivers.size());
    for_children(rivers, terrain.grid(), [&](std::size_t child, std::int64_t cell) {
        const float blurred = ground.blurred[cell];
        const float detail = ground.initial[cell] - blurred;
        const float of_bed = std::max(std::min(detail, -age * kBedDepth), detail - age * kMostCut);
        beds[child] = terrain[cell] + kept(blurred, ground.uplift[at(cell)], terrain[cell]) * of_bed;
    });
    return beds;
}

}  // namespace

void cap_at_uplifted(const AgedGround& ground, Field<float>& terrain) {
    const float years = float_years(ground.time);
    parallel_for(0, terrain.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            terrain[cell] = std::min(terrain[cell], ground.initial[cell] + ground.uplift[at(cell)] * years);
    });
}

void give_back_detail(const AgedGround& ground, DetailLoss loss, Field<float>& terrain) {
    with_kept_share(loss, ground, [&](const auto& kept) { give_back(ground, kept, terrain); });
}

void give_back_detail_beside(const CoarseRivers& rivers, const AgedGround& ground, DetailLoss loss,
                             Field<float>& terrain) {
    std::vector<float> beds;
    with_kept_share(loss, ground, [&](const auto& kept) { beds = beds_of(rivers, ground, kept, terrain); });
    give_back_detail(ground, loss, terrain);
    for_children(rivers, terrain.grid(),
                 [&](std::size_t child, std::int64_t cell) { terrain[cell] = beds[child]; });
}

}  // namespace thalweg
