#include "thalweg/riverscape/cross_section.hpp"

#include "thalweg/riverscape/courses/section_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

/// What the sections of a type are made of (after the sketches of Rosgen 1994).
struct SectionTemplate {
    float flatness;        // of straight sections
    float inner_flatness;  // of the inner side of bends
    float outer_flatness;
    float shift;       // of the thalweg in bends
    float bank;        // m/m, of straight sections
    float inner_bank;  // m/m
    float outer_bank;  // m/m
};

const SectionTemplate& template_of(RiverType type) {
    static constexpr std::array<SectionTemplate, kRiverTypeCount> kTemplates = {{
        {0.7F, 0.7F, 0.7F, 0.0F, 0.9F, 0.9F, 0.9F},     // A+: V
        {1.0F, 1.0F, 1.0F, 0.0F, 0.8F, 0.8F, 0.8F},     // A: between V and U
        {1.5F, 1.2F, 1.8F, 0.2F, 0.45F, 0.35F, 0.6F},   // B
        {1.8F, 0.3F, 2.2F, 0.65F, 0.35F, 0.06F, 0.9F},  // C: point bars
        {1.2F, 1.0F, 1.4F, 0.2F, 0.15F, 0.12F, 0.25F},  // D: each channel
        {1.8F, 1.6F, 2.0F, 0.2F, 0.6F, 0.4F, 0.8F},     // DA: each channel
        {2.3F, 1.6F, 2.6F, 0.4F, 1.5F, 1.0F, 2.0F},     // E
        {2.7F, 2.0F, 2.8F, 0.4F, 1.0F, 0.4F, 1.4F},     // F: flat bed
        {1.6F, 1.3F, 1.9F, 0.3F, 1.2F, 0.9F, 1.4F},     // G
    }};
    return kTemplates[static_cast<std::size_t>(type)];
}

/// Area of the side of a section over that of the box around it.
double side_fullness(double flatness) {
    constexpr std::array<double, 4> kFullness = {1.0 / 2.0, 2.0 / 3.0, 4.0 / 5.0, 8.0 / 9.0};
    const double clamped = std::clamp(flatness, 0.0, 3.0);
    const auto below = std::min<std::size_t>(2, static_cast<std::size_t>(clamped));
    return kFullness[below] +
           (clamped - static_cast<double>(below)) * (kFullness[below + 1] - kFullness[below]);
}

}  // namespace

float relative_depth(const SectionForm& form, float y) {
    return section_profile(form.thalweg, form.left_flatness, form.right_flatness, y);
}

double section_fullness(const SectionForm& form) {
    const double left = 0.5 * (1.0 - form.thalweg);  // share of the width
    return left * side_fullness(form.left_flatness) + (1.0 - left) * side_fullness(form.right_flatness);
}

SectionForm section_form(RiverType type, double bend) {
    constexpr double kFullBend = 1.0 / 3.0;  // curvature times width
    const SectionTemplate& of = template_of(type);
    const auto strength = static_cast<float>(std::min(1.0, std::abs(bend) / kFullBend));
    const float inner = of.flatness + strength * (of.inner_flatness - of.flatness);
    const float outer = of.flatness + strength * (of.outer_flatness - of.flatness);
    const float inner_bank = of.bank + strength * (of.inner_bank - of.bank);
    const float outer_bank = of.bank + strength * (of.outer_bank - of.bank);
    if (bend > 0.0)  // the outer bank is the right one
        return {-strength * of.shift, inner, outer, inner_bank, outer_bank};
    return {strength * of.shift, outer, inner, outer_bank, inner_bank};
}

CrossSection cross_section(RiverType type, double area, double width_depth, double bend) {
    constexpr double kGreatestRatio = 200.0;
    const TypeRange& range = form_of(type).width_depth;
    const double ratio = type == RiverType::D ? width_depth
                                              : std::clamp(width_depth, std::max(range.least, 4.0),
                                                           std::min(range.most, kGreatestRatio));
    CrossSection section{.form = section_form(type, bend)};
    section.width = std::sqrt(area * ratio);
    section.greatest_depth =
        section.width > 0.0 ? area / (section.width * section_fullness(section.form)) : 0.0;
    return section;
}

}  // namespace thalweg
