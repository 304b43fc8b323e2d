#include "thalweg/erosion/transfer/kept_detail.hpp"

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

/// Cells of 100 m with 3 m of detail up or down in turns on ground of 50 m, of which 5 m were eroded in the
/// southern half; all of it risen by 10 m.
struct Plain {
    Field<float> initial = Field<float>({.columns = 6, .rows = 5, .cell_size = 100.0});
    Field<float> blurred = Field<float>(initial.grid(), 50.0F);
    std::vector<float> uplift = std::vector<float>(30, kUplift);
    Field<float> terrain = Field<float>(initial.grid());

    Plain() {
        for (std::int64_t cell = 0; cell < 30; ++cell) {
            initial[cell] = cell % 2 == 0 ? 53.0F : 47.0F;
            terrain[cell] = cell < 18 ? 60.0F : 55.0F;
        }
    }

    [[nodiscard]] AgedGround after(double years) const { return {initial, blurred, uplift, years}; }
};

TEST(KeptDetail, of_a_coarse_rivers_bed_lies_below_the_ground_of_the_mesh) {
    const Plain plain;
    Field<float> plainly = plain.terrain, z = plain.terrain;
    give_back_detail(plain.after(kYears), DetailLoss::Erosion, plainly);
    // The second river's children reach beyond the southern edge.
    give_back_detail_beside({{1, 0, 1e6F}, {0, 2, 1e6F}}, plain.after(kYears), DetailLoss::Erosion, z);
    const auto is_bed = [](int column, int row) {
        return (column / 2 == 1 && row / 2 == 0) || (column / 2 == 0 && row / 2 == 2);
    };
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 6; ++column) {
            const bool is_high = (row * 6 + column) % 2 == 0;
            const float kept = row < 3 ? 1.0F : 0.5F;
            // 3 m of detail are cut down to -0.25 m, -3 m are left as they are.
            const float bed = plain.terrain(column, row) + kept * (is_high ? -0.25F : -3.0F);
            ASSERT_NEAR(z(column, row), is_bed(column, row) ? bed : plainly(column, row), 1e-4F);
        }
}

TEST(KeptDetail, is_cut_through_by_a_bed_4_m_deep_at_most_and_less_at_first) {
    Plain plain;
    for (float& height : plain.initial) height = 70.0F;
    Field<float> late = plain.terrain, early = plain.terrain;
    for (float& height : early) height = 50.0F;
    give_back_detail_beside({{0, 0, 1e6F}}, plain.after(kYears), DetailLoss::Erosion, late);
    give_back_detail_beside({{0, 0, 1e6F}}, plain.after(50.0), DetailLoss::Erosion, early);
    EXPECT_NEAR(late(0, 0), 60.0F + 20.0F - 4.0F, 1e-4F);
    EXPECT_NEAR(late(2, 0), 60.0F + 20.0F, 1e-4F);
    EXPECT_NEAR(early(0, 0), 50.0F + (20.0F - 0.04F) * (1.0F - 0.05F / 10.0F), 1e-3F);
}

TEST(KeptDetail, of_a_bed_without_data_is_none_and_hides_no_other) {
    Plain plain;
    for (const std::int64_t cell : {0, 7})
        plain.initial[cell] = plain.blurred[cell] = plain.terrain[cell] = kNoData;
    Field<float> z = plain.terrain;
    give_back_detail_beside({{0, 0, 1e6F}}, plain.after(kYears), DetailLoss::Erosion, z);
    EXPECT_TRUE(is_no_data(z(0, 0)));
    EXPECT_TRUE(is_no_data(z(1, 1)));
    EXPECT_NEAR(z(0, 1), 60.0F - 0.25F, 1e-4F);
    EXPECT_NEAR(z(1, 0), 60.0F - 3.0F, 1e-4F);
    EXPECT_NEAR(z(2, 0), 60.0F + 3.0F, 1e-4F);
}

TEST(KeptDetail, is_capped_at_the_ground_that_it_was_raised_by_the_uplift) {
    const Row row;
    Field<float> z = row.terrain();
    for (float& value : z) value += 1e3F;
    cap_at_uplifted(row.aged(), z);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        EXPECT_FLOAT_EQ(z[cell],
                        row.aged().initial[cell] + row.aged().uplift[static_cast<std::size_t>(cell)] *
                                                       static_cast<float>(row.aged().time));
    Field<float> low = z;
    low[2] -= 5.0F;
    const Field<float> before = low;
    cap_at_uplifted(row.aged(), low);
    EXPECT_EQ(low, before);
}

}  // namespace
}  // namespace thalweg
