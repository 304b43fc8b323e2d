#include "thalweg/io/raster_windows.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/io/raster_summary.hpp"

#include <fstream>
#include <utility>

#include "tests/io/limited_disk.hpp"
#include "tests/io/temporary_folder.hpp"
#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Field<float> noise_with_a_hole(int columns, int rows) {
    Field<float> field(Grid{.columns = columns, .rows = rows, .cell_size = 30.0, .north = 30.0 * rows});
    for (std::int64_t cell = 0; cell < field.size(); ++cell)
        field[cell] =
            1000.0F * unit_float(random_bits(1, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
    for (int row = 10; row < 40; ++row)
        for (int column = 200; column < 300; ++column) field(column, row) = kNoData;
    return field;
}

bool same(float a, float b) {
    return a == b || (is_no_data(a) && is_no_data(b));
}

TEST(RasterWindows, read_what_the_whole_raster_holds) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "noise.tif";
    write_raster(path, noise_with_a_hole(700, 300), RasterFormat::GeoTiff);
    const Field<float> whole = read_raster(path);
    RasterReader reader(path);
    EXPECT_EQ(reader.info().grid, whole.grid());
    for (const CellRange& range : {CellRange{0, 700, 0, 300}, CellRange{250, 253, 5, 65},
                                   CellRange{699, 700, 299, 300}, CellRange{210, 214, 12, 16}}) {
        const Field<float> part = reader.read(range);
        for (int row = 0; row < range.rows(); ++row)
            for (int column = 0; column < range.columns(); ++column)
                ASSERT_TRUE(
                    same(part(column, row), whole(range.first_column + column, range.first_row + row)));
    }
}

TEST(RasterWindows, write_what_the_whole_raster_would) {
    const TemporaryFolder folder;
    const Field<float> field = noise_with_a_hole(600, 300);
    for (const bool whole_numbers : {false, true}) {
        const auto path = folder.path() / (whole_numbers ? "whole.tif" : "float.tif");
        RasterWriter writer(path, field.grid(), whole_numbers);
        for (int row = 0; row < 300; row += 100)
            for (int column = 0; column < 600; column += 200) {
                std::vector<float> values;
                for (int r = row; r < row + 100; ++r)
                    for (int c = column; c < column + 200; ++c)
                        values.push_back(whole_numbers ? std::round(field(c, r)) : field(c, r));
                writer.write({column, column + 200, row, row + 100}, values);
            }
        writer.close();
        const Field<float> read = read_raster(path);
        EXPECT_EQ(read.grid(), field.grid());
        EXPECT_EQ(read_raster_info(path).no_data, kNoDataTag);
        EXPECT_EQ(read_raster_info(path).value_type, whole_numbers ? "Int32" : "Float32");
        for (std::int64_t cell = 0; cell < field.size(); ++cell) {
            const float expected = whole_numbers ? std::round(field[cell]) : field[cell];
            ASSERT_TRUE(same(read[cell], expected));
        }
    }
}

TEST(RasterWindows, tell_of_a_file_that_ends_too_early) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "noise.tif";
    write_raster(path, noise_with_a_hole(700, 300), RasterFormat::GeoTiff);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    try {
        RasterReader reader(path);
        reader.read({0, 700, 0, 300});
        FAIL() << "half a file was read";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_THAT(error.what(), HasSubstr("noise.tif"));
    }
}

TEST(RasterWindows, tell_in_one_sentence_of_a_full_disk) {
    const TemporaryFolder folder;
    const Field<float> field = noise_with_a_hole(700, 512);
    for (const rlim_t bytes : {rlim_t{0}, rlim_t{100}, rlim_t{100000}, rlim_t{600000}}) {
        const LimitedDisk disk(bytes);
        try {
            RasterWriter writer(folder.path() / "noise.tif", field.grid(), false);
            for (int row = 0; row < 512; row += 256)
                writer.write({0, 700, row, row + 256},
                             {field.begin() + row * 700, field.begin() + (row + 256) * 700});
            writer.close();
            ADD_FAILURE() << bytes << " bytes were enough";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("noise.tif can't be written: "));
        }
    }
}

TEST(RasterWindows, are_cut_along_the_blocks_of_the_file) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "noise.tif";
    write_raster(path, noise_with_a_hole(700, 300), RasterFormat::GeoTiff);  // in blocks of 256 x 256
    const RasterReader reader(path);
    const auto cells_of = [&](std::int64_t most_cells) {
        std::vector<std::int64_t> cells;
        for (const CellRange& range : reader.whole_blocks(most_cells)) {
            EXPECT_EQ(range.first_column % 256, 0);
            EXPECT_EQ(range.first_row % 256, 0);
            cells.push_back(std::int64_t{range.columns()} * range.rows());
        }
        return cells;
    };
    EXPECT_THAT(cells_of(1), ElementsAre(65536, 65536, 188 * 256, 256 * 44, 256 * 44, 188 * 44));
    EXPECT_THAT(cells_of(2 * 65536), ElementsAre(2 * 65536, 188 * 256, 512 * 44, 188 * 44));
    EXPECT_THAT(cells_of(1 << 20), ElementsAre(700 * 300));
}

TEST(RasterSummary, of_a_file_read_in_parts_or_whole_is_that_of_its_cells) {
    const TemporaryFolder folder;
    const Field<float> noise = noise_with_a_hole(1500, 1200);  // more than one part
    const FieldSummary expected = summary_of(noise);
    for (const auto& [name, format] :
         {std::pair{"noise.tif", RasterFormat::GeoTiff}, std::pair{"noise.exr", RasterFormat::Exr}}) {
        write_raster(folder.path() / name, noise, format);
        const FieldSummary found = raster_summary(folder.path() / name, {});
        EXPECT_EQ(found.cells_with_data, expected.cells_with_data) << name;
        EXPECT_EQ(found.minimum, expected.minimum) << name;
        EXPECT_EQ(found.maximum, expected.maximum) << name;
        EXPECT_NEAR(found.mean, expected.mean, 1e-9) << name;
    }
    write_raster(folder.path() / "empty.tif", Field<float>(noise.grid(), kNoData), RasterFormat::GeoTiff);
    EXPECT_THROW(raster_summary(folder.path() / "empty.tif", {}), Error);
}

TEST(RasterWindows, do_not_open_what_is_no_raster) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "text.tif") << "no raster";
    EXPECT_THROW(RasterReader(folder.path() / "text.tif"), Error);
    EXPECT_THROW(RasterReader(folder.path() / "missing.tif"), Error);
}

}  // namespace
}  // namespace thalweg
