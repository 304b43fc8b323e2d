// Maps: terrain seen from above, with rivers, scale bar and legend.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/colour_map.hpp"
#include "thalweg/render/common_scale.hpp"
#include "thalweg/render/image.hpp"
#include "thalweg/render/land_layers.hpp"
#include "thalweg/render/value_range.hpp"
#include "thalweg/river/network.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// How a map looks.
struct MapParameters {
    int size = 1400;                                              // pixels, longer side of the picture
    LandTint tint = LandTint::Natural;                            // colours of land by height
    double sea_level = -std::numeric_limits<double>::infinity();  // m; ground below it is drawn as sea
    double sun_azimuth = 315.0;                                   // degrees clockwise from north
    double sun_altitude = 42.0;                                   // degrees above the horizontal
    double exaggeration = 0.0;              // factor on elevations for the shading, 0 chooses one
    double shading = 1.0;                   // strength of the shading, 0 (flat colours) to 2
    bool rivers = true;                     // whether rivers are drawn
    bool legend = true;                     // whether scale bar and legend are drawn
    std::string title = {};                 // drawn above the map; empty for none
    std::optional<CommonScale> scale = {};  // none: the terrain's own; not declared

    static void declare(Declaration<MapParameters>& declaration);
};

/// Terrain by height tint and shaded relief: sun from several sides with soft cast shadows, and light from
/// the sky; over it the rivers, drawn by width; around it a frame, a scale bar in round metres or kilometres
/// and a legend of heights. Areas without data show the paper.
///
/// Where `land` tells what covers it, land has natural colours instead of a tint, and the legend names them;
/// where it tells of water, that is drawn in its own shape, and rivers are not drawn by width.
/// `rivers` may be null. The terrain is resampled to the picture: the mean over larger pixels, cubic
/// convolution for smaller ones. Same bits on any number of threads on one machine (text is drawn by the
/// system's font "DejaVu Sans"). O(pixels + cells). Throws Error::input when no cell has data, Cancelled.
///
/// Example:
///     const Image map = draw_map(elevation, &network, {.size = 2000, .title = "Upper valley"}, progress);
Image draw_map(const Field<float>& elevation, const RiverNetwork* rivers, const MapParameters& parameters,
               Progress& progress, const LandLayers& land = {});

/// How a layer's values become colours.
enum class LayerScale {
    Linear,       // even steps between the least and the greatest value
    Logarithmic,  // even steps of the logarithm; values at or below 0 take the lowest colour
    Signed,       // even steps from -m to m, m the greatest magnitude, 0 in the middle
    Depth,        // of water: even steps from 0; 0 is dry land, by its height or as paper
    Steps,        // whole numbers in order, one colour each (Strahler order)
    Categories    // ids without order (basins, lakes): one colour each, negative ids and 0 show the paper
};

/// What a layer map shows and how.
struct LayerStyle {
    std::string name;  // title of the colour bar
    std::string unit;  // after the name; "1" and "" for none
    LayerScale kind = LayerScale::Linear;
    Scale colours = Scale::Viridis;
    std::vector<Category> categories = {};  // of ids 1, 2, ...; others have a number and some colour
    std::optional<ValueRange> range = {};   // that colours span; none: layer_range of the values
};

/// The style that suits a layer of the given name (the names of docs/glossary.md), viridis and a linear scale
/// for one that is not known.
LayerStyle layer_style(const std::string& name, const std::string& unit);

/// The range that the colours of a layer span: of its values, but of those above 0 for logarithms, and of
/// seven decades at most, symmetric for signed values, and from 0 on for depths. Throws Error::input when no
/// cell has data.
///
/// Example:
///     LayerStyle style = layer_style("elevation", "m");
///     style.range = layer_range(elevation, style);  // for other pictures that shall be compared with it
ValueRange layer_range(const Field<float>& values, const LayerStyle& style);

/// One layer by a perceptual colour scale with its colour bar; no-data cells show the paper. With `relief`
/// (elevation [m] of the same place, or null) the colours lie over soft shading, which has the exaggeration
/// of the terrain of `parameters.scale` where that is given. Ranges come from the values, or from the style.
/// Averages over larger pixels, except for Steps and Categories, which take the nearest cell. Errors, cost
/// and determinism as draw_map.
Image draw_layer_map(const Field<float>& values, const Field<float>* relief, const LayerStyle& style,
                     const MapParameters& parameters, Progress& progress);

}  // namespace thalweg
