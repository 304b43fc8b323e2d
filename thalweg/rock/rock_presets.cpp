#include "thalweg/rock/rock_presets.hpp"

namespace thalweg {
namespace {

// Columns: name, thickness (m), erodibility factor, critical slope (m/m), colour.

RockParameters alpine() {
    return {.preset = RockPreset::Alpine,
            .formations = {{"gneiss", 450.0, 0.65, 0.85, "#9d8f94"},
                           {"schist", 300.0, 1.1, 0.75, "#7f8a77"},
                           {"limestone", 380.0, 0.75, 0.95, "#d7d2bd"},
                           {"flysch", 320.0, 1.4, 0.65, "#a58f6f"},
                           {"marl", 220.0, 1.6, 0.6, "#c2b280"}},
            .dip = 25.0,
            .bed_thickness = 70.0,
            .bed_contrast = 0.7,
            .fold_height = 700.0,
            .fold_length = 7000.0,
            .fault_spacing = 4000.0,
            .fault_throw = 250.0,
            .joint_spacing = 900.0,
            .joint_strength = 1.3,
            .heterogeneity = 0.6,
            .pluton_share = 0.12,
            .dyke_spacing = 0.0,
            .cover = 0.0};
}

RockParameters table_land() {
    return {.preset = RockPreset::TableLand,
            .formations = {{"sandstone", 160.0, 0.4, 1.6, "#c9864f"},
                           {"shale", 240.0, 2.4, 0.5, "#8f7f6c"},
                           {"limestone", 130.0, 0.5, 1.5, "#d9cba6"},
                           {"siltstone", 200.0, 1.6, 0.6, "#a9553d"}},
            .dip = 1.5,
            .bed_thickness = 40.0,
            .bed_contrast = 0.35,
            .fold_height = 60.0,
            .fold_length = 14000.0,
            .fault_spacing = 11000.0,
            .fault_throw = 70.0,
            .joint_spacing = 600.0,
            .joint_strength = 0.6,
            .heterogeneity = 0.35,
            .pluton_share = 0.0,
            .dyke_spacing = 0.0,
            .cover = 0.0};
}

RockParameters fold_belt() {
    return {.preset = RockPreset::FoldBelt,
            .formations = {{"quartzite", 170.0, 0.3, 1.3, "#e0c9b8"},
                           {"shale", 380.0, 2.4, 0.5, "#80796d"},
                           {"sandstone", 200.0, 0.6, 0.9, "#bd9263"},
                           {"mudstone", 330.0, 2.1, 0.5, "#8d6b58"},
                           {"limestone", 200.0, 0.5, 1.1, "#cfcab4"}},
            .dip = 4.0,
            .bed_thickness = 60.0,
            .bed_contrast = 0.3,
            .fold_height = 1800.0,
            .fold_length = 4500.0,
            .fault_spacing = 14000.0,
            .fault_throw = 200.0,
            .joint_spacing = 500.0,
            .joint_strength = 0.25,
            .heterogeneity = 0.3,
            .pluton_share = 0.0,
            .dyke_spacing = 0.0,
            .cover = 0.0};
}

RockParameters volcanic() {
    return {.preset = RockPreset::Volcanic,
            .formations = {{"basalt", 180.0, 0.5, 1.2, "#565359"},
                           {"tuff", 200.0, 2.2, 0.6, "#c6b29b"},
                           {"andesite", 240.0, 0.7, 1.0, "#8a7d78"},
                           {"ash", 110.0, 3.2, 0.55, "#a9a19a"}},
            .dip = 5.0,
            .bed_thickness = 30.0,
            .bed_contrast = 0.5,
            .fold_height = 0.0,
            .fold_length = 8000.0,
            .fault_spacing = 6000.0,
            .fault_throw = 120.0,
            .joint_spacing = 300.0,
            .joint_strength = 0.8,
            .heterogeneity = 0.5,
            .pluton_share = 0.05,
            .dyke_spacing = 1600.0,
            .cover = 0.0};
}

RockParameters badlands() {
    return {.preset = RockPreset::Badlands,
            .formations = {{"claystone", 45.0, 3.0, 0.7, "#b7a894"},
                           {"siltstone", 30.0, 1.8, 0.8, "#cbb78f"},
                           {"sandstone", 12.0, 0.9, 1.4, "#d9c08c"},
                           {"bentonite", 25.0, 4.5, 0.5, "#8f8f86"}},
            .dip = 1.0,
            .bed_thickness = 8.0,
            .bed_contrast = 0.5,
            .fold_height = 10.0,
            .fold_length = 6000.0,
            .fault_spacing = 9000.0,
            .fault_throw = 15.0,
            .joint_spacing = 250.0,
            .joint_strength = 0.5,
            .heterogeneity = 0.43,
            .pluton_share = 0.0,
            .dyke_spacing = 0.0,
            .cover = 0.0};
}

RockParameters shield() {
    return {.preset = RockPreset::Shield,
            .formations = {{"gneiss", 1800.0, 0.6, 1.2, "#b39c98"},
                           {"greenstone", 700.0, 0.9, 1.0, "#6f7f68"},
                           {"schist", 900.0, 1.4, 0.8, "#8a8c84"},
                           {"quartzite", 350.0, 0.35, 1.4, "#dcc8b9"}},
            .dip = 65.0,
            .bed_thickness = 120.0,
            .bed_contrast = 0.35,
            .fold_height = 900.0,
            .fold_length = 9000.0,
            .fault_spacing = 5000.0,
            .fault_throw = 150.0,
            .joint_spacing = 800.0,
            .joint_strength = 1.0,
            .heterogeneity = 0.43,
            .pluton_share = 0.25,
            .dyke_spacing = 4000.0,
            .cover = 0.0};
}

}  // namespace

RockParameters preset_parameters(RockPreset preset) {
    switch (preset) {
        case RockPreset::Alpine:
            return alpine();
        case RockPreset::TableLand:
            return table_land();
        case RockPreset::FoldBelt:
            return fold_belt();
        case RockPreset::Volcanic:
            return volcanic();
        case RockPreset::Badlands:
            return badlands();
        case RockPreset::Shield:
            break;
    }
    return shield();
}

}  // namespace thalweg
