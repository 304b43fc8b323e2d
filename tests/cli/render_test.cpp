// thalweg render: maps and views as pictures.
#include "thalweg/render/map.hpp"
#include "thalweg/render/view.hpp"

#include "tests/cli/program.hpp"
#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::HasSubstr;

class Render : public Program {
  protected:
    Render() { write_terrain("dem.tif"); }

    /// The picture that the program draws of the terrain with these flags.
    std::string picture(const std::vector<std::string>& flags) const {
        std::vector<std::string> arguments = {"render", "dem.tif", "-o", "-"};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        EXPECT_THAT(ran.output, testing::StartsWith("\x89PNG"));
        return ran.output;
    }

    void expect_refused(const std::vector<std::string>& flags, const std::vector<std::string>& words) const {
        std::vector<std::string> arguments = {"render", "dem.tif"};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 2) << ran.errors;
        for (const std::string& word : words) EXPECT_THAT(ran.errors, HasSubstr(word));
    }
};

TEST_F(Render, draws_rivers_of_a_file_or_finds_them) {
    ASSERT_EQ(run({"rivers", "dem.tif", "--min-area", "5e4", "-o", "rivers.gpkg"}).exit_code, 0);
    const std::string rivers = picture({"--size", "300", "--rivers", "rivers.gpkg"});
    EXPECT_NE(rivers, picture({"--size", "300"}));
    EXPECT_EQ(rivers, picture({"--size", "300", "--min-area", "5e4"}));
    ASSERT_EQ(run({"rivers", "dem.tif", "--min-area", "5e4", "-o", "rivers.geojson"}).exit_code, 0);
    EXPECT_NE(picture({"--size", "300", "--rivers", "rivers.geojson"}), picture({"--size", "300"}));
}

TEST_F(Render, draws_views_and_layers) {
    const std::string map = picture({"--size", "300"});
    EXPECT_NE(picture({"--size", "300", "--layer", "drainage_area"}), map);
    const std::string view = picture({"--view", "--width", "160", "--height", "100"});
    EXPECT_NE(view, picture({"--view", "--width", "160", "--height", "100", "--azimuth", "20"}));
}

TEST_F(Render, writes_the_names_of_formations_where_a_manifest_beside_tells_them) {
    write(
        "p.toml",
        "[project]\nname = \"p\"\n[grid]\nextent = [3200.0, 3200.0]\ncells = 32\n[output]\n"
        "layers = [\"formation\"]\npictures = []\n[[stage]]\nuse = \"shape\"\n[[stage]]\nuse = \"rock\"\n"
        "formations = [{ name = \"marl\", thickness = 5000.0 }, { name = \"chalk\", thickness = 5000.0 }]\n");
    const Ran built = run({"build", "p.toml", "--out", "out"});
    ASSERT_EQ(built.exit_code, 0) << built.errors;
    const auto drawn = [&](const char* file) {
        return run({"render", file, "--layer", "formation", "--size", "300", "-o", "-"}).output;
    };
    const std::string named = drawn("out/p_formation.tif");
    EXPECT_THAT(named, testing::StartsWith("\x89PNG"));
    std::filesystem::rename(path("out/manifest.json"), path("out/other.json"));
    const std::string numbered = drawn("out/p_formation.tif");
    EXPECT_NE(numbered, named);
    write("out/manifest.json",
          "{\"program\": \"thalweg\", \"files\": [{\"file\": \"p_formation.tif\", "
          "\"sha256\": \"\"}], \"stages\": [{\"use\": \"rock\"}]}");
    EXPECT_EQ(drawn("out/p_formation.tif"), numbered) << "a manifest that a hand has changed";
}

TEST_F(Render, draws_canyons_of_rain_as_land_and_says_how_to_draw_a_sea) {
    ASSERT_EQ(
        run({"rain", "--columns", "60", "--rows", "40", "--events", "500", "-o", "canyons.tif"}).exit_code,
        0);
    const std::vector<std::string> map = {"render", "canyons.tif", "--size", "300", "-o", "-"};
    const Ran land = run(map);
    EXPECT_EQ(land.exit_code, 0) << land.errors;
    EXPECT_THAT(land.errors, HasSubstr("is drawn as land: --sea-level 0 draws"));
    std::vector<std::string> with_sea = map;
    with_sea.insert(with_sea.end(), {"--sea-level", "0"});
    const Ran sea = run(with_sea);
    EXPECT_THAT(sea.errors, testing::Not(HasSubstr("is drawn as land")));
    EXPECT_NE(land.output, sea.output);
    with_sea.back() = "-inf";
    EXPECT_EQ(run(with_sea).output, land.output);
}

TEST_F(Render, writes_the_file_and_names_it) {
    const Ran ran = run({"render", "dem.tif", "--size", "300", "-o", "map.png", "--report", "report.json"});
    EXPECT_EQ(ran.output, "map.png\n") << ran.errors;
    EXPECT_EQ(read("map.png"), picture({"--size", "300"}));
    EXPECT_THAT(read("report.json"), HasSubstr("\"solve_ms\""));
}

TEST_F(Render, takes_every_parameter_of_maps_and_views_but_the_switch_for_rivers) {
    const std::string help = run({"render", "--help"}).output;
    for (const ParameterTable* table : {&parameters_of<MapParameters>(), &parameters_of<ViewParameters>()})
        for (const Parameter& parameter : table->parameters()) {
            std::string name = parameter.name;
            std::replace(name.begin(), name.end(), '_', '-');
            EXPECT_THAT(help, HasSubstr(parameter.type == ParameterType::Boolean && name != "rivers"
                                            ? "--[no-]" + name
                                            : "--" + name));
        }
}

TEST_F(Render, refuses_other_formats_flags_of_the_other_kind_and_missing_rivers) {
    expect_refused({"-o", "out.jpg"}, {"out.jpg", ".png"});
    expect_refused({"-o", "out.png", "--view", "--title", "Valley"}, {"--title", "map"});
    expect_refused({"-o", "out.png", "--pitch", "30"}, {"--pitch", "--view"});
    expect_refused({"-o", "out.png", "--rivers", "nowhere.gpkg"}, {"nowhere.gpkg"});
    EXPECT_EQ(files(), std::vector<std::string>{"dem.tif"});
}

}  // namespace
}  // namespace thalweg
