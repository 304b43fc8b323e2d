// The cells that a flood has reached and not yet risen over, lowest first.
#pragma once

#include "thalweg/flow/graph/ordered_bits.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace thalweg {

/// A whole number that is ordered as (elevation, number). elevation, m: not NaN; number: 0 or more.
inline std::uint64_t flood_key(float elevation, std::uint32_t number) {
    return std::uint64_t{ordered_bits(elevation)} << 32 | number;
}

/// The number in a key.
inline std::int32_t flood_number(std::uint64_t key) {
    return static_cast<std::int32_t>(key & 0xffffffff);
}

/// Numbers by elevation, and of equal elevation by themselves. Most floods end after a few cells: so few are
/// looked through one by one, without branches to guess; a heap takes over when they become many.
class FloodQueue {
  public:
    [[nodiscard]] bool empty() const { return keys_.empty(); }

    void clear() {
        keys_.clear();
        is_heap_ = false;
    }

    /// elevation, m: not NaN. A number is pushed once.
    void push(float elevation, std::int32_t number) {
        keys_.push_back(flood_key(elevation, number));
        if (is_heap_) {
            std::push_heap(keys_.begin(), keys_.end(), std::greater<>());
        } else if (keys_.size() > kFew) {
            std::make_heap(keys_.begin(), keys_.end(), std::greater<>());
            is_heap_ = true;
        }
    }

    /// Takes the number of the lowest away. Not when empty.
    std::int32_t pop() {
        if (is_heap_) {
            std::pop_heap(keys_.begin(), keys_.end(), std::greater<>());
        } else {
            std::size_t lowest = 0;
            std::uint64_t least = keys_.front();
            for (std::size_t i = 1; i < keys_.size(); ++i) {
                const bool lower = keys_[i] < least;
                least = lower ? keys_[i] : least;
                lowest = lower ? i : lowest;
            }
            std::swap(keys_[lowest], keys_.back());
        }
        const std::int32_t number = flood_number(keys_.back());
        keys_.pop_back();
        return number;
    }

  private:
    static constexpr std::size_t kFew = 64;  // empirical

    std::vector<std::uint64_t> keys_;
    bool is_heap_ = false;
};

}  // namespace thalweg
