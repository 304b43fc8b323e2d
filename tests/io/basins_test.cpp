#include "thalweg/io/basins.hpp"

#include "thalweg/flow/route.hpp"
#include "thalweg/io/vector/vector_file.hpp"

#include <cmath>
#include <vector>

#include "tests/flow/terrains.hpp"
#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

QuietProgress progress;

TEST(BasinFiles, hold_valid_polygons_of_the_basins_area) {
    const GdalSession session;
    Field<float> z = tests::white_terrain(50, 40, 3);
    tests::cut_out(z, 20, 20, 24, 23);
    const FlowResult flow = route(z, {}, progress);
    const BasinOutlines basins = outline_basins(flow.tree, z, 2000.0, progress);
    ASSERT_GT(basins.basins.size(), 5U);
    for (const char* name : {"basins.gpkg", "basins.geojson"}) {
        const TemporaryFolder folder;
        write_basins(folder / name, basins);
        const DatasetPointer dataset(
            GDALDataset::Open((folder / name).c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY));
        ASSERT_NE(dataset, nullptr);
        OGRLayer* const layer = dataset->GetLayerByName("basin");
        ASSERT_NE(layer, nullptr);
        ASSERT_EQ(layer->GetFeatureCount(), static_cast<GIntBig>(basins.basins.size()));
        for (const BasinOutline& basin : basins.basins) {
            const FeaturePointer feature(layer->GetNextFeature());
            const OGRGeometry* const geometry = feature->GetGeometryRef();
            EXPECT_TRUE(geometry->IsValid());
            EXPECT_NEAR(geometry->toMultiPolygon()->get_Area(), basin.area, 1e-6);
            EXPECT_EQ(feature->GetFieldAsInteger("basin_id"), basin.id);
            EXPECT_DOUBLE_EQ(feature->GetFieldAsDouble("area_km2"), basin.area / 1e6);
            EXPECT_DOUBLE_EQ(feature->GetFieldAsDouble("mean_m"), basin.mean);
            EXPECT_EQ(feature->GetFieldIndex("pour_x"), -1);
        }
    }
}

TEST(BasinFiles, of_catchments_tell_the_place_that_was_given_and_how_far_it_was_moved) {
    const GdalSession session;
    const Field<float> z = tests::white_terrain(50, 40, 3);
    const FlowResult flow = route(z, {}, progress);
    const TemporaryFolder folder;
    const Grid& grid = z.grid();
    const std::vector<PourPoint> inside = {{grid.x(25), grid.y(19)}, {grid.x(10) + 1.0, grid.y(30)}};
    const BasinOutlines catchments =
        outline_catchments(flow.tree, z, flow.drainage_area, inside, 60.0, progress);
    write_basins(folder / "c.gpkg", catchments);
    const DatasetPointer dataset(
        GDALDataset::Open((folder / "c.gpkg").c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY));
    ASSERT_NE(dataset, nullptr);
    OGRLayer* const layer = dataset->GetLayerByName("catchment");
    ASSERT_NE(layer, nullptr);
    for (std::size_t i = 0; i < inside.size(); ++i) {
        const FeaturePointer feature(layer->GetNextFeature());
        EXPECT_EQ(feature->GetFieldAsInteger("catchment_id"), static_cast<int>(i) + 1);
        EXPECT_DOUBLE_EQ(feature->GetFieldAsDouble("pour_x"), inside[i].x);
        const BasinOutline& basin = catchments.basins[i];
        EXPECT_DOUBLE_EQ(feature->GetFieldAsDouble("snap_m"),
                         std::hypot(basin.outlet.x - inside[i].x, basin.outlet.y - inside[i].y));
        EXPECT_LE(feature->GetFieldAsDouble("snap_m"), 60.0);
        EXPECT_TRUE(feature->GetGeometryRef()->IsValid());
    }
}

}  // namespace
}  // namespace thalweg
