#include "thalweg/io/lakes.hpp"

#include "thalweg/io/vector/outline_polygons.hpp"
#include "thalweg/io/vector/vector_file.hpp"

#include <array>
#include <cmath>

namespace thalweg {
namespace {

/// A quantity of a lake: its attribute's name and its member.
struct LakeAttribute {
    const char* name;
    double Lake::* member;
};
constexpr std::array kQuantities = {
    LakeAttribute{"area_m2", &Lake::area}, LakeAttribute{"depth_m", &Lake::depth},
    LakeAttribute{"volume_m3", &Lake::volume}, LakeAttribute{"level_m", &Lake::level},
    LakeAttribute{"inflow_m3", &Lake::inflow}};
constexpr const char* kLakeLayer = "lake";
constexpr const char* kLakeId = "lake_id";
constexpr const char* kOutletX = "outlet_x";
constexpr const char* kOutletY = "outlet_y";

void write_outlines(VectorFile& file, const std::vector<LakeOutline>& lakes) {
    OGRLayer& layer = file.add_layer(kLakeLayer, wkbMultiPolygon);
    file.add_field(layer, kLakeId, OFTInteger);
    for (const LakeAttribute& attribute : kQuantities) file.add_field(layer, attribute.name, OFTReal);
    file.add_field(layer, kOutletX, OFTReal);
    file.add_field(layer, kOutletY, OFTReal);
    for (const LakeOutline& outline : lakes) {
        const FeaturePointer feature = VectorFile::feature_of(layer);
        feature->SetField(kLakeId, outline.lake.id);
        for (const LakeAttribute& attribute : kQuantities) {
            const double value = outline.lake.*attribute.member;
            if (std::isfinite(value)) feature->SetField(attribute.name, value);
        }
        if (outline.outlet) {
            feature->SetField(kOutletX, outline.outlet->x);
            feature->SetField(kOutletY, outline.outlet->y);
        }
        file.add_feature(layer, *feature, polygons_of(outline.parts));
    }
}

}  // namespace

void write_lakes(const std::filesystem::path& path, const LakeOutlines& lakes) {
    write_vector_file(path, network_format_of(path), lakes.crs,
                      [&](VectorFile& file) { write_outlines(file, lakes.lakes); });
}

}  // namespace thalweg
