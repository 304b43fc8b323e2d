#include "thalweg/render/river_validation_sheet.hpp"

#include "thalweg/render/chart/river_stretch_map.hpp"

#include <algorithm>
#include <cmath>

#include "pixels_of.hpp"
#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::StartsWith;

/// A river of 100 km whose predicted rates are what `predicted` says, with a cutoff in its middle.
NamedValidation some_validation(double predicted) {
    RiverValidation found;
    constexpr std::size_t kPoints = 4000;
    for (std::size_t i = 0; i < kPoints; ++i) {
        const double place = 25.0 * static_cast<double>(i);
        found.distance.push_back(place);
        found.match.push_back(static_cast<double>(i));
        found.observed.push_back(5.0 * std::sin(place / 700.0));
        found.predicted.push_back(predicted * found.observed.back());
        found.is_used.push_back(i < 2000 || i >= 2200 ? 1 : 0);
        for (ChannelLine* line : {&found.before, &found.after}) {
            line->x.push_back(place);
            line->y.push_back(600.0 * std::sin(place / 700.0) + (line == &found.after ? 300.0 : 0.0));
            line->z.push_back(0.0);
            line->values.width.push_back(200.0F);
        }
    }
    found.width = 200.0;
    found.excluded = {{2040, 2160, true}};
    found.fit = {10.0, 20.0, 0.9};
    return {"1987", "2017", 30.0, found};
}

/// Pixels of a colour in the upper (rows) or lower part of the sheet, or in its lower right one (map).
std::ptrdiff_t count_within(const std::vector<CanvasPoint>& points, const Image& image, Box part) {
    return std::ranges::count_if(points, [&](CanvasPoint point) {
        const double x = point.x / image.width, y = point.y / image.height;
        return x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height;
    });
}

constexpr Colour kPredictedRate = srgb(0xC4450C);
constexpr Box kMap{0.42, 0.58, 0.58, 0.36};

TEST(RiverValidationSheet, draws_both_lines_and_what_is_excluded_on_its_map) {
    const Image sheet = draw_river_validation(some_validation(0.5), 1000);
    EXPECT_EQ(sheet.width, 1000);
    for (const Colour colour : {kEarlierLine, kLaterLine, kExcludedLine})
        EXPECT_GT(count_within(pixels_of(sheet, colour), sheet, kMap), 100);
    NamedValidation without = some_validation(0.5);
    without.found.excluded.clear();
    EXPECT_EQ(count_within(pixels_of(draw_river_validation(without, 1000), kExcludedLine), sheet, kMap), 0);
}

TEST(RiverValidationSheet, draws_predicted_rates_higher_where_they_are_greater) {
    // The second quarter of the river rises first; a row's line is as high as its rates.
    const auto height_of_first_row = [](double predicted) {
        const Image sheet = draw_river_validation(some_validation(predicted), 1000);
        double top = 1.0, bottom = 0.0;
        for (const CanvasPoint& point : pixels_of(sheet, kPredictedRate)) {
            const double x = point.x / sheet.width, y = point.y / sheet.height;
            if (x < 0.05 || y < 0.065 || y > 0.165) continue;
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
        return bottom - top;
    };
    EXPECT_NEAR(height_of_first_row(1.0) / height_of_first_row(0.5), 2.0, 0.25);
}

TEST(RiverValidationSheet, is_the_same_svg_for_the_same_numbers) {
    const std::string svg = river_validation_svg(some_validation(0.5));
    EXPECT_THAT(svg, StartsWith("<?xml"));
    EXPECT_EQ(svg, river_validation_svg(some_validation(0.5)));
    EXPECT_NE(svg, river_validation_svg(some_validation(0.6)));
}

}  // namespace
}  // namespace thalweg
