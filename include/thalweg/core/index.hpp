// Signed cell and entry numbers as indices of standard containers.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace thalweg {

/// `number` >= 0 as an index.
///
/// Example:
///     const std::vector<double> area(100, 900.0);  // m^2
///     const std::int64_t cell = 42;
///     const double area_here = area[at(cell)];
inline std::size_t at(std::int64_t number) {
    assert(number >= 0);
    return static_cast<std::size_t>(number);
}

}  // namespace thalweg
