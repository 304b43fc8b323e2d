// How good eroded terrain is, in the measures of thalweg/erosion/terrain_quality.hpp and
// tests/terrain_likeness.hpp, as Markdown:
//
//   build/release/benchmarks/erosion_quality [steady | times | turns | hypsometry] [cells along a side]...
//   (steady 512 1024)
//   build/release/benchmarks/erosion_quality copies FILE.png [cells along a side]               (768)
//
// steady: steady states of white noise over 25.6 km under the parameters of Tzathas et al. 2024, table 1, on
// 4 seeds: on the whole square, on a disc, and on a square that is turned by 30 degrees; and the paper's own
// lattice on the disc, whose rivers follow the grid. Then how much of the terrain of half the size the one of
// twice the size shows, with uplift and erodibility even and painted.
//
// times: 300 m of noise while it ages, by `multilevel` and `full_resolution`: how much of a terrain the one 1
// % and 5 % later shows. Then, on 4 seeds, how near it lies to stepping, and how much of the terrain of half
// the size the one of twice the size shows by `multilevel`.
//
// turns: the directions of rivers on a square that is turned against the grid. A square's edges force rivers
// perpendicular to themselves whichever way the grid lies; with the histogram turned back they stand still
// and the grid turns.
//
// hypsometry: inner deciles of the steady state of white noise against stepping that goes on from it, that
// was run level by level, and from the noise.
//
// copies: a picture of the turns: the hillshades of squares turned by 0, 20 and 45 degrees, turned back;
// above with the paper's 4 neighbours, below on the mesh.
#include "thalweg/core/error.hpp"
#include "thalweg/io/pictures.hpp"

#include <charconv>
#include <string>
#include <vector>

#include "benchmarks/erosion_quality/modes.hpp"
#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kSmallest = 64;  // cells
constexpr int kLargest = 8192;

std::vector<int> sizes_of(const std::vector<std::string>& arguments) {
    std::vector<int> sizes;
    for (const std::string& text : arguments) {
        int cells = 0;
        const char* const end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, cells);
        if (error != std::errc{} || rest != end || cells < kSmallest || cells > kLargest || cells % 2 != 0)
            throw Error::input(fmt::format("cells = \"{}\" is not allowed: give an even number from {} to {}",
                                           text, kSmallest, kLargest));
        sizes.push_back(cells);
    }
    if (sizes.empty()) sizes = {512, 1024};
    return sizes;
}

}  // namespace
}  // namespace thalweg

int main(int argument_count, char** arguments) {
    try {
        std::vector<std::string> given(arguments + 1, arguments + argument_count);
        const std::string first = given.empty() ? "" : given.front();
        if (first == "copies") {
            if (given.size() < 2) throw thalweg::Error::input("copies needs the name of a picture to write");
            const std::vector<std::string> sizes(given.begin() + 2, given.end());
            thalweg::write_png(given[1],
                               thalweg::draw_copies(sizes.empty() ? 768 : thalweg::sizes_of(sizes)[0]));
            return 0;
        }
        const bool has_mode =
            first == "steady" || first == "times" || first == "turns" || first == "hypsometry";
        if (has_mode) given.erase(given.begin());
        const std::vector<int> sizes = thalweg::sizes_of(given);
        if (first == "times") {
            thalweg::print_times(sizes);
        } else if (first == "turns") {
            thalweg::print_turns(sizes);
        } else if (first == "hypsometry") {
            thalweg::print_hypsometry(sizes);
        } else {
            thalweg::print_quality(sizes);
            thalweg::print_likeness(sizes);
        }
    } catch (const thalweg::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return error.exit_code();
    }
    return 0;
}
