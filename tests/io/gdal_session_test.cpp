#include "thalweg/io/gdal/gdal_session.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"

#include <atomic>
#include <new>
#include <thread>

#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include <cpl_error.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

void fail_elsewhere() {
    std::thread([] { CPLError(CE_Failure, CPLE_AppDefined, "tile 7 is lost"); }).join();
}

TEST(GdalSession, tells_of_failures_on_gdal_s_own_threads_and_prints_none) {
    testing::internal::CaptureStderr();
    const GdalSession session;
    fail_elsewhere();
    EXPECT_EQ(session.failure_elsewhere(), "tile 7 is lost");
    EXPECT_EQ(session.failure(), "");
    const GdalSession later;
    EXPECT_EQ(later.failure_elsewhere(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(GdalSession, lets_no_file_appear_whose_tiles_failed_on_another_thread) {
    const TemporaryFolder folder;
    std::atomic<bool> done{false};
    std::thread failing([&] {
        while (!done) fail_elsewhere();
    });
    try {
        write_raster(folder / "a.tif", random_field(utm_grid(300, 300), 8), RasterFormat::GeoTiff);
        ADD_FAILURE() << "the failure was not noticed";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("tile 7 is lost"), std::string::npos) << error.what();
    }
    done = true;
    failing.join();
    EXPECT_FALSE(std::filesystem::exists(folder / "a.tif"));
}

TEST(GdalSession, tells_lack_of_memory_apart_from_other_failures) {
    const GdalSession session;
    CPLError(CE_Failure, CPLE_AppDefined, "no such thing");
    EXPECT_NO_THROW(session.check_memory());
    CPLError(CE_Failure, CPLE_OutOfMemory, "cannot allocate");
    EXPECT_THROW(session.check_memory(), std::bad_alloc);
}

}  // namespace
}  // namespace thalweg
