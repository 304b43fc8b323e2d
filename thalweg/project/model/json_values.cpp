#include "thalweg/project/model/json_values.hpp"

#include "thalweg/project/dataset_catalogue.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using Json = nlohmann::ordered_json;

struct Writer {
    Json operator()(bool flag) const { return flag; }
    Json operator()(std::int64_t whole) const { return whole; }
    Json operator()(double number) const {
        if (std::isnan(number)) return nullptr;
        if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
        return number;
    }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(const std::vector<double>& numbers) const {
        Json list = Json::array();
        for (const double number : numbers) list.push_back((*this)(number));
        return list;
    }
    Json operator()(const std::vector<std::string>& texts) const { return texts; }
    Json operator()(const std::vector<ValueTable>& rows) const {
        Json list = Json::array();
        for (const ValueTable& row : rows) list.push_back(json_of(row));
        return list;
    }
};

}  // namespace

nlohmann::ordered_json json_of(const Value& value) {
    return std::visit(Writer{}, value);
}

nlohmann::ordered_json json_of(const ValueTable& table) {
    Json object = Json::object();
    for (const auto& [name, value] : table.entries) object[name] = json_of(value);
    return object;
}

nlohmann::ordered_json json_of(const Grid& grid) {
    Json json;
    json["columns"] = grid.columns;
    json["rows"] = grid.rows;
    json["cell_size_m"] = grid.cell_size;
    json["west_m"] = grid.west;
    json["north_m"] = grid.north;
    json["crs"] = grid.crs.empty() ? Json(nullptr) : Json(grid.crs);
    return json;
}

nlohmann::ordered_json json_of_encoding(const std::string& layer, const RasterEncoding& encoding) {
    Json json;
    json["unit"] = description_of(layer).unit;
    json["minimum"] = json_of(Value(encoding.minimum));
    json["maximum"] = json_of(Value(encoding.maximum));
    json["stored_type"] = encoding.stored_type;
    json["scale"] = encoding.scale;
    json["offset"] = encoding.offset;
    json["no_data"] = encoding.no_data ? Json(*encoding.no_data) : Json(nullptr);
    return json;
}

}  // namespace thalweg
