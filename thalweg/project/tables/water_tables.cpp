#include "thalweg/project/water_tables.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// A number of primitives, by the name of its column.
struct PrimitiveColumn {
    const char* name;
    double WaterPrimitive::* member;
};
constexpr std::array kPrimitiveNumbers = {PrimitiveColumn{"radius", &WaterPrimitive::radius},
                                          PrimitiveColumn{"elevation", &WaterPrimitive::elevation},
                                          PrimitiveColumn{"slope", &WaterPrimitive::slope},
                                          PrimitiveColumn{"amplitude", &WaterPrimitive::amplitude},
                                          PrimitiveColumn{"velocity_x", &WaterPrimitive::velocity_x},
                                          PrimitiveColumn{"velocity_y", &WaterPrimitive::velocity_y},
                                          PrimitiveColumn{"wavelength", &WaterPrimitive::wavelength},
                                          PrimitiveColumn{"fall", &WaterPrimitive::fall},
                                          PrimitiveColumn{"fall_length", &WaterPrimitive::fall_length},
                                          PrimitiveColumn{"rotation", &WaterPrimitive::rotation},
                                          PrimitiveColumn{"bank_angle", &WaterPrimitive::bank_angle},
                                          PrimitiveColumn{"foam", &WaterPrimitive::foam}};
constexpr std::array kPrimitiveWholes = {"node", "parent", "place", "operation", "kind", "seed", "next_node"};
constexpr const char* kLoopPeriod = "loop_period";
constexpr std::size_t kElevationPlace = 1;  // in kPrimitiveNumbers
static_assert(kPrimitiveNumbers[kElevationPlace].member == &WaterPrimitive::elevation);

std::size_t kind_number(const std::string& name) {
    const std::span<const WaterKindRow> kinds = built_in_water_kinds();
    std::size_t kind = 0;
    while (kind < kinds.size() && kinds[kind].name != name) ++kind;
    return kind;
}

/// A whole number of a row from 0 to `most`.
std::size_t choice_in(const PointColumn& column, std::size_t row, std::size_t most,
                      const std::filesystem::path& path) {
    const double value = column.values[row];
    if (value >= 0.0 && value <= static_cast<double>(most)) return static_cast<std::size_t>(value);
    throw Error::input(fmt::format("{}: {} of row {} is {}, and 0 to {} are allowed", path.string(),
                                   column.name, row + 1, value, most));
}

std::int64_t whole_in(const PointColumn& column, std::size_t row, const std::filesystem::path& path) {
    constexpr double kLargest = 9007199254740992.0;  // 2^53
    const double value = column.values[row];
    if (std::abs(value) <= kLargest) return static_cast<std::int64_t>(value);
    throw Error::input(fmt::format("{}: {} of row {} is {}, and whole numbers are allowed", path.string(),
                                   column.name, row + 1, value));
}

}  // namespace

PointTable primitive_table(const WaterTreeTable& tree, const std::string& crs) {
    PointTable table{.layer = "water_primitive", .crs = crs, .points = {}, .columns = {}};
    for (const char* const name : kPrimitiveWholes) table.columns.push_back({.name = name, .is_whole = true});
    for (const PrimitiveColumn& number : kPrimitiveNumbers) table.columns.push_back({.name = number.name});
    table.columns.push_back({.name = kLoopPeriod});
    for (std::size_t i = 0; i < tree.node.size(); ++i) {
        const bool is_root = tree.parent[i] < 0;
        const bool is_leaf = tree.operation[i] == WaterOperation::Leaf;
        const WaterPrimitive& primitive = tree.primitive[i];
        const Position place = is_leaf ? Position{primitive.x, primitive.y} : tree.setting.origin;
        table.points.push_back({place.x, place.y, is_leaf ? primitive.elevation : 0.0});
        std::size_t column = 0;
        const auto add = [&](double value) { table.columns[column++].values.push_back(value); };
        add(static_cast<double>(tree.node[i]));
        add(static_cast<double>(tree.parent[i]));
        add(static_cast<double>(tree.place[i]));
        add(static_cast<double>(tree.operation[i]));
        add(is_leaf ? static_cast<double>(kind_number(tree.kind[i])) : kNoValue);
        add(is_leaf ? static_cast<double>(primitive.seed) : kNoValue);
        add(is_root ? static_cast<double>(tree.next_node) : kNoValue);
        for (const PrimitiveColumn& number : kPrimitiveNumbers)
            add(is_leaf ? primitive.*number.member : kNoValue);
        add(is_root ? tree.setting.loop_period : kNoValue);
        if (is_root) table.columns[kPrimitiveWholes.size() + kElevationPlace].values.back() = tree.base_level;
    }
    return table;
}

WaterTreeTable read_water_primitives(const std::filesystem::path& path) {
    std::vector<std::string> names(kPrimitiveWholes.begin(), kPrimitiveWholes.end());
    for (const PrimitiveColumn& number : kPrimitiveNumbers) names.emplace_back(number.name);
    names.emplace_back(kLoopPeriod);
    const PointTable table = read_points(path, "x", "y", names);
    const auto column = [&](std::size_t number) -> const PointColumn& { return table.columns.at(number); };
    WaterTreeTable tree;
    bool has_root = false;
    for (std::size_t i = 0; i < table.points.size(); ++i) {
        tree.node.push_back(whole_in(column(0), i, path));
        tree.parent.push_back(whole_in(column(1), i, path));
        tree.place.push_back(whole_in(column(2), i, path));
        tree.operation.push_back(static_cast<WaterOperation>(choice_in(column(3), i, 2, path)));
        tree.kind.emplace_back();
        WaterPrimitive& primitive = tree.primitive.emplace_back();
        if (tree.operation.back() == WaterOperation::Leaf) {
            const std::size_t number = choice_in(column(4), i, built_in_water_kinds().size() - 1, path);
            tree.kind.back() = built_in_water_kinds()[number].name;
            primitive.kind = static_cast<WaterKind>(number);
            primitive.seed = whole_in(column(5), i, path);
            primitive.x = table.points[i].x;
            primitive.y = table.points[i].y;
            for (std::size_t k = 0; k < kPrimitiveNumbers.size(); ++k)
                primitive.*kPrimitiveNumbers[k].member = table.columns[kPrimitiveWholes.size() + k].values[i];
        } else if (tree.parent.back() < 0) {
            has_root = true;
            tree.setting = {.origin = {table.points[i].x, table.points[i].y},
                            .loop_period = table.columns.back().values[i]};
            tree.base_level = table.columns[kPrimitiveWholes.size() + kElevationPlace].values[i];
            tree.next_node = whole_in(column(6), i, path);
        }
    }
    if (!has_root)
        throw Error::input(fmt::format(
            "{} has no root, a row with parent -1: give a file of water_primitives", path.string()));
    return tree;
}

PointTable drift_table(const std::vector<Drifter>& drifters, const Field<float>& water_elevation) {
    PointTable table{.layer = "drift", .crs = water_elevation.grid().crs, .points = {}, .columns = {}};
    table.columns = {{.name = "entry", .is_whole = true},
                     {.name = "age_s"},
                     {.name = "velocity_ms"},
                     {.name = "heading_deg"},
                     {.name = "kind", .is_whole = true},
                     {.name = "left"}};
    if (std::ranges::none_of(drifters, [](const Drifter& thing) { return thing.kind == DriftKind::Foam; }))
        table.columns.resize(4);
    for (const Drifter& thing : drifters) {
        table.points.push_back(
            {thing.position.x, thing.position.y, sample_bilinear(water_elevation, thing.position)});
        const double clockwise = 90.0 - thing.heading * 180.0 / std::numbers::pi;
        const std::array<double, 6> values = {static_cast<double>(thing.entry),
                                              thing.age,
                                              std::hypot(thing.velocity.x, thing.velocity.y),
                                              clockwise - 360.0 * std::floor(clockwise / 360.0),
                                              static_cast<double>(thing.kind),
                                              thing.left};
        for (std::size_t k = 0; k < table.columns.size(); ++k) table.columns[k].values.push_back(values[k]);
    }
    return table;
}

}  // namespace thalweg
