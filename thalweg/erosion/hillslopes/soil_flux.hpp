// Soil flux at corners of cells, and what it leaves of an implicit step, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// Share of the critical slope from which flux grows in proportion to slope (empirical). Beyond, soil moves
/// as if by slides that follow each other, (1 + g^2) / (1 - g^2)^2 = 50 times as fast as creep on level
/// ground, g being this share: flux stays finite on slopes beyond the critical one, which terrain may begin
/// with.
inline constexpr float kNearFailure = 0.9F;

/// Values of an implicit step in the layout of PaddedCells, by pointers to their first place. The flux
/// through the side of a cell is the mean of what its two corners give, so that it is the gradient of a
/// convex energy: with s^2 = the mean square of the slopes of the sides that meet at a corner, along x and
/// along y,
///   weight w = 1/2 D t / dx^2 F(s),   F(s) = 1 / (1 - (s / S_c)^2)
/// and w (z_i - z_j) is what leaves cell i for cell j by that corner in time t, m. Sides without data on both
/// sides have none.
struct SoilFluxes {
    const double* height;         // m; 0 without data
    const float* data;            // 1 with data, else 0
    const float* strength;        // per corner: 1/2 D t / dx^2, 1
    const float* inverse_square;  // per corner: 1 / S_c^2; 0 for linear creep
    float* weight;                // per corner: w
    // Per corner and its cells i, i + 1, i + stride, i + stride + 1: dw/dz = r g and flux change = r g g^T;
    // here sqrt(r) g.
    float* north_west;
    float* north_east;
    float* south_west;
    float* south_east;
    std::int64_t stride;
    float inverse_cell_area;  // 1/dx^2, 1/m^2
};

/// The weights and their change with slope, at places [first, last).
template <int Lanes>
void soil_fluxes_in_lanes(const SoilFluxes& fluxes, std::int64_t first, std::int64_t last);

/// residual = z - z0 + what leaves the cell, m, at places [first, last); 0 where `free` is. By the weights.
template <int Lanes>
void residual_in_lanes(const SoilFluxes& fluxes, const double* start, const float* free, float* residual,
                       std::int64_t first, std::int64_t last);

/// The matrix of Newton's step, scaled on both sides so that its diagonal is 1: couplings of each place with
/// its neighbours to the east, south, south-east and south-west.
struct CreepMatrix {
    float* scale;  // 1 / sqrt of the diagonal; 0 where height is held
    float* east;
    float* south;
    float* south_east;
    float* south_west;
    std::int64_t stride;
};

/// `scale`, and then the couplings, of [first, last). The second after the first of all places.
template <int Lanes>
void diagonal_in_lanes(const SoilFluxes& fluxes, const float* free, const CreepMatrix& matrix,
                       std::int64_t first, std::int64_t last);
template <int Lanes>
void couplings_in_lanes(const SoilFluxes& fluxes, const CreepMatrix& matrix, std::int64_t first,
                        std::int64_t last);

/// product = matrix times `direction`; returns their scalar product over [first, last).
template <int Lanes>
double multiply_in_lanes(const CreepMatrix& matrix, const float* direction, float* product,
                         std::int64_t first, std::int64_t last);

/// solution += step direction, remainder -= step product; returns the square of the remainder.
template <int Lanes>
double advance_in_lanes(float step, const float* direction, const float* product, float* solution,
                        float* remainder, std::int64_t first, std::int64_t last);

}  // namespace thalweg
