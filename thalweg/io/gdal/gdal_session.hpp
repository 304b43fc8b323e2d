// GDAL as this room uses it: registered once, silent on the screen, encoding in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

class GDALDataset;
class OGRSpatialReference;

namespace thalweg {

/// What GDAL keeps of open files in memory, at most, unless a row of blocks of one is more (keep_in_cache).
/// Its own default is a share of the machine's memory.
inline constexpr std::int64_t kCacheBytes = std::int64_t{64} << 20;

/// While one lives, what GDAL reports on this thread is collected and not printed. Registers GDAL's drivers
/// on first use. Sessions nest and must end on the thread that began them. GDAL's own threads have no
/// session: what fails there is never printed, and every session that lives then can ask for it.
class GdalSession {
  public:
    GdalSession();
    ~GdalSession();
    GdalSession(const GdalSession&) = delete;
    GdalSession& operator=(const GdalSession&) = delete;

    /// The first failure since the session began or forgot, as one line; empty when there was none.
    [[nodiscard]] const std::string& failure() const { return failure_; }
    void forget_failures() { failure_.clear(); }
    /// The last failure on GDAL's own threads since the session began; empty when there was none.
    [[nodiscard]] std::string failure_elsewhere() const;
    /// Takes a failure over; throws std::bad_alloc later, by check_memory, where memory was lacking.
    void collect(const char* message, bool lacks_memory);
    /// Throws std::bad_alloc when GDAL reported on this thread that it got no memory.
    void check_memory() const;

  private:
    std::string failure_;
    bool lacks_memory_ = false;
    std::int64_t failures_elsewhere_before_ = 0;
};

struct DatasetCloser {
    void operator()(GDALDataset* dataset) const;
};
using DatasetPointer = std::unique_ptr<GDALDataset, DatasetCloser>;

/// A folder in memory that only GDAL sees; it goes with all its files when it goes out of scope.
class MemoryFolder {
  public:
    MemoryFolder();
    ~MemoryFolder();
    MemoryFolder(const MemoryFolder&) = delete;
    MemoryFolder& operator=(const MemoryFolder&) = delete;

    /// GDAL's name of a file in this folder.
    [[nodiscard]] std::string name_of(const std::string& file) const { return name_ + "/" + file; }

    /// The bytes of a file, valid while the folder lives and the file is not changed; empty when it is not
    /// there.
    [[nodiscard]] std::span<const std::byte> bytes_of(const std::string& file) const;

    /// Shows `bytes` to GDAL as a file, without a copy: they must outlive the folder. Returns its GDAL name.
    std::string show(const std::string& file, std::span<const std::byte> bytes);

  private:
    std::string name_;
};

/// A coordinate reference system from WKT, with x before y whatever its authority says; empty from empty
/// text. Throws Error::failure when the text is no WKT.
OGRSpatialReference spatial_reference_of(const std::string& wkt);

/// The WKT (ISO 19162:2019) in which grids and networks carry a coordinate reference system; empty for none.
std::string wkt_of(const OGRSpatialReference* reference);

/// GDAL's way to ask whether to go on: 0 once the work of this thread is cancelled (cancelling.hpp).
int goes_on(double fraction, const char* message, void* data);

/// Lets GDAL keep so many bytes of open files at least: where a row of blocks is more than it keeps, it
/// decodes each block anew for every row of cells.
void keep_in_cache(std::int64_t bytes);

/// Encodes `source` by the GDAL driver `driver` in memory, then writes `path` whole or not at all. Throws
/// Error::failure; polls as cancelling.hpp says.
void write_copy(const std::filesystem::path& path, GDALDataset& source, const std::string& driver,
                const std::vector<std::string>& options);

/// The same of a source of one band, of which only place and no-data value are taken over, for drivers that
/// can create a file: row of blocks by row of blocks, so that little is left to encode once it is cancelled.
void write_band(const std::filesystem::path& path, GDALDataset& source, const std::string& driver,
                const std::vector<std::string>& options);

}  // namespace thalweg
