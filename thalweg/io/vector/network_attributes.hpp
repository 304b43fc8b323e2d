// Layers and attributes of a river network in vector files.
#pragma once

#include "thalweg/river/file_units.hpp"
#include "thalweg/river/network.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace thalweg {

inline constexpr const char* kReachLayer = "reach";
inline constexpr const char* kNodeLayer = "node";
inline constexpr const char* kHistoryLayer = "history";  // reaches at many times
inline constexpr const char* kPointLayer = "reach_point";

/// A whole number of a reach: its attribute's name and its member.
struct IdAttribute {
    const char* name;
    std::int64_t Reach::* member;
};
inline constexpr std::array kReachIds = {
    IdAttribute{"reach_id", &Reach::id}, IdAttribute{"next_down", &Reach::next_down},
    IdAttribute{"from_node", &Reach::from_node}, IdAttribute{"to_node", &Reach::to_node}};

/// A quantity of a reach: its attribute's name, its member, and how many of the member's units it counts in.
struct QuantityAttribute {
    const char* name;
    double Reach::* member;
    double unit = 1.0;
};
inline constexpr std::array kReachQuantities = {
    QuantityAttribute{"length_km", &Reach::length, kKilometre},
    QuantityAttribute{"upland_km2", &Reach::upland_area, kSquareKilometre},
    QuantityAttribute{"discharge_m3s", &Reach::discharge},
    QuantityAttribute{"slope", &Reach::slope},
    QuantityAttribute{"width_m", &Reach::width},
    QuantityAttribute{"depth_m", &Reach::depth},
    QuantityAttribute{"velocity_ms", &Reach::velocity},
    QuantityAttribute{"sinuosity", &Reach::sinuosity},
    QuantityAttribute{"stream_power_m", &Reach::stream_power}};
/// What older files lack: k_sn, bankfull discharge, which they call discharge_m3s, and children.
inline constexpr const char* kSteepness = "ksn";
inline constexpr const char* kBankfull = "bankfull_m3s";
inline constexpr const char* kChildren = "children";
inline constexpr const char* kReachType = "type";  // where the type of any reach is known
inline constexpr const char* kStrahler = "strahler";
inline constexpr const char* kDrawn = "drawn";
inline constexpr const char* kTime = "time";  // of reaches in a history
inline constexpr const char* kNodeId = "node_id";
inline constexpr const char* kNodeKind = "kind";

struct KindName {
    NodeKind kind;
    const char* name;
};
inline constexpr std::array kKindNames = {
    KindName{NodeKind::Source, "source"}, KindName{NodeKind::Confluence, "confluence"},
    KindName{NodeKind::Outlet, "outlet"}, KindName{NodeKind::Seam, "seam"},
    KindName{NodeKind::Bifurcation, "bifurcation"}};

/// A quantity at the points of lines: its attribute's name and its column.
struct PointAttribute {
    const char* name;
    std::vector<float> PointValues::* column;
};
inline constexpr std::array kPointValues = {PointAttribute{"width_m", &PointValues::width},
                                            PointAttribute{"depth_m", &PointValues::depth},
                                            PointAttribute{"discharge_m3s", &PointValues::discharge}};
/// Of a branch: its id, that of its reach, its share of the water, and the values in its middle.
inline constexpr const char* kBranchLayer = "branch";
inline constexpr const char* kBranchId = "branch_id";
inline constexpr const char* kBranchReach = "reach_id";
inline constexpr const char* kBranchShare = "flow_share";
inline constexpr const char* kPointReach = "reach_id";
inline constexpr const char* kPointNumber = "point";  // of its line, from 0

}  // namespace thalweg
