#include "thalweg/grid/rows.hpp"
#include "thalweg/meander/channel/line_edits.hpp"
#include "thalweg/meander/maps/cell_rows.hpp"
#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/meander/meander_maps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace thalweg {
namespace {

constexpr double kTaper = 3.0;        // widths of water beside a plug (empirical)
constexpr double kShallowest = 0.05;  // m: less is a swamp, not a lake (empirical)
constexpr float kSameYear = 0.01F;    // yr: what float years of some thousand tell apart

/// A stretch of water between two points of a lake's line.
struct WaterPiece {
    double x, y, dx, dy;  // m
    double width[2];      // m
    double depth[2];      // m, in the middle

    WaterPiece(const ChannelLine& line, std::size_t i)
        : x(line.x[i]),
          y(line.y[i]),
          dx(line.x[i + 1] - line.x[i]),
          dy(line.y[i + 1] - line.y[i]),
          width{line.values.width[i], line.values.width[i + 1]},
          depth{line.values.depth[i], line.values.depth[i + 1]} {}

    /// Depth of the water at a place, over a bed that is a parabola seen across; 0 beside it.
    [[nodiscard]] double depth_at(Position place) const {
        const double squared = dx * dx + dy * dy;
        const double share =
            squared > 0.0 ? std::clamp(((place.x - x) * dx + (place.y - y) * dy) / squared, 0.0, 1.0) : 0.0;
        const double off_x = place.x - x - share * dx;
        const double off_y = place.y - y - share * dy;
        const double half = 0.5 * (width[0] + share * (width[1] - width[0]));
        const double beside = (off_x * off_x + off_y * off_y) / (half * half);
        return std::max(0.0, 1.0 - beside) * (depth[0] + share * (depth[1] - depth[0]));
    }

    /// The cells that it may lie in.
    [[nodiscard]] CellRange cells(const Grid& grid) const {
        const double reach = 0.5 * std::max(width[0], width[1]);
        const auto within = [](double cell, int end) {
            return static_cast<int>(std::clamp(std::ceil(cell), 0.0, static_cast<double>(end)));
        };
        return {.first_column = within(grid.column_at(std::min(x, x + dx) - reach), grid.columns),
                .end_column = within(grid.column_at(std::max(x, x + dx) + reach), grid.columns),
                .first_row = within(grid.row_at(std::max(y, y + dy) + reach), grid.rows),
                .end_row = within(grid.row_at(std::min(y, y + dy) - reach), grid.rows)};
    }
};

/// Writes a lake's water where no channel has been since `year`.
void add_water(const ChannelLine& water, double year, std::int32_t label, const Field<float>& last,
               OxbowLakes& lakes) {
    for (std::size_t i = 0; i + 1 < water.size(); ++i) {
        const WaterPiece piece(water, i);
        const CellRange range = piece.cells(last.grid());
        for (int row = range.first_row; row < range.end_row; ++row)
            for (int column = range.first_column; column < range.end_column; ++column) {
                if (last(column, row) > static_cast<float>(year) + kSameYear) continue;
                const double depth = piece.depth_at(last.grid().centre(column, row));
                if (!(depth > 0.0)) continue;
                float& here = lakes.depth(column, row);
                if (std::exchange(lakes.oxbow(column, row), label) != label) here = 0.0F;
                here = std::max(here, static_cast<float>(depth));
            }
    }
}

/// Numbers the lakes that have cells, from 1, and measures them.
void measure(OxbowLakes& lakes) {
    const Grid& grid = lakes.oxbow.grid();
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        if (lakes.oxbow[cell] == 0) continue;
        OxbowLake& lake = lakes.lakes[lakes.oxbow[cell] - 1];
        lake.area += grid.cell_area();
        lake.depth = std::max(lake.depth, double{lakes.depth[cell]});
    }
    std::vector<std::int32_t> label(lakes.lakes.size() + 1, 0);
    std::int32_t count = 0;
    for (std::size_t i = 0; i < lakes.lakes.size(); ++i)
        if (lakes.lakes[i].area > 0.0) label[i + 1] = ++count;
    std::erase_if(lakes.lakes, [](const OxbowLake& lake) { return lake.area == 0.0; });
    for (std::int32_t& here : lakes.oxbow) here = label[here];
}

/// Braids and deltas carry so much sediment that what they leave is soon full.
double fill_time_of(MeanderEventKind cause, const MeanderMapParameters& parameters) {
    constexpr double kOfBranches = 0.05;  // (empirical)
    const bool is_branch = cause == MeanderEventKind::Confluence || cause == MeanderEventKind::Closure;
    return (is_branch ? kOfBranches : 1.0) * parameters.oxbow_fill_time;
}

}  // namespace

std::optional<ChannelLine> oxbow_water(const AbandonedCourse& course, double age,
                                       const MeanderMapParameters& parameters) {
    ChannelLine line = course.line;
    if (line.size() < 3 || age < 0.0) return std::nullopt;
    const double filled = std::exp(-age / fill_time_of(course.cause, parameters));
    const double plug =
        parameters.oxbow_plug_length *
        (parameters.oxbow_plug_time > 0.0 ? 1.0 - std::exp(-age / parameters.oxbow_plug_time) : 1.0);
    std::vector<double> along(line.size(), 0.0);  // m
    for (std::size_t i = 1; i < line.size(); ++i)
        along[i] = along[i - 1] + std::hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]);
    std::size_t first = line.size();
    std::size_t last = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const double width = line.values.width[i];
        const double from_plug = std::min(along[i], along.back() - along[i]) / width - plug;  // widths
        const double open = plug > 0.0 ? std::clamp(from_plug / kTaper, 0.0, 1.0) : 1.0;
        const double left = filled * open * (2.0 - open);
        line.values.depth[i] *= static_cast<float>(left);
        line.values.width[i] *= static_cast<float>(std::sqrt(left));
        if (!(line.values.depth[i] > kShallowest)) continue;
        first = std::min(first, i);
        last = i;
    }
    if (first >= last) return std::nullopt;
    return part_of(line, first, last);
}

OxbowLakes oxbow_lakes(const MeanderHistory& history, const Grid& grid,
                       const MeanderMapParameters& parameters, Progress& progress,
                       std::optional<double> year) {
    ChannelYears years(history, grid);
    OxbowLakes lakes{.oxbow = Field<std::int32_t>(grid, 0), .depth = Field<float>(grid, 0.0F), .lakes = {}};
    const std::size_t networks =
        networks_until(history, year.value_or(std::numeric_limits<double>::infinity()));
    if (networks == 0) return lakes;
    const double now = history.networks[networks - 1].year;
    years.advance(now, progress);
    for (const AbandonedCourse& course : history.courses) {
        progress.poll();
        if (course.year > now) break;
        const std::optional<ChannelLine> water = oxbow_water(course, now - course.year, parameters);
        if (!water) continue;
        lakes.lakes.push_back(
            {.id = course.id, .reach = course.reach, .year = course.year, .age = now - course.year});
        add_water(*water, course.year, static_cast<std::int32_t>(lakes.lakes.size()), years.last(), lakes);
    }
    measure(lakes);
    std::vector<std::int32_t> labels(lakes.lakes.size());
    std::iota(labels.begin(), labels.end(), 1);
    std::vector<std::vector<OutlinePart>> outlines = outline_cells(lakes.oxbow, labels, progress);
    for (std::size_t i = 0; i < outlines.size(); ++i) lakes.lakes[i].parts = std::move(outlines[i]);
    return lakes;
}

}  // namespace thalweg
