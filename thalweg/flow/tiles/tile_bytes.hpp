// Lists of plain values as bytes that can be kept elsewhere.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace thalweg {

/// Lists one after the other, each behind its length. For the machine that wrote them: nothing is converted.
class TileBytes {
  public:
    template <class T>
    void add(const std::vector<T>& values) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::uint64_t count = values.size();
        append(&count, sizeof count);
        append(values.data(), values.size() * sizeof(T));
    }

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  private:
    void append(const void* from, std::size_t size) {
        const std::size_t before = bytes_.size();
        bytes_.resize(before + size);
        if (size > 0) std::memcpy(bytes_.data() + before, from, size);
    }

    std::vector<std::byte> bytes_;
};

/// Takes lists out again, in the order in which they were added; the bytes must be those of TileBytes.
class TileBytesReader {
  public:
    explicit TileBytesReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <class T>
    std::vector<T> take() {
        static_assert(std::is_trivially_copyable_v<T>);
        std::uint64_t count = 0;
        copy(&count, sizeof count);
        std::vector<T> values(count);
        copy(values.data(), values.size() * sizeof(T));
        return values;
    }

  private:
    void copy(void* into, std::size_t size) {
        assert(size <= rest_.size());
        if (size > 0) std::memcpy(into, rest_.data(), size);
        rest_ = rest_.subspan(size);
    }

    std::span<const std::byte> rest_;
};

}  // namespace thalweg
