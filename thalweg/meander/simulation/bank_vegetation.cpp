#include "thalweg/meander/simulation/bank_vegetation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace thalweg {
namespace {

/// A quarter of the mean width of the channels that wander, m; 0 where none does.
double cell_of_vegetation(const MeanderState& state) {
    double sum = 0.0;
    double points = 0.0;
    for (const MeanderChannel& channel : state.channels) {
        if (channel.width < state.parameters.minimum_width) continue;
        sum += channel.width * static_cast<double>(channel.line.size());
        points += static_cast<double>(channel.line.size());
    }
    return points > 0.0 ? 0.25 * sum / points : 0.0;
}

}  // namespace

double vegetation_density(const MeanderState& state, double x, double y) {
    const double age = state.year() - static_cast<double>(state.occupied.year_at(x, y));
    return 1.0 - std::exp(-std::max(0.0, age) / state.parameters.vegetation_growth_time);
}

void slow_by_vegetation(const MeanderState& state, MeanderChannel& channel) {
    constexpr std::array<double, 3> kBehindBank = {0.0, 0.25, 0.5};  // widths
    const ChannelLine& line = channel.line;
    std::vector<double> rates;
    migration_rates(line, state.parameters.migration, channel.inflow, rates);
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        if (channel.mobility[i] == 0.0F) continue;
        const double chord_x = line.x[i + 1] - line.x[i - 1];
        const double chord_y = line.y[i + 1] - line.y[i - 1];
        const double side = (rates[i] > 0.0 ? 1.0 : -1.0) / std::hypot(chord_x, chord_y);
        double density = 0.0;
        for (const double behind : kBehindBank) {
            // One cell further, for that at the bank may be half within the channel.
            const double way = side * ((0.5 + behind) * line.values.width[i] + state.occupied.cell_size);
            density += vegetation_density(state, line.x[i] + way * chord_y, line.y[i] - way * chord_x) /
                       static_cast<double>(kBehindBank.size());
        }
        channel.mobility[i] *= static_cast<float>(1.0 - state.parameters.vegetation_strength * density);
    }
}

void clear_vegetation(MeanderState& state) {
    if (state.parameters.vegetation_strength <= 0.0) return;
    if (state.occupied.cell_size == 0.0) state.occupied.cell_size = cell_of_vegetation(state);
    for (const MeanderChannel& channel : state.channels) {
        if (channel.width < state.parameters.minimum_width) continue;
        const ChannelLine& line = channel.line;
        for (std::size_t i = 0; i < line.size(); ++i)
            state.occupied.occupy(line.x[i], line.y[i], 0.5 * line.values.width[i], state.year());
    }
}

}  // namespace thalweg
