#include "thalweg/project/stages/erode_stage.hpp"

#include "thalweg/erosion/erosion_inputs.hpp"
#include "thalweg/erosion/erosion_series.hpp"
#include "thalweg/erosion/river_planform.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/memory.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/model/parameter_layers.hpp"
#include "thalweg/project/parts/drainage.hpp"
#include "thalweg/project/parts/river_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr const char* kDrainageArea = "drainage_area";
constexpr const char* kSlope = "slope";

bool changes_boundary(const void* parameters) {
    const auto& erosion = *static_cast<const ErodeParameters*>(parameters);
    return gives_sea_or_sources(erosion) || !erosion.boundary.is_number();
}

/// Cells that keep their elevation and drain out: those of the mask, or of an earlier stage's, and the sea;
/// empty where nobody said, for the edges of the data. They become the landscape's.
Field<std::uint8_t> boundary_cells(const ErodeParameters& parameters, StageContext& context) {
    const Field<float>& elevation = context.landscape.layer("elevation");
    if (!parameters.boundary.is_number()) {
        Field<std::uint8_t> marked(elevation.grid());
        mark_outlets(parameters.boundary, context, marked);
        share_outlets(std::move(marked), context.landscape);
    }
    return outlets(elevation, context.landscape.boundary());
}

/// Those of the file, then those of the project, with their natural planform.
std::vector<DrawnRiver> rivers_of(const ErodeParameters& parameters, StageContext& context) {
    std::vector<DrawnRiver> rivers = rivers_of_file(parameters.rivers_file, context);
    check_rivers(parameters.rivers, context.landscape.grid);
    rivers.insert(rivers.end(), parameters.rivers.begin(), parameters.rivers.end());
    return natural_planform(rivers, context.landscape.grid, context.landscape.seed, context.progress);
}

ErosionInputs inputs_of(const ErodeParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    const ParameterTable& declared = parameters_of<ErodeParameters>();
    ErosionInputs inputs;
    inputs.grid = landscape.grid;
    inputs.elevation = input_source({.number = 0.0, .layer = "elevation"}, context);
    inputs.uplift = parameter_source(parameters.uplift, declared.at("uplift"), context);
    if (!parameters.erodibility.is_number())
        inputs.erodibility = parameter_source(parameters.erodibility, declared.at("erodibility"), context);
    const bool even_rain =
        parameters.precipitation_factor.is_number() && parameters.precipitation_factor.number == 1.0;
    if (!even_rain)
        inputs.precipitation_factor =
            parameter_source(parameters.precipitation_factor, declared.at("precipitation_factor"), context);
    inputs.sources = share_boundary(parameters, landscape).sources;
    inputs.rivers = rivers_of(parameters, context);
    inputs.boundary = boundary_cells(parameters, context);
    return inputs;
}

/// What boundary cells do, in words.
std::string boundary_fate(const ErodeParameters& parameters, const char* keep, const char* fall) {
    return parameters.erosion.law.base_slope > 0.0 ? fall : keep;
}

/// Says where painted uplift has no effect, but for the edges, which nobody marked.
void note_ignored_uplift(const ErodeParameters& parameters, const ErosionInputs& inputs,
                         StageContext& context) {
    if (parameters.uplift.is_number() || parameters.boundary.is_number()) return;
    const Field<float>& elevation = context.landscape.layer("elevation");
    const Field<float> uplift = inputs.uplift(inputs.grid, context.progress);
    const Field<std::uint8_t> roots = root_cells(elevation, inputs.boundary);
    std::int64_t ignored = 0;
    for (std::int64_t cell = 0; cell < uplift.size(); ++cell)
        ignored += roots[cell] != 0 && uplift[cell] != 0.0F ? 1 : 0;
    if (ignored > 0)
        context.diagnostics.notes.push_back(fmt::format(
            "uplift on {} boundary {} is ignored, since they {}", ignored, ignored == 1 ? "cell" : "cells",
            boundary_fate(parameters, "keep their elevation", "fall as base_slope says")));
}

/// Says which drawn rivers have no effect.
void note_rivers_off_land(const ErodeParameters& parameters, const ErosionInputs& inputs,
                          StageContext& context) {
    if (inputs.rivers.empty()) return;
    const Field<float>& elevation = context.landscape.layer("elevation");
    const std::size_t of_file = inputs.rivers.size() - parameters.rivers.size();
    for (const std::size_t i :
         rivers_off_land(inputs.rivers, elevation, root_cells(elevation, inputs.boundary)))
        context.diagnostics.notes.push_back(fmt::format(
            "{}river {} has no effect: it runs over boundary cells and cells without data alone",
            i < of_file ? parameters.rivers_file + ": " : "", i < of_file ? i + 1 : i - of_file + 1));
}

void note_inputs(const ErodeParameters& parameters, const ErosionInputs& inputs, StageContext& context) {
    note_ignored_uplift(parameters, inputs, context);
    note_rivers_off_land(parameters, inputs, context);
}

void describe_stepping(const SteppingReport& report, Diagnostics& diagnostics) {
    diagnostics.values.insert(diagnostics.values.end(), {{"years", report.years},
                                                         {"change_m_yr", report.change},
                                                         {"settled", report.settled},
                                                         {"capped_solves", report.capped_solves}});
    if (!report.settled)
        diagnostics.notes.push_back(fmt::format(
            "stepping has not settled after {:.3g} yr: the terrain still changes by {:.2g} m/yr on average",
            report.years, report.change));
}

void describe_optimisation(const OptimisationReport& report, Diagnostics& diagnostics) {
    diagnostics.values.insert(diagnostics.values.end(),
                              {{"optimised", std::int64_t{report.iterations}},
                               {"objective_before", report.objective_before},
                               {"objective_after", report.objective_after},
                               {"kept_discontinuous_share_before", report.discontinuous_share_before},
                               {"kept_discontinuous_share_after", report.discontinuous_share_after}});
}

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();  // null in a report

/// What is only known with ErosionParameters::diagnostics.
void describe_terrain(const ErosionReport& report, Diagnostics& diagnostics) {
    diagnostics.values.insert(diagnostics.values.end(),
                              {{"residual_median", report.residual_median},
                               {"residual_p99", report.residual_p99},
                               {"unsettled_median", report.unsettled_median},
                               {"pits", report.pits ? Value(*report.pits) : Value(kNotMeasured)},
                               {"discontinuous_share", report.discontinuous_share},
                               {"deciles", report.deciles},
                               {"axis_share", report.river_directions.axis_share()}});
}

void describe(const ErosionReport& report, const ErodeParameters& parameters, bool is_measured,
              Diagnostics& diagnostics) {
    diagnostics.values = {{"levels", std::int64_t{report.levels}},
                          {"iterations", std::int64_t{report.iterations}}};
    if (is_measured) describe_terrain(report, diagnostics);
    if (report.optimisation) describe_optimisation(*report.optimisation, diagnostics);
    if (report.closed_components > 0)
        diagnostics.notes.push_back(fmt::format(
            "{} of land without a boundary cell: there the lowest cell {} and takes the water",
            report.closed_components == 1 ? "there is 1 piece"
                                          : fmt::format("there are {} pieces", report.closed_components),
            boundary_fate(parameters, "keeps its elevation", "falls as base_slope says")));
    if (report.sediment)
        diagnostics.values.insert(diagnostics.values.end(), {{"eroded_m3_yr", report.sediment->eroded},
                                                             {"deposited_m3_yr", report.sediment->deposited},
                                                             {"exported_m3_yr", report.sediment->exported},
                                                             {"limited_deposits", report.sediment->limited}});
    if (report.stepping) describe_stepping(*report.stepping, diagnostics);
    diagnostics.phases_ms.insert(diagnostics.phases_ms.end(), report.phases_ms.begin(),
                                 report.phases_ms.end());
}

ErosionParameters erosion_of(const ErodeParameters& parameters, const WantedLayers& wanted) {
    ErosionParameters erosion = parameters.erosion;
    erosion.keeps_net_erosion = wanted.has(kWear) || wanted.has(kDeposit);
    erosion.keeps_drainage_area = wanted.has(kDrainageArea);
    if (parameters.erodibility.is_number()) erosion.law.erodibility = parameters.erodibility.number;
    return erosion;
}

/// Depths above 0 of the net erosion times `sign`.
Field<float> depths_of(const Field<float>& net_erosion, float sign) {
    Field<float> depths(net_erosion.grid());
    for_each_row(depths.grid(), [&](int row) {
        for (int column = 0; column < depths.columns(); ++column) {
            const float net = net_erosion(column, row);
            depths(column, row) = is_no_data(net) ? kNoData : std::max(0.0F, sign * net);
        }
    });
    return depths;
}

/// Leaves the terrain, and the layers of it that are wanted.
void set_layers(ErosionResult& result, const ErodeParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    const WantedLayers& wanted = context.wanted;
    landscape.set(kElevation, std::move(result.elevation));
    if (!result.net_erosion.empty()) {
        if (wanted.has(kWear)) landscape.set(kWear, depths_of(result.net_erosion, 1.0F));
        if (wanted.has(kDeposit)) landscape.set(kDeposit, depths_of(result.net_erosion, -1.0F));
        result.net_erosion = {};
    }
    if (wanted.has(kDrainageArea)) landscape.set(kDrainageArea, std::move(result.drainage_area));
    if (wanted.has(kSlope))
        landscape.set(kSlope, steepest_slope(landscape.layer(kElevation), eight_neighbours(landscape.grid)));
    set_landforms(parameters.landforms, context);
}

std::string why_erosion_leaves_out(const void* parameters, const std::string& layer) {
    const auto& erosion = static_cast<const ErodeParameters*>(parameters)->erosion;
    const bool is_of_time = layer == kWear || layer == kDeposit;
    return is_of_time && std::isinf(erosion.time)
               ? "it takes a finite time, because a steady state has no start"
               : "";
}

void run(const ErodeParameters& parameters, StageContext& context) {
    const ErosionInputs inputs = inputs_of(parameters, context);
    ErosionParameters erosion = erosion_of(parameters, context.wanted);
    erosion.diagnostics = context.is_measured;
    ErosionResult result = erode(inputs, erosion, context.landscape.seed, context.progress);
    set_layers(result, parameters, context);
    describe(result.report, parameters, context.is_measured, context.diagnostics);
    note_inputs(parameters, inputs, context);
}

/// Terrain at checkpoint times may take a quarter of what memory is left.
std::int64_t checkpoint_bytes() {
    const std::int64_t available = available_memory_bytes();
    return available == 0 ? ErosionSeries::kCheckpointBytes
                          : std::min(ErosionSeries::kCheckpointBytes, available / 4);
}

StageAtTime at_times(const void* stage_parameters, StageContext& context) {
    const auto& parameters = *static_cast<const ErodeParameters*>(stage_parameters);
    ErosionParameters erosion = erosion_of(parameters, context.wanted);
    erosion.diagnostics = false;
    ErosionInputs inputs = inputs_of(parameters, context);
    note_inputs(parameters, inputs, context);
    const auto series = std::make_shared<ErosionSeries>(std::move(inputs), erosion, context.landscape.seed,
                                                        checkpoint_bytes());
    return [series, parameters](double time, StageContext& frame) {
        ErosionResult result = series->at(time, frame.progress);
        set_layers(result, parameters, frame);
        describe(result.report, parameters, false, frame.diagnostics);
    };
}

}  // namespace

void ErodeParameters::declare(Declaration<ErodeParameters>& d) {
    d.include(&ErodeParameters::erosion, {"erodibility"});
    const char* const table = "Tzathas et al. 2024, table 1";
    d.number_or_layer(
        "uplift", &ErodeParameters::uplift,
        {.label = "Uplift rate",
         .group = "Uplift and climate",
         .unit = "m/yr",
         .sentence = "Speed at which tectonics raise the ground: a number, a layer or a raster.",
         .minimum = -1.0,
         .maximum = 1.0,
         .usual = {0.0, 5e-3},
         .source = table});
    d.number_or_layer("erodibility", &ErodeParameters::erodibility,
                      {.label = "Erodibility",
                       .group = "Stream power",
                       .unit = "m^(1-2m)/yr",
                       .sentence = "How fast rivers cut into the rock, k: a number, a layer or a raster.",
                       .minimum = 0.0,
                       .maximum = 1.0,
                       .usual = {1e-7, 1e-3, SliderScale::Logarithmic},
                       .source = table,
                       .minimum_excluded = true});
    d.number_or_layer(
        "precipitation_factor", &ErodeParameters::precipitation_factor,
        {.label = "Precipitation factor",
         .group = "Uplift and climate",
         .unit = "1",
         .sentence = "Rain that runs off, as a factor on drainage area: a number, a layer or a raster.",
         .minimum = 0.0,
         .maximum = 100.0,
         .usual = {0.0, 4.0},
         .source = table,
         .formerly = "precipitation"});
    d.number_or_layer(
        "boundary", &ErodeParameters::boundary,
        {.label = "Boundary mask",
         .group = "Boundary",
         .unit = "",
         .sentence = "Layer or raster whose cells other than 0 keep their elevation and drain out; "
                     "0 takes those of an earlier stage, or the edges of the data.",
         .minimum = 0.0,
         .maximum = 0.0,
         .automatic = 0.0});
    declare_sea_level(d);
    declare_sources(d);
    d.tables("rivers", &ErodeParameters::rivers,
             {.label = "Drawn rivers",
              .group = "Drawn rivers",
              .unit = "",
              .sentence = "Rivers as lines that run downstream: water along them keeps to them, and all else "
                          "finds its way around.",
              .source = "Tzathas et al. 2024, section 5.3"});
    d.file(
        "rivers_file", &ErodeParameters::rivers_file,
        {.label = "File of drawn rivers",
         .group = "Drawn rivers",
         .unit = "",
         .sentence = "More such rivers: the lines of a GeoPackage, GeoJSON or Shapefile in the landscape's "
                     "coordinate system.",
         .holds_lines = true});
    d.include(&ErodeParameters::landforms);
}

Stage erode_stage() {
    Stage stage = make_stage<ErodeParameters>(
        {
            .name = "erode",
            .summary = "Ages the terrain: rivers, hillslopes and uplift, in closed form.",
            .description =
                "Solves the stream power law by its analytical solution (Tzathas et al. 2024): the "
                "terrain `time` years later, or the steady state where uplift and erosion balance. "
                "Edges of the data keep their elevation and drain out. Networks are found from coarse to "
                "fine, with inputs asked for on every level, so that a preview shows the mountains and "
                "valleys of the final size. Two slow baselines, the fixed point (Steer 2021) and implicit "
                "steps in time (Braun and Willett 2013), can be had by `method`. Where they are asked for by "
                "name, it "
                "leaves masks too: wear and deposit, how far the ground lies below and above the start that "
                "uplift "
                "alone would have raised (at finite times); drainage_area of the network that the law was "
                "solved on, "
                "weighted by precipitation; slope of steepest descent, and ridge and valley, of the terrain.",
            .reads = {kElevation},
            .reads_if_present = {kWaterBoundary},
            .writes = {kElevation, kWear, kDeposit, kDrainageArea, kSlope, "ridge", "valley"},
            .settings = {kWaterBoundary},
            .gives_settings = changes_boundary,
            .on_request = {kWear, kDeposit, kDrainageArea, kSlope, "ridge", "valley"},
            .primary = kElevation,
            .measures = true,
            .bytes_per_cell = 200.0,  // erode.hpp
            .why_left_out = why_erosion_leaves_out,
        },
        run);
    stage.at_times = at_times;
    return stage;
}

}  // namespace thalweg
