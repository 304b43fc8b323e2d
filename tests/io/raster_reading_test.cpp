#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/raster/exr.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>

#include "tests/io/made_raster.hpp"
#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/long_test.hpp"
#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogr_spatialref.h>

namespace thalweg {
namespace {

void expect_unreadable(const std::filesystem::path& path, const std::string& part) {
    expect_refused([&] { read_raster(path); }, path.string(), part);
}

void expect_unreadable_by_its_header(const std::filesystem::path& path, const std::string& part) {
    expect_unreadable(path, part);
    expect_refused([&] { read_raster_info(path); }, path.string(), part);
}

TEST(RasterReading, takes_every_real_number_type) {
    const TemporaryFolder folder;
    for (const GDALDataType type : {GDT_Byte, GDT_UInt16, GDT_Int16, GDT_UInt32, GDT_Int32, GDT_Float32,
                                    GDT_Float64, GDT_Int64, GDT_UInt64}) {
        const Field<float> field = read_raster(make(folder, {.type = type}));
        for (std::int64_t i = 0; i < field.size(); ++i) EXPECT_EQ(field[i], static_cast<float>(i));
        EXPECT_EQ(read_raster_info(folder / "made.tif").value_type, GDALGetDataTypeName(type));
    }
}

TEST(RasterReading, knows_all_files_that_a_raster_is_made_of) {
    const TemporaryFolder folder;
    const std::filesystem::path tif = make(folder, {});
    const auto view = [](const std::string& source) {
        return "<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\"><VRTRasterBand dataType=\"Float32\" "
               "band=\"1\"><SimpleSource><SourceFilename relativeToVRT=\"1\">" +
               source + "</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>";
    };
    const auto aux = folder.text("made.tif.aux.xml", "<PAMDataset/>");
    const auto inner = folder.text("inner.vrt", view("made.tif"));
    const auto outer = folder.text("outer.vrt", view("inner.vrt"));
    const auto itself = folder.text("itself.vrt", view("itself.vrt"));
    EXPECT_THAT(files_of_raster(tif), testing::UnorderedElementsAre(tif, aux));
    EXPECT_THAT(files_of_raster(outer), testing::UnorderedElementsAre(outer, inner, tif));
    EXPECT_THAT(files_of_raster(itself), testing::ElementsAre(itself));
    EXPECT_THAT(files_of_raster(folder / "none.tif"), testing::ElementsAre(folder / "none.tif"));
    const auto text = folder.text("text.tif", "no raster");
    EXPECT_THAT(files_of_raster(text), testing::ElementsAre(text));
}

TEST(RasterReading, applies_scale_and_offset) {
    const TemporaryFolder folder;
    const Field<float> field =
        read_raster(make(folder, {.type = GDT_Int16, .no_data = 3.0, .scale = 0.5, .offset = -100.0}));
    EXPECT_EQ(field[0], -100.0F);
    EXPECT_EQ(field[5], -97.5F);
    EXPECT_TRUE(is_no_data(field[3]));
}

TEST(RasterReading, turns_every_kind_of_no_data_into_nan) {
    const TemporaryFolder folder;
    struct Case {
        GDALDataType type;
        std::optional<double> tag;
        double value;
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<Case> cases = {{GDT_Int16, -32768.0, -32768.0},
                                     {GDT_Int16, -9999.0, -9999.0},
                                     {GDT_Byte, 255.0, 255.0},
                                     {GDT_Int64, -9999.0, -9999.0},
                                     {GDT_Float32, -9999.0, -9999.0},
                                     {GDT_Float32, 1e38, 1e38},
                                     {GDT_Float32, -3.4028234663852886e38, -3.4028234663852886e38},
                                     {GDT_Float64, -1.7976931348623157e308, -1.7976931348623157e308},
                                     {GDT_Float32, nan, nan},
                                     {GDT_Float32, std::nullopt, nan},
                                     {GDT_Float32, infinity, infinity},
                                     {GDT_Float64, -infinity, -infinity},
                                     {GDT_Float32, std::nullopt, -3.4028234663852886e38},
                                     {GDT_Float64, std::nullopt, 1e300},
                                     {GDT_Float32, -9999.0, nan}};
    for (const Case& c : cases) {
        const Field<float> field = read_raster(make(
            folder, {.columns = 3, .rows = 1, .type = c.type, .no_data = c.tag, .values = {7, c.value, 9}}));
        EXPECT_EQ(field[0], 7.0F) << c.value;
        EXPECT_TRUE(is_no_data(field[1])) << c.value << " read as " << field[1];
        EXPECT_EQ(field[2], 9.0F) << c.value;
    }
}

TEST(RasterReading, refuses_infinite_values_and_says_where) {
    const TemporaryFolder folder;
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double value : {infinity, -infinity}) {
        const std::filesystem::path path = make(
            folder,
            {.columns = 3, .rows = 1, .type = GDT_Float32, .no_data = std::nullopt, .values = {7, 8, value}});
        expect_refused([&] { read_raster(path); }, path.string(), "infinite at column 2, row 0");
    }
}

TEST(RasterReading, hides_what_a_mask_hides) {
    const TemporaryFolder folder;
    const std::filesystem::path path = make(folder, {.columns = 3, .rows = 1});
    {
        const std::unique_ptr<GDALDataset> dataset(GDALDataset::Open(path.c_str(), GDAL_OF_UPDATE));
        dataset->CreateMaskBand(GMF_PER_DATASET);
        std::array<std::uint8_t, 3> mask = {255, 0, 255};
        ASSERT_EQ(dataset->GetRasterBand(1)->GetMaskBand()->RasterIO(GF_Write, 0, 0, 3, 1, mask.data(), 3, 1,
                                                                     GDT_Byte, 0, 0, nullptr),
                  CE_None);
    }
    const Field<float> field = read_raster(path);
    EXPECT_EQ(field[0], 0.0F);
    EXPECT_TRUE(is_no_data(field[1]));
    EXPECT_EQ(field[2], 2.0F);
}

TEST(RasterReading, gives_a_file_without_a_place_cells_of_one_metre) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.text("a.pgm", std::string("P5 3 2 255\n") + "abcdef");
    const RasterInfo info = read_raster_info(path);
    EXPECT_FALSE(info.georeferenced);
    EXPECT_EQ(info.grid,
              (Grid{.columns = 3, .rows = 2, .cell_size = 1.0, .west = 0.0, .north = 2.0, .crs = ""}));
    EXPECT_EQ(read_raster(path)(2, 1), 102.0F);
}

/// A .r16 of these numbers.
std::filesystem::path r16(const TemporaryFolder& folder, const std::vector<std::uint16_t>& numbers) {
    std::string bytes;
    for (const std::uint16_t number : numbers) {
        bytes += static_cast<char>(number & 0xff);
        bytes += static_cast<char>(number >> 8);
    }
    return folder.text("a.r16", bytes);
}

TEST(RasterReading, takes_r16_by_the_heights_that_it_is_told) {
    const TemporaryFolder folder;
    const std::filesystem::path path = r16(folder, {0, 65535, 13107, 7});
    expect_unreadable(path, "give --height-range MIN,MAX");
    EXPECT_EQ(read_raster_info(path).grid.columns, 2);
    const RasterHints hints{.height_range = {{-100.0, 900.0}}, .cell_size = 25.0, .no_data = 7.0};
    const Field<float> read = read_raster(path, hints);
    EXPECT_EQ(read.grid(), make_grid(50.0, 50.0, 2));
    EXPECT_EQ(read[0], -100.0F);
    EXPECT_EQ(read[1], 900.0F);
    EXPECT_EQ(read[2], 100.0F);
    EXPECT_TRUE(is_no_data(read[3]));
    EXPECT_EQ(read_raster_info(path, hints).driver, "R16");
}

TEST(RasterReading, takes_r16_by_a_sidecar_written_by_hand) {
    const TemporaryFolder folder;
    const std::filesystem::path path = r16(folder, {0, 10, 20, 30, 40, 50});
    expect_unreadable_by_its_header(path, "which fill no square");
    const auto sidecar = [&](const std::string& text) { (void)folder.text("a.r16.json", text); };
    sidecar(R"({"columns": 3, "rows": 2, "scale": 0.5, "offset": 100, "cell_size_m": 10})");
    const Field<float> read = read_raster(path);
    EXPECT_EQ(read.grid(), make_grid(30.0, 20.0, 3));
    EXPECT_EQ(read[5], 125.0F);
    expect_refused([&] { read_raster(path, {.cell_size = 5.0}); }, path.string(), "leave it out");
    sidecar(R"({"columns": 3, "rows": 3, "scale": 0.5})");
    expect_unreadable(path, "says 3 x 3");
    sidecar(R"({"columns": 3, "rows": 2, "scale": "much"})");
    expect_unreadable(path, "scale = much: give a finite number");
    sidecar(R"({"columns": -3, "rows": 2, "scale": 1})");
    expect_unreadable(path, "columns = -3: give a whole number from 1 on");
    sidecar(R"({"columns": 3, "rows": 2, "scale": 1, "cell_size_m": -4})");
    expect_unreadable(path, "cell");
    sidecar("no JSON");
    expect_unreadable(path, "which fill no square");
}

TEST(RasterReading, refuses_exr_that_is_none) {
    const TemporaryFolder folder;
    expect_unreadable_by_its_header(folder.text("text.exr", "no OpenEXR"), "can't be read as OpenEXR");
    write_raster(folder / "whole.exr", random_field(utm_grid(60, 50), 8), RasterFormat::Exr);
    const std::string bytes = content_of(folder / "whole.exr");
    for (const std::size_t size : {std::size_t{0}, std::size_t{40}, bytes.size() / 2, bytes.size() - 1})
        expect_unreadable(folder.text("part.exr", bytes.substr(0, size)), "OpenEXR");
}

TEST(RasterReading, of_exr_is_cancelled_and_not_called_unreadable) {
    const TemporaryFolder folder;
    write_raster(folder / "a.exr", random_field(utm_grid(60, 50), 8), RasterFormat::Exr);
    QuietProgress progress;
    const ExecutionScope answers({.progress = &progress});
    progress.cancel();
    EXPECT_THROW(read_exr(folder / "a.exr"), Cancelled);
}

TEST(RasterReading, tells_of_numbers_that_look_like_no_data_and_takes_those_it_is_told) {
    const TemporaryFolder folder;
    const std::filesystem::path path =
        make(folder, {.columns = 3, .rows = 1, .type = GDT_Int16, .values = {120.0, -32768.0, 300.0}});
    const NotedRaster read = read_noted_raster(path);
    EXPECT_EQ(read.values[1], -32768.0F);
    EXPECT_THAT(read.notes, testing::ElementsAre(testing::HasSubstr("1 of 3 cells hold -32768")));
    const NotedRaster told = read_noted_raster(path, {.no_data = -32768.0});
    EXPECT_TRUE(is_no_data(told.values[1]));
    EXPECT_EQ(told.values[2], 300.0F);
    EXPECT_TRUE(told.notes.empty());
    // Sea floors reach -9999 m without being told of.
    make(folder, {.columns = 3, .rows = 1, .values = {-9998.0, -9999.0, -10100.0}});
    EXPECT_TRUE(read_noted_raster(path).notes.empty());
    make(folder, {.columns = 3, .rows = 1, .values = {10.5, -9999.0, 20.0}});
    EXPECT_EQ(read_noted_raster(path).notes.size(), 1U);
}

TEST(RasterReading, refuses_hints_that_the_raster_contradicts) {
    const TemporaryFolder folder;
    const std::filesystem::path path = make(folder, {});
    expect_refused([&] { read_raster(path, {.cell_size = 5.0}); }, path.string(),
                   "has its own cells, of 30 m");
    expect_refused([&] { read_raster(path, {.height_range = {{0.0, 1.0}}}); }, path.string(), "Float32");
}

TEST(RasterReading, converts_heights_in_feet_and_drops_their_datum) {
    const TemporaryFolder folder;
    const Field<float> field = read_raster(make(folder, {.unit = "ft"}));
    EXPECT_FLOAT_EQ(field[10], 3.048F);
    OGRSpatialReference compound;
    OGRSpatialReference horizontal;
    OGRSpatialReference vertical;
    ASSERT_EQ(horizontal.importFromEPSG(32611), OGRERR_NONE);
    ASSERT_EQ(vertical.importFromEPSG(6360), OGRERR_NONE);  // NAVD88 height in US survey feet
    compound.SetCompoundCS("feet", &horizontal, &vertical);
    char* wkt = nullptr;
    const char* const wkt2[] = {"FORMAT=WKT2_2019", nullptr};
    compound.exportToWkt(&wkt, wkt2);
    const Field<float> survey = read_raster(make(folder, {.crs = wkt}));
    CPLFree(wkt);
    EXPECT_FLOAT_EQ(survey[10], static_cast<float>(12000.0 / 3937.0));
    OGRSpatialReference read;
    ASSERT_EQ(read.importFromWkt(survey.grid().crs.c_str()), OGRERR_NONE);
    EXPECT_TRUE(read.IsSame(&horizontal));
}

TEST(RasterReading, does_the_same_from_bytes_in_memory) {
    const TemporaryFolder folder;
    const Field<float> field = random_field(utm_grid(70, 50), 4);
    write_raster(folder / "a.tif", field, RasterFormat::GeoTiff);
    const std::string content = content_of(folder / "a.tif");
    EXPECT_TRUE(same_values(decode_raster(std::as_bytes(std::span(content)), "standard input"), field));
    const std::string half = content.substr(0, content.size() / 2);
    expect_refused([&] { decode_raster(std::as_bytes(std::span(half)), "standard input"); }, "standard input",
                   "can't be read to its end");
    expect_refused([&] { decode_raster({}, "standard input"); }, "standard input",
                   "can't be opened as a raster");
}

TEST(RasterReading, never_tells_where_bytes_in_memory_lie) {
    const TemporaryFolder folder;
    std::string content = content_of(make(folder, {}));
    // Tag 284, planar configuration: one 16-bit number.
    const std::size_t tag = content.find(std::string("\x1C\x01\x03\x00\x01\x00\x00\x00", 8));
    ASSERT_NE(tag, std::string::npos);
    content[tag + 8] = '\x55';
    expect_refused([&] { decode_raster(std::as_bytes(std::span(content)), "standard input"); },
                   "standard input", "PlanarConfiguration");
}

TEST(RasterReading, refuses_what_is_no_raster_file) {
    const TemporaryFolder folder;
    expect_unreadable_by_its_header(folder / "missing.tif", "does not exist");
    expect_unreadable_by_its_header(folder.path(), "is a folder");
    expect_unreadable_by_its_header(folder.text("text.tif", "rivers run downhill\n"),
                                    "can't be opened as a raster");
    expect_unreadable_by_its_header(folder.text("empty.tif", ""), "can't be opened as a raster");
    expect_unreadable_by_its_header("/dev/null", "is not a file");
}

TEST(RasterReading, notices_a_file_cut_at_any_place) {
    const TemporaryFolder folder;
    for (const RasterFormat format : {RasterFormat::GeoTiff, RasterFormat::Cog, RasterFormat::Png16}) {
        write_raster(folder / "whole", random_field(utm_grid(600, 500), 8), format);
        const std::string whole = content_of(folder / "whole");
        for (const double part : {0.0001, 0.01, 0.3, 0.5, 0.9, 0.99}) {
            const auto bytes = static_cast<std::size_t>(static_cast<double>(whole.size()) * part);
            expect_unreadable(folder.text("cut", whole.substr(0, bytes)), "can't be");
        }
    }
}

TEST(RasterReading, notices_damaged_blocks) {
    const TemporaryFolder folder;
    write_raster(folder / "whole.tif", random_field(utm_grid(600, 500), 8), RasterFormat::GeoTiff);
    std::string content = content_of(folder / "whole.tif");
    const auto middle = static_cast<std::ptrdiff_t>(content.size() / 2);
    std::fill(content.begin() + middle, content.end() - 1000, 'x');
    expect_unreadable(folder.text("damaged.tif", content), "can't be read to its end");
}

TEST(RasterReading, refuses_a_raster_without_data) {
    const TemporaryFolder folder;
    expect_unreadable(make(folder, {.columns = 2, .rows = 1, .no_data = 5.0, .values = {5, 5}}),
                      "no cell with data");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    expect_unreadable(make(folder, {.columns = 2, .rows = 1, .values = {nan, nan}}),
                      "all 2 x 1 cells are no-data");
}

TEST(RasterReading, refuses_complex_numbers_and_files_without_bands) {
    const TemporaryFolder folder;
    expect_unreadable_by_its_header(make(folder, {.type = GDT_CFloat32}), "complex");
    // A GeoPackage with two tile tables shows them as sub-datasets, and no band of its own.
    const std::filesystem::path path = folder / "two.gpkg";
    const std::unique_ptr<GDALDataset> source(GDALDataset::Open(make(folder, {.type = GDT_Byte}).c_str()));
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
    for (const char* table : {"RASTER_TABLE=one", "RASTER_TABLE=two"}) {
        const std::array<const char*, 3> options = {table, "APPEND_SUBDATASET=YES", nullptr};
        const std::unique_ptr<GDALDataset> copy(driver->CreateCopy(
            path.c_str(), source.get(), FALSE, const_cast<char**>(options.data()), nullptr, nullptr));
        ASSERT_NE(copy, nullptr);
    }
    expect_unreadable_by_its_header(path, "no raster band");
}

TEST(RasterReading, refuses_cells_that_are_not_square_or_upright) {
    const TemporaryFolder folder;
    expect_unreadable_by_its_header(make(folder, {.transform = {5e5, 30, 0, 4e6, 0, -31}}), "30 x 31 m");
    expect_unreadable_by_its_header(make(folder, {.transform = {5e5, 30, 2, 4e6, 2, -30}}), "rotated");
    expect_unreadable_by_its_header(make(folder, {.transform = {5e5, 30, 0, 4e6, 0, 30}}),
                                    "from north to south");
    EXPECT_NO_THROW(read_raster(make(folder, {.transform = {5e5, 30, 0, 4e6, 0, -30.00001}})));
}

TEST(RasterReading, refuses_degrees_and_names_the_way_to_metres) {
    const TemporaryFolder folder;
    struct Case {
        double west;
        double north;
        std::string epsg;
    };
    for (const Case& c : std::vector<Case>{{-118.0, 34.0, "EPSG:32611"},
                                           {151.0, -33.0, "EPSG:32756"},
                                           {0.5, 45.0, "EPSG:32631"},
                                           {241.0, 34.0, "EPSG:32611"},
                                           {179.99, 0.0, "EPSG:32760"},
                                           {20.0, 86.0, "EPSG:32661"},
                                           {20.0, -85.0, "EPSG:32761"}}) {
        const std::filesystem::path path =
            make(folder, {.transform = {c.west, 1.0 / 3600.0, 0.0, c.north, 0.0, -1.0 / 3600.0},
                          .crs = wkt_of_epsg(4326)});
        expect_unreadable_by_its_header(path, "degrees");
        expect_unreadable_by_its_header(path, "gdalwarp -t_srs " + c.epsg + " ");
    }
    for (const auto& [west, north] : {std::pair{1e30, 34.0}, {-1e30, 34.0}, {1e4, 34.0}, {20.0, 1e30}})
        expect_unreadable_by_its_header(
            make(folder, {.transform = {west, 1.0 / 3600.0, 0.0, north, 0.0, -1.0 / 3600.0},
                          .crs = wkt_of_epsg(4326)}),
            "reproject it to a CRS in metres with gdalwarp");
}

TEST(RasterReading, refuses_feet_and_names_the_way_to_metres) {
    const TemporaryFolder folder;
    // California zone 5 in US survey feet, near Los Angeles.
    const std::filesystem::path path =
        make(folder, {.transform = {6.5e6, 100, 0, 1.9e6, 0, -100}, .crs = wkt_of_epsg(2229)});
    expect_unreadable_by_its_header(path, "US survey foot");
    expect_unreadable_by_its_header(path, "gdalwarp -t_srs EPSG:32611 ");
}

TEST(RasterReading, refuses_absurd_sizes_before_it_takes_memory) {
    const TemporaryFolder folder;
    const std::filesystem::path path =
        folder.text("huge.vrt",
                    "<VRTDataset rasterXSize=\"2147483647\" rasterYSize=\"2147483647\">"
                    "<VRTRasterBand dataType=\"Float32\" band=\"1\"/></VRTDataset>");
    expect_unreadable_by_its_header(path, "2147483647 x 2147483647");
}

/// A TIFF's bytes with another number of bands: tag 277, one 16-bit number.
std::string with_bands(std::string tiff, std::uint16_t bands) {
    const std::size_t tag = tiff.find(std::string("\x15\x01\x03\x00\x01\x00\x00\x00", 8));
    EXPECT_NE(tag, std::string::npos);
    tiff[tag + 8] = static_cast<char>(bands & 0xFF);
    tiff[tag + 9] = static_cast<char>(bands >> 8);
    return tiff;
}

TEST(RasterReading, refuses_blocks_far_larger_than_the_raster_before_it_takes_memory) {
    const TemporaryFolder folder;
    const std::string tiled = content_of(make(folder, {.options = {"TILED=YES"}}));
    expect_unreadable_by_its_header(folder.text("bands.tif", with_bands(tiled, 60000)),  // 16 GB
                                    "256 x 256 cells of 60000 bands");
    const std::string strip = content_of(
        make(folder, {.columns = 5, .rows = 60000, .options = {"BLOCKYSIZE=60000", "COMPRESS=LZW"}}));
    expect_unreadable_by_its_header(folder.text("strip.tif", with_bands(strip, 65000)),  // 78 GB
                                    "5 x 60000 cells of 65000 bands");
}

TEST(RasterReading, takes_real_terrain_as_its_producer_made_it) {
    const char* data = std::getenv("THALWEG_DATA");
    const std::filesystem::path path =
        std::filesystem::path(data != nullptr ? data : THALWEG_DATA_DEFAULT) / "bigtujunga.tif";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real data: set THALWEG_DATA to its folder";
    const RasterInfo info = read_raster_info(path);
    EXPECT_EQ(info.grid, utm_grid(1197, 643));
    EXPECT_EQ(info.value_type, "Int16");
    EXPECT_EQ(info.no_data, 32767.0);
    const Field<float> field = read_raster(path);
    const TemporaryFolder folder;
    const RasterEncoding encoding = write_raster(folder / "a.tif", field, RasterFormat::GeoTiff);
    EXPECT_GT(encoding.minimum, 200.0);
    EXPECT_LT(encoding.maximum, 3068.0);  // Mount San Antonio, the highest of the San Gabriel Mountains
    EXPECT_TRUE(same_values(read_raster(folder / "a.tif"), field));
}

/// A file with up to 8 bytes replaced, every eighth one cut short as well. Half of the changes hit its head,
/// where a TIFF says what it holds.
std::string mutated(std::string content, std::uint64_t number) {
    constexpr std::size_t kHead = 512;  // bytes
    const auto draw = [&](std::uint64_t change, std::uint64_t what) {
        return static_cast<std::size_t>(random_bits(number, Stream::WhiteNoise, change, what));
    };
    const std::size_t changes = 1 + draw(0, 0) % 8;
    for (std::size_t change = 1; change <= changes; ++change) {
        const std::size_t reach = draw(change, 0) % 2 == 0 ? std::min(kHead, content.size()) : content.size();
        content[draw(change, 1) % reach] = static_cast<char>(draw(change, 2));
    }
    if (draw(0, 1) % 8 == 0) content.resize(draw(0, 2) % content.size());
    return content;
}

using LongRasterReading = LongTest;

TEST_F(LongRasterReading, of_2000_mutated_tiffs_gives_values_or_one_sentence) {
    const TemporaryFolder folder;
    std::vector<std::string> originals;
    for (const RasterFormat format : {RasterFormat::GeoTiff, RasterFormat::Cog}) {
        write_raster(folder / "whole.tif", random_field(utm_grid(70, 50), 4), format);
        originals.push_back(content_of(folder / "whole.tif"));
    }
    for (const GDALDataType type : {GDT_Int16, GDT_Float64})
        originals.push_back(content_of(make(folder, {.columns = 40, .rows = 30, .type = type})));
    testing::internal::CaptureStderr();
    int taken = 0;
    int refused = 0;
    for (std::uint64_t number = 0; number < 2000; ++number) {
        const std::string content = mutated(originals[number % originals.size()], number);
        try {
            const Field<float> field = decode_raster(std::as_bytes(std::span(content)), "mutant");
            EXPECT_GT(field.size(), 0);
            ++taken;
        } catch (const Error& error) {
            const std::string sentence = error.what();
            EXPECT_EQ(error.exit_code(), 2) << number << ": " << sentence;
            EXPECT_EQ(sentence.find('\n'), std::string::npos) << number << ": " << sentence;
            EXPECT_EQ(sentence.find("/vsimem"), std::string::npos) << number << ": " << sentence;
            ++refused;
        }
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    std::printf("of 2000 mutated TIFFs, %d gave values and %d were refused\n", taken, refused);
    EXPECT_GT(taken, 200);
    EXPECT_GT(refused, 200);
}

TEST(RasterReading, of_mutated_exr_r16_and_sidecars_gives_values_or_one_sentence) {
    const TemporaryFolder folder;
    const Field<float> field = random_field(utm_grid(30, 20), 4);
    const RasterStorage storage{.layer = "elevation", .unit = "m"};
    write_raster(folder / "whole.exr", field, RasterFormat::Exr, storage);
    const RasterEncoding encoding = write_raster(folder / "whole.r16", field, RasterFormat::R16, storage);
    write_sidecar(folder / "whole.json", "a.r16", field.grid(), storage, encoding);
    const std::string exr = content_of(folder / "whole.exr");
    const std::string sidecar = content_of(folder / "whole.json");
    const auto numbers = folder.text("a.r16", content_of(folder / "whole.r16"));
    int refused = 0;
    for (std::uint64_t number = 0; number < 400; ++number) {
        const bool is_exr = number % 2 == 0;
        const auto changed =
            folder.text(is_exr ? "a.exr" : "a.r16.json", mutated(is_exr ? exr : sidecar, number));
        try {
            EXPECT_GT(read_raster(is_exr ? changed : numbers).size(), 0);
        } catch (const Error& error) {
            const std::string sentence = error.what();
            EXPECT_EQ(error.exit_code(), 2) << number << ": " << sentence;
            EXPECT_EQ(sentence.find('\n'), std::string::npos) << number << ": " << sentence;
            ++refused;
        }
    }
    EXPECT_GT(refused, 40);
}

}  // namespace
}  // namespace thalweg
