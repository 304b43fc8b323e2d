#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/point_table.hpp"
#include "thalweg/io/vector/network_attributes.hpp"
#include "thalweg/io/vector/point_layer.hpp"
#include "thalweg/io/vector/vector_file.hpp"
#include "thalweg/io/vectors.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

bool has_types(const std::vector<Reach>& reaches) {
    return std::ranges::any_of(reaches, [](const Reach& reach) { return !reach.type.empty(); });
}

/// The type of reaches is an attribute where any is known.
void add_reach_fields(const VectorFile& file, OGRLayer& layer, bool with_types) {
    for (const IdAttribute& attribute : kReachIds) file.add_field(layer, attribute.name, OFTInteger64);
    file.add_field(layer, kStrahler, OFTInteger);
    for (const QuantityAttribute& attribute : kReachQuantities)
        file.add_field(layer, attribute.name, OFTReal);
    file.add_field(layer, kSteepness, OFTReal);
    file.add_field(layer, kDrawn, OFTInteger);
    file.add_field(layer, kBankfull, OFTReal);
    file.add_field(layer, kChildren, OFTInteger64);
    if (with_types) file.add_field(layer, kReachType, OFTString);
}

void add_reach(const VectorFile& file, OGRLayer& layer, OGRFeature& feature, const Reach& reach) {
    for (const IdAttribute& attribute : kReachIds)
        feature.SetField(attribute.name, static_cast<GIntBig>(reach.*attribute.member));
    feature.SetField(kStrahler, reach.strahler);
    for (const QuantityAttribute& attribute : kReachQuantities)
        feature.SetField(attribute.name, reach.*attribute.member / attribute.unit);
    feature.SetField(kSteepness, reach.steepness);
    feature.SetField(kDrawn, reach.drawn ? 1 : 0);
    feature.SetField(kBankfull, reach.bankfull_discharge);
    feature.SetField(kChildren, static_cast<GIntBig>(reach.children));
    if (!reach.type.empty()) feature.SetField(kReachType, reach.type.c_str());
    OGRLineString line;
    for (const RiverPoint& point : reach.points) line.addPoint(point.x, point.y, point.z);
    file.add_feature(layer, feature, line);
}

void write_reaches(VectorFile& file, const std::vector<Reach>& reaches) {
    OGRLayer& layer = file.add_layer(kReachLayer, wkbLineString25D);
    add_reach_fields(file, layer, has_types(reaches));
    for (const Reach& reach : reaches) add_reach(file, layer, *VectorFile::feature_of(layer), reach);
}

void write_reaches_of_times(VectorFile& file, const std::vector<NetworkAtTime>& networks) {
    OGRLayer& layer = file.add_layer(kHistoryLayer, wkbLineString25D);
    file.add_field(layer, kTime, OFTReal);
    add_reach_fields(file, layer, std::ranges::any_of(networks, [](const NetworkAtTime& at_time) {
                         return has_types(at_time.network->reaches);
                     }));
    for (const NetworkAtTime& at_time : networks)
        for (const Reach& reach : at_time.network->reaches) {
            const FeaturePointer feature = VectorFile::feature_of(layer);
            feature->SetField(kTime, at_time.time);
            add_reach(file, layer, *feature, reach);
        }
}

void write_nodes(VectorFile& file, const std::vector<RiverNode>& nodes) {
    OGRLayer& layer = file.add_layer(kNodeLayer, wkbPoint25D);
    file.add_field(layer, kNodeId, OFTInteger64);
    file.add_field(layer, kNodeKind, OFTString);
    for (const RiverNode& node : nodes) {
        const FeaturePointer feature = VectorFile::feature_of(layer);
        feature->SetField(kNodeId, static_cast<GIntBig>(node.id));
        for (const KindName& entry : kKindNames)
            if (entry.kind == node.kind) feature->SetField(kNodeKind, entry.name);
        const OGRPoint point(node.point.x, node.point.y, node.point.z);
        file.add_feature(layer, *feature, point);
    }
}

/// Of reaches that run in several channels, where there are any.
void write_branches(VectorFile& file, const std::vector<NetworkBranch>& branches) {
    if (branches.empty()) return;
    OGRLayer& layer = file.add_layer(kBranchLayer, wkbLineString25D);
    file.add_field(layer, kBranchId, OFTInteger64);
    file.add_field(layer, kBranchReach, OFTInteger64);
    file.add_field(layer, kBranchShare, OFTReal);
    for (const PointAttribute& attribute : kPointValues) file.add_field(layer, attribute.name, OFTReal);
    for (const NetworkBranch& branch : branches) {
        const FeaturePointer feature = VectorFile::feature_of(layer);
        feature->SetField(kBranchId, static_cast<GIntBig>(branch.id));
        feature->SetField(kBranchReach, static_cast<GIntBig>(branch.reach));
        feature->SetField(kBranchShare, branch.share);
        const std::size_t middle = branch.points.size() / 2;
        for (const PointAttribute& attribute : kPointValues)
            feature->SetField(attribute.name, static_cast<double>((branch.values.*attribute.column)[middle]));
        OGRLineString line;
        for (const RiverPoint& point : branch.points) line.addPoint(point.x, point.y, point.z);
        file.add_feature(layer, *feature, line);
    }
}

PointTable table_of_points(const RiverNetwork& network) {
    PointTable table{.layer = kPointLayer, .crs = network.crs, .points = {}, .columns = {}};
    table.columns = {{.name = kPointReach, .is_whole = true}, {.name = kPointNumber, .is_whole = true}};
    for (const PointAttribute& attribute : kPointValues)
        table.columns.push_back({.name = attribute.name, .is_single = true});
    for_each_polled(network.reaches, [&](const Reach& reach) {
        if (reach.values.empty()) return;
        table.points.insert(table.points.end(), reach.points.begin(), reach.points.end());
        for (std::size_t i = 0; i < reach.points.size(); ++i) {
            table.columns[0].values.push_back(static_cast<double>(reach.id));
            table.columns[1].values.push_back(static_cast<double>(i));
        }
        for (std::size_t c = 0; c < kPointValues.size(); ++c) {
            const std::vector<float>& column = reach.values.*kPointValues[c].column;
            table.columns[c + 2].values.insert(table.columns[c + 2].values.end(), column.begin(),
                                               column.end());
        }
    });
    return table;
}

}  // namespace

NetworkFormat network_format_of(const fs::path& path) {
    const std::string extension = lower_case_extension(path);
    if (extension == ".gpkg") return NetworkFormat::GeoPackage;
    if (extension == ".geojson" || extension == ".json") return NetworkFormat::GeoJson;
    throw Error::input(
        fmt::format("{} has the extension \"{}\": a network is written as .gpkg, .geojson or .json",
                    path.string(), extension));
}

void write_network(const fs::path& path, const RiverNetwork& network) {
    write_vector_file(path, network_format_of(path), network.crs, [&](VectorFile& file) {
        write_reaches(file, network.reaches);
        if (file.format() != NetworkFormat::GeoPackage) return;
        write_nodes(file, network.nodes);
        write_branches(file, network.branches);
    });
}

void write_network_history(const fs::path& path, const std::vector<NetworkAtTime>& networks) {
    const std::string crs = networks.empty() ? "" : networks.front().network->crs;
    write_vector_file(path, network_format_of(path), crs,
                      [&](VectorFile& file) { write_reaches_of_times(file, networks); });
}

void write_network_points(const fs::path& path, const RiverNetwork& network) {
    check_point_file(path);
    const PointTable table = table_of_points(network);
    if (lower_case_extension(path) != ".gpkg") return write_points(path, table);
    write_vector_file(path, NetworkFormat::GeoPackage, network.crs, [&](VectorFile& file) {
        write_reaches(file, network.reaches);
        write_nodes(file, network.nodes);
        write_branches(file, network.branches);
        add_points(file, table);
    });
}

}  // namespace thalweg
