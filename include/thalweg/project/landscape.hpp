// Landscape: a grid with named datasets.
#pragma once

#include "thalweg/erosion/drainage_source.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/layer_source.hpp"
#include "thalweg/project/dataset.hpp"

#include <cassert>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace thalweg {

/// A dataset of values of cells. `source`, where set, evaluates the same layer on any grid (procedural and
/// painted layers, rasters); a stage that changes `values` by other means clears it.
struct Layer {
    Field<float> values;
    LayerSource source;  // may be empty
};

/// Where water enters a landscape and where it leaves. A stage that is given any of these sets it for all
/// stages after it; one that is not takes it from here.
struct WaterBoundary {
    std::vector<DrainageSource> sources;  // of drainage area from beyond the map
    Field<std::uint8_t> outlets;          // 1: where alone water leaves, but for the sea; empty: nobody said
    double sea_level = -std::numeric_limits<double>::infinity();  // m; ground at or below it is sea
};

/// What covers the country around a window, for pictures that look beyond it: layers of the landscape that
/// the window was taken of.
struct CountryAround {
    std::vector<std::string> names;
    std::vector<Field<float>> values;  // on that landscape's grid, in the order of the names
};

/// What all stages work on. Copies share their datasets. dataset_catalogue() lists the names that stages use,
/// with their types; any other name may be a layer.
///
/// Example:
///     Landscape land = {.grid = grid, .seed = seed};
///     land.set("elevation", Field<float>(grid, 100.0F));
///     const Field<float>& elevation = land.layer("elevation");
struct Landscape {
    Grid grid;
    std::uint64_t seed = 0;
    std::map<std::string, Dataset> datasets;

    [[nodiscard]] bool has(const std::string& name) const { return datasets.contains(name); }

    /// The dataset of that name; null where there is none. It must be a T.
    template <class T>
    [[nodiscard]] const T* find(const std::string& name) const {
        const auto found = datasets.find(name);
        assert(found == datasets.end() || found->second.as<T>() != nullptr);
        return found == datasets.end() ? nullptr : found->second.as<T>();
    }
    /// The same, which must be there.
    template <class T>
    [[nodiscard]] const T& get(const std::string& name) const {
        const T* const found = find<T>(name);
        assert(found != nullptr);
        return *found;
    }
    template <class T>
    void put(const std::string& name, T value) {
        datasets.insert_or_assign(name, Dataset(std::move(value)));
    }

    /// Throws Error::input that names the layer, those that exist, and the stages that make it.
    [[nodiscard]] const Field<float>& layer(const std::string& name) const;
    void set(const std::string& name, Field<float> values, LayerSource source = {});
    /// Takes a layer out, which must be there, to put another in its place.
    [[nodiscard]] Layer take_layer(const std::string& name);
    [[nodiscard]] std::vector<std::string> layer_names() const;

    /// Dataset kWaterBoundary; where there is none, water enters nowhere and leaves over the edges.
    [[nodiscard]] const WaterBoundary& boundary() const;
    void set_boundary(WaterBoundary boundary);
};

}  // namespace thalweg
