#include "thalweg/io/reprojection.hpp"

#include "thalweg/io/raster.hpp"
#include "thalweg/io/raster_windows.hpp"

#include <algorithm>
#include <cmath>

#include "tests/io/made_raster.hpp"

namespace thalweg {
namespace {

constexpr double kArcSecond = 1.0 / 3600.0;

/// Heights of a plane over UTM zone 11 N, which rises to the north-east.
double plane(double x, double y) {
    return 1000.0 + 0.1 * (x - 400000.0) + 0.05 * (y - 3790000.0);
}

/// A raster of 120 x 90 cells of an arc second near Los Angeles, whose heights are those of the plane.
MadeRaster plane_in_degrees() {
    MadeRaster made{.columns = 120,
                    .rows = 90,
                    .transform = {-118.1, kArcSecond, 0.0, 34.3, 0.0, -kArcSecond},
                    .crs = wkt_of_epsg(4326)};
    OGRSpatialReference degrees, metres;
    degrees.importFromEPSG(4326);
    metres.importFromEPSG(32611);
    degrees.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    metres.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const std::unique_ptr<OGRCoordinateTransformation> transform(
        OGRCreateCoordinateTransformation(&degrees, &metres));
    for (int row = 0; row < made.rows; ++row)
        for (int column = 0; column < made.columns; ++column) {
            double x = made.transform[0] + (column + 0.5) * kArcSecond;
            double y = made.transform[3] - (row + 0.5) * kArcSecond;
            EXPECT_TRUE(transform->Transform(1, &x, &y));
            made.values.push_back(plane(x, y));
        }
    return made;
}

bool is_in_zone_11(const Grid& grid) {
    return grid.crs.find("ID[\"EPSG\",32611]]") != std::string::npos;
}

/// The view of a raster, in a folder of its own.
struct View {
    TemporaryFolder folder;
    std::optional<RasterInMetres> view;

    explicit View(const std::filesystem::path& raster) : view(raster_in_metres(raster, folder.path())) {}
};

/// Expects the plane on all cells, save close to where its raster ends: cubic convolution lacks neighbours
/// there.
void expect_plane(const Field<float>& field, double tolerance) {
    constexpr int kRim = 4;  // cells
    const Grid& grid = field.grid();
    const auto has_data = [&](int column, int row) {
        return column >= 0 && row >= 0 && column < grid.columns && row < grid.rows &&
               !is_no_data(field(column, row));
    };
    std::int64_t cells = 0;
    double largest = 0.0;
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            bool is_inside = true;
            for (int offset = -kRim; offset <= kRim; ++offset)
                is_inside = is_inside && has_data(column + offset, row + kRim) &&
                            has_data(column + offset, row - kRim);
            if (!is_inside) continue;
            ++cells;
            const double x = grid.west + (column + 0.5) * grid.cell_size;
            const double y = grid.north - (row + 0.5) * grid.cell_size;
            largest = std::max(largest, std::abs(field(column, row) - plane(x, y)));
        }
    EXPECT_LT(largest, tolerance);
    EXPECT_GT(cells, field.size() * 3 / 4);
}

TEST(Reprojection, of_degrees_keeps_heights_in_their_place) {
    const TemporaryFolder folder;
    const View made(make(folder, plane_in_degrees()));
    ASSERT_TRUE(made.view);
    const Field<float> field = read_raster(made.view->path);
    EXPECT_TRUE(is_in_zone_11(field.grid()));
    EXPECT_NEAR(field.grid().cell_size, 27.6, 0.1);  // an arc second is 25.6 m east and 30.8 m north
    expect_plane(field, 0.05);                       // half a cell to the east would be 1.4 m
    EXPECT_NE(made.view->note.find("made.tif was reprojected to WGS 84 / UTM zone 11N"), std::string::npos);
}

TEST(Reprojection, takes_numbers_without_coordinate_system_for_degrees_where_they_can_be_nothing_else) {
    const TemporaryFolder folder;
    MadeRaster nameless = plane_in_degrees();
    nameless.crs = "";
    const std::filesystem::path path = make(folder, nameless);
    const NotedRaster as_metres = read_noted_raster(path);
    ASSERT_EQ(as_metres.notes.size(), 1U);
    EXPECT_NE(as_metres.notes[0].find("made.tif names no coordinate system"), std::string::npos);
    const View made(path);
    ASSERT_TRUE(made.view);
    EXPECT_NE(made.view->note.find("was taken to be in degrees of WGS 84"), std::string::npos);
    expect_plane(read_raster(made.view->path), 0.05);
}

TEST(Reprojection, keeps_the_scale_and_the_unit_of_heights) {
    const TemporaryFolder folder;
    MadeRaster stored = plane_in_degrees();
    stored.scale = 0.5;
    stored.offset = 100.0;
    stored.unit = "ft";
    for (double& value : stored.values) value = (value / 0.3048 - 100.0) / 0.5;
    const View made(make(folder, stored));
    ASSERT_TRUE(made.view);
    expect_plane(read_raster(made.view->path), 0.05);
}

TEST(Reprojection, of_feet_gives_metres) {
    const TemporaryFolder folder;
    const View made(make(
        folder,
        {.columns = 40, .rows = 30, .transform = {6.5e6, 100, 0, 1.9e6, 0, -100}, .crs = wkt_of_epsg(2229)}));
    ASSERT_TRUE(made.view);
    const RasterInfo info = read_raster_info(made.view->path);
    EXPECT_TRUE(is_in_zone_11(info.grid));
    EXPECT_NEAR(info.grid.cell_size, 30.5, 0.5);
}

TEST(Reprojection, straightens_turned_rows_and_oblong_cells_in_their_own_coordinates) {
    const TemporaryFolder folder;
    for (const std::array<double, 6>& transform : {std::array<double, 6>{5e5, 30, 0, 4e6, 0, -31},
                                                   {5e5, 30, 2, 4e6, 2, -30},
                                                   {5e5, 30, 0, 4e6, 0, 30}}) {
        const View made(make(folder, {.columns = 40, .rows = 30, .transform = transform}));
        ASSERT_TRUE(made.view);
        EXPECT_TRUE(is_in_zone_11(read_raster_info(made.view->path).grid));
        EXPECT_GT(read_raster(made.view->path).size(), 40 * 30 * 9 / 10);
    }
}

TEST(Reprojection, leaves_cells_without_data_empty) {
    const TemporaryFolder folder;
    MadeRaster holed = plane_in_degrees();
    holed.no_data = -32768.0;
    for (int row = 40; row < 50; ++row)
        for (int column = 50; column < 70; ++column)
            holed.values[static_cast<std::size_t>(row) * 120 + column] = -32768.0;
    const View made(make(folder, holed));
    ASSERT_TRUE(made.view);
    const Field<float> field = read_raster(made.view->path);
    const Grid& grid = field.grid();
    EXPECT_TRUE(is_no_data(field(grid.columns / 2, grid.rows / 2)));
    EXPECT_FALSE(is_no_data(field(grid.columns / 4, grid.rows / 2)));
    for (const float value : field.values()) EXPECT_FALSE(value < 0.0F) << "no-data leaked into a height";
}

TEST(Reprojection, is_the_same_by_windows_as_in_one_piece) {
    const TemporaryFolder folder;
    const View made(make(folder, plane_in_degrees()));
    ASSERT_TRUE(made.view);
    const Field<float> whole = read_raster(made.view->path);
    RasterReader reader(made.view->path);
    for (int row = 0; row < whole.rows(); row += 17)
        for (int column = 0; column < whole.columns(); column += 23) {
            const int columns = std::min(23, whole.columns() - column);
            const Field<float> part = reader.read({column, column + columns, row, row + 1});
            for (int i = 0; i < columns; ++i) {
                const float expected = whole(column + i, row);
                EXPECT_TRUE(part[i] == expected || (is_no_data(part[i]) && is_no_data(expected)));
            }
        }
}

TEST(Reprojection, is_not_made_of_what_needs_none_or_is_no_raster) {
    const TemporaryFolder folder;
    EXPECT_FALSE(View(make(folder, {})).view);
    EXPECT_FALSE(View(folder.text("text.tif", "no raster")).view);
    EXPECT_FALSE(View(folder / "absent.tif").view);
    EXPECT_FALSE(View(make(folder, {.transform = {0.0, 1.0, 0.0, 3.0, 0.0, -1.0}, .crs = ""})).view);
}

}  // namespace
}  // namespace thalweg
