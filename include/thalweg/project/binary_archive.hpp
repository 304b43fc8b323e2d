// Values of any type as bytes, and back.
#pragma once

#include "thalweg/grid/field.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace thalweg {

/// What archives take as its bytes.
template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Writes values one after another in this machine's own form: for files that only programs of one build
/// read. A struct is written by visit_members(archive, value), which hands all its members to the archive.
///
/// Example:
///     std::vector<std::byte> bytes;
///     ArchiveWriter archive(
///         [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
///     archive(std::string("erode"), std::vector{1e5, 2e5});
///     archive.finish();
class ArchiveWriter {
  public:
    using Take = std::function<void(std::span<const std::byte>)>;

    /// `take` is given all bytes, in pieces of kPieceBytes but for the last.
    explicit ArchiveWriter(Take take) : take_(std::move(take)) { buffer_.reserve(kPieceBytes); }

    template <class... T>
    void operator()(const T&... values) {
        (write(values), ...);
    }

    /// Hands over what is left.
    void finish() {
        if (!buffer_.empty()) take_(buffer_);
        buffer_.clear();
    }

    static constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

  private:
    void write_bytes(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const std::size_t count = std::min(bytes.size(), kPieceBytes - buffer_.size());
            buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
            bytes = bytes.subspan(count);
            if (buffer_.size() == kPieceBytes) finish();
        }
    }

    template <Scalar T>
    void write(const T& value) {
        write_bytes(std::as_bytes(std::span(&value, 1)));
    }
    void write(const std::string& text) {
        write(text.size());
        write_bytes(std::as_bytes(std::span(text)));
    }
    template <class T>
    void write(const std::vector<T>& values) {
        write(values.size());
        if constexpr (Scalar<T>)
            write_bytes(std::as_bytes(std::span(values)));
        else
            for (const T& value : values) write(value);
    }
    template <class T>
    void write(const std::optional<T>& value) {
        write(value.has_value());
        if (value) write(*value);
    }
    template <class A, class B>
    void write(const std::pair<A, B>& pair) {
        write(pair.first);
        write(pair.second);
    }
    template <class... T>
    void write(const std::variant<T...>& value) {
        write(value.index());
        std::visit([&](const auto& held) { write(held); }, value);
    }
    template <class T>
    void write(const Field<T>& field) {
        write(field.grid());
        write(field.values());
    }
    template <class T>
    void write(const T& value) {
        visit_members(*this, value);
    }

    Take take_;
    std::vector<std::byte> buffer_;
};

/// Reads them again, in the same order.
class ArchiveReader {
  public:
    using Give = std::function<void(std::span<std::byte>)>;

    /// `give` fills a span with the next bytes, of which there are `size`.
    ArchiveReader(Give give, std::int64_t size) : give_(std::move(give)), left_(size) {}

    /// Throws std::runtime_error where there are fewer bytes than the values take.
    template <class... T>
    void operator()(T&... values) {
        (read(values), ...);
    }

  private:
    void read_bytes(std::span<std::byte> bytes) {
        const auto size = static_cast<std::int64_t>(bytes.size());
        if (size > left_) throw std::runtime_error("an archive ends within a value");
        left_ -= size;
        give_(bytes);
    }
    /// How many elements follow, of which each takes a byte or more.
    std::size_t read_count() {
        std::size_t count = 0;
        read(count);
        if (count > static_cast<std::size_t>(left_))
            throw std::runtime_error("an archive ends within a value");
        return count;
    }

    template <Scalar T>
    void read(T& value) {
        read_bytes(std::as_writable_bytes(std::span(&value, 1)));
    }
    void read(std::string& text) {
        text.resize(read_count());
        read_bytes(std::as_writable_bytes(std::span(text)));
    }
    template <class T>
    void read(std::vector<T>& values) {
        values.resize(read_count());
        if constexpr (Scalar<T>)
            read_bytes(std::as_writable_bytes(std::span(values)));
        else
            for (T& value : values) read(value);
    }
    template <class T>
    void read(std::optional<T>& value) {
        bool has_value = false;
        read(has_value);
        if (has_value) read(value.emplace());
    }
    template <class A, class B>
    void read(std::pair<A, B>& pair) {
        read(pair.first);
        read(pair.second);
    }
    template <class... T>
    void read(std::variant<T...>& value) {
        static constexpr std::array kEmpty = {+[] { return std::variant<T...>(T{}); }...};
        std::size_t index = 0;
        read(index);
        if (index >= sizeof...(T)) throw std::runtime_error("an archive holds a value of no known type");
        value = kEmpty[index]();
        std::visit([&](auto& held) { read(held); }, value);
    }
    template <class T>
    void read(Field<T>& field) {
        Grid grid;
        std::vector<T> values;
        read(grid);
        read(values);
        if (static_cast<std::int64_t>(values.size()) != grid.cells())
            throw std::runtime_error("an archive holds a field with too few or too many values");
        field = Field<T>(std::move(grid), std::move(values));
    }
    template <class T>
    void read(T& value) {
        visit_members(*this, value);
    }

    Give give_;
    std::int64_t left_;  // bytes
};

}  // namespace thalweg
