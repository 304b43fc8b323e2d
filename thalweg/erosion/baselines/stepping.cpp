// Based on: Braun and Willett 2013 (implicit steps along the tree); Tzathas et al. 2024 (other processes).
#include "thalweg/erosion/baselines/stepping.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/law/slope_equation.hpp"
#include "thalweg/erosion/law/slope_law.hpp"
#include "thalweg/erosion/levels/open_edges.hpp"
#include "thalweg/erosion/levels/sediment.hpp"
#include "thalweg/erosion/network/outlets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kDropTolerance = 1e-6;   // m
constexpr double kYearsPerMetre = 200.0;  // yr/m, time step over cell size: Tzathas et al. 2024, section 7.1
constexpr double kLeastSteps = 20.0;      // of a finite time (empirical)
constexpr double kMostSteps = 1e7;        // so that they can be counted
constexpr double kSettledShare = 0.01;    // of mean uplift, mean |dz/dt| at steady state (empirical)
constexpr double kSettledRate = 1e-6;     // m/yr, the same where hardly anything is uplifted (empirical)
constexpr double kLongestApproach = 2e7;  // yr, until a steady state is given up (empirical)
constexpr float kLeastArea = 1e-6F;       // m^2, of dry cells
constexpr float kSeedRelief = 1e-3F;      // m, noise that decides the courses on flat ground
constexpr std::int64_t kCellsPerTask = 1 << 14;
constexpr std::int64_t kCellsPerPoll = 1 << 16;

/// Solves cells in the order of a tree.
class TreeStepper {
  public:
    TreeStepper(const FlowTree& tree, const StepInputs& inputs, const ImplicitStep& step,
                Field<double>& elevation)
        : tree_(tree),
          inputs_(inputs),
          elevation_(elevation),
          years_(step.years),
          exponent_(step.slope_exponent),
          thermal_(step.law.thermal ? step.law.thermal_erosion : 0.0),
          critical_slope_(step.law.critical_slope),
          steps_(index_steps(tree.grid.columns)) {}

    /// Entries [first, last) of the order; returns how many ended at the cap of iterations.
    [[nodiscard]] std::int64_t solve(std::int64_t first, std::int64_t last, const Progress& progress) const {
        std::int64_t capped = 0;
        for (std::int64_t i = first; i < last; ++i) {
            if (i % kCellsPerPoll == 0) progress.poll();
            const std::int32_t cell = tree_.order[at(i)];
            const std::uint8_t direction = tree_.direction[at(cell)];
            if (direction >= kRoot) continue;
            const double below = elevation_[cell + steps_[direction]];
            const double lifted =
                elevation_[cell] + static_cast<double>(inputs_.path.uplift[at(cell)]) * years_ - below;
            elevation_[cell] =
                below + (exponent_ == 1.0 ? linear_drop(cell, lifted) : newton_drop(cell, lifted, capped));
        }
        return capped;
    }

  private:
    /// What shapes a cell during a step, m of erosion over m of length to the receiver.
    [[nodiscard]] SlopeTerms terms_of(std::int32_t cell) const {
        const double per_length = years_ / static_cast<double>(inputs_.path.length[at(cell)]);
        return {
            .storage = 1.0,
            .power = per_length * static_cast<double>(inputs_.path.celerity[at(cell)]),
            .creep = inputs_.creep.empty() ? 0.0 : per_length * static_cast<double>(inputs_.creep[at(cell)]),
            .thermal = per_length * thermal_};
    }

    /// Drop to the receiver after the step, m, where uplift alone would make it `lifted`. Of the drops
    /// without and with the thermal term the smaller one holds, and neither where the cell lies below its
    /// receiver.
    [[nodiscard]] double linear_drop(std::int32_t cell, double lifted) const {
        const SlopeTerms terms = terms_of(cell);
        const double stable = critical_slope_ * static_cast<double>(inputs_.path.length[at(cell)]);
        const double gentle = lifted * (1.0 / (1.0 + terms.power));
        const double steep = (lifted + terms.thermal * stable) * (1.0 / (1.0 + terms.power + terms.thermal));
        return std::min(lifted, std::min(gentle, steep));
    }

    [[nodiscard]] double newton_drop(std::int32_t cell, double lifted, std::int64_t& capped) const {
        if (!(lifted > 0.0)) return lifted;
        const double length = static_cast<double>(inputs_.path.length[at(cell)]);
        const SlopeEquation equation(terms_of(cell), critical_slope_, exponent_, lifted / length);
        return length * equation.solve(kDropTolerance / length, capped);
    }

    const FlowTree& tree_;
    const StepInputs& inputs_;
    Field<double>& elevation_;
    double years_;           // dt, yr
    double exponent_;        // n
    double thermal_;         // k_t, m/yr; 0 where the term is off
    double critical_slope_;  // m/m
    std::array<std::int32_t, 8> steps_;
};

/// Ages one terrain.
class TerrainStepper {
  public:
    TerrainStepper(const ErosionLevel& level, const ErosionParameters& parameters, std::uint64_t seed,
                   PhaseTimes& phases, Progress& progress)
        : level_(level),
          parameters_(parameters),
          seed_(seed),
          phases_(phases),
          progress_(progress),
          terrain_(level.initial),
          elevation_(level.initial.grid()),
          sediment_(parameters.deposition) {
        if (std::isinf(parameters.time)) roughen();
        std::copy(terrain_.begin(), terrain_.end(), elevation_.begin());
    }

    SteppedTerrain run() {
        const bool steady = std::isinf(parameters_.time);
        const double time = steady ? kLongestApproach : parameters_.time;
        const int steps = steps_for(time);
        result_.report.settled = !steady;
        while (result_.steps < steps && !(steady && result_.report.settled)) {
            progress_.report(result_.report.years / time,
                             fmt::format("eroding, {:.0f} years", result_.report.years));
            advance(time / steps);
            ++result_.steps;
            result_.report.years = time * result_.steps / steps;
        }
        result_.terrain = std::move(terrain_);
        if (sediment_.is_deposited()) result_.sediment = sediment_.report();
        return std::move(result_);
    }

  private:
    [[nodiscard]] int steps_for(double time) const {
        double step = parameters_.time_step;
        if (step == 0.0) step = std::min(kYearsPerMetre * level_.lattice.grid.cell_size, time / kLeastSteps);
        const double steps = std::ceil(time / step);
        if (!(steps <= kMostSteps))
            throw Error::input(
                fmt::format("time_step = {} yr is not allowed: {} yr would take {:.3g} steps, and at most "
                            "{:.0f} are allowed",
                            step, time, steps, kMostSteps));
        return static_cast<int>(steps);
    }

    void roughen() {
        for (std::int64_t cell = 0; cell < terrain_.size(); ++cell)
            if (level_.roots[cell] == 0)
                terrain_[cell] += kSeedRelief * unit_float(random_bits(seed_, Stream::SeedTerrain,
                                                                       static_cast<std::uint64_t>(cell)));
    }

    /// One step: network from terrain, terrain from network.
    void advance(double years) {
        const std::uint64_t draw_key =
            random_bits(seed_, Stream::Receiver, static_cast<std::uint64_t>(terrain_.size()),
                        static_cast<std::uint64_t>(result_.steps));
        router_.route(level_, terrain_, parameters_.receivers, draw_key, network_, phases_, progress_);
        {
            const PhaseTimer timer(phases_, "celerities");
            set_rates();
            if (parameters_.law.base_slope > 0.0) share_outlet_celerity(level_.roots, network_.celerity);
        }
        const PhaseTimer timer(phases_, "solve");
        const ImplicitStep step = {parameters_.law, parameters_.slope_exponent, years};
        const ErosionRates rates =
            erosion_rates(parameters_.law, network_, parameters_.slope_exponent, creep_);
        set_root_fall(level_, rates, terrain_, years, sediment_, network_, progress_);
        lower_roots_by(years);
        StepInputs inputs = {network_.path_inputs(level_), creep_};
        Field<double> before;
        if (sediment_.is_deposited()) {
            before = elevation_;
            sediment_.estimate_erosion(before, network_.tree, rates);
            inputs.path.uplift = sediment_.uplift_over(years, before, level_, network_.tree, progress_);
        }
        result_.report.capped_solves += step_along_tree(network_.tree, inputs, step, elevation_, progress_);
        if (sediment_.is_deposited())
            sediment_.take_erosion(years, before, elevation_, level_, network_.tree);
        take_over(years);
    }

    void set_rates() {
        std::vector<float>& area = network_.area;
        network_.celerity.resize(area.size());
        for (float& here : area) here = std::max(here, kLeastArea);
        if (parameters_.slope_exponent == 1.0)
            return celerities(parameters_.law, area, level_.erodibility, network_.celerity);
        creep_.resize(area.size());
        const SlopeLaw law(parameters_.law, parameters_.slope_exponent, level_.erodibility);
        parallel_for(0, terrain_.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t cell = first; cell < last; ++cell) {
                const SlopeRates rates = law.rates(cell, area[at(cell)]);
                network_.celerity[at(cell)] = rates.power;
                creep_[at(cell)] = rates.creep;
            }
        });
    }

    /// Lets the boundary cells fall; nothing else sets their elevation.
    void lower_roots_by(double years) {
        const std::vector<float>& falls = network_.root_fall;
        if (falls.empty() && parameters_.law.base_slope == 0.0) return;
        for (const std::int32_t cell : network_.tree.order) {
            if (network_.tree.receiver(cell) >= 0) continue;
            elevation_[cell] -= years * (falls.empty() ? parameters_.law.fall(network_.celerity[at(cell)])
                                                       : static_cast<double>(falls[at(cell)]));
            terrain_[cell] = static_cast<float>(elevation_[cell]);
        }
    }

    /// Sums of what the cells with a receiver did in a step.
    struct Change {
        double moved = 0.0;   // m, of |z_new - z|
        double uplift = 0.0;  // m/yr, of |u|
        std::int64_t cells = 0;
    };

    /// Makes the new elevations the terrain, and tells whether it has settled.
    void take_over(double years) {
        const auto take = [&](std::int64_t first, std::int64_t last) {
            Change change;
            for (std::int64_t cell = first; cell < last; ++cell) {
                if (network_.tree.direction[at(cell)] >= kRoot) continue;
                change.moved += std::abs(elevation_[cell] - static_cast<double>(terrain_[cell]));
                change.uplift += static_cast<double>(std::abs(level_.uplift[at(cell)]));
                ++change.cells;
                terrain_[cell] = static_cast<float>(elevation_[cell]);
            }
            return change;
        };
        const auto join = [](const Change& a, const Change& b) {
            return Change{a.moved + b.moved, a.uplift + b.uplift, a.cells + b.cells};
        };
        const Change sum = parallel_reduce(0, terrain_.size(), kCellsPerTask, Change{}, take, join);
        const double cells = static_cast<double>(std::max<std::int64_t>(1, sum.cells));
        result_.report.change = sum.moved / cells / years;
        if (std::isinf(parameters_.time))
            result_.report.settled =
                result_.report.change < std::max(kSettledShare * sum.uplift / cells, kSettledRate);
    }

    const ErosionLevel& level_;
    const ErosionParameters& parameters_;
    std::uint64_t seed_;
    PhaseTimes& phases_;
    Progress& progress_;
    Field<float> terrain_;     // as it is routed, m
    Field<double> elevation_;  // the same, m: floats would round the uplift of short steps
    Sediment sediment_;
    TerrainRouter router_;
    ErosionNetwork network_;
    std::vector<float> creep_;  // m/yr; empty where n = 1
    SteppedTerrain result_;
};

}  // namespace

std::int64_t step_along_tree(const FlowTree& tree, const StepInputs& inputs, const ImplicitStep& step,
                             Field<double>& elevation, const Progress& progress) {
    const TreeStepper stepper(tree, inputs, step, elevation);
    std::int64_t capped = stepper.solve(0, tree.run_starts.front(), progress);
    const std::int64_t runs = static_cast<std::int64_t>(tree.run_starts.size()) - 1;
    const std::int64_t cells_per_run =
        static_cast<std::int64_t>(tree.order.size()) / std::max<std::int64_t>(1, runs);
    const std::int64_t runs_per_task = kCellsPerTask / std::max<std::int64_t>(1, cells_per_run) + 1;
    const auto solve_runs = [&](std::int64_t first, std::int64_t last) {
        return stepper.solve(tree.run_starts[at(first)], tree.run_starts[at(last)], progress);
    };
    return capped + parallel_reduce(0, runs, runs_per_task, std::int64_t{0}, solve_runs, std::plus<>());
}

SteppedTerrain step_terrain(const ErosionLevel& level, const ErosionParameters& parameters,
                            std::uint64_t seed, PhaseTimes& phases, Progress& progress) {
    return TerrainStepper(level, parameters, seed, phases, progress).run();
}

}  // namespace thalweg
