#include "thalweg/project/landscape.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {

const Field<float>& Landscape::layer(const std::string& name) const {
    if (const auto* const found = find<Layer>(name)) return found->values;
    const std::vector<std::string> makers = stages_that_write(name);
    const std::string hint =
        makers.empty() ? std::string() : fmt::format("; made by stage {}", fmt::join(makers, ", "));
    const std::vector<std::string> present = layer_names();
    throw Error::input(fmt::format("there is no layer \"{}\"{}; present are: {}", name, hint,
                                   present.empty() ? "none" : fmt::format("{}", fmt::join(present, ", "))));
}

void Landscape::set(const std::string& name, Field<float> values, LayerSource source) {
    put(name, Layer{std::move(values), std::move(source)});
}

Layer Landscape::take_layer(const std::string& name) {
    const auto found = datasets.find(name);
    assert(found != datasets.end() && found->second.as<Layer>() != nullptr);
    Dataset taken = std::move(found->second);
    datasets.erase(found);
    return std::move(taken).release<Layer>();
}

std::vector<std::string> Landscape::layer_names() const {
    std::vector<std::string> names;
    for (const auto& [name, dataset] : datasets)
        if (dataset.as<Layer>() != nullptr) names.push_back(name);
    return names;
}

const WaterBoundary& Landscape::boundary() const {
    static const WaterBoundary open;
    const auto* const found = find<WaterBoundary>(kWaterBoundary);
    return found == nullptr ? open : *found;
}

void Landscape::set_boundary(WaterBoundary boundary) {
    put(kWaterBoundary, std::move(boundary));
}

}  // namespace thalweg
