#include "thalweg/io/lakes.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/io/vector/vector_file.hpp"

#include <chrono>
#include <limits>
#include <thread>

#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// Two lakes over random cells of 10 m, the first one full.
LakeOutlines random_lakes(const std::string& crs, std::uint64_t seed) {
    Lakes lakes;
    lakes.lake = Field<std::int32_t>(
        Grid{.columns = 25, .rows = 20, .cell_size = 10.0, .west = 500000.0, .north = 4000000.0, .crs = crs});
    lakes.lakes = {
        {.id = 3, .outlet = 7, .level = 812.25, .depth = 4.5, .volume = 1e5 + 0.125, .inflow = 2e5},
        {.id = 70000, .level = 9.0, .inflow = std::numeric_limits<double>::infinity()}};
    for (std::int64_t cell = 0; cell < lakes.lake.size(); ++cell) {
        const std::uint64_t bits = random_bits(seed, Stream::SeedTerrain, static_cast<std::uint64_t>(cell));
        if (bits % 10 < 3) continue;
        Lake& lake = lakes.lakes[cell % 25 < 15 ? 0 : 1];
        lakes.lake[cell] = lake.id;
        lake.area += 100.0;
    }
    return outline(lakes, progress);
}

DatasetPointer opened(const std::filesystem::path& path) {
    return DatasetPointer(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY));
}

TEST(LakeFiles, hold_valid_polygons_of_the_lakes_area) {
    const GdalSession session;
    for (const char* name : {"lakes.gpkg", "lakes.geojson"})
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const TemporaryFolder folder;
            const LakeOutlines lakes = random_lakes("", seed);
            write_lakes(folder / name, lakes);
            const DatasetPointer dataset = opened(folder / name);
            ASSERT_NE(dataset, nullptr);
            OGRLayer* const layer = dataset->GetLayerByName("lake");
            ASSERT_NE(layer, nullptr);
            ASSERT_EQ(layer->GetFeatureCount(), 2);
            for (const LakeOutline& lake : lakes.lakes) {
                const FeaturePointer feature(layer->GetNextFeature());
                const OGRGeometry* const geometry = feature->GetGeometryRef();
                ASSERT_EQ(geometry->getGeometryType(), wkbMultiPolygon);
                EXPECT_TRUE(geometry->IsValid());
                EXPECT_NEAR(geometry->toMultiPolygon()->get_Area(), lake.lake.area, 1e-6);
                EXPECT_EQ(geometry->toMultiPolygon()->getNumGeometries(),
                          static_cast<int>(lake.parts.size()));
            }
        }
}

TEST(LakeFiles, tell_of_each_lake_its_attributes) {
    const GdalSession session;
    for (const char* name : {"lakes.gpkg", "lakes.geojson"}) {
        const TemporaryFolder folder;
        const LakeOutlines lakes = random_lakes("", 1);
        write_lakes(folder / name, lakes);
        const DatasetPointer dataset = opened(folder / name);
        OGRLayer* const layer = dataset->GetLayerByName("lake");
        const FeaturePointer full(layer->GetNextFeature()), part(layer->GetNextFeature());
        EXPECT_EQ(full->GetFieldAsInteger("lake_id"), 3);
        EXPECT_EQ(full->GetFieldAsDouble("area_m2"), lakes.lakes[0].lake.area);
        EXPECT_EQ(full->GetFieldAsDouble("depth_m"), 4.5);
        EXPECT_EQ(full->GetFieldAsDouble("volume_m3"), 1e5 + 0.125);
        EXPECT_EQ(full->GetFieldAsDouble("level_m"), 812.25);
        EXPECT_EQ(full->GetFieldAsDouble("inflow_m3"), 2e5);
        EXPECT_EQ(full->GetFieldAsDouble("outlet_x"), 500075.0);
        EXPECT_EQ(full->GetFieldAsDouble("outlet_y"), 3999995.0);
        EXPECT_EQ(part->GetFieldAsInteger("lake_id"), 70000);
        for (const char* attribute : {"outlet_x", "outlet_y", "inflow_m3"})
            EXPECT_FALSE(part->IsFieldSetAndNotNull(part->GetFieldIndex(attribute))) << attribute;
    }
}

TEST(LakeFiles, keep_the_reference_system_of_the_grid) {
    const GdalSession session;
    for (const char* name : {"lakes.gpkg", "lakes.geojson"}) {
        const TemporaryFolder folder;
        write_lakes(folder / name, random_lakes(wkt_of_epsg(32633), 2));
        const DatasetPointer dataset = opened(folder / name);
        const OGRSpatialReference* const reference = dataset->GetLayer(0)->GetSpatialRef();
        ASSERT_NE(reference, nullptr);
        EXPECT_STREQ(reference->GetAuthorityCode(nullptr), "32633");
    }
}

TEST(LakeFiles, of_no_lakes_hold_an_empty_layer) {
    const GdalSession session;
    for (const char* name : {"lakes.gpkg", "lakes.geojson"}) {
        const TemporaryFolder folder;
        write_lakes(folder / name, {});
        EXPECT_EQ(opened(folder / name)->GetLayerByName("lake")->GetFeatureCount(), 0);
    }
}

TEST(LakeFiles, of_equal_lakes_have_equal_bytes_a_second_later) {
    const TemporaryFolder folder;
    const LakeOutlines lakes = random_lakes("", 3);
    write_lakes(folder / "a.gpkg", lakes);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    write_lakes(folder / "b.gpkg", lakes);
    EXPECT_TRUE(content_of(folder / "a.gpkg") == content_of(folder / "b.gpkg"));
}

TEST(LakeFiles, of_another_kind_are_refused) {
    const TemporaryFolder folder;
    EXPECT_THROW(write_lakes(folder / "lakes.shp", {}), Error);
}

}  // namespace
}  // namespace thalweg
