#include "thalweg/particles/simulation/main_stream.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// A stream to the east along a sine of `amplitude` m and 400 m, with another that joins it from the north.
struct SineStream {
    Field<float> discharge;
    Field<float> east;
    Field<float> south;

    explicit SineStream(double amplitude)
        : discharge(Grid{.columns = 160, .rows = 60, .cell_size = 10.0, .north = 600.0}),
          east(discharge.grid()),
          south(discharge.grid()) {
        const Grid& grid = discharge.grid();
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
            const double x = grid.x(grid.column_of(cell));
            const double y = grid.y(grid.row_of(cell)) - 300.0;
            const double wave = 2.0 * std::numbers::pi / 400.0;
            const double slope = amplitude * wave * std::cos(wave * x);
            const double across = (y - amplitude * std::sin(wave * x)) / std::hypot(1.0, slope);
            discharge[cell] = static_cast<float>(1e6 * std::exp(-across * across / 200.0));
            east[cell] = discharge[cell] / static_cast<float>(std::hypot(1.0, slope));
            south[cell] = -east[cell] * static_cast<float>(slope);
            if (y > 100.0 && std::abs(x - 900.0) < 15.0) {
                discharge[cell] = 3e5F;
                south[cell] = 3e5F;
                east[cell] = 0.0F;
            }
        }
    }

    [[nodiscard]] double sinuosity() const {
        return sinuosity_of(main_stream({.discharge = discharge, .east = east, .south = south}));
    }
};

TEST(MainStream, has_the_sinuosity_of_its_sine) {
    EXPECT_NEAR(SineStream(0.0).sinuosity(), 1.0, 0.01);
    for (const double amplitude : {40.0, 80.0}) {
        double length = 0.0;
        const double wave = 2.0 * std::numbers::pi / 400.0;
        for (int i = 0; i < 4000; ++i)
            length += 0.1 * std::hypot(1.0, amplitude * wave * std::cos(wave * 0.1 * i));
        EXPECT_NEAR(SineStream(amplitude).sinuosity(), length / 400.0, 0.05 * length / 400.0);
    }
}

TEST(MainStream, runs_from_its_source_to_its_outlet) {
    const SineStream stream(40.0);
    const std::vector<Position> line =
        main_stream({.discharge = stream.discharge, .east = stream.east, .south = stream.south});
    EXPECT_LT(line.front().x, 30.0);
    EXPECT_GT(line.back().x, 1570.0);
}

TEST(MainStream, is_none_where_no_water_flows) {
    const Field<float> dry(Grid{.columns = 9, .rows = 9});
    EXPECT_TRUE(main_stream({.discharge = dry, .east = dry, .south = dry}).empty());
    EXPECT_EQ(sinuosity_of({}), 1.0);
}

}  // namespace
}  // namespace thalweg
