#include "thalweg/meander/branches/braid_criterion.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/river/braid_threshold.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kGravity = 9.81;           // m/s^2
constexpr double kSmallestGravel = 0.002;   // m
constexpr double kSubmergedDensity = 1.65;  // of grains, over that of water

constexpr double kRoom = 1.6;  // channel widths of plain for each channel and its bars (empirical)

}  // namespace

BraidForm braid_form(const ChannelLine& line, double bankfull, const MeanderParameters& parameters) {
    const bool is_gravel = parameters.grain_size >= kSmallestGravel;
    const double alpha = reference_width_factor(parameters.grain_size);
    const std::size_t middle = line.size() / 2;
    const double width = line.values.width[middle];
    const double grain = parameters.grain_size;
    BraidForm form;
    form.slope = std::max(0.0, line.z.front() - line.z.back()) /
                 std::hypot(line.x.back() - line.x.front(), line.y.back() - line.y.front());
    form.flow = bankfull > 0.0 ? bankfull : width * width / (alpha * alpha);
    form.stream_power = potential_stream_power(form.flow, form.slope, grain);
    form.threshold = braiding_power(grain);
    const double chezy =
        8.1 * std::sqrt(kGravity) * portable_power(line.values.depth[middle] / (2.5 * grain), 1.0 / 6.0);
    const double bars = 0.17 * kGravity * ((is_gravel ? 10.0 : 4.0) - 3.0);
    form.mode = std::sqrt(bars * width * width * width * form.slope /
                          (std::sqrt(kSubmergedDensity * grain) * chezy * form.flow));
    const double most = std::max(1.0, parameters.braid_plain / kRoom);
    form.channels = std::clamp((form.mode - 1.0) / 2.0 + 1.0, 1.0, most);
    return form;
}

bool shall_braid(const BraidForm& form, Braiding braiding, bool braids_by_now) {
    constexpr double kLeastChannels = 1.5;  // a bar in the middle: mode 2
    constexpr double kStays = 0.8;
    if (braiding == Braiding::None) return false;
    const double ease = braids_by_now ? kStays : 1.0;
    if (form.channels < ease * kLeastChannels) return false;
    return braiding == Braiding::All || form.stream_power >= ease * form.threshold;
}

}  // namespace thalweg
