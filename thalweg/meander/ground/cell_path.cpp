#include "thalweg/meander/channel/line_cells.hpp"
#include "thalweg/meander/ground/channel_beds.hpp"

#include <cmath>
#include <vector>

namespace thalweg {
namespace {

/// A cell that a line passes, perhaps beyond the grid, and where on the line the middle of that is.
struct Passage {
    int column = 0;
    int row = 0;
    double length = 0.0;  // m, of line within the cell
    double bed = 0.0;     // m
    double bank = 0.0;    // m
};

/// Pieces within one cell are one passage, at the mean of their beds.
void add_piece(const Passage& piece, std::vector<Passage>& passages) {
    if (passages.empty() || passages.back().column != piece.column || passages.back().row != piece.row) {
        passages.push_back(piece);
        return;
    }
    Passage& here = passages.back();
    const double length = here.length + piece.length;
    const double share = length > 0.0 ? piece.length / length : 0.5;
    here.bed += share * (piece.bed - here.bed);
    here.bank += share * (piece.bank - here.bank);
    here.length = length;
}

std::vector<Passage> passages_of(const Grid& grid, const BedLine& line) {
    std::vector<Passage> passages;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const double length = std::hypot(line.x[i + 1] - line.x[i], line.y[i + 1] - line.y[i]);
        for_each_passed_cell(
            grid, {line.x[i], line.y[i]}, {line.x[i + 1], line.y[i + 1]}, [&](const PassedCell& cell) {
                const double middle = 0.5 * (cell.first + cell.last);
                add_piece({.column = cell.column,
                           .row = cell.row,
                           .length = (cell.last - cell.first) * length,
                           .bed = line.bed[i] + middle * (line.bed[i + 1] - line.bed[i]),
                           .bank = line.bank[i] + middle * (line.bank[i + 1] - line.bank[i])},
                          passages);
            });
    }
    return passages;
}

}  // namespace

CellPath cell_path(const Grid& grid, const BedLine& line) {
    CellPath path{.is_outlet = line.is_outlet};
    for (const Passage& passage : passages_of(grid, line)) {
        if (!grid.contains(passage.column, passage.row)) continue;
        path.cells.push_back(grid.index(passage.column, passage.row));
        path.beds.push_back(static_cast<float>(passage.bed));
        path.depths.push_back(static_cast<float>(passage.bank - passage.bed));
    }
    return path;
}

}  // namespace thalweg
