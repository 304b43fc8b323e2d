// Migration of one channel, step by step.
#pragma once

#include "thalweg/meander/channel/displacement.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/meander/migration.hpp"

#include <array>
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
    /// One of the two displacements of a step, and its values at points under way.
    struct Smoothed {
        Displacement displacement;
        std::vector<float> value;  // m
        float behind = 0.0F;       // m, at the point behind a block, when it is substituted back
    };
    using AllSmoothed = std::initializer_list<Smoothed*>;

    /// J along a line, block after block.
    struct UpstreamFilter {
        float upstream = 0.0F;                                // J at the point before, m/yr
        std::array<float, kPointsInBlock + 1> local_rate{};   // R0 from the point before on, m/yr
        std::array<float, kPointsInBlock + 1> segment{};      // m, likewise
        std::array<float, kPointsInBlock> decay{}, source{};  // of J
        std::array<float, kPointsInBlock> curvature{};        // 1/m
    };

    [[nodiscard]] bool is_windowed() const;
    void find_scaling(std::span<const double> x, std::span<const double> y, double length, double mean_width);
    [[nodiscard]] const float* scaling_from(std::size_t first) const;
    [[nodiscard]] const float* local_scaling_from(std::size_t first) const;
    void factorise(std::span<const float> mobility, const std::vector<float>& width, std::size_t first,
                   std::size_t end, AllSmoothed all);
    void find_rates(const double* x, const double* y, const PointValues& values, std::size_t first,
                    std::size_t end);
    void substitute(std::size_t first, std::size_t end, AllSmoothed all);
    template <class Find, class Finish>
    void sweep(std::size_t points, AllSmoothed all, const Find& find, const Finish& finish);
    void substitute_back(Smoothed& smoothed, std::size_t first, std::size_t end, float* displacement) const;
    void make_room(std::size_t end, AllSmoothed all);
    void drop_before(std::size_t first, std::size_t end, AllSmoothed all);
    void go_at_once(ChannelLine& line, std::span<const float> mobility, double inflow, const Pull& pull);
    void go_half_way(const ChannelLine& line, std::span<const float> mobility, double inflow);
    void go_on_from_half_way(ChannelLine& line, std::span<const float> mobility, double inflow,
                             const Pull& pull);
    MoveColumns moves_from(const ChannelLine& line, std::size_t first);
    void move(ChannelLine& line, std::span<const float> mobility, const Pull& pull, float factor,
              const Smoothed& smoothed, std::size_t first, std::size_t end);
    void add_pull(const Pull& pull, std::span<const float> mobility, double years, std::size_t first,
                  std::size_t end);
    void limit_moves(const ChannelLine& line, std::size_t first, std::size_t end);

    MigrationParameters parameters_;
    double limit_ = kLongestDisplacement;  // widths
    std::vector<float> scaling_;  // sigma^(-2/3): of points, or of a block where it is the same in all
    std::vector<float> ones_;     // the scaling of the local term in a block, where it is not slowed
    float unit_lambda_ = 0.0F;    // lambda of a year over width, mobility and scaling, 1/m
    float known_lambda_ = 0.0F;   // of a year, at the point before
    double outflow_ = 0.0;        // m/yr
    double largest_displacement_ = 0.0;
    double half_way_length_ = 0.0;  // m, of the line after half a step
    Smoothed whole_, half_;
    UpstreamFilter filter_;
    // Scratch, one a point of the line.
    std::vector<float> move_x_, move_y_, half_x_, half_y_;  // m
    std::vector<double> half_way_x_, half_way_y_;           // m, where windows of sinuosity need them
    // Scratch, one a point under way: from `first_` of the line on.
    std::size_t first_ = 0;
    std::vector<float> normal_x_, normal_y_;
    std::vector<float> rate_;  // R, m/yr
};

}  // namespace thalweg
