// Projects drawn at random: what holds for the examples holds for combinations that nobody thought of.
#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "scratch_folder.hpp"
#include "tests/long_test.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// The draws of one project, one after another.
class Draws {
  public:
    explicit Draws(std::uint64_t number) : number_(number) {}

    double between(double least, double most) { return least + (most - least) * unit_double(next()); }
    bool once_in(std::uint64_t times) { return next() % times == 0; }
    std::string_view one_of(const std::vector<std::string_view>& choices) {
        return choices[next() % choices.size()];
    }

  private:
    std::uint64_t next() { return random_bits(number_, Stream::WhiteNoise, drawn_++); }

    std::uint64_t number_;
    std::uint64_t drawn_ = 0;
};

/// Ground, and layers of uplift, rock and rain that lie on it.
std::string source_stages(Draws& draws) {
    std::string text;
    if (draws.once_in(2))
        text += fmt::format("[[stage]]\nuse = \"shape\"\nkind = \"{}\"\nheight = {:.1f}\n",
                            draws.one_of({"plane", "cone", "dome", "escarpment", "crater", "island"}),
                            draws.between(100.0, 1500.0));
    text += fmt::format(
        "[[stage]]\nuse = \"noise\"\nkind = \"{}\"\namplitude = {:.2f}\nwavelength = {:.1f}\nwarp = {:.1f}\n",
        draws.one_of({"gradient", "simplex", "ridged", "billow", "cellular", "cellular_edges", "white",
                      "multifractal"}),
        draws.between(5.0, 400.0), draws.between(1000.0, 8000.0),
        draws.once_in(3) ? draws.between(50.0, 500.0) : 0.0);
    text += fmt::format(
        "[[stage]]\nuse = \"strokes\"\nlayer = \"uplift\"\nstrokes = [{{points = [{:.1f}, {:.1f}, {:.1f}, "
        "{:.1f}], radius = 900.0, falloff = 5000.0, strength = {:.6f}}}]\n",
        draws.between(0.0, 9000.0), draws.between(0.0, 9000.0), draws.between(0.0, 9000.0),
        draws.between(0.0, 9000.0), draws.between(2e-4, 2e-3));
    if (draws.once_in(2))
        text +=
            "[[stage]]\nuse = \"noise\"\nlayer = \"erodibility\"\nmode = \"set\"\nmean = 2e-5\n"
            "amplitude = 1e-5\n";
    if (draws.once_in(3))
        text +=
            "[[stage]]\nuse = \"noise\"\nlayer = \"precipitation\"\nmode = \"set\"\nmean = 1.0\n"
            "amplitude = 0.5\n";
    return text;
}

/// Erosion to any time on any lattice, and where the water goes afterwards.
std::string water_stages(Draws& draws, const std::string& sources) {
    const bool has_sea = draws.once_in(3);
    const std::string sea_level = has_sea ? "sea_level = -5.0\n" : "";
    std::string text = fmt::format(
        "[[stage]]\nuse = \"erode\"\ntime = {}\ntime_definition = \"{}\"\nlattice = \"{}\"\n"
        "receivers = \"{}\"\nhillslope_diffusivity = {:.3f}\nthermal = {}\n",
        draws.once_in(2) ? "inf" : fmt::format("{:.1f}", draws.between(1e3, 4e5)),
        draws.one_of({"multilevel", "full_resolution"}), draws.one_of({"mesh", "mesh", "four_neighbours"}),
        draws.one_of({"steepest", "random"}), draws.between(0.0, 1.0), draws.one_of({"true", "false"}));
    text += "uplift = \"uplift\"\n" + sea_level;
    for (const char* layer : {"erodibility", "precipitation"})
        if (sources.find(fmt::format("layer = \"{}\"", layer)) != std::string::npos)
            text += fmt::format("{} = \"{}\"\n", layer, layer);
    const std::string_view depressions = draws.one_of({"breach", "fill"});
    text += fmt::format("[[stage]]\nuse = \"flow\"\ndepressions = \"{}\"\n{}", depressions, sea_level);
    text += fmt::format("[[stage]]\nuse = \"rivers\"\ndepressions = \"{}\"\nmin_area = {:.1f}\n{}",
                        depressions, draws.between(1e5, 1e6), sea_level);
    return text;
}

/// A whole project: its size, seed, stages and outputs follow from its number.
std::string random_project(std::uint64_t number) {
    Draws draws(number);
    std::string text = fmt::format(
        "[project]\nname = \"random-{}\"\nseed = {}\n[grid]\nextent = [{:.1f}, {:.1f}]\ncells = {:.0f}\n",
        number, number, draws.between(6000.0, 12000.0), draws.between(6000.0, 12000.0),
        draws.between(100.0, 300.0));
    const std::string sources = source_stages(draws);
    text += sources + water_stages(draws, sources);
    text += fmt::format("[output]\nformats = [\"{}\", \"{}\"]\nnetworks = [\"{}\"]\npictures = {}\n",
                        draws.one_of({"geotiff", "cog"}), draws.one_of({"png16", "r16", "exr"}),
                        draws.one_of({"gpkg", "geojson"}),
                        draws.one_of({"[]", "[\"map\"]", "[\"layers\"]", "[\"view\"]"}));
    return text;
}

/// The manifest of a build, which names the SHA-256 of every file that it wrote.
std::string manifest_of(const std::string& text, int threads) {
    const ScratchFolder folder;
    ProjectOverrides overrides;
    overrides.output_directory = folder / "out";
    const ExecutionScope on_threads({.threads = threads});
    run_project(parse_project(text, "random.toml", "", overrides));
    return bytes_of(folder / "out/manifest.json");
}

using LongRandomProjects = LongTest;

TEST_F(LongRandomProjects, of_20_numbers_give_equal_bytes_on_1_2_and_8_threads) {
    for (std::uint64_t number = 0; number < 20; ++number) {
        const std::string text = random_project(number);
        SCOPED_TRACE(text);
        const std::string one = manifest_of(text, 1);
        EXPECT_NE(one.find("rivers"), std::string::npos);
        for (const int threads : {2, 8}) EXPECT_EQ(manifest_of(text, threads), one) << threads << " threads";
    }
}

}  // namespace
}  // namespace thalweg
