// Diffusion along a line, taken at the end of a step.
#pragma once

#include <span>
#include <vector>

namespace thalweg {

/// Solves (I - D d^2/ds^2) u = v along a line, for D >= 0 that may jump from point to point:
///
///   -lambda_i u_(i-1) + (1 + 2 lambda_i) u_i - lambda_i u_(i+1) = v_i,   lambda_i = D_i / spacing^2
///
/// with u = 0 beyond both ends. The factors L U of the matrix are kept for many right sides: each is two
/// recursive passes.
class ImplicitDiffusion {
  public:
    /// O(points).
    void factorise(std::span<const double> lambda);

    /// Replaces v by u. O(points).
    void solve(std::span<double> values) const;

  private:
    std::vector<double> gain_;     // 1 / diagonal of L
    std::vector<double> forward_;  // lambda / diagonal of L
};

}  // namespace thalweg
