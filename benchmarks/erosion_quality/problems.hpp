// What eroded terrain is measured on.
#pragma once

#include "thalweg/erosion/erode.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

inline constexpr double kExtent = 25600.0;  // m, side of the whole square
inline constexpr float kUplift = 1e-3F;     // m/yr, table 1
inline constexpr float kErodibility = 2e-5F;
inline constexpr std::uint64_t kSeeds[] = {1, 2, 3, 4};

inline QuietProgress progress;

/// A part of the square: whether it holds the place (x, y), m from the square's middle.
struct Domain {
    const char* name;
    bool (*holds)(double x, double y);
};

bool anywhere(double x, double y);
bool in_disc(double x, double y);

/// In the square of half side `half`, m, turned anticlockwise by `degrees`; y runs to the north.
bool in_square(double x, double y, double half, double degrees);

/// The largest square that fits when it is turned by 30 degrees anticlockwise.
bool in_turned_square(double x, double y);

inline constexpr Domain kDisc = {"disc", in_disc};
inline constexpr Domain kDomains[] = {
    {"square", anywhere}, kDisc, {"square turned by 30 degrees", in_turned_square}};

LayerSource white_noise(std::uint64_t seed);

/// White noise of 1 m, uplifted evenly.
ErosionInputs even_problem(int cells, std::uint64_t seed);

/// The same with a ridge of uplift across bands of hard and soft rock.
ErosionInputs painted_problem(int cells, std::uint64_t seed);

/// The boundary mask of a domain: non-zero outside. Empty for the whole square.
Field<std::uint8_t> boundary_of(const Domain& domain, const Grid& grid);

double mean(const std::vector<double>& values);

}  // namespace thalweg
