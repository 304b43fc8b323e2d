// Bytes of tiles in a file that nobody else sees.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <vector>

namespace thalweg {

/// Keeps up to a fixed number of bytes for each tile in a file, which goes with it. May be used by several
/// threads. Throws Error::failure when the disk does not take or give the bytes.
class TileStore {
  public:
    TileStore(std::filesystem::path path, std::int64_t most_bytes_per_tile);
    ~TileStore();
    TileStore(const TileStore&) = delete;
    TileStore& operator=(const TileStore&) = delete;

    void keep(std::int64_t tile, const std::vector<std::uint8_t>& bytes);
    [[nodiscard]] std::vector<std::uint8_t> kept(std::int64_t tile);

  private:
    void check(const char* what) const;

    std::filesystem::path path_;
    std::int64_t most_bytes_;
    std::mutex mutex_;
    std::fstream file_;
    std::vector<std::int64_t> sizes_;  // bytes, by tile
};

}  // namespace thalweg
