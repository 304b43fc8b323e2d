#include "thalweg/project/meandering/wandering_rivers.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/meander/meander_edits.hpp"
#include "thalweg/meander/meander_metrics.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/meandering/course_layers.hpp"
#include "thalweg/project/meandering/first_rivers.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/parts/layer_edit.hpp"
#include "thalweg/project/parts/network_diagnostics.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr const char* kMeander = "meander";  // the edit of parameters

/// Parameters that say how rivers begin and how long they wander, which no edit can change any more.
constexpr std::array kOfTheStart = {
    "years",     "network", "channel_width", "initial_roughness",    "point_spacing",
    "time_step", "edits",   "history_every", "reference_erodibility"};

std::optional<Field<float>> ground_of(const Landscape& landscape) {
    if (!landscape.has(kElevation)) return std::nullopt;
    return landscape.layer(kElevation);
}

/// Erodibility of the rock over that to which wall_erodibility belongs, where there is such a layer.
std::optional<Field<float>> rock_of(const Landscape& landscape, double reference) {
    if (!landscape.has(kErodibility)) return std::nullopt;
    Field<float> ratio = landscape.layer(kErodibility);
    for (float& value : ratio) value = static_cast<float>(value / reference);
    return ratio;
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
    if (report.chutes > 0) diagnostics.values.emplace_back("chutes", report.chutes);
    if (report.bifurcations == 0 && report.branches == 0) return;
    diagnostics.values.insert(diagnostics.values.end(), {{"branches", report.branches},
                                                         {"bifurcations", report.bifurcations},
                                                         {"confluences", report.confluences},
                                                         {"closures", report.closures}});
}

/// What deltas have laid down, and what waits for a place.
void describe_deltas(const MeanderState& state, Diagnostics& diagnostics) {
    if (!state.delta_deposit) return;
    double waiting = 0.0;  // m^3
    for (const MeanderChannel& channel : state.channels) waiting += channel.delta_load;
    double laid = 0.0;  // m
    for (const float thickness : *state.delta_deposit) laid += thickness;
    diagnostics.values.insert(
        diagnostics.values.end(),
        {{"delta_m3", laid * state.delta_deposit->grid().cell_area()}, {"delta_waiting_m3", waiting}});
}

void describe_ground(const MeanderGroundReport& report, Diagnostics& diagnostics) {
    diagnostics.values.insert(diagnostics.values.end(), {{"changed_cells", report.changed_cells},
                                                         {"cut_m3", report.cut_volume},
                                                         {"filled_m3", report.filled_volume},
                                                         {"deepest_cut_m", report.deepest_cut},
                                                         {"highest_fill_m", report.highest_fill}});
}

/// Whether a line comes to places off the terrain, or without data.
bool leaves_ground(const ChannelLine& line, const Field<float>& elevation) {
    const Grid& grid = elevation.grid();
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool is_on_grid = line.x[i] >= grid.west && line.x[i] <= grid.west + grid.width() &&
                                line.y[i] <= grid.north && line.y[i] >= grid.north - grid.height();
        if (!is_on_grid || std::isnan(sample_bilinear(elevation, {.x = line.x[i], .y = line.y[i]})))
            return true;
    }
    return false;
}

/// Says what was changed of rivers that can't begin as they were given.
void tell_repairs(const MeanderState& state, std::vector<std::string>& notes) {
    std::int64_t loops = 0;
    for (const MeanderEvent& event : state.history.events)
        loops += event.year == 0.0 && event.kind == MeanderEventKind::Cutoff ? 1 : 0;
    if (loops > 0)
        notes.push_back(fmt::format(
            "{} of rivers that cross or meet themselves: cut off at the beginning, and left as oxbows",
            loops == 1 ? "a loop" : fmt::format("{} loops", loops)));
    double narrowest = std::numeric_limits<double>::infinity();
    std::int64_t beyond = 0;
    for (const MeanderChannel& channel : state.channels) {
        narrowest = std::min(narrowest, channel.width);
        beyond += state.elevation && leaves_ground(channel.line, *state.elevation) ? 1 : 0;
    }
    const double given = state.parameters.spacing;
    if (const double most = channel_spacing(narrowest); given > most)
        notes.push_back(fmt::format(
            "point_spacing = {} m is more than channels of {:.6g} m allow: their points are {:.6g} m apart",
            given, narrowest, most));
    if (beyond > 0)
        notes.push_back(
            fmt::format("{} the ground that is known: channels stay at their place there",
                        beyond == 1 ? "a channel leaves" : fmt::format("{} channels leave", beyond)));
}

/// Whether walls of valleys have been cut back, or deltas laid down.
bool is_changed(const Field<float>& ground, const Landscape& landscape) {
    const Field<float>& before = landscape.layer(kElevation);
    for (std::int64_t cell = 0; cell < ground.size(); ++cell)
        if (ground[cell] < before[cell] || ground[cell] > before[cell]) return true;
    return false;
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

/// What all channels came to, and their numbers in each recorded year.
void describe_metrics(const MeanderMetrics& metrics, Diagnostics& diagnostics) {
    const auto add = [&](const char* name, Value value) {
        diagnostics.values.emplace_back(name, std::move(value));
    };
    add("migration_m_per_yr", metrics.migration.mean);
    add("migration_p90_m_per_yr", metrics.migration.p90);
    add("cutoffs_per_century_100km", metrics.cutoff_rate);
    add("belt_width_m", metrics.belt.mean_width);
    add("belt_p90_width_m", metrics.belt.p90_width);
    const auto add_series = [&](const char* name, const auto& number_of) {
        std::vector<double> series;
        for (const NetworkMetrics& network : metrics.networks) series.push_back(number_of(network));
        add(name, std::move(series));
    };
    using Network = NetworkMetrics;
    add_series("recorded_yr", [](const Network& n) { return n.year; });
    add_series("recorded_sinuosity", [](const Network& n) { return n.whole.form.sinuosity; });
    add_series("recorded_wavelength_m", [](const Network& n) { return n.whole.form.wavelength; });
    add_series("recorded_amplitude_m", [](const Network& n) { return n.whole.form.amplitude; });
    add_series("recorded_migration_m_per_yr", [](const Network& n) { return n.whole.migration.mean; });
    add_series("recorded_cutoffs_per_century_100km", [](const Network& n) { return n.whole.cutoff_rate; });
    add_series("recorded_belt_width_m", [](const Network& n) { return n.whole.belt_width; });
}

class WanderingRivers final : public Simulation {
  public:
    WanderingRivers(const MeanderStageParameters& parameters, StageContext& context)
        : parameters_(parameters),
          rivers_(first_rivers(parameters, context), parameters.meander, ground_of(context.landscape),
                  context.landscape.seed, rock_of(context.landscape, parameters.reference_erodibility)),
          base_directory_(context.base_directory) {
        std::ranges::stable_sort(parameters_.edits, {}, &ScriptedEdit::year);
        if (!parameters_.edits.empty()) start_ = context.landscape;
        if (!parameters_.network.empty()) tell_repairs(rivers_.state(), context.diagnostics.notes);
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
        run_due_edits(progress);
        rivers_.step(progress);
        const double last = rivers_.history().networks.back().year;
        if (rivers_.year() - last >= parameters_.record_every * (1.0 - 1e-9)) rivers_.record();
    }

    void snapshot(StageContext& context) const override {
        RiverNetwork network = rivers_.network();
        describe(rivers_.report(), milliseconds_, context.diagnostics);
        describe_deltas(rivers_.state(), context.diagnostics);
        describe_wavelengths(rivers_.state(), context.diagnostics);
        describe_network(network, summary_of(network), context.diagnostics);
        context.landscape.put(kRivers, std::move(network));
        MeanderHistory history = rivers_.history();
        if (history.networks.back().year < rivers_.year()) history.networks.push_back(rivers_.recorded());
        const std::optional<Field<float>>& of_deltas = rivers_.state().delta_deposit;
        CourseLayers layers(history, of_deltas ? &*of_deltas : nullptr, parameters_.maps, context);
        layers.put();
        put_ground(layers, context);
        if (context.wanted.has(kMeanderMetrics)) put_metrics(history, context);
        context.landscape.put(kCourses, std::move(history));
    }

  private:
    void put_ground(CourseLayers& layers, StageContext& context) const {
        const auto& ground = rivers_.state().elevation;
        if (!ground) return;
        if (parameters_.shape_ground) {
            ShapedGround shaped = layers.shaped(*ground, rivers_.network(), parameters_.ground);
            describe_ground(shaped.report, context.diagnostics);
            context.landscape.set(kElevation, std::move(shaped.elevation));
        } else if (is_ground_edited_ || is_changed(*ground, context.landscape)) {
            context.landscape.set(kElevation, *ground);
        }
    }

    void apply(const std::string& command, const ValueTable& values, StageContext& context) override {
        run_due_edits(context.progress);  // those of the project come first, whenever it has been cancelled
        do_edit(command, values, context);
    }

    void do_edit(const std::string& command, const ValueTable& values, StageContext& context) {
        if (river_command(command)) return apply_command(edit_of(command, values), context);
        if (command == kMeander) return change_parameters_by(values);
        change_ground_by(layer_edit(command, values, kMeander, "one of its own commands", {kElevation}),
                         context);
    }

    void put_metrics(const MeanderHistory& history, StageContext& context) const {
        SilentPart quiet(context.progress);
        MeanderMetrics metrics = meander_metrics(history, parameters_.metrics, quiet);
        describe_metrics(metrics, context.diagnostics);
        context.landscape.put(kMeanderMetrics, std::move(metrics));
    }

    void apply_command(const RiverEdit& edit, StageContext& context) {
        if (edit.command != RiverCommand::Meander && !changes_ground(edit)) {
            MeanderState state = rivers_.state();
            apply_edit(edit, parameters_.channel_width, state);
            parameters_.meander = state.parameters;
            rivers_ = MeanderSimulation(std::move(state));
            return;
        }
        const auto [stage, values] = stage_values(edit);
        do_edit(stage, values, context);
    }

    /// Does what the project wants done by now.
    void run_due_edits(Progress& progress) {
        const double tolerance = 0.5 * parameters_.meander.migration.time_step;
        while (edits_done_ < parameters_.edits.size() &&
               parameters_.edits[edits_done_].year < rivers_.year() + tolerance) {
            const auto [year, edit] = parameters_.edits[edits_done_];
            SilentPart quiet(progress);
            StageContext context{start_, base_directory_, quiet, {}, false, {}};
            with_place(fmt::format("edit {} in year {}: ", name_of(edit.command), year),
                       [&] { apply_command(edit, context); });
            ++edits_done_;
        }
    }

    void change_ground_by(const StageUse& use, StageContext& context) {
        Landscape landscape{.grid = context.landscape.grid,
                            .seed = context.landscape.seed,
                            .datasets = context.landscape.datasets};
        MeanderState state = rivers_.state();
        if (state.elevation) landscape.set(kElevation, Field<float>(*state.elevation));
        change_ground(state, edited_layer(use, std::move(landscape), context));
        rivers_ = MeanderSimulation(std::move(state));
        is_ground_edited_ = true;
    }

    void change_parameters_by(const ValueTable& values) {
        for (const auto& [name, value] : values.entries)
            if (std::ranges::find(kOfTheStart, name) != kOfTheStart.end())
                throw Error::input(name + " can't change once rivers wander: it belongs to the start");
        MeanderStageParameters changed = parameters_;
        parameters_of<MeanderStageParameters>().assign(&changed, values);
        MeanderState state = rivers_.state();
        change_parameters(state, changed.meander);
        rivers_ = MeanderSimulation(std::move(state));
        parameters_ = std::move(changed);
    }

    void save_state(ArchiveWriter& archive) const override {
        write_values(archive, parameters_of<MeanderStageParameters>().values(&parameters_));
        archive(edits_done_, is_ground_edited_);
        write_meander_state(archive, rivers_.state());
    }

    void restore_state(ArchiveReader& archive) override {
        MeanderStageParameters parameters;
        parameters_of<MeanderStageParameters>().assign(&parameters, read_values(archive));
        std::size_t edits_done = 0;
        bool is_ground_edited = false;
        archive(edits_done, is_ground_edited);
        rivers_ = MeanderSimulation(read_meander_state(archive));
        edits_done_ = edits_done;
        is_ground_edited_ = is_ground_edited;
        parameters_ = std::move(parameters);
    }

    MeanderStageParameters parameters_;  // as edits have made them
    MeanderSimulation rivers_;
    Landscape start_ = {};        // what it began on, where the project has edits
    std::string base_directory_;  // of names of files in these
    std::size_t edits_done_ = 0;  // of the project's, in the order of their years
    bool is_ground_edited_ = false;
    double milliseconds_ = 0.0;  // of advancing, for the report
};

}  // namespace

std::unique_ptr<Simulation> simulate_wandering_rivers(const MeanderStageParameters& parameters,
                                                      StageContext& context) {
    return std::make_unique<WanderingRivers>(parameters, context);
}

}  // namespace thalweg
