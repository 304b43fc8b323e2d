#include "thalweg/project/meandering/wandering_rivers.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/meander/meander_metrics.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/meandering/first_rivers.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/parts/network_diagnostics.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr const char* kMeander = "meander";  // the edit of parameters

/// Parameters that say how rivers begin and how long they wander, which no edit can change any more.
constexpr std::array kOfTheStart = {"years",         "network",   "channel_width", "initial_roughness",
                                    "point_spacing", "time_step", "history_every"};

std::optional<Field<float>> ground_of(const Landscape& landscape) {
    if (!landscape.has(kElevation)) return std::nullopt;
    return landscape.layer(kElevation);
}

void describe(const MeanderReport& report, double milliseconds, Diagnostics& diagnostics) {
    const double per_step = report.steps > 0 ? milliseconds / static_cast<double>(report.steps) : 0.0;
    diagnostics.values.insert(diagnostics.values.end(), {{"points", report.points},
                                                         {"steps", report.steps},
                                                         {"ms_per_step", per_step},
                                                         {"sinuosity", report.sinuosity},
                                                         {"cutoffs", report.cutoffs},
                                                         {"avulsions", report.avulsions},
                                                         {"collisions", report.captures},
                                                         {"self_crossings", report.self_crossings}});
}

/// Wavelength of each channel, and that of all: their mean, weighted by their bends.
void describe_wavelengths(const MeanderState& state, Diagnostics& diagnostics) {
    std::vector<double> wavelengths;
    double sum = 0.0;
    double bends = 0.0;
    for (const MeanderChannel& channel : state.channels) {
        const ChannelForm form = channel_form(channel.line);
        wavelengths.push_back(form.wavelength);
        sum += static_cast<double>(form.bends) * form.wavelength;
        bends += static_cast<double>(form.bends);
    }
    diagnostics.values.emplace_back("wavelength_m", bends > 0.0 ? sum / bends : 0.0);
    diagnostics.values.emplace_back("reach_wavelengths_m", std::move(wavelengths));
}

class WanderingRivers final : public Simulation {
  public:
    WanderingRivers(const MeanderStageParameters& parameters, StageContext& context)
        : parameters_(parameters),
          rivers_(first_rivers(parameters, context), parameters.meander, ground_of(context.landscape),
                  context.landscape.seed) {
        rivers_.record();
    }

    [[nodiscard]] double time() const override { return rivers_.year(); }

    void advance(double time, Progress& progress) override {
        const Stopwatch watch;
        const double begun = rivers_.year();
        const double tolerance = 0.5 * parameters_.meander.migration.time_step;
        while (rivers_.year() + tolerance < time) {
            progress.report((rivers_.year() - begun) / (time - begun), "wandering");
            step(progress);
        }
        milliseconds_ += watch.milliseconds();
    }

    void step(Progress& progress) override {
        rivers_.step(progress);
        const double last = rivers_.history().networks.back().year;
        if (rivers_.year() - last >= parameters_.record_every * (1.0 - 1e-9)) rivers_.record();
    }

    void snapshot(StageContext& context) const override {
        RiverNetwork network = rivers_.network();
        describe(rivers_.report(), milliseconds_, context.diagnostics);
        describe_wavelengths(rivers_.state(), context.diagnostics);
        describe_network(network, summary_of(network), context.diagnostics);
        context.landscape.put(kRivers, std::move(network));
        context.landscape.put(kCourses, rivers_.history());
    }

  private:
    void apply(const std::string& command, const ValueTable& values, StageContext&) override {
        if (command != kMeander)
            throw Error::input(fmt::format("{} is no edit of meander: give meander", command));
        for (const auto& [name, value] : values.entries)
            if (std::ranges::find(kOfTheStart, name) != kOfTheStart.end())
                throw Error::input(name + " can't change once rivers wander: it belongs to the start");
        MeanderStageParameters changed = parameters_;
        parameters_of<MeanderStageParameters>().assign(&changed, values);
        MeanderState state = rivers_.state();
        state.parameters = changed.meander;
        rivers_ = MeanderSimulation(std::move(state));
        parameters_ = std::move(changed);
    }

    void save_state(ArchiveWriter& archive) const override {
        write_values(archive, parameters_of<MeanderStageParameters>().values(&parameters_));
        write_meander_state(archive, rivers_.state());
    }

    void restore_state(ArchiveReader& archive) override {
        MeanderStageParameters parameters;
        parameters_of<MeanderStageParameters>().assign(&parameters, read_values(archive));
        rivers_ = MeanderSimulation(read_meander_state(archive));
        parameters_ = std::move(parameters);
    }

    MeanderStageParameters parameters_;  // as edits have made them
    MeanderSimulation rivers_;
    double milliseconds_ = 0.0;  // of advancing, for the report
};

}  // namespace

std::unique_ptr<Simulation> simulate_wandering_rivers(const MeanderStageParameters& parameters,
                                                      StageContext& context) {
    return std::make_unique<WanderingRivers>(parameters, context);
}

}  // namespace thalweg
