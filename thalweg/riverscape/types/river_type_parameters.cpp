#include "thalweg/riverscape/river_types.hpp"

namespace thalweg {

void GivenRiverType::declare(Declaration<GivenRiverType>& d) {
    using enum RiverType;
    d.integer("reach", &GivenRiverType::reach,
              {.label = "Reach",
               .unit = "1",
               .sentence = "Id of the reach, as reach_id of the file of rivers.",
               .minimum = 0.0,
               .usual = {0.0, 1e6}});
    d.choice("type", &GivenRiverType::type,
             {{"A+", AaPlus, "A torrent of falls and steps."},
              {"A", A, "Steep, with steps and pools."},
              {"B", B, "Rapids with pools between them."},
              {"C", C, "Bends with bars on a flood plain."},
              {"D", D, "Braided."},
              {"DA", DA, "Several narrow, deep channels through wetlands."},
              {"E", E, "Narrow, deep and very sinuous, in meadows."},
              {"F", F, "Wide and shallow, in bends between walls."},
              {"G", G, "A gully."}},
             {.label = "Type",
              .unit = "",
              .sentence = "The type of the reach (Rosgen 1994), but for stretches far too steep or "
                          "too level for it."});
}

void RiverTypeParameters::declare(Declaration<RiverTypeParameters>& d) {
    d.number("bed_grain_size", &RiverTypeParameters::grain_size,
             {.label = "Grain size of beds",
              .group = "River types",
              .unit = "m",
              .sentence = "Median size of the grains of beds: rivers braid where their stream power is large "
                          "for it.",
              .minimum = 1e-5,
              .maximum = 1.0,
              .usual = {1e-3, 0.3, SliderScale::Logarithmic},
              .source = "van den Berg 1995"});
    d.number("stretch_length", &RiverTypeParameters::stretch_length,
             {.label = "Least length of a stretch",
              .group = "River types",
              .unit = "m",
              .sentence = "A reach is cut where its slope changes by half, into stretches of types of their "
                          "own that are no shorter.",
              .minimum = 1.0,
              .maximum = 1e6,
              .usual = {50.0, 5000.0, SliderScale::Logarithmic},
              .source = "empirical: some meanders of small rivers"});
    d.tables("reach_types", &RiverTypeParameters::types,
             {.label = "Types of reaches",
              .group = "River types",
              .unit = "",
              .sentence = "Types that reaches shall have, whatever their form says."});
}

}  // namespace thalweg
