// RockBody: what rock lies where, in three dimensions.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/rock/rock_parameters.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Maps that override a body of rock at every depth, on any grids of its place. Empty: nothing.
struct RockMaps {
    Field<float> erodibility_factor = {};  // 1, on that of all rock there, > 0; no data: 1
    Field<float> formation = {};  // number in RockBody::formations(), from 1; 0, no data: the body's own
};

/// A body of rock below a grid: all that does not depend on the height at which one looks. Fields that the
/// body has no use for are empty.
struct RockColumns {
    Field<float> base;           // m, stratigraphic height of the height 0
    Field<float> ln_factor;      // 1, ln k of faults, joints and heterogeneity
    Field<float> pluton_top;     // m, below which the rock is a pluton; -inf where none is
    Field<float> dyke;           // 1, the share of the cell that is dyke
    Field<float> cover_base;     // m, above which level cover lies on everything else
    Field<float> old_land;       // m, stratigraphic height below which older beds lie
    Field<float> older;          // m, by which the height in their column differs, the tilt beside
    Field<std::uint8_t> mapped;  // number of the formation that a map tells, from 1; 0: none
};

/// The rock at a surface.
struct RockSurface {
    Field<float> erodibility_factor;  // 1, on the erodibility of ordinary rock, > 0
    Field<float> critical_slope;      // m/m
    Field<std::uint8_t> formation;    // index into RockBody::formations()
};

/// The rock at one place.
struct RockSample {
    double erodibility_factor = 1.0;  // 1
    double critical_slope = 0.7;      // m/m
    std::uint8_t formation = 0;       // index into RockBody::formations()
};

/// A body of rock in metres, that can be evaluated at any position, height and cell size:
///
///   s  = z cos(dip) + a sin(dip) + f(a, b) + t       stratigraphic height, m
///   ln k = ln F + B(s) + W(x, y)
///
///   a, b  m, across and along the strike
///   f     folds: fold_height / 2 of a wave of fold_length across the strike, and one 0.45 as high and 1.7 as
///         long that crosses it at 60 degrees, both with phases that wander
///   t     m, height of the block between two faults, N(0, fault_throw^2); two sets of faults whose courses
///         wander, the second 1.6 times as far apart
///   F     erodibility factor of the formation at s; the column repeats itself downwards and upwards, each
///         time with other thicknesses (0.6 to 1.4 of the mean)
///   B     one draw N(0, bed_contrast^2) for each bed
///   W     0.9 (0.3 + 0.7 r) exp(-d / 100 m) at distance d from a fault,
///         + joint_strength r^2 exp(-(d / 45 m)^2) from the joints of two sets, fading in and out along them,
///         + heterogeneity; r is uniform in [0, 1)
///
/// A slope fails beyond S_c = S_F (k / F)^-0.5, S_F the formation's: strong beds stand steeper.
///
/// Below an unconformity, an old land surface of 100 m of relief `unconformity` below the top of the column,
/// the same formations lie in a column of their own, tilted by `unconformity_tilt` about the strike:
///   s' = s cos(tilt) + a sin(tilt)
/// Folds and faults came after and bent both.
///
/// Plutons take the ground below their tops, dykes are sheets 20 m wide, and level cover lies on all that is
/// folded, faulted and intruded. What is smaller than a cell is averaged over it: beds over half a cell of s,
/// zones across their width.
///
/// `z` is the height that the rock would have without the uplift since time 0: the elevation less the total
/// uplift. Same bits at any number of threads, for any grid that has a cell centre there, but for what is
/// averaged over cells.
///
/// Example:
///     const RockBody rock({.preset = RockPreset::Alpine}, seed);
///     const RockColumns columns = rock.columns(grid, progress);
///     const RockSurface surface = rock.at(columns, Field<float>(grid, 800.0F), progress);
class RockBody {
  public:
    /// Throws Error::input as check_rock does, and for a map whose factors are not positive or whose
    /// numbers are no formation's.
    RockBody(const RockParameters& parameters, std::uint64_t seed, RockMaps maps = {});

    /// The column from the top down, then pluton, dyke and cover where the body has them.
    [[nodiscard]] const std::vector<Formation>& formations() const { return formations_; }
    [[nodiscard]] const RockParameters& parameters() const { return parameters_; }  // resolved

    /// About 300 ns a cell on one core. Parallel; polls `progress` once a row.
    [[nodiscard]] RockColumns columns(const Grid& grid, Progress& progress) const;

    /// The rock at height `z` [m, on the grid of `columns`], NaN where there is none: factor and slope are
    /// then NaN. About 80 ns a cell. Parallel; polls `progress` once a row.
    [[nodiscard]] RockSurface at(const RockColumns& columns, const Field<float>& z, Progress& progress) const;

    /// The rock in one cell of `columns` at height `z` [m]. About 200 ns.
    [[nodiscard]] RockSample sample(const RockColumns& columns, std::int64_t cell, double z) const;

  private:
    RockParameters parameters_;
    std::uint64_t seed_;
    std::vector<Formation> formations_;
    RockMaps maps_;
};

}  // namespace thalweg
