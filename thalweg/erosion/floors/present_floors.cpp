#include "thalweg/erosion/floors/present_floors.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr float kFloorRise = 0.15F;      // m/m, up to which ground from a river is floor (by eye)
constexpr float kWallRise = 0.3F;        // m/m, from which on it is none (by eye)
constexpr float kFloorHeight = 20.0F;    // m above the river, above which there is none (by eye)
constexpr float kPresentCount = 10.0F;   // how often the width of a floor that is there counts (by eye)
constexpr float kMostFlare = 0.5F;       // m/m, by which half a floor widens along its river (by eye)
constexpr double kSmoothingReach = 2e3;  // m, along rivers (by eye)

/// How much a cell is floor that lies `height` m above a river `distance` m away.
float floor_share(float height, float distance) {
    return std::clamp((kWallRise - height / distance) / (kWallRise - kFloorRise), 0.0F, 1.0F);
}

float distance_between(const Grid& grid, std::int32_t a, std::int32_t b) {
    const auto x = static_cast<float>(grid.column_of(a) - grid.column_of(b));
    const auto y = static_cast<float>(grid.row_of(a) - grid.row_of(b));
    return static_cast<float>(grid.cell_size) * std::sqrt(x * x + y * y);
}

/// Marks the floor whose water comes to a river's cell first, and returns its area, m^2. `waiting` is room
/// for cells.
float mark_floor(const ValleyFloorInputs& inputs, const FloorRivers& rivers, std::int32_t bed,
                 Field<float>& share, std::vector<std::int32_t>& waiting) {
    const Grid& grid = inputs.elevation.grid();
    float cells = 0.0F;
    waiting.assign(1, bed);
    while (!waiting.empty()) {
        const std::int32_t cell = waiting.back();
        waiting.pop_back();
        const int column = grid.column_of(cell), row = grid.row_of(cell);
        for (int d = 0; d < 8; ++d) {
            if (!grid.contains(column + kColumnStep[d], row + kRowStep[d])) continue;
            const std::int32_t donor = cell + kRowStep[d] * grid.columns + kColumnStep[d];
            const bool drains_here = inputs.tree.direction[at(donor)] == opposite(d);
            if (!drains_here || rivers.has(donor)) continue;
            const float height = inputs.elevation[donor] - inputs.elevation[bed];
            if (height > kFloorHeight) continue;  // and so is all that drains to it
            share[donor] = floor_share(height, distance_between(grid, donor, bed));
            cells += share[donor];
            waiting.push_back(donor);
        }
    }
    return cells * static_cast<float>(grid.cell_area());
}

/// Means along rivers of areas over lengths, by weights that fall off exponentially up and down the main
/// course.
std::vector<float> smooth_widths(const FloorRivers& rivers, const std::vector<float>& area) {
    struct Sum {
        float area, length;
    };
    const auto add = [](Sum& sum, const Sum& next, const FloorRiver& between) {
        const auto weight =
            static_cast<float>(std::exp(-static_cast<double>(between.length) / kSmoothingReach));
        sum.area += weight * next.area;
        sum.length += weight * next.length;
    };
    std::vector<Sum> above(area.size()), below(area.size());  // each with its own
    for (std::size_t i = 0; i < area.size(); ++i) {
        const FloorRiver& river = rivers.rivers[i];
        above[i] = below[i] = {area[i], river.length};
        if (river.is_main) add(below[i], below[at(rivers.number[at(river.receiver)])], river);
    }
    for (std::size_t i = area.size(); i-- > 0;) {
        const FloorRiver& river = rivers.rivers[i];
        if (river.is_main) add(above[at(rivers.number[at(river.receiver)])], above[i], river);
    }
    std::vector<float> widths(area.size());
    for (std::size_t i = 0; i < area.size(); ++i)
        widths[i] = (above[i].area + below[i].area - area[i]) /
                    (above[i].length + below[i].length - rivers.rivers[i].length);
    return widths;
}

/// Narrows floors by those that are there: of one a tenth as wide as the law's nothing is left.
void narrow(const PresentFloors& present, std::vector<FloorRiver>& rivers) {
    for (std::size_t i = 0; i < rivers.size(); ++i)
        rivers[i].half_width = std::max(0.0F, rivers[i].half_width - 0.5F * kPresentCount * present.width[i]);
}

/// Widens floors above one that is much wider by little and little, lest the front from there overtakes the
/// bed. Of tributaries it may.
void flare(FloorRivers& rivers) {
    for (FloorRiver& river : rivers.rivers) {
        if (!river.is_main) continue;
        const float below = rivers.at_cell(river.receiver).half_width;
        river.half_width = std::max(river.half_width, below - kMostFlare * river.length);
    }
}

}  // namespace

PresentFloors present_floors(const ValleyFloorInputs& inputs, const FloorRivers& rivers) {
    const Grid& grid = inputs.elevation.grid();
    PresentFloors present = {.share = Field<float>(grid), .width = {}};
    std::vector<float> area(
        rivers.rivers.size());  // m^2, of the floor whose water comes to a cell of a river
    std::vector<std::int32_t> waiting;
    for_each_polled(0, std::ssize(area), [&](std::int64_t i) {
        if (rivers.rivers[at(i)].half_width > 0.0F)
            area[at(i)] = mark_floor(inputs, rivers, rivers.rivers[at(i)].cell, present.share, waiting);
    });
    present.width = smooth_widths(rivers, area);
    return present;
}

void count_present(const PresentFloors& present, FloorRivers& rivers) {
    narrow(present, rivers.rivers);
    flare(rivers);
}

}  // namespace thalweg
