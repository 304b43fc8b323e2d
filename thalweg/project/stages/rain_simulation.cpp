#include "thalweg/project/stages/rain_simulation.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/erosion/rain_start.hpp"
#include "thalweg/flow/descent.hpp"
#include "thalweg/flow/drainage_exponents.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/parts/layer_edit.hpp"
#include "thalweg/project/parts/network_diagnostics.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kUnitsOfCell =
    2000.0;  // M of Leheny 1995: as high as a cell is wide, mudslides begin at 45 degrees
constexpr const char* kRain = "rain";  // the edit of parameters

/// Parameters that say how rain begins, which no edit can change any more, and when it ends.
constexpr std::array kOfTheStart = {"events",      "start", "tilt",         "base",
                                    "height_unit", "edges", "history_every"};

RainStart start_of(const RainStageParameters& parameters, const Landscape& landscape) {
    if (parameters.start != RainStart::Auto) return parameters.start;
    return landscape.has(kElevation) ? RainStart::Terrain : RainStart::Plane;
}

Edges edges_of(const RainStageParameters& parameters, RainStart start) {
    switch (parameters.edges) {
        case RainEdges::Wrapped:
            return Edges::Wrapped;
        case RainEdges::Open:
            return Edges::Open;
        case RainEdges::South:
            return Edges::South;
        case RainEdges::Closed:
            return Edges::Closed;
        case RainEdges::Auto:
            break;
    }
    return start == RainStart::Plane ? Edges::Wrapped : Edges::Open;
}

Field<float> scaled(Field<float> field, double factor, double base = 0.0) {
    for (float& value : field) value = static_cast<float>(value * factor + base);
    return field;
}

/// The terrain that rain begins with, in units.
Field<float> start_terrain(RainStart start, const RainStageParameters& parameters, double unit,
                           const Landscape& landscape) {
    if (start == RainStart::Plane) return tilted_plane(landscape.grid, parameters.tilt);
    if (start == RainStart::Peak) return central_peak(landscape.grid, parameters.tilt);
    return scaled(landscape.layer(kElevation), 1.0 / unit);
}

/// The rivers of the layer elevation, and what drains through each cell.
FlowTree count_rivers(const RainStageParameters& parameters, Edges edges, StageContext& context) {
    Landscape& landscape = context.landscape;
    const Field<float>& elevation = landscape.layer(kElevation);
    FlowTree tree =
        descend(elevation, edges, links_of(parameters.rain.neighbours), landscape.seed, context.progress);
    const Field<double> area = drainage_area(tree);
    NetworkParameters network = parameters.network;
    network.min_area = parameters.river_visits * landscape.grid.cell_area();
    landscape.put(kRivers, extract_network(tree, area, elevation, network, context.progress));
    Field<float> drained(landscape.grid, kNoData);
    for (const std::int32_t cell : tree.order) drained[cell] = static_cast<float>(area[cell]);
    landscape.set("drainage_area", std::move(drained));
    return tree;
}

void describe_rain(const RainReport& report, double unit, double cell_area, Diagnostics& diagnostics) {
    diagnostics.values = {{"events", report.events},       {"trapped", report.trapped},
                          {"visits", report.visits},       {"eroded_visits", report.eroded},
                          {"mudslides", report.mudslides}, {"removed_m3", report.removed * unit * cell_area},
                          {"height_unit_m", unit}};
    if (report.trapped > 0)
        diagnostics.notes.push_back(
            fmt::format("{} of {} units of rain ended in pits, where no neighbour is lower", report.trapped,
                        report.events));
}

void describe_rivers(const FlowTree& tree, StageContext& context) {
    const DrainageExponents exponents = drainage_exponents(tree, context.progress);
    const auto pits = std::count(tree.direction.begin(), tree.direction.end(), kPit);
    const auto& rivers = context.landscape.get<RiverNetwork>(kRivers);
    auto& values = context.diagnostics.values;
    values.emplace_back("sinks", std::int64_t{pits});
    describe_network(rivers, summary_of(rivers), context.diagnostics);
    values.emplace_back("area_exponent", exponents.area);
    values.emplace_back("hack_exponent", exponents.hack);
    if (rivers.reaches.empty())
        context.diagnostics.notes.emplace_back(
            "no cell drains as many cells as river_visits: the river network is empty");
}

/// Rain on one landscape. Heights are kept in units of the model, and turned into metres where they are
/// shown.
class RainSimulation final : public Simulation {
  public:
    RainSimulation(const RainStageParameters& parameters, const Landscape& landscape)
        : parameters_(parameters),
          start_(start_of(parameters, landscape)),
          unit_(parameters.height_unit > 0.0 ? parameters.height_unit
                                             : landscape.grid.cell_size / kUnitsOfCell),
          seed_(landscape.seed),
          rain_(rain_from({.elevation = start_terrain(start_, parameters, unit_, landscape),
                           .report = {},
                           .waiting = {}})) {}

    [[nodiscard]] double time() const override { return static_cast<double>(rain_.events()); }

    void advance(double time, Progress& progress) override {
        rain_.advance(static_cast<std::int64_t>(time), progress);
    }

    void step(Progress& progress) override { rain_.advance(rain_.events() + 1, progress); }

    void snapshot(StageContext& context) const override {
        const RainState state = rain_.state();
        show_elevation(state, context.landscape);
        describe_rain(state.report, unit_, context.landscape.grid.cell_area(), context.diagnostics);
        context.progress.report(0.0, "counting rivers");
        const Stopwatch counting;
        const FlowTree tree = count_rivers(parameters_, edges(), context);
        context.diagnostics.phases_ms.emplace_back("rivers", counting.milliseconds());
        describe_rivers(tree, context);
    }

  private:
    [[nodiscard]] Edges edges() const { return edges_of(parameters_, start_); }

    /// Metres at 0 units.
    [[nodiscard]] double base() const { return start_ == RainStart::Terrain ? 0.0 : parameters_.base; }

    [[nodiscard]] RainEvents rain_from(const RainState& state) const {
        return {state, edges(), parameters_.rain, seed_};
    }

    /// Terrain that nothing changed keeps its bits, which a change of units and back would not.
    void show_elevation(const RainState& state, Landscape& landscape) const {
        const bool is_start =
            start_ == RainStart::Terrain && !is_edited_ && state.report.eroded + state.report.mudslides == 0;
        if (!is_start) landscape.set(kElevation, scaled(state.elevation, unit_, base()));
    }

    void apply(const std::string& command, const ValueTable& values, StageContext& context) override {
        if (command == kRain)
            change_parameters(values);
        else
            change_elevation(layer_edit(command, values, kRain, kRain, {kElevation}), context);
    }

    void change_parameters(const ValueTable& values) {
        for (const auto& [name, value] : values.entries)
            if (std::ranges::find(kOfTheStart, name) != kOfTheStart.end())
                throw Error::input(name + " can't change once it rains: it belongs to the start");
        RainStageParameters changed = parameters_;
        parameters_of<RainStageParameters>().assign(&changed, values);
        parameters_ = changed;
        RainState state = rain_.state();
        state.is_unsettled = true;
        rain_ = rain_from(state);
    }

    void change_elevation(const StageUse& use, StageContext& context) {
        RainState state = rain_.state();
        Landscape landscape{
            .grid = context.landscape.grid, .seed = seed_, .datasets = context.landscape.datasets};
        show_elevation(state, landscape);
        const Field<float> before = landscape.layer(kElevation);
        const Field<float> after = edited_layer(use, std::move(landscape), context);
        for (std::int64_t cell = 0; cell < after.size(); ++cell)
            if (after[cell] != before[cell] && !(is_no_data(after[cell]) && is_no_data(before[cell])))
                state.elevation[cell] = static_cast<float>((after[cell] - base()) / unit_);
        state.is_unsettled = true;
        rain_ = rain_from(state);
        is_edited_ = true;
    }

    void save_state(ArchiveWriter& archive) const override {
        const auto [elevation, report, is_unsettled, waiting] = rain_.state();
        const auto& [events, trapped, visits, eroded, mudslides, removed] = report;
        write_values(archive, parameters_of<RainStageParameters>().values(&parameters_));
        archive(is_edited_, elevation.values(), events, trapped, visits, eroded, mudslides, removed,
                is_unsettled, waiting);
    }

    void restore_state(ArchiveReader& archive) override {
        RainStageParameters parameters;
        parameters_of<RainStageParameters>().assign(&parameters, read_values(archive));
        RainState state{.elevation = rain_.state().elevation, .report = {}, .waiting = {}};
        std::vector<float> heights;
        bool is_edited = false;
        auto& [events, trapped, visits, eroded, mudslides, removed] = state.report;
        archive(is_edited, heights, events, trapped, visits, eroded, mudslides, removed, state.is_unsettled,
                state.waiting);
        if (static_cast<std::int64_t>(heights.size()) != state.elevation.size())
            throw std::runtime_error("rain was saved on another grid");
        std::ranges::copy(heights, state.elevation.begin());
        parameters_ = parameters;
        is_edited_ = is_edited;
        rain_ = rain_from(state);
    }

    RainStageParameters parameters_;  // as edits have made them
    RainStart start_;
    double unit_;  // m
    std::uint64_t seed_;
    RainEvents rain_;
    bool is_edited_ = false;  // whether an edit has changed heights
};

}  // namespace

std::unique_ptr<Simulation> simulate_rain(const RainStageParameters& parameters, StageContext& context) {
    return std::make_unique<RainSimulation>(parameters, context.landscape);
}

}  // namespace thalweg
