#include "thalweg/particles/simulation/main_stream.hpp"

#include "thalweg/grid/gaussian.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thalweg {
namespace {

constexpr int kStepsInCell = 4;

/// Fields of flow, each the mean over a cell or so: the line is to run within the stream, and not from
/// droplet to droplet.
struct MeanFlow {
    Field<float> discharge;
    Field<float> east;
    Field<float> south;

    explicit MeanFlow(const FlowFields& flow)
        : discharge(mean_of(flow.discharge)), east(mean_of(flow.east)), south(mean_of(flow.south)) {}

    static Field<float> mean_of(const Field<float>& field) {
        constexpr double kWidth = 0.7;  // cells
        return gaussian_mean(field, kWidth * field.grid().cell_size,
                             {.end_column = field.columns(), .end_row = field.rows()});
    }

    /// The direction against the flow, of length 1, drawn to where more water flows; 0 where none does.
    [[nodiscard]] Position upstream(Position place) const {
        constexpr double kLook = 0.7;      // cells, to either side
        constexpr double kMostTurn = 0.5;  // of the way, to the side
        const Position direction = unit({.x = -static_cast<double>(sample_bilinear(east, place)),
                                         .y = static_cast<double>(sample_bilinear(south, place))});
        const double look = kLook * discharge.grid().cell_size;
        const auto at_side = [&](double distance) {
            return static_cast<double>(sample_bilinear(
                discharge, {.x = place.x - distance * direction.y, .y = place.y + distance * direction.x}));
        };
        const double left = at_side(look);
        const double right = at_side(-look);
        if (!(left + right > 0.0)) return direction;
        const double turn = std::clamp(2.0 * (left - right) / (left + right), -kMostTurn, kMostTurn);
        return unit({.x = direction.x - turn * direction.y, .y = direction.y + turn * direction.x});
    }

    static Position unit(Position vector) {
        const double size = std::hypot(vector.x, vector.y);
        if (!(size > 0.0)) return {};
        return {.x = vector.x / size, .y = vector.y / size};
    }
};

/// Follows the stream from a place against its flow; a place for each cell.
std::vector<Position> line_from(const MeanFlow& flow, Position place) {
    const Grid& grid = flow.discharge.grid();
    constexpr double kLeastShare = 0.1;                                   // of the discharge at the outlet
    constexpr std::int64_t kLeastLoop = std::int64_t{10} * kStepsInCell;  // steps
    constexpr std::int64_t kMostRounds =
        std::int64_t{8} * kStepsInCell;  // of steps along the sides of the grid
    const double step_length = grid.cell_size / kStepsInCell;
    const auto least = kLeastShare * static_cast<double>(sample_bilinear(flow.discharge, place));
    std::vector<Position> line = {place};
    Field<std::int32_t> visited(grid);  // 1 + the step that came there
    for (std::int32_t step = 0; step < kMostRounds * (grid.columns + grid.rows); ++step) {
        const Position direction = flow.upstream(place);
        if (direction.x == 0.0 && direction.y == 0.0) break;
        place = {.x = place.x + step_length * direction.x, .y = place.y + step_length * direction.y};
        // End at the edge, where little flows, and where the way closes.
        const auto column = static_cast<int>(std::floor(grid.column_at(place.x) + 0.5));
        const auto row = static_cast<int>(std::floor(grid.row_at(place.y) + 0.5));
        if (!grid.contains(column, row)) break;
        if (static_cast<double>(sample_bilinear(flow.discharge, place)) < least) break;
        std::int32_t& before = visited(column, row);
        if (before > 0 && step - before > kLeastLoop) break;
        before = step + 1;
        if (step % kStepsInCell == kStepsInCell - 1) line.push_back(place);
    }
    return line;
}

void smooth(std::vector<Position>& line) {
    constexpr int kPasses = 8;  // a standard deviation of two cells, about half of a bed
    for (int pass = 0; pass < kPasses; ++pass) {
        const std::vector<Position> before = line;
        for (std::size_t i = 1; i + 1 < line.size(); ++i)
            line[i] = {.x = 0.25 * (before[i - 1].x + 2.0 * before[i].x + before[i + 1].x),
                       .y = 0.25 * (before[i - 1].y + 2.0 * before[i].y + before[i + 1].y)};
    }
}

/// The way from the edge into the grid, of a cell just inside of it; 0 for others.
Position inwards_from_edge(const Grid& grid, std::int64_t cell) {
    const int column = grid.column_of(cell);
    const int row = grid.row_of(cell);
    if (grid.on_edge(column, row)) return {};
    if (column == 1) return {.x = 1.0};
    if (column == grid.columns - 2) return {.x = -1.0};
    if (row == 1) return {.y = -1.0};
    return {.y = row == grid.rows - 2 ? 1.0 : 0.0};
}

}  // namespace

std::vector<Position> main_stream(const FlowFields& flow) {
    const Grid& grid = flow.discharge.grid();
    // Find where the most water leaves.
    std::int64_t outlet = -1;
    float most = 0.0F;
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        if (!(flow.discharge[cell] > most)) continue;
        const Position inwards = inwards_from_edge(grid, cell);
        const double entering = inwards.x * static_cast<double>(flow.east[cell]) -
                                inwards.y * static_cast<double>(flow.south[cell]);
        if (!(entering < 0.0)) continue;
        outlet = cell;
        most = flow.discharge[cell];
    }
    if (outlet < 0) return {};
    std::vector<Position> line =
        line_from(MeanFlow(flow), grid.centre(grid.column_of(outlet), grid.row_of(outlet)));
    std::ranges::reverse(line);
    smooth(line);
    return line;
}

double sinuosity_of(const std::vector<Position>& line) {
    if (line.size() < 2) return 1.0;
    double length = 0.0;
    for (std::size_t i = 1; i < line.size(); ++i)
        length += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
    const double chord = std::hypot(line.back().x - line.front().x, line.back().y - line.front().y);
    return chord > 0.0 ? length / chord : 1.0;
}

}  // namespace thalweg
