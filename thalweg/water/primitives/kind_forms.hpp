// The constants of the built-in kinds, shared by their evaluators and kernels. All empirical: chosen by eye
// on hillshades of 5 cm.
#pragma once

#include <cstdint>

namespace thalweg {

/// How the noise of a kind lies in the flow, and what carries it.
struct NoiseForm {
    double cosine;  // of the turn from the flow's direction to the noise's own axis, counterclockwise
    double sine;
    double along;     // length of a lattice cell along the axis, in wavelengths
    double across;    // and across it
    double carried;   // share of the velocity along the axis that carries it
    double celerity;  // share of the celerity of deep water that is added
};

/// The most noises that a kind sums.
inline constexpr int kMostNoises = 3;

inline constexpr NoiseForm kCalmForms[] = {
    {1.0, 0.0, 3.0, 0.8, 1.0, 0.0},
    {0.63742398974868963, 0.77051324277578925, 0.8, 1.7, 1.0, 0.7}};  // 0.14 turns
inline constexpr NoiseForm kRippleForms[] = {
    {0.87630668004386358, 0.48175367410171532, 0.6, 1.5, 1.0, 1.0},     // 0.08 turns
    {0.80901699437494745, -0.58778525229247314, 0.5, 1.2, 1.0, -1.0}};  // -0.10
inline constexpr NoiseForm kTurbulentForms[] = {
    {1.0, 0.0, 2.0, 0.8, 1.0, 0.0},
    {0.98228725072868872, 0.1873813145857246, 1.5, 0.7, 0.85, 0.0},   // 0.03 turns
    {0.95105651629515353, -0.3090169943749474, 0.6, 0.3, 1.1, 0.0}};  // -0.05
inline constexpr NoiseForm kWaveForms[] = {
    {1.0, 0.0, 0.9, 0.4, 1.0, 0.0},
    {0.92977648588825146, 0.36812455268467792, 1.6, 1.1, 0.3, 0.0}};  // 0.06 turns
inline constexpr NoiseForm kCascadeForms[] = {
    {1.0, 0.0, 1.2, 0.5, 1.0, 0.0},
    {0.99211470131447788, 0.12533323356430426, 0.9, 0.45, 0.7, 0.0},  // 0.02 turns
    {1.0, 0.0, 2.0, 0.6, 0.0, 0.0}};
inline constexpr NoiseForm kVortexForms[] = {{1.0, 0.0, 1.1, 0.8, 0.0, 0.0}, {1.0, 0.0, 3.0, 0.8, 1.0, 0.0}};
inline constexpr NoiseForm kBankEchoForms[] = {{1.0, 0.0, 1.5, 1.2, 0.0, 0.0}};

/// Factors of the random bits h of lattice point (i, j): h = i A + j B + key, h ^= h >> 15, h *= C, all
/// modulo 2^32. Its gradient is (h mod 2^23, h / 2^9) / 2^22 - 1.
inline constexpr std::uint32_t kColumnFactor = 0x9e3779b1U;
inline constexpr std::uint32_t kRowFactor = 0x85ebca77U;
inline constexpr std::uint32_t kMixFactor = 0x7feb352dU;

/// Shares of the amplitude.
inline constexpr double kCalmShares[] = {0.55, 0.45};
inline constexpr double kRippleShares[] = {0.5, 0.5};
inline constexpr double kTurbulentShares[] = {0.5, 0.35, 0.15};
inline constexpr double kCascadeShares[] = {0.6, 0.4};
inline constexpr double kVortexShares[] = {0.9, 0.55};  // of what turns, and of what passes by

/// A ridge: kRidgeTop - 2 sqrt(n^2 + kRidgeSoftness), n a noise. From -1.51 to 0.38.
inline constexpr double kRidgeTop = 0.5;
inline constexpr double kRidgeSoftness = 0.004;
inline constexpr double kDeepestRidge = 1.51;

/// Standing waves: C = kCrest (c + c^2 / 2 - 1/4), c = cos(2 pi theta). From -0.6 to 1.
inline constexpr double kCrest = 0.8;
inline constexpr double kCrestBend = 0.5;    // how far crests sag downstream at the rim, in radii
inline constexpr double kCrestWander = 0.3;  // turns, by which noise moves them
inline constexpr double kCrestMean = 0.7;    // of the height: noise raises and lowers them
inline constexpr double kCrestGust = 0.6;

/// Cascades.
inline constexpr double kRaggedLip = 0.5;     // of the fall length, by which noise moves the lip
inline constexpr double kCalmAbove = 0.25;    // of the amplitude, above the fall
inline constexpr double kPlungeDepth = 0.25;  // of the fall, by which the pool dips at the foot
inline constexpr double kFaceFoam = 0.8;      // of the foam, on the face

/// Vortices: how many turns the rim lags behind the centre.
inline constexpr double kVortexShear = 0.4;

/// Bank echoes: half the angle between the two waves, turns, and the turns by which noise moves them.
inline constexpr double kEchoSpread = 0.07;
inline constexpr double kEchoWander = 0.25;

}  // namespace thalweg
