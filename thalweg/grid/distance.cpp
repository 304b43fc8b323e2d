#include "thalweg/grid/distance.hpp"

#include "thalweg/core/parallel.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace thalweg {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The least of (i - k)^2 + heights[k] over all k, for every i.
class ParabolaEnvelope {
  public:
    explicit ParabolaEnvelope(std::size_t size) : apex_(size), from_(size + 1) {}

    void replace(std::vector<double>& heights) {
        // Keep the parabolas that are lowest somewhere, in their order, and where each begins to be.
        std::size_t kept = 0;
        for (std::size_t k = 0; k < heights.size(); ++k) {
            if (heights[k] == kInfinite) continue;
            double begin = -kInfinite;
            while (kept > 0 && (begin = crossing(heights, apex_[kept - 1], k)) <= from_[kept - 1]) --kept;
            if (kept == 0) begin = -kInfinite;
            apex_[kept] = k;
            from_[kept++] = begin;
        }
        if (kept == 0) return;
        from_[kept] = kInfinite;
        lowest_.resize(heights.size());
        std::size_t at = 0;
        for (std::size_t i = 0; i < heights.size(); ++i) {
            const auto place = static_cast<double>(i);
            while (from_[at + 1] < place) ++at;
            const double away = place - static_cast<double>(apex_[at]);
            lowest_[i] = away * away + heights[apex_[at]];
        }
        heights = lowest_;
    }

  private:
    /// Where the parabola with its apex at b gets below that of a, before it.
    static double crossing(const std::vector<double>& heights, std::size_t a, std::size_t b) {
        const auto first = static_cast<double>(a);
        const auto second = static_cast<double>(b);
        return (heights[b] + second * second - heights[a] - first * first) / (2.0 * (second - first));
    }

    std::vector<std::size_t> apex_;
    std::vector<double> from_;
    std::vector<double> lowest_;
};

}  // namespace

Field<float> distance_to(const Field<std::uint8_t>& cells) {
    const Grid& grid = cells.grid();
    Field<double> squares(grid);
    const auto replace_lines = [&](int lines, int size, const auto& value) {
        parallel_for(0, lines, 16, [&](std::int64_t first, std::int64_t end) {
            ParabolaEnvelope envelope(static_cast<std::size_t>(size));
            std::vector<double> line(static_cast<std::size_t>(size));
            for (std::int64_t number = first; number < end; ++number) {
                for (int i = 0; i < size; ++i)
                    line[static_cast<std::size_t>(i)] = value(static_cast<int>(number), i);
                envelope.replace(line);
                for (int i = 0; i < size; ++i)
                    value(static_cast<int>(number), i) = line[static_cast<std::size_t>(i)];
            }
        });
    };
    for (std::int64_t cell = 0; cell < cells.size(); ++cell)
        squares[cell] = cells[cell] != 0 ? 0.0 : kInfinite;
    replace_lines(grid.columns, grid.rows,
                  [&](int column, int row) -> double& { return squares(column, row); });
    replace_lines(grid.rows, grid.columns,
                  [&](int row, int column) -> double& { return squares(column, row); });
    Field<float> distances(grid);
    for (std::int64_t cell = 0; cell < cells.size(); ++cell)
        distances[cell] = static_cast<float>(std::sqrt(squares[cell]) * grid.cell_size);
    return distances;
}

}  // namespace thalweg
