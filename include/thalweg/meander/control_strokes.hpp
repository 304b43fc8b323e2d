// Strokes that say where channels shall go, where not, and where they stay.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <vector>

namespace thalweg {

/// What a stroke does to channels under it.
enum class ControlKind { Attract, Repel, Damp };

/// A region of control drawn along a polyline, with a weight w as that of a brush (grid/strokes.hpp): 1
/// within `radius` of the line, and from there to 0 over `falloff`. A channel's point that migrates at the
/// rate R is moved besides by
///
///   dt |R| strength w t u,   t = min(1, distance / width of the channel)
///
/// where u is the unit vector to the stroke's line (attract), or from it (repel). Where channels are damped,
/// R and what they are moved besides are less by the share w strength, at most by all.
///
/// Source: Paris et al. 2023, eq. 7 and fig. 14. Differs in: the rate is |R| and not R, by which attraction
/// would turn into repulsion from bend to bend; and t lets channels come to rest on the line.
struct ControlStroke {
    ControlKind kind = ControlKind::Attract;
    std::vector<double> points = {};  // m: x0, y0, x1, y1, ...; one point is a dab
    double radius = 500.0;            // m
    double falloff = 500.0;           // m
    double strength = 1.0;            // 1

    bool operator==(const ControlStroke&) const = default;
    static void declare(Declaration<ControlStroke>& declaration);
};

/// Throws Error::input unless the points are finite pairs, at least one.
///
/// Example:
///     check_control({.kind = ControlKind::Repel, .points = {0.0, 0.0, 5000.0, 2000.0}, .strength = 2.0});
void check_control(const ControlStroke& stroke);

}  // namespace thalweg
