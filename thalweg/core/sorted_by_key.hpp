// Sorting by whole numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// The order in which `keys` rise, equal ones in their own order: by counting, eleven bits a pass, as many
/// passes as the largest key has bits. O(keys).
std::vector<std::uint32_t> order_of_keys(std::span<const std::uint64_t> keys);

/// The Morton code of a cell, the bits of column and row in turn: cells near each other have keys that are.
std::uint64_t morton_code(std::uint32_t column, std::uint32_t row);

}  // namespace thalweg
