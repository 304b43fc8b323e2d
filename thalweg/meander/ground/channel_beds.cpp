#include "thalweg/meander/ground/channel_beds.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/meander/maps/cell_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kShallowestShare = 0.15;  // of the depth, on the inner side of sharp bends (empirical)
constexpr float kLipShare = 0.25F;  // of the depth, that ground beside a bed stands above it (empirical)

/// A segment of a channel, in cells, and the corners of all that lies within half a width of it.
struct SectionPiece {
    std::array<CellPoint, 4> corners = {};
    CellPoint from;
    CellPoint to;
    const BedLine* line = nullptr;
    std::size_t point = 0;
};

SectionPiece section_piece(const Grid& grid, const BedLine& line, std::size_t i) {
    SectionPiece piece{.from = cell_point(grid, line.x[i], line.y[i]),
                       .to = cell_point(grid, line.x[i + 1], line.y[i + 1]),
                       .line = &line,
                       .point = i};
    const double reach = 0.5 * std::max(line.width[i], line.width[i + 1]) / grid.cell_size;
    const double west = std::min(piece.from.column, piece.to.column) - reach;
    const double east = std::max(piece.from.column, piece.to.column) + reach;
    const double north = std::min(piece.from.row, piece.to.row) - reach;
    const double south = std::max(piece.from.row, piece.to.row) + reach;
    piece.corners = {{{west, north}, {east, north}, {east, south}, {west, south}}};
    return piece;
}

/// A place in the cross-section of a channel.
struct SectionPlace {
    bool is_inside = false;
    float bed = 0.0F;  // m
    float lip = 0.0F;  // m
};

SectionPlace section_at(const SectionPiece& piece, CellPoint cell, double cell_size,
                        const MeanderGroundParameters& parameters) {
    const double dc = piece.to.column - piece.from.column;
    const double dr = piece.to.row - piece.from.row;
    const double off_column = cell.column - piece.from.column;
    const double off_row = cell.row - piece.from.row;
    const double squared = dc * dc + dr * dr;
    const double share = std::clamp((off_column * dc + off_row * dr) / squared, 0.0, 1.0);
    const BedLine& line = *piece.line;
    const auto mix = [&](const std::vector<double>& v) {
        return v[piece.point] + share * (v[piece.point + 1] - v[piece.point]);
    };
    const double across_column = off_column - share * dc;
    const double across_row = off_row - share * dr;
    const double distance = std::sqrt(across_column * across_column + across_row * across_row) * cell_size;
    const double width = mix(line.width);
    if (!(distance < 0.5 * width)) return {};
    // Rows run south: left of the way is where this product is negative.
    const bool is_left = dc * across_row - dr * across_column < 0.0;
    const double bank = mix(line.bank);
    const double depth = bank - mix(line.bed);
    // Cells that the middle passes have their centres that near to it; they have the whole depth.
    const double inner = std::max(0.0, distance - std::numbers::sqrt2 / 2.0 * cell_size);
    const double bend = is_left ? mix(line.bend) : -mix(line.bend);  // positive on the inner side
    const double tilt = std::clamp(1.0 - parameters.bend_scour * bend * inner / width, kShallowestShare, 1.0);
    const double below = std::min(depth * tilt, parameters.bank_slope * (0.5 * width - distance));
    const double bed = bank - below;
    return {.is_inside = true,
            .bed = static_cast<float>(bed),
            .lip = static_cast<float>(bank - (1.0 - kLipShare) * depth)};
}

void lower(ChannelBeds& beds, std::int64_t cell, float bed, float lip) {
    if (beds.bed[cell] <= bed) return;
    beds.bed[cell] = bed;
    beds.lip[cell] = lip;
}

/// Sets cells whose centres lie in a channel to its bed there.
void lay_sections(std::span<const BedLine> lines, const MeanderGroundParameters& parameters,
                  ChannelBeds& beds) {
    const Grid& grid = beds.bed.grid();
    BandedShapes<SectionPiece> pieces(grid);
    for (const BedLine& line : lines)
        for (std::size_t i = 0; i + 1 < line.size(); ++i) pieces.add(section_piece(grid, line, i));
    parallel_for(0, bands_of(grid), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t band = begin; band < end; ++band) {
            HullScan scan(band_of(grid, band));
            for (const SectionPiece& piece : pieces.in(band))
                scan.scan(piece.corners, [&](int row, int first, int last) {
                    for (int column = first; column < last; ++column)
                        if (const SectionPlace place =
                                section_at(piece, {static_cast<double>(column), static_cast<double>(row)},
                                           grid.cell_size, parameters);
                            place.is_inside)
                            lower(beds, grid.index(column, row), place.bed, place.lip);
                });
        }
    });
}

/// Lets the beds of paths fall, also where they share cells with others, and says whether one was lowered.
bool let_paths_fall(std::span<const CellPath> paths, ChannelBeds& beds) {
    bool is_changed = false;
    for (const CellPath& path : paths) {
        float before = std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < path.cells.size(); ++i) {
            float& here = beds.bed[path.cells[i]];
            if (before < here) {
                here = before;
                beds.lip[path.cells[i]] = before + kLipShare * path.depths[i];
                is_changed = true;
            }
            before = here;
        }
    }
    return is_changed;
}

/// How steeply a bed falls to the lowest of its neighbours, seen by steepest descent.
float fall_at(const Field<float>& bed, int column, int row) {
    const Grid& grid = bed.grid();
    const float here = bed(column, row);
    float steepest = 0.0F;
    for (int r = std::max(0, row - 1); r <= std::min(grid.rows - 1, row + 1); ++r)
        for (int c = std::max(0, column - 1); c <= std::min(grid.columns - 1, column + 1); ++c)
            if (bed(c, r) < here)
                steepest =
                    std::max(steepest, (here - bed(c, r)) / distance_between(grid, c - column, r - row));
    return steepest;
}

}  // namespace

float distance_between(const Grid& grid, int columns, int rows) {
    const bool is_diagonal = columns != 0 && rows != 0;
    return static_cast<float>(is_diagonal ? std::numbers::sqrt2 * grid.cell_size : grid.cell_size);
}

ChannelBeds channel_beds(const Grid& grid, std::span<const BedLine> lines,
                         const MeanderGroundParameters& parameters, Progress& progress) {
    constexpr float kNowhere = std::numeric_limits<float>::infinity();
    ChannelBeds beds{.bed = Field<float>(grid, kNowhere),
                     .lip = Field<float>(grid, kNoData),
                     .fall = Field<float>(grid, 0.0F),
                     .is_path = Field<std::uint8_t>(grid, 0)};
    lay_sections(lines, parameters, beds);
    // Cells of paths have the bed of the line, whatever part of them it takes.
    std::vector<CellPath> paths;
    for (const BedLine& line : lines) {
        CellPath& path = paths.emplace_back(cell_path(grid, line));
        for (std::size_t i = 0; i < path.cells.size(); ++i) {
            lower(beds, path.cells[i], path.beds[i], path.beds[i] + kLipShare * path.depths[i]);
            beds.is_path[path.cells[i]] = 1;
        }
    }
    while (let_paths_fall(paths, beds)) progress.poll();
    // Water leaves at outlets.
    for (const CellPath& path : paths)
        if (path.is_outlet && !path.cells.empty()) beds.lip[path.cells.back()] = kNoData;
    for (float& bed : beds.bed)
        if (bed == kNowhere) bed = kNoData;
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column)
            if (!is_no_data(beds.bed(column, row))) beds.fall(column, row) = fall_at(beds.bed, column, row);
    });
    return beds;
}

}  // namespace thalweg
