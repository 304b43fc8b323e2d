#include "thalweg/io/point_table.hpp"

#include <cmath>
#include <fstream>
#include <string>

#include "tests/io/temporary_folder.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

class PointReading : public testing::Test {
  protected:
    [[nodiscard]] PointTable read(const std::string& text) const {
        std::ofstream(folder / "p.csv", std::ios::binary) << text;
        return read_points(folder / "p.csv", "x_m", "y_m", {"width_m"});
    }
    [[nodiscard]] std::string refusal(const std::string& text) const {
        return refusal_of([&] { static_cast<void>(read(text)); });
    }

    TemporaryFolder folder;
};

TEST_F(PointReading, finds_columns_by_their_names_in_any_order_among_others) {
    const PointTable table = read("name,width_m,y_m,x_m\na,30,2.5,-1e3\nb,31.25,4,7\n");
    ASSERT_EQ(table.points.size(), 2U);
    EXPECT_EQ(table.points[0].x, -1000.0);
    EXPECT_EQ(table.points[0].y, 2.5);
    EXPECT_EQ(table.points[1].x, 7.0);
    EXPECT_EQ(table.columns[0].name, "width_m");
    EXPECT_EQ(table.columns[0].values, (std::vector<double>{30.0, 31.25}));
}

TEST_F(PointReading, takes_what_spreadsheets_write) {
    const PointTable table = read("\xEF\xBB\xBF\"x_m\", \"y_m\", \"width_m\"\r\n1, 2, 3\r\n\r\n4,5,6");
    ASSERT_EQ(table.points.size(), 2U);
    EXPECT_EQ(table.points[1].y, 5.0);
    EXPECT_EQ(table.columns[0].values[0], 3.0);
}

TEST_F(PointReading, takes_nothing_and_nan_for_nan_and_what_was_written_for_what_it_was) {
    const PointTable table = read("x_m,y_m,width_m\n1,2,\n1,2,nan\n1,2,0.3333333333333333\n");
    EXPECT_TRUE(std::isnan(table.columns[0].values[0]));
    EXPECT_TRUE(std::isnan(table.columns[0].values[1]));
    EXPECT_EQ(table.columns[0].values[2], 1.0 / 3.0);
    PointTable written{.layer = "line", .crs = "", .points = {{1.0 / 3.0, 2e6, 7.0}}, .columns = {}};
    written.columns.push_back({.name = "width_m", .values = {0.1}});
    write_points(folder / "w.csv", written);
    const PointTable again = read_points(folder / "w.csv", "x", "y", {"width_m", "z"});
    EXPECT_EQ(again.points[0].x, 1.0 / 3.0);
    EXPECT_EQ(again.columns[1].values[0], 7.0);
}

TEST_F(PointReading, refuses_in_one_sentence_what_it_cannot_read) {
    EXPECT_THAT(refusal("lon,lat,w\n1,2,3\n"),
                HasSubstr("p.csv has the columns lon,lat,w: a first line with x_m,y_m,width_m is needed"));
    EXPECT_THAT(refusal(""), HasSubstr("a first line with x_m,y_m,width_m is needed"));
    EXPECT_THAT(refusal("x_m,y_m,width_m\n1,2,3\n1,two,3\n"),
                HasSubstr("line 3 has y_m = \"two\": give a number"));
    EXPECT_THAT(refusal("x_m,y_m,width_m\n1,2,3 m\n"), HasSubstr("line 2 has width_m = \"3 m\""));
    EXPECT_THAT(refusal("x_m,y_m,width_m\n1,2\n"), HasSubstr("line 2 has 2 values, too few for width_m"));
    EXPECT_THAT(refusal_of([&] { read_points(folder / "none.csv", "x", "y", {}); }),
                HasSubstr("does not exist"));
    EXPECT_THAT(refusal_of([&] { read_points(folder / ".", "x", "y", {}); }), HasSubstr("is a folder"));
}

}  // namespace
}  // namespace thalweg
