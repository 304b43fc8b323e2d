#include "thalweg/project/particles/running_droplets.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/model/parameter_layers.hpp"
#include "thalweg/project/particles/exposed_rock.hpp"
#include "thalweg/project/parts/layer_edit.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kSecondsOfYear = 365.25 * 24.0 * 3600.0;  // s

ParticleParameters engine_parameters(const ParticleStageParameters& given) {
    ParticleParameters parameters = given.particles;
    parameters.rainfall = given.rainfall.number;
    parameters.sediment_depth = given.sediment_depth.number;
    parameters.soil_depth = given.soil_depth.number;
    parameters.bedrock_erodibility = given.bedrock_erodibility.number;
    parameters.bedrock_repose_slope = given.bedrock_repose_slope.number;
    parameters.pigment = given.pigment.number;
    parameters.plant_cover = given.plant_cover.number;
    return parameters;
}

/// The layers of parameters that are no numbers.
ParticleMaps maps_of(const ParticleStageParameters& given, StageContext& context) {
    const auto map = [&](const char* name, const NumberOrLayer& input) {
        return parameter_field(input, parameters_of<ParticleStageParameters>().at(name), context);
    };
    ParticleMaps maps = {.rain = map("rainfall", given.rainfall),
                         .sediment_depth = map("sediment_depth", given.sediment_depth),
                         .soil_depth = map("soil_depth", given.soil_depth),
                         .bedrock_erodibility = map("bedrock_erodibility", given.bedrock_erodibility),
                         .bedrock_repose_slope = map("bedrock_repose_slope", given.bedrock_repose_slope),
                         .plant_cover = map("plant_cover", given.plant_cover)};
    if (Field<float> pigment = map("pigment", given.pigment); !pigment.empty())
        maps.pigments.push_back(std::move(pigment));
    return maps;
}

void describe_droplets(const ParticleReport& report, bool has_soil, double seconds,
                       Diagnostics& diagnostics) {
    diagnostics.values.insert(
        diagnostics.values.end(),
        {{"cycles", report.cycles},
         {"droplets", report.droplets},
         {"moves", report.moves},
         {"moves_per_second", seconds > 0.0 ? static_cast<double>(report.moves) / seconds : 0.0},
         {"mass_error", report.sediment_error},
         {"water_error", report.water_error},
         {"sediment_in_m3", report.sediment_in},
         {"sediment_out_m3", report.sediment_out},
         {"bedrock_eroded_m3", report.bedrock_eroded},
         {"drained_share", report.drained_share},
         {"sinuosity", report.sinuosity},
         {"lake_volume_m3", report.lake_volume}});
    if (has_soil)
        diagnostics.values.insert(diagnostics.values.end(), {{"soil_error", report.soil_error},
                                                             {"soil_eroded_m3", report.soil_eroded},
                                                             {"soil_out_m3", report.soil_out}});
    if (report.cycles > 0 && report.drained_share == 0.0)
        diagnostics.notes.emplace_back("no water reaches the border: all of it stays in lakes");
}

/// Values of cells with data, scaled.
Field<float> flow_layer(const Field<float>& values, double scale, const Field<float>& elevation) {
    Field<float> layer(values.grid(), kNoData);
    for (std::int64_t cell = 0; cell < layer.size(); ++cell)
        if (!is_no_data(elevation[cell]))
            layer[cell] = static_cast<float>(scale * static_cast<double>(values[cell]));
    return layer;
}

/// Values that are painted may be beyond what is allowed; where there are none they are the least.
Field<float> within(Field<float> values, float least, float most) {
    for (float& value : values) value = is_no_data(value) ? least : std::clamp(value, least, most);
    return values;
}

/// Gives the surface, and bedrock beneath it, another pigment where that has been painted.
void paint(const Field<float>& painted, Field<float>& surface, Field<float>& bedrock) {
    for (std::int64_t cell = 0; cell < painted.size(); ++cell)
        if (painted[cell] != surface[cell]) surface[cell] = bedrock[cell] = painted[cell];
}

/// Surface and depth of lakes and sea.
void put_water(const ParticleState& state, const Field<float>& elevation, Landscape& landscape) {
    Field<float> surface(elevation.grid(), kNoData);
    Field<float> depth(elevation.grid(), 0.0F);
    const auto sea = static_cast<float>(state.parameters.sea_level);
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
        if (is_no_data(elevation[cell])) depth[cell] = kNoData;
        float level = state.parameters.sea_level > kNoSea ? sea : elevation[cell];
        if (const std::int32_t lake = state.lake[cell]; lake > 0)
            level = static_cast<float>(state.datum) + state.lakes[static_cast<std::size_t>(lake - 1)].level;
        if (!(level > elevation[cell])) continue;
        surface[cell] = level;
        depth[cell] = level - elevation[cell];
    }
    landscape.set(kWaterElevation, std::move(surface));
    landscape.set(kWaterDepth, std::move(depth));
}

class RunningDroplets final : public Simulation {
  public:
    RunningDroplets(const ParticleStageParameters& parameters, StageContext& context)
        : parameters_(parameters),
          droplets_(context.landscape.layer(kElevation), engine_parameters(parameters),
                    context.landscape.seed, maps_of(parameters, context)),
          base_directory_(context.base_directory) {
        std::ranges::stable_sort(parameters_.edits, {}, &ParticleEdit::cycle);
        if (!parameters_.edits.empty()) start_ = context.landscape;
        if (parameters.has_rock)
            rock_.emplace(context, parameters.pigment_formation, parameters.has_ground_colours);
        if (!parameters.pigment_formation.empty() || parameters.has_ground_colours) expose(context.progress);
        if (context.wanted.has(kParticleMetrics)) record();
    }

    [[nodiscard]] double time() const override { return static_cast<double>(droplets_.state().cycles); }

    void advance(double time, Progress& progress) override {
        const Stopwatch watch;
        const double begun = this->time();
        while (this->time() + 0.5 < time) {
            progress.report((this->time() - begun) / (time - begun), "running droplets");
            step(progress);
        }
        seconds_ += 1e-3 * watch.milliseconds();
    }

    void step(Progress& progress) override {
        record_where_due();  // where the cycle before was cancelled behind its droplets
        run_due_edits(progress);
        expose(progress);
        droplets_.step(progress);
        record_where_due();
    }

    void snapshot(StageContext& context) const override {
        const ParticleState& state = droplets_.state();
        const bool has_soil = parameters_.has_soil() || !state.soil.empty();
        const bool wants_metrics = context.wanted.has(kParticleMetrics);
        if (context.is_measured || wants_metrics) {
            const ParticleReport report = is_recorded() ? metrics_.records.back() : droplets_.report();
            if (context.is_measured) describe_droplets(report, has_soil, seconds_, context.diagnostics);
            if (wants_metrics) put_metrics(report, context.landscape);
        }
        const Field<float> elevation = droplets_.elevation();
        constexpr double kPerSecond = 1.0 / kSecondsOfYear;
        const auto put = [&](const char* name, const Field<float>& values, double scale) {
            if (context.wanted.has(name)) context.landscape.set(name, flow_layer(values, scale, elevation));
        };
        put("discharge", state.discharge, kPerSecond);
        put(kMomentumEast, state.momentum_east, kPerSecond);
        put(kMomentumNorth, state.momentum_south, -kPerSecond);
        for (std::size_t p = 0; p < state.pigments.size(); ++p) put(pigment_name(p), state.pigments[p], 1.0);
        if (parameters_.has_plants())
            put(kVegetation, state.plant_cover.empty() ? Field<float>(elevation.grid()) : state.plant_cover,
                1.0);
        if (context.wanted.has(kSediment)) context.landscape.set(kSediment, droplets_.sediment());
        if (has_soil && context.wanted.has(kSoil)) context.landscape.set(kSoil, droplets_.soil());
        if (context.wanted.has(kWaterDepth) || context.wanted.has(kWaterElevation))
            put_water(state, elevation, context.landscape);
        // Terrain on which no droplet has run keeps its bits, which whole units would not.
        if (state.cycles > 0 || is_edited_) context.landscape.set(kElevation, elevation);
    }

  private:
    void expose(Progress& progress) {
        if (rock_) rock_->expose(droplets_, parameters_.bedrock_erodibility.number, progress);
    }

    void apply(const std::string& command, const ValueTable& values, StageContext& context) override {
        run_due_edits(context.progress);  // those of the project come first, whenever it has been cancelled
        do_edit(command, values, context);
    }

    /// Changes droplets, parameters and records all at once or, where it throws, none of them.
    void do_edit(const std::string& command, const ValueTable& values, StageContext& context) {
        ParticleStageParameters parameters = parameters_;
        ParticleState state = droplets_.state();
        bool is_ground_changed = false;
        if (command == kParticles) {
            change_parameters(values, context, parameters, state);
        } else {
            const StageUse use =
                layer_edit(command, values, kParticles, kParticles, layers_that_edits_change());
            is_ground_changed = change_layer(use, context, state);
        }
        change_particles(state, engine_parameters(parameters));
        ParticleSimulation changed(std::move(state));
        std::optional<ParticleReport> report;
        if (is_recorded()) report = changed.report();
        droplets_ = std::move(changed);
        std::swap(parameters_, parameters);
        is_edited_ = is_edited_ || is_ground_changed;
        if (report) metrics_.records.back() = *report;
    }

    void change_parameters(const ValueTable& values, StageContext& context,
                           ParticleStageParameters& parameters, ParticleState& state) {
        check_particle_change(values);
        parameters_of<ParticleStageParameters>().assign(&parameters, values);
        ParticleMaps maps = maps_of(parameters, context);
        if (values.find("rainfall") != nullptr) state.rain = std::move(maps.rain);
        if (values.find("bedrock_erodibility") != nullptr)
            state.bedrock_erodibility = std::move(maps.bedrock_erodibility);
        if (values.find("bedrock_repose_slope") != nullptr)
            state.bedrock_repose_slope = std::move(maps.bedrock_repose_slope);
    }

    /// A map that a parameter takes from a layer.
    struct MapOfLayer {
        std::string layer;
        const Parameter* parameter;
        Field<float> ParticleState::* map;
    };

    /// Those that edits change: bedrock that is that of stage rock is none.
    [[nodiscard]] std::vector<MapOfLayer> maps_of_layers() const {
        std::vector<MapOfLayer> maps;
        const auto add = [&](const NumberOrLayer& input, const char* name,
                             Field<float> ParticleState::* map) {
            const Parameter& parameter = parameters_of<ParticleStageParameters>().at(name);
            if (is_layer_name(input.layer)) maps.push_back({input.layer, &parameter, map});
        };
        add(parameters_.rainfall, "rainfall", &ParticleState::rain);
        if (rock_) return maps;
        add(parameters_.bedrock_erodibility, "bedrock_erodibility", &ParticleState::bedrock_erodibility);
        add(parameters_.bedrock_repose_slope, "bedrock_repose_slope", &ParticleState::bedrock_repose_slope);
        return maps;
    }

    /// Whether pigments are painted, not those of stage rock.
    [[nodiscard]] bool has_own_pigment() const {
        return !droplets_.state().pigments.empty() && parameters_.pigment_formation.empty() &&
               !parameters_.has_ground_colours;
    }

    [[nodiscard]] const char* pigment_name(std::size_t number) const {
        constexpr std::array kColours = {kGroundRed, kGroundGreen, kGroundBlue};
        return parameters_.has_ground_colours ? kColours[number] : kPigment;
    }

    [[nodiscard]] std::vector<std::string> layers_that_edits_change() const {
        const ParticleState& state = droplets_.state();
        std::vector<std::string> layers = {kElevation, kSediment, kSoil};
        if (!state.plant_cover.empty()) layers.emplace_back(kVegetation);
        if (has_own_pigment()) layers.emplace_back(kPigment);
        for (const MapOfLayer& map : maps_of_layers()) layers.push_back(map.layer);
        return layers;
    }

    /// The landscape that droplets began on, with what they have made of the layers that edits change.
    [[nodiscard]] Landscape landscape_for_edit(const Landscape& start) const {
        const ParticleState& state = droplets_.state();
        Landscape landscape{.grid = start.grid, .seed = start.seed, .datasets = start.datasets};
        landscape.set(kElevation, droplets_.elevation());
        landscape.set(kSediment, droplets_.sediment());
        landscape.set(kSoil, droplets_.soil());
        if (!state.plant_cover.empty()) landscape.set(kVegetation, Field<float>(state.plant_cover));
        if (has_own_pigment()) landscape.set(kPigment, Field<float>(state.pigments[0]));
        for (const MapOfLayer& of : maps_of_layers()) landscape.set(of.layer, Field<float>(state.*of.map));
        return landscape;
    }

    /// Returns whether the ground itself has changed.
    bool change_layer(const StageUse& use, StageContext& context, ParticleState& state) const {
        const Field<float> layer = edited_layer(use, landscape_for_edit(context.landscape), context);
        const std::string name = primary_layer(*use.stage, use.parameters.get());
        if (name == kElevation) change_particle_ground(state, layer);
        if (name == kSediment) change_particle_sediment(state, layer);
        if (name == kSoil) change_particle_soil(state, layer);
        if (name == kElevation || name == kSediment || name == kSoil) return true;
        if (name == kVegetation && !state.plant_cover.empty()) state.plant_cover = within(layer, 0.0F, 1.0F);
        if (name == kPigment && has_own_pigment())
            paint(within(layer, 0.0F, 1.0F), state.pigments[0], state.bedrock_pigments[0]);
        for (const MapOfLayer& of : maps_of_layers())
            if (name == of.layer)
                state.*of.map = within(layer, static_cast<float>(of.parameter->notes.minimum),
                                       static_cast<float>(of.parameter->notes.maximum));
        return false;
    }

    /// Does what the project wants done by now.
    void run_due_edits(Progress& progress) {
        while (edits_done_ < parameters_.edits.size() &&
               parameters_.edits[edits_done_].cycle <= droplets_.state().cycles) {
            const ParticleEdit edit = parameters_.edits[edits_done_];
            SilentPart quiet(progress);
            StageContext context{start_, base_directory_, quiet, {}, false, {}};
            with_place(fmt::format("edit at cycle {}: ", edit.cycle),
                       [&] { do_edit(edit.stage, values_of(edit), context); });
            ++edits_done_;
        }
    }

    void save_state(ArchiveWriter& archive) const override {
        write_values(archive, parameters_of<ParticleStageParameters>().values(&parameters_));
        archive(is_edited_, edits_done_);
        write_dataset(archive, Dataset(metrics_));
        write_particle_state(archive, droplets_.state());
    }

    void restore_state(ArchiveReader& archive) override {
        ParticleStageParameters parameters;
        parameters_of<ParticleStageParameters>().assign(&parameters, read_values(archive));
        bool is_edited = false;
        std::size_t edits_done = 0;
        archive(is_edited, edits_done);
        const Dataset metrics = read_dataset(archive);
        if (metrics.as<ParticleMetrics>() == nullptr)
            throw std::runtime_error("droplets were saved without their records");
        ParticleState state = read_particle_state(archive);
        if (state.elevation.grid() != droplets_.state().elevation.grid())
            throw std::runtime_error("droplets were saved on another grid");
        state.parameters = engine_parameters(parameters);
        droplets_ = ParticleSimulation(std::move(state));
        parameters_ = std::move(parameters);
        is_edited_ = is_edited;
        edits_done_ = edits_done;
        metrics_ = *metrics.as<ParticleMetrics>();
    }

    /// Whether there is a record of this cycle.
    [[nodiscard]] bool is_recorded() const {
        return !metrics_.records.empty() && metrics_.records.back().cycles == droplets_.state().cycles;
    }

    void record() { metrics_.records.push_back(droplets_.report()); }

    void record_where_due() {
        const bool is_due = droplets_.state().cycles % parameters_.metrics_every == 0;
        if (!metrics_.records.empty() && is_due && !is_recorded()) record();
    }

    /// The records so far, and `report`, that of now.
    void put_metrics(const ParticleReport& report, Landscape& landscape) const {
        ParticleMetrics metrics = metrics_;
        if (!is_recorded()) metrics.records.push_back(report);
        landscape.put(kParticleMetrics, std::move(metrics));
    }

    ParticleStageParameters parameters_;  // as edits have made them
    ParticleSimulation droplets_;
    std::optional<ExposedRock> rock_;  // that bedrock is of
    ParticleMetrics metrics_;          // from the first cycle on, where they are wanted
    Landscape start_ = {};             // that it began on, where the project has edits
    std::string base_directory_;       // of names of files in these
    std::size_t edits_done_ = 0;       // of the project's, in the order of their cycles
    bool is_edited_ = false;           // whether an edit has changed heights
    double seconds_ = 0.0;             // of advancing, for the report
};

}  // namespace

std::unique_ptr<Simulation> simulate_droplets(const ParticleStageParameters& parameters,
                                              StageContext& context) {
    return std::make_unique<RunningDroplets>(parameters, context);
}

}  // namespace thalweg
