#include "thalweg/particles/simulation/droplet_starts.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/unit_vector.hpp"
#include "thalweg/particles/droplets/inlets.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

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

float largest_discharge_of(const ParticleState& state) {
    constexpr std::int64_t kCellsPerTask = 1 << 16;
    const auto largest = [](float a, float b) { return std::max(a, b); };
    const auto largest_in = [&](std::int64_t first, std::int64_t last) {
        return std::accumulate(state.discharge.begin() + first, state.discharge.begin() + last, 0.0F,
                               largest);
    };
    return parallel_reduce(0, state.discharge.size(), kCellsPerTask, 0.0F, largest_in, largest);
}

/// As many batches as let the largest stream Q take half of the way down to the next cell in each, if it came
/// without a load, so that the bounds of what droplets take do not hold it back:
///   Q dt kc (1 + K) dx / (dx + lambda) / batches = dx^3 / 2
/// Larger streams than kMostDischarge Q1 are near to what they can carry, and need no more. On cells of half
/// the size a place has four times as many batches, and droplets. The streams of a cycle are those that it
/// begins with.
int batches_of(const ParticleState& state, std::int64_t droplets) {
    const ParticleParameters& p = state.parameters;
    if (p.batches > 0) return p.batches;
    constexpr double kMostDischarge = 40.0;   // empirical
    constexpr double kFewest = 16.0;          // for streams that come about in a cycle (empirical)
    constexpr double kFewestDroplets = 32.0;  // in a batch: two for each lane of a vector
    constexpr double kMost = 4096.0;
    const double cell_size = state.elevation.grid().cell_size;
    const double discharge =
        std::min(static_cast<double>(largest_discharge_of(state)), kMostDischarge * p.entrainment_discharge);
    const double load = discharge * p.time_step * p.capacity * (1.0 + p.entrainment);  // m^3, at slope 1
    const double wanted = load * 2.0 / (cell_size + p.exchange_length) / (cell_size * cell_size);
    const double most = std::clamp(static_cast<double>(droplets) / kFewestDroplets, kFewest, kMost);
    return static_cast<int>(std::clamp(std::ceil(wanted), kFewest, most));
}

}  // namespace

DropletStarts::DropletStarts(const ParticleState& state)
    : state_(state), batches_(batches_of(state, droplets_of(state))), mean_runoff_(mean_runoff_of(state)) {
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
    std::int64_t before = 0;
    for (const Source& source : sources_) {
        const std::int64_t last = source.droplets * (batch + 1) / batches_;
        for (std::int64_t number = source.droplets * batch / batches_; number < last; ++number) {
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
        const UnitVector direction = unit_vector(draw(0));
        const double distance = spring->radius * std::sqrt(unit_double(draw(1)));
        column = grid.column_at(spring->x + distance * direction.x) + 0.5;
        row = grid.row_at(spring->y + distance * direction.y) + 0.5;
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
