#include "thalweg/meander/meander_maps.hpp"

namespace thalweg {
namespace {

using Maps = MeanderMapParameters;

void declare_oxbows(Declaration<Maps>& d) {
    d.number("oxbow_fill_time", &Maps::oxbow_fill_time,
             {.label = "Filling of oxbow lakes",
              .group = "Oxbow lakes",
              .unit = "yr",
              .sentence = "Time in which an oxbow lake loses all but 1/e of its depth to sediment.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {20.0, 1000.0, SliderScale::Logarithmic},
              .source = "Gagliano and Howard 1984; Toonen et al. 2012: decades to centuries",
              .minimum_excluded = true});
    d.number("oxbow_plug_time", &Maps::oxbow_plug_time,
             {.label = "Closing of their ends",
              .group = "Oxbow lakes",
              .unit = "yr",
              .sentence = "Time in which the ends of an oxbow lake close, to 1/e of what stays open.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {0.0, 50.0},
              .source = "Gagliano and Howard 1984; Constantine et al. 2010: 2 to 10 years"});
    d.number("oxbow_plug_length", &Maps::oxbow_plug_length,
             {.label = "Length of closed ends",
              .group = "Oxbow lakes",
              .unit = "widths",
              .sentence = "How far from its ends an oxbow lake closes.",
              .minimum = 0.0,
              .maximum = 1000.0,
              .usual = {0.0, 10.0},
              .source = "empirical"});
}

void declare_moisture(Declaration<Maps>& d) {
    d.number("moisture_rate", &Maps::moisture_rate,
             {.label = "Moisture of channels",
              .group = "Moisture",
              .unit = "1/yr",
              .sentence = "epsilon_m: how fast the banks of a channel become moist.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {0.0, 0.1},
              .source = "Paris et al. 2023, eq. 8, which leaves it open"});
    d.number("moisture_radius", &Maps::moisture_radius,
             {.label = "Reach of moisture",
              .group = "Moisture",
              .unit = "widths",
              .sentence = "r_m: how far from its banks a channel keeps the ground moist.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {1.0, 20.0},
              .source = "Paris et al. 2023, table 1",
              .minimum_excluded = true});
    d.number(
        "moisture_memory", &Maps::moisture_memory,
        {.label = "Memory of moisture",
         .group = "Moisture",
         .unit = "yr",
         .sentence = "Time in which ground that a channel has left loses all but 1/e of its moisture; inf "
                     "loses none.",
         .minimum = 0.0,
         .maximum = 1e6,
         .usual = {10.0, 1000.0, SliderScale::Logarithmic},
         .source = "empirical",
         .infinity_allowed = true,
         .minimum_excluded = true});
    d.number("stream_power_share", &Maps::stream_power_share,
             {.label = "Moisture of streams",
              .group = "Moisture",
              .unit = "1/m",
              .sentence = "Moisture that a stream power of one metre adds, where it is known.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {0.0, 0.1},
              .source = "Paris et al. 2023, eq. 8"});
}

void declare_deposit(Declaration<Maps>& d) {
    d.choice(
        "deposit_form", &Maps::deposit_form,
        {{"levees", DepositForm::Levees, "Both banks alike, as in the paper."},
         {"bars", DepositForm::Bars, "Bars in ridges on inner banks; outer banks are cut."}},
        {.label = "Deposits",
         .group = "Deposits",
         .unit = "",
         .sentence = "What channels lay down: levees on both banks alike (levees), or bars on the banks that "
                     "they leave, and nothing where they cut (bars).",
         .source = "Paris et al. 2023, eq. 9; section 8.5 misses the bars"});
    d.number("deposit_rate", &Maps::deposit_rate,
             {.label = "Growth of levees",
              .group = "Deposits",
              .unit = "m/yr",
              .sentence = "epsilon_s: how fast a levee grows on the bank itself.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.0, 0.02},
              .source = "Paris et al. 2023, eq. 9; millimetres to centimetres a year on natural banks"});
    d.number("deposit_radius", &Maps::deposit_radius,
             {.label = "Reach of levees",
              .group = "Deposits",
              .unit = "widths",
              .sentence = "r_s: how far from the middle of a channel its levees reach.",
              .minimum = 0.6,
              .maximum = 100.0,
              .usual = {1.0, 10.0},
              .source = "Paris et al. 2023, table 1"});
    d.number("lobe_length", &Maps::lobe_length,
             {.label = "Lobes of crevasses",
              .group = "Deposits",
              .unit = "widths",
              .sentence = "Mean length of the lobes of sediment that are left where banks burst; 0: none.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.0, 10.0},
              .source = "empirical; Millard et al. 2017: of no one ratio to the channel"});
    const std::vector<ParameterCondition> bars = {equals("deposit_form", {"bars"})};
    d.number("bar_height", &Maps::bar_height,
             {.label = "Height of bars",
              .group = "Deposits",
              .unit = "m",
              .sentence = "How high the ground that a channel leaves grows in the end.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.0, 5.0},
              .source = "empirical",
              .enabled_when = bars});
    d.number("bar_growth_time", &Maps::bar_growth_time,
             {.label = "Growth of bars",
              .group = "Deposits",
              .unit = "yr",
              .sentence = "Time in which a bar grows to all but 1/e of its height.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {0.0, 100.0},
              .source = "empirical",
              .enabled_when = bars});
    d.number(
        "scroll_period", &Maps::scroll_period,
        {.label = "Years between scroll bars",
         .group = "Deposits",
         .unit = "yr",
         .sentence = "Time from one ridge of a bar to the next, that between the floods which build them; "
                     "0: no ridges.",
         .minimum = 0.0,
         .maximum = 1e4,
         .usual = {0.0, 30.0},
         .source = "empirical",
         .enabled_when = bars});
}

void declare_vegetation(Declaration<Maps>& d) {
    d.number("vegetation_time", &Maps::vegetation_time,
             {.label = "Time to grow over",
              .group = "Vegetation",
              .unit = "yr",
              .sentence = "Time in which plants cover all but 1/e of ground that a channel has left.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {1.0, 200.0, SliderScale::Logarithmic},
              .source = "empirical: decades from willows to a closed forest"});
    d.number("dry_vegetation", &Maps::dry_vegetation,
             {.label = "Plants on dry ground",
              .group = "Vegetation",
              .unit = "1",
              .sentence = "How densely plants cover old ground that is neither moist nor has fine sediment.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 1.0},
              .source = "empirical"});
}

}  // namespace

void MeanderMapParameters::declare(Declaration<MeanderMapParameters>& declaration) {
    declare_oxbows(declaration);
    declare_moisture(declaration);
    declare_deposit(declaration);
    declare_vegetation(declaration);
}

}  // namespace thalweg
