#include "thalweg/io/point_table.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/vector/vector_file.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

PointTable some_points() {
    return {.layer = "profile",
            .crs = "",
            .points = {{500000.125, 4e6 + 1.0 / 3.0, 812.5}, {500030.0, 4e6, 812.25}},
            .columns = {{.name = "stream", .values = {1.0, 2.0}, .is_whole = true},
                        {.name = "ksn", .values = {std::nan(""), 1.0 / 3.0}}}};
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(PointFiles, as_csv_hold_numbers_that_read_back_as_they_were_and_nothing_for_nan) {
    const TemporaryFolder folder;
    write_points(folder / "p.csv", some_points());
    EXPECT_EQ(text_of(folder / "p.csv"),
              "x,y,z,stream,ksn\n"
              "500000.125,4000000.3333333335,812.5,1,\n"
              "500030,4000000,812.25,2,0.3333333333333333\n");
}

TEST(PointFiles, as_vectors_hold_the_places_with_their_heights_and_numbers) {
    const GdalSession session;
    for (const char* name : {"p.gpkg", "p.geojson"}) {
        const TemporaryFolder folder;
        write_points(folder / name, some_points());
        const DatasetPointer dataset(
            GDALDataset::Open((folder / name).c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY));
        ASSERT_NE(dataset, nullptr);
        OGRLayer* const layer = dataset->GetLayerByName("profile");
        ASSERT_NE(layer, nullptr);
        ASSERT_EQ(layer->GetFeatureCount(), 2);
        const FeaturePointer first(layer->GetNextFeature());
        const OGRPoint& point = *first->GetGeometryRef()->toPoint();
        EXPECT_NEAR(point.getX(), 500000.125, 1e-3);
        EXPECT_EQ(point.getZ(), 812.5);
        EXPECT_EQ(first->GetFieldAsDouble("z"), 812.5);
        EXPECT_EQ(first->GetFieldAsInteger64("stream"), 1);
        EXPECT_FALSE(first->IsFieldSetAndNotNull(first->GetFieldIndex("ksn")));
        const FeaturePointer second(layer->GetNextFeature());
        EXPECT_DOUBLE_EQ(second->GetFieldAsDouble("ksn"), 1.0 / 3.0);
    }
}

TEST(PointFiles, of_equal_tables_are_equal_bytes_and_of_no_points_are_there) {
    const TemporaryFolder folder;
    for (const char* extension : {".gpkg", ".geojson", ".csv"}) {
        write_points(folder / (std::string("a") + extension), some_points());
        write_points(folder / (std::string("b") + extension), some_points());
        EXPECT_EQ(text_of(folder / (std::string("a") + extension)),
                  text_of(folder / (std::string("b") + extension)));
        write_points(
            folder / (std::string("none") + extension),
            {.layer = "profile", .crs = "", .points = {}, .columns = {{.name = "ksn", .values = {}}}});
    }
    EXPECT_EQ(text_of(folder / "none.csv"), "x,y,z,ksn\n");
}

TEST(PointFiles, refuse_other_extensions_and_folders_that_are_not_there) {
    const auto refusal = [](const std::filesystem::path& path) {
        try {
            write_points(path, some_points());
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal("p.tif"), HasSubstr("points are written as .gpkg, .geojson, .json or .csv"));
    EXPECT_THAT(refusal("/no/such/folder/p.csv"), HasSubstr("/no/such/folder"));
}

}  // namespace
}  // namespace thalweg
