// Fields that raster tests write, and how GDAL's own reader sees the files.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <cstring>
#include <string>

namespace thalweg {

/// The WKT of a projected CRS, as this library writes it. 32611 is UTM zone 11 N on WGS 84.
std::string wkt_of_epsg(int code);

/// A grid in UTM zone 11 N with 30 m cells.
Grid utm_grid(int columns, int rows);

/// Elevations from -500 to 3500 m, a twentieth of them no-data; the first cell always has data.
inline Field<float> random_field(Grid grid, std::uint64_t seed) {
    Field<float> field(std::move(grid));
    for (std::int64_t i = 0; i < field.size(); ++i) {
        const auto cell = static_cast<std::uint64_t>(i);
        field[i] = unit_float(random_bits(seed, Stream::Noise, cell)) * 4000.0F - 500.0F;
        if (i > 0 && random_bits(seed, Stream::WhiteNoise, cell) % 20 == 0) field[i] = kNoData;
    }
    return field;
}

/// Same grid and same bits, where every NaN equals every other.
inline bool same_values(const Field<float>& a, const Field<float>& b) {
    if (a.grid() != b.grid() || a.size() != b.size()) return false;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        const bool same_bits = std::memcmp(&a[i], &b[i], sizeof(float)) == 0;
        if (!same_bits && !(is_no_data(a[i]) && is_no_data(b[i]))) return false;
    }
    return true;
}

}  // namespace thalweg
