#include "thalweg/core/error.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/meander/ground/bank_surface.hpp"
#include "thalweg/meander/ground/bed_lines.hpp"
#include "thalweg/meander/ground/belt.hpp"
#include "thalweg/meander/ground/channel_beds.hpp"
#include "thalweg/meander/meander_ground.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr float kLowestBar = 0.5F;  // of the depth, how far below the bank a young bar lies (empirical)

/// Falls from 1 at 0 and below to 0 at 1 and above, flat at both.
float step_down(float u) {
    const float rest = 1.0F - std::clamp(u, 0.0F, 1.0F);
    return rest * rest * (3.0F - 2.0F * rest);
}

void check_inputs(const MeanderGroundInputs& inputs) {
    const auto check = [&](const Field<float>& layer, const char* name) {
        if (!(layer.grid() == inputs.elevation.grid()))
            throw Error::input(fmt::format("{} must be on the grid of elevation", name));
    };
    check(inputs.channel_age, "channel_age");
    check(inputs.deposit, "deposit");
    check(inputs.oxbow_depth, "oxbow_depth");
}

/// The ground with the belt levelled, scars in it and sediment on it.
float floodplain_at(const MeanderGroundInputs& inputs, std::int64_t cell, float bank, float depth,
                    float levelled) {
    const float ground = inputs.elevation[cell];
    const float sediment = inputs.deposit[cell];
    const float flooded = step_down((ground - bank) / depth);
    const float beside = sediment > 0.0F ? ground + flooded * sediment : ground;
    if (levelled <= 0.0F) return beside;
    // Sediment of bars comes up to the bank; young ones lie lower.
    const float age = inputs.channel_age[cell];
    const float bar = is_no_data(age) ? 0.0F : static_cast<float>(inputs.bar_height);
    const float above = age == 0.0F ? 0.0F : std::max(sediment - bar, -kLowestBar * depth);
    const float level = bank + above;
    const float belt = beside + levelled * (level - beside);
    const float scar = inputs.oxbow_depth[cell];
    return scar > 0.0F ? std::min(belt, std::max(belt, bank) - scar) : belt;
}

/// How high ground beside channels must stand, so that each of their cells falls most steeply to another one.
float highest_lip(const ChannelBeds& beds, int column, int row) {
    float highest = -std::numeric_limits<float>::infinity();
    const Grid& grid = beds.bed.grid();
    for (int r = std::max(0, row - 1); r <= std::min(grid.rows - 1, row + 1); ++r)
        for (int c = std::max(0, column - 1); c <= std::min(grid.columns - 1, column + 1); ++c) {
            const float lip = beds.lip(c, r) - beds.fall(c, r) * distance_between(grid, c - column, r - row);
            if (lip > highest) highest = lip;
        }
    return highest;
}

/// The highest ground beside channels around a cell; infinite where there is none.
float highest_beside(const Field<float>& floodplain, const ChannelBeds& beds, int column, int row) {
    float highest = -std::numeric_limits<float>::infinity();
    const Grid& grid = beds.bed.grid();
    for (int r = std::max(0, row - 1); r <= std::min(grid.rows - 1, row + 1); ++r)
        for (int c = std::max(0, column - 1); c <= std::min(grid.columns - 1, column + 1); ++c)
            if (is_no_data(beds.bed(c, r)) && floodplain(c, r) > highest) highest = floodplain(c, r);
    return std::isfinite(highest) ? highest : std::numeric_limits<float>::infinity();
}

/// The ground in a cell, channels too. Banks rise no higher than the ground behind them.
float shaped_at(const Field<float>& floodplain, const ChannelBeds& beds, int column, int row) {
    const float bed = beds.bed(column, row);
    const float ground = floodplain(column, row);
    if (is_no_data(bed)) return std::max(ground, highest_lip(beds, column, row));
    if (beds.is_path(column, row) != 0) return bed;
    const float top = std::max(beds.lip(column, row), highest_beside(floodplain, beds, column, row));
    return std::min({ground, bed, top});
}

MeanderGroundReport compare(const Field<float>& before, const Field<float>& after, const ChannelBeds& beds) {
    MeanderGroundReport report;
    const double area = before.grid().cell_area();
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        if (is_no_data(before[cell])) continue;
        report.channel_cells += is_no_data(beds.bed[cell]) ? 0 : 1;
        const double change = double{after[cell]} - before[cell];
        if (change == 0.0) continue;
        ++report.changed_cells;
        (change > 0.0 ? report.filled_volume : report.cut_volume) += std::abs(change) * area;
        report.highest_fill = std::max(report.highest_fill, change);
        report.deepest_cut = std::max(report.deepest_cut, -change);
    }
    return report;
}

}  // namespace

void MeanderGroundParameters::declare(Declaration<MeanderGroundParameters>& d) {
    d.number("bank_slope", &MeanderGroundParameters::bank_slope,
             {.label = "Slope of banks",
              .group = "Ground",
              .unit = "m/m",
              .sentence = "How steep the banks of carved channels are.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.1, 2.0, SliderScale::Logarithmic},
              .source = "empirical",
              .minimum_excluded = true,
              .enabled_when = {equals("shape_ground", {true})}});
    d.number(
        "bend_scour", &MeanderGroundParameters::bend_scour,
        {.label = "Cross-slope in bends",
         .group = "Ground",
         .unit = "1",
         .sentence = "A: by which share of its depth a carved channel is shallower towards the inner "
                     "bank, for each unit of curvature times distance from its middle; 0: beds are flat.",
         .minimum = 0.0,
         .maximum = 100.0,
         .usual = {0.0, 6.0},
         .source = "Ikeda, Parker and Sawai 1981: 2.89",
         .enabled_when = {equals("shape_ground", {true})}});
}

ShapedGround shaped_ground(const MeanderGroundInputs& inputs, const MeanderGroundParameters& parameters,
                           Progress& progress) {
    check_inputs(inputs);
    const Grid& grid = inputs.elevation.grid();
    ShapedGround shaped{.elevation = inputs.elevation, .report = {}};
    const std::vector<BedLine> lines = bed_lines(inputs.network, inputs.elevation);
    const std::vector<BedLine> older = bed_lines(inputs.history, inputs.elevation);
    if (lines.empty() && older.empty()) return shaped;
    const BankSurface banks = bank_surface(lines, older, inputs.channel_age);
    const Field<float> levelled = levelled_share(inputs.history, grid, progress);
    const ChannelBeds beds = channel_beds(grid, lines, parameters, progress);
    Field<float> floodplain(grid, kNoData);
    for_each_row(grid, [&](int row) {
        for (std::int64_t cell = grid.index(0, row); cell < grid.index(0, row + 1); ++cell)
            if (!is_no_data(inputs.elevation[cell]))
                floodplain[cell] =
                    floodplain_at(inputs, cell, banks.bank[cell], banks.depth[cell], levelled[cell]);
    });
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column)
            if (!is_no_data(floodplain(column, row)))
                shaped.elevation(column, row) = shaped_at(floodplain, beds, column, row);
    });
    shaped.report = compare(inputs.elevation, shaped.elevation, beds);
    return shaped;
}

}  // namespace thalweg
