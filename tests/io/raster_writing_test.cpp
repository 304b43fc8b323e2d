#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/raster/exr.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "tests/io/limited_disk.hpp"
#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#include <gdal_priv.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr std::array kFormats = {RasterFormat::GeoTiff, RasterFormat::Cog, RasterFormat::Png16,
                                 RasterFormat::R16, RasterFormat::Exr};

TEST(RasterFiles, of_random_fields_come_back_with_the_same_bits_and_place) {
    const TemporaryFolder folder;
    const std::array<std::array<int, 2>, 7> sizes = {
        {{1, 1}, {1, 9}, {13, 1}, {2, 2}, {255, 257}, {256, 256}, {700, 300}}};
    std::uint64_t seed = 1;
    for (const auto& [columns, rows] : sizes) {
        for (const RasterFormat format : {RasterFormat::GeoTiff, RasterFormat::Cog}) {
            const Field<float> field = random_field(utm_grid(columns, rows), seed++);
            const RasterEncoding encoding = write_raster(folder / "a.tif", field, format);
            EXPECT_TRUE(same_values(read_raster(folder / "a.tif"), field)) << columns << " x " << rows;
            EXPECT_EQ(encoding.stored_type, "float32");
            EXPECT_EQ(encoding.scale, 1.0);
            EXPECT_EQ(encoding.offset, 0.0);
        }
    }
    EXPECT_EQ(folder.files(), 1U);
}

TEST(RasterFiles, of_a_local_grid_keep_its_place_without_a_crs) {
    const TemporaryFolder folder;
    const Field<float> field = random_field(make_grid(1250.0, 800.0, 25), 3);
    write_raster(folder / "a.tif", field, RasterFormat::GeoTiff);
    EXPECT_TRUE(same_values(read_raster(folder / "a.tif"), field));
    const RasterInfo info = read_raster_info(folder / "a.tif");
    EXPECT_EQ(info.grid, field.grid());
    EXPECT_TRUE(info.georeferenced);
}

TEST(RasterFiles, in_geotiff_are_tiled_compressed_and_tagged) {
    const TemporaryFolder folder;
    write_raster(folder / "a.tif", random_field(utm_grid(600, 300), 1), RasterFormat::GeoTiff);
    const RasterInfo info = read_raster_info(folder / "a.tif");
    EXPECT_EQ(info.driver, "GTiff");
    EXPECT_EQ(info.value_type, "Float32");
    EXPECT_EQ(info.bands, 1);
    EXPECT_EQ(info.no_data, -9999.0);
    EXPECT_EQ(info.grid, utm_grid(600, 300));

    const std::unique_ptr<GDALDataset> dataset(GDALDataset::Open((folder / "a.tif").c_str()));
    ASSERT_NE(dataset, nullptr);
    int tile_columns = 0;
    int tile_rows = 0;
    dataset->GetRasterBand(1)->GetBlockSize(&tile_columns, &tile_rows);
    EXPECT_EQ(tile_columns, 256);
    EXPECT_EQ(tile_rows, 256);
    EXPECT_STREQ(dataset->GetMetadataItem("PREDICTOR", "IMAGE_STRUCTURE"), "3");
    EXPECT_NE(dataset->GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE"), nullptr);
}

TEST(RasterFiles, in_cog_have_its_layout) {
    const TemporaryFolder folder;
    write_raster(folder / "a.tif", random_field(utm_grid(1100, 700), 1), RasterFormat::Cog);
    const std::unique_ptr<GDALDataset> dataset(GDALDataset::Open((folder / "a.tif").c_str()));
    ASSERT_NE(dataset, nullptr);
    EXPECT_STREQ(dataset->GetMetadataItem("LAYOUT", "IMAGE_STRUCTURE"), "COG");
    EXPECT_GE(dataset->GetRasterBand(1)->GetOverviewCount(), 1);
}

TEST(RasterFiles, never_take_a_real_value_for_no_data) {
    const TemporaryFolder folder;
    Field<float> field(utm_grid(4, 1), -9999.0F);
    field[1] = -9999.001F;
    field[2] = -9998.9F;
    field[3] = std::numeric_limits<float>::infinity();
    write_raster(folder / "a.tif", field, RasterFormat::GeoTiff);
    const Field<float> read = read_raster(folder / "a.tif");
    EXPECT_NEAR(read[0], -9999.0, 0.011);
    EXPECT_NEAR(read[1], -9999.0, 0.011);
    EXPECT_EQ(read[2], -9998.9F);
    EXPECT_TRUE(is_no_data(read[3]));
}

TEST(RasterFiles, state_the_range_of_the_data) {
    const TemporaryFolder folder;
    Field<float> field(make_grid(30.0, 10.0, 3), kNoData);
    EXPECT_EQ(write_raster(folder / "a.tif", field, RasterFormat::GeoTiff).maximum, 0.0);
    field[1] = -20.0F;
    field[2] = 50.0F;
    for (const RasterFormat format : kFormats) {
        const RasterEncoding encoding = write_raster(folder / "a", field, format);
        EXPECT_EQ(encoding.minimum, -20.0);
        EXPECT_EQ(encoding.maximum, 50.0);
    }
}

TEST(RasterFiles, of_whole_numbers_keep_every_one_and_declare_where_there_is_none) {
    const TemporaryFolder folder;
    Field<float> field(utm_grid(6, 1));
    const std::vector<float> values = {-1.0F, 0.0F, 7.0F, 16777215.0F, kNoData, 3.0F};
    std::copy(values.begin(), values.end(), field.begin());
    for (const RasterFormat format : {RasterFormat::GeoTiff, RasterFormat::Cog}) {
        const RasterEncoding encoding =
            write_raster(folder / "a.tif", field, format, {.whole_numbers = true});
        EXPECT_EQ(encoding.stored_type, "int32");
        EXPECT_EQ(encoding.no_data, -9999.0);
        EXPECT_EQ(read_raster_info(folder / "a.tif").value_type, "Int32");
        EXPECT_EQ(read_raster_info(folder / "a.tif").no_data, -9999.0);
        EXPECT_TRUE(same_values(read_raster(folder / "a.tif"), field));
        const std::unique_ptr<GDALDataset> dataset(GDALDataset::Open((folder / "a.tif").c_str()));
        ASSERT_NE(dataset, nullptr);
        EXPECT_STREQ(dataset->GetMetadataItem("PREDICTOR", "IMAGE_STRUCTURE"), "2");
    }
}

std::vector<std::uint16_t> little_endian_values(const std::string& bytes) {
    std::vector<std::uint16_t> values;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
        values.push_back(static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[i]) |
                                                    static_cast<unsigned char>(bytes[i + 1]) << 8));
    return values;
}

TEST(RasterFiles, in_r16_map_the_range_to_all_steps) {
    const TemporaryFolder folder;
    Field<float> field(make_grid(5.0, 1.0, 5));
    field[0] = 100.0F;
    field[1] = 300.0F;
    field[2] = 200.0F;
    field[3] = kNoData;
    field[4] = 100.0F + 200.0F / 65534.0F;
    const RasterEncoding encoding = write_raster(folder / "a.r16", field, RasterFormat::R16);
    EXPECT_EQ(little_endian_values(content_of(folder / "a.r16")),
              (std::vector<std::uint16_t>{1, 65535, 32768, 0, 2}));
    EXPECT_DOUBLE_EQ(encoding.scale, 200.0 / 65534.0);
    EXPECT_DOUBLE_EQ(encoding.offset, 100.0 - 200.0 / 65534.0);
    EXPECT_EQ(encoding.no_data, 0.0);
    EXPECT_EQ(encoding.stored_type, "uint16");
    field[3] = 100.0F;
    const RasterEncoding whole = write_raster(folder / "a.r16", field, RasterFormat::R16);
    EXPECT_DOUBLE_EQ(whole.scale, 200.0 / 65535.0);
    EXPECT_EQ(whole.offset, 100.0);
    EXPECT_EQ(whole.no_data, std::nullopt);
}

TEST(RasterFiles, in_16_bits_decode_to_within_half_a_step) {
    const TemporaryFolder folder;
    const Field<float> field = random_field(make_grid(640.0, 480.0, 64), 11);
    const RasterEncoding encoding = write_raster(folder / "a.r16", field, RasterFormat::R16);
    const RasterEncoding png = write_raster(folder / "a.png", field, RasterFormat::Png16);
    const std::vector<std::uint16_t> stored = little_endian_values(content_of(folder / "a.r16"));
    ASSERT_EQ(stored.size(), static_cast<std::size_t>(field.size()));
    const Field<float> picture = read_raster(folder / "a.png");
    EXPECT_TRUE(read_raster_info(folder / "a.png").georeferenced);
    EXPECT_EQ(read_raster_info(folder / "a.png").value_type, "UInt16");
    EXPECT_EQ(read_raster_info(folder / "a.png").bands, 1);
    EXPECT_EQ(png.scale, encoding.scale);
    for (std::int64_t i = 0; i < field.size(); ++i) {
        const double decoded = stored[static_cast<std::size_t>(i)] * encoding.scale + encoding.offset;
        EXPECT_EQ(is_no_data(picture[i]), is_no_data(field[i]));
        if (is_no_data(field[i])) continue;
        EXPECT_EQ(picture[i], static_cast<float>(decoded));
        EXPECT_NEAR(decoded, field[i], encoding.scale * 0.5001);
    }
}

TEST(RasterFiles, in_16_bits_store_a_flat_field_and_integers_exactly) {
    const TemporaryFolder folder;
    const Field<float> flat(make_grid(3.0, 2.0, 3), 812.5F);
    const RasterEncoding encoding = write_raster(folder / "a.r16", flat, RasterFormat::R16);
    EXPECT_EQ(content_of(folder / "a.r16"), std::string(12, '\0'));
    EXPECT_EQ(encoding.offset, 812.5);

    Field<float> order(make_grid(3.0, 1.0, 3));
    order[0] = -1.0F;
    order[1] = 4.0F;
    order[2] = 9.0F;
    const RasterEncoding steps =
        write_raster(folder / "a.r16", order, RasterFormat::R16, {.whole_numbers = true});
    EXPECT_EQ(steps.scale, 1.0);
    EXPECT_EQ(steps.offset, -1.0);
    EXPECT_EQ(little_endian_values(content_of(folder / "a.r16")), (std::vector<std::uint16_t>{0, 5, 10}));
}

TEST(RasterFiles, in_16_bits_take_the_scale_that_they_are_given) {
    const TemporaryFolder folder;
    const Field<float> low(make_grid(3.0, 2.0, 3), 250.0F);
    LayerRange range;
    range.add(0.0);
    range.add(range_of(low));
    range.add(1000.0);
    const RasterEncoding encoding =
        write_raster(folder / "a.r16", low, RasterFormat::R16, {.encoding = sixteen_bit_encoding(range)});
    EXPECT_EQ(encoding.scale, 1000.0 / 65535.0);
    EXPECT_EQ(encoding.maximum, 250.0);
    EXPECT_EQ(little_endian_values(content_of(folder / "a.r16")).at(0), 16384);
}

TEST(RasterFiles, of_all_formats_come_back_with_their_place_and_no_data) {
    const TemporaryFolder folder;
    const Field<float> field = random_field(utm_grid(70, 41), 12);
    const RasterStorage storage{.layer = "elevation", .unit = "m"};
    for (const char* name : {"a.png", "a.r16", "a.exr"}) {
        const RasterFormat format = raster_format_of(name);
        const RasterEncoding encoding = write_raster(folder / name, field, format, storage);
        if (format == RasterFormat::R16)
            write_sidecar(folder / "a.r16.json", name, field.grid(), storage, encoding);
        const NotedRaster read = read_noted_raster(folder / name);
        EXPECT_EQ(read.values.grid(), field.grid()) << name;
        EXPECT_TRUE(read.notes.empty()) << name;
        for (std::int64_t i = 0; i < field.size(); ++i) {
            ASSERT_EQ(is_no_data(read.values[i]), is_no_data(field[i])) << name;
            if (is_no_data(field[i])) continue;
            ASSERT_NEAR(read.values[i], field[i], 0.51 * 4000.0 / 65534.0) << name;
        }
    }
    EXPECT_TRUE(same_values(read_raster(folder / "a.exr"), field));
}

TEST(RasterFiles, in_png_say_their_scale_to_other_programs) {
    const TemporaryFolder folder;
    const RasterEncoding encoding = write_raster(folder / "a.png", random_field(utm_grid(20, 10), 3),
                                                 RasterFormat::Png16, {.layer = "elevation", .unit = "m"});
    const std::unique_ptr<GDALDataset> dataset(GDALDataset::Open((folder / "a.png").c_str()));
    ASSERT_NE(dataset, nullptr);
    EXPECT_EQ(std::stod(dataset->GetMetadataItem("scale")), encoding.scale);
    EXPECT_EQ(std::stod(dataset->GetMetadataItem("offset")), encoding.offset);
    EXPECT_STREQ(dataset->GetMetadataItem("unit"), "m");
}

TEST(RasterFiles, in_exr_hold_the_same_bits_in_one_float_channel) {
    const TemporaryFolder folder;
    const Field<float> field = random_field(make_grid(330.0, 170.0, 33), 5);
    EXPECT_EQ(write_raster(folder / "a.exr", field, RasterFormat::Exr).stored_type, "float32");
    Imf::InputFile file((folder / "a.exr").c_str(), 0);
    ASSERT_NE(file.header().channels().findChannel("Y"), nullptr);
    EXPECT_EQ(file.header().channels().findChannel("Y")->type, Imf::FLOAT);
    EXPECT_EQ(++file.header().channels().begin(), file.header().channels().end());
    const auto window = file.header().dataWindow();
    ASSERT_EQ(window.max.x - window.min.x + 1, field.columns());
    ASSERT_EQ(window.max.y - window.min.y + 1, field.rows());
    Field<float> read(field.grid());
    Imf::FrameBuffer frame;
    frame.insert("Y", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(read.data()), sizeof(float),
                                 sizeof(float) * read.columns()));
    file.setFrameBuffer(frame);
    file.readPixels(window.min.y, window.max.y);
    EXPECT_TRUE(same_values(read, field));
}

TEST(RasterFiles, in_exr_are_cancelled_and_not_called_impossible_to_encode) {
    const Field<float> field = random_field(make_grid(330.0, 170.0, 33), 5);
    QuietProgress progress;
    const ExecutionScope answers({.progress = &progress});
    progress.cancel();
    EXPECT_THROW(encode_exr(field, {}, "a.exr"), Cancelled);
}

TEST(RasterFiles, have_equal_bytes_for_any_number_of_threads_and_any_run) {
    const TemporaryFolder folder;
    const Field<float> field = random_field(utm_grid(600, 400), 9);
    for (const RasterFormat format : kFormats) {
        std::vector<std::string> files;
        for (const int threads : {1, 2, 8, 1}) {
            const ExecutionScope on_threads({.threads = threads});
            write_raster(folder / "a", field, format);
            files.push_back(content_of(folder / "a"));
        }
        ASSERT_FALSE(files[0].empty());
        for (const std::string& file : files) EXPECT_TRUE(file == files[0]) << static_cast<int>(format);
    }
}

TEST(RasterFiles, on_a_full_disk_leave_the_old_file_and_nothing_beside) {
    const TemporaryFolder folder;
    const Field<float> field = random_field(utm_grid(300, 300), 2);
    for (const RasterFormat format : kFormats) {
        const std::filesystem::path old = folder.text("old", "old");
        const LimitedDisk disk(4096);
        testing::internal::CaptureStderr();
        const Error error = error_of([&] { write_raster(old, field, format); });
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        EXPECT_EQ(error.kind(), ErrorKind::Failure);
        EXPECT_EQ(content_of(old), "old");
        EXPECT_EQ(folder.files(), 1U);
    }
}

TEST(RasterFiles, into_a_missing_folder_fail_with_one_sentence) {
    const TemporaryFolder folder;
    const Field<float> field(make_grid(2.0, 2.0, 2), 1.0F);
    const Error error = error_of([&] { write_raster(folder / "no/a.tif", field, RasterFormat::GeoTiff); });
    EXPECT_EQ(error.exit_code(), 1);
    EXPECT_EQ(error.what(), (folder / "no/a.tif").string() + " can't be written: No such file or directory");
    EXPECT_THROW(write_raster(folder / "a.tif", Field<float>(), RasterFormat::GeoTiff), Error);
    EXPECT_EQ(folder.files(), 0U);
}

TEST(RasterFiles, with_an_invalid_crs_are_not_written) {
    const TemporaryFolder folder;
    Grid grid = make_grid(2.0, 2.0, 2);
    grid.crs = "somewhere";
    const Error error =
        error_of([&] { write_raster(folder / "a.tif", Field<float>(grid, 1.0F), RasterFormat::GeoTiff); });
    EXPECT_EQ(error.what(), std::string("the coordinate reference system \"somewhere\" is not valid WKT"));
    EXPECT_EQ(folder.files(), 0U);
}

TEST(RasterFiles, take_their_format_from_the_extension) {
    EXPECT_EQ(raster_format_of("a.b/c.TIF"), RasterFormat::GeoTiff);
    EXPECT_EQ(raster_format_of("c.tiff"), RasterFormat::GeoTiff);
    EXPECT_EQ(raster_format_of("c.png"), RasterFormat::Png16);
    EXPECT_EQ(raster_format_of("c.R16"), RasterFormat::R16);
    EXPECT_EQ(raster_format_of("c.exr"), RasterFormat::Exr);
    expect_refused([] { raster_format_of("dem.jpg"); }, "dem.jpg", ".tif, .tiff, .png, .r16 or .exr");
    expect_refused([] { raster_format_of("dem"); }, "dem", "\"\"");
}

}  // namespace
}  // namespace thalweg
