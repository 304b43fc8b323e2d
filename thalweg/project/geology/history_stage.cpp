#include "thalweg/project/geology/history_stage.hpp"

#include "thalweg/erosion/erosion_inputs.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/geology/rock_surface.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/model/parameter_layers.hpp"
#include "thalweg/project/parts/drainage.hpp"
#include "thalweg/project/parts/layer_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

ErosionInputs inputs_of(const HistoryStageParameters& parameters, StageContext& context) {
    ErosionInputs inputs;
    inputs.grid = context.landscape.grid;
    inputs.elevation = input_source({.number = 0.0, .layer = kElevation}, context);
    inputs.uplift = parameter_source(parameters.uplift_map,
                                     parameters_of<HistoryStageParameters>().at("uplift_map"), context);
    const WaterBoundary& boundary = share_boundary(parameters, context.landscape);
    inputs.sources = boundary.sources;
    inputs.boundary = outlets(context.landscape.layer(kElevation), boundary);
    return inputs;
}

/// The landscape's rock with its body, or none.
struct LaidRock {
    Rock rock;
    std::shared_ptr<const RockBody> body;
};

LaidRock rock_of(const Landscape& landscape) {
    const Rock* const rock = landscape.find<Rock>(kRock);
    if (rock == nullptr) return {};
    return {*rock, std::make_shared<const RockBody>(rock->parameters, rock->seed, rock->maps)};
}

/// Of every grid that is asked for, its columns are found once.
ErodibilityOfRock erodibility_of(const LaidRock& laid) {
    if (!laid.body) return {};
    const auto found = std::make_shared<std::list<RockColumns>>();
    return [laid, found](const Field<float>& z, Progress& progress) {
        const auto is_same = [&](const RockColumns& columns) { return columns.base.grid() == z.grid(); };
        auto columns = std::ranges::find_if(*found, is_same);
        if (columns == found->end())
            columns = found->insert(found->end(), laid.body->columns(z.grid(), progress));
        return erodibility_of(laid.rock, laid.body->at(*columns, z, progress));
    };
}

/// Those of the table, or of the preset where there is none.
std::vector<UpliftEpisode> episodes_of(const HistoryStageParameters& parameters) {
    return parameters.episodes.empty() ? episodes_of(parameters.preset) : parameters.episodes;
}

/// When the last episode ends, yr.
double end_of(const HistoryStageParameters& parameters) {
    double end = 0.0;
    for (const UpliftEpisode& episode : episodes_of(parameters)) end += episode.duration;
    return end;
}

/// Refuses what a map lets painted episodes do.
void check_painted(const std::vector<UpliftEpisode>& episodes, const ErosionInputs& inputs,
                   Progress& progress) {
    if (std::ranges::find(episodes, UpliftPattern::Painted, &UpliftEpisode::pattern) == episodes.end())
        return;
    double most = 0.0;
    for (const float value : inputs.uplift(inputs.grid, progress))
        if (!is_no_data(value)) most = std::max(most, std::abs(static_cast<double>(value)));
    check_episodes(episodes, most);
}

HistoryParameters history_of(const HistoryStageParameters& parameters, const Landscape& landscape) {
    HistoryParameters history{parameters.start, parameters.start_uplift, episodes_of(parameters)};
    if (parameters.start == HistoryStart::Terrain && landscape.has(kRockUplift))
        history.risen = landscape.layer(kRockUplift);
    return history;
}

std::shared_ptr<ErosionHistory> begun(const HistoryStageParameters& parameters, const LaidRock& laid,
                                      StageContext& context) {
    ErosionParameters erosion;
    erosion.law = parameters.law;
    erosion.law.erodibility = parameters.erodibility;
    erosion.diagnostics = false;
    ErosionInputs inputs = inputs_of(parameters, context);
    check_painted(parameters.episodes, inputs, context.progress);
    return std::make_shared<ErosionHistory>(std::move(inputs), history_of(parameters, context.landscape),
                                            erosion, erodibility_of(laid),
                                            variant_seed(context.landscape.seed, parameters.variant));
}

/// Leaves the ground, how far its rock has risen, and what rock that is.
void set_layers(Field<float> elevation, const Field<float>& risen, const LaidRock& laid,
                StageContext& context) {
    Field<float> z = elevation;
    for (std::int64_t cell = 0; cell < z.size(); ++cell) z[cell] -= risen[cell];
    context.landscape.set(kElevation, std::move(elevation));
    context.landscape.set(kRockUplift, risen);
    if (laid.body) set_rock_layers(laid.rock, *laid.body, z, {}, context);
}

/// Tells of faults and domes that lie beside the map.
void note_centres(const std::vector<UpliftEpisode>& episodes, StageContext& context) {
    const Grid& grid = context.landscape.grid;
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        const std::vector<double>& centre = episodes[i].centre;
        if (centre.empty()) continue;
        const double column = grid.column_at(centre[0]) + 0.5;
        const double row = grid.row_at(centre[1]) + 0.5;
        if (column >= 0.0 && column <= grid.columns && row >= 0.0 && row <= grid.rows) continue;
        context.diagnostics.notes.push_back(fmt::format(
            "episode {}: its centre, {:.10g}, {:.10g} m, lies beside the map", i + 1, centre[0], centre[1]));
    }
}

/// Tells of a time at which the history has long been over.
void note_end(double time, double end, Diagnostics& diagnostics) {
    if (time > end && std::isfinite(time))
        diagnostics.notes.push_back(fmt::format(
            "time = {:.10g} yr is after the last episode: the history ends after {:.10g} yr", time, end));
}

StageAtTime history_at_times(const void* stage_parameters, StageContext& context) {
    const auto& parameters = *static_cast<const HistoryStageParameters*>(stage_parameters);
    const LaidRock laid = rock_of(context.landscape);
    const auto history = begun(parameters, laid, context);
    note_centres(parameters.episodes, context);
    return [history, laid](double time, StageContext& frame) {
        note_end(time, history->duration(), frame.diagnostics);
        Field<float> elevation = history->at(time, frame.progress);
        set_layers(std::move(elevation), history->risen(), laid, frame);
    };
}

void run(const HistoryStageParameters& parameters, StageContext& context) {
    history_at_times(&parameters, context)(parameters.time, context);
}

void check(const HistoryStageParameters& parameters) {
    check_episodes(parameters.episodes);
}

}  // namespace

void HistoryStageParameters::declare(Declaration<HistoryStageParameters>& d) {
    d.choice("preset", &HistoryStageParameters::preset,
             {{"rising_block", HistoryPreset::RisingBlock, "A block rises behind a fault."},
              {"tilted_block", HistoryPreset::TiltedBlock, "The ground tilts up towards one side."},
              {"dome", HistoryPreset::Dome, "A dome rises."},
              {"pulses", HistoryPreset::Pulses, "Two pulses of a block with a quiet time between."},
              {"decay", HistoryPreset::Decay, "A block rises, then wears down."}},
             {.label = "History",
              .group = "Uplift and climate",
              .unit = "",
              .sentence = "Episodes that are taken where none are given."});
    d.tables("episodes", &HistoryStageParameters::episodes,
             {.label = "Episodes",
              .group = "Uplift and climate",
              .unit = "",
              .sentence = "Spans of time with uplift and climate of their own, one after another."});
    d.number_or_layer(
        "uplift_map", &HistoryStageParameters::uplift_map,
        {.label = "Map of uplift",
         .group = "Uplift and climate",
         .unit = "1",
         .sentence = "How uplift of painted episodes is spread: a number, a layer that was painted, or "
                     "a raster; where it is 1 the ground rises at the episode's rate.",
         .minimum = -1e3,
         .maximum = 1e3,
         .usual = {0.0, 1.0}});
    d.number("time", &HistoryStageParameters::time,
             {.label = "Time",
              .group = "Time",
              .unit = "yr",
              .sentence = "Years since the first episode began; inf takes all of them.",
              .minimum = 0.0,
              .maximum = kMostTime,
              .usual = {0.0, 2e6},
              .infinity_allowed = true});
    d.choice(
        "start", &HistoryStageParameters::start,
        {{"steady", HistoryStart::Steady, "The steady state of even uplift on the terrain that is given."},
         {"terrain", HistoryStart::Terrain, "The terrain that is given."}},
        {.label = "Start", .group = "Time", .unit = "", .sentence = "What the first episode begins with."});
    d.number("start_uplift", &HistoryStageParameters::start_uplift,
             {.label = "Uplift before",
              .group = "Uplift and climate",
              .unit = "m/yr",
              .sentence = "Even uplift of the steady state.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {1e-5, 5e-3, SliderScale::Logarithmic},
              .minimum_excluded = true,
              .enabled_when = {equals("start", {"steady"})}});
    d.number("erodibility", &HistoryStageParameters::erodibility,
             {.label = "Erodibility",
              .group = "Stream power",
              .unit = "m^(1-2m)/yr",
              .sentence = "How fast rivers cut where stage `rock` has laid out no rock.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {1e-7, 1e-3, SliderScale::Logarithmic},
              .minimum_excluded = true});
    d.include(&HistoryStageParameters::law, {"base_slope"});  // none at steady state
    declare_sources(d);
    declare_sea_level(d);
    declare_variant(d);
}

Stage history_stage() {
    Stage stage = make_stage<HistoryStageParameters>(
        {
            .name = "history",
            .summary = "Takes the terrain through episodes of uplift, over the rock that each lays open.",
            .description =
                "First the steady state of a slow even uplift, then episodes in which blocks, tilted ground "
                "or "
                "domes rise, each cut into increments of 150 m of uplift at most. After every increment the "
                "rock of stage `rock` is looked up anew at the ground that was reached: hard beds stand out "
                "where they come up. Without rock the law's own erodibility holds everywhere. It leaves "
                "rock_uplift, how far the rock has risen, and erodibility, formation and critical_slope at "
                "the ground.",
            .reads = {kElevation},
            .reads_if_present = {kRock, kWaterBoundary, kRockUplift},
            .writes = {kElevation, kRockUplift, kErodibility, kFormation, kCriticalSlope},
            .settings = {kWaterBoundary},
            .gives_settings =
                [](const void* parameters) {
                    return gives_sea_or_sources(*static_cast<const HistoryStageParameters*>(parameters));
                },
            .on_request = {kRockUplift, kFormation, kCriticalSlope},
            .primary = kElevation,
            .bytes_per_cell = 300.0,  // erode.hpp, the rock's columns, and what ErosionHistory keeps
        },
        run, check);
    stage.at_times = history_at_times;
    stage.time.end = [](const void* parameters) {
        return end_of(*static_cast<const HistoryStageParameters*>(parameters));
    };
    return stage;
}

}  // namespace thalweg
