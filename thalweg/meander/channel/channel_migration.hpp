// Migration of one channel, step by step.
#pragma once

#include "thalweg/meander/channel/channel_geometry.hpp"
#include "thalweg/meander/migration.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace thalweg {

/// The longest way of a point from one look for bends that meet to the next, as a share of its width, so that
/// two limbs that come towards each other are seen within a width before they do.
inline constexpr double kLongestDisplacement = 0.45;

/// Where to each point is drawn, as a multiple of the size of R (control_strokes.hpp); empty: nowhere.
struct Pull {
    std::span<const float> x = {};  // 1
    std::span<const float> y = {};  // 1
};

/// Rates and steps of channels. It keeps its memory from one call to the next: one serves many channels in
/// turn, and none depends on the one before.
class ChannelMigration {
  public:
    explicit ChannelMigration(const MigrationParameters& parameters) : parameters_(parameters) {}

    /// Limits the way of a point in a step, widths; kLongestDisplacement before.
    void limit_displacement(double limit) { limit_ = limit; }

    /// migration_rates (migration.hpp) of points x, y.
    const std::vector<double>& rates(const std::vector<double>& x, const std::vector<double>& y,
                                     const PointValues& values, double inflow);

    /// Moves every point by `years` of migration: R times `mobility` in [0, 1], one value a point. The
    /// stabilising term is taken at the end of the step,
    ///
    ///   displacement = (I - years k w sigma^(-2/3) mobility d^2/ds^2)^-1 years mobility R
    ///
    /// so that any step is stable, and points of no mobility stay;
    /// TimeScheme::Extrapolated is of second order in `years`. A pull adds years mobility |R| pull (Paris et
    /// al. 2023, eq. 7, with |R| for R). No point moves further than that limit. O(points).
    void step(ChannelLine& line, std::span<const float> mobility, double inflow, double years,
              const Pull& pull = {});

    /// Of the last call: J at the end of the line, m/yr, the inflow of the channel that goes on from there.
    [[nodiscard]] double outflow() const { return outflow_; }
    /// Of the last step: how far the point went that went furthest, as a share of its width, before the
    /// limit.
    [[nodiscard]] double largest_displacement() const { return largest_displacement_; }

  private:
    /// R times `years` of migration, smoothed by the stabilising term.
    struct Displacement {
        double years = 0.0;
        std::vector<double> factor;  // of the tridiagonal system, 1
        std::vector<double> gain;    // of R: the system's times years of mobility, yr
        std::vector<double> value;   // m
    };

    void find_scaling(const std::vector<double>& x, const std::vector<double>& y, double mean_width);
    const double* local_scaling();
    void factorise(std::span<const float> mobility, const std::vector<float>& width,
                   Displacement& displacement);
    template <std::size_t count>
    void find_displacements(const std::vector<double>& x, const std::vector<double>& y,
                            const PointValues& values, double inflow,
                            std::array<Displacement*, count> displacements);
    void extrapolate(const ChannelLine& line, double inflow);
    void add_moves(double kept, double factor, const std::vector<double>& displacement);
    void add_pull(const Pull& pull, std::span<const float> mobility, double years);
    void move(ChannelLine& line);

    MigrationParameters parameters_;
    double limit_ = kLongestDisplacement;  // widths
    ChannelGeometry geometry_;
    std::vector<double> scaling_;  // sigma^(-2/3)
    std::vector<double> rate_;     // R, m/yr
    double outflow_ = 0.0;         // m/yr
    double largest_displacement_ = 0.0;
    // Scratch, one a point.
    std::vector<double> local_rate_, decay_, source_, ones_;
    Displacement whole_, half_;
    std::vector<double> half_x_, half_y_, move_x_, move_y_;
};

}  // namespace thalweg
