#include "thalweg/io/pictures.hpp"

#include <memory>

#include "tests/io/temporary_folder.hpp"
#include <gdal_priv.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

Image gradient(int width, int height) {
    Image image{.width = width, .height = height, .rgb = {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const int value : {x * 3, y * 5, x + y})
                image.rgb.push_back(static_cast<std::uint8_t>(value));
    return image;
}

TEST(Pictures, come_back_with_every_pixel) {
    const TemporaryFolder folder;
    const Image image = gradient(61, 47);
    write_png(folder / "a.png", image);
    EXPECT_EQ(content_of(folder / "a.png").substr(1, 3), "PNG");
    const std::unique_ptr<GDALDataset> dataset(GDALDataset::Open((folder / "a.png").c_str()));
    ASSERT_NE(dataset, nullptr);
    ASSERT_EQ(dataset->GetRasterCount(), 3);
    std::vector<std::uint8_t> rgb(image.rgb.size());
    ASSERT_EQ(dataset->RasterIO(GF_Read, 0, 0, 61, 47, rgb.data(), 61, 47, GDT_Byte, 3, nullptr, 3, 3 * 61, 1,
                                nullptr),
              CE_None);
    EXPECT_EQ(rgb, image.rgb);
    EXPECT_EQ(folder.files(), 1U);
}

TEST(Pictures, that_are_equal_give_equal_bytes) {
    const TemporaryFolder folder;
    write_png(folder / "a.png", gradient(40, 30));
    write_png(folder / "b.png", gradient(40, 30));
    EXPECT_EQ(content_of(folder / "a.png"), content_of(folder / "b.png"));
}

TEST(Pictures, of_one_pixel_or_in_a_missing_folder) {
    const TemporaryFolder folder;
    write_png(folder / "a.png", gradient(1, 1));
    EXPECT_EQ(error_of([&] { write_png(folder / "no/a.png", gradient(1, 1)); }).exit_code(), 1);
    EXPECT_EQ(folder.files(), 1U);
}

}  // namespace
}  // namespace thalweg
