// Structure: what folds, faults, joints and intrusions do at a position.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/noise/bases.hpp"
#include "thalweg/rock/rock_keys.hpp"
#include "thalweg/rock/rock_parameters.hpp"

#include <cstdint>

namespace thalweg {

/// Gradient noise of one wavelength in [-1, 1], at positions in metres. Not for several threads at once.
class Wander {
  public:
    Wander(std::uint64_t seed, RockUse use, std::int64_t set, double wavelength);
    double operator()(double x, double y) { return basis_(x * per_metre_ + shift_, y * per_metre_ + shift_); }

  private:
    double per_metre_;  // 1/m
    double shift_;      // wavelengths
    GradientBasis basis_;
};

/// Height that folds lift beds by, m.
class Folds {
  public:
    Folds(const RockParameters& resolved, std::uint64_t seed);
    double operator()(double across, double along);

  private:
    double height_;  // m
    double length_;  // m
    UnitVector oblique_;
    Wander phase_;
    Wander cross_phase_;
};

/// Irregular lines across the plane whose courses wander, and how near the nearest is.
class Lineaments {
  public:
    struct Place {
        std::int64_t before = 0;   // number of the last line before the position
        std::int64_t nearest = 0;  // number of the nearest line
        double distance = 0.0;     // m, to it
    };

    Lineaments(std::uint64_t seed, RockUse boundary, RockUse course, std::int64_t set, double degrees,
               double spacing);
    Place at(const Position& position);
    [[nodiscard]] double along(const Position& position) const;  // m, position along the lines

  private:
    IrregularLines lines_;
    IrregularLines::Strip strip_ = {};  // that of the last position
    UnitVector direction_;
    Wander course_;
};

/// Two sets of faults.
class Faults {
  public:
    struct Effect {
        double lift = 0.0;       // m, of the block
        double ln_factor = 0.0;  // 1
    };
    Faults(const RockParameters& resolved, std::uint64_t seed, double cell_size);
    Effect at(const Position& position);

  private:
    void add(Lineaments& lines, std::int64_t set, const Position& position, Effect& effect) const;

    std::uint64_t seed_;
    double throw_;      // m
    double cell_size_;  // m
    Lineaments first_;
    Lineaments second_;
};

/// Two sets of joints, as what they add to ln k.
class Joints {
  public:
    Joints(const RockParameters& resolved, std::uint64_t seed, double cell_size);
    double at(const Position& position);

  private:
    double of(Lineaments& lines, Wander& extent, std::int64_t set, const Position& position) const;

    std::uint64_t seed_;
    double strength_;   // 1
    double cell_size_;  // m
    Lineaments first_;
    Lineaments second_;
    Wander first_extent_;
    Wander second_extent_;
};

/// The share of a cell that dykes take.
class Dykes {
  public:
    Dykes(const RockParameters& resolved, std::uint64_t seed, double cell_size);
    double at(const Position& position);

  private:
    double cell_size_;  // m
    Lineaments lines_;
};

/// What differs within a formation from place to place: octaves of noise, as a part of ln k.
class Heterogeneity {
  public:
    Heterogeneity(const RockParameters& resolved, std::uint64_t seed, double cell_size);
    double at(const Position& position);

  private:
    static constexpr int kOctaves = 6;
    Wander octaves_[kOctaves];
    double shares_[kOctaves];
};

/// Heights of plutons' tops, of the foot of cover and of the old land.
class Surfaces {
  public:
    Surfaces(const RockParameters& resolved, std::uint64_t seed);
    double pluton_top(const Position& position);  // m; -inf where there is none
    double cover_base(const Position& position);  // m
    double old_land(const Position& position);    // m, stratigraphic height

  private:
    double pluton_threshold_;  // 1
    double top_;               // m
    double cover_;             // m
    double unconformity_;      // m
    Wander pluton_;
    Wander pluton_detail_;
    Wander cover_relief_;
    Wander old_relief_;
};

}  // namespace thalweg
