// Particle hydrology: droplets that carry water, momentum and sediment over terrain, cycle after cycle.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace thalweg {

/// What the simulation has come to.
struct ParticleReport {
    std::int64_t cycles = 0;
    std::int64_t droplets = 0;
    std::int64_t moves = 0;           // cells that droplets have crossed
    std::int64_t sediment_error = 0;  // units of elevation on one cell that are missing: 0
    std::int64_t water_error = 0;     // likewise
    double sediment_in = 0.0;         // m^3, that entered with the water of fed springs
    double sediment_out = 0.0;        // m^3, that left over the border
    double bedrock_eroded = 0.0;      // m^3, that became sediment
    std::int64_t soil_error = 0;      // as sediment_error
    double soil_eroded = 0.0;         // m^3, that droplets took up, whether they laid it down again or not
    double soil_out = 0.0;            // m^3, that left over the border
    double water_fallen = 0.0;        // m^3
    double sinuosity = 1.0;           // of the stream that carries the most, down to a tenth of that
    double lake_volume = 0.0;         // m^3
    double drained_share = 0.0;       // of the cells: whose water leaves within an averaging time of rain
};

/// What it has come to after one number of cycles and another.
struct ParticleMetrics {
    std::vector<ParticleReport> records;
};

/// Rivers by droplets that feel the stream around them (McDonald 2023). In a cycle of dt years N droplets
/// fall at places that are hashes of seed, cycle and number. Each carries R A dt / N of water, V [m^3] (R
/// runoff [m/yr], A area [m^2]), and those of a spring share its discharge. N is sampling only. A droplet of
/// direction u, a unit vector, goes on from cell to cell, by ds = dx / max(|ux|, |uy|) [m] at a time:
///
///   u' = norm(u + ds (-G grad h / sqrt(1 + |grad h|^2) + M cos(u, m) m / (Qm + Q)))               motion
///   C  = kc (1 + K E(w Q / (dx Q1))) S,   E(x) = erf(0.4 x)                 equilibrium load [m^3/m^3]
///   dL = (C V - L) ds / (ds + lambda)                                        taken from the cell [m^3]
///   V' = V Le / (Le + ds)                                                                evaporation
///
///   h elevation [m], S slope of the step (0 uphill), L load [m^3], w 10 m. Q discharge [m^3/yr] and m
///   momentum [m^3/yr], sums of V / dt and V u / dt of the droplets of a cell, are averages over T years: Q'
///   = Q + max(dt / (T + dt), 1 / t) (sum - Q) after t cycles.
///
/// On a plane of slope S, with M = 0, a droplet that sets out across the fall at an angle a0 to it turns by
/// tan(a / 2) = tan(a0 / 2) exp(-G S s / sqrt(1 + S^2)) after s metres, and its load comes to kc S V as
/// 1 - (lambda / (ds + lambda))^n in n steps.
///
/// Droplets of a batch run on the same ground. What they exchange is summed as whole units of 2^-17 m, so
/// that no order matters and no sediment is lost. Loads have no part in where droplets go: their paths are
/// found first, and with them the water that comes to each cell in this batch. All droplets together take at
/// most half of the way down to where they go, and lay down half of the way up to where they come from. The
/// ground goes down by at most half of the way to its lowest neighbour, and up by at most 0.45 of the way to
/// its highest and to those that drain over it; the rest is owed (`debt`) until droplets come again. So
/// droplets make no pits, and no elevation leaves the range of those at first. A droplet that has risen
/// `climb_limit` above where it was lowest turns back and falls, in the directions of filled ground, to where
/// it is lower; one that has gone its range, or found no way down eight times, lays what it carries down
/// along its last cells. After each batch slopes beyond `repose_slope` slide: of what is too high between two
/// of eight neighbours an eighth of `avalanche_rate` goes down.
///
/// The ground is bedrock with loose sediment on it. What is laid down is sediment; what is taken is sediment,
/// and once that is gone bedrock, at `bedrock_erodibility` of the speed: dL = F (C V - L) ds / (ds + lambda).
/// Of two neighbours the higher one gives sediment beyond `repose_slope`, from `beach_range` below the sea
/// level to as much above it beyond `beach_slope`, and bedrock beyond `bedrock_repose_slope`, at
/// `freeze_thaw` of the rate. Soil lies on sediment where there is some: droplets take it first, at
/// `soil_erodibility` of the speed of sediment, carry it apart, and lay it down by its part of the load, in
/// still water by `soil_settling_length`; it slides beyond `soil_repose_slope`, and forms under plants of
/// cover v by dS/dt = (soil_limit v - S) / soil_time, implicit in a cycle, or in as many as make a 1024th of
/// soil_time.
///
/// A load has the mean pigments of what it was taken from, and is mixed with the uppermost `pigment_depth` of
/// the ground where it is laid down, or comes to by sliding: p' = (p d + sum p_i l_i) / (d + sum l_i). Plants
/// cover a share v:
///   dv/dt = (1 - v - s v) / Tp,   s = Q / Qp + |dz/dt| / Ep        implicit in a cycle; 0 <= v <= 1
/// with Tp `plant_time`, Qp `plant_discharge` and Ep `plant_erosion`; they hold `root_strength` v of what
/// droplets would take, and soil and sediment rest at slopes 1 + `root_repose` v times as steep, as does
/// bedrock that has no slope of its own.
///
/// The outermost cells, and those beside no data, are the border: they keep their elevation, and water and
/// sediment that come there have left. So do the cells of a fed spring, at least those around its middle: its
/// droplets set out down the plane of least squares through them, with `load_share` of what they can carry on
/// its slope.
///
/// Lakes: water of droplets that end rests where they do. Every `lakes_every` cycles (1, for old lakes leave
/// hollows in floors that grow) all of it runs down, fills depressions, spills and merges
/// (flow/fill_spill_merge.hpp). A droplet that comes to still water goes straight on, lays its load down as 1
/// - exp(-s / settling_length), by no more than the water is deep, and after eight such lengths or at the
/// shore goes to the sill and on, where its lake is full; else the lake keeps its water. In the sea, which is
/// ground below `sea_level`, it ends likewise, and has left.
///
/// Source: McDonald 2023 (Meandering rivers in particle-based hydraulic erosion simulations). Differs in:
/// lengths and volumes in m, so that cells of any size have the same rivers; one visit to each column that is
/// crossed; momentum that weakens by Q rather than by the droplet's volume; sediment that is kept. Error
/// function: Abramowitz and Stegun 1964, 7.1.27, to 5e-4.
///
/// Same bits on any number of threads, and in however many calls. O(moves + batches x cells whose
/// surroundings change + cells), 78 to 80 bytes a cell on one thread (24 more with soil), 16 more for each
/// other thread (24 with soil).
///
/// Example:
///     ParticleSimulation rivers(elevation, {.rainfall = 0.8}, seed);
///     for (int cycle = 0; cycle < 100; ++cycle) rivers.step(progress);
///     const Field<float> after = rivers.elevation();  // m
class ParticleSimulation {
  public:
    /// elevation: m, at most 2^28 cells, with at most 16 km between the lowest and the highest. Throws
    /// Error::input for other terrain, springs off the terrain, and as check_particles does.
    ParticleSimulation(const Field<float>& elevation, const ParticleParameters& parameters,
                       std::uint64_t seed, ParticleMaps maps = {});
    /// Goes on from a state of another.
    explicit ParticleSimulation(ParticleState state);
    ParticleSimulation(ParticleSimulation&&) noexcept;
    ParticleSimulation& operator=(ParticleSimulation&&) noexcept;
    ~ParticleSimulation();

    /// One cycle. Throws Cancelled, after which the state is that before the cycle.
    void step(Progress& progress);

    /// Other bedrock from now on, as ParticleMaps: where ground has come to other rock. It shows its pigments
    /// where it is bare, and all ground does before the first cycle; ground that had none is of 0 elsewhere.
    /// Without any it stays as it is. Throws Error::input for more than kMostPigments, or other cells.
    void set_bedrock(Field<float> erodibility, Field<float> repose_slope,
                     std::vector<Field<float>> pigments = {});

    /// m; no data where there was none.
    [[nodiscard]] Field<float> elevation() const;
    [[nodiscard]] Field<float> sediment() const;  // m, on bedrock
    [[nodiscard]] Field<float> soil() const;      // m, on sediment
    [[nodiscard]] const ParticleState& state() const { return state_; }
    /// O(cells).
    [[nodiscard]] ParticleReport report() const;

  private:
    struct Scratch;
    [[nodiscard]] double drained_share() const;

    ParticleState state_;
    std::unique_ptr<Scratch> scratch_;  // what cycles work with; nothing depends on it
};

}  // namespace thalweg
