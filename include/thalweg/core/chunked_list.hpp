// A long list whose memory many threads make ready.
#pragma once

#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace thalweg {

/// Elements in chunks of a fixed size. `resize` gives each chunk its memory and its first values on whichever
/// thread has time: pages that come anew from the system, and the first values of millions of elements, cost
/// as much as what is done with them then. Elements stay where they are while others are added behind whole
/// chunks. O(1) an element; same values on any number of threads.
///
/// Example:
///     ChunkedList<double> widths;
///     widths.resize(1'000'000);
///     widths[7] = 2.0;
template <class T>
class ChunkedList {
  public:
    ChunkedList() = default;
    explicit ChunkedList(std::size_t size) { resize(size); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }

    [[nodiscard]] T& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }

    void push_back(T element) {
        if (size_ % kChunk == 0) chunks_.emplace_back();
        chunks_.back().push_back(std::move(element));
        ++size_;
    }

    /// New elements are T{}.
    void resize(std::size_t size) {
        const std::size_t kept = std::min(size, size_) / kChunk;  // whole chunks
        chunks_.resize((size + kChunk - 1) / kChunk);
        size_ = size;
        parallel_for(static_cast<std::int64_t>(kept), std::ssize(chunks_), 1,
                     [&](std::int64_t first, std::int64_t last) {
                         for (auto c = static_cast<std::size_t>(first); c < static_cast<std::size_t>(last);
                              ++c)
                             chunks_[c].resize(std::min(kChunk, size - c * kChunk));
                     });
    }

  private:
    static constexpr std::size_t kChunk = 4096;

    std::vector<std::vector<T>> chunks_;  // all but the last one are full
    std::size_t size_ = 0;
};

}  // namespace thalweg
