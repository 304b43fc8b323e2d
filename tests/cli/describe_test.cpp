// thalweg describe and thalweg compare: terrains in numbers.
#include "thalweg/flow/terrain_statistics.hpp"

#include <cmath>

#include "tests/cli/program.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Describe : public Program {
  protected:
    Describe() {
        write_terrain("dem.tif", 96);
        write_terrain("other.tif", 128);
    }

    [[nodiscard]] std::string output_of(const std::vector<std::string>& arguments) const {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        return ran.output;
    }

    void expect_refused(const std::vector<std::string>& arguments, const std::string& words) const {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 2) << ran.errors;
        EXPECT_THAT(ran.errors, HasSubstr(words));
        EXPECT_EQ(ran.output, "");
    }
};

TEST_F(Describe, prints_every_statistic_by_family_and_how_many_are_outside_the_range_of_nature) {
    const std::string table = output_of({"describe", "dem.tif"});
    EXPECT_THAT(table, StartsWith("dem.tif: 96 x 96 cells of 30 m; described on "));
    EXPECT_THAT(table, HasSubstr("nature: the range of 8 real landscapes of 30-50 m\n"));
    std::size_t place = 0;
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        place = table.find(fmt::format("\n  {} ", statistic.name), place);
        ASSERT_NE(place, std::string::npos) << statistic.name;
        EXPECT_THAT(table, HasSubstr(fmt::format("\n\n{}\n", name_of(statistic.family))));
    }
    EXPECT_THAT(table, HasSubstr("\noutside: "));
    EXPECT_THAT(table, HasSubstr(", rms z "));
    EXPECT_THAT(table, HasSubstr("have 4 to 27 of the 57 outside and rms z from 0.7 to 2.0."));
}

TEST_F(Describe, marks_what_is_outside_and_tells_what_is_missing) {
    // A regular valley of 3 km has too few rivers to say how they branch, and slopes that no mountains have.
    const std::string table = output_of({"describe", "dem.tif"});
    const json terrain = json::parse(output_of({"describe", "dem.tif", "--json", "-"}))["terrains"][0];
    int outside = 0, missing = 0;
    for (const auto& [name, found] : terrain["statistics"].items()) {
        const std::size_t begin = table.find("\n  " + name + " ") + 1;
        const std::string row = table.substr(begin, table.find('\n', begin) - begin);
        EXPECT_EQ(row.find('*') != std::string::npos, found["is_outside"] == true) << row;
        outside += found["is_outside"] == true ? 1 : 0;
        missing += found["value"].is_null() ? 1 : 0;
        if (found["value"].is_null()) {
            EXPECT_THAT(row, HasSubstr(" - ")) << row;
        }
    }
    EXPECT_GT(outside, 0);
    EXPECT_GT(missing, 0);
    EXPECT_THAT(table, HasSubstr(fmt::format("\noutside: {} of {}, rms z {:.2f}\n", outside, 57 - missing,
                                             terrain["rms_z"].get<double>())));
    EXPECT_EQ(terrain["outside"], outside);
    EXPECT_EQ(terrain["compared"], 57 - missing);
}

TEST_F(Describe, writes_json_with_the_members_that_its_page_tells) {
    const std::string text = output_of({"compare", "dem.tif", "other.tif", "--json", "-"});
    const json all = json::parse(text);
    EXPECT_EQ(all["statistics"].size(), 57U);
    ASSERT_EQ(all["terrains"].size(), 2U);
    EXPECT_EQ(all["terrains"][0]["name"], "dem.tif");
    const json& terrain = all["terrains"][1];
    EXPECT_EQ(terrain["name"], "other.tif");
    EXPECT_EQ(terrain["columns"], 128);
    EXPECT_EQ(terrain["reference_length_m"], 30.0);
    for (const char* member : {"rows", "cell_size_m", "described_share", "is_mountainous", "nature",
                               "compared", "outside", "rms_z"})
        EXPECT_TRUE(terrain.contains(member)) << member;
    const json& slope = terrain["statistics"]["slope_mean"];
    EXPECT_NEAR(slope["z"],
                (slope["value"].get<double>() - slope["nature"]["mean"].get<double>()) /
                    slope["nature"]["standard_deviation"].get<double>(),
                1e-12);
    EXPECT_EQ(slope["is_outside"],
              slope["value"] < slope["nature"]["least"] || slope["value"] > slope["nature"]["greatest"]);
    double ground = 0.0;
    for (const json& share : terrain["curves"]["slopes"]["shares"]) ground += share.get<double>();
    EXPECT_NEAR(ground, 1.0, 1e-9);
    for (const auto& [curve, members] :
         std::vector<std::pair<const char*, std::pair<const char*, const char*>>>{
             {"slope_area", {"area_m2", "slope"}},
             {"long_profile", {"distance_m", "height_m"}},
             {"spectrum", {"wavelength_m", "power_m2"}},
             {"floor_widths", {"area_m2", "width_m"}}})
        EXPECT_EQ(terrain["curves"][curve][members.first].size(),
                  terrain["curves"][curve][members.second].size());
    EXPECT_EQ(terrain["curves"]["hypsometry"]["area_at_height"].size(), 101U);
    EXPECT_FALSE(terrain["curves"]["long_profile"]["distance_m"].empty());
    EXPECT_EQ(output_of({"compare", "dem.tif", "other.tif", "--json", "-", "--threads", "1"}), text);
}

TEST_F(Describe, compares_each_terrain_in_a_column_and_two_by_the_difference_of_z) {
    const std::string two = output_of({"compare", "dem.tif", "other.tif"});
    EXPECT_THAT(two, StartsWith("A  dem.tif: 96 x 96 cells"));
    EXPECT_THAT(two, HasSubstr("\nB  other.tif: 128 x 128 cells"));
    EXPECT_THAT(two, HasSubstr("  B - A\n"));
    const json terrains =
        json::parse(output_of({"compare", "dem.tif", "other.tif", "--json", "-"}))["terrains"];
    int different = 0;
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        const json& first = terrains[0]["statistics"][statistic.name]["z"];
        const json& second = terrains[1]["statistics"][statistic.name]["z"];
        const std::size_t begin = two.find(fmt::format("\n  {} ", statistic.name)) + 1;
        const std::string row = two.substr(begin, two.find('\n', begin) - begin);
        if (first.is_null() || second.is_null()) {
            EXPECT_THAT(row, testing::EndsWith(" -"));
            continue;
        }
        const double difference = second.get<double>() - first.get<double>();
        if (std::abs(difference) < 0.05) {
            EXPECT_THAT(row, testing::EndsWith(" 0.0"));
        } else {
            EXPECT_THAT(row, testing::EndsWith(fmt::format(" {:+.1f}", difference)));
            ++different;
        }
    }
    EXPECT_GT(different, 0);

    write_terrain("third.tif", 80);
    const std::string three = output_of({"compare", "dem.tif", "other.tif", "third.tif"});
    EXPECT_THAT(three, HasSubstr("\nC  third.tif"));
    EXPECT_THAT(three, HasSubstr("\nC  outside: "));
    EXPECT_THAT(three, Not(HasSubstr("B - A")));
}

TEST_F(Describe, draws_a_sheet_as_png_or_svg_whatever_stands_between_the_files) {
    EXPECT_THAT(output_of({"compare", "dem.tif", "-o", "sheet.png", "other.tif"}), HasSubstr("B  other.tif"));
    EXPECT_THAT(read("sheet.png"), StartsWith("\x89PNG"));
    EXPECT_EQ(output_of({"compare", "dem.tif", "other.tif", "-o", "-"}), read("sheet.png"));
    EXPECT_THAT(output_of({"describe", "dem.tif", "-o", "sheet.SVG", "--json", "all.json"}),
                StartsWith("dem.tif"));
    EXPECT_THAT(read("sheet.SVG"), StartsWith("<?xml"));
    EXPECT_EQ(json::parse(read("all.json"))["terrains"].size(), 1U);
}

TEST_F(Describe, takes_standard_input_and_names_files_apart) {
    const Ran piped = run({"describe", "-"}, {.input = read("dem.tif")});
    EXPECT_EQ(piped.exit_code, 0) << piped.errors;
    EXPECT_THAT(piped.output, StartsWith("standard input: 96 x 96 cells"));
    std::filesystem::create_directory(path("old"));
    write_terrain("old/dem.tif", 80);
    const std::string table = output_of({"compare", "dem.tif", "old/dem.tif", "other.tif"});
    EXPECT_THAT(table, HasSubstr("B  old/dem.tif: 80 x 80 cells"));
    EXPECT_THAT(table, HasSubstr("C  other.tif: "));
}

TEST_F(Describe, holds_terrains_of_other_cells_against_other_landscapes) {
    ASSERT_EQ(run({"noise", "--extent", "9600,9600", "--cells", "96", "-o", "coarse.tif"}).exit_code, 0);
    ASSERT_EQ(run({"noise", "--extent", "960,960", "--cells", "96", "-o", "fine.tif"}).exit_code, 0);
    ASSERT_EQ(run({"noise", "--extent", "96000,96000", "--cells", "96", "-o", "huge.tif"}).exit_code, 0);
    const std::string table = output_of({"compare", "dem.tif", "coarse.tif"});
    EXPECT_THAT(table, HasSubstr("\nnature 1: the range of 8 real landscapes of 30-50 m\n"));
    EXPECT_THAT(table, HasSubstr("\nnature 2: the range of 8 real landscapes of 90-100 m\n"));
    const json fine = json::parse(output_of({"describe", "fine.tif", "--json", "-"}))["terrains"][0];
    EXPECT_TRUE(fine["statistics"]["slope_mean"]["nature"].is_null());
    EXPECT_TRUE(fine["statistics"]["slope_mean"]["z"].is_null());
    EXPECT_FALSE(fine["statistics"]["hack_exponent"]["nature"].is_null());
    const std::string huge = output_of({"describe", "huge.tif", "-o", "huge.svg"});
    EXPECT_THAT(huge, HasSubstr("outside: nothing is known of real landscapes with such cells"));
    EXPECT_THAT(huge, Not(HasSubstr("nature:")));
}

TEST_F(Describe, refuses_what_it_cannot_describe_in_one_sentence) {
    expect_refused({"describe"}, "describe needs DEM");
    expect_refused({"describe", "dem.tif", "other.tif"}, "no \"other.tif\"");
    expect_refused({"describe", "nowhere.tif"}, "nowhere.tif does not exist");
    write_terrain("small.tif", 63);
    expect_refused({"describe", "small.tif"}, "small.tif: ");
    expect_refused({"describe", "small.tif"}, "64");
    write_bare_raster("empty.img", 70, 70, 1, std::vector<float>(4900, kNoData));
    expect_refused({"describe", "empty.img"}, "empty.img");
    write("degrees.asc", "ncols 2\nnrows 2\nxllcorner 8\nyllcorner 47\ncellsize 0.001\n1 2\n3 4\n");
    write("degrees.prj",
          "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS "
          "84\",6378137,298.257223563]],PRIMEM[\"Greenwich\","
          "0],UNIT[\"degree\",0.0174532925199433]]\n");
    expect_refused({"describe", "degrees.asc"}, "--reproject");
    expect_refused({"describe", "dem.tif", "-o", "sheet.pdf"},
                   "sheet.pdf is not allowed: give a name that ends in .png or .svg");
    expect_refused({"describe", "dem.tif", "--json", "dem.tif"}, "dem.tif is an input");
    expect_refused({"describe", "dem.tif", "--json", "-", "-o", "-"}, "only one result");
}

TEST_F(Describe, compares_two_to_eight_different_files) {
    expect_refused({"compare", "dem.tif"}, "compare needs B");
    expect_refused({"compare", "dem.tif", "./dem.tif"}, "./dem.tif is named twice");
    expect_refused({"compare", "-", "-"}, "- is named twice");
    std::vector<std::string> arguments = {"compare"};
    for (int i = 0; i < 9; ++i) arguments.push_back(fmt::format("{}.tif", i));
    expect_refused(arguments, "9 files are too many beside each other: give 8 at most");
}

TEST_F(Describe, reports_how_long_it_took) {
    EXPECT_THAT(output_of({"describe", "dem.tif", "--report", "report.json"}), HasSubstr("slope_mean"));
    const json report = json::parse(read("report.json"));
    EXPECT_EQ(report["stages"][0]["stage"], "describe");
    EXPECT_GT(report["solve_ms"], 0.0);
    EXPECT_TRUE(json::parse(output_of({"describe", "dem.tif", "--report", "-"})).contains("total_ms"));
}

}  // namespace
}  // namespace thalweg
