// How stages take layers in: rasters placed on the grid, numbers or layers as sources, and how a new layer
// joins an old one. parameter_layers.hpp checks those that stand for a parameter.
#pragma once

#include "thalweg/io/raster.hpp"
#include "thalweg/project/stage.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace thalweg {

/// Whether a NumberOrLayer's text is the path of a raster file (it holds a dot or a slash) or a layer's name.
bool names_a_file(const std::string& text);

/// Whether `name` may name a layer: letters, digits and _, so that it can stand in a file's name.
bool is_layer_name(const std::string& name);

/// A raster's values for any grid of the landscape's place.
struct PlacedRaster {
    LayerSource source;
    std::vector<std::string> notes;  // on how it was read and resampled, and what it does not cover
};

/// Reads a raster and lays it over `grid`, in cells of its own: by its coordinates, or, when it has none,
/// stretched over the whole grid. Throws Error::input when it can't be read, has another CRS, does not touch
/// the grid, or when one to be stretched has other proportions.
NotedRaster lay_raster(const std::filesystem::path& path, const Grid& grid, const RasterHints& hints = {});

/// What lay_raster gave, on the cells of `grid`; `name` is the file's in notes. Cells outside the raster take
/// the nearest value of its edge.
PlacedRaster place_raster(NotedRaster raster, const std::string& name, const Grid& grid);

/// The raster of a stage's parameter, laid by `lay_raster` and given to `place`, which makes a PlacedRaster
/// of a NotedRaster; tells the context's diagnostics how long that took, and the notes.
PlacedRaster read_input_raster(const std::string& file, StageContext& context,
                               const std::function<PlacedRaster(NotedRaster)>& place,
                               const RasterHints& hints = {});

/// The same, placed as it is.
PlacedRaster read_input_raster(const std::string& file, StageContext& context, const RasterHints& hints = {});

/// The number everywhere, the layer, or the raster, whatever its values. Notes go to the context's
/// diagnostics.
LayerSource input_source(const NumberOrLayer& input, StageContext& context);

/// Takes a layer out of the landscape, to be put back changed; one that is absent is 0 everywhere.
Layer layer_to_change(Landscape& landscape, const std::string& name);

/// How new values join those of a layer that is there already; one that is absent counts as 0.
enum class LayerMode { Add, Set, Multiply, Minimum, Maximum };

/// Joins `addition` to layer `name` cell by cell; the layer can be evaluated on other grids afterwards when
/// it could before.
void join_layer(Landscape& landscape, const std::string& name, const LayerSource& addition, LayerMode mode,
                Progress& progress);

}  // namespace thalweg
