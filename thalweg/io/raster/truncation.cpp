#include "thalweg/io/raster/truncation.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <gdal_priv.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

/// The header of a classic netCDF file, number by number (NetCDF Classic and 64-bit Offset and Data Formats,
/// Unidata 2019). Any number beyond the file, or absurd, ends the reading.
class NetcdfHeader {
  public:
    explicit NetcdfHeader(const fs::path& path) : file_(path, std::ios::binary) {}

    /// Where the last value ends, bytes; nothing for other files, and for headers that can't be read.
    std::optional<std::uint64_t> end_of_values() {
        std::array<char, 4> magic{};
        file_.read(magic.data(), magic.size());
        const int version = static_cast<unsigned char>(magic[3]);
        if (!file_ || std::string_view(magic.data(), 3) != "CDF" ||
            (version != 1 && version != 2 && version != 5))
            return std::nullopt;
        count_bytes_ = version == 5 ? 8 : 4;
        place_bytes_ = version == 1 ? 4 : 8;
        const std::uint64_t records = number(count_bytes_);
        read_dimensions();
        skip_attributes();
        read_variables(records);
        return file_ ? std::optional(end_) : std::nullopt;
    }

  private:
    static constexpr std::uint64_t kMostEntries = 1 << 20;

    std::uint64_t number(int bytes) {
        std::uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) value = value << 8U | static_cast<unsigned char>(file_.get());
        return value;
    }

    /// The length of a list; a list without end ends the reading.
    std::uint64_t count() {
        const std::uint64_t entries = number(count_bytes_);
        if (entries > kMostEntries) file_.setstate(std::ios::failbit);
        return file_ ? entries : 0;
    }

    void skip(std::uint64_t bytes) {
        file_.seekg(static_cast<std::streamoff>((bytes + 3) / 4 * 4), std::ios::cur);
    }

    static std::uint64_t bytes_of(std::uint64_t type) {
        constexpr std::array<std::uint64_t, 12> kBytes = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
        return type < kBytes.size() ? kBytes[type] : 0;
    }

    void read_dimensions() {
        number(4);
        for (std::uint64_t left = count(); left > 0 && file_; --left) {
            skip(count());
            dimensions_.push_back(number(count_bytes_));
        }
    }

    void skip_attributes() {
        number(4);
        for (std::uint64_t left = count(); left > 0 && file_; --left) {
            skip(count());
            const std::uint64_t value_bytes = bytes_of(number(4));
            skip(count() * value_bytes);
        }
    }

    void read_variables(std::uint64_t records) {
        std::uint64_t record_bytes = 0;
        std::vector<std::uint64_t> record_ends;
        number(4);
        for (std::uint64_t left = count(); left > 0 && file_; --left) {
            skip(count());
            std::uint64_t values = 1;
            bool has_records = false;
            for (std::uint64_t sides = count(); sides > 0 && file_; --sides) {
                const std::uint64_t side = number(count_bytes_);
                if (side >= dimensions_.size()) return file_.setstate(std::ios::failbit);
                has_records = has_records || dimensions_[side] == 0;  // the unlimited one
                values *= std::max<std::uint64_t>(1, dimensions_[side]);
            }
            skip_attributes();
            const std::uint64_t bytes = values * bytes_of(number(4));
            const std::uint64_t padded_bytes = number(count_bytes_);
            const std::uint64_t end = number(place_bytes_) + bytes;
            if (has_records) {
                record_bytes += padded_bytes;
                record_ends.push_back(end);
            } else {
                end_ = std::max(end_, end);
            }
        }
        if (records == 0) return;
        for (const std::uint64_t end : record_ends) end_ = std::max(end_, end + (records - 1) * record_bytes);
    }

    std::ifstream file_;
    int count_bytes_ = 4;
    int place_bytes_ = 4;
    std::vector<std::uint64_t> dimensions_;
    std::uint64_t end_ = 0;
};

std::uint64_t bytes_of_values(GDALDataset& dataset) {
    const auto value_bytes =
        static_cast<std::uint64_t>(GDALGetDataTypeSizeBytes(dataset.GetRasterBand(1)->GetRasterDataType()));
    return value_bytes * static_cast<std::uint64_t>(dataset.GetRasterXSize()) *
           static_cast<std::uint64_t>(dataset.GetRasterYSize()) *
           static_cast<std::uint64_t>(dataset.GetRasterCount());
}

/// Where the values of an ENVI file end; nothing for one that is compressed.
std::optional<std::uint64_t> end_of_envi(GDALDataset& dataset) {
    const auto entry = [&](const char* name) {
        const char* text = dataset.GetMetadataItem(name, "ENVI");
        return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
    };
    if (entry("file_compression") != 0) return std::nullopt;
    return entry("header_offset") + bytes_of_values(dataset);
}

std::optional<std::uint64_t> end_of_values(GDALDataset& dataset, const fs::path& path) {
    constexpr std::uint64_t kPcrasterHeader = 256;  // bytes
    const std::string_view driver = dataset.GetDriverName();
    if (driver == "ENVI") return end_of_envi(dataset);
    if (driver == "PCRaster") return kPcrasterHeader + bytes_of_values(dataset);
    if (driver == "netCDF") return NetcdfHeader(path).end_of_values();
    return std::nullopt;
}

}  // namespace

void check_not_truncated(GDALDataset& dataset, const fs::path& path, const std::string& name) {
    if (dataset.GetRasterCount() == 0) return;
    const std::optional<std::uint64_t> end = end_of_values(dataset, path);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error || !end || *end <= size) return;
    throw Error::input(fmt::format("{} can't be read to its end, it may be truncated: it has {} of {} bytes",
                                   name, size, *end));
}

}  // namespace thalweg
