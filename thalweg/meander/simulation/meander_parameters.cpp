#include "thalweg/meander/meander_parameters.hpp"

namespace thalweg {

namespace {

/// Where channels may wander.
void declare_ground(Declaration<MeanderParameters>& d) {
    d.number("critical_slope", &MeanderParameters::critical_slope,
             {.label = "Steepest ground to wander on",
              .group = "Migration",
              .unit = "m/m",
              .sentence = "s_0: slope of the ground from which on a channel stays where it is; on flatter "
                          "ground it is the freer the flatter that is.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.02, 0.5, SliderScale::Logarithmic},
              .source = "Paris et al. 2023, table 1",
              .minimum_excluded = true});
    d.number(
        "wall_erodibility", &MeanderParameters::wall_erodibility,
        {.label = "Erodibility of valley walls",
         .group = "Migration",
         .unit = "1",
         .sentence = "How easily ground above the banks is cut back, beside the banks themselves: rivers "
                     "widen their valleys the slower the higher and harder their walls are.",
         .minimum = 0.0,
         .maximum = 10.0,
         .usual = {0.01, 1.0, SliderScale::Logarithmic},
         .source = "empirical",
         .minimum_excluded = true});
    d.tables("controls", &MeanderParameters::controls,
             {.label = "Regions of control",
              .group = "Control",
              .unit = "",
              .sentence = "Strokes that attract channels, repel them, or let them stay.",
              .source = "Paris et al. 2023, section 4.5"});
    d.number("minimum_width", &MeanderParameters::minimum_width,
             {.label = "Narrowest channel that wanders",
              .group = "Migration",
              .unit = "m",
              .sentence = "Channels that are narrower in the mean stay where they are.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {0.0, 50.0}});
}

/// What bends begin with, and how lines are drawn.
void declare_start(Declaration<MeanderParameters>& d) {
    d.number("inlet_forcing", &MeanderParameters::inlet_forcing,
             {.label = "Bends beyond the source",
              .group = "Migration",
              .unit = "1",
              .sentence = "Curvature times width of the bends from which rivers come; 0: straight, and the "
                          "first few kilometres of a straight river stay so.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 0.2},
              .source = "empirical",
              .is_advanced = true});
    d.number("initial_roughness", &MeanderParameters::initial_roughness,
             {.label = "First bends",
              .group = "Migration",
              .unit = "m",
              .sentence = "How far rivers are shifted to either side at the start, in bends of about six "
                          "widths, by a third of their width at most; a river that is drawn straight would "
                          "stay so.",
              .minimum = 0.0,
              .maximum = 1000.0,
              .usual = {0.0, 10.0},
              .source = "empirical",
              .is_advanced = true});
    d.number("point_spacing", &MeanderParameters::spacing,
             {.label = "Distance of points",
              .group = "Method",
              .unit = "m",
              .sentence = "From point to point of a line; 0, and at most: half its width, and 50 m.",
              .minimum = 0.0,
              .maximum = 1e4,
              .usual = {0.0, 50.0},
              .automatic = 0.0,
              .is_advanced = true});
    d.number("kept_years", &MeanderParameters::kept_years,
             {.label = "Years that are kept",
              .group = "Method",
              .unit = "yr",
              .sentence = "Courses and oxbows that are older are forgotten, so that memory stays bounded in "
                          "long runs; 0: all are kept.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {0.0, 5000.0},
              .automatic = 0.0,
              .is_advanced = true});
}

void declare_avulsions(Declaration<MeanderParameters>& d) {
    d.number("crevasse_curvature", &MeanderParameters::crevasse_curvature,
             {.label = "Bends that burst their banks",
              .group = "Avulsions",
              .unit = "1",
              .sentence = "t_c: width times curvature of a bend from which on its outer bank may burst.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.2, 0.8},
              .source = "Paris et al. 2023, table 1, with a unit",
              .is_advanced = true});
    d.number("crevasse_rate", &MeanderParameters::crevasse_rate,
             {.label = "Crevasses",
              .group = "Avulsions",
              .unit = "1/(km yr)",
              .sentence = "How often banks burst along such bends; 0: never.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.0, 0.2},
              .source = "empirical"});
    d.number("avulsion_share", &MeanderParameters::avulsion_share,
             {.label = "Crevasses that become avulsions",
              .group = "Avulsions",
              .unit = "1",
              .sentence = "Share of crevasses through which the river takes a new course.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 0.3},
              .source = "Paris et al. 2023, table 1: 0.05"});
    d.number(
        "regional_avulsion_share", &MeanderParameters::regional_share,
        {.label = "Avulsions to other rivers",
         .group = "Avulsions",
         .unit = "1",
         .sentence = "Share of avulsions that are regional: the new course leads to another river, or off "
                     "the terrain, by the way on which the least must be cut; the others come back to "
                     "their own river.",
         .minimum = 0.0,
         .maximum = 1.0,
         .usual = {0.0, 1.0},
         .source = "Heller and Paola 1996"});
    d.number("avulsion_angle", &MeanderParameters::avulsion_angle,
             {.label = "First angle of new courses",
              .group = "Avulsions",
              .unit = "degrees",
              .sentence = "alpha_0: the most by which a new course begins to turn away from the old one.",
              .minimum = 0.0,
              .maximum = 90.0,
              .usual = {0.0, 90.0},
              .source = "Paris et al. 2023, table 1",
              .is_advanced = true});
    d.number("avulsion_depth", &MeanderParameters::avulsion_depth,
             {.label = "Deepest cut of new courses",
              .group = "Avulsions",
              .unit = "m",
              .sentence = "How deep a new course may cut through the ground, besides its own depth; where it "
                          "would have to be deeper there is none.",
              .minimum = 0.0,
              .maximum = 1000.0,
              .usual = {0.5, 20.0, SliderScale::Logarithmic},
              .source = "empirical"});
}

/// At which angles tributaries come in.
void declare_junctions(Declaration<MeanderParameters>& d) {
    d.number(
        "junction_length", &MeanderParameters::junction_length,
        {.label = "Length of junctions",
         .group = "Junctions",
         .unit = "widths",
         .sentence = "How far a tributary runs straight before it comes in, in widths of the river that it "
                     "joins; 0: it comes in as it is drawn.",
         .minimum = 0.0,
         .maximum = 20.0,
         .usual = {0.0, 5.0},
         .source = "empirical"});
    d.number(
        "junction_angle_equal", &MeanderParameters::junction_angle_equal,
        {.label = "Angle of equal rivers",
         .group = "Junctions",
         .unit = "degrees",
         .sentence = "Between two rivers of the same discharge, both seen upstream from where they meet.",
         .minimum = 15.0,
         .maximum = 120.0,
         .usual = {20.0, 90.0},
         .source = "empirical, after Hooshyar et al. 2017",
         .is_advanced = true});
    d.number(
        "junction_angle_unequal", &MeanderParameters::junction_angle_unequal,
        {.label = "Angle of small tributaries",
         .group = "Junctions",
         .unit = "degrees",
         .sentence = "Between a river and a tributary of next to no discharge; between that and the angle "
                     "of equal rivers it is linear in the ratio of both.",
         .minimum = 15.0,
         .maximum = 120.0,
         .usual = {40.0, 110.0},
         .source = "empirical, after Hooshyar et al. 2017",
         .is_advanced = true});
}

void declare_chutes(Declaration<MeanderParameters>& d) {
    d.number(
        "chute_curvature", &MeanderParameters::chute_curvature,
        {.label = "Bends with chutes",
         .group = "Chutes",
         .unit = "1",
         .sentence = "Width times curvature, averaged over two widths, of a bend from which on floods may "
                     "cut through its inside.",
         .minimum = 0.0,
         .maximum = 10.0,
         .usual = {0.1, 0.5},
         .source = "empirical: radii of two to five widths; Grenfell et al. 2014",
         .is_advanced = true});
    d.number(
        "chute_rate", &MeanderParameters::chute_rate,
        {.label = "Chutes",
         .group = "Chutes",
         .unit = "1/(km yr)",
         .sentence = "How often floods cut bends off across their inside, along such bends, before their "
                     "necks close; 0: never.",
         .minimum = 0.0,
         .maximum = 100.0,
         .usual = {0.0, 2.0},
         .source = "Constantine et al. 2010; Grenfell et al. 2014"});
}

void declare_bank_vegetation(Declaration<MeanderParameters>& d) {
    d.number(
        "vegetation_strength", &MeanderParameters::vegetation_strength,
        {.label = "Hold of plants",
         .group = "Vegetation",
         .unit = "1",
         .sentence = "Share by which plants slow a bank that they cover densely; channels take them away, "
                     "and fresh ground gives way faster; 0: plants hold nothing.",
         .minimum = 0.0,
         .maximum = 1.0,
         .usual = {0.0, 0.9},
         .source = "Perucca et al. 2007; Micheli and Kirchner 2002: 0.9 under rushes"});
    d.number("vegetation_growth_time", &MeanderParameters::vegetation_growth_time,
             {.label = "Growth of plants on banks",
              .group = "Vegetation",
              .unit = "yr",
              .sentence = "Until plants that hold banks cover all but 1/e of what a channel has left.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {2.0, 200.0, SliderScale::Logarithmic},
              .source = "Perucca et al. 2007: years to decades",
              .minimum_excluded = true});
}

void declare_braids(Declaration<MeanderParameters>& d) {
    d.choice("braiding", &MeanderParameters::braiding,
             {{"none", Braiding::None, "Each reach is one channel."},
              {"stream_power", Braiding::StreamPower,
               "Reaches part whose stream power is over the threshold of their grain size."},
              {"all", Braiding::All, "All reaches that are wide enough for a bar in their middle."}},
             {.label = "Braiding",
              .group = "Braids",
              .unit = "",
              .sentence = "Which reaches part into branches that wander, join and are left.",
              .source = "van den Berg 1995; Kleinhans and van den Berg 2011"});
    d.number("grain_size", &MeanderParameters::grain_size,
             {.label = "Grain size",
              .group = "Braids",
              .unit = "m",
              .sentence = "D50 of the bed: 0.002 and more is gravel, less is sand.",
              .minimum = 6e-5,
              .maximum = 1.0,
              .usual = {2e-4, 0.1, SliderScale::Logarithmic}});
    d.number("braid_plain", &MeanderParameters::braid_plain,
             {.label = "Width of braid plains",
              .group = "Braids",
              .unit = "channel widths",
              .sentence =
                  "Of the ground that the branches of a braid take: at most one for each 1.6 widths of it.",
              .minimum = 1.0,
              .maximum = 20.0,
              .usual = {1.5, 6.0},
              .source = "empirical"});
    d.number("bifurcation_rate", &MeanderParameters::bifurcation_rate,
             {.label = "Bifurcations",
              .group = "Braids",
              .unit = "1/(km yr)",
              .sentence = "How often a branch parts from another, for each channel that is missing.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.01, 3.0, SliderScale::Logarithmic},
              .source = "empirical",
              .is_advanced = true});
    d.number("least_branch_share", &MeanderParameters::least_branch_share,
             {.label = "Smallest branches",
              .group = "Braids",
              .unit = "1",
              .sentence = "Share of the river's water below which a branch is left.",
              .minimum = 0.001,
              .maximum = 0.5,
              .usual = {0.01, 0.2},
              .source = "empirical",
              .is_advanced = true});
}

void declare_deltas(Declaration<MeanderParameters>& d) {
    d.boolean("deltas", &MeanderParameters::deltas,
              {.label = "Deltas",
               .group = "Deltas",
               .unit = "",
               .sentence = "Whether rivers build deltas where they end in standing water."});
    d.number("water_level", &MeanderParameters::water_level,
             {.label = "Level of standing water",
              .group = "Deltas",
              .unit = "m",
              .sentence = "Of the sea or lake; a river ends in it where the ground at its end is no higher.",
              .minimum = -1e4,
              .maximum = 1e4,
              .usual = {-100.0, 1000.0}});
    d.number("delta_growth", &MeanderParameters::delta_growth,
             {.label = "Growth of deltas",
              .group = "Deltas",
              .unit = "m/yr",
              .sentence = "How fast the mouth of a river that has not parted comes forward where there is no "
                          "terrain; that of a branch does so by its share.",
              .minimum = 0.0,
              .maximum = 1e4,
              .usual = {1.0, 300.0, SliderScale::Logarithmic},
              .source = "empirical"});
    d.number("sediment_concentration", &MeanderParameters::sediment_concentration,
             {.label = "Sediment of rivers",
              .group = "Deltas",
              .unit = "kg/m^3",
              .sentence = "Mean of the water of rivers that build deltas: 56 % of it stays there, and fills "
                          "the water before mouths where there is terrain.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.02, 5.0, SliderScale::Logarithmic},
              .source = "Milliman and Farnsworth 2011; Nienhuis et al. 2021"});
    d.number("delta_angle", &MeanderParameters::delta_angle,
             {.label = "Angle of branches",
              .group = "Deltas",
              .unit = "degrees",
              .sentence = "Between both branches of a mouth that parts.",
              .minimum = 10.0,
              .maximum = 120.0,
              .usual = {40.0, 90.0},
              .source = "Coffey and Shaw 2017",
              .is_advanced = true});
    d.number("mouth_bar_distance", &MeanderParameters::mouth_bar_distance,
             {.label = "Distance of mouth bars",
              .group = "Deltas",
              .unit = "channel widths",
              .sentence = "By which a mouth comes forward before a bar in it parts it.",
              .minimum = 1.0,
              .maximum = 100.0,
              .usual = {3.0, 20.0},
              .source = "Edmonds and Slingerland 2007",
              .is_advanced = true});
}

}  // namespace

void MeanderParameters::declare(Declaration<MeanderParameters>& d) {
    d.include(&MeanderParameters::migration);
    declare_ground(d);
    declare_start(d);
    declare_avulsions(d);
    declare_junctions(d);
    declare_chutes(d);
    declare_bank_vegetation(d);
    declare_braids(d);
    declare_deltas(d);
}

}  // namespace thalweg
