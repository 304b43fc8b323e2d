// Routes water over a small plane and prints the largest drainage area, m^2.
#include <algorithm>
#include <cstdio>

#include <thalweg/flow/route.hpp>

int main() {
    const thalweg::Grid grid = thalweg::make_grid(80.0, 40.0, 8);
    thalweg::Field<float> elevation(grid, 0.0F);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            elevation(column, row) = static_cast<float>(column + 2 * std::abs(row - 2));
    thalweg::QuietProgress progress;
    const thalweg::FlowResult flow = thalweg::route(elevation, {}, progress);
    std::printf("%.0f\n", *std::max_element(flow.drainage_area.begin(), flow.drainage_area.end()));
}
