#include "thalweg/io/basins.hpp"

#include "thalweg/io/vector/outline_polygons.hpp"
#include "thalweg/io/vector/vector_file.hpp"
#include "thalweg/river/file_units.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

/// A quantity of a basin: its attribute's name and its member.
struct BasinAttribute {
    const char* name;
    double BasinOutline::* member;
};
constexpr std::array kHeights = {BasinAttribute{"outlet_z", &BasinOutline::outlet_elevation},
                                 BasinAttribute{"least_m", &BasinOutline::least},
                                 BasinAttribute{"mean_m", &BasinOutline::mean},
                                 BasinAttribute{"greatest_m", &BasinOutline::greatest}};

void write_outlines(VectorFile& file, const std::vector<BasinOutline>& basins) {
    const bool are_catchments =
        std::ranges::any_of(basins, [](const BasinOutline& basin) { return basin.pour_point.has_value(); });
    const char* const id = are_catchments ? "catchment_id" : "basin_id";
    OGRLayer& layer = file.add_layer(are_catchments ? "catchment" : "basin", wkbMultiPolygon);
    file.add_field(layer, id, OFTInteger);
    for (const char* name : {"area_km2", "outlet_x", "outlet_y"}) file.add_field(layer, name, OFTReal);
    for (const BasinAttribute& attribute : kHeights) file.add_field(layer, attribute.name, OFTReal);
    if (are_catchments)
        for (const char* name : {"pour_x", "pour_y", "snap_m"}) file.add_field(layer, name, OFTReal);
    for (const BasinOutline& basin : basins) {
        const FeaturePointer feature = VectorFile::feature_of(layer);
        feature->SetField(id, basin.id);
        feature->SetField("area_km2", basin.area / kSquareKilometre);
        feature->SetField("outlet_x", basin.outlet.x);
        feature->SetField("outlet_y", basin.outlet.y);
        for (const BasinAttribute& attribute : kHeights)
            feature->SetField(attribute.name, basin.*attribute.member);
        if (basin.pour_point) {
            feature->SetField("pour_x", basin.pour_point->x);
            feature->SetField("pour_y", basin.pour_point->y);
            feature->SetField("snap_m", std::hypot(basin.outlet.x - basin.pour_point->x,
                                                   basin.outlet.y - basin.pour_point->y));
        }
        file.add_feature(layer, *feature, polygons_of(basin.parts));
    }
}

}  // namespace

void write_basins(const std::filesystem::path& path, const BasinOutlines& basins) {
    write_vector_file(path, network_format_of(path), basins.crs,
                      [&](VectorFile& file) { write_outlines(file, basins.basins); });
}

}  // namespace thalweg
