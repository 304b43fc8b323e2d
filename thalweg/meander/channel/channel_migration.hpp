// Migration of one channel, step by step.
#pragma once

#include "thalweg/meander/channel/displacement.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
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
    /// What is found of points from `first` of the line on: of those under way, or of all, which then stay.
    struct FoundPoints {
        bool are_all = false;
        std::size_t first = 0;
        std::vector<float> normal_x = {}, normal_y = {};
        std::vector<float> rate = {};              // R, m/yr; none where these are all
        std::vector<float> half = {}, whole = {};  // m, displacements of half a step and of the whole one
    };

    /// A displacement on its way along a line.
    struct Smoothed {
        Displacement& displacement;
        std::vector<float>& value;  // m, at points found
        float behind = 0.0F;        // m, at the point behind a block, when it is substituted back
    };
    using AllSmoothed = std::span<Smoothed>;

    /// J along a line, block after block.
    struct UpstreamFilter {
        float upstream = 0.0F;                                // J at the point before, m/yr
        std::array<float, kPointsInBlock + 1> local_rate{};   // R0 from the point before on, m/yr
        std::array<float, kPointsInBlock + 1> segment{};      // m, likewise
        std::array<float, kPointsInBlock> decay{}, source{};  // of J
        std::array<float, kPointsInBlock> curvature{};        // 1/m
        std::array<float, kPointsInBlock> rate{};             // R, m/yr, where it is not kept
    };

    [[nodiscard]] bool is_windowed() const;
    void find_scaling(std::span<const double> x, std::span<const double> y, double length, double mean_width);
    [[nodiscard]] const float* scaling_from(std::size_t first) const;
    [[nodiscard]] const float* local_scaling_from(std::size_t first) const;
    void factorise(std::span<const float> mobility, const std::vector<float>& width, std::size_t first,
                   std::size_t end, AllSmoothed all);
    void find_rates(const double* x, const double* y, const PointValues& values, std::size_t first,
                    std::size_t end, FoundPoints& found, float* rate);
    static void substitute(std::size_t first, std::size_t end, std::size_t at, const float* rate,
                           AllSmoothed all);
    template <class Find, class Finish>
    static void sweep(std::size_t points, FoundPoints& found, AllSmoothed all, const Find& find,
                      const Finish& finish);
    static void make_room(std::size_t end, FoundPoints& found, AllSmoothed all);
    static void drop_before(std::size_t first, std::size_t end, FoundPoints& found, AllSmoothed all);
    void go_at_once(ChannelLine& line, std::span<const float> mobility, double inflow, const Pull& pull);
    void go_half_way(const ChannelLine& line, std::span<const float> mobility, double inflow);
    void scale_half_way(const ChannelLine& line);
    void go_on_from_half_way(ChannelLine& line, std::span<const float> mobility, double inflow,
                             const Pull& pull);
    [[nodiscard]] HalfStepColumns half_step_from(std::size_t first) const;
    void place_half_way(const ChannelLine& line, std::size_t first, std::size_t end, double* x,
                        double* y) const;
    void move(ChannelLine& line, float factor, std::size_t first, std::size_t end);
    void add_pull(const Pull& pull, std::span<const float> mobility, double years, std::size_t first,
                  std::size_t end);

    MigrationParameters parameters_;
    double limit_ = kLongestDisplacement;  // widths
    std::vector<float> scaling_;  // sigma^(-2/3): of points, or of a block where it is the same in all
    std::vector<float> ones_;     // the scaling of the local term in a block, where it is not slowed
    float unit_lambda_ = 0.0F;    // lambda of a year over width, mobility and scaling, 1/m
    float known_lambda_ = 0.0F;   // of a year, at the point before
    double outflow_ = 0.0;        // m/yr
    double largest_displacement_ = 0.0;
    double half_way_length_ = 0.0;  // m, of the line after half a step
    Displacement whole_, half_;
    UpstreamFilter filter_;
    FoundPoints half_way_ = {.are_all = true};           // in the first half of a step
    FoundPoints under_way_;                              // in what moves points
    std::array<float, kPointsInBlock> move_x_, move_y_;  // m, of a block
    std::vector<double> half_way_x_, half_way_y_;        // m, where windows of sinuosity need them
};

}  // namespace thalweg
