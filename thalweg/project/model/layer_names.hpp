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
inline constexpr const char* kSediment = "sediment";
inline constexpr const char* kSoil = "soil";
inline constexpr const char* kPigment = "pigment";
inline constexpr const char* kGroundRed = "ground_red";
inline constexpr const char* kGroundGreen = "ground_green";
inline constexpr const char* kGroundBlue = "ground_blue";
inline constexpr const char* kFloor = "floor";
inline constexpr const char* kSoilDepth = "soil_depth";
inline constexpr const char* kBareRock = "bare_rock";
inline constexpr const char* kScree = "scree";
inline constexpr const char* kVegetation = "vegetation";
inline constexpr const char* kForest = "forest";
inline constexpr const char* kChannelAge = "channel_age";
inline constexpr const char* kChannelBelt = "channel_belt";
inline constexpr const char* kOxbow = "oxbow";
inline constexpr const char* kMoisture = "moisture";
inline constexpr const char* kSnow = "snow";
inline constexpr const char* kBedMaterial = "bed_material";
inline constexpr const char* kWaterElevation = "water_elevation";
inline constexpr const char* kWaterDepth = "water_depth";
inline constexpr const char* kVelocity = "velocity";
inline constexpr const char* kVelocityEast = "velocity_east";
inline constexpr const char* kVelocityNorth = "velocity_north";
inline constexpr const char* kMomentumEast = "momentum_east";
inline constexpr const char* kMomentumNorth = "momentum_north";
inline constexpr const char* kFoam = "foam";

}  // namespace thalweg
