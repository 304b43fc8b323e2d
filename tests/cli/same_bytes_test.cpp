// The same bytes whatever lies around the program: what the environment says to its libraries, and what the
// C library finds in the processor.

#include "program.hpp"

namespace thalweg {
namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;

class SameBytes : public Program {
  protected:
    /// Expects that the command writes `files` with the same bytes in other surroundings.
    void expect_same(const std::vector<std::string>& arguments, const std::vector<std::string>& files,
                     const Environment& environment) const {
        const Ran plain = run(arguments);
        ASSERT_EQ(plain.exit_code, 0) << plain.errors;
        std::vector<std::string> before;
        for (const std::string& file : files) before.push_back(read(file));
        const Ran other = run(arguments, {.environment = environment});
        ASSERT_EQ(other.exit_code, 0) << other.errors;
        for (std::size_t i = 0; i < files.size(); ++i)
            EXPECT_TRUE(read(files[i]) == before[i]) << arguments[0] << ": " << files[i];
    }
};

TEST_F(SameBytes, come_from_a_c_library_without_fused_multiply_add) {
    ASSERT_EQ(run({"noise", "--cells", "300", "-o", "dem.tif"}).exit_code, 0);
    const Environment without = {{"GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable"}};
    expect_same({"flow", "dem.tif", "-o", "a.tif", "--also", "chi=chi.tif", "--also", "analyses=a.json"},
                {"a.tif", "chi.tif", "a.json"}, without);
    expect_same({"rivers", "dem.tif", "-o", "r.gpkg", "--min-area", "2e5"}, {"r.gpkg"}, without);
    expect_same({"rivers", "dem.tif", "-o", "r.geojson", "--min-area", "2e5", "--spacing", "30"},
                {"r.geojson"}, without);
    expect_same({"erode", "dem.tif", "-o", "e.tif", "--time", "1e5"}, {"e.tif"}, without);
    expect_same({"render", "dem.tif", "-o", "map.png"}, {"map.png"}, without);
}

TEST_F(SameBytes, come_whatever_the_environment_says_to_the_raster_library) {
    write("gdalrc", "[configoptions]\nGDAL_TIFF_ENDIANNESS=BIG\n");
    ASSERT_EQ(run({"noise", "--cells", "300", "-o", "dem.tif"}).exit_code, 0);
    const Environment settings = {{"GDAL_TIFF_ENDIANNESS", "BIG"},
                                  {"GDAL_CONFIG_FILE", path("gdalrc").string()},
                                  {"GDAL_TIFF_DEFLATE_SUBCODEC", "ZLIB"},
                                  {"GTIFF_WRITE_COG", "YES"},
                                  {"GTIFF_VIRTUAL_MEM_IO", "YES"},
                                  {"OGR_SQLITE_PRAGMA", "page_size=8192"},
                                  {"OGR_CURRENT_DATE", "1999-01-01T00:00:00.000Z"},
                                  {"GDAL_CACHEMAX", "1"},
                                  {"GDAL_NUM_THREADS", "3"}};
    expect_same({"flow", "dem.tif", "-o", "a.tif"}, {"a.tif"}, settings);
    expect_same({"rivers", "dem.tif", "-o", "r.gpkg", "--min-area", "2e5"}, {"r.gpkg"}, settings);
}

}  // namespace
}  // namespace thalweg
