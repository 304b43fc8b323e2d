#include "thalweg/rock/rock_parameters.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/rock/rock_keys.hpp"
#include "thalweg/rock/rock_presets.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace thalweg {
namespace {

using Member = double RockParameters::*;

/// What a preset decides, but for the formations.
constexpr Member kOfPreset[] = {
    &RockParameters::dip,           &RockParameters::bed_thickness, &RockParameters::bed_contrast,
    &RockParameters::fold_height,   &RockParameters::fold_length,   &RockParameters::fault_spacing,
    &RockParameters::fault_throw,   &RockParameters::joint_spacing, &RockParameters::joint_strength,
    &RockParameters::heterogeneity, &RockParameters::pluton_share,  &RockParameters::dyke_spacing,
    &RockParameters::cover};

/// One that a preset decides where it is left out.
struct PresetNumber {
    const char* name;
    Member member;
    const char* label;
    const char* group;
    const char* unit;
    const char* sentence;
    double maximum;
    UsualRange usual;
};

const PresetNumber kNumbers[] = {
    {"strike",
     &RockParameters::strike,
     "Strike",
     "Structure",
     "degrees",
     "Direction along which beds run level, clockwise from north; -1 takes one by the seed.",
     360.0,
     {0.0, 180.0}},
    {"dip",
     &RockParameters::dip,
     "Dip",
     "Structure",
     "degrees",
     "How steeply beds fall to the right of the strike; -1 takes the preset's.",
     90.0,
     {0.0, 60.0}},
    {"bed_thickness",
     &RockParameters::bed_thickness,
     "Bed thickness",
     "Rock",
     "m",
     "Thickness of the beds within formations; 0 makes none, -1 takes the preset's.",
     10000.0,
     {5.0, 200.0}},
    {"bed_contrast",
     &RockParameters::bed_contrast,
     "Contrast of beds",
     "Rock",
     "1",
     "Standard deviation between beds of the logarithm of erodibility; -1 takes the preset's.",
     3.0,
     {0.0, 1.0}},
    {"fold_height",
     &RockParameters::fold_height,
     "Fold height",
     "Structure",
     "m",
     "Height of folds from trough to crest; 0 makes none, -1 takes the preset's.",
     20000.0,
     {0.0, 2000.0}},
    {"fold_length",
     &RockParameters::fold_length,
     "Fold length",
     "Structure",
     "m",
     "Distance between the crests of folds; -1 takes the preset's.",
     1000000.0,
     {1000.0, 20000.0}},
    {"fault_spacing",
     &RockParameters::fault_spacing,
     "Fault spacing",
     "Structure",
     "m",
     "Distance between faults of the first of two sets; 0 makes none, -1 takes the preset's.",
     1000000.0,
     {1000.0, 20000.0}},
    {"fault_throw",
     &RockParameters::fault_throw,
     "Fault throw",
     "Structure",
     "m",
     "Standard deviation of the heights of the blocks between faults; -1 takes the preset's.",
     20000.0,
     {0.0, 1000.0}},
    {"joint_spacing",
     &RockParameters::joint_spacing,
     "Joint spacing",
     "Weakness",
     "m",
     "Distance between joints that rivers find; 0 makes none, -1 takes the preset's.",
     100000.0,
     {100.0, 2000.0}},
    {"joint_strength",
     &RockParameters::joint_strength,
     "Joint strength",
     "Weakness",
     "1",
     "What the weakest joint adds to the logarithm of erodibility; -1 takes the preset's.",
     5.0,
     {0.0, 2.0}},
    {"heterogeneity",
     &RockParameters::heterogeneity,
     "Heterogeneity",
     "Weakness",
     "1",
     "Standard deviation within formations of the logarithm of erodibility; -1 takes the preset's.",
     2.0,
     {0.0, 0.6}},
    {"pluton_share",
     &RockParameters::pluton_share,
     "Plutons",
     "Rock",
     "1",
     "Share of the ground that plutons of hard rock underlie; -1 takes the preset's.",
     0.9,
     {0.0, 0.5}},
    {"dyke_spacing",
     &RockParameters::dyke_spacing,
     "Dyke spacing",
     "Weakness",
     "m",
     "Distance between dykes, sheets of hard rock 20 m wide; 0 makes none, -1 takes the preset's.",
     1000000.0,
     {500.0, 10000.0}},
    {"cover",
     &RockParameters::cover,
     "Cover",
     "Rock",
     "m",
     "Mean thickness of level sediment on top of all other rock; 0 makes none, -1 takes the preset's.",
     10000.0,
     {0.0, 500.0}},
};

void declare_preset(Declaration<RockParameters>& d) {
    d.choice(
        "preset", &RockParameters::preset,
        {{"alpine", RockPreset::Alpine, "Folded gneiss, schist, limestone and marl, with plutons."},
         {"table_land", RockPreset::TableLand, "Level sandstone, limestone and shale: mesas and steps."},
         {"fold_belt", RockPreset::FoldBelt, "Long folds of hard and soft beds: ridges and valleys."},
         {"volcanic", RockPreset::Volcanic, "Flows of basalt and andesite, tuff and ash, with dykes."},
         {"badlands", RockPreset::Badlands, "Thin level beds of clay, silt and sandstone."},
         {"shield", RockPreset::Shield, "Steep gneiss, greenstone and schist, much jointed, with plutons."}},
        {.label = "Kind of country",
         .group = "Rock",
         .unit = "",
         .sentence = "From which everything is taken that is left out."});
}

}  // namespace

void RockParameters::declare(Declaration<RockParameters>& d) {
    declare_preset(d);
    d.tables(
        "formations", &RockParameters::formations,
        {.label = "Formations",
         .group = "Rock",
         .unit = "",
         .sentence = "Kinds of rock from the top down; the column repeats itself. Empty: the preset's."});
    for (const PresetNumber& number : kNumbers)
        d.number(number.name, number.member,
                 {.label = number.label,
                  .group = number.group,
                  .unit = number.unit,
                  .sentence = number.sentence,
                  .minimum = kByPreset,
                  .maximum = number.maximum,
                  .usual = number.usual,
                  .automatic = kByPreset});
    d.number(
        "unconformity", &RockParameters::unconformity,
        {.label = "Unconformity",
         .group = "Structure",
         .unit = "m",
         .sentence = "Depth below the top of the column of an old land surface, under which older, tilted "
                     "beds lie; 0: none.",
         .minimum = 0.0,
         .maximum = 10000.0,
         .usual = {0.0, 2000.0}});
    d.number("unconformity_tilt", &RockParameters::unconformity_tilt,
             {.label = "Tilt of older beds",
              .group = "Structure",
              .unit = "degrees",
              .sentence = "How much more steeply the beds below the unconformity fall than those above it.",
              .minimum = 0.0,
              .maximum = 90.0,
              .usual = {0.0, 60.0},
              .enabled_when = {differs("unconformity", {0.0})}});
    d.number("top", &RockParameters::top,
             {.label = "Top of the column",
              .group = "Rock",
              .unit = "m",
              .sentence = "Height at which the first formation begins, where beds are level.",
              .minimum = -1e5,
              .maximum = 1e5,
              .usual = {-2000.0, 4000.0}});
}

void check_rock(const RockParameters& parameters) {
    check_formations(parameters.formations);
    for (const PresetNumber& number : kNumbers) {
        const double value = parameters.*number.member;
        if (value >= 0.0 || value == kByPreset) continue;
        const std::string unit = number.unit == std::string_view("1") ? "" : fmt::format(" {}", number.unit);
        throw Error::input(fmt::format(
            "{} = {}{} is not allowed: give 0{} or more, or -1 for {}", number.name, value, unit, unit,
            number.member == &RockParameters::strike ? "one by the seed" : "that of the preset"));
    }
    const RockParameters whole = resolved(parameters, 0);
    if (whole.fold_height > 0.0 && whole.fold_length == 0.0)
        throw Error::input(
            fmt::format("fold_length = 0 m is not allowed with folds {} m high: give more than 0 m, or "
                        "fold_height = 0 for no folds",
                        whole.fold_height));
}

RockParameters resolved(RockParameters parameters, std::uint64_t seed) {
    const RockParameters preset = preset_parameters(parameters.preset);
    for (const Member member : kOfPreset)
        if (parameters.*member < 0.0) parameters.*member = preset.*member;
    if (parameters.formations.empty()) parameters.formations = preset.formations;
    if (parameters.strike < 0.0) parameters.strike = 180.0 * unit_double(rock_bits(seed, RockUse::Strike));
    return parameters;
}

}  // namespace thalweg
