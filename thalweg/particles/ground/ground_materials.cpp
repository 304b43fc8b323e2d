#include "thalweg/particles/ground/ground_materials.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

/// Units by which neighbours may differ at a slope, m/m; their diagonals fit into 31 bits.
std::int32_t rise_of(double slope, double cell_size) {
    constexpr double kMost = 0x1p29;  // units, 4 km
    return static_cast<std::int32_t>(std::min(slope * cell_size / kElevationUnit, kMost));
}

AvalancheLaw law_of(double slope, const ParticleState& state) {
    constexpr double kMost = 0x1p30;  // units, 8 km
    const double rise = slope * state.elevation.grid().cell_size / kElevationUnit;
    const auto units = [&](double height) { return static_cast<std::int32_t>(std::min(height, kMost)); };
    return {.steepest_straight = units(rise),
            .steepest_diagonal = units(rise * std::numbers::sqrt2),
            .share = static_cast<std::int32_t>(std::lround(state.parameters.avalanche_rate * 256.0))};
}

/// Whether all ground slides alike.
bool is_of_one_slope(const ParticleState& state) {
    const ParticleParameters& p = state.parameters;
    const bool has_beaches = p.beach_slope > 0.0 && p.sea_level > kNoSea;
    return state.bedrock_repose_slope.empty() && p.bedrock_repose_slope == 0.0 && p.freeze_thaw == 1.0 &&
           !has_beaches && state.soil.empty() && !(p.root_repose > 0.0 && !state.plant_cover.empty());
}

}  // namespace

BedrockOfCells bedrock_of(const ParticleState& state) {
    const ParticleParameters& p = state.parameters;
    const Grid& grid = state.elevation.grid();
    BedrockOfCells bedrock;
    if (!state.bedrock_erodibility.empty())
        bedrock.erodibility.assign(state.bedrock_erodibility.begin(), state.bedrock_erodibility.end());
    else if (p.bedrock_erodibility != 1.0)
        bedrock.erodibility.assign(at(grid.cells()), static_cast<float>(p.bedrock_erodibility));
    for (float& erodibility : bedrock.erodibility) erodibility = erodibility > 0.0F ? erodibility : 0.0F;
    if (is_of_one_slope(state)) return bedrock;
    const double slope = p.bedrock_repose_slope > 0.0 ? p.bedrock_repose_slope : p.repose_slope;
    bedrock.rise.assign(at(grid.cells()), rise_of(slope, grid.cell_size));
    for (std::int64_t cell = 0; cell < state.bedrock_repose_slope.size(); ++cell) {
        const float of_cell = state.bedrock_repose_slope[cell];
        if (of_cell > 0.0F) bedrock.rise[at(cell)] = rise_of(static_cast<double>(of_cell), grid.cell_size);
    }
    bedrock.least_rise = std::ranges::min(bedrock.rise);
    return bedrock;
}

MaterialSlides slides_of(const ParticleState& state, const BedrockOfCells& bedrock) {
    const ParticleParameters& p = state.parameters;
    MaterialSlides slides = {.sediment = law_of(p.repose_slope, state)};
    slides.do_roots_hold_bedrock = state.bedrock_repose_slope.empty() && p.bedrock_repose_slope == 0.0;
    slides.pigment_depth = static_cast<float>(p.pigment_depth / kElevationUnit);
    slides.bedrock_share = static_cast<std::int32_t>(std::lround(p.avalanche_rate * p.freeze_thaw * 256.0));
    slides.least_rise = std::min(slides.sediment.steepest_straight, bedrock.least_rise);
    if (!state.soil.empty()) {
        slides.soil = law_of(p.soil_repose_slope > 0.0 ? p.soil_repose_slope : p.repose_slope, state);
        slides.least_rise = std::min(slides.least_rise, slides.soil.steepest_straight);
    }
    if (!(p.beach_slope > 0.0) || !(p.sea_level > kNoSea)) return slides;
    constexpr double kMost = 0x1p30;  // units
    const auto units = [&](double height) {
        return static_cast<std::int32_t>(std::clamp((height - state.datum) / kElevationUnit, -kMost, kMost));
    };
    slides.beach = law_of(std::min(p.beach_slope, p.repose_slope), state);
    slides.least_rise = std::min(slides.least_rise, slides.beach.steepest_straight);
    slides.beach_low = units(p.sea_level - p.beach_range);
    slides.beach_high = units(p.sea_level + p.beach_range);
    return slides;
}

}  // namespace thalweg
