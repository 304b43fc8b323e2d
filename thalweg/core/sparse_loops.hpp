// Loops over what is seldom.
#pragma once

#include <cstdint>

namespace thalweg {

/// Calls `visit(i)` for every i in [first, last) for which `holds(i)`, in their order. Looks at many
/// together, in vectors where `holds` has no branch: fast where it seldom holds.
template <class Holds, class Visit>
void for_each_where(std::int64_t first, std::int64_t last, const Holds& holds, const Visit& visit) {
    constexpr std::int64_t kTogether = 64;
    const auto look_at = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            if (holds(i)) visit(i);
    };
    for (; first + kTogether <= last; first += kTogether) {
        std::uint8_t any = 0;
        for (std::int64_t i = first; i < first + kTogether; ++i)
            any = static_cast<std::uint8_t>(any | (holds(i) ? 1 : 0));
        if (any != 0) look_at(first, first + kTogether);
    }
    look_at(first, last);
}

}  // namespace thalweg
