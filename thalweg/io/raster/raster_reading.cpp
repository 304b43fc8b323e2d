#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/raster/georeference.hpp"
#include "thalweg/io/raster/open_raster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gdal_priv.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr int kMaximumStripRows = 1024;  // bounds the memory of a strip; more rows than any usual tile

/// Numbers that programs store where there is no data, and that are no heights on earth beside others: those
/// of SRTM and USGS, of ESRI, and the largest of 16 bits.
constexpr std::array kVoidNumbers = {-32768.0,  -32767.0, -9999.0, -99999.0,
                                     -999999.0, 32767.0,  9999.0,  99999.0};
constexpr double kLeastVoid = 9999.0;  // the least magnitude among them
constexpr double kVoidDrop = 1000.0;   // how far beyond all others such a number lies; empirical

/// Numbers that may stand for no data, and the range of the others.
struct VoidSurvey {
    std::array<std::int64_t, kVoidNumbers.size()> cells{};
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();

    void add(double number) {
        if (std::abs(number) >= kLeastVoid)
            for (std::size_t i = 0; i < kVoidNumbers.size(); ++i)
                if (number == kVoidNumbers[i]) {
                    ++cells[i];
                    return;
                }
        minimum = std::min(minimum, number);
        maximum = std::max(maximum, number);
    }
    /// Whether cells hold this number, far from all heights.
    [[nodiscard]] bool looks_void(std::size_t i) const {
        return cells[i] > 0 && minimum <= maximum &&
               (kVoidNumbers[i] < minimum - kVoidDrop || kVoidNumbers[i] > maximum + kVoidDrop);
    }
};

/// Values as they are read, strip by strip.
struct Reading {
    std::vector<float> values = {};
    bool any_data = false;
    std::int64_t unmarked_nan_cells = 0;  // that neither the no-data value nor a mask hides
    VoidSurvey voids = {};
};

/// Takes over what a strip holds.
void take_strip(Reading& reading, const OpenRaster& raster, const StoredCells& strip) {
    const std::size_t before = reading.values.size();
    reading.values.resize(before + strip.numbers.size());
    float* const values = reading.values.data() + before;
    to_metres(raster, strip, values);
    for (std::size_t i = 0; i < strip.numbers.size(); ++i) {
        if (strip.valid[i] != 0 && std::isnan(strip.numbers[i])) ++reading.unmarked_nan_cells;
        if (!is_no_data(values[i])) reading.voids.add(strip.numbers[i]);
        reading.any_data = reading.any_data || !is_no_data(values[i]);
    }
}

Reading read_values(const OpenRaster& raster, GdalSession& session) {
    const Grid& grid = raster.info.grid;
    Reading reading;
    reading.values.reserve(static_cast<std::size_t>(grid.cells()));  // but not touched at once
    int tile_columns = 0;
    int tile_rows = 0;
    raster.band->GetBlockSize(&tile_columns, &tile_rows);
    const int strip_rows = std::min(grid.rows, std::clamp(tile_rows, 1, kMaximumStripRows));
    StoredCells strip{.columns = grid.columns};
    session.forget_failures();
    for (int row = 0; row < grid.rows; row += strip_rows) {
        strip.first_row = row;
        strip.rows = std::min(strip_rows, grid.rows - row);
        read_stored(raster, session, strip);
        take_strip(reading, raster, strip);
    }
    if (!reading.any_data)
        throw Error::input(fmt::format("{} has no cell with data: all {} x {} cells are no-data", raster.name,
                                       grid.columns, grid.rows));
    return reading;
}

std::vector<std::string> notes_of(const Reading& reading, const OpenRaster& raster, const std::string& name) {
    std::vector<std::string> notes;
    if (raster.info.bands > 1)
        notes.push_back(fmt::format("{} has {} bands, of which band 1 is read", name, raster.info.bands));
    if (looks_like_degrees(*raster.dataset))
        notes.push_back(fmt::format(
            "{} names no coordinate system, and its cells of {:.6g} are taken as metres; with --reproject "
            "they are degrees",
            name, raster.info.grid.cell_size));
    if (reading.unmarked_nan_cells > 0)
        notes.push_back(fmt::format("{}: {} of {} cells are not numbers (NaN) and are taken as no-data", name,
                                    reading.unmarked_nan_cells, reading.values.size()));
    for (std::size_t i = 0; i < kVoidNumbers.size(); ++i)
        if (reading.voids.looks_void(i))
            notes.push_back(fmt::format(
                "{}: {} of {} cells hold {:g}, which often stands for no data and is taken as a value here; "
                "--nodata {:g} makes them no-data",
                name, reading.voids.cells[i], reading.values.size(), kVoidNumbers[i], kVoidNumbers[i]));
    return notes;
}

}  // namespace

RasterInfo read_raster_info(const fs::path& path, const RasterHints& hints) {
    check_is_file(path);
    const GdalSession session;
    return open_raster(path.string(), path.string(), session, hints).info;
}

Field<float> read_raster(const fs::path& path, const RasterHints& hints) {
    return read_noted_raster(path, hints).values;
}

NotedRaster read_noted_raster(const fs::path& path, const RasterHints& hints) {
    check_is_file(path);
    GdalSession session;
    const ReadingOptions options;
    const OpenRaster raster = open_raster(path.string(), path.string(), session, hints);
    check_heights(raster);
    Reading reading = read_values(raster, session);
    std::vector<std::string> notes = notes_of(reading, raster, path.filename().string());
    return {Field<float>(raster.info.grid, std::move(reading.values)), std::move(notes), raster.info};
}

Field<float> decode_raster(std::span<const std::byte> bytes, const std::string& name,
                           std::int64_t most_cells) {
    GdalSession session;
    const ReadingOptions options;
    MemoryFolder folder;
    const OpenRaster raster = open_raster(folder.show("raster", bytes), name, session);
    check_heights(raster);
    const Grid& grid = raster.info.grid;
    if (grid.cells() > most_cells)
        throw Error::input(fmt::format("{} has {} x {} cells: give {} cells at most", name, grid.columns,
                                       grid.rows, most_cells));
    return {grid, read_values(raster, session).values};
}

}  // namespace thalweg
