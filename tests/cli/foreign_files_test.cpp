// Files that strangers made: they contact no host, show no other file's contents, crash nothing, and say
// nothing to the terminal.
#include <algorithm>
#include <cstdlib>

#include "tests/cli/program.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thalweg {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Listens on this machine, and notices who comes.
class Host {
  public:
    Host() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(socket_, 1), 0);
        socklen_t size = sizeof address;
        EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        port_ = ntohs(address.sin_port);
    }
    ~Host() { ::close(socket_); }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    [[nodiscard]] std::string url() const { return fmt::format("http://127.0.0.1:{}/", port_); }
    [[nodiscard]] bool was_contacted() const {
        pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
        return ::poll(&waiting, 1, 0) > 0;
    }

  private:
    int socket_;
    int port_ = 0;
};

/// A variable of the environment while it lives.
class Environment {
  public:
    Environment(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
    ~Environment() { ::unsetenv(name_); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    const char* name_;
};

class ForeignFiles : public Program {
  protected:
    void expect_refused(const std::vector<std::string>& arguments,
                        const std::vector<std::string>& words) const {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 2) << ran.errors;
        EXPECT_THAT(ran.errors, StartsWith("thalweg: "));
        EXPECT_EQ(std::count(ran.errors.begin(), ran.errors.end(), '\n'), 1) << ran.errors;
        for (const std::string& word : words) EXPECT_THAT(ran.errors, HasSubstr(word));
    }

    /// A VRT whose values come from `source`.
    void write_vrt(const std::string& name, const std::string& source, bool relative = true) const {
        write(name,
              fmt::format("<VRTDataset rasterXSize=\"48\" rasterYSize=\"48\"><GeoTransform>0,30,0,0,0,-30"
                          "</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource>"
                          "<SourceFilename relativeToVRT=\"{}\">{}</SourceFilename><SourceBand>1</SourceBand>"
                          "</SimpleSource></VRTRasterBand></VRTDataset>",
                          relative ? 1 : 0, source));
    }

    /// Eight by eight cells that rise from -height to height.
    void write_plane(const std::string& name, double height, double cell_size) const {
        std::string text =
            fmt::format("ncols 8\nnrows 8\nxllcorner 0\nyllcorner 0\ncellsize {}\n", cell_size);
        for (int cell = 0; cell < 64; ++cell) text += fmt::format("{} ", height * (cell % 8 - 3.5) / 3.5);
        write(name, text);
    }
};

TEST_F(ForeignFiles, contact_no_host) {
    const Host host;
    write_terrain("dem.tif");
    write("wms.tif",
          fmt::format("<GDAL_WMS><Service name=\"TMS\"><ServerUrl>{}${{z}}/${{x}}/${{y}}.png</ServerUrl>"
                      "</Service><DataWindow><UpperLeftX>0</UpperLeftX><UpperLeftY>1</UpperLeftY>"
                      "<LowerRightX>1</LowerRightX><LowerRightY>0</LowerRightY><TileLevel>1</TileLevel>"
                      "</DataWindow><BandsCount>1</BandsCount></GDAL_WMS>",
                      host.url()));
    write_vrt("remote.tif", "/vsicurl/" + host.url() + "a.tif", false);
    write_vrt("streamed.vrt", "/vsicurl_streaming/" + host.url() + "a.tif", false);
    write_vrt("wms.vrt", "wms.tif");
    write("dem.tif.aux.xml",
          fmt::format("<PAMDataset><Metadata domain=\"OVERVIEWS\"><MDI key=\"OVERVIEW_FILE\">"
                      "/vsicurl/{}o.tif</MDI></Metadata></PAMDataset>",
                      host.url()));
    for (const std::string name : {"wms.tif", "remote.tif", "streamed.vrt", "wms.vrt"}) {
        expect_refused({"info", name}, {name});
        expect_refused({"flow", "--reproject", name, "-o", "out.tif"}, {name});
        expect_refused({"flow", name, "--memory-limit", "64", "-o", "out.tif"}, {name});
    }
    EXPECT_EQ(run({"info", "dem.tif"}).exit_code, 0);
    EXPECT_EQ(run({"flow", "dem.tif", "-o", "out.tif"}).exit_code, 0);
    EXPECT_FALSE(host.was_contacted());
}

TEST_F(ForeignFiles, read_no_other_file_s_contents_unless_its_folder_is_named) {
    std::filesystem::create_directories(path("in/deep"));
    std::filesystem::create_directories(path("out"));
    write_terrain("in/deep/dem.tif");
    write_terrain("out/dem.tif");
    write_vrt("in/below.vrt", "deep/dem.tif");
    EXPECT_EQ(run({"info", "in/below.vrt"}).exit_code, 0);
    write_vrt("in/nested.vrt", "below.vrt");
    EXPECT_EQ(run({"info", "in/nested.vrt"}).exit_code, 0);

    write_vrt("in/beside.vrt", "../out/dem.tif");
    write_vrt("in/absolute.vrt", path("out/dem.tif").string(), false);
    write_vrt("in/deep/up.vrt", "../beside.vrt");
    std::filesystem::create_symlink(path("out/dem.tif"), path("in/link.tif"));
    write_vrt("in/linked.vrt", "link.tif");
    for (const std::string name : {"in/beside.vrt", "in/absolute.vrt", "in/deep/up.vrt", "in/linked.vrt"})
        expect_refused({"info", name}, {name, "lies elsewhere", "--vrt-sources"});
    for (const std::string name : {"in/beside.vrt", "in/absolute.vrt", "in/linked.vrt"}) {
        EXPECT_EQ(run({"info", "--vrt-sources", "out", name}).exit_code, 0) << name;
        EXPECT_EQ(run({"flow", "--vrt-sources=out", name, "-o", "area.tif"}).exit_code, 0) << name;
    }
    // A link that the user names is the file.
    EXPECT_EQ(run({"info", "in/link.tif"}).exit_code, 0);

    write_vrt("passwords.vrt", "/etc/passwd", false);
    expect_refused({"info", "passwords.vrt"}, {"passwords.vrt", "/etc/passwd"});
    ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
    write_vrt("fifo.vrt", "fifo");
    expect_refused({"info", "fifo.vrt"}, {"which is no file"});
    write_vrt("self.vrt", "self.vrt");
    expect_refused({"info", "self.vrt"}, {"VRTs that refer to VRTs"});
}

TEST_F(ForeignFiles, in_formats_without_elevation_are_not_tried) {
    write("a.jpg", std::string("\xff\xd8\xff\xe0\x00\x10JFIF\x00", 11) + std::string(200, '\x01'));
    write("a.tif", "<GDAL_WMTS><GetCapabilitiesUrl>http://127.0.0.1:1/</GetCapabilitiesUrl></GDAL_WMTS>");
    for (const std::string name : {"a.jpg", "a.tif"})
        expect_refused({"info", name}, {name, "no format that GDAL knows for elevation"});
}

TEST_F(ForeignFiles, with_several_bands_in_degrees_are_reprojected) {
    const Environment freed_memory_is_overwritten("MALLOC_PERTURB_", "165");
    std::vector<float> values(3 * 24 * 24);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(100 + i % 97);
    write_bare_raster("bands.img", 24, 24, 3, values);
    write("bands.hdr",
          read("bands.hdr") + "map info = {Geographic Lat/Lon, 1, 1, -118, 34, 0.0003, 0.0003, WGS-84}\n");
    const Ran ran = run({"info", "--reproject", "bands.img"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_THAT(ran.output, AllOf(HasSubstr("UTM zone 11N"), HasSubstr("1 band")));
    EXPECT_EQ(run({"flow", "--reproject", "bands.img", "-o", "area.tif"}).exit_code, 0);
    EXPECT_EQ(run({"flow", "--reproject", "bands.img", "--memory-limit", "64", "-o", "tiled.tif"}).exit_code,
              0);
    EXPECT_EQ(run({"render", "--reproject", "bands.img", "-o", "map.png"}).exit_code, 0);
}

TEST_F(ForeignFiles, of_sizes_and_heights_that_no_landscape_has_are_refused_by_every_verb) {
    write_plane("high.asc", 1e18, 30.0);
    write_plane("wide.asc", 100.0, 1e12);
    write_plane("fine.asc", 100.0, 1e-9);
    const auto refused = [&](const std::string& file, const std::string& word) {
        expect_refused({"render", file, "-o", "out.png"}, {file, word});
        expect_refused({"render", file, "--view", "-o", "out.png"}, {file, word});
        expect_refused({"flow", file, "-o", "out.tif"}, {file, word});
        expect_refused({"flow", file, "--memory-limit", "64", "-o", "out.tif"}, {file, word});
        expect_refused({"erode", file, "--time", "1", "-o", "out.tif"}, {file, word});
    };
    refused("high.asc", "holds an elevation of -1e+18 m");
    refused("wide.asc", "a landscape of 8e+12 x 8e+12 m is not allowed");
    refused("fine.asc", "cells of 1e-09 m are not allowed");
    expect_refused({"rain", "--extent", "1e300,1e300", "-o", "out.tif"}, {"1e+300", "is not allowed"});
    EXPECT_FALSE(std::filesystem::exists(path("out.tif")));
    write_plane("most.asc", 1e9, 30.0);
    EXPECT_EQ(
        run({"render", "most.asc", "--view", "--width", "64", "--height", "48", "-o", "out.png"}).exit_code,
        0);
}

TEST_F(ForeignFiles, that_end_before_their_values_are_named) {
    write_bare_raster("a.img", 32, 32, 1, std::vector<float>(32 * 32, 5.0F));
    EXPECT_EQ(run({"info", "a.img"}).exit_code, 0);
    write("a.img", read("a.img").substr(0, 4000));
    expect_refused({"info", "a.img"}, {"a.img", "may be truncated", "4000 of 4096 bytes"});
    expect_refused({"flow", "a.img", "--memory-limit", "64", "-o", "out.tif"}, {"a.img", "may be truncated"});

    // A classic netCDF of one variable of 4 x 4 floats over two dimensions.
    const auto number = [](std::uint32_t value) {
        return std::string{static_cast<char>(value >> 24), static_cast<char>(value >> 16),
                           static_cast<char>(value >> 8), static_cast<char>(value)};
    };
    std::string bytes = std::string("CDF\x01", 4) + number(0);
    bytes += number(10) + number(2);  // dimensions
    for (const std::string name : {"y", "x"}) bytes += number(1) + name + std::string(3, '\0') + number(4);
    bytes += number(0) + number(0);   // no attributes
    bytes += number(11) + number(1);  // variables
    bytes +=
        number(1) + "z" + std::string(3, '\0') + number(2) + number(0) + number(1) + number(0) + number(0);
    bytes += number(5) + number(64);
    bytes += number(static_cast<std::uint32_t>(bytes.size() + 4));
    for (int cell = 0; cell < 16; ++cell) bytes += std::string("\x41\x20\x00", 3) + static_cast<char>(cell);
    write("a.nc", bytes);
    const Ran whole = run({"info", "a.nc"});
    EXPECT_EQ(whole.exit_code, 0) << whole.errors;
    write("a.nc", bytes.substr(0, bytes.size() - 8));
    expect_refused({"info", "a.nc"}, {"a.nc", "may be truncated"});
}

TEST_F(ForeignFiles, and_their_names_say_nothing_to_the_terminal) {
    const auto is_quiet = [](const std::string& text) {
        return std::ranges::none_of(text, [](char letter) {
            return (static_cast<unsigned char>(letter) < 0x20 && letter != '\n') || letter == '\x7f';
        });
    };
    write_terrain("d\x1b[31mem.tif");
    const Ran written = run({"flow", "d\x1b[31mem.tif", "-o", "a\x1b]0;b\x07.tif", "--progress", "plain"});
    EXPECT_EQ(written.exit_code, 0) << written.errors;
    EXPECT_TRUE(is_quiet(written.output + written.errors)) << written.output << written.errors;
    EXPECT_THAT(written.output, HasSubstr("a\\x1b]0;b\\x07.tif"));
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"info", "no\x1b[2J.tif"},
          {"flo\x1b[1m"},
          {"flow", "--\x1b[1m"},
          {"build", "a\x1b.toml"},
          {"erode", "d\x1b[31mem.tif", "--time", "\x1b[5m", "-o", "o.tif"}}) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 2);
        EXPECT_TRUE(is_quiet(ran.errors)) << ran.errors;
        EXPECT_THAT(ran.errors, AnyOf(HasSubstr("\\x1b"), HasSubstr("\\u001B")));
    }
    write("crs.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3 4\n");
    write("crs.prj", "LOCAL_CS[\"a\x1b[31m\",UNIT[\"metre\",1]]");
    const Ran told = run({"info", "crs.asc"});
    EXPECT_TRUE(is_quiet(told.output + told.errors)) << told.output << told.errors;
}

TEST_F(ForeignFiles, get_answers_of_bounded_length) {
    write("long.toml", "[grid]\ncells = 16\n[[stage]]\nuse = \"" + std::string(1'000'000, 'x') + "\"\n");
    const Ran ran = run({"build", "long.toml"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_LT(ran.errors.size(), 2100U);
    EXPECT_THAT(ran.errors, AllOf(StartsWith("thalweg: long.toml:4"), HasSubstr(" [...] ")));
}

TEST_F(ForeignFiles, and_places_that_are_missing_are_told_in_the_program_s_own_words) {
    write("nowhere.toml", "[output]\ndirectory = \"\"\n[grid]\ncells = 16\n[[stage]]\nuse = \"noise\"\n");
    expect_refused({"build", "nowhere.toml"},
                   {"nowhere.toml:2:1", "directory = \"\" is not allowed: give a folder"});
    write_terrain("dem.tif");
    const Environment missing("TMPDIR", "/nowhere/at/all");
    const Ran ran = run({"info", "-"}, {.input = read("dem.tif")});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.errors,
              "thalweg: TMPDIR = /nowhere/at/all is not allowed: give a folder for temporary files\n");
}

TEST_F(ForeignFiles, and_values_that_no_one_can_mean_are_told) {
    write_terrain("dem.tif");
    const Ran ran = run({"erode", "dem.tif", "--uplift", "1", "--time", "1e6", "-o", "out.tif"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_THAT(ran.errors, AllOf(HasSubstr("note: "), HasSubstr("uplift of 1 m/yr raises this ground by "),
                                  HasSubstr(" km: ")));
    EXPECT_THAT(run({"erode", "dem.tif", "--uplift", "0.001", "--time", "1e6", "-o", "out.tif"}).errors,
                Not(HasSubstr("raises this ground")));
    expect_refused({"erode", "dem.tif", "--uplift", "1mm", "-o", "out.tif"},
                   {"uplift = \"1mm\" is not allowed: give the number alone, in m/yr"});
    expect_refused({"erode", "dem.tif", "--time", "1Myr", "-o", "out.tif"},
                   {"time = \"1Myr\" is not allowed: give the number alone, in yr"});
    expect_refused({"erode", "dem.tif", "--uplfit", "1", "-o", "out.tif"}, {"did you mean --uplift?"});
    expect_refused({"erode", "dem.tif", "--dem", "1", "-o", "out.tif"}, {"see thalweg erode --help"});
    expect_refused({"noise", "--amplitude", "1e30", "--cells", "16", "-o", "out.tif"}, {"amplitude"});
}

}  // namespace
}  // namespace thalweg
