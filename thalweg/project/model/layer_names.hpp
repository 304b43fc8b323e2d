// The names of layers that several stages read or write (project/dataset_catalogue.hpp says what each holds).
#pragma once

namespace thalweg {

inline constexpr const char* kElevation = "elevation";
inline constexpr const char* kRockUplift = "rock_uplift";
inline constexpr const char* kErodibility = "erodibility";
inline constexpr const char* kFormation = "formation";
inline constexpr const char* kCriticalSlope = "critical_slope";
inline constexpr const char* kWear = "wear";
inline constexpr const char* kDeposit = "deposit";

}  // namespace thalweg
