#include "thalweg/io/point_table.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/vector/point_layer.hpp"
#include "thalweg/io/vector/vector_file.hpp"

#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr const char* kElevation = "z";

bool is_csv(const fs::path& path) {
    return path.extension() == ".csv";
}

std::string csv_of(const PointTable& table) {
    std::string text = "x,y,z";
    for (const PointColumn& column : table.columns) text += "," + column.name;
    text += "\n";
    for_each_polled(0, std::ssize(table.points), [&](std::int64_t number) {
        const auto i = static_cast<std::size_t>(number);
        const RiverPoint& point = table.points[i];
        fmt::format_to(std::back_inserter(text), "{},{},{}", point.x, point.y, point.z);
        for (const PointColumn& column : table.columns) {
            text += ",";
            if (!std::isfinite(column.values[i])) continue;
            if (column.is_single)
                fmt::format_to(std::back_inserter(text), "{}", static_cast<float>(column.values[i]));
            else
                fmt::format_to(std::back_inserter(text), "{}", column.values[i]);
        }
        text += "\n";
    });
    return text;
}

}  // namespace

void check_point_file(const fs::path& path) {
    if (is_csv(path)) return;
    try {
        network_format_of(path);
    } catch (const Error&) {
        throw Error::input(
            fmt::format("{} has the extension \"{}\": points are written as .gpkg, .geojson, .json or .csv",
                        path.string(), path.extension().string()));
    }
}

void add_points(VectorFile& file, const PointTable& table) {
    OGRLayer& layer = file.add_layer(table.layer.c_str(), wkbPoint25D);
    file.add_field(layer, kElevation, OFTReal);
    for (const PointColumn& column : table.columns)
        file.add_field(layer, column.name.c_str(), column.is_whole ? OFTInteger64 : OFTReal);
    for (std::size_t i = 0; i < table.points.size(); ++i) {
        const FeaturePointer feature = VectorFile::feature_of(layer);
        const RiverPoint& point = table.points[i];
        feature->SetField(0, point.z);
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            if (const double value = table.columns[c].values[i]; std::isfinite(value))
                feature->SetField(static_cast<int>(c) + 1, value);
        file.add_feature(layer, *feature, OGRPoint(point.x, point.y, point.z));
    }
}

void write_points(const fs::path& path, const PointTable& table) {
    check_point_file(path);
    if (is_csv(path)) {
        const std::string text = csv_of(table);
        return write_file_atomically(path, std::as_bytes(std::span(text)));
    }
    write_vector_file(path, network_format_of(path), table.crs,
                      [&](VectorFile& file) { add_points(file, table); });
}

}  // namespace thalweg
