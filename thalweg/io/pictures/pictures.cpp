#include "thalweg/io/pictures.hpp"

#include "thalweg/io/gdal/memory_dataset.hpp"

#include <gdal_priv.h>

namespace thalweg {
namespace {

constexpr char kDeflateLevel[] = "ZLEVEL=3";  // of 9; measured on maps and views: 3 to 6 % larger than zlib's
                                              // default 6, in a third of its time

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image) {
    constexpr int kChannels = 3;
    const DatasetPointer dataset =
        memory_dataset(std::span<const std::uint8_t>(image.rgb), image.width, image.height, kChannels);
    write_copy(path, *dataset, "PNG", {kDeflateLevel});
}

}  // namespace thalweg
