// The same mountains and rivers at every size: what is previewed is what is built.
#include "thalweg/project/runner.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr int kCoarse = 256;        // cells along a side, of the comparison
constexpr float kTrunkArea = 1e7F;  // m^2: rivers above 10 km^2

Landscape built(int cells) {
    ProjectOverrides overrides;
    overrides.cells = cells;
    const Project project =
        read_project(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples/range.toml", overrides);
    QuietProgress quiet;
    return run_project(project, {.write_outputs = false}, quiet).landscape;
}

/// Coarse cells that hold a river above 10 km^2.
Field<std::uint8_t> trunks(const Landscape& landscape) {
    const Field<float>& area = landscape.layer("drainage_area");
    const int ratio = area.columns() / kCoarse;
    Field<std::uint8_t> mask(make_grid(landscape.grid.width(), landscape.grid.height(), kCoarse));
    for (int row = 0; row < area.rows(); ++row)
        for (int column = 0; column < area.columns(); ++column)
            if (area(column, row) > kTrunkArea) mask(column / ratio, row / ratio) = 1;
    return mask;
}

bool near_one(const Field<std::uint8_t>& mask, int column, int row) {
    for (int y = row - 1; y <= row + 1; ++y)
        for (int x = column - 1; x <= column + 1; ++x)
            if (mask.grid().contains(x, y) && mask(x, y) != 0) return true;
    return false;
}

/// Cells of `mask` within one cell of `other`, and all cells of `mask`.
std::pair<double, double> matched(const Field<std::uint8_t>& mask, const Field<std::uint8_t>& other) {
    double near = 0.0;
    double all = 0.0;
    for (int row = 0; row < mask.rows(); ++row)
        for (int column = 0; column < mask.columns(); ++column) {
            if (mask(column, row) == 0) continue;
            ++all;
            if (near_one(other, column, row)) ++near;
        }
    return {near, all};
}

/// Intersection over union with a tolerance of one cell.
double agreement(const Field<std::uint8_t>& a, const Field<std::uint8_t>& b) {
    const auto [near_a, all_a] = matched(a, b);
    const auto [near_b, all_b] = matched(b, a);
    const double intersection = 0.5 * (near_a + near_b);
    return intersection / (all_a + all_b - intersection);
}

/// Correlation of the coarse elevation with the fine one's mean over each coarse cell.
double elevation_correlation(const Landscape& coarse, const Landscape& fine) {
    const Field<float>& a = coarse.layer("elevation");
    QuietProgress quiet;
    const Field<float> b = field_source(fine.layer("elevation"))(a.grid(), quiet);
    double sum_a = 0.0, sum_b = 0.0, sum_aa = 0.0, sum_bb = 0.0, sum_ab = 0.0;
    for (std::int64_t cell = 0; cell < a.size(); ++cell) {
        const double x = a[cell];
        const double y = b[cell];
        sum_a += x;
        sum_b += y;
        sum_aa += x * x;
        sum_bb += y * y;
        sum_ab += x * y;
    }
    const auto count = static_cast<double>(a.size());
    return (sum_ab - sum_a * sum_b / count) /
           std::sqrt((sum_aa - sum_a * sum_a / count) * (sum_bb - sum_b * sum_b / count));
}

TEST(Resolution, range_has_the_same_trunk_rivers_and_mountains_at_256_512_and_1024_cells) {
    const Landscape small = built(kCoarse);
    for (const int cells : {512, 1024}) {
        const Landscape large = built(cells);
        const double rivers = agreement(trunks(small), trunks(large));
        const double mountains = elevation_correlation(small, large);
        RecordProperty("river_intersection_over_union_" + std::to_string(cells), std::to_string(rivers));
        RecordProperty("elevation_correlation_" + std::to_string(cells), std::to_string(mountains));
        std::printf("256/%d: rivers above 10 km^2 IoU %.3f, elevation correlation %.4f\n", cells, rivers,
                    mountains);
        EXPECT_GT(rivers, 0.9);
        EXPECT_GT(mountains, 0.98);
    }
}

}  // namespace
}  // namespace thalweg
