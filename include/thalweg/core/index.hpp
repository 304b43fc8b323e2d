// Signed cell and entry numbers as indices of standard containers.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace thalweg {

/// `number` >= 0 as an index.
inline std::size_t at(std::int64_t number) {
    assert(number >= 0);
    return static_cast<std::size_t>(number);
}

}  // namespace thalweg
