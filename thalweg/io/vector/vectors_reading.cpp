#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/gdal/gdal_session.hpp"
#include "thalweg/io/vector/network_attributes.hpp"
#include "thalweg/io/vector/vector_file.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/river/network_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gdal_priv.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

/// What there is in place of a layer: ", but layers lake, node"; empty for nothing.
std::string other_layers(GDALDataset& dataset) {
    std::vector<std::string> names;
    for (OGRLayer* layer : dataset.GetLayers()) names.emplace_back(layer->GetName());
    if (names.empty()) return "";
    if (names == std::vector<std::string>{kHistoryLayer})
        return fmt::format(", but layer {}, the reaches of many times", kHistoryLayer);
    return fmt::format(", but {} {}", names.size() == 1 ? "layer" : "layers", fmt::join(names, ", "));
}

/// Throws Error::input for a GeoJSON that Thalweg writes of rivers, and that is no network.
void refuse_other_features(OGRLayer& layer, const std::string& file) {
    const std::string_view name = layer.GetName();
    const bool is_history = name == kHistoryLayer && layer.GetLayerDefn()->GetFieldIndex(kTime) >= 0;
    if (!is_history && name != kPointLayer) return;
    throw Error::input(
        fmt::format("{} holds {}, and no network: give a network written by Thalweg", file,
                    is_history ? "the reaches of many times" : "values at the points of reaches"));
}

/// A layer that is read, with errors that name the file.
class LayerReader {
  public:
    LayerReader(OGRLayer& layer, std::string file) : layer_(&layer), file_(std::move(file)) {}
    LayerReader(GDALDataset& dataset, const char* name, std::string file) : file_(std::move(file)) {
        layer_ = dataset.GetLayerByName(name);
        if (layer_ == nullptr)
            throw Error::input(fmt::format("{} has no layer {}{}: give a network written by Thalweg", file_,
                                           name, other_layers(dataset)));
    }

    [[nodiscard]] bool has_field(const char* field_name) const {
        return layer_->GetLayerDefn()->GetFieldIndex(field_name) >= 0;
    }
    [[nodiscard]] int field(const char* field_name) const {
        const int index = layer_->GetLayerDefn()->GetFieldIndex(field_name);
        if (index < 0)
            throw Error::input(
                fmt::format("{} has no attribute {} in its layer {}: give a network written by Thalweg",
                            file_, field_name, layer_->GetName()));
        return index;
    }
    [[nodiscard]] int number_field(const char* field_name) const {
        const int index = field(field_name);
        const OGRFieldType type = layer_->GetLayerDefn()->GetFieldDefn(index)->GetType();
        if (type != OFTInteger && type != OFTInteger64 && type != OFTReal)
            throw Error::input(
                fmt::format("{}: the attribute {} of its layer {} is of type {}: numbers are "
                            "allowed",
                            file_, field_name, layer_->GetName(), OGRFieldDefn::GetFieldTypeName(type)));
        return index;
    }
    [[nodiscard]] FeaturePointer next() const {
        poll_cancelled();
        return FeaturePointer(layer_->GetNextFeature());
    }
    [[nodiscard]] OGRLayer& layer() const { return *layer_; }
    [[noreturn]] void refuse(const OGRFeature& feature, const std::string& wrong) const {
        throw Error::input(fmt::format("{}: feature {} of layer {} {}", file_,
                                       static_cast<std::int64_t>(feature.GetFID()), layer_->GetName(),
                                       wrong));
    }
    void check_set(const OGRFeature& feature, int index) const {
        if (feature.IsFieldSetAndNotNull(index)) return;
        refuse(feature,
               fmt::format("has no value of {}", layer_->GetLayerDefn()->GetFieldDefn(index)->GetNameRef()));
    }
    [[nodiscard]] std::int64_t whole_number(const OGRFeature& feature, int index) const {
        check_set(feature, index);
        return feature.GetFieldAsInteger64(index);
    }
    [[nodiscard]] double number(const OGRFeature& feature, int index) const {
        check_set(feature, index);
        return feature.GetFieldAsDouble(index);
    }

  private:
    OGRLayer* layer_ = nullptr;
    std::string file_;
};

std::vector<RiverPoint> points_of(const LayerReader& reader, const OGRFeature& feature) {
    const OGRGeometry* geometry = feature.GetGeometryRef();
    if (geometry == nullptr || wkbFlatten(geometry->getGeometryType()) != wkbLineString)
        reader.refuse(feature, "is not a line");
    const OGRLineString& line = *geometry->toLineString();
    if (line.getNumPoints() < 2)
        reader.refuse(feature,
                      fmt::format("is a line of {} points: at least 2 are needed", line.getNumPoints()));
    if (!line.Is3D()) reader.refuse(feature, "has no elevations: its points need a Z");
    std::vector<RiverPoint> points;
    points.reserve(static_cast<std::size_t>(line.getNumPoints()));
    for (int i = 0; i < line.getNumPoints(); ++i)
        points.push_back({line.getX(i), line.getY(i), line.getZ(i)});
    return points;
}

std::vector<Reach> read_reaches(const LayerReader& reader) {
    std::array<int, kReachIds.size()> ids{};
    std::array<int, kReachQuantities.size()> quantities{};
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = reader.number_field(kReachIds[i].name);
    for (std::size_t i = 0; i < quantities.size(); ++i)
        quantities[i] = reader.number_field(kReachQuantities[i].name);
    const int strahler = reader.number_field(kStrahler);
    const int steepness = reader.has_field(kSteepness) ? reader.number_field(kSteepness) : -1;
    const int drawn = reader.has_field(kDrawn) ? reader.number_field(kDrawn) : -1;
    const int bankfull = reader.has_field(kBankfull) ? reader.number_field(kBankfull) : -1;
    const int children = reader.has_field(kChildren) ? reader.number_field(kChildren) : -1;
    const int type = reader.has_field(kReachType) ? reader.field(kReachType) : -1;

    std::vector<Reach> reaches;
    while (const FeaturePointer feature = reader.next()) {
        Reach& reach = reaches.emplace_back();
        for (std::size_t i = 0; i < ids.size(); ++i)
            reach.*kReachIds[i].member = reader.whole_number(*feature, ids[i]);
        reach.strahler = static_cast<int>(reader.whole_number(*feature, strahler));
        for (std::size_t i = 0; i < quantities.size(); ++i)
            reach.*kReachQuantities[i].member =
                reader.number(*feature, quantities[i]) * kReachQuantities[i].unit;
        if (steepness >= 0) reach.steepness = reader.number(*feature, steepness);
        reach.drawn = drawn >= 0 && reader.whole_number(*feature, drawn) != 0;
        reach.bankfull_discharge =
            bankfull >= 0 ? reader.number(*feature, bankfull) : std::exchange(reach.discharge, 0.0);
        if (children >= 0) reach.children = reader.whole_number(*feature, children);
        if (type >= 0) reach.type = feature->GetFieldAsString(type);
        reach.points = points_of(reader, *feature);
    }
    return reaches;
}

NodeKind kind_of(const LayerReader& reader, const OGRFeature& feature, int field) {
    const std::string_view name = feature.GetFieldAsString(field);
    const auto* entry = std::find_if(kKindNames.begin(), kKindNames.end(),
                                     [&](const KindName& each) { return name == each.name; });
    if (entry == kKindNames.end())
        reader.refuse(feature, "is not a source, confluence, bifurcation, outlet or seam");
    return entry->kind;
}

std::vector<RiverNode> read_nodes(const LayerReader& reader) {
    const int id = reader.number_field(kNodeId);
    const int kind = reader.field(kNodeKind);
    std::vector<RiverNode> nodes;
    while (const FeaturePointer feature = reader.next()) {
        const OGRGeometry* geometry = feature->GetGeometryRef();
        if (geometry == nullptr || wkbFlatten(geometry->getGeometryType()) != wkbPoint)
            reader.refuse(*feature, "is not a point");
        const OGRPoint& point = *geometry->toPoint();
        nodes.push_back({.id = reader.whole_number(*feature, id),
                         .kind = kind_of(reader, *feature, kind),
                         .point = {point.getX(), point.getY(), point.getZ()}});
    }
    return nodes;
}

/// Puts the values of points into the reaches; those of points that have none are NaN.
void read_points(const LayerReader& reader, std::vector<Reach>& reaches) {
    const int id = reader.number_field(kPointReach);
    const int number = reader.number_field(kPointNumber);
    std::array<int, kPointValues.size()> quantities{};
    for (std::size_t i = 0; i < quantities.size(); ++i)
        quantities[i] = reader.number_field(kPointValues[i].name);
    std::unordered_map<std::int64_t, Reach*> places;
    for (Reach& reach : reaches) places.emplace(reach.id, &reach);
    while (const FeaturePointer feature = reader.next()) {
        const std::int64_t reach_id = reader.whole_number(*feature, id);
        const auto found = places.find(reach_id);
        if (found == places.end())
            reader.refuse(*feature, fmt::format("has the reach_id {}, and there is no such reach", reach_id));
        Reach& reach = *found->second;
        const std::int64_t point = reader.whole_number(*feature, number);
        if (point < 0 || point >= std::ssize(reach.points))
            reader.refuse(*feature, fmt::format("is point {} of reach {}, which has points 0 to {}", point,
                                                reach_id, reach.points.size() - 1));
        for (std::size_t i = 0; i < quantities.size(); ++i) {
            std::vector<float>& column = reach.values.*kPointValues[i].column;
            column.resize(reach.points.size(), std::numeric_limits<float>::quiet_NaN());
            column[static_cast<std::size_t>(point)] =
                static_cast<float>(reader.number(*feature, quantities[i]));
        }
    }
}

/// Branches have the values of their middle at all their points.
std::vector<NetworkBranch> read_branches(const LayerReader& reader) {
    constexpr double kWhole = 1.0 + 1e-9;  // for rounding
    const int id = reader.number_field(kBranchId);
    const int reach = reader.number_field(kBranchReach);
    const int share = reader.number_field(kBranchShare);
    std::array<int, kPointValues.size()> quantities{};
    for (std::size_t i = 0; i < quantities.size(); ++i)
        quantities[i] = reader.number_field(kPointValues[i].name);
    std::vector<NetworkBranch> branches;
    while (const FeaturePointer feature = reader.next()) {
        NetworkBranch& branch = branches.emplace_back();
        branch.id = reader.whole_number(*feature, id);
        branch.reach = reader.whole_number(*feature, reach);
        branch.share = reader.number(*feature, share);
        if (!(branch.share > 0.0 && branch.share <= kWhole))
            reader.refuse(*feature, fmt::format("has the flow_share {}: more than 0 and at most 1 is allowed",
                                                branch.share));
        branch.points = points_of(reader, *feature);
        for (std::size_t i = 0; i < quantities.size(); ++i) {
            const double value = reader.number(*feature, quantities[i]);
            if (!std::isfinite(value) || value < 0.0)
                reader.refuse(*feature, fmt::format("has the {} {}: a finite number of at least 0 is allowed",
                                                    kPointValues[i].name, value));
            (branch.values.*kPointValues[i].column).assign(branch.points.size(), static_cast<float>(value));
        }
    }
    return branches;
}

std::string crs_of(OGRLayer& layer) {
    const OGRSpatialReference* reference = layer.GetSpatialRef();
    const char* name = reference != nullptr ? reference->GetName() : nullptr;
    return name != nullptr && std::string_view(name) == kUndefinedCartesian ? "" : wkt_of(reference);
}

void check_read_to_end(const fs::path& path, const GdalSession& session) {
    session.check_memory();
    if (!session.failure().empty())
        throw Error::input(fmt::format("{} can't be read to its end: {}", path.string(), session.failure()));
}

DatasetPointer open(const fs::path& path, const char* driver, const char* format, GdalSession& session) {
    if (!fs::is_regular_file(path))
        throw Error::input(fmt::format("{} is no file: give the path of a {}", path.string(), format));
    const std::array<const char*, 2> drivers = {driver, nullptr};
    DatasetPointer dataset(GDALDataset::Open(
        path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, drivers.data()));
    if (dataset == nullptr)
        throw Error::input(
            fmt::format("{} can't be opened as a {}: {}", path.string(), format, session.failure()));
    session.forget_failures();
    return dataset;
}

RiverNetwork read_geopackage(const fs::path& path) {
    GdalSession session;
    const DatasetPointer dataset = open(path, "GPKG", "GeoPackage", session);
    const LayerReader reaches(*dataset, kReachLayer, path.string());
    const LayerReader nodes(*dataset, kNodeLayer, path.string());
    RiverNetwork network;
    network.reaches = read_reaches(reaches);
    network.nodes = read_nodes(nodes);
    if (dataset->GetLayerByName(kPointLayer) != nullptr)
        read_points(LayerReader(*dataset, kPointLayer, path.string()), network.reaches);
    if (dataset->GetLayerByName(kBranchLayer) != nullptr)
        network.branches = read_branches(LayerReader(*dataset, kBranchLayer, path.string()));
    session.forget_failures();
    network.crs = crs_of(reaches.layer());
    check_read_to_end(path, session);
    return network;
}

/// Whether a GeoJSON says before its features that it has no reference system. GDAL takes it for WGS 84.
bool denies_crs(const fs::path& path) {
    constexpr std::streamsize kHeadBytes = 4096;
    std::string head(kHeadBytes, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), kHeadBytes);
    head.resize(static_cast<std::size_t>(file.gcount()));
    std::erase_if(head, [](char letter) { return letter == ' ' || letter == '\n' || letter == '\r'; });
    return head.substr(0, head.find("\"features\":")).find("\"crs\":null") != std::string::npos;
}

std::string geojson_crs_of(OGRLayer& layer, const fs::path& path) {
    const OGRSpatialReference* reference = layer.GetSpatialRef();
    if (reference == nullptr || reference->IsGeographic() == 0) return crs_of(layer);
    if (denies_crs(path)) return "";
    throw Error::input(
        fmt::format("{} has no \"crs\" member with a system in metres: its coordinates would be "
                    "degrees, in which no network is",
                    path.string()));
}

RiverNetwork read_geojson(const fs::path& path) {
    GdalSession session;
    const DatasetPointer dataset = open(path, "GeoJSON", "GeoJSON", session);
    RiverNetwork network;
    if (dataset->GetLayerCount() != 1)
        throw Error::input(
            fmt::format("{} has no features: give a network written by Thalweg", path.string()));
    const LayerReader reaches(*dataset->GetLayer(0), path.string());
    network.crs = geojson_crs_of(reaches.layer(), path);
    // The attributes of GeoJSON are those of its features.
    refuse_other_features(reaches.layer(), path.string());
    if (reaches.layer().GetFeatureCount() > 0) network.reaches = read_reaches(reaches);
    network.nodes = nodes_at_ends(network.reaches);
    order_nodes(network);
    check_read_to_end(path, session);
    return network;
}

}  // namespace

RiverNetwork read_network(const fs::path& path, NetworkProfile profile) {
    RiverNetwork network =
        network_format_of(path) == NetworkFormat::GeoPackage ? read_geopackage(path) : read_geojson(path);
    check_network(network, path.string(), profile);
    order_reaches(network);
    return network;
}

bool is_network_file(const fs::path& path) {
    try {
        const bool is_geopackage = network_format_of(path) == NetworkFormat::GeoPackage;
        GdalSession session;
        const DatasetPointer dataset = is_geopackage ? open(path, "GPKG", "GeoPackage", session)
                                                     : open(path, "GeoJSON", "GeoJSON", session);
        OGRLayer* const layer = is_geopackage ? dataset->GetLayerByName(kReachLayer) : dataset->GetLayer(0);
        session.forget_failures();
        return layer != nullptr && layer->GetLayerDefn()->GetFieldIndex(kReachIds.front().name) >= 0;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace thalweg
