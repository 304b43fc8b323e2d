// Uplift history: when, where and how fast the ground rose.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/layer_source.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// How the uplift of an episode is spread over the map. `uplift_source` gives the equations.
enum class UpliftPattern { Even, Block, Tilt, Dome, Painted };

/// A span of time with one pattern of uplift and one climate. A fall of base level is even uplift: what
/// counts is how far the ground rises above the edges.
struct UpliftEpisode {
    UpliftPattern pattern = UpliftPattern::Even;
    double duration = 2e5;       // yr
    double uplift = 1e-3;        // m/yr, in the middle of what rises
    std::vector<double> centre;  // m, x and y, on the fault or in the dome; empty: by the seed
    double direction = -1.0;     // degrees clockwise from north, towards which it rises; -1: by the seed
    double width = 0.0;          // m, of a block's flexure, or the radius of a dome; 0: by the map
    double precipitation_factor = 1.0;  // 1, on drainage area: the climate

    static void declare(Declaration<UpliftEpisode>& declaration);
};

/// A history that stands for itself.
enum class HistoryPreset { RisingBlock, TiltedBlock, Dome, Pulses, Decay };

/// The episodes of a preset, one after another.
///
/// Example:
///     for (const UpliftEpisode& episode : episodes_of(HistoryPreset::Pulses))
///         std::printf("%g yr at %g m/yr\n", episode.duration, episode.uplift);
std::vector<UpliftEpisode> episodes_of(HistoryPreset preset);

/// Throws Error::input that names the episode's number and what is wrong: no duration, a rate or factor that
/// is not finite, a negative factor or width, a centre that is not two finite numbers, or more than 50 km of
/// uplift and subsidence together with those before. `most_painted` is the greatest size on the map of
/// painted episodes [1].
void check_episodes(const std::vector<UpliftEpisode>& episodes, double most_painted = 1.0);

/// Uplift rate [m/yr] of an episode at any position of the place of `home`:
///
///   even      U
///   block     U (0.4 + 0.6 / (1 + exp(-4 c / width))) (1 + 0.4 c / e)
///                                       c: m, behind a fault whose course wanders
///   tilt      U (0.5 + 0.5 c / e)       c: m, from the centre towards the direction
///   dome      U max(0, 1 - (r / width)^2)^2      r: m, from the centre
///   painted   U times `painted`, a map
///
/// e: m, half the longer side of `home`; c / e is cut off at -1 and 1. width is 900 m for a block and 0.8 e
/// for a dome where it is left out. A centre that is left out lies in the middle third, drawn from `seed` and
/// the episode's `number`; so is a direction. Evaluated, it costs about 30 ns a cell.
LayerSource uplift_source(const UpliftEpisode& episode, std::size_t number, const Grid& home,
                          std::uint64_t seed, const LayerSource& painted = {});

}  // namespace thalweg
