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

/// Units that bedrock may differ by from the neighbour in direction `d`.
std::int32_t bedrock_steepest(std::int32_t rise, std::size_t d) {
    constexpr std::int64_t kDiagonal = 92682;  // 2^16 times the square root of 2
    return d % 2 == 0 ? rise : static_cast<std::int32_t>((rise * kDiagonal) >> 16);
}

/// What goes over to the neighbours in direction `d`, `step` cells on, by the material of the higher cell.
void slide_by_material(const RowSlice& row, std::size_t d, std::int32_t step, const MaterialSlides& law,
                       std::array<std::int32_t, kMostInSlice>& amounts) {
    const auto steepest = [&](const AvalancheLaw& of) {
        return d % 2 == 0 ? of.steepest_straight : of.steepest_diagonal;
    };
    for (int i = 0; i < row.count; ++i) {
        const std::int32_t difference = row.elevation[i] - row.elevation[i + step];
        const int giver = difference > 0 ? i : i + step;
        const std::int32_t height = row.elevation[giver];
        const bool is_beach = height >= law.beach_low && height <= law.beach_high;
        const std::int32_t loose_excess =
            std::max(std::abs(difference) - steepest(is_beach ? law.beach : law.sediment), 0);
        const std::int32_t rock_excess =
            std::max(std::abs(difference) - bedrock_steepest(row.bedrock_rise[giver], d), 0);
        // All eight neighbours together take no more sediment than there is.
        const std::int32_t loose =
            std::min(part_of(loose_excess, law.sediment.share), row.sediment[giver] / 8);
        const std::int32_t amount = std::max(loose, part_of(rock_excess, law.bedrock_share));
        amounts[at(i)] = difference > 0 ? amount : -amount;
    }
}

/// Adds up what goes to all eight neighbours; `slide(direction, step, amounts)` tells that of one, or false
/// where nothing is too steep.
template <class Slide>
RowSlides slides_by(const RowSlice& row, bool has_fixed, const Slide& slide) {
    RowSlides slides;
    const std::array<std::int32_t, 8> steps = index_steps(row.columns);
    for (std::size_t d = 0; d < 8; ++d) {
        std::array<std::int32_t, kMostInSlice> amounts;
        if (!slide(d, steps[d], amounts)) continue;
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

}  // namespace

RowSlides slides_of(const RowSlice& row, const AvalancheLaw& law, bool has_fixed) {
    return slides_by(row, has_fixed, [&](std::size_t d, std::int32_t step, auto& amounts) {
        const std::int32_t steepest = d % 2 == 0 ? law.steepest_straight : law.steepest_diagonal;
        if (!is_too_steep(row, step, steepest)) return false;
        slide_towards(row, step, steepest, law.share, amounts);
        return true;
    });
}

RowSlides slides_of(const RowSlice& row, const MaterialSlides& law, bool has_fixed) {
    return slides_by(row, has_fixed, [&](std::size_t d, std::int32_t step, auto& amounts) {
        if (!is_too_steep(row, step, law.least_rise)) return false;
        slide_by_material(row, d, step, law, amounts);
        return true;
    });
}

}  // namespace thalweg
