// One implicit step of creep, by Newton's method and conjugate gradients.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/hillslopes.hpp"
#include "thalweg/erosion/hillslopes/padded_cells.hpp"
#include "thalweg/erosion/hillslopes/soil_flux.hpp"

#include <vector>

namespace thalweg {

/// Terrain between steps of equal time. A step solves
///   R = z - z0 + D t / dx^2 sum over sides of F (z - z_neighbour) = 0
/// until |R| is 1e-4 of the cell size or less everywhere (more where D t / dx^2 is so large that floats end
/// it), and takes R off: what leaves one cell has come to another, and no cell is further off than that. R is
/// the gradient of a convex function, which Newton's steps descend; each is shortened until the slope along
/// it is near 0 or still downhill.
class CreepStep {
  public:
    /// `years`: of one step.
    CreepStep(const Field<float>& elevation, const CreepFields& fields, const CreepParameters& parameters,
              double years);

    /// Goes on by one step, and adds what it did to `report`.
    void advance(CreepReport& report, const Progress& progress);

    [[nodiscard]] Field<float> elevation(const Field<float>& start) const;

  private:
    struct Residual {
        float most = 0.0F;   // m
        double along = 0.0;  // of the residual and the change, m^2
    };

    void set_cells(const Field<float>& elevation, const CreepFields& fields);
    void set_corners(const Grid& grid, const CreepFields& fields, const CreepParameters& parameters,
                     double years);
    [[nodiscard]] SoilFluxes fluxes();
    [[nodiscard]] CreepMatrix matrix();
    Residual find_residual();
    void set_matrix();
    int find_change(double accuracy);
    double descend_linearly(double square, std::vector<float>& remainder, std::vector<float>& direction,
                            std::vector<float>& product);
    void add_change(double share);
    Residual descend();

    PaddedCells cells_;
    float inverse_cell_area_;     // 1/m^2
    double cell_area_;            // m^2
    float aim_ = 0.0F;            // m, for the residual
    float tolerance_ = 0.0F;      // m, where floats let it come no nearer
    std::vector<double> height_;  // m
    std::vector<double> start_;   // m, before the step
    std::vector<float> data_, free_, strength_, inverse_square_;
    std::vector<float> weight_, north_west_, north_east_, south_west_, south_east_;
    std::vector<float> scale_, east_, south_, south_east_coupling_, south_west_coupling_;
    std::vector<float> residual_, change_;
};

}  // namespace thalweg
