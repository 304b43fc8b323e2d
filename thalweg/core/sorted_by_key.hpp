// Sorting by whole numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// The order in which `keys` rise, equal ones in their own order: by counting, eleven bits a pass, as many
/// passes as the largest key has bits. O(keys).
std::vector<std::uint32_t> order_of_keys(std::span<const std::uint64_t> keys);

}  // namespace thalweg
