#include "thalweg/meander/migration.hpp"

#include "thalweg/meander/channel/channel_migration.hpp"

namespace thalweg {

namespace {

/// How fast banks give way to bends here and upstream.
void declare_law(Declaration<MigrationParameters>& d) {
    d.number(
        "migration_rate", &MigrationParameters::rate,
        {.label = "Migration rate",
         .group = "Migration",
         .unit = "m/yr",
         .sentence = "k: how fast banks give way, as the rate of migration where the radius of a bend is "
                     "one channel width.",
         .minimum = 0.0,
         .maximum = 1e4,
         .usual = {1.0, 200.0, SliderScale::Logarithmic},
         .source = "Sylvester et al. 2019: 0.164 m/day"});
    d.number(
        "friction_factor", &MigrationParameters::friction_factor,
        {.label = "Friction factor",
         .group = "Migration",
         .unit = "1",
         .sentence = "f: bends upstream are felt over depth / (2 f); smaller values give longer meanders.",
         .minimum = 1e-5,
         .maximum = 1.0,
         .usual = {0.003, 0.03, SliderScale::Logarithmic},
         .source = "Sylvester et al. 2019",
         .enabled_when = {equals("memory", {"friction"})}});
    d.number("upstream_weight", &MigrationParameters::upstream_weight,
             {.label = "Weight of bends upstream",
              .group = "Migration",
              .unit = "1",
              .sentence = "Gamma: weight of the curvature upstream beside that at the place itself; meanders "
                          "grow above 1.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {1.0, 5.0},
              .source = "Howard and Knutson 1984",
              .is_advanced = true});
    d.choice(
        "memory", &MigrationParameters::memory,
        {{"friction", MemoryLength::Friction, "Depth over twice the friction factor."},
         {"width", MemoryLength::Width, "4/3 of the width, which makes meanders 11 widths long."}},
        {.label = "Memory of bends",
         .group = "Migration",
         .unit = "",
         .sentence = "Over which length bends upstream are felt: depth / (2 f) (friction), or 4/3 of the "
                     "width (width).",
         .source = "Paris et al. 2023, eq. 5"});
}

/// What holds migration back.
void declare_limits(Declaration<MigrationParameters>& d) {
    d.choice("sinuosity_scaling", &MigrationParameters::sinuosity_scaling,
             {{"both", SinuosityScaling::Both, "All migration."},
              {"upstream_as_printed", SinuosityScaling::UpstreamAsPrinted,
               "The share from upstream alone, as the paper prints it: bends then hardly ever cut off."},
              {"none", SinuosityScaling::None, "Nothing."}},
             {.label = "Slowed by sinuosity",
              .group = "Migration",
              .unit = "",
              .sentence = "What sinuosity^(-2/3) slows: all migration (both), the share from upstream "
                          "(upstream_as_printed), or nothing (none).",
              .source = "Sylvester et al. 2019; Paris et al. 2023, eq. 4",
              .is_advanced = true});
    d.number("sinuosity_window", &MigrationParameters::sinuosity_window,
             {.label = "Window of sinuosity",
              .group = "Migration",
              .unit = "widths",
              .sentence = "Length of the river around a place by whose sinuosity it is slowed; 0: the whole "
                          "channel, so that a bend anywhere slows all of it.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {0.0, 100.0},
              .automatic = 0.0});
    d.number("end_damping", &MigrationParameters::end_damping,
             {.label = "Rest at the ends",
              .group = "Migration",
              .unit = "widths",
              .sentence = "How far from its ends, which stay where they are, a channel migrates less.",
              .minimum = 0.0,
              .maximum = 1000.0,
              .usual = {0.0, 20.0},
              .source = "empirical",
              .is_advanced = true});
}

/// How lines are followed in time.
void declare_method(Declaration<MigrationParameters>& d) {
    d.number("time_step", &MigrationParameters::time_step,
             {.label = "Time step",
              .group = "Method",
              .unit = "yr",
              .sentence = "From one state of the channels to the next.",
              .minimum = 1e-3,
              .maximum = 100.0,
              .usual = {0.1, 2.0, SliderScale::Logarithmic},
              .source = "Paris et al. 2023: 106 days",
              .is_advanced = true});
    d.choice(
        "time_scheme", &MigrationParameters::time_scheme,
        {{"extrapolated", TimeScheme::Extrapolated,
          "Twice two half steps less the whole step: of second order."},
         {"semi_implicit", TimeScheme::SemiImplicit, "One step: of first order, and half the work."}},
        {.label = "Time scheme",
         .group = "Method",
         .unit = "",
         .sentence = "How a step is made: twice two half steps less the whole step (extrapolated), or at "
                     "once (semi_implicit).",
         .is_advanced = true});
}

}  // namespace

void MigrationParameters::declare(Declaration<MigrationParameters>& d) {
    declare_law(d);
    declare_limits(d);
    declare_method(d);
}

void migration_rates(const ChannelLine& line, const MigrationParameters& parameters, double inflow,
                     std::vector<double>& rates) {
    ChannelMigration migration(parameters);
    const std::vector<float>& found = migration.rates(line.x, line.y, line.values, inflow);
    rates.assign(found.begin(), found.end());
}

}  // namespace thalweg
