#include "thalweg/erosion/key_walk.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kFirstKeyStep = 5e3;  // yr, least distance of key times (empirical)
constexpr double kKeyRatio = 0.07;     // 1, distance of key times over time (empirical)

}  // namespace

Field<float> KeyWalk::terrain_at(double time, const ErosionRun& run) {
    for (double step = key_step(); reached_ + step <= time; step = key_step()) {
        run.progress.report(reached_ / time, fmt::format("eroding, {:.0f} years", reached_));
        age(step, run);
        reached_ += step;
    }
    Field<float> key = solver_.terrain();
    if (time <= reached_) return key;
    age(time - reached_, run);
    std::swap(key, solver_.terrain());
    return key;
}

double KeyWalk::key_step() const {
    return std::max(kFirstKeyStep, kKeyRatio * reached_);
}

/// Ages the terrain on the network that it has.
void KeyWalk::age(double years, const ErosionRun& run) {
    solver_.find_network(iterations_++, 0, run);
    solver_.solve_increment(years, Field<float>(solver_.terrain()), run);
}

}  // namespace thalweg
