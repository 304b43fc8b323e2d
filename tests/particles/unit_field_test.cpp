#include "thalweg/particles/unit_field.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/parallel.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr Grid kGrid{.columns = 50, .rows = 40, .cell_size = 1.0};
constexpr std::int64_t kLarge = std::int64_t{1} << 40;

TEST(UnitField, holds_numbers_that_do_not_fit_beside_those_that_do) {
    UnitField field(kGrid);
    for (const std::int64_t units : {kLarge, -kLarge, std::int64_t{UnitField::kBeside}, std::int64_t{-5},
                                     std::int64_t{std::numeric_limits<std::int32_t>::max()}}) {
        field.set(7, units);
        EXPECT_EQ(field[7], units);
        EXPECT_EQ(field.wide()[7], units);
        EXPECT_EQ(UnitField(field.wide()), field);
        field.add(7, -units);
        EXPECT_EQ(field, UnitField(kGrid)) << "nothing is left of " << units;
    }
}

TEST(UnitField, takes_numbers_of_any_size_from_threads_at_once) {
    const ExecutionScope scope({.threads = 4});
    const auto units_of = [](std::int64_t cell) { return (cell % 3 - 1) * kLarge + cell; };
    UnitField field(kGrid);
    for (int pass = 0; pass < 2; ++pass)
        parallel_for(0, field.size(), 16, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t cell = first; cell < last; ++cell) field.add(cell, units_of(cell));
        });
    for (std::int64_t cell = 0; cell < field.size(); ++cell) ASSERT_EQ(field[cell], 2 * units_of(cell));
}

}  // namespace
}  // namespace thalweg
