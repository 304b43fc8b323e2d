#include "thalweg/project/parts/simulated_stage.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/history.hpp"
#include "thalweg/project/stage_time.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace thalweg {
namespace {

constexpr double kAdvancingShare = 0.9;  // of the progress; the rest is for what the landscape shows of it

/// A simulation that answers for one time after another.
class SimulatedStage {
  public:
    SimulatedStage(const Stage& stage, const void* parameters)
        : stage_(stage), parameters_(stage.copy_parameters(parameters)) {
        if (stage.parameters->find(kHistoryEvery) != nullptr)
            every_ = number_of(stage, kHistoryEvery, parameters);
    }

    void begin(StageContext& context) {
        simulation_ = stage_.simulate(parameters_.get(), context);
        history_ = {};
        recorded_ = 0;
    }

    /// What the stage leaves at `time`, in the context's landscape.
    void run(double time, StageContext& context) {
        const Stopwatch watch;
        if (!simulation_ || time < simulation_->time()) begin(context);
        ProgressPart advancing(context.progress, 0.0, kAdvancingShare);
        if (every_ > 0.0 && context.wanted.has(kHistory)) record_until(time, context, advancing);
        simulation_->advance(time, advancing);
        context.diagnostics.phases_ms.emplace_back(stage_.name, watch.milliseconds());
        ProgressPart showing(context.progress, kAdvancingShare, 1.0);
        show(context, showing);
        if (!history_.times().empty()) context.landscape.put(kHistory, history_);
        const auto cells = static_cast<double>(context.landscape.grid.cells());
        context.diagnostics.values.emplace_back("cells_per_second", cells * 1000.0 / watch.milliseconds());
    }

  private:
    void show(StageContext& context, Progress& progress) const {
        StageContext part{
            context.landscape,   context.base_directory, progress, std::move(context.diagnostics),
            context.is_measured, context.wanted};
        simulation_->snapshot(part);
        context.diagnostics = std::move(part.diagnostics);
    }

    /// Takes the snapshots of the history that are due until `time`.
    void record_until(double time, const StageContext& context, Progress& progress) {
        const double begun = simulation_->time();
        for (; static_cast<double>(recorded_) * every_ <= time; ++recorded_) {
            const double next = static_cast<double>(recorded_) * every_;
            const auto share = [&](double t) { return time > begun ? (t - begun) / (time - begun) : 1.0; };
            ProgressPart part(progress, share(simulation_->time()), share(next));
            simulation_->advance(next, part);
            Landscape landscape = context.landscape;
            SilentPart quiet(progress);
            StageContext shown{landscape, context.base_directory, quiet, {}, false, context.wanted};
            simulation_->snapshot(shown);
            std::map<std::string, Dataset> datasets;
            for (const auto& [name, dataset] : landscape.datasets)
                if (name != kHistory && std::ranges::find(stage_.writes, name) != stage_.writes.end())
                    datasets.emplace(name, dataset);
            history_.add(next, datasets);
        }
    }

    Stage stage_;
    std::shared_ptr<void> parameters_;
    double every_ = 0.0;  // time between snapshots of the history
    std::unique_ptr<Simulation> simulation_;
    History history_;
    std::int64_t recorded_ = 0;  // snapshots of it
};

}  // namespace

Stage simulated(Stage stage) {
    stage.run = [stage](const void* parameters, StageContext& context) {
        SimulatedStage(stage, parameters).run(time_of(stage, parameters), context);
    };
    stage.at_times = [stage](const void* parameters, StageContext& context) -> StageAtTime {
        const auto simulated = std::make_shared<SimulatedStage>(stage, parameters);
        simulated->begin(context);
        return [simulated](double time, StageContext& frame) {
            frame.is_measured = false;
            simulated->run(time, frame);
        };
    };
    return stage;
}

}  // namespace thalweg
