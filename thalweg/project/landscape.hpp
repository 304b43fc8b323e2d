// Landscape: a grid with named layers, a river network, lakes, analyses, and how it came about.
#pragma once

#include "thalweg/erosion/drainage_source.hpp"
#include "thalweg/flow/basin_outlines.hpp"
#include "thalweg/flow/lake_outlines.hpp"
#include "thalweg/flow/stream_profiles.hpp"
#include "thalweg/flow/terrain_analyses.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/layer_source.hpp"
#include "thalweg/river/network.hpp"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// A named layer. `source`, where set, evaluates the same layer on any grid (procedural and painted layers,
/// rasters); a stage that changes `values` by other means clears it.
struct Layer {
    Field<float> values;
    LayerSource source;  // may be empty
};

/// What a layer holds: its name, unit and meaning. All known layers are listed in layer_catalogue().
struct LayerDescription {
    std::string name;
    std::string unit;
    std::string meaning;
    bool whole_numbers = false;  // stored as integers in files (ids, orders, indices)
};
const std::vector<LayerDescription>& layer_catalogue();

/// Whether files store the layer as whole numbers.
bool holds_whole_numbers(const std::string& layer);

/// Unit of a layer; "1" for one that the catalogue does not know.
std::string layer_unit(const std::string& name);

/// Where water enters a landscape and where it leaves. A stage that is given any of these sets it for all
/// stages after it; one that is not takes it from here.
struct WaterBoundary {
    std::vector<DrainageSource> sources;  // of drainage area from beyond the map
    Field<std::uint8_t> outlets;          // 1: where alone water leaves, but for the sea; empty: nobody said
    double sea_level = -std::numeric_limits<double>::infinity();  // m; ground at or below it is sea
};

struct Landscape {
    Grid grid;
    std::uint64_t seed = 0;
    WaterBoundary boundary;
    std::map<std::string, Layer> layers;
    std::optional<RiverNetwork> rivers;
    std::optional<LakeOutlines> lakes;
    std::optional<StreamProfiles> profiles;
    std::optional<BasinOutlines> basins;      // of outlets of the terrain
    std::optional<BasinOutlines> catchments;  // of pour points
    std::optional<TerrainAnalyses> analyses;

    [[nodiscard]] bool has(const std::string& name) const { return layers.contains(name); }
    /// Throws Error::input that names the layer, those that exist, and the stages that make it.
    [[nodiscard]] const Field<float>& layer(const std::string& name) const;
    void set(const std::string& name, Field<float> values, LayerSource source = {});
};

}  // namespace thalweg
