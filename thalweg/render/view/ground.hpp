// Ground: everything about a view's surface that does not depend on where one looks from.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/hillshade.hpp"

namespace thalweg {

/// Colour, form and light of a place on the surface.
struct GroundPoint {
    Colour albedo;           // linear light
    float rise_east = 0.0F;  // exaggerated m/m
    float rise_north = 0.0F;
    float sky = 1.0F;     // share of the sky's light that arrives (sky_view)
    float sun = 1.0F;     // share of the sun's disc that is seen (sun_visibility)
    float bounce = 0.0F;  // light from the slopes around, over that of the sun on flat ground
    float depth = 0.0F;   // m of water above the ground, exaggerated
};

/// Colour, form and light of all cells of `elevation` [m], whose `albedo` is given in linear light. `surface`
/// is what light falls on [exaggerated m]: the ground, or water above it. O(cells); about 60 bytes a cell;
/// same bits on any number of threads.
Field<GroundPoint> light_ground(const Field<float>& elevation, const Field<float>& surface,
                                const Field<Colour>& albedo, const Sun& sun, double exaggeration,
                                Progress& progress);

/// Bilinear interpolation at a fractional column and row, kept inside the field; cells without data (their
/// `sky` is NaN) do not count unless all four are.
GroundPoint ground_at(const Field<GroundPoint>& ground, float column, float row);

}  // namespace thalweg
