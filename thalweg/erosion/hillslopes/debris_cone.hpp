// Where the debris of a landslide comes to rest.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace thalweg {

/// Heights in double precision, so that what is moved is kept, and as floats to look at.
class DebrisGround {
  public:
    explicit DebrisGround(const Field<float>& elevation)
        : rounded_(elevation), exact_(elevation.begin(), elevation.end()) {}

    [[nodiscard]] const Grid& grid() const { return rounded_.grid(); }
    [[nodiscard]] const Field<float>& heights() const { return rounded_; }  // m
    [[nodiscard]] double height(std::int64_t cell) const { return exact_[at(cell)]; }
    void set(std::int64_t cell, double height) {
        exact_[at(cell)] = height;
        rounded_[cell] = static_cast<float>(height);
    }
    [[nodiscard]] Field<float> take() && { return std::move(rounded_); }

  private:
    Field<float> rounded_;
    std::vector<double> exact_;
};

/// Lays debris down as a cone max(z, H - slope |x - apex|) that leans on the ground. The apex is on the way
/// of the water down from where debris begins, as far up as the volume asks for.
class DebrisCone {
  public:
    explicit DebrisCone(const Field<float>& elevation)
        : visited_(static_cast<std::size_t>(elevation.size()), 0) {}

    /// Adds `amount` [m, summed over cells] to the ground below cell `start` at the slope of repose, as far
    /// as the cone covers no cell at the edge of the grid or beside one without data: over these the rest
    /// leaves. Returns the sum over cells that was added.
    double lay_down(DebrisGround& ground, std::int64_t start, double amount, double slope);

  private:
    struct Layer {
        std::int64_t cell;
        double thickness;  // m
    };

    /// A cone with its apex over a cell of the way, at `height` [m].
    struct Cone {
        std::size_t apex;
        double height;
        double slope;  // m/m
    };

    /// The cells that a cone covers, connected with the way below its apex; returns the sum of their layers,
    /// or of some of them that are together more than `enough`. `reaches_rim_` tells whether it is stopped by
    /// the rim of the data.
    double cover(const DebrisGround& ground, const Cone& cone, double enough);
    bool is_too_high(const DebrisGround& ground, const Cone& cone, double amount);
    void find_way(const DebrisGround& ground, std::int64_t start);

    std::vector<std::int64_t> way_;       // cells from the start down
    std::vector<std::uint32_t> visited_;  // per cell: the cover that saw it last
    std::uint32_t covers_ = 0;
    std::vector<Layer> layers_;
    std::vector<std::int64_t> waiting_;
    bool reaches_rim_ = false;
};

}  // namespace thalweg
