#include "thalweg/riverscape/courses/braids.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kPitch = 1.9;         // from channel to channel, in widths of one (empirical)
constexpr double kSway = 0.44;         // of the pitch: neighbours come close and part again
constexpr double kPartingPitch = 3.0;  // in which channels part, in pitches

/// Where a channel lies around its middle, from -1 to 1: two waves with lengths of 7 to 15 widths.
double sway_at(double way, double width, const ReachDraws& draws, std::uint64_t channel,
               std::uint64_t place) {
    double sum = 0.0;
    for (std::uint64_t wave = 0; wave < 2; ++wave) {
        const std::uint64_t number = 4 * channel + 2 * wave;
        const double length = width * draws.between(7.0, 15.0, BedDraw::Channel, place, number);
        const double phase = draws.unit(BedDraw::Channel, place, number + 1);
        sum += 0.5 * std::sin(2.0 * std::numbers::pi * (way / length + phase));
    }
    return sum;
}

/// How channels lie side by side.
struct BraidPlan {
    std::size_t count;
    double width;   // m, of a channel of mean share
    double middle;  // channels from the first to the middle
    double pitch;   // m, from channel to channel
};

BraidPlan braid_plan(const BaseLine& base, const RiverStretch& stretch) {
    BraidPlan plan = {.count = static_cast<std::size_t>(std::max(1.0, stretch.channels))};
    const auto count = static_cast<double>(plan.count);
    plan.width = base.reach->width / std::sqrt(count);
    plan.middle = 0.5 * (count - 1.0);
    const double room = 0.5 * (stretch.flood_prone_width - plan.width);
    plan.pitch = std::min(kPitch * plan.width, room / std::max(plan.middle + kSway, 0.5));
    return plan;
}

}  // namespace

double braid_half_span(const BaseLine& base, const RiverStretch& stretch) {
    const BraidPlan plan = braid_plan(base, stretch);
    return std::max(0.0, (plan.middle + kSway) * plan.pitch);
}

std::vector<BraidChannel> braid_channels(const BaseLine& base, std::size_t points,
                                         const RiverStretch& stretch, const ReachDraws& draws) {
    const auto [count, width, middle, pitch] = braid_plan(base, stretch);
    const auto place = static_cast<std::uint64_t>(std::max(0.0, stretch.from));
    std::vector<BraidChannel> channels(count);
    double sum = 0.0;
    for (std::size_t j = 0; j < count; ++j) {
        channels[j].share = draws.between(0.5, 1.5, BedDraw::Channel, place, 1000 + j);
        sum += channels[j].share;
    }
    for (BraidChannel& channel : channels) channel.share /= sum;
    const double parting = std::max(kPartingPitch * pitch * static_cast<double>(count), 1e-9);
    const double length = base.step * static_cast<double>(points - 1);
    // In short stretches they part no more steeply than in others, and not as far.
    const double most = std::min(1.0, 0.5 * length / parting);
    for (std::size_t j = 0; j < count; ++j) {
        BraidChannel& channel = channels[j];
        for (std::size_t i = 0; i < points; ++i) {
            const double way = base.step * static_cast<double>(i);
            const double t = std::min(1.0, std::min(way, length - way) / std::min(parting, 0.5 * length));
            const double apart = most * std::max(0.0, t * t * (3.0 - 2.0 * t));
            channel.lateral.push_back(
                apart * pitch *
                (static_cast<double>(j) - middle + kSway * sway_at(way, width, draws, j, place)));
            channel.part.push_back(1.0 + apart * (channel.share - 1.0));
        }
    }
    return channels;
}

}  // namespace thalweg
