#include "thalweg/project/stage_result.hpp"

#include "thalweg/project/history.hpp"
#include "thalweg/project/model/shared_drainage.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <set>

namespace thalweg {

StageResult run_stage_noted(const StageUse& use, const StageRun& how, Landscape& landscape,
                            Progress& progress) {
    std::map<std::string, Dataset::Identity> given;
    for (const auto& [name, dataset] : landscape.datasets) given.emplace(name, dataset.identity());
    StageResult result;
    result.report = run_stage(use, how, landscape, progress);
    std::set<std::string> present;
    for (const auto& [name, identity] : given) present.insert(name);
    for (const std::string& name : all_outputs_of(use, present)) {
        const auto before = given.find(name);
        const auto after = landscape.datasets.find(name);
        if (after == landscape.datasets.end()) {
            if (before != given.end()) result.datasets.emplace(name, std::nullopt);
        } else if (before == given.end() || !after->second.is(before->second)) {
            result.datasets.emplace(name, after->second);
        }
    }
    return result;
}

std::int64_t bytes_of_layers(const StageResult& result) {
    std::int64_t bytes = 0;
    for (const auto& [name, dataset] : result.datasets) {
        if (const Layer* const layer = dataset ? dataset->as<Layer>() : nullptr)
            bytes += layer->values.size() * static_cast<std::int64_t>(sizeof(float));
        if (const History* const history = dataset ? dataset->as<History>() : nullptr)
            bytes += history->layer_bytes();
        if (const Drainage* const drainage = dataset ? dataset->as<Drainage>() : nullptr)
            bytes += bytes_of(*drainage);
    }
    return bytes;
}

void take_result(const StageResult& result, Landscape& landscape) {
    for (const auto& [name, dataset] : result.datasets) {
        if (dataset)
            landscape.datasets.insert_or_assign(name, *dataset);
        else
            landscape.datasets.erase(name);
    }
}

}  // namespace thalweg
