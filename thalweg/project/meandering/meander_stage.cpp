#include "thalweg/project/meandering/meander_stage.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/meandering/course_layers.hpp"
#include "thalweg/project/meandering/wandering_rivers.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/parts/layer_edit.hpp"
#include "thalweg/project/parts/simulated_stage.hpp"

#include <algorithm>

namespace thalweg {

void MeanderStageParameters::declare(Declaration<MeanderStageParameters>& d) {
    d.number("years", &MeanderStageParameters::years,
             {.label = "Years",
              .group = "Time",
              .unit = "yr",
              .sentence = "How long rivers wander.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {10.0, 2000.0, SliderScale::Logarithmic}});
    d.file(
        "network", &MeanderStageParameters::network,
        {.label = "River file",
         .group = "Network",
         .unit = "",
         .sentence = "Rivers to begin with: a network as the stage rivers writes it, lines of a vector file "
                     "(with an attribute width_m, or not), or a .csv with the columns x_m, y_m and width_m; "
                     "empty: the landscape's rivers.",
         .holds_lines = true});
    d.number("channel_width", &MeanderStageParameters::channel_width,
             {.label = "Width of lines",
              .group = "Network",
              .unit = "m",
              .sentence = "Width of rivers that come as lines without one.",
              .minimum = 0.1,
              .maximum = 1e5,
              .usual = {5.0, 1000.0, SliderScale::Logarithmic}});
    d.include(&MeanderStageParameters::meander);
    d.number(
        "reference_erodibility", &MeanderStageParameters::reference_erodibility,
        {.label = "Erodibility of ordinary rock",
         .group = "Migration",
         .unit = "m^(1-2m)/yr",
         .sentence = "Where the landscape has a layer erodibility, valley walls have wall_erodibility times "
                     "that layer over this.",
         .minimum = 0.0,
         .maximum = 1.0,
         .usual = {1e-6, 1e-4, SliderScale::Logarithmic},
         .source = "Tzathas et al. 2024, table 1",
         .minimum_excluded = true,
         .is_advanced = true});
    d.include(&MeanderStageParameters::maps);
    d.boolean("shape_ground", &MeanderStageParameters::shape_ground,
              {.label = "Shape the ground",
               .group = "Ground",
               .unit = "",
               .sentence = "Whether elevation has the rivers in it afterwards: beds and banks, scars of "
                           "oxbows, levelled belts and deposits.",
               .source = "Paris et al. 2023, section 7"});
    d.include(&MeanderStageParameters::ground);
    d.include(&MeanderStageParameters::metrics);
    d.tables("edits", &MeanderStageParameters::edits,
             {.label = "Edits",
              .group = "Control",
              .unit = "",
              .sentence = "What is done to rivers and ground while they wander, in the order of its years; "
                          "of one year, as it stands here."});
    d.number(
        "record_every", &MeanderStageParameters::record_every,
        {.label = "Years between recorded courses",
         .group = "Time",
         .unit = "yr",
         .sentence = "From one course of the rivers to the next that is kept; maps of what they leave are "
                     "made of these.",
         .minimum = 0.1,
         .maximum = 1e6,
         .usual = {1.0, 50.0, SliderScale::Logarithmic}});
    d.number("history_every", &MeanderStageParameters::history_every,
             {.label = "Years between snapshots",
              .group = "Time",
              .unit = "yr",
              .sentence = "From snapshot to snapshot of the history, where that is asked for; 0: no history.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {1.0, 100.0, SliderScale::Logarithmic},
              .automatic = 0.0});
}

namespace {

std::string why_meander_leaves_out(const void* parameters, const std::string& dataset) {
    const bool has_history = static_cast<const MeanderStageParameters*>(parameters)->history_every > 0.0;
    return dataset == kHistory && !has_history ? "it takes history_every, the years between its snapshots"
                                               : "";
}

void check_meander(const void* parameters) {
    const auto& given = *static_cast<const MeanderStageParameters*>(parameters);
    for (const ControlStroke& stroke : given.meander.controls) check_control(stroke);
    for (const ScriptedEdit& row : given.edits) check_edit(row.edit);
}

std::vector<StageEdit> edits_of_meander(const void* parameters) {
    std::vector<StageEdit> edits;
    for (const ScriptedEdit& row : static_cast<const MeanderStageParameters*>(parameters)->edits) {
        if (row.edit.command != RiverCommand::Meander && !changes_ground(row.edit)) continue;
        const auto [stage, values] = stage_values(row.edit);
        edits.push_back(stage_edit(find_stage(stage), values));
    }
    return edits;
}

constexpr double kSimulationBytes = 8.0;  // a cell, of the ground and its rock
constexpr double kShapingBytes = 60.0;    // a cell

double meander_working_bytes(const void* parameters, const StageWork& work) {
    const bool is_shaped = static_cast<const MeanderStageParameters*>(parameters)->shape_ground;
    return (kSimulationBytes + (is_shaped ? kShapingBytes : 0.0)) * static_cast<double>(work.grid.cells());
}

std::vector<std::string> with_course_layers(std::vector<std::string> names) {
    const std::vector<std::string> layers = course_layers();
    names.insert(names.end(), layers.begin(), layers.end());
    return names;
}

}  // namespace

Stage meander_stage() {
    return make_simulated_stage<MeanderStageParameters>(
        {
            .name = "meander",
            .summary = "Lets rivers wander for centuries: meanders grow, drift, cut off and leave oxbows.",
            .description =
                "Each channel migrates sideways by its curvature and that of the river upstream (Howard and "
                "Knutson 1984; Sylvester et al. 2019; Paris et al. 2023), the less the steeper the ground. "
                "Bends that meet themselves are cut off and kept as oxbows; where two channels meet, the "
                "smaller one flows into the larger from then on, and discharge, width and depth below are "
                "made anew. Begins with the landscape's rivers, or with those of a file. Strokes "
                "(`controls`) draw channels, drive them away or hold them; `edits` say what is done on the "
                "way: channels moved, split, added, removed, redrawn, cut off, led elsewhere, and the ground "
                "raised, which is then a layer that the stage writes. With `shape_ground` elevation has the "
                "beds of rivers in it, and what they have left. meander_metrics is no layer but an analysis, "
                "as .csv, .json, .png or .svg: sinuosity, wavelength, amplitude, migration, cutoffs and "
                "width of the belt, of each reach and all together, in each recorded year.",
            .reads_if_present = {kRivers, kElevation, kErodibility, "stream_power"},
            .writes =
                with_course_layers({kRivers, kRiverPoints, kCourses, kMeanderMetrics, kHistory, kElevation}),
            .on_request = with_course_layers({kRiverPoints, kMeanderMetrics, kHistory}),
            .primary = kRivers,
            .needs_input = false,
            .accepts_input = true,
            .bytes_per_cell = kSimulationBytes,
            .working_bytes = meander_working_bytes,
            .time = {.parameter = "years", .unit = "yr"},
            .why_left_out = why_meander_leaves_out,
            .edits = edits_of_meander,
            .check = check_meander,
        },
        simulate_wandering_rivers);
}

}  // namespace thalweg
