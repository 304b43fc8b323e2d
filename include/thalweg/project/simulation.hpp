// Simulation: a stage whose landscape comes about step by step.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/project/binary_archive.hpp"
#include "thalweg/project/stage.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// Something that was done to a simulation between two of its steps.
struct SimulationEdit {
    double time = 0.0;    // of the stage (Stage::time)
    std::string command;  // one that the simulation knows
    ValueTable values;
};

/// A stage under way on a landscape (Stage::simulate). It goes forward only, each step depending on the last.
/// The same edits at the same times give the same bits, in however many calls, and however often it was
/// cancelled or saved in between.
///
/// Example:
///     const Stage& stage = find_stage("rain");
///     const std::shared_ptr<void> parameters = stage.make_parameters();
///     const std::unique_ptr<Simulation> rain = stage.simulate(parameters.get(), context);
///     rain->advance(500.0, context.progress);  // events
///     rain->snapshot(context);
class Simulation {
  public:
    Simulation() = default;
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;
    virtual ~Simulation() = default;

    /// How far it has come, in the unit of the stage's time.
    [[nodiscard]] virtual double time() const = 0;

    /// Goes on until `time`; does nothing where it has come so far. Throws Cancelled, after which advancing
    /// again goes on from there; snapshots and states that were taken in between are none of a time.
    virtual void advance(double time, Progress& progress) = 0;

    /// Goes on by the least that it can: an event, a step of time.
    virtual void step(Progress& progress) = 0;

    /// Changes it from now on, and records that. `context` has the landscape that it began on. Throws
    /// Error::input for a command or values that it does not take; it is then what it was.
    void edit(const std::string& command, const ValueTable& values, StageContext& context);

    /// All edits, those before it was restored too, in the order of their times.
    [[nodiscard]] const std::vector<SimulationEdit>& edits() const { return edits_; }

    /// Leaves in the context's landscape, which is the one that it began on, what the stage leaves at time().
    virtual void snapshot(StageContext& context) const = 0;

    /// Everything that time and edits have changed.
    void save(ArchiveWriter& archive) const;

    /// Goes on from what one that began alike has saved. Throws std::runtime_error for other bytes.
    void restore(ArchiveReader& archive);

  private:
    virtual void apply(const std::string& command, const ValueTable& values, StageContext& context) = 0;
    virtual void save_state(ArchiveWriter& archive) const = 0;
    virtual void restore_state(ArchiveReader& archive) = 0;

    std::vector<SimulationEdit> edits_;
};

/// Goes on to `time` and does again what another simulation has recorded up to then; earlier edits are those
/// that it has had. `context` as in Simulation::edit.
void replay(Simulation& simulation, const std::vector<SimulationEdit>& edits, double time,
            StageContext& context);

}  // namespace thalweg
