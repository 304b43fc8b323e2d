// Migration of one channel, step by step.
#pragma once

#include "thalweg/meander/channel/channel_geometry.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/meander/migration.hpp"

#include <cstddef>
#include <initializer_list>
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
    const std::vector<float>& rates(const std::vector<double>& x, const std::vector<double>& y,
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
    /// The elimination of I - lambda d^2/ds^2, point after point.
    struct Elimination {
        float lambda = -1.0F;  // of the point before
        float factor = 0.0F;
        float gain = 0.0F;
        bool is_settled = false;  // both are what they were, and stay so while lambda does

        void go_on(float next);
    };

    /// R times `years` of migration, smoothed by the stabilising term.
    struct Displacement {
        double years = 0.0;
        Elimination elimination;
        std::vector<EvenSteps>
            even;  // of blocks: factor and gain where each is one; else factor is less than 0
        std::vector<float> factor;  // of the tridiagonal system in other blocks, 1
        std::vector<float> gain;    // likewise of R: the system's times years of mobility, yr
        std::vector<float> value;   // m
    };

    struct UpstreamFilter;

    void find_scaling(const std::vector<double>& x, const std::vector<double>& y, double mean_width);
    [[nodiscard]] const float* scaling_from(std::size_t first) const;
    [[nodiscard]] const float* local_scaling_from(std::size_t first) const;
    void factorise(std::span<const float> mobility, const std::vector<float>& width,
                   std::initializer_list<Displacement*> displacements);
    static void eliminate(Displacement& displacement, std::span<const float> lambda,
                          std::span<const float> mobility, std::size_t first, bool are_alike);
    void find_rates(const std::vector<double>& x, const std::vector<double>& y, const PointValues& values,
                    UpstreamFilter& filter, std::size_t first, std::size_t end);
    void find_displacements(const std::vector<double>& x, const std::vector<double>& y,
                            const PointValues& values, double inflow,
                            std::initializer_list<Displacement*> displacements);
    void substitute(Displacement& displacement, std::size_t first, std::size_t end);
    static void substitute_back(Displacement& displacement, std::size_t first, std::size_t end);
    void go_half_way(const ChannelLine& line);
    void move(ChannelLine& line, std::span<const float> mobility, const Pull& pull, float factor,
              Displacement& displacement);
    void add_pull(const Pull& pull, std::span<const float> mobility, double years, std::size_t first,
                  std::size_t end);
    void limit_moves(const ChannelLine& line, std::size_t first, std::size_t end);
    MoveColumns moves_from(std::size_t first);

    MigrationParameters parameters_;
    double limit_ = kLongestDisplacement;  // widths
    ChannelGeometry geometry_;
    std::vector<float> scaling_;  // sigma^(-2/3): of points, or of a block where it is the same in all
    std::vector<float> ones_;     // the scaling of the local term in a block, where it is not slowed
    std::vector<float> rate_;     // R, m/yr
    double outflow_ = 0.0;        // m/yr
    double largest_displacement_ = 0.0;
    // Scratch, one a point.
    std::vector<float> move_x_, move_y_;
    std::vector<double> half_x_, half_y_;
    Displacement whole_, half_;
};

}  // namespace thalweg
