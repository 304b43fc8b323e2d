// Knickpoints: where the long profile of a river is not concave upward.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/stream_tree.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// What counts as a knickpoint.
struct KnickpointParameters {
    double tolerance = 30.0;  // m, least offset from a concave profile

    static void declare(Declaration<KnickpointParameters>& declaration);
};

/// The upper end of a steep stretch.
struct Knickpoint {
    std::int32_t entry = 0;        // of its stream tree
    double offset = 0.0;           // m, of the bed above the concave profile when it was found
    double height = 0.0;           // m, of the step there; NaN where one side has too few cells
    double steepness_above = 0.0;  // k_sn, m^(2 theta); NaN too
    double steepness_below = 0.0;
};

/// The concave envelope of long profiles: the highest surface that lies nowhere above the bed and gets no
/// gentler upstream, along any way, but at knickpoints, which it passes through.
struct ConcaveEnvelope {
    std::vector<double> elevation;         // m, per entry
    std::vector<std::uint8_t> is_touched;  // per entry: 1 where a straight piece of it begins or ends
};

/// From each outlet, knickpoint and place where a piece ends, the envelope runs straight, in elevation over
/// distance, to the bed cell upstream that lies at the least slope from there, not beyond knickpoints.
/// is_knickpoint: per entry. The bed must not rise downstream. Cost: of each piece, the entries upstream of
/// its lower end; polls `progress` with every piece.
ConcaveEnvelope concave_envelope(const StreamTree& streams, const std::vector<std::uint8_t>& is_knickpoint,
                                 Progress& progress);

/// Knickpoints as TopoToolbox's `knickpointfinder` defines them (Schwanghart and Scherler 2014, 2017; Stolle
/// et al. 2019): in every piece of the rivers between knickpoints, the cell that lies highest above the
/// envelope becomes one, if by `tolerance` or more, until there is none. Of equal cells the first entry.
///
/// Height and steepness are those of the step and change of k_sn of Gailleton et al. (2019, Earth Surface
/// Dynamics 7, 211-230, sec. 2.2): z over chi is fitted above the knickpoint, and below its foot, the next
/// cell down where the envelope is touched, each over `length` (m) of river at most and not beyond other
/// knickpoints and their feet; the height is how far the fits lie apart at the knickpoint. Differs in: fits
/// are least squares between these knickpoints, not segments found by statistics. A step has a height and as
/// much k_sn above as below; a break of slope has a height near 0.
///
/// Knickpoints come in the order of their entries. The same on any number of threads; polls `progress`.
/// Cost: a concave_envelope of all rivers for each round that finds any, and one more.
///
/// Example:
///     const std::vector<Knickpoint> steps =
///         find_knickpoints(streams, {.tolerance = 20.0}, 1000.0, progress);
std::vector<Knickpoint> find_knickpoints(const StreamTree& streams, const KnickpointParameters& parameters,
                                         double length, Progress& progress);

}  // namespace thalweg
