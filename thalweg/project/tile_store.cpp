#include "thalweg/project/tile_store.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"

#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace thalweg {

TileStore::TileStore(std::filesystem::path path, std::int64_t most_bytes_per_tile)
    : path_(std::move(path)),
      most_bytes_(most_bytes_per_tile),
      file_(path_, std::ios::in | std::ios::out | std::ios::binary | std::ios::trunc) {
    check("made");
}

TileStore::~TileStore() {
    file_.close();
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

void TileStore::keep(std::int64_t tile, const std::vector<std::uint8_t>& bytes) {
    const std::lock_guard lock(mutex_);
    if (at(tile) >= sizes_.size()) sizes_.resize(at(tile) + 1, 0);
    sizes_[at(tile)] = static_cast<std::int64_t>(bytes.size());
    file_.seekp(tile * most_bytes_);
    file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    check("written");
}

std::vector<std::uint8_t> TileStore::kept(std::int64_t tile) {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint8_t> bytes(at(sizes_[at(tile)]));
    file_.seekg(tile * most_bytes_);
    file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    check("read");
    return bytes;
}

void TileStore::check(const char* what) const {
    if (!file_) throw Error::failure(fmt::format("{} can't be {}: is the disk full?", path_.string(), what));
}

}  // namespace thalweg
