#include "thalweg/project/simulation.hpp"

#include "thalweg/project/model/dataset_archive.hpp"

namespace thalweg {

void Simulation::edit(const std::string& command, const ValueTable& values, StageContext& context) {
    advance(time(), context.progress);  // what a cancelled step has left
    apply(command, values, context);
    edits_.push_back({time(), command, values});
}

void Simulation::save(ArchiveWriter& archive) const {
    archive(edits_.size());
    for (const SimulationEdit& edit : edits_) {
        archive(edit.time, edit.command);
        write_values(archive, edit.values);
    }
    save_state(archive);
}

void Simulation::restore(ArchiveReader& archive) {
    std::size_t count = 0;
    archive(count);
    std::vector<SimulationEdit> edits;
    for (std::size_t i = 0; i < count; ++i) {
        SimulationEdit& edit = edits.emplace_back();
        archive(edit.time, edit.command);
        edit.values = read_values(archive);
    }
    restore_state(archive);
    edits_ = std::move(edits);
}

void replay(Simulation& simulation, const std::vector<SimulationEdit>& edits, double time,
            StageContext& context) {
    for (std::size_t i = simulation.edits().size(); i < edits.size() && edits[i].time <= time; ++i) {
        simulation.advance(edits[i].time, context.progress);
        simulation.edit(edits[i].command, edits[i].values, context);
    }
    simulation.advance(time, context.progress);
}

}  // namespace thalweg
