#include "thalweg/render/map/lake_paint.hpp"

#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/render/shading/relief.hpp"
#include "thalweg/render/value_range.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr float kWaterShading = 0.12F;  // of the land's: what lies below shines through faintly (empirical)

/// 1 where a cell is under water.
Field<float> wet_cells(const Field<float>& depth) {
    Field<float> wet(depth.grid());
    std::transform(depth.begin(), depth.end(), wet.begin(), [](float metres) {
        return is_no_data(metres) ? kNoData : metres > 0.0F ? 1.0F : 0.0F;
    });
    return wet;
}

/// Tints of dry pixels.
Field<Colour> land_colours(const LakeMap& lakes, const Grid& pixels) {
    Field<Colour> colours(pixels, kPaper);
    if (lakes.land.empty()) return colours;
    const ValueRange heights = value_range(lakes.land, "elevation");
    const ColourMap& tint = land_tint(lakes.tint);
    for_each_row(pixels, [&](int row) {
        for (int column = 0; column < pixels.columns; ++column)
            if (const float height = lakes.land(column, row); !is_no_data(height))
                colours(column, row) = tint.at(heights.place(static_cast<double>(height)));
    });
    return colours;
}

}  // namespace

void paint_lakes(Canvas& canvas, const MapSheet& sheet, const LakeMap& lakes) {
    const Grid& pixels = sheet.pixels;
    const Field<float> depth = resample(lakes.depth, pixels);
    const Field<float> wet = resample(wet_cells(lakes.depth), pixels);
    const Field<Colour> land = land_colours(lakes, pixels);
    const float pixels_per_cell =
        static_cast<float>(std::max(1.0, lakes.depth.grid().cell_size / pixels.cell_size));
    const float strength = static_cast<float>(lakes.shading);
    for_each_row(pixels, [&](int row) {
        for (int column = 0; column < pixels.columns; ++column) {
            const float share = wet(column, row), shade = lakes.light(column, row);
            if (is_no_data(share) && is_no_data(shade)) continue;
            const auto in_light = [&](Colour colour, float part) {
                return is_no_data(shade) ? colour : lit(colour, shade, part * strength);
            };
            Colour colour = in_light(land(column, row), 1.0F);
            if (share > 0.0F) {
                // The mean depth counts what is dry as well.
                const double metres = static_cast<double>(depth(column, row) / share);
                const float covered = std::clamp(0.5F + (share - 0.5F) * pixels_per_cell, 0.0F, 1.0F);
                colour = mix(colour, in_light(lakes.water(metres), kWaterShading), covered);
            }
            canvas.set_pixel(static_cast<int>(sheet.map.x) + column, static_cast<int>(sheet.map.y) + row,
                             colour);
        }
    });
}

}  // namespace thalweg
