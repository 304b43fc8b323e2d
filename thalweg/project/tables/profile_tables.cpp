#include "thalweg/project/tables/profile_tables.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"

#include <limits>
#include <vector>

namespace thalweg {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The places of entries of streams with what profiles tell of them.
PointTable table_of(const StreamProfiles& profiles, const std::vector<std::int32_t>& entries,
                    const char* layer) {
    const StreamTree& streams = profiles.streams;
    const Grid& grid = streams.grid;
    PointTable table{.layer = layer, .crs = grid.crs, .points = {}, .columns = {}};
    for (const std::int32_t entry : entries) {
        const std::int32_t cell = streams.cell[at(entry)];
        table.points.push_back(
            {grid.x(grid.column_of(cell)), grid.y(grid.row_of(cell)), streams.elevation[at(entry)]});
    }
    const auto add = [&](const char* name, bool is_whole, const auto& value_of) {
        PointColumn& column = table.columns.emplace_back(PointColumn{.name = name, .is_whole = is_whole});
        for (const std::int32_t entry : entries)
            column.values.push_back(static_cast<double>(value_of(at(entry))));
    };
    std::vector<std::int32_t> mouths;  // by stream
    for (std::int32_t entry = 0; entry < streams.size(); ++entry)
        if (streams.is_mouth(entry)) mouths.push_back(entry);
    const double scale = portable_power(profiles.chi.reference_area, profiles.chi.concavity);
    add("stream", true, [&](std::size_t entry) { return streams.stream[entry] + 1; });
    add("flows_into", true, [&](std::size_t entry) {
        const std::int32_t below = streams.below[at(mouths[at(streams.stream[entry])])];
        return below < 0 ? kNone : static_cast<double>(streams.stream[at(below)] + 1);
    });
    add("distance_m", false, [&](std::size_t entry) { return streams.distance[entry]; });
    add("area_m2", false, [&](std::size_t entry) { return streams.area[entry]; });
    add("chi_m", false, [&](std::size_t entry) { return scale * streams.chi[entry]; });
    add("ksn", false, [&](std::size_t entry) { return profiles.steepness[entry]; });
    return table;
}

}  // namespace

PointTable profile_table(const StreamProfiles& profiles) {
    std::vector<std::int32_t> entries(at(profiles.streams.size()));
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<std::int32_t>(i);
    return table_of(profiles, entries, "profile");
}

PointTable knickpoint_table(const StreamProfiles& profiles) {
    std::vector<std::int32_t> entries;
    for (const Knickpoint& knickpoint : profiles.knickpoints) entries.push_back(knickpoint.entry);
    PointTable table = table_of(profiles, entries, "knickpoint");
    const auto add = [&](const char* name, double Knickpoint::* member) {
        PointColumn& column = table.columns.emplace_back(PointColumn{.name = name});
        for (const Knickpoint& knickpoint : profiles.knickpoints) column.values.push_back(knickpoint.*member);
    };
    add("offset_m", &Knickpoint::offset);
    add("height_m", &Knickpoint::height);
    add("ksn_above", &Knickpoint::steepness_above);
    add("ksn_below", &Knickpoint::steepness_below);
    return table;
}

}  // namespace thalweg
