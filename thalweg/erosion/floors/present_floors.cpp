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

/// How much a cell `height` m above a river that is `distance` m away is floor.
float floor_share(float height, float distance) {
    if (height > kFloorHeight) return 0.0F;
    return std::clamp((kWallRise - height / distance) / (kWallRise - kFloorRise), 0.0F, 1.0F);
}

float distance_between(const Grid& grid, std::int32_t a, std::int32_t b) {
    const auto x = static_cast<float>(grid.column_of(a) - grid.column_of(b));
    const auto y = static_cast<float>(grid.row_of(a) - grid.row_of(b));
    return static_cast<float>(grid.cell_size) * std::sqrt(x * x + y * y);
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
    const Field<float>& elevation = inputs.elevation;
    const Grid& grid = elevation.grid();
    PresentFloors present = {.share = Field<float>(grid), .width = {}};
    std::vector<float> area(
        rivers.rivers.size());  // m^2, of the floor whose water comes to a cell of a river
    std::vector<std::int32_t> river_of(rivers.number);
    for_each_polled(inputs.tree.order, [&](std::int32_t cell) {
        std::int32_t& river = river_of[at(cell)];
        const std::int32_t receiver = inputs.tree.receiver(cell);
        if (river >= 0 || receiver < 0) return;
        river = river_of[at(receiver)];
        if (river < 0) return;
        const std::int32_t bed = rivers.rivers[at(river)].cell;
        present.share[cell] =
            floor_share(elevation[cell] - elevation[bed], distance_between(grid, cell, bed));
        area[at(river)] += present.share[cell] * static_cast<float>(grid.cell_area());
    });
    present.width = smooth_widths(rivers, area);
    return present;
}

void count_present(const PresentFloors& present, FloorRivers& rivers) {
    narrow(present, rivers.rivers);
    flare(rivers);
}

}  // namespace thalweg
