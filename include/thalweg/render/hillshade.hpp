// Light on terrain: sun, shadow and sky.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Where the sun stands.
struct Sun {
    double azimuth = 315.0;  // degrees, clockwise from north
    double altitude = 45.0;  // degrees above the horizontal, 0 to 90
};

/// Cosine of the angle between the surface normal and the sun, 0 where the surface faces away:
///
///   n . s,  n = (-dz/dx, -dz/dy, 1) / |.|                                         Lambert 1760; Horn 1981
///
/// elevation [m], times `exaggeration`; slopes by central differences. No data stays no data. O(cells); same
/// bits on any number of threads.
///
/// Example:
///     const Field<float> light = hillshade(elevation, {.azimuth = 315.0, .altitude = 40.0}, 2.0);
Field<float> hillshade(const Field<float>& elevation, const Sun& sun, double exaggeration = 1.0);

/// Share of the sun's disc that each cell sees over the terrain between, 0 (full shadow) to 1. `radius`
/// [degrees] is the disc's: the true sun's is 0.27, larger ones give softer edges. The disc is cut into
/// upright strips, one horizon each; the edge within a strip is smoothed over its height.
/// Slopes that face away from the sun are hidden by themselves. O(cells); same bits on any number of threads.
Field<float> sun_visibility(const Field<float>& elevation, const Sun& sun, double radius,
                            double exaggeration = 1.0);

/// Light from an even sky on the tilted surface among its surroundings, over that on open flat ground:
///
///   V = 1/2pi sum over azimuths of [cos S sin^2 H + sin S cos(azimuth - aspect) (H - sin H cos H)]
///
/// with slope S, and the horizon's angle H from the zenith (Dozier and Frew 1990, eq. 7b). Differs in: no
/// term is taken below 0. It is 1 on flat open ground, (1 + cos S) / 2 on an open slope, towards 0 in a
/// shaft. `directions` azimuths (16 leave no visible bands). O(cells x directions); same bits on any number
/// of threads; polls `progress` once per direction.
Field<float> sky_view(const Field<float>& elevation, int directions, double exaggeration,
                      const Progress& progress);

/// sky_view as pictures need it: the sky that surroundings take is found on cells of 2, 4, 8, ... times the
/// size, at most 512 along the longer side, and interpolated; the sky that slopes take by themselves, (1 -
/// cos S) / 2, is that of each cell. The same as sky_view up to 512 cells. O(cells + directions x 512^2).
Field<float> smooth_sky_view(const Field<float>& elevation, int directions, double exaggeration,
                             const Progress& progress);

}  // namespace thalweg
