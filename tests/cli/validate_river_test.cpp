// thalweg validate-river: a river that was surveyed twice.
#include "thalweg/meander/river_validation.hpp"

#include <cmath>
#include <numbers>

#include "tests/cli/program.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class ValidateRiver : public Program {
  protected:
    ValidateRiver() {
        write("before.csv", survey(0.0));
        write("after.csv", survey(40.0));
    }

    /// A river 100 m wide whose bends, of 1.2 km, lie `downstream` m further.
    static std::string survey(double downstream, const char* header = "x_m,y_m,width_m", double scale = 1.0) {
        std::string text = fmt::format("{}\n", header);
        for (double x = 0.0; x <= 30000.0; x += 25.0)
            text += fmt::format("{},{},100\n", scale * x,
                                scale * 200.0 * std::sin(2.0 * std::numbers::pi * (x - downstream) / 1200.0));
        return text;
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

    const std::vector<std::string> both = {"validate-river", "before.csv", "after.csv", "--years", "20"};

    [[nodiscard]] std::vector<std::string> both_with(std::vector<std::string> more) const {
        more.insert(more.begin(), both.begin(), both.end());
        return more;
    }
};

TEST_F(ValidateRiver, prints_a_table_of_every_figure) {
    const std::string table = output_of(both);
    EXPECT_THAT(table, StartsWith("before.csv to after.csv, 20 yr\n"));
    for (const char* figure : {"correlation ", "k_m_per_yr ", "lag_widths ", "cutoffs_excluded "})
        EXPECT_THAT(table, HasSubstr(fmt::format("\n  {}", figure)));
}

TEST_F(ValidateRiver, writes_the_members_that_its_pages_tell) {
    const json all = json::parse(output_of(both_with({"--json", "-"})));
    EXPECT_EQ(all["earlier"], "before.csv");
    EXPECT_EQ(all["years"], 20.0);
    EXPECT_EQ(all["figures"]["lag_m"]["unit"], "m");
    EXPECT_EQ(all["excluded"], json::array());
    const std::size_t points = all["figures"]["points"]["value"];
    for (const char* column :
         {"distance_m", "x_m", "y_m", "width_m", "observed_m_per_yr", "predicted_m_per_yr", "is_compared"})
        EXPECT_EQ(all["points"][column].size(), points) << column;
    const json report = json::parse(output_of(both_with({"--report", "-", "--depth", "4"})));
    EXPECT_EQ(report["stages"][0]["stage"], "validate-river");
    EXPECT_EQ(report["parameters"]["years"], 20.0);
    EXPECT_EQ(report["diagnostics"]["depth_m"], 4.0);
    for (const auto& [name, figure] : all["figures"].items())
        EXPECT_TRUE(report["diagnostics"].contains(name));
}

TEST_F(ValidateRiver, draws_a_sheet_and_takes_standard_input) {
    EXPECT_THAT(output_of(both_with({"-o", "sheet.png"})), StartsWith("before.csv"));
    EXPECT_THAT(read("sheet.png"), StartsWith("\x89PNG"));
    EXPECT_EQ(output_of(both_with({"-o", "-", "--threads", "1"})), read("sheet.png"));
    const Ran piped =
        run({"validate-river", "-", "after.csv", "--years", "20"}, {.input = read("before.csv")});
    EXPECT_EQ(piped.exit_code, 0) << piped.errors;
    EXPECT_THAT(piped.output, StartsWith("standard input to after.csv, 20 yr\n"));
}

TEST_F(ValidateRiver, refuses_in_one_sentence_what_it_cannot_compare) {
    expect_refused({"validate-river", "before.csv", "--years", "20"}, "validate-river needs AFTER");
    expect_refused({"validate-river", "before.csv", "after.csv"}, "--years");
    expect_refused({"validate-river", "before.csv", "after.csv", "--years", "0"}, "years = 0");
    expect_refused({"validate-river", "before.csv", "before.csv", "--years", "20"}, "before.csv");
    expect_refused({"validate-river", "before.csv", "none.csv", "--years", "20"}, "none.csv does not exist");
    expect_refused(both_with({"-o", "sheet.pdf"}), "give a name that ends in .png or .svg");
    expect_refused(both_with({"--json", "before.csv"}), "before.csv is an input");
    write("lonlat.csv", survey(0.0, "lon,lat,width_m"));
    expect_refused({"validate-river", "before.csv", "lonlat.csv", "--years", "20"},
                   "lonlat.csv has the columns lon,lat");
    write("degrees.csv", survey(0.0, "x_m,y_m,width_m", 1e-5));
    expect_refused({"validate-river", "before.csv", "degrees.csv", "--years", "20"},
                   "degrees.csv: coordinates");
    write("few.csv", "x_m,y_m,width_m\n1,2,3\n4,5,6\n");
    expect_refused({"validate-river", "few.csv", "after.csv", "--years", "20"},
                   "few.csv: 2 points are too few");
    expect_refused({"validate-river", "before.gpkg", "after.csv", "--years", "20"}, "give a .csv");
}

}  // namespace
}  // namespace thalweg
