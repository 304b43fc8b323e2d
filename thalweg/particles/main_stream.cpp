#include "thalweg/particles/main_stream.hpp"

#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace thalweg {
namespace {

/// Cosines and sines of turns by 0, 15, 30, 45 and 75 degrees.
constexpr std::array<double, 5> kCosines = {1.0, 0.9659258262890683, 0.8660254037844387, 0.7071067811865476,
                                            0.2588190451025207};
constexpr std::array<double, 5> kSines = {0.0, 0.2588190451025207, 0.5, 0.7071067811865476,
                                          0.9659258262890683};

Position turned_by(Position direction, int turn) {
    const double cosine = kCosines.at(static_cast<std::size_t>(std::abs(turn)));
    const double sine = (turn < 0 ? -1.0 : 1.0) * kSines.at(static_cast<std::size_t>(std::abs(turn)));
    return {.x = direction.x * cosine - direction.y * sine, .y = direction.x * sine + direction.y * cosine};
}

/// Follows the crest of discharge from a place, beginning in a direction of length 1.
std::vector<Position> crest_from(const FlowFields& flow, Position place, Position direction) {
    const Field<float>& discharge = flow.discharge;
    const Grid& grid = discharge.grid();
    constexpr double kLeastShare = 0.1;      // of the discharge at the outlet
    constexpr double kLook = 1.5;            // cells ahead
    constexpr std::int64_t kLeastLoop = 6;   // steps
    constexpr std::int64_t kMostRounds = 8;  // of steps along the sides of the grid
    const auto least =
        static_cast<float>(kLeastShare * static_cast<double>(sample_bilinear(discharge, place)));
    std::vector<Position> line = {place};
    Field<std::int32_t> visited(grid);  // 1 + the step that came there
    for (std::int64_t step = 0; step < kMostRounds * (grid.columns + grid.rows); ++step) {
        float most = least;
        Position best = {};
        for (const int turn : {0, -1, 1, -2, 2, -3, 3, -4, 4}) {
            const Position way = turned_by(direction, turn);
            const double look = kLook * grid.cell_size;
            const Position ahead = {.x = place.x + look * way.x, .y = place.y + look * way.y};
            const float there = sample_bilinear(discharge, ahead);
            const double along = way.x * static_cast<double>(sample_bilinear(flow.east, ahead)) -
                                 way.y * static_cast<double>(sample_bilinear(flow.south, ahead));
            if (!(there > most && along < 0.0)) continue;
            most = there;
            best = way;
        }
        if (best.x == 0.0 && best.y == 0.0) break;
        direction = best;
        place = {.x = place.x + grid.cell_size * best.x, .y = place.y + grid.cell_size * best.y};
        // End at the edge, and where the way closes.
        const auto column = static_cast<int>(std::floor(grid.column_at(place.x) + 0.5));
        const auto row = static_cast<int>(std::floor(grid.row_at(place.y) + 0.5));
        if (!grid.contains(column, row)) break;
        std::int32_t& before = visited(column, row);
        if (before > 0 && step - before > kLeastLoop) break;
        before = static_cast<std::int32_t>(step) + 1;
        line.push_back(place);
    }
    return line;
}

void smooth(std::vector<Position>& line) {
    constexpr int kPasses = 8;  // over some three cells
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
    std::vector<Position> line = crest_from(flow, grid.centre(grid.column_of(outlet), grid.row_of(outlet)),
                                            inwards_from_edge(grid, outlet));
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
