// Parts of unfinished work in a file that outlives its run.
#pragma once

#include "thalweg/project/files/scratch_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace thalweg {

/// What an earlier run left in a store.
enum class StoreState {
    Empty,    // nothing
    GoesOn,   // parts of the same work
    Foreign,  // parts of other work, now dropped
    Damaged,  // bytes that are not those that were written, now dropped
};

/// Parts, each of a kind and with a number, appended to one file. Every part carries a checksum, so that none
/// that is half written, or that a disk has changed, is ever taken for whole: a file that ends within a part
/// (its run was killed) is cut there, anything else that is wrong drops all parts. May be used by several
/// threads. Throws as ScratchFile.
class TileStore {
  public:
    /// Opens the store at `path`, or makes one. Parts that were kept for another `purpose` are dropped.
    TileStore(const std::filesystem::path& path, const std::string& purpose);

    /// What was found.
    [[nodiscard]] StoreState state() const { return state_; }
    [[nodiscard]] bool empty() const { return parts_.empty(); }

    /// Keeps a part; of two with the same kind and number the later one counts.
    void keep(std::uint8_t kind, std::int64_t number, std::span<const std::byte> bytes);

    [[nodiscard]] bool has(std::uint8_t kind, std::int64_t number) const;
    /// The numbers of all parts of a kind, in their order.
    [[nodiscard]] std::vector<std::int64_t> numbers(std::uint8_t kind) const;
    /// The part, or nothing.
    [[nodiscard]] std::optional<std::vector<std::byte>> kept(std::uint8_t kind, std::int64_t number) const;
    /// `into.size()` bytes of a part that is there, from its byte `first` on.
    void read(std::uint8_t kind, std::int64_t number, std::int64_t first, std::span<std::byte> into) const;

    /// Drops all parts: what they tell of is damaged.
    void drop();

  private:
    struct Place {
        std::int64_t first = 0;  // byte in the file
        std::int64_t size = 0;   // bytes
    };

    bool take_over(const std::string& purpose);
    bool take_over_parts();
    void begin_anew();
    [[nodiscard]] std::optional<Place> place_of(std::uint8_t kind, std::int64_t number) const;

    ScratchFile file_;
    std::vector<std::byte> head_;
    StoreState state_ = StoreState::Empty;
    std::int64_t end_ = 0;  // bytes of the file so far
    mutable std::mutex mutex_;
    std::map<std::pair<std::uint8_t, std::int64_t>, Place> parts_;
};

}  // namespace thalweg
