#include "thalweg/meander/ground/channel_beds.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

/// A cell that a line passes, perhaps beyond the grid, and where on the line the middle of that is.
struct Passage {
    int column = 0;
    int row = 0;
    double length = 0.0;  // cells, of line within the cell
    double bed = 0.0;     // m
    double bank = 0.0;    // m
};

/// All cells of a line one after another, each a neighbour of four of the one before.
class PassageList {
  public:
    explicit PassageList(const Grid& grid) : grid_(grid) {}

    void add_segment(const BedLine& line, std::size_t i) {
        const double c0 = grid_.column_at(line.x[i]) + 0.5;
        const double r0 = grid_.row_at(line.y[i]) + 0.5;
        const double c1 = grid_.column_at(line.x[i + 1]) + 0.5;
        const double r1 = grid_.row_at(line.y[i + 1]) + 0.5;
        const double dc = c1 - c0;
        const double dr = r1 - r0;
        const double length = std::hypot(dc, dr);
        int column = static_cast<int>(std::floor(c0));
        int row = static_cast<int>(std::floor(r0));
        const int end_column = static_cast<int>(std::floor(c1));
        const int end_row = static_cast<int>(std::floor(r1));
        double share = 0.0;
        while (true) {
            // Go to the nearer of the next edges between columns and between rows.
            const double to_column = column == end_column ? 2.0 : (column + (dc > 0.0 ? 1 : 0) - c0) / dc;
            const double to_row = row == end_row ? 2.0 : (row + (dr > 0.0 ? 1 : 0) - r0) / dr;
            const double next = std::clamp(std::min(to_column, to_row), share, 1.0);
            const double middle = 0.5 * (share + next);
            add({.column = column,
                 .row = row,
                 .length = (next - share) * length,
                 .bed = line.bed[i] + middle * (line.bed[i + 1] - line.bed[i]),
                 .bank = line.bank[i] + middle * (line.bank[i + 1] - line.bank[i])});
            if (column == end_column && row == end_row) return;
            share = next;
            if (to_column <= to_row)
                column += dc > 0.0 ? 1 : -1;
            else
                row += dr > 0.0 ? 1 : -1;
        }
    }

    [[nodiscard]] const std::vector<Passage>& passages() const { return passages_; }

  private:
    /// Pieces within one cell are one passage, at the mean of their beds.
    void add(const Passage& piece) {
        if (passages_.empty() || passages_.back().column != piece.column ||
            passages_.back().row != piece.row) {
            passages_.push_back(piece);
            return;
        }
        Passage& here = passages_.back();
        const double length = here.length + piece.length;
        const double share = length > 0.0 ? piece.length / length : 0.5;
        here.bed += share * (piece.bed - here.bed);
        here.bank += share * (piece.bank - here.bank);
        here.length = length;
    }

    const Grid& grid_;
    std::vector<Passage> passages_;
};

}  // namespace

CellPath cell_path(const Grid& grid, const BedLine& line) {
    PassageList passages(grid);
    for (std::size_t i = 0; i + 1 < line.size(); ++i) passages.add_segment(line, i);
    CellPath path{.is_outlet = line.is_outlet};
    for (const Passage& passage : passages.passages()) {
        if (!grid.contains(passage.column, passage.row)) continue;
        path.cells.push_back(grid.index(passage.column, passage.row));
        path.beds.push_back(static_cast<float>(passage.bed));
        path.depths.push_back(static_cast<float>(passage.bank - passage.bed));
    }
    return path;
}

}  // namespace thalweg
