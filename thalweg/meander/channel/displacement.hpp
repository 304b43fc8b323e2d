// How far the points of a channel go in a step of time: rates, smoothed by the stabilising term.
#pragma once

#include "thalweg/meander/channel/line_columns.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace thalweg {

/// (I - lambda d^2/ds^2)^-1 years mobility R along a line, block of kPointsInBlock points after block:
/// factors of the tridiagonal system and forward substitution down the line, back substitution up it. Blocks
/// are from point `first` of the line to `end`.
class Displacement {
  public:
    /// Of a line of so many points, from its head on.
    void begin(std::size_t points, double years);

    /// Factors of one or two of these in a block, of lambda a year. Where they are the same for long, so are
    /// the factors: no division then, and one for the whole block. `are_alike`: all are that of the point
    /// before, and so is mobility. A factor waits for that of the point before it: two of them wait together.
    static void eliminate(std::span<Displacement* const> all, std::span<const float> lambda,
                          std::span<const float> mobility, std::size_t first, bool are_alike);

    /// Forward substitution of rates (m/yr) in a block.
    void substitute(std::size_t first, std::size_t end, const float* rate, float* value);

    /// Back substitution of such values from that `behind` the block. Returns the value at the first point.
    float substitute_back(std::size_t first, std::size_t end, float behind, const float* value,
                          float* displacement) const;

    /// The share of the value behind a block that is in that at its first point; exact where it is greater
    /// than `least`.
    [[nodiscard]] float passed_on(std::size_t first, std::size_t end, float least) const;

    [[nodiscard]] double years() const { return years_; }

  private:
    /// Of the system at a point.
    struct Factors {
        float lambda = -1.0F;
        float factor = 0.0F;
        float gain = 0.0F;
        bool are_settled = false;  // factor and gain are what they were, and stay so while lambda does

        void go_on(float next);
    };

    bool begin_block(std::size_t first, float mobility, bool are_alike);
    template <std::size_t count>
    static void eliminate_block(std::span<Displacement* const> all, std::span<const float> lambda,
                                std::span<const float> mobility, std::size_t first);
    [[nodiscard]] const EvenSteps& steps_of(std::size_t first) const;

    double years_ = 0.0;
    Factors last_;                 // of the point before
    float value_ = 0.0F;           // m, likewise
    std::vector<EvenSteps> even_;  // of blocks: factor and gain where each is one; else factor is less than 0
    std::vector<float> factors_;   // of other blocks, 1
    std::vector<float> gains_;     // likewise of R: the system's times years of mobility, yr
};

}  // namespace thalweg
