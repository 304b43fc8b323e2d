#include "thalweg/meander/ground/bank_surface.hpp"

#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace thalweg {
namespace {

/// Two values of a cell, and how much of it is known.
struct KnownBank {
    float bank = 0.0F;
    float depth = 0.0F;
    float known = 0.0F;  // 0 to 1
};

/// Adds to each cell that a line passes, and no channel since, the values along it.
void scatter(const BedLine& line, const Field<float>& channel_age, Field<KnownBank>& sums) {
    constexpr double kStep = 0.5;      // cells
    constexpr double kSameAge = 0.01;  // yr: what float years of some thousand tell apart
    const Grid& grid = sums.grid();
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const double length = std::hypot(line.x[i + 1] - line.x[i], line.y[i + 1] - line.y[i]);
        const int steps = std::max(1, static_cast<int>(std::ceil(length / (kStep * grid.cell_size))));
        for (int step = 0; step < steps; ++step) {
            const double share = (step + 0.5) / steps;
            const auto mix = [&](const std::vector<double>& v) { return v[i] + share * (v[i + 1] - v[i]); };
            const double column = std::floor(grid.column_at(mix(line.x)) + 0.5);
            const double row = std::floor(grid.row_at(mix(line.y)) + 0.5);
            if (!(column >= 0.0 && row >= 0.0 && column < grid.columns && row < grid.rows)) continue;
            const std::int64_t cell = grid.index(static_cast<int>(column), static_cast<int>(row));
            if (channel_age[cell] < line.age - kSameAge) continue;
            KnownBank& here = sums[cell];
            here.bank += static_cast<float>(mix(line.bank));
            here.depth += static_cast<float>(mix(line.bank) - mix(line.bed));
            here.known += 1.0F;
        }
    }
}

Field<KnownBank> banks_along(std::span<const BedLine> lines, const Field<float>& channel_age) {
    Field<KnownBank> sums(channel_age.grid());
    for (const BedLine& line : lines) scatter(line, channel_age, sums);
    for (KnownBank& here : sums)
        if (here.known > 0.0F) here = {here.bank / here.known, here.depth / here.known, 1.0F};
    return sums;
}

/// What coarser cells know of finer ones.
Field<KnownBank> pulled(const Field<KnownBank>& fine) {
    Field<KnownBank> coarse(fine.grid().coarser());
    for_each_row(coarse.grid(), [&](int row) {
        for (int column = 0; column < coarse.columns(); ++column) {
            KnownBank sum;
            for (int r = 2 * row; r < std::min(2 * row + 2, fine.rows()); ++r)
                for (int c = 2 * column; c < std::min(2 * column + 2, fine.columns()); ++c) {
                    const KnownBank& here = fine(c, r);
                    sum.bank += here.known * here.bank;
                    sum.depth += here.known * here.depth;
                    sum.known += here.known;
                }
            if (sum.known > 0.0F)
                coarse(column, row) = {sum.bank / sum.known, sum.depth / sum.known,
                                       std::min(1.0F, sum.known)};
        }
    });
    return coarse;
}

/// Fills what finer cells don't know from coarser ones, bilinear between their centres.
void push(const Field<KnownBank>& coarse, Field<KnownBank>& fine) {
    for_each_row(fine.grid(), [&](int row) {
        const int r0 = row / 2;
        const int r1 = std::clamp(r0 + (row % 2 == 0 ? -1 : 1), 0, coarse.rows() - 1);
        for (int column = 0; column < fine.columns(); ++column) {
            KnownBank& here = fine(column, row);
            if (here.known >= 1.0F) continue;
            const int c0 = column / 2;
            const int c1 = std::clamp(c0 + (column % 2 == 0 ? -1 : 1), 0, coarse.columns() - 1);
            const auto between = [&](float KnownBank::* value) {
                const float near = 0.75F * coarse(c0, r0).*value + 0.25F * coarse(c1, r0).*value;
                const float far = 0.75F * coarse(c0, r1).*value + 0.25F * coarse(c1, r1).*value;
                return 0.75F * near + 0.25F * far;
            };
            here.bank = here.known * here.bank + (1.0F - here.known) * between(&KnownBank::bank);
            here.depth = here.known * here.depth + (1.0F - here.known) * between(&KnownBank::depth);
        }
    });
}

}  // namespace

BankSurface bank_surface(std::span<const BedLine> lines, std::span<const BedLine> older,
                         const Field<float>& channel_age) {
    const Grid& grid = channel_age.grid();
    std::vector<Field<KnownBank>> levels;
    levels.push_back(banks_along(lines, channel_age));
    if (!older.empty()) {
        const Field<KnownBank> before = banks_along(older, channel_age);
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
            if (levels[0][cell].known == 0.0F) levels[0][cell] = before[cell];
    }
    while (levels.back().columns() > 1 || levels.back().rows() > 1) levels.push_back(pulled(levels.back()));
    BankSurface surface{.bank = Field<float>(grid, kNoData), .depth = Field<float>(grid, kNoData)};
    if (levels.back()[0].known == 0.0F) return surface;
    for (std::size_t level = levels.size() - 1; level > 0; --level) push(levels[level], levels[level - 1]);
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            surface.bank(column, row) = levels[0](column, row).bank;
            surface.depth(column, row) = levels[0](column, row).depth;
        }
    });
    return surface;
}

}  // namespace thalweg
