// Valleys with a river of each type, as synthetic terrain and network.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/river/hydraulics.hpp"
#include "thalweg/river/network.hpp"
#include "thalweg/riverscape/river_types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace thalweg::tests {

/// A valley that falls to the east, and the river in it.
struct ValleyForm {
    RiverType type = RiverType::B;
    double flow = 1.0;          // m^3/s, bankfull
    double slope = 0.01;        // m/m, of the valley
    double floor_width = 1.0;   // m
    double wall_slope = 0.5;    // m/m
    double rim = 1e6;           // m above the floor, to which walls go over
    double bends = 0.0;         // 1: amplitude over wavelength times 2 pi; 0: straight
    bool walls_follow = false;  // the bends
    double spacing = 40.0;      // m, between points of the network
    double length = 400.0;      // m
    double cell_size = 4.0;     // m
};

struct Valley {
    ValleyForm form;
    Field<float> elevation;
    RiverNetwork network;
};

/// The y of the river at x, m; the valley's axis lies at 0.
inline double river_offset(const ValleyForm& form, double x) {
    constexpr double kTwoPi = 6.283185307179586;
    const double wavelength = 11.0 * channel_flow(form.flow, form.slope, {}).width;
    return form.bends * wavelength / kTwoPi * std::sin(kTwoPi * x / wavelength);
}

inline RiverNetwork network_in(const ValleyForm& form) {
    const ChannelFlow channel = channel_flow(form.flow, form.slope, {});
    Reach reach{.id = 7, .from_node = 7, .to_node = 8};
    const int steps = static_cast<int>(std::ceil(form.length / form.spacing));
    const double top = 500.0;  // m
    for (int i = 0; i <= steps; ++i) {
        const double x = form.length * i / steps;
        reach.points.push_back({.x = x, .y = river_offset(form, x), .z = top - form.slope * x});
        if (i > 0)
            reach.length += std::hypot(
                reach.points[static_cast<std::size_t>(i)].x - reach.points[static_cast<std::size_t>(i) - 1].x,
                reach.points[static_cast<std::size_t>(i)].y -
                    reach.points[static_cast<std::size_t>(i) - 1].y);
    }
    reach.upland_area = 1e6;
    reach.bankfull_discharge = form.flow;
    reach.slope = form.slope * form.length / reach.length;
    reach.width = channel.width;
    reach.depth = channel.depth;
    reach.velocity = channel.velocity;
    RiverNetwork network;
    network.nodes = {{.id = 7, .kind = NodeKind::Source, .point = reach.points.front()},
                     {.id = 8, .kind = NodeKind::Outlet, .point = reach.points.back()}};
    network.reaches.push_back(reach);
    return network;
}

inline Valley make_valley(const ValleyForm& form) {
    const double half =
        0.5 * form.floor_width + 60.0 +
        std::abs(river_offset(form, 0.25 * 11.0 * channel_flow(form.flow, form.slope, {}).width));
    Grid grid;
    grid.cell_size = form.cell_size;
    grid.columns = static_cast<int>(std::ceil((form.length + 40.0) / form.cell_size));
    grid.rows = static_cast<int>(std::ceil(2.0 * half / form.cell_size));
    grid.west = -20.0;
    grid.north = 0.5 * grid.rows * form.cell_size;
    Valley valley{.form = form, .elevation = Field<float>(grid), .network = network_in(form)};
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const Position at = grid.centre(column, row);
            double off = std::abs(at.y);
            if (form.walls_follow) {
                off = std::numeric_limits<double>::infinity();
                for (double x = at.x - 60.0; x <= at.x + 60.0; x += 1.0)
                    off = std::min(off, std::hypot(x - at.x, river_offset(form, x) - at.y));
            }
            valley.elevation(column, row) = static_cast<float>(
                500.0 - form.slope * at.x +
                form.rim *
                    std::tanh(form.wall_slope * std::max(0.0, off - 0.5 * form.floor_width) / form.rim));
        }
    return valley;
}

/// One valley for each type, in their order.
inline std::array<ValleyForm, kRiverTypeCount> valley_forms() {
    using enum RiverType;
    return {{
        {.type = AaPlus,
         .flow = 1.5,
         .slope = 0.16,
         .floor_width = 2.5,
         .wall_slope = 0.9,
         .length = 120.0,
         .cell_size = 1.0},
        {.type = A,
         .flow = 1.5,
         .slope = 0.06,
         .floor_width = 2.5,
         .wall_slope = 0.9,
         .length = 120.0,
         .cell_size = 1.0},
        {.type = B, .flow = 20.0, .slope = 0.03, .floor_width = 15.0, .wall_slope = 0.5},
        {.type = C,
         .flow = 20.0,
         .slope = 0.006,
         .floor_width = 150.0,
         .wall_slope = 0.3,
         .bends = 1.4,
         .spacing = 5.0},
        {.type = D, .flow = 60.0, .slope = 0.012, .floor_width = 220.0, .wall_slope = 0.3, .length = 600.0},
        {.type = DA, .flow = 8.0, .slope = 0.0008, .floor_width = 150.0, .wall_slope = 0.2, .length = 600.0},
        {.type = E,
         .flow = 1.2,
         .slope = 0.012,
         .floor_width = 60.0,
         .wall_slope = 0.3,
         .bends = 2.1,
         .spacing = 1.0,
         .length = 160.0,
         .cell_size = 2.0},
        {.type = F,
         .flow = 20.0,
         .slope = 0.008,
         .floor_width = 11.0,
         .wall_slope = 1.2,
         .rim = 7.0,
         .bends = 2.0,
         .walls_follow = true,
         .spacing = 5.0,
         .cell_size = 2.0},
        {.type = G,
         .flow = 1.5,
         .slope = 0.03,
         .floor_width = 2.5,
         .wall_slope = 0.9,
         .length = 120.0,
         .cell_size = 1.0},
    }};
}

/// A reach in a straight line, in steps of about 10 m.
inline Reach straight_reach(std::int64_t id, std::int64_t to_node, RiverPoint from, RiverPoint to,
                            double flow) {
    Reach reach{.id = id, .from_node = id, .to_node = to_node};
    reach.length = std::hypot(to.x - from.x, to.y - from.y);
    reach.slope = (from.z - to.z) / reach.length;
    const ChannelFlow channel = channel_flow(flow, reach.slope, {});
    reach.width = channel.width;
    reach.depth = channel.depth;
    reach.velocity = channel.velocity;
    reach.bankfull_discharge = flow;
    reach.upland_area = 1e6;
    const int steps = static_cast<int>(std::ceil(reach.length / 10.0));
    for (int i = 0; i <= steps; ++i) {
        const double t = static_cast<double>(i) / steps;
        reach.points.push_back({.x = from.x + t * (to.x - from.x),
                                .y = from.y + t * (to.y - from.y),
                                .z = from.z + t * (to.z - from.z)});
    }
    return reach;
}

/// A valley without bends in whose middle a tributary with a quarter of the water joins the river.
inline Valley confluence(ValleyForm form) {
    form.bends = 0.0;
    Valley valley = make_valley(form);
    const auto on_floor = [&](double x, double y) {
        return RiverPoint{.x = x, .y = y, .z = 500.0 - form.slope * x};
    };
    const RiverPoint node = on_floor(0.5 * form.length, 0.0);
    RiverNetwork& network = valley.network;
    network.nodes.clear();
    network.reaches = {
        straight_reach(1, 3, on_floor(0.0, 0.0), node, 0.75 * form.flow),
        straight_reach(2, 3, on_floor(0.2 * form.length, 0.15 * form.length), node, 0.25 * form.flow),
        straight_reach(3, 4, node, on_floor(form.length, 0.0), form.flow)};
    for (std::int64_t id = 1; id <= 4; ++id) {
        const Reach& reach = network.reaches[static_cast<std::size_t>(std::min<std::int64_t>(id, 3) - 1)];
        network.nodes.push_back({.id = id,
                                 .kind = id == 4   ? NodeKind::Outlet
                                         : id == 3 ? NodeKind::Confluence
                                                   : NodeKind::Source,
                                 .point = id == 4 ? reach.points.back() : reach.points.front()});
    }
    for (Reach& reach : network.reaches) reach.next_down = reach.id == 3 ? -1 : 3;
    return valley;
}

}  // namespace thalweg::tests
