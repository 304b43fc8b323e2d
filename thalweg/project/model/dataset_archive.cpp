#include "thalweg/project/model/dataset_archive.hpp"

#include "thalweg/project/model/dataset_members.hpp"

#include <tuple>
#include <type_traits>

namespace thalweg {

void visit_members(ArchiveWriter& archive, const History& history) {
    archive(history.times(), history.changes().size());
    for (const auto& [name, changes] : history.changes()) {
        archive(name, changes.size());
        for (const auto& change : changes) {
            archive(change->snapshot, change->changed, change->values, change->whole.has_value());
            if (change->whole) write_dataset(archive, *change->whole);
        }
    }
}

void visit_members(ArchiveReader& archive, History& history) {
    std::vector<double> times;
    std::size_t names = 0;
    archive(times, names);
    HistoryChanges changes;
    for (std::size_t i = 0; i < names; ++i) {
        std::string name;
        std::size_t count = 0;
        archive(name, count);
        for (std::size_t k = 0; k < count; ++k) {
            HistoryChange change;
            bool is_whole = false;
            archive(change.snapshot, change.changed, change.values, is_whole);
            if (is_whole) change.whole = read_dataset(archive);
            changes[name].push_back(std::make_shared<const HistoryChange>(std::move(change)));
        }
    }
    history = History(std::move(times), std::move(changes));
}

namespace {

/// The types that datasets have; a type's place in the list stands for it in archives.
using DatasetTypes = std::tuple<Layer, WaterBoundary, RiverNetwork, LakeOutlines, BasinOutlines,
                                StreamProfiles, TerrainAnalyses, History, Rock, MeanderHistory,
                                MeanderMetrics, RiverBeds, FlowingWater, CountryAround, ParticleMetrics>;
constexpr std::size_t kTypes = std::tuple_size_v<DatasetTypes>;

/// Gives body(number, type) each of the types, as std::type_identity, until it returns true; returns whether
/// it did.
template <class Body, std::size_t... number>
bool any_type(const Body& body, std::index_sequence<number...>) {
    return (body(number, std::type_identity<std::tuple_element_t<number, DatasetTypes>>{}) || ...);
}
template <class Body>
bool any_type(const Body& body) {
    return any_type(body, std::make_index_sequence<kTypes>{});
}

}  // namespace

bool can_be_archived(const Dataset& dataset) {
    return any_type([&]<class T>(std::size_t, std::type_identity<T>) { return dataset.as<T>() != nullptr; });
}

bool is_archived_whole(const Dataset& dataset) {
    const Layer* const layer = dataset.as<Layer>();
    return layer == nullptr || !layer->source;
}

void write_dataset(ArchiveWriter& archive, const Dataset& dataset) {
    any_type([&]<class T>(std::size_t number, std::type_identity<T>) {
        const T* const value = dataset.as<T>();
        if (value != nullptr) archive(number, *value);
        return value != nullptr;
    });
}

Dataset read_dataset(ArchiveReader& archive) {
    std::size_t type = 0;
    archive(type);
    std::optional<Dataset> dataset;
    any_type([&]<class T>(std::size_t number, std::type_identity<T>) {
        if (number != type) return false;
        T value;
        archive(value);
        dataset.emplace(std::move(value));
        return true;
    });
    if (!dataset) throw std::runtime_error("an archive holds a dataset of no known type");
    return *std::move(dataset);
}

void write_diagnostics(ArchiveWriter& archive, const Diagnostics& diagnostics) {
    archive(diagnostics);
}

Diagnostics read_diagnostics(ArchiveReader& archive) {
    Diagnostics diagnostics;
    archive(diagnostics);
    return diagnostics;
}

void write_meander_state(ArchiveWriter& archive, const MeanderState& state) {
    archive(state);
}

MeanderState read_meander_state(ArchiveReader& archive) {
    MeanderState state;
    archive(state);
    return state;
}

void write_particle_state(ArchiveWriter& archive, const ParticleState& state) {
    archive(state);
}

ParticleState read_particle_state(ArchiveReader& archive) {
    ParticleState state;
    archive(state);
    return state;
}

void write_values(ArchiveWriter& archive, const ValueTable& values) {
    archive(values);
}

ValueTable read_values(ArchiveReader& archive) {
    ValueTable values;
    archive(values);
    return values;
}

}  // namespace thalweg
