#include "thalweg/rock/formation.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace thalweg {
namespace {

bool is_positive(double value) {
    return value > 0.0 && std::isfinite(value);
}

bool is_colour(std::string_view text) {
    return text.size() == 7 && text.front() == '#' &&
           text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos;
}

void check_formation(const Formation& formation) {
    const auto refuse = [&](const char* what, double value) {
        throw Error::input(fmt::format("formation {}: {} = {} is not allowed: give more than 0",
                                       formation.name, what, value));
    };
    if (!is_positive(formation.thickness)) refuse("thickness", formation.thickness);
    if (!is_positive(formation.erodibility_factor))
        refuse("erodibility_factor", formation.erodibility_factor);
    if (!is_positive(formation.critical_slope)) refuse("critical_slope", formation.critical_slope);
    if (!is_colour(formation.colour))
        throw Error::input(
            fmt::format("formation {}: colour = \"{}\" is not allowed: give one as \"#c8b090\"",
                        formation.name, formation.colour));
}

}  // namespace

void Formation::declare(Declaration<Formation>& d) {
    d.text("name", &Formation::name,
           {.label = "Name", .unit = "", .sentence = "What maps and reports call it."});
    d.number("thickness", &Formation::thickness,
             {.label = "Thickness",
              .unit = "m",
              .sentence = "Mean thickness, across the beds.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {10.0, 2000.0, SliderScale::Logarithmic},
              .minimum_excluded = true});
    d.number("erodibility_factor", &Formation::erodibility_factor,
             {.label = "Erodibility factor",
              .unit = "1",
              .sentence =
                  "Erodibility over that of ordinary rock: below 1 it stands out, above 1 valleys follow it.",
              .minimum = 0.0,
              .maximum = 1000.0,
              .usual = {0.1, 10.0, SliderScale::Logarithmic},
              .minimum_excluded = true});
    d.number("critical_slope", &Formation::critical_slope,
             {.label = "Critical slope",
              .unit = "m/m",
              .sentence = "Slope beyond which its hillslopes fail.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.3, 3.0},
              .minimum_excluded = true});
    d.text("colour", &Formation::colour,
           {.label = "Colour", .unit = "", .sentence = "On maps and cut sides, as \"#c8b090\"."});
}

void check_formations(const std::vector<Formation>& formations) {
    if (formations.size() > kMostFormations)
        throw Error::input(fmt::format("{} formations are not allowed: give {} at most", formations.size(),
                                       kMostFormations));
    for (std::size_t i = 0; i < formations.size(); ++i) {
        if (formations[i].name.empty())
            throw Error::input(fmt::format("formation {} has no name: give it one", i + 1));
        check_formation(formations[i]);
        const auto same = [&](const Formation& other) { return other.name == formations[i].name; };
        if (std::any_of(formations.begin(), formations.begin() + static_cast<std::ptrdiff_t>(i), same))
            throw Error::input(
                fmt::format("two formations are called {}: give each a name of its own", formations[i].name));
    }
}

}  // namespace thalweg
