// The parts of an erosion's iteration, each on a terrain that has been eroded to its steady state.
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/baselines/stepping.hpp"
#include "thalweg/erosion/correction/network_fit.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/erosion/network/slope_factor.hpp"
#include "thalweg/erosion/solvers/backward_characteristics.hpp"
#include "thalweg/erosion/solvers/forward_characteristics.hpp"
#include "thalweg/erosion/transfer/plane_fit.hpp"
#include "thalweg/flow/graph/tree_orderer.hpp"

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

constexpr double kExtent = 25600.0;  // m
constexpr std::uint64_t kSeed = 1;

QuietProgress progress;

ErosionInputs white_noise(int cells) {
    ErosionInputs inputs;
    inputs.grid = {.columns = cells, .rows = cells, .cell_size = kExtent / cells};
    Field<float> noise(inputs.grid);
    for (std::int64_t cell = 0; cell < noise.size(); ++cell)
        noise[cell] = unit_float(random_bits(kSeed, Stream::SeedTerrain, static_cast<std::uint64_t>(cell)));
    inputs.elevation = field_source(std::move(noise));
    inputs.uplift = constant_source(1e-3F);
    return inputs;
}

/// An eroded terrain at the nodes of its mesh, with its network.
struct Eroded {
    ErosionParameters parameters{.diagnostics = false};
    ErosionInputs inputs;
    ErosionLevel level;
    Field<float> terrain;
    TerrainRouter router;
    ErosionNetwork network;
    PhaseTimes phases;

    explicit Eroded(int cells) : inputs(white_noise(cells)) {
        level = make_erosion_level(inputs, inputs.grid, {}, parameters, kSeed, progress);
        const Field<float> centres = erode(inputs, parameters, kSeed, progress).elevation;
        terrain = sample_at_nodes(centres, level.lattice, progress);
        router.route(level, terrain, ReceiverRule::Steepest, 0, network, phases, progress);
        network.celerity.resize(network.area.size());
        celerities(parameters.law, network.area, {}, network.celerity);
    }
};

void count_cells(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(0));
}

void erode_to_steady_state(benchmark::State& state) {
    const ErosionInputs inputs = white_noise(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(erode(inputs, {.diagnostics = false}, kSeed, progress));
    count_cells(state);
}

/// As on a machine that has only the vectors of every x86-64 or arm64.
void erode_to_steady_state_in_fours(benchmark::State& state) {
    limit_vector_lanes(4);
    erode_to_steady_state(state);
    limit_vector_lanes(0);
}

/// The paper's own variant: 4 neighbours, random receivers, 6 iterations a level; the time in years, 0 for
/// the steady state.
void erode_as_in_the_paper(benchmark::State& state) {
    const ErosionInputs inputs = white_noise(static_cast<int>(state.range(0)));
    ErosionParameters parameters{.time_definition = TimeDefinition::Multilevel,
                                 .lattice = ErosionLattice::FourNeighbours,
                                 .receivers = ReceiverRule::Random,
                                 .coarse_iterations = 6,
                                 .fine_iterations = 6,
                                 .last_iterations = 6,
                                 .diagnostics = false};
    if (state.range(1) > 0) parameters.time = static_cast<double>(state.range(1));
    for (auto _ : state) benchmark::DoNotOptimize(erode(inputs, parameters, kSeed, progress));
    count_cells(state);
}

void erode_by_fixed_point(benchmark::State& state) {
    const ErosionInputs inputs = white_noise(static_cast<int>(state.range(0)));
    const ErosionParameters parameters{
        .method = ErosionMethod::FixedPoint, .fixed_point_iterations = 43, .diagnostics = false};
    for (auto _ : state) benchmark::DoNotOptimize(erode(inputs, parameters, kSeed, progress));
    count_cells(state);
}

/// Steps of 10 000 years from the steady state, as many as the second argument tells.
void step_in_time(benchmark::State& state) {
    Eroded eroded(static_cast<int>(state.range(0)));
    ErosionParameters parameters = eroded.parameters;
    parameters.method = ErosionMethod::Stepping;
    parameters.time_step = 1e4;
    parameters.time = parameters.time_step * static_cast<double>(state.range(1));
    eroded.level.initial = eroded.terrain;
    for (auto _ : state)
        benchmark::DoNotOptimize(step_terrain(eroded.level, parameters, kSeed, eroded.phases, progress));
    state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(0) * state.range(1));
}

void direct_mesh(benchmark::State& state) {
    const Eroded eroded(static_cast<int>(state.range(0)));
    DirectedTerrain directed;
    for (auto _ : state)
        direct_terrain(eroded.terrain, eroded.level.lattice, eroded.level.roots, ReceiverRule::Steepest, 0,
                       directed, progress);
    count_cells(state);
}

void order_network(benchmark::State& state) {
    Eroded eroded(static_cast<int>(state.range(0)));
    TreeOrderer orderer;
    for (auto _ : state) orderer.order(eroded.network.tree, progress);
    count_cells(state);
}

void set_celerities(benchmark::State& state) {
    Eroded eroded(static_cast<int>(state.range(0)));
    for (auto _ : state) celerities(eroded.parameters.law, eroded.network.area, {}, eroded.network.celerity);
    count_cells(state);
}

void solve_equilibrium(benchmark::State& state) {
    Eroded eroded(static_cast<int>(state.range(0)));
    for (auto _ : state)
        solve_steady(eroded.network.tree, eroded.parameters.law, eroded.network.path_inputs(eroded.level),
                     eroded.terrain, progress);
    count_cells(state);
}

/// The closed form over a finite time by one of its two ways (transient.hpp); the time in years.
template <class Solver>
void solve_years(benchmark::State& state) {
    Eroded eroded(static_cast<int>(state.range(0)));
    const Field<float> start = eroded.terrain;
    Solver solver;
    for (auto _ : state)
        solver.solve({eroded.network.tree, eroded.parameters.law, eroded.network.path_inputs(eroded.level),
                      static_cast<double>(state.range(1)), start},
                     eroded.terrain, progress);
    count_cells(state);
}

/// 50 steps on the steady state of the network that the noise has: every basin's rim is a discontinuity.
void optimise_kept_network(benchmark::State& state) {
    const ErosionInputs inputs = white_noise(static_cast<int>(state.range(0)));
    const ErosionParameters parameters{.network = NetworkSource::Terrain};
    const ErosionLevel level = make_erosion_level(inputs, inputs.grid, {}, parameters, kSeed, progress);
    ErosionNetwork network;
    PhaseTimes phases;
    TerrainRouter().route(level, level.initial, ReceiverRule::Steepest, 0, network, phases, progress);
    set_celerities(level, parameters.law, network);
    Field<float> solved = level.initial;
    solve_steady(network.tree, parameters.law, network.path_inputs(level), solved, progress);
    const NetworkFitParameters fit;
    for (auto _ : state) {
        Field<float> terrain = solved;
        benchmark::DoNotOptimize(fit_to_network(network.tree, level.lattice, fit, terrain, progress));
    }
    // Time per item: of one cell in one iteration.
    state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(0) * fit.iterations);
}

void set_up_level(benchmark::State& state) {
    const Eroded eroded(static_cast<int>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(
            make_erosion_level(eroded.inputs, eroded.inputs.grid, {}, eroded.parameters, kSeed, progress));
    count_cells(state);
}

void make_mesh(benchmark::State& state) {
    const Grid grid = white_noise(static_cast<int>(state.range(0))).grid;
    for (auto _ : state) benchmark::DoNotOptimize(jittered_mesh(grid, kSeed, 0.4, progress));
    count_cells(state);
}

void upsample_terrain(benchmark::State& state) {
    const Eroded eroded(static_cast<int>(state.range(0)) / 2);
    const Grid fine = white_noise(static_cast<int>(state.range(0))).grid;
    const Lattice mesh = jittered_mesh(fine, kSeed, 0.4, progress);
    for (auto _ : state)
        benchmark::DoNotOptimize(
            upsample_nodes(eroded.terrain, eroded.level.lattice, mesh, kUpsampleWidth, progress));
    count_cells(state);
}

void resample_terrain(benchmark::State& state) {
    const Eroded eroded(static_cast<int>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(
            resample_to_centres(eroded.terrain, eroded.level.lattice, kResampleWidth, progress));
    count_cells(state);
}

#define THALWEG_EROSION_BENCHMARK(work) \
    BENCHMARK(work)->Arg(512)->Arg(2048)->Unit(benchmark::kMillisecond)->UseRealTime()
BENCHMARK(erode_to_steady_state)
    ->RangeMultiplier(2)
    ->Range(512, 4096)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(erode_to_steady_state_in_fours)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(erode_as_in_the_paper)
    ->Args({512, 0})
    ->Args({1024, 0})
    ->Args({512, 1000000})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(erode_by_fixed_point)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(step_in_time)
    ->Args({512, 1})
    ->Args({512, 230})
    ->Args({1024, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
THALWEG_EROSION_BENCHMARK(direct_mesh);
THALWEG_EROSION_BENCHMARK(order_network);
THALWEG_EROSION_BENCHMARK(set_celerities);
THALWEG_EROSION_BENCHMARK(solve_equilibrium);
BENCHMARK(solve_years<BackwardCharacteristics>)
    ->ArgsProduct({{512, 1024}, {20000, 90000}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(solve_years<ForwardCharacteristics>)
    ->ArgsProduct({{512, 1024}, {20000, 90000}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
THALWEG_EROSION_BENCHMARK(optimise_kept_network);
THALWEG_EROSION_BENCHMARK(set_up_level);
THALWEG_EROSION_BENCHMARK(make_mesh);
THALWEG_EROSION_BENCHMARK(upsample_terrain);
THALWEG_EROSION_BENCHMARK(resample_terrain);

}  // namespace
}  // namespace thalweg
