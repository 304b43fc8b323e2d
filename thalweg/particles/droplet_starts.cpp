#include "thalweg/particles/droplet_starts.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/unit_vector.hpp"
#include "thalweg/particles/inlets.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsOfDroplet = 64;  // where their number is left to the program (empirical)

double mean_runoff_of(const ParticleState& state) {
    if (state.rain.empty()) return state.parameters.rainfall;
    constexpr std::int64_t kCellsPerTask = 1 << 16;
    const auto sum_of = [&](std::int64_t first, std::int64_t last) {
        double sum = 0.0;
        for (std::int64_t cell = first; cell < last; ++cell)
            if (state.rain[cell] > 0.0F) sum += static_cast<double>(state.rain[cell]);
        return sum;
    };
    const double sum = parallel_reduce(0, state.rain.size(), kCellsPerTask, 0.0, sum_of, std::plus<>{});
    return sum / static_cast<double>(state.rain.size());
}

std::int64_t droplets_of(const ParticleState& state) {
    if (state.parameters.droplets > 0) return state.parameters.droplets;
    return std::max<std::int64_t>(state.elevation.size() / kCellsOfDroplet, 64);
}

}  // namespace

DropletStarts::DropletStarts(const ParticleState& state)
    : state_(state), mean_runoff_(mean_runoff_of(state)) {
    const Grid& grid = state.elevation.grid();
    const double rain = mean_runoff_ * grid.width() * grid.height();  // m^3/yr
    double all = rain;
    for (const ParticleSpring& spring : state.parameters.springs) all += spring.discharge;
    mean_volume_ = all * state.parameters.time_step / static_cast<double>(droplets_of(state));
    if (!(mean_volume_ > 0.0)) return;
    const auto add = [&](double discharge, const ParticleSpring* spring) {
        const double share = discharge * state.parameters.time_step / mean_volume_;  // in mean droplets
        if (!(share > 0.0)) return;
        const std::int64_t droplets = std::max<std::int64_t>(std::llround(share), 1);
        sources_.push_back({.droplets = droplets,
                            .volume = static_cast<float>(share / static_cast<double>(droplets)),
                            .spring = spring});
    };
    add(rain, nullptr);
    for (const ParticleSpring& spring : state.parameters.springs) {
        add(spring.discharge, &spring);
        if (spring.is_fed) sources_.back().fall = inlet_fall(state.elevation, inlet_cells(spring, grid));
    }
}

double DropletStarts::volume() const {
    return mean_volume_ * static_cast<double>(droplets_of(state_));
}

std::vector<DropletStart> DropletStarts::of_batch(int batch) const {
    std::vector<DropletStart> starts;
    const std::int64_t batches = state_.parameters.batches;
    std::int64_t before = 0;
    for (const Source& source : sources_) {
        const std::int64_t last = source.droplets * (batch + 1) / batches;
        for (std::int64_t number = source.droplets * batch / batches; number < last; ++number) {
            const DropletStart start = start_of(source, before + number);
            if (start.water > 0) starts.push_back(start);
        }
        before += source.droplets;
    }
    return starts;
}

DropletStart DropletStarts::start_of(const Source& source, std::int64_t number) const {
    const Grid& grid = state_.elevation.grid();
    const auto draw = [&](std::uint64_t which) {
        return random_bits(state_.seed, Stream::Droplet, static_cast<std::uint64_t>(state_.cycles),
                           static_cast<std::uint64_t>(number), which);
    };
    double column = unit_double(draw(0)) * grid.columns;
    double row = unit_double(draw(1)) * grid.rows;
    if (const ParticleSpring* spring = source.spring) {
        const UnitVector way = unit_vector(draw(0));
        const double distance = spring->radius * std::sqrt(unit_double(draw(1)));
        column = grid.column_at(spring->x + distance * way.x) + 0.5;
        row = grid.row_at(spring->y + distance * way.y) + 0.5;
    }
    const std::int64_t cell = grid.index(std::clamp(static_cast<int>(column), 0, grid.columns - 1),
                                         std::clamp(static_cast<int>(row), 0, grid.rows - 1));
    if (state_.elevation[cell] == kNoGround) return {};

    DropletStart start;
    start.droplet.place = {static_cast<float>(column), static_cast<float>(row)};
    start.droplet.volume = source.volume;
    // A river that enters flows down its bed.
    const float slope = std::sqrt(source.fall.x * source.fall.x + source.fall.y * source.fall.y);
    if (slope > 0.0F) {
        start.droplet.direction = {source.fall.x / slope, source.fall.y / slope};
        start.feed = static_cast<float>(source.spring->load_share) * slope;
    }
    if (source.spring == nullptr && !state_.rain.empty())
        start.droplet.volume *= static_cast<float>(static_cast<double>(state_.rain[cell]) / mean_runoff_);
    if (!(start.droplet.volume > 0.0F)) return {};
    const double depth = mean_volume_ * static_cast<double>(start.droplet.volume) / grid.cell_area();  // m
    start.water = std::max<std::int64_t>(std::llround(depth / kElevationUnit), 1);
    return start;
}

}  // namespace thalweg
