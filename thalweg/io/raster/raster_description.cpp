#include "thalweg/io/raster/raster_description.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kProgramKey = "software";
constexpr const char* kProgram = "thalweg";
constexpr const char* kColumns = "columns";
constexpr const char* kRows = "rows";
constexpr const char* kCellSize = "cell_size_m";
constexpr const char* kWest = "west_m";
constexpr const char* kNorth = "north_m";
constexpr const char* kCrs = "crs";
constexpr const char* kScale = "scale";
constexpr const char* kOffset = "offset";
constexpr const char* kNoDataKey = "no_data";

/// The largest sidecar that is read, bytes: a coordinate system takes a few thousand.
constexpr std::uintmax_t kLargestSidecar = 1 << 20;

/// Everything that is told, each as JSON writes it.
Json json_of(const Grid& grid, const RasterStorage& storage, const RasterEncoding& encoding) {
    Json json;
    json[kProgramKey] = kProgram;
    json["layer"] = storage.layer;
    json["unit"] = storage.unit;
    json[kColumns] = grid.columns;
    json[kRows] = grid.rows;
    json[kCellSize] = grid.cell_size;
    json[kWest] = grid.west;
    json[kNorth] = grid.north;
    json[kCrs] = grid.crs.empty() ? Json(nullptr) : Json(grid.crs);
    json["stored_type"] = encoding.stored_type;
    json[kScale] = encoding.scale;
    json[kOffset] = encoding.offset;
    json["minimum"] = encoding.minimum;
    json["maximum"] = encoding.maximum;
    json[kNoDataKey] = encoding.no_data ? Json(*encoding.no_data) : Json(nullptr);
    return json;
}

std::optional<std::string> text_of(const Json& value) {
    if (value.is_null()) return std::nullopt;
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Reads numbers by name.
class Numbers {
  public:
    Numbers(const std::function<std::optional<std::string>(const char*)>& text, const std::string& source)
        : text_(text), source_(source) {}

    [[nodiscard]] std::optional<double> number(const char* name) const {
        const std::optional<std::string> text = text_(name);
        if (!text) return std::nullopt;
        double value = 0.0;
        const char* const end = text->data() + text->size();
        const auto [stop, error] = std::from_chars(text->data(), end, value);
        if (error != std::errc() || stop != end || !std::isfinite(value)) refuse(name, "a finite number");
        return value;
    }
    [[nodiscard]] std::optional<int> count(const char* name) const {
        const std::optional<double> value = number(name);
        if (!value) return std::nullopt;
        if (!(*value >= 1.0 && *value <= std::numeric_limits<int>::max()) || *value != std::floor(*value))
            refuse(name, "a whole number from 1 on");
        return static_cast<int>(*value);
    }

  private:
    [[noreturn]] void refuse(const char* name, const char* allowed) const {
        throw Error::input(
            fmt::format("{} says {} = {}: give {}", source_, name, text_(name).value_or(""), allowed));
    }

    const std::function<std::optional<std::string>(const char*)>& text_;
    const std::string& source_;
};

RasterDescription read_description(const std::function<std::optional<std::string>(const char*)>& text,
                                   const std::string& source) {
    const Numbers numbers(text, source);
    return {.columns = numbers.count(kColumns),
            .rows = numbers.count(kRows),
            .cell_size = numbers.number(kCellSize),
            .west = numbers.number(kWest),
            .north = numbers.number(kNorth),
            .crs = text(kCrs),
            .scale = numbers.number(kScale),
            .offset = numbers.number(kOffset),
            .no_data = numbers.number(kNoDataKey)};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> description_texts(const Grid& grid,
                                                                   const RasterStorage& storage,
                                                                   const RasterEncoding& encoding) {
    const Json json = json_of(grid, storage, encoding);
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [name, value] : json.items())
        if (const auto text = text_of(value); text && !text->empty()) texts.emplace_back(name, *text);
    return texts;
}

std::optional<RasterDescription> description_of(
    const std::function<std::optional<std::string>(const char*)>& text, const std::string& source) {
    if (text(kProgramKey) != kProgram) return std::nullopt;
    return read_description(text, source);
}

std::filesystem::path sidecar_of(const std::filesystem::path& raster) {
    return raster.string() + ".json";
}

std::optional<RasterDescription> read_sidecar(const std::filesystem::path& raster) {
    const std::filesystem::path path = sidecar_of(raster);
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown) ||
        std::filesystem::file_size(path, unknown) > kLargestSidecar)
        return std::nullopt;
    std::ifstream stream(path, std::ios::binary);
    const Json json = Json::parse(stream, nullptr, false);
    if (!json.is_object() || !json.contains(kScale)) return std::nullopt;
    return read_description(
        [&](const char* name) {
            const auto member = json.find(name);
            return member == json.end() ? std::nullopt : text_of(*member);
        },
        path.string());
}

void write_sidecar(const std::filesystem::path& path, const std::string& name, const Grid& grid,
                   const RasterStorage& storage, const RasterEncoding& encoding) {
    Json json;
    json["file"] = name;
    json.update(json_of(grid, storage, encoding));
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    write_file_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace thalweg
