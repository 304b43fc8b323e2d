#include "thalweg/river/extract.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/flow/channel_steepness.hpp"
#include "thalweg/river/centreline.hpp"
#include "thalweg/river/file_units.hpp"
#include "thalweg/river/network_checks.hpp"
#include "thalweg/river/point_values.hpp"
#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerPoll = 1 << 20;
constexpr std::int64_t kRiverCellsPerPoll = 1 << 12;

/// The river cells, one entry each, every one before those it drains to.
struct RiverCells {
    std::vector<std::int32_t> cell;        // row-major index
    std::vector<std::int32_t> below;       // entry of the receiver, -1 at outlets
    std::vector<std::int32_t> main_donor;  // entry of the donor with the largest area, -1 at sources
    std::vector<std::uint8_t> donors;      // how many river cells drain to it
    std::vector<RiverPoint> point;         // place and bed
    std::vector<std::uint8_t> drawn;       // 1 on a drawn river
    std::vector<double> distance;          // m, to the outlet from cell to cell
    std::vector<double> chi;               // m, with A0 = 1 m^2
    std::vector<double> bed;               // m
    double cell_size = 1.0;                // m
    Seam seam;                             // where columns wrap

    [[nodiscard]] std::size_t size() const { return cell.size(); }
    [[nodiscard]] JoinedCells joined() const {
        return {.below = below, .main_donor = main_donor, .distance = distance, .chi = chi, .elevation = bed};
    }
    [[nodiscard]] bool is_outlet(std::size_t entry) const { return below[entry] < 0; }
    [[nodiscard]] bool is_lone(std::size_t entry) const { return is_outlet(entry) && donors[entry] == 0; }
    [[nodiscard]] bool is_node(std::size_t entry) const {
        return !is_lone(entry) && (is_outlet(entry) || donors[entry] != 1);
    }
};

/// Lists river cells and, for each, the entry of its receiver.
RiverCells collect_cells(const FlowTree& tree, const Field<std::uint8_t>& heads, Progress& progress) {
    constexpr std::int32_t kDry = -1;
    constexpr std::int32_t kBelowRiver = -2;
    Field<std::int32_t> entry(tree.grid, kDry);
    RiverCells cells;
    cells.cell_size = tree.grid.cell_size;
    if (tree.wraps) cells.seam = {.west = tree.grid.west, .width = tree.grid.width()};
    std::int64_t visited = 0;
    for (auto cell = tree.order.rbegin(); cell != tree.order.rend(); ++cell) {
        if (visited++ % kCellsPerPoll == 0) progress.poll();
        if (entry[*cell] == kDry && heads[*cell] == 0) continue;
        entry[*cell] = static_cast<std::int32_t>(cells.size());
        cells.cell.push_back(*cell);
        const std::int32_t receiver = tree.receiver(*cell);
        if (receiver >= 0) entry[receiver] = kBelowRiver;
    }
    for_each_polled(cells.cell, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        cells.below.push_back(receiver < 0 ? -1 : entry[receiver]);
    });
    return cells;
}

/// Counts donors and finds the main one: the largest area, ties to the lowest cell.
void join_donors(RiverCells& cells, const Field<double>& area) {
    cells.donors.assign(cells.size(), 0);
    cells.main_donor.assign(cells.size(), -1);
    const auto is_larger = [&](std::size_t a, std::size_t b) {
        const double area_a = area[cells.cell[a]];
        const double area_b = area[cells.cell[b]];
        return area_a > area_b || (area_a == area_b && cells.cell[a] < cells.cell[b]);
    };
    for_each_polled(0, std::ssize(cells.cell), [&](std::int64_t number) {
        const std::size_t entry = at(number);
        if (cells.is_outlet(entry)) return;
        const std::size_t below = at(cells.below[entry]);
        ++cells.donors[below];
        std::int32_t& main = cells.main_donor[below];
        if (main < 0 || is_larger(entry, at(main))) main = static_cast<std::int32_t>(entry);
    });
}

/// Puts every cell's point at its centre, and its bed no higher than any bed upstream.
void place_points(RiverCells& cells, const Field<float>& elevation) {
    const Grid& grid = elevation.grid();
    cells.point.resize(cells.size());
    for_each_polled(0, std::ssize(cells.cell), [&](std::int64_t number) {
        const std::size_t entry = at(number);
        const std::int32_t cell = cells.cell[entry];
        assert(!is_no_data(elevation[cell]));
        cells.point[entry] = {grid.x(grid.column_of(cell)), grid.y(grid.row_of(cell)),
                              static_cast<double>(elevation[cell])};
    });
    for_each_polled(0, std::ssize(cells.cell), [&](std::int64_t number) {
        const std::size_t entry = at(number);
        if (cells.is_outlet(entry)) return;
        double& bed_below = cells.point[at(cells.below[entry])].z;
        bed_below = std::min(bed_below, cells.point[entry].z);
    });
}

/// Measures the path from each cell to its outlet, and its chi.
void measure_paths(RiverCells& cells, const FlowTree& tree, const Field<double>& area, double concavity) {
    cells.distance.assign(cells.size(), 0.0);
    cells.chi.assign(cells.size(), 0.0);
    cells.bed.resize(cells.size());
    const auto integrand = [&](std::size_t entry) {
        return portable_power(area[cells.cell[entry]], -concavity);
    };
    for_each_polled(0, std::ssize(cells.cell), [&](std::int64_t number) {
        const std::size_t entry = cells.size() - 1 - at(number);
        cells.bed[entry] = cells.point[entry].z;
        if (cells.is_outlet(entry)) return;
        const std::size_t below = at(cells.below[entry]);
        const bool is_diagonal = tree.direction[at(cells.cell[entry])] % 2 == 1;
        const double way = cells.cell_size * (is_diagonal ? std::numbers::sqrt2 : 1.0);
        cells.distance[entry] = cells.distance[below] + way;
        cells.chi[entry] = cells.chi[below] + 0.5 * (integrand(entry) + integrand(below)) * way;
    });
}

/// The place on the path from `centre` to `place` that is no further away than `farthest` (m).
Position kept_near(const Position& centre, const Position& place, double farthest) {
    const double distance = std::hypot(place.x - centre.x, place.y - centre.y);
    if (distance <= farthest) return place;
    const double share = farthest / distance;
    return {centre.x + share * (place.x - centre.x), centre.y + share * (place.y - centre.y)};
}

/// Averages each inner point with its neighbours along the line, so often that the weights approach a
/// Gaussian of the given standard deviation in points. No point leaves the circle of `farthest` (m) around
/// where it was, and the ends stay.
void smooth_line(std::vector<Position>& line, double deviation, double farthest) {
    // One pass adds its weight to the variance; above one half a pass would make zigzags of its own.
    constexpr double kGreatestWeight = 0.5;
    const double variance = deviation * deviation;
    const int passes = static_cast<int>(std::ceil(variance / kGreatestWeight));
    const double weight = passes > 0 ? variance / passes : 0.0;
    const std::vector<Position> centres = line;
    for (int pass = 0; pass < passes; ++pass) {
        Position before = line.front();
        for (std::size_t i = 1; i + 1 < line.size(); ++i) {
            const Position here = line[i];
            const Position moved = {here.x + weight * (0.5 * (before.x + line[i + 1].x) - here.x),
                                    here.y + weight * (0.5 * (before.y + line[i + 1].y) - here.y)};
            line[i] = kept_near(centres[i], moved, farthest);
            before = here;
        }
    }
}

/// Smooths every river from where it joins a larger one (or ends) up to its source, larger rivers first.
void smooth_rivers(RiverCells& cells, double deviation, Progress& progress) {
    // Of the deviation. Empirical: at 2 cells no line strays further than one from its cells.
    constexpr double kFarthestShift = 0.5;
    std::vector<std::size_t> entries;
    std::vector<Position> line;
    for (std::size_t mouth = cells.size(); mouth-- > 0;) {
        if (mouth % kRiverCellsPerPoll == 0) progress.poll();
        const std::int32_t below = cells.below[mouth];
        if (below >= 0 && cells.main_donor[at(below)] == static_cast<std::int32_t>(mouth)) continue;
        entries.clear();
        if (below >= 0) entries.push_back(at(below));
        for (auto entry = static_cast<std::int32_t>(mouth); entry >= 0; entry = cells.main_donor[at(entry)])
            entries.push_back(at(entry));
        line.clear();
        for (const std::size_t entry : entries) {
            const double before = line.empty() ? cells.point[entry].x : line.back().x;
            line.push_back({cells.seam.x_near(cells.point[entry].x, before), cells.point[entry].y});
        }
        smooth_line(line, deviation, kFarthestShift * deviation * cells.cell_size);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            cells.point[entries[i]].x = cells.seam.x_inside(line[i].x);
            cells.point[entries[i]].y = line[i].y;
        }
    }
}

std::vector<RiverNode> nodes_of(const RiverCells& cells) {
    std::vector<RiverNode> nodes;
    for_each_polled(0, std::ssize(cells.cell), [&](std::int64_t number) {
        const std::size_t entry = at(number);
        if (!cells.is_node(entry)) return;
        const NodeKind kind = cells.is_outlet(entry)     ? NodeKind::Outlet
                              : cells.donors[entry] == 0 ? NodeKind::Source
                                                         : NodeKind::Confluence;
        nodes.push_back({.id = cells.cell[entry], .kind = kind, .point = cells.point[entry]});
    });
    return nodes;
}

/// Length along the river and drop of its bed, m.
struct Fall {
    double length = 0.0;
    double drop = 0.0;
};

/// Adds to `fall` the river from `entry` on, upstream or downstream, until its length is `wanted` or it ends.
void extend(Fall& fall, const RiverCells& cells, std::size_t entry, const std::vector<std::int32_t>& next,
            double wanted) {
    while (fall.length < wanted && next[entry] >= 0) {
        const std::size_t following = at(next[entry]);
        fall.length +=
            distance_between(cells.point[entry], cells.seam.near(cells.point[following], cells.point[entry]));
        fall.drop += std::abs(cells.point[entry].z - cells.point[following].z);
        entry = following;
    }
}

/// Slope of a reach, or, where it is shorter than `length`, of as much river up and down from it.
double course_slope(const Reach& reach, const RiverCells& cells, std::size_t upper_node,
                    std::size_t lower_node, double length) {
    Fall fall{.length = reach.length, .drop = reach.points.front().z - reach.points.back().z};
    const double missing = std::max(0.0, length - reach.length);
    extend(fall, cells, upper_node, cells.main_donor, reach.length + 0.5 * missing);
    extend(fall, cells, lower_node, cells.below, reach.length + missing);
    return fall.length > 0.0 ? fall.drop / fall.length : 0.0;
}

void fill_with_water(Reach& reach, double slope, const HydraulicParameters& hydraulics) {
    reach.discharge = mean_discharge(reach.upland_area, hydraulics);
    reach.bankfull_discharge = bankfull_discharge(reach.upland_area, hydraulics);
    const ChannelFlow flow = channel_flow(reach.bankfull_discharge, slope, hydraulics);
    reach.width = flow.width;
    reach.depth = flow.depth;
    reach.velocity = flow.velocity;
}

/// What flows into a node: the highest Strahler order, and whether two reaches have it.
struct Inflow {
    int highest = 0;
    bool tied = false;

    void add(int order) {
        tied = order == highest || (order < highest && tied);
        highest = std::max(highest, order);
    }
    [[nodiscard]] int order() const { return std::max(1, highest + (tied ? 1 : 0)); }
};

/// Puts points `spacing` (m) apart on the reach that runs from one node's entry to another's, to which it
/// comes from the entry `last`.
void draw_line(const RiverCells& cells, std::size_t upper_node, std::size_t last, std::size_t lower_node,
               double spacing, Reach& reach) {
    ReachCourse course{.points = reach.points};
    if (const std::int32_t above = cells.main_donor[upper_node]; above >= 0)
        course.before = cells.seam.near(cells.point[at(above)], reach.points.front());
    const bool is_main = cells.main_donor[lower_node] == static_cast<std::int32_t>(last);
    if (is_main && !cells.is_outlet(lower_node))
        course.after = cells.seam.near(cells.point[at(cells.below[lower_node])], reach.points.back());
    reach.points = centreline(course, spacing);
}

/// The reach that begins at a node's entry; returns the entry of its lower node.
std::size_t trace_reach(const RiverCells& cells, const Field<double>& area, std::size_t start, double spacing,
                        Reach& reach) {
    std::size_t entry = start;
    std::size_t last = start;
    std::size_t drawn_steps = 0;
    std::size_t last_own = start;  // the lowest cell that holds this reach's water alone
    reach.points.push_back(cells.point[entry]);
    do {
        const double drop = cells.point[entry].z - cells.point[at(cells.below[entry])].z;
        reach.stream_power += std::sqrt(area[cells.cell[entry]]) * drop;
        drawn_steps += cells.drawn[entry];
        last = entry;
        entry = at(cells.below[entry]);
        reach.points.push_back(cells.seam.near(cells.point[entry], reach.points.back()));
        if (cells.donors[entry] == 1) last_own = entry;
    } while (!cells.is_node(entry));
    reach.id = reach.from_node = cells.cell[start];
    reach.to_node = cells.cell[entry];
    reach.next_down = cells.is_outlet(entry) ? -1 : reach.to_node;
    reach.upland_area = as_in_file(area[cells.cell[last_own]], kSquareKilometre);
    reach.drawn = 2 * drawn_steps >= reach.points.size() - 1;
    if (spacing > 0.0) draw_line(cells, start, last, entry, spacing, reach);
    return entry;
}

/// Where a reach begins, and the slope behind its width and depth.
struct ReachCells {
    std::size_t start = 0;  // entry
    double slope = 0.0;     // m/m
};

/// What a reach carries at its points: at each cell's what drains through it, at the lower node's what the
/// reach itself brings.
PointValues values_of(const Reach& reach, const ReachCells& from, const RiverCells& cells,
                      const Field<double>& area, const NetworkParameters& parameters) {
    PointValues values;
    for_each_column(values, [&](std::vector<float>& column) { column.reserve(reach.points.size()); });
    std::vector<RiverPoint> line;
    double own_area = 0.0;  // m^2
    for (std::size_t entry = from.start;; entry = at(cells.below[entry])) {
        const bool is_end = !line.empty() && cells.is_node(entry);
        if (!is_end || cells.donors[entry] == 1) own_area = area[cells.cell[entry]];
        const double flow = bankfull_discharge(own_area, parameters.hydraulics);
        const ChannelFlow channel = channel_flow(flow, from.slope, parameters.hydraulics);
        values.width.push_back(static_cast<float>(channel.width));
        values.depth.push_back(static_cast<float>(channel.depth));
        values.discharge.push_back(static_cast<float>(mean_discharge(own_area, parameters.hydraulics)));
        line.push_back(cells.seam.near(cells.point[entry], line.empty() ? cells.point[entry] : line.back()));
        if (is_end) break;
    }
    if (parameters.spacing > 0.0) return resampled_values(values, line, reach.points);
    return values;
}

/// Fills in the values of all reaches, a block of them at a time.
void fill_points(std::vector<Reach>& reaches, const std::vector<ReachCells>& from, const RiverCells& cells,
                 const Field<double>& area, const NetworkParameters& parameters, Progress& progress) {
    constexpr std::int64_t kReachesPerPoll = 1 << 12;
    constexpr std::int64_t kReachesPerTask = 1 << 6;
    for (std::int64_t begin = 0; begin < std::ssize(reaches); begin += kReachesPerPoll) {
        progress.poll();
        const std::int64_t end = std::min(begin + kReachesPerPoll, std::ssize(reaches));
        parallel_for(begin, end, kReachesPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i)
                reaches[at(i)].values = values_of(reaches[at(i)], from[at(i)], cells, area, parameters);
        });
    }
}

/// Lines of far more points than the terrain has cells would fill the memory.
void check_spacing(double spacing, double cell_size) {
    constexpr double kLeastSpacing = 0.01;  // cells
    if (spacing == 0.0 || spacing >= kLeastSpacing * cell_size) return;
    throw Error::input(
        fmt::format("spacing = {} m is not allowed: 0, or a hundredth of a cell, {} m, and more", spacing,
                    kLeastSpacing * cell_size));
}

}  // namespace

RiverNetwork extract_network(const FlowTree& tree, const Field<double>& drainage_area,
                             const Field<float>& elevation, const NetworkParameters& parameters,
                             Progress& progress) {
    assert(drainage_area.size() == tree.grid.cells() && elevation.size() == tree.grid.cells());
    check_springs(parameters.springs, elevation);
    check_spacing(parameters.spacing, tree.grid.cell_size);
    RiverCells cells = collect_cells(tree, river_heads(tree, drainage_area, elevation, parameters), progress);
    join_donors(cells, drainage_area);
    place_points(cells, elevation);
    measure_paths(cells, tree, drainage_area, parameters.chi.concavity);
    for_each_polled(cells.cell, [&](std::int32_t cell) {
        cells.drawn.push_back(std::ranges::binary_search(parameters.drawn, cell) ? 1 : 0);
    });
    smooth_rivers(cells, parameters.smoothing, progress);

    RiverNetwork network;
    network.crs = tree.grid.crs;
    network.nodes = nodes_of(cells);
    std::vector<Inflow> inflow(cells.size());
    std::vector<ReachCells> from;  // of each reach
    for (std::size_t entry = 0; entry < cells.size(); ++entry) {
        if (entry % kRiverCellsPerPoll == 0) progress.poll();
        if (!cells.is_node(entry) || cells.is_outlet(entry)) continue;
        Reach& reach = network.reaches.emplace_back();
        const std::size_t lower_node = trace_reach(cells, drainage_area, entry, parameters.spacing, reach);
        reach.strahler = inflow[entry].order();
        inflow[lower_node].add(reach.strahler);
        measure_line(reach);
        if (reach.length > 0.0) reach.stream_power /= reach.length;  // until now its sum over drops, m^2
        const double slope = course_slope(reach, cells, entry, lower_node, parameters.slope_length);
        fill_with_water(reach, slope, parameters.hydraulics);
        from.push_back({.start = entry, .slope = slope});
        reach.steepness =
            channel_steepness(cells.joined(), static_cast<std::int32_t>(entry),
                              static_cast<std::int32_t>(lower_node), parameters.steepness_length);
    }
    fill_points(network.reaches, from, cells, drainage_area, parameters, progress);
    if (cells.seam.width > 0.0) cut_at_seam(network, cells.seam, tree.grid.cells());
    order_nodes(network);
    return network;
}

namespace {

/// How rivers are drawn.
void declare_lines(Declaration<NetworkParameters>& declaration) {
    declaration.number(
        "smoothing", &NetworkParameters::smoothing,
        {.label = "Smoothing of courses",
         .group = "Lines",
         .unit = "cells",
         .sentence = "How far rivers are smoothed along their course, as a standard deviation; "
                     "0 keeps the centres of cells.",
         .minimum = 0.0,
         .maximum = 20.0,
         .usual = {0.0, 6.0},
         .source = "empirical: 2 hides the grid and keeps bends of a few cells"});
    declaration.number(
        "spacing", &NetworkParameters::spacing,
        {.label = "Spacing of points",
         .group = "Lines",
         .unit = "m",
         .sentence = "Distance between the points of a river's line, which lie on a piecewise cubic; 0 puts "
                     "one into every cell.",
         .minimum = 0.0,
         .maximum = 1e6,
         .usual = {1.0, 500.0, SliderScale::Logarithmic},
         .automatic = 0.0});
    declaration.number(
        "slope_length", &NetworkParameters::slope_length,
        {.label = "Length for slopes",
         .group = "Hydraulics",
         .unit = "m",
         .sentence = "Least length of river over which the slope behind width, depth and speed "
                     "is measured.",
         .minimum = 0.0,
         .maximum = 1e6,
         .usual = {100.0, 1e4, SliderScale::Logarithmic},
         .source = "empirical: 1 km bridges the steps of 30 m elevation models",
         .is_advanced = true});
}

}  // namespace

void NetworkParameters::declare(Declaration<NetworkParameters>& declaration) {
    declaration.choice(
        "headwaters", &NetworkParameters::headwaters,
        {{"area", Headwaters::Area, "Rivers begin where min_area drains through a cell."},
         {"slope_area", Headwaters::SlopeArea,
          "Rivers begin where area and slope together reach slope_area_threshold."},
         {"springs", Headwaters::Springs, "Rivers begin at springs, and nowhere else."}},
        {.label = "Headwaters",
         .group = "Network",
         .unit = "",
         .sentence = "Where rivers begin: where enough area drains (min_area), where area and "
                     "slope together are enough (slope_area_threshold), or at springs alone."});
    declaration.number("min_area", &NetworkParameters::min_area,
                       {.label = "Least drainage area",
                        .group = "Network",
                        .unit = "m^2",
                        .sentence = "Drainage area from which a cell belongs to a river.",
                        .minimum = 0.0,
                        .usual = {1e4, 1e8, SliderScale::Logarithmic},
                        .source = "empirical: 1 km^2 shows rivers that flow all year in a humid climate",
                        .minimum_excluded = true,
                        .enabled_when = {equals("headwaters", {"area"})}});
    declaration.number("slope_area_threshold", &NetworkParameters::slope_area_threshold,
                       {.label = "Slope-area threshold",
                        .group = "Network",
                        .unit = "m^2",
                        .sentence = "With headwaters = slope_area: drainage area times a power of slope from "
                                    "which a cell belongs to a river.",
                        .minimum = 0.0,
                        .usual = {100.0, 1e6, SliderScale::Logarithmic},
                        .source = "empirical: as min_area at a slope of 0.1; the law is Montgomery and "
                                  "Dietrich's (1992)",
                        .minimum_excluded = true,
                        .enabled_when = {equals("headwaters", {"slope_area"})}});
    declaration.number("slope_area_exponent", &NetworkParameters::slope_area_exponent,
                       {.label = "Slope exponent of the threshold",
                        .group = "Network",
                        .unit = "1",
                        .sentence = "That power: 0 is a threshold of area alone.",
                        .minimum = 0.0,
                        .maximum = 10.0,
                        .usual = {0.0, 3.0},
                        .source = "Montgomery and Dietrich 1992",
                        .enabled_when = {equals("headwaters", {"slope_area"})}});
    declaration.tables("springs", &NetworkParameters::springs,
                       {.label = "Springs",
                        .group = "Network",
                        .unit = "",
                        .sentence = "With headwaters = springs: the places where rivers begin. All water "
                                    "below one is a river, nothing else is.",
                        .enabled_when = {equals("headwaters", {"springs"})}});
    declare_lines(declaration);
    declaration.include(&NetworkParameters::chi);
    declaration.number("steepness_length", &NetworkParameters::steepness_length,
                       {.label = "Length for steepness",
                        .group = "Analysis",
                        .unit = "m",
                        .sentence = "Least length of river over which channel steepness k_sn is measured.",
                        .minimum = 0.0,
                        .maximum = 1e6,
                        .usual = {100.0, 1e4, SliderScale::Logarithmic},
                        .source = "Forte and Whipple 2019, default of TAK",
                        .is_advanced = true});
    declaration.include(&NetworkParameters::hydraulics);
}

}  // namespace thalweg
