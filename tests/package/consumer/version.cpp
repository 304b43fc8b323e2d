// Calls into the library and through each of the backends that it links, and prints the library's version.
#include "thalweg/core/version.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/grid.hpp"

#include <cstdio>
#include <numeric>

int main() {
    const thalweg::Grid grid = thalweg::make_grid(2000.0, 1000.0, 20);
    const auto rows = thalweg::parallel_reduce<std::int64_t>(
        0, grid.rows, 1, 0, [](std::int64_t first, std::int64_t last) { return last - first; },
        std::plus<>());
    if (grid.cells() != 200 || rows != 10) return 1;
    std::printf("%s\n", thalweg::kVersion);
}
