// Maps of what wandering channels have left behind them.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/cell_outlines.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/meander/meander_history.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace thalweg {

/// What is laid down beside channels: levees on both banks alike, as equation 9 of the paper, or bars on the
/// banks that channels leave, and nothing where they cut.
enum class DepositForm { Levees, Bars };

/// How channels change the ground that they pass.
struct MeanderMapParameters {
    double oxbow_fill_time = 100.0;   // T, yr in which a lake loses all but 1/e of its depth
    double oxbow_plug_time = 8.0;     // yr in which its ends close
    double oxbow_plug_length = 2.0;   // widths of either end that close
    double moisture_rate = 0.02;      // eps_m, 1/yr
    double moisture_radius = 6.0;     // r_m, widths
    double moisture_memory = 100.0;   // yr; inf: all that is recorded counts alike
    double stream_power_share = 0.0;  // 1/m, of stream power in moisture
    DepositForm deposit_form = DepositForm::Bars;
    double deposit_rate = 0.005;    // eps_s, m/yr, on a bank
    double deposit_radius = 4.0;    // r_s, widths
    double lobe_length = 4.0;       // widths, mean of crevasses; 0: none
    double bar_height = 1.5;        // m
    double bar_growth_time = 15.0;  // yr
    double scroll_period = 6.0;     // yr from one ridge of a bar to the next; 0: none
    double vegetation_time = 25.0;  // yr until plants cover all but 1/e of what a channel left
    double dry_vegetation = 0.3;    // where ground is old and dry, 1

    static void declare(Declaration<MeanderMapParameters>& declaration);
};

/// The year in which each cell's centre was last covered by a channel, brought on from year to year: a cell
/// between two courses of a channel that are recorded one after another was left when the bank passed it, at
/// an even rate between their years. Points of a course come from the nearest place of the course before that
/// heads the same way and is not further than four widths; so channels must be recorded before they have
/// moved that far. Loops and courses that were left count up to the year in which they were.
///
/// NaN where no channel has been. O(cells swept + points) a step, the same bits on any number of threads;
/// keeps a reference to the history, which must have passed a check (below) and may grow. Throws Error::input
/// for a grid or a history that is none.
///
/// Example:
///     ChannelYears years(history, grid);
///     years.advance(200.0, progress);  // up to the last record of or before year 200
///     const Field<float>& last = years.last();
class ChannelYears {
  public:
    ChannelYears(const MeanderHistory& history, const Grid& grid);

    /// Years never go back.
    void advance(double year, Progress& progress);

    [[nodiscard]] const Field<float>& last() const { return last_; }

  private:
    const MeanderHistory* history_;
    std::size_t networks_ = 0;  // that it has seen
    Field<float> last_;
};

// The maps below are those of the last record of `history`, or of the last one of or before `year`. A map
// depends on places in metres alone: grids of other cells give the same values at the same places, but for
// what is thinner than a cell. O(cells + cells within strips), the same bits on any number of threads; each
// throws Error::input as ChannelYears does, and Cancelled. A history without networks, or without channels,
// gives maps of no channel.

/// Years since a cell was last part of a channel: 0 in channels, NaN where never (ChannelYears).
Field<float> channel_age(const MeanderHistory& history, const Grid& grid, Progress& progress,
                         std::optional<double> year = {});

/// 1 where a channel has been, 0 elsewhere. O(cells).
Field<float> channel_belt(const Field<float>& channel_age);

/// What is left of a course that was abandoned: the stretch that holds water, with the width of that water
/// and its depth in the middle; nothing once it is dry. Seen across, the bed is a parabola, and settling
/// fills it from below: depth D exp(-age / T) is left in the middle, over a width of w exp(-age / 2T). Ends
/// are closed at first: `oxbow_plug_length` widths of each by 1 - exp(-age / plug time), beside which depth
/// falls to 0 over three widths. Sources: Gagliano and Howard 1984, Constantine et al. 2010 (plugs, from
/// months to decades); Toonen et al. 2012 (filling, slower with time and distance from the channel).
/// O(points).
std::optional<ChannelLine> oxbow_water(const AbandonedCourse& course, double age,
                                       const MeanderMapParameters& parameters);

/// A lake that a channel has left. Its label is its place among the lakes, from 1.
struct OxbowLake {
    std::int64_t id = 0;     // of the abandoned course
    std::int64_t reach = 0;  // id of the reach that left it
    double year = 0.0;
    double age = 0.0;    // yr
    double area = 0.0;   // m^2, of its cells
    double depth = 0.0;  // m, greatest
    std::vector<OutlinePart> parts = {};
};

/// Oxbow lakes as cells and outlines.
struct OxbowLakes {
    Field<std::int32_t> oxbow;  // label, 0 where none
    Field<float> depth;         // m of water, 0 where none
    std::vector<OxbowLake> lakes;
};

/// All abandoned courses that still hold water where no channel has been since (oxbow_water); the latest one
/// where several overlap.
OxbowLakes oxbow_lakes(const MeanderHistory& history, const Grid& grid,
                       const MeanderMapParameters& parameters, Progress& progress,
                       std::optional<double> year = {});

/// Moisture, from 0 to 1:
///
///   m = 1 - exp(-(share * p + integral eps_m g(d(t) / r_m w) exp(-(t_end - t) / memory) dt))
///
/// with d the distance from the nearest channel (less half its width) at time t, w its width, g(u) =
/// (1 - u)^2 (1 + 2u), and p stream power [m] where `stream_power` is given. Source: Paris et al. 2023, eq.
/// 8, whose g is a drawing (fig. 26). Differs in: rates by the year, so that the sum over networks does not
/// depend on how often they were recorded (courses between two records are found as for ChannelYears, half a
/// width apart); a memory; bounded by 1.
Field<float> meander_moisture(const MeanderHistory& history, const Grid& grid,
                              const MeanderMapParameters& parameters, Progress& progress,
                              std::optional<double> year = {}, const Field<float>* stream_power = nullptr);

/// Height of the ridges of scroll bars by the year in which the channel left, from -1 to 1: a wave of
/// `period` years (greater than 0), sooner or later and stronger or weaker as floods are (empirical).
double scroll_ridge(double year, double period);

/// Sediment that channels have laid down, m:
///
///   s = integral eps_s g(d(t) / w) dt,   g(0) = 0,  g(1/2) = 1,  g(r_s) = 0
///
/// Source: Paris et al. 2023, eq. 9, whose g is a drawing (fig. 26). Differs in: rates by the year, as
/// moisture. Bars (DepositForm) differ further: where a channel runs, what lay there is gone; levees grow on
/// inner banks at the cost of outer ones, by w kappa; and ground that a channel has left is a bar that grows
/// towards its height, in ridges (scroll_ridge) along the banks of every `scroll_period` years. Ridges fade
/// where they are closer than three cells.
///
/// Each crevasse leaves a lobe outside the outer bank, which is taken where a channel comes later. From the
/// burst bank it is g(r / R) T thick, R = L cos(a)^(3/2) times an uneven edge between 0.48 and 1, r and a the
/// distance and the angle from the way of the water, g as that of moisture; so it holds 0.15 T times the
/// integral of R^2 da, about 0.11 T L^2 m^3. L is `lobe_length` and T 0.3 depths, both by 0.5 to 1.5, drawn
/// as a hash of the event. Paris et al. 2023 name such lobes (section 5.2) and do not form them. Fan shapes
/// that thin away from the bank: Slingerland and Smith 2004; their size does not follow that of channels
/// closely: Millard, Hajek and Edmonds 2017. The numbers are empirical.
Field<float> meander_deposit(const MeanderHistory& history, const Grid& grid,
                             const MeanderMapParameters& parameters, Progress& progress,
                             std::optional<double> year = {});

/// Layers on one grid that vegetation follows.
struct VegetationInputs {
    const Field<float>& channel_age;  // yr
    const Field<float>& moisture;     // 0 to 1
    const Field<float>& deposit;      // m
    const Field<float>& water_depth;  // m, of oxbow lakes
};

/// How densely plants cover the ground, from 0 to 1: what is moist or has fine sediment is dense, what is dry
/// has `dry_vegetation`, and what a channel left long ago enough to be covered, 1 - exp(-age / time), of
/// either. None in channels and lakes. O(cells). Throws Error::input where grids differ.
Field<float> meander_vegetation(const VegetationInputs& inputs, const MeanderMapParameters& parameters);

}  // namespace thalweg
