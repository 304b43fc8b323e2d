#include "thalweg/core/error.hpp"
#include "thalweg/core/parameters.hpp"
#include "thalweg/project/toml_document.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

enum class Colour { Red, Green };

struct Dab {
    double size = 1.0;

    static void declare(Declaration<Dab>& d) {
        d.number("size", &Dab::size, {.unit = "m", .sentence = "Size.", .minimum = 0.0});
    }
};

struct Inner {
    double depth = 2.0;

    static void declare(Declaration<Inner>& d) {
        d.number("depth", &Inner::depth,
                 {.unit = "m", .sentence = "Depth.", .minimum = 0.0, .minimum_excluded = true});
    }
};

struct Sample {
    bool on = true;
    int count = 3;
    double share = 0.5;
    double time = 1.0;
    std::string name = "a";
    std::string path = "b.tif";
    Colour colour = Colour::Green;
    NumberOrLayer uplift = {.number = 1e-3};
    std::vector<double> extent = {1.0, 2.0};
    std::vector<Dab> dabs;
    Inner inner;

    static void declare(Declaration<Sample>& d) {
        d.boolean("on", &Sample::on, {.unit = "", .sentence = "On."});
        d.integer("count", &Sample::count, {.unit = "1", .sentence = "Count.", .minimum = 1, .maximum = 9});
        d.number("share", &Sample::share,
                 {.unit = "1", .sentence = "Share.", .minimum = 0.0, .maximum = 1.0, .formerly = "portion"});
        d.number("time", &Sample::time,
                 {.unit = "yr", .sentence = "Time.", .minimum = 0.0, .infinity_allowed = true});
        d.text("name", &Sample::name, {.unit = "", .sentence = "Name."});
        d.file("path", &Sample::path, {.unit = "", .sentence = "Path."});
        d.choice("colour", &Sample::colour, {{"red", Colour::Red}, {"green", Colour::Green, "", "lime"}},
                 {.unit = "", .sentence = "Colour."});
        d.number_or_layer("uplift", &Sample::uplift, {.unit = "m/yr", .sentence = "Uplift.", .minimum = 0.0});
        d.numbers("extent", &Sample::extent,
                  {.unit = "m", .sentence = "Extent.", .minimum = 0.0, .list_size = 2});
        d.tables("dabs", &Sample::dabs, {.unit = "", .sentence = "Dabs."});
        d.include(&Sample::inner);
    }
};

const ParameterTable& table() {
    return parameters_of<Sample>();
}

/// The message with which `name` = `value` is refused.
std::string refusal(const std::string& name, const Value& value) {
    Sample sample;
    try {
        table().at(name).set(&sample, value);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Input);
        return error.what();
    }
    return "accepted";
}

TEST(Parameters, every_kind_of_value_reaches_its_member) {
    Sample sample;
    table().assign(&sample, {{{"on", false},
                              {"count", std::int64_t{7}},
                              {"share", 0.25},
                              {"time", std::numeric_limits<double>::infinity()},
                              {"name", std::string("x")},
                              {"path", std::string("y.tif")},
                              {"colour", std::string("red")},
                              {"uplift", std::string("uplift.tif")},
                              {"extent", std::vector<double>{3.0, 4.0}},
                              {"dabs", std::vector<ValueTable>{{{{"size", 5.0}}}}},
                              {"depth", 6.0}}});
    EXPECT_FALSE(sample.on);
    EXPECT_EQ(sample.count, 7);
    EXPECT_EQ(sample.share, 0.25);
    EXPECT_TRUE(std::isinf(sample.time));
    EXPECT_EQ(sample.name + sample.path, "xy.tif");
    EXPECT_EQ(sample.colour, Colour::Red);
    EXPECT_EQ(sample.uplift.layer, "uplift.tif");
    EXPECT_EQ(sample.extent, (std::vector<double>{3.0, 4.0}));
    ASSERT_EQ(sample.dabs.size(), 1U);
    EXPECT_EQ(sample.dabs[0].size, 5.0);
    EXPECT_EQ(sample.inner.depth, 6.0);
}

TEST(Parameters, and_choices_are_taken_by_their_names_of_earlier_versions_and_told) {
    Sample sample;
    sample.colour = Colour::Red;
    table().at("portion").set(&sample, 0.25);
    table().at("colour").set(&sample, std::string("lime"));
    EXPECT_EQ(sample.share, 0.25);
    EXPECT_EQ(sample.colour, Colour::Green);
    EXPECT_EQ(table().at("colour").get(&sample), Value(std::string("green")));
    EXPECT_EQ(table().at("portion").former_name_note("portion", 0.25), "portion is called share now");
    EXPECT_EQ(table().at("colour").former_name_note("colour", std::string("lime")),
              "colour = \"lime\" is called \"green\" now");
    EXPECT_EQ(table().at("share").former_name_note("share", 0.25), "");
    EXPECT_EQ(table().at("colour").former_name_note("colour", std::string("red")), "");
    EXPECT_EQ(table().find(""), nullptr);
    EXPECT_THAT(refusal("colour", std::string("blue")), ::testing::HasSubstr("one of red, green"));
}

TEST(Parameters, values_read_back_as_they_were_set) {
    Sample sample;
    const ValueTable before = table().values(&sample);
    Sample copy;
    copy.count = 1;
    copy.name = "other";
    table().assign(&copy, before);
    EXPECT_EQ(table().values(&copy).entries, before.entries);
}

TEST(Parameters, defaults_are_those_of_the_struct) {
    EXPECT_EQ(table().at("count").default_value, Value(std::int64_t{3}));
    EXPECT_EQ(table().at("colour").default_value, Value(std::string("green")));
    EXPECT_EQ(table().at("depth").default_value, Value(2.0));
}

TEST(Parameters, a_whole_number_is_taken_for_a_number_but_not_the_other_way) {
    Sample sample;
    table().at("share").set(&sample, Value(std::int64_t{1}));
    EXPECT_EQ(sample.share, 1.0);
    EXPECT_THAT(refusal("count", 2.5), HasSubstr("a whole number"));
}

TEST(Parameters, a_number_after_a_layer_wins_again) {
    Sample sample;
    table().at("uplift").set(&sample, Value(std::string("u.tif")));
    table().at("uplift").set(&sample, Value(2e-3));
    EXPECT_TRUE(sample.uplift.is_number());
    EXPECT_EQ(sample.uplift.number, 2e-3);
}

TEST(Parameters, refusals_name_the_key_the_value_and_what_is_allowed) {
    EXPECT_EQ(refusal("share", 1.5), "share = 1.5 is not allowed: give from 0 to 1");
    EXPECT_EQ(refusal("count", std::int64_t{0}), "count = 0 is not allowed: give from 1 to 9");
    EXPECT_EQ(refusal("depth", 0.0), "depth = 0.0 m is not allowed: give greater than 0 m");
    EXPECT_THAT(refusal("time", -1.0), HasSubstr("time = -1.0 yr is not allowed: give 0 yr or more, or inf"));
    EXPECT_THAT(refusal("share", std::nan("")), HasSubstr("share = nan"));
    EXPECT_THAT(refusal("share", std::numeric_limits<double>::infinity()), HasSubstr("share = inf"));
    EXPECT_THAT(refusal("colour", std::string("gren")), HasSubstr("did you mean \"green\"?"));
    EXPECT_THAT(refusal("on", std::string("yes")), HasSubstr("true or false"));
    EXPECT_THAT(refusal("extent", std::vector<double>{1.0}), HasSubstr("2 numbers"));
    EXPECT_THAT(refusal("extent", std::vector<double>{1.0, -2.0}), HasSubstr("numbers 0 m or more"));
    EXPECT_THAT(refusal("uplift", -1.0), HasSubstr("uplift = -1.0 m/yr"));
}

TEST(Parameters, empty_text_is_neither_a_number_nor_a_layer) {
    EXPECT_EQ(refusal("uplift", std::string()),
              "uplift = \"\" m/yr is not allowed: give a number, or the name of a layer or raster file");
}

/// Members at the edges of what a declaration can say.
struct Edges {
    double time = 1.0;
    double level = 0.0;
    int count = 0;
    std::uint16_t port = 80;
    std::uint64_t seed = 1;
    std::vector<std::string> formats = {"png"};
    std::vector<std::string> layers;
    std::vector<double> years;
    Inner inner;

    static void declare(Declaration<Edges>& d) {
        d.number("time", &Edges::time,
                 {.unit = "yr", .sentence = "T.", .minimum = 0.0, .maximum = 9.0, .infinity_allowed = true});
        d.number("level", &Edges::level,
                 {.unit = "m", .sentence = "L.", .maximum = 9.0, .infinity_allowed = true});
        d.integer("count", &Edges::count, {.unit = "1", .sentence = "C."});
        d.integer("port", &Edges::port, {.unit = "1", .sentence = "P.", .minimum = 1, .maximum = 1e6});
        d.integer("seed", &Edges::seed, {.unit = "1", .sentence = "S."});
        d.texts("formats", &Edges::formats, {{"png"}, {"exr"}}, {.unit = "", .sentence = "F."});
        d.texts("layers", &Edges::layers, {}, {.unit = "", .sentence = "L."});
        d.numbers("years", &Edges::years, {.unit = "yr", .sentence = "Y."});
        d.include(&Edges::inner, {"depth"});
    }
};

std::string edge_refusal(const std::string& name, const Value& value) {
    Edges edges;
    try {
        parameters_of<Edges>().at(name).set(&edges, value);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Parameters, infinity_passes_any_maximum_but_not_a_minimum) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(edge_refusal("time", infinity), "accepted");
    EXPECT_EQ(edge_refusal("time", 9.5), "time = 9.5 yr is not allowed: give from 0 to 9 yr, or inf");
    EXPECT_THAT(edge_refusal("time", -infinity), HasSubstr("time = -inf yr"));
    EXPECT_EQ(edge_refusal("level", -infinity), "accepted");
}

TEST(Parameters, whole_numbers_beyond_their_member_are_refused) {
    EXPECT_EQ(edge_refusal("count", std::int64_t{2147483647}), "accepted");
    EXPECT_EQ(edge_refusal("count", std::int64_t{2147483648}),
              "count = 2147483648 is not allowed: give from -2147483648 to 2147483647");
    EXPECT_EQ(edge_refusal("port", std::int64_t{65536}), "port = 65536 is not allowed: give from 1 to 65535");
    EXPECT_EQ(edge_refusal("seed", std::numeric_limits<std::int64_t>::max()), "accepted");
    EXPECT_EQ(edge_refusal("seed", std::int64_t{-1}), "seed = -1 is not allowed: give 0 or more");
}

TEST(Parameters, texts_are_held_to_their_choices_where_there_are_some) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(edge_refusal("formats", Texts{"exr", "png"}), "accepted");
    EXPECT_EQ(edge_refusal("formats", Texts{"exr", "pnk"}),
              "formats = [\"exr\", \"pnk\"] is not allowed: give a list of texts out of png, exr (did you "
              "mean \"png\"?)");
    EXPECT_EQ(edge_refusal("layers", Texts{"anything"}), "accepted");
    EXPECT_THAT(edge_refusal("layers", std::vector<double>{1.0}), HasSubstr("a list of texts"));
    EXPECT_EQ(edge_refusal("layers", std::vector<double>{}), "accepted");
}

TEST(Parameters, included_struct_leaves_out_the_excepted_names) {
    EXPECT_EQ(parameters_of<Edges>().find("depth"), nullptr);
    EXPECT_NE(table().find("depth"), nullptr);
}

TEST(Parameters, rows_of_a_table_are_checked_like_the_struct_itself) {
    const auto rows = [](const std::string& key, double size) {
        return std::vector<ValueTable>{{{{"size", 1.0}}}, {{{key, size}}}};
    };
    EXPECT_EQ(refusal("dabs", rows("size", 2.0)), "accepted");
    EXPECT_EQ(refusal("dabs", rows("siez", 2.0)), "unknown key \"siez\": did you mean \"size\"?");
    EXPECT_EQ(refusal("dabs", rows("size", -2.0)), "size = -2.0 m is not allowed: give 0 m or more");
}

TEST(Parameters, assignment_that_throws_half_way_leaves_the_object_as_it_was) {
    const Sample untouched;
    const std::vector<std::pair<std::string, Value>> bad = {
        {"share", 7.0}, {"unheard_of", 1.0}, {"dabs", std::vector<ValueTable>{{{{"size", -1.0}}}}}};
    for (const auto& entry : bad) {
        Sample sample;
        EXPECT_THROW(table().assign(&sample, {{{"count", std::int64_t{8}}, {"depth", 9.0}, entry}}), Error);
        EXPECT_EQ(table().values(&sample), table().values(&untouched)) << entry.first;
    }
}

TEST(Parameters, an_unknown_key_names_the_nearest_known_one) {
    try {
        (void)table().at("cuont");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()), "unknown key \"cuont\": did you mean \"count\"?");
    }
    try {
        (void)table().at("qqqqqqqqqq");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("known are on, count, share"));
    }
}

TEST(ParseValue, reads_flags_in_the_type_of_their_parameter) {
    EXPECT_EQ(parse_value(table().at("count"), "4"), Value(std::int64_t{4}));
    EXPECT_EQ(parse_value(table().at("share"), "1e-1"), Value(0.1));
    EXPECT_EQ(parse_value(table().at("time"), "inf"), Value(std::numeric_limits<double>::infinity()));
    EXPECT_EQ(parse_value(table().at("on"), "false"), Value(false));
    EXPECT_EQ(parse_value(table().at("extent"), "5,6.5"), Value(std::vector<double>{5.0, 6.5}));
    EXPECT_EQ(parse_value(table().at("uplift"), "u.tif"), Value(std::string("u.tif")));
    EXPECT_EQ(parse_value(table().at("uplift"), "3e-4"), Value(3e-4));
    for (const char* text : {"4x", "", "1e", "0x4", "--4"})
        EXPECT_THROW(parse_value(table().at("count"), text), Error);
    EXPECT_THROW(parse_value(table().at("share"), "0.5 m"), Error);
    EXPECT_THROW(parse_value(table().at("on"), "TRUE"), Error);
    EXPECT_EQ(parse_value(table().at("share"), "+0.5"), Value(0.5));
    for (const char* text : {"+-5", "-+5", "++5", "+", ""})
        EXPECT_THROW(parse_value(table().at("share"), text), Error) << text;
    for (const char* text : {"5,,6", "5,6,", ",5,6", ",", ""})
        EXPECT_THROW(parse_value(table().at("extent"), text), Error) << text;
}

TEST(ParseValue, reads_lists_of_texts) {
    using Texts = std::vector<std::string>;
    const Parameter& layers = parameters_of<Edges>().at("layers");
    EXPECT_EQ(parse_value(layers, "a"), Value(Texts{"a"}));
    EXPECT_EQ(parse_value(layers, "a,b c"), Value(Texts{"a", "b c"}));
    EXPECT_EQ(parse_value(layers, ""), Value(Texts{}));
    for (const char* text : {"a,", ",a", "a,,b", ","}) EXPECT_THROW(parse_value(layers, text), Error) << text;
}

/// A row of three, and a list of rows that no text can hold.
struct Spring {
    double x = 0.0;
    double flow = 1.0;
    std::string name;

    static void declare(Declaration<Spring>& d) {
        d.number("x", &Spring::x, {.unit = "m", .sentence = "X."});
        d.number("flow", &Spring::flow, {.unit = "m^3/s", .sentence = "Flow.", .minimum = 0.0});
        d.text("name", &Spring::name, {.unit = "", .sentence = "Name."});
    }
};

struct Line {
    std::vector<double> points;

    static void declare(Declaration<Line>& d) {
        d.numbers("points", &Line::points, {.unit = "m", .sentence = "Points."});
    }
};

struct Springs {
    std::vector<Spring> springs;
    std::vector<Line> lines;

    static void declare(Declaration<Springs>& d) {
        d.tables("springs", &Springs::springs, {.unit = "", .sentence = "Springs."});
        d.tables("lines", &Springs::lines, {.unit = "", .sentence = "Lines."});
    }
};

TEST(ParseValue, reads_the_rows_of_a_list_of_tables) {
    const Parameter& springs = parameters_of<Springs>().at("springs");
    Springs object;
    springs.set(&object, parse_value(springs, "5,0.5,a;-7,2,"));
    ASSERT_EQ(object.springs.size(), 2U);
    EXPECT_EQ(object.springs[0].flow, 0.5);
    EXPECT_EQ(object.springs[0].name, "a");
    EXPECT_EQ(object.springs[1].x, -7.0);
    springs.set(&object, parse_value(springs, ""));
    EXPECT_TRUE(object.springs.empty());
    for (const char* text : {"5,0.5", "5,0.5,a,b", "5,0.5,a;", ";", "five,0.5,a"})
        EXPECT_THROW(parse_value(springs, text), Error) << text;
    try {
        parse_value(springs, "5");
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "springs = \"5\" is not allowed: give x,flow,name, one row behind the other with ; "
                     "between them");
    }
    EXPECT_THROW(springs.set(&object, parse_value(springs, "5,-1,a")), Error);
    const Parameter& lines = parameters_of<Springs>().at("lines");
    EXPECT_TRUE(has_text_form(springs));
    EXPECT_FALSE(has_text_form(lines));
    EXPECT_THROW(parse_value(lines, "1"), Error);
}

TEST(ToText, writes_values_as_a_project_file_would) {
    EXPECT_EQ(to_text(Value(1.0)), "1.0");
    EXPECT_EQ(to_text(Value(1e-20)), "1e-20");
    EXPECT_EQ(to_text(Value(std::numeric_limits<double>::infinity())), "inf");
    EXPECT_EQ(to_text(Value(std::string("a \"b\" \\c"))), R"("a \"b\" \\c")");
    EXPECT_EQ(to_text(Value(std::vector<double>{1.0, 2.5})), "[1.0, 2.5]");
    EXPECT_EQ(to_text(Value(std::vector<ValueTable>{{{{"size", 5.0}, {"on", true}}}})),
              "[{size = 5.0, on = true}]");
}

TEST(ToText, is_read_back_from_a_project_file_as_it_was) {
    const std::vector<Value> values = {
        true,
        std::int64_t{-7},
        std::numeric_limits<std::int64_t>::max(),
        0.1,
        1e-300,
        -std::numeric_limits<double>::infinity(),
        std::string("quote \" backslash \\ tab \t line \n escape \x1b delete \x7f \xc3\xa9"),
        std::vector<double>{1.0, 2.5e20},
        std::vector<std::string>{"a", "\x7f", ""},
        std::vector<ValueTable>{{{{"size", 5.0}, {"on", true}}}, {{{"size", 6.0}}}},
    };
    for (const Value& value : values) {
        const TomlTable document = parse_toml("key = " + to_text(value), "test.toml");
        const TomlEntry& entry = document.entries.at(0);
        if (entry.kind == TomlKind::Plain) {
            EXPECT_EQ(entry.value, value) << to_text(value);
            continue;
        }
        std::vector<ValueTable> rows;
        for (const TomlTable& row : entry.tables)
            for (ValueTable& read = rows.emplace_back(); const TomlEntry& cell : row.entries)
                read.entries.emplace_back(cell.key, cell.value);
        EXPECT_EQ(Value(rows), value) << to_text(value);
    }
    EXPECT_EQ(to_text(Value(std::string("\x7f"))), R"("\u007F")");
}

TEST(NearestName, finds_misspelt_names_and_leaves_strangers_alone) {
    const std::vector<std::string> names = {"erode", "rivers", "noise"};
    EXPECT_EQ(nearest_name("erdoe", names), "erode");
    EXPECT_EQ(nearest_name("river", names), "rivers");
    EXPECT_EQ(nearest_name("zzzzz", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    const std::vector<std::string> flags = {"--help", "--seed",     "--time",
                                            "--out",  "--min-area", "--reproject"};
    EXPECT_EQ(nearest_name("--tiem", flags), "--time");
    EXPECT_EQ(nearest_name("--area", flags), "--min-area");
    EXPECT_EQ(nearest_name("--rep", flags), "--reproject");
    EXPECT_EQ(nearest_name("--ouput", flags), "--out");
    for (const char* far : {"--dem", "--foo", "--tile-x", "--bar", "--", "--x", "--are"})
        EXPECT_EQ(nearest_name(far, flags), "") << far;
}

TEST(Error, knows_its_exit_code) {
    EXPECT_EQ(Error::input("x").exit_code(), 2);
    EXPECT_EQ(Error::failure("x").exit_code(), 1);
}

}  // namespace
}  // namespace thalweg
