// River types of Rosgen: what channels look like, told from slope, width, depth and valley.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/river/network.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace thalweg {

/// The types of natural rivers (Rosgen 1994).
enum class RiverType : std::uint8_t {
    AaPlus,  // torrents, deeply entrenched: falls and steps
    A,       // steep, entrenched: steps and pools
    B,       // moderately entrenched: rapids with scour pools
    C,       // meanders with point bars on a floodplain: riffles and pools
    D,       // braided
    DA,      // anastomosed: narrow deep channels through wetlands
    E,       // narrow, deep and very sinuous, in meadows
    F,       // wide and shallow, entrenched meanders
    G        // gullies
};
inline constexpr std::size_t kRiverTypeCount = 9;

/// Values between two ends; an end that does not count is infinite.
struct TypeRange {
    double least = 0.0;
    double most = 0.0;
};

/// What rivers of one type are like.
struct RiverTypeForm {
    RiverType type;
    const char* name;        // as files hold it: "A+", "A", ..., "G"
    TypeRange entrenchment;  // 1: width of the flood-prone ground over bankfull width
    TypeRange width_depth;   // 1, at bankfull
    TypeRange sinuosity;     // 1
    TypeRange slope;         // m/m
};

/// The table of Rosgen 1994 (Catena 22, fig. 3 and table 1), in the order of RiverType.
const std::array<RiverTypeForm, kRiverTypeCount>& river_type_forms();
const RiverTypeForm& form_of(RiverType type);

/// The type with a name; throws Error::input that names the nearest one.
RiverType river_type_of(std::string_view name);

/// A type that the user gives to a reach, whatever its form is.
struct GivenRiverType {
    std::int64_t reach = 0;  // id
    RiverType type = RiverType::B;

    static void declare(Declaration<GivenRiverType>& declaration);
};

/// How reaches are classified.
struct RiverTypeParameters {
    double grain_size = 0.03;       // D, m, median of the bed, which decides what braids
    double stretch_length = 500.0;  // m, least length of a stretch where a reach is cut
    std::vector<GivenRiverType> types = {};

    static void declare(Declaration<RiverTypeParameters>& declaration);
};

/// A stretch of a reach with one type.
struct RiverStretch {
    std::size_t reach = 0;  // its place among the network's reaches
    double from = 0.0;      // m along the reach
    double to = 0.0;        // m along the reach
    RiverType type = RiverType::B;
    bool is_given = false;           // by the user
    double slope = 0.0;              // m/m, mean
    double entrenchment = 0.0;       // 1, median of its sections
    double flood_prone_width = 0.0;  // m, the same times the width
    double width_depth = 0.0;        // 1
    double sinuosity = 1.0;          // 1, as the network shows it
    double stream_power = 0.0;       // m: sqrt(drainage area) times slope (Peytavie et al. 2019, sec. 4)
    double specific_power = 0.0;     // W/m^2, potential specific stream power
    double channels = 1.0;           // side by side, of a stretch with D or DA
    double misfit = 0.0;             // from the type, in tolerances
    int strahler = 1;
};

/// The stretches of a network: reach by reach in their order, downstream, each reach whole.
///
/// A reach is cut where its bed leaves the straight line between the ends furthest, and again in its parts,
/// as long as both sides are `stretch_length` long and one is half as steep again as the other.
///
/// Bankfull level b at a station is that of the lower ground a width beside the line, no lower than the bed
/// of the network and no higher than the mean depth d above it: terrain that holds the channel gives its
/// banks, terrain that is too coarse for it gives the valley's floor. Flood-prone ground lies below b + d,
/// which is twice the bankfull depth above the bed, on the section across the line, up to ten widths to each
/// side. Entrenchment is the median over up to 25 stations.
///
/// The type is that with the least misfit, and the first one of those with the same,
///
///   m^2 = ((e - range) / 0.2)^2 + ((w/d - range) / 2)^2 + ((k - range) / 0.2)^2 + (ln(S / range) / ln 1.1)^2
///
/// where (v - range) is the distance of v from the type's range and 0 within, and 0.2, 2 and 0.2 are the
/// tolerances of Rosgen 1994; for slope there is none, and a tenth is taken. The first
/// three terms count as 9 at most each: terrain of coarse cells may miss valleys by far, but hardly slopes.
/// Sinuosity k counts where the network's points lie less than two widths apart: others do not show bends.
///
/// Differs in: D is taken where the river braids, which is where potential specific stream power
/// omega = rho g sqrt(Q) S / alpha reaches 900 D^0.42 (van den Berg 1995; alpha is 3.0 for gravel, 4.7 for
/// sand), the slope is that of the type and two channels with their bars, 1.6 widths each, fit on the ground
/// (empirical); the width over depth of the table is that of a whole braid. DA is taken where omega is below
/// 10 W/m^2 (Nanson and Croke 1992), the slope is the type's and entrenchment is at least 4 (Rosgen 1994,
/// table 1). D has e / 3 channels, 2 to 6, and DA
/// e / 4, 2 to 4 (empirical).
///
/// Types that the network's reaches name (Reach::type), where they are not what the reach is classified as,
/// and those of `parameters`, which count more, are given by the user: to all stretches of the reach whose
/// slope is within the type's bounds by half; others keep their own. So a network that was classified is
/// classified as before, and its types are allowed on other terrain and beside reaches that were edited.
///
/// elevation in m. Throws Error::input for a reach that runs uphill, has no discharge, width, depth or
/// velocity, for given types of reaches that are not there, and for given types that no stretch of the reach
/// may have. O(points + stations); the same bits on any number of threads.
///
/// Example:
///     const std::vector<RiverStretch> stretches = classify_reaches(network, elevation, {});
///     double braided = 0.0;  // m
///     for (const RiverStretch& stretch : stretches)
///         if (stretch.type == RiverType::D) braided += stretch.to - stretch.from;
std::vector<RiverStretch> classify_reaches(const RiverNetwork& network, const Field<float>& elevation,
                                           const RiverTypeParameters& parameters);

/// The type of each reach: that of its longest stretch, the first one of equal ones.
std::vector<RiverType> types_of_reaches(const RiverNetwork& network,
                                        const std::vector<RiverStretch>& stretches);

}  // namespace thalweg
