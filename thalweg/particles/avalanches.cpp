#include "thalweg/particles/avalanches.hpp"

#include "thalweg/flow/directions.hpp"

#include <algorithm>
#include <cstdlib>

namespace thalweg {
namespace {

/// `share` in 2048 of `excess`, without overflow.
std::int32_t part_of(std::int32_t excess, std::int32_t share) {
    return (excess >> 11) * share + (((excess & 2047) * share) >> 11);
}

/// What goes over to the neighbours `step` cells on; less than 0 where they give.
void slide_towards(const RowSlice& row, std::int32_t step, std::int32_t steepest, std::int32_t share,
                   std::array<std::int32_t, kMostInSlice>& amounts) {
    for (int i = 0; i < row.count; ++i) {
        const std::int32_t difference = row.elevation[i] - row.elevation[i + step];
        const std::int32_t excess = std::max(std::abs(difference) - steepest, 0);
        const std::int32_t amount = part_of(excess, share);
        amounts[at(i)] = difference > 0 ? amount : -amount;
    }
}

/// Whether any cell differs too much from its neighbour `step` cells on.
bool is_too_steep(const RowSlice& row, std::int32_t step, std::int32_t steepest) {
    std::int32_t most = 0;
    for (int i = 0; i < row.count; ++i)
        most = std::max(most, std::abs(row.elevation[i] - row.elevation[i + step]));
    return most > steepest;
}

/// Takes out what would come from or to cells that keep their elevation.
std::int64_t keep_still(const RowSlice& row, std::int32_t step,
                        std::array<std::int32_t, kMostInSlice>& amounts) {
    std::int64_t left = 0;
    for (int i = 0; i < row.count; ++i) {
        if (is_fixed(row.kinds[i])) {
            amounts[at(i)] = 0;
        } else if (is_fixed(row.kinds[i + step])) {
            amounts[at(i)] = std::max(amounts[at(i)], 0);
            left += amounts[at(i)];
        }
    }
    return left;
}

}  // namespace

RowSlides slides_of(const RowSlice& row, const AvalancheLaw& law, bool has_fixed) {
    RowSlides slides;
    const std::array<std::int32_t, 8> steps = index_steps(row.columns);
    for (std::size_t d = 0; d < 8; ++d) {
        const std::int32_t steepest = d % 2 == 0 ? law.steepest_straight : law.steepest_diagonal;
        if (!is_too_steep(row, steps[d], steepest)) continue;
        std::array<std::int32_t, kMostInSlice> amounts;
        slide_towards(row, steps[d], steepest, law.share, amounts);
        if (has_fixed) slides.left += keep_still(row, steps[d], amounts);
        std::int32_t any = 0;
        for (int i = 0; i < row.count; ++i) {
            slides.change[at(i)] -= amounts[at(i)];
            any |= amounts[at(i)];
        }
        slides.does_slide = slides.does_slide || any != 0;
    }
    return slides;
}

}  // namespace thalweg
