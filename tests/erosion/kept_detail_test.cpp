#include "thalweg/erosion/kept_detail.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr float kUplift = 1e-3F;  // m/yr
constexpr double kYears = 1e4;    // in which 10 m are uplifted

/// One row of cells of 100 m, so that 10 m of erosion wipe out detail: 3 m of it on ground of 50 m.
struct Row {
    Field<float> initial = Field<float>({.columns = 5, .rows = 1, .cell_size = 100.0}, 53.0F);
    Field<float> blurred = Field<float>(initial.grid(), 50.0F);
    std::vector<float> uplift = std::vector<float>(5, kUplift);

    [[nodiscard]] AgedGround aged() const { return {initial, blurred, uplift, kYears}; }

    /// With 0, 5, 10 and 20 m eroded, and 5 m laid down.
    [[nodiscard]] Field<float> terrain() const {
        Field<float> z(initial.grid());
        const float changes[] = {0.0F, -5.0F, -10.0F, -20.0F, 5.0F};
        for (std::int64_t cell = 0; cell < 5; ++cell) z[cell] = 60.0F + changes[cell];
        return z;
    }
};

TEST(KeptDetail, fades_with_what_was_eroded) {
    const Row row;
    Field<float> z = row.terrain();
    give_back_detail(row.aged(), DetailLoss::Erosion, z);
    const float expected[] = {63.0F, 55.0F + 1.5F, 50.0F, 40.0F, 65.0F + 3.0F};
    for (std::int64_t cell = 0; cell < 5; ++cell) EXPECT_NEAR(z[cell], expected[cell], 1e-4F);
}

TEST(KeptDetail, is_buried_where_sediment_is_laid_down) {
    const Row row;
    Field<float> z = row.terrain();
    give_back_detail(row.aged(), DetailLoss::ErosionAndDeposition, z);
    EXPECT_NEAR(z[0], 63.0F, 1e-4F);
    EXPECT_NEAR(z[4], 65.0F + 1.5F, 1e-4F);
}

TEST(KeptDetail, of_cells_without_data_is_none) {
    Row row;
    row.initial[1] = row.blurred[1] = kNoData;
    Field<float> z = row.terrain();
    z[1] = kNoData;
    give_back_detail(row.aged(), DetailLoss::Erosion, z);
    EXPECT_TRUE(is_no_data(z[1]));
    EXPECT_NEAR(z[0], 63.0F, 1e-4F);
}

TEST(ErodedDepth, lies_below_the_uplifted_ground_or_is_none) {
    const Row row;
    const std::vector<float> depth = eroded_depth(row.aged(), row.terrain());
    const float expected[] = {0.0F, 5.0F, 10.0F, 20.0F, 0.0F};
    for (std::size_t cell = 0; cell < 5; ++cell) EXPECT_NEAR(depth[cell], expected[cell], 1e-4F);
}

}  // namespace
}  // namespace thalweg
