#include "thalweg/io/vectors.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/gdal_session.hpp"
#include "thalweg/io/vector_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReachLayer = "reach";
constexpr const char* kNodeLayer = "node";

/// A whole number of a reach: its attribute's name and its member.
struct IdAttribute {
    const char* name;
    std::int64_t Reach::* member;
};
constexpr std::array kReachIds = {
    IdAttribute{"reach_id", &Reach::id}, IdAttribute{"next_down", &Reach::next_down},
    IdAttribute{"from_node", &Reach::from_node}, IdAttribute{"to_node", &Reach::to_node}};

/// A quantity of a reach: its attribute's name, its member, and how many of the member's units it counts in.
struct QuantityAttribute {
    const char* name;
    double Reach::* member;
    double unit = 1.0;
};
constexpr double kKilometre = 1e3;        // m
constexpr double kSquareKilometre = 1e6;  // m^2
constexpr std::array kReachQuantities = {
    QuantityAttribute{"length_km", &Reach::length, kKilometre},
    QuantityAttribute{"upland_km2", &Reach::upland_area, kSquareKilometre},
    QuantityAttribute{"discharge_m3s", &Reach::discharge},
    QuantityAttribute{"slope", &Reach::slope},
    QuantityAttribute{"width_m", &Reach::width},
    QuantityAttribute{"depth_m", &Reach::depth},
    QuantityAttribute{"velocity_ms", &Reach::velocity},
    QuantityAttribute{"sinuosity", &Reach::sinuosity}};
constexpr const char* kStrahler = "strahler";
constexpr const char* kNodeId = "node_id";
constexpr const char* kNodeKind = "kind";

struct KindName {
    NodeKind kind;
    const char* name;
};
constexpr std::array kKindNames = {KindName{NodeKind::Source, "source"},
                                   KindName{NodeKind::Confluence, "confluence"},
                                   KindName{NodeKind::Outlet, "outlet"}, KindName{NodeKind::Seam, "seam"}};

void write_reaches(VectorFile& file, const std::vector<Reach>& reaches) {
    OGRLayer& layer = file.add_layer(kReachLayer, wkbLineString25D);
    for (const IdAttribute& attribute : kReachIds) file.add_field(layer, attribute.name, OFTInteger64);
    file.add_field(layer, kStrahler, OFTInteger);
    for (const QuantityAttribute& attribute : kReachQuantities)
        file.add_field(layer, attribute.name, OFTReal);

    for (const Reach& reach : reaches) {
        const FeaturePointer feature = VectorFile::feature_of(layer);
        for (const IdAttribute& attribute : kReachIds)
            feature->SetField(attribute.name, static_cast<GIntBig>(reach.*attribute.member));
        feature->SetField(kStrahler, reach.strahler);
        for (const QuantityAttribute& attribute : kReachQuantities)
            feature->SetField(attribute.name, reach.*attribute.member / attribute.unit);
        OGRLineString line;
        for (const RiverPoint& point : reach.points) line.addPoint(point.x, point.y, point.z);
        file.add_feature(layer, *feature, line);
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

std::string crs_of(OGRLayer& layer) {
    const OGRSpatialReference* reference = layer.GetSpatialRef();
    const char* name = reference != nullptr ? reference->GetName() : nullptr;
    return name != nullptr && std::string_view(name) == kUndefinedCartesian ? "" : wkt_of(reference);
}

/// A layer that is read, with errors that name the file.
class LayerReader {
  public:
    LayerReader(GDALDataset& dataset, const char* name, std::string file)
        : name_(name), file_(std::move(file)) {
        layer_ = dataset.GetLayerByName(name);
        if (layer_ == nullptr)
            throw Error::input(
                fmt::format("{} has no layer {}: give a network written by Thalweg", file_, name_));
    }

    [[nodiscard]] int field(const char* field_name) const {
        const int index = layer_->GetLayerDefn()->GetFieldIndex(field_name);
        if (index < 0)
            throw Error::input(
                fmt::format("{} has no attribute {} in its layer {}: give a network written by Thalweg",
                            file_, field_name, name_));
        return index;
    }
    [[nodiscard]] FeaturePointer next() const { return FeaturePointer(layer_->GetNextFeature()); }
    [[nodiscard]] OGRLayer& layer() const { return *layer_; }
    [[noreturn]] void refuse(const OGRFeature& feature, const char* wanted) const {
        throw Error::input(fmt::format("{}: feature {} of layer {} is not {}", file_,
                                       static_cast<std::int64_t>(feature.GetFID()), name_, wanted));
    }

  private:
    std::string name_;
    std::string file_;
    OGRLayer* layer_ = nullptr;
};

std::vector<RiverPoint> points_of(const LayerReader& reader, const OGRFeature& feature) {
    const OGRGeometry* geometry = feature.GetGeometryRef();
    if (geometry == nullptr || wkbFlatten(geometry->getGeometryType()) != wkbLineString)
        reader.refuse(feature, "a line");
    const OGRLineString& line = *geometry->toLineString();
    std::vector<RiverPoint> points;
    points.reserve(static_cast<std::size_t>(line.getNumPoints()));
    for (int i = 0; i < line.getNumPoints(); ++i)
        points.push_back({line.getX(i), line.getY(i), line.getZ(i)});
    return points;
}

std::vector<Reach> read_reaches(const LayerReader& reader) {
    std::array<int, kReachIds.size()> ids{};
    std::array<int, kReachQuantities.size()> quantities{};
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = reader.field(kReachIds[i].name);
    for (std::size_t i = 0; i < quantities.size(); ++i)
        quantities[i] = reader.field(kReachQuantities[i].name);
    const int strahler = reader.field(kStrahler);

    std::vector<Reach> reaches;
    while (const FeaturePointer feature = reader.next()) {
        Reach& reach = reaches.emplace_back();
        for (std::size_t i = 0; i < ids.size(); ++i)
            reach.*kReachIds[i].member = feature->GetFieldAsInteger64(ids[i]);
        reach.strahler = feature->GetFieldAsInteger(strahler);
        for (std::size_t i = 0; i < quantities.size(); ++i)
            reach.*kReachQuantities[i].member =
                feature->GetFieldAsDouble(quantities[i]) * kReachQuantities[i].unit;
        reach.points = points_of(reader, *feature);
    }
    return reaches;
}

NodeKind kind_of(const LayerReader& reader, const OGRFeature& feature, int field) {
    const std::string_view name = feature.GetFieldAsString(field);
    const auto* entry = std::find_if(kKindNames.begin(), kKindNames.end(),
                                     [&](const KindName& each) { return name == each.name; });
    if (entry == kKindNames.end()) reader.refuse(feature, "a source, confluence, outlet or seam");
    return entry->kind;
}

std::vector<RiverNode> read_nodes(const LayerReader& reader) {
    const int id = reader.field(kNodeId);
    const int kind = reader.field(kNodeKind);
    std::vector<RiverNode> nodes;
    while (const FeaturePointer feature = reader.next()) {
        const OGRGeometry* geometry = feature->GetGeometryRef();
        if (geometry == nullptr || wkbFlatten(geometry->getGeometryType()) != wkbPoint)
            reader.refuse(*feature, "a point");
        const OGRPoint& point = *geometry->toPoint();
        nodes.push_back({.id = feature->GetFieldAsInteger64(id),
                         .kind = kind_of(reader, *feature, kind),
                         .point = {point.getX(), point.getY(), point.getZ()}});
    }
    return nodes;
}

std::string extension_of(const fs::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return extension;
}

}  // namespace

NetworkFormat network_format_of(const fs::path& path) {
    const std::string extension = extension_of(path);
    if (extension == ".gpkg") return NetworkFormat::GeoPackage;
    if (extension == ".geojson" || extension == ".json") return NetworkFormat::GeoJson;
    throw Error::input(
        fmt::format("{} has the extension \"{}\": a network is written as .gpkg, .geojson or .json",
                    path.string(), extension));
}

void write_network(const fs::path& path, const RiverNetwork& network) {
    write_vector_file(path, network_format_of(path), network.crs, [&](VectorFile& file) {
        write_reaches(file, network.reaches);
        if (file.format() == NetworkFormat::GeoPackage) write_nodes(file, network.nodes);
    });
}

RiverNetwork read_network(const fs::path& path) {
    GdalSession session;
    if (!fs::is_regular_file(path))
        throw Error::input(fmt::format("{} is no file: give the path of a GeoPackage", path.string()));
    const std::array<const char*, 2> drivers = {"GPKG", nullptr};
    const DatasetPointer dataset(GDALDataset::Open(
        path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, drivers.data()));
    if (dataset == nullptr)
        throw Error::input(
            fmt::format("{} can't be opened as a GeoPackage: {}", path.string(), session.failure()));
    session.forget_failures();
    const LayerReader reaches(*dataset, kReachLayer, path.string());
    const LayerReader nodes(*dataset, kNodeLayer, path.string());
    RiverNetwork network;
    network.reaches = read_reaches(reaches);
    network.nodes = read_nodes(nodes);
    network.crs = crs_of(reaches.layer());
    if (!session.failure().empty())
        throw Error::input(fmt::format("{} can't be read to its end: {}", path.string(), session.failure()));
    return network;
}

}  // namespace thalweg
