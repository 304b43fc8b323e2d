// Cross-sections of river beds by type, scaled to the water that they carry.
#pragma once

#include "thalweg/riverscape/river_types.hpp"

namespace thalweg {

/// A section's form, of any size. Across the water, y runs from -1 at the right bank to 1 at the left one;
/// the depth over the greatest one is
///
///   h(y) = 1 - p(t),   t = |y - y_0| / |1 -+ y_0|, from 0 at the thalweg y_0 to 1 at the bank of that side
///
/// where p is, by the side's flatness f from 0 to 3, t, t^2, t^4 and t^8 at whole numbers and their linear
/// interpolation between (V, parabola, trough, flat bed with upright banks). So the area over that of the
/// box around it, c, is linear in f between 1/2, 2/3, 4/5 and 8/9, and independent of y_0.
struct SectionForm {
    float thalweg = 0.0F;         // y_0, from -0.9 to 0.9
    float left_flatness = 1.0F;   // f
    float right_flatness = 1.0F;  // f
    float left_bank = 0.5F;       // m/m, slope of the bank above the water
    float right_bank = 0.5F;      // m/m
};

/// h(y), 1; 0 beyond the banks.
float relative_depth(const SectionForm& form, float y);

/// c: mean depth over greatest depth, in closed form.
double section_fullness(const SectionForm& form);

/// A section through which water of some area flows.
struct CrossSection {
    SectionForm form;
    double width = 0.0;           // m, of the water
    double greatest_depth = 0.0;  // m
};

/// The form of a type. `bend` is curvature times width, 1, positive where the river turns left: sections of
/// C, E, F and G are interpolated linearly from the symmetric one on straights to the asymmetric one where
/// bends are three widths in radius and less; their thalweg lies at the outer bank, which is the steeper one.
SectionForm section_form(RiverType type, double bend);

/// The section of `area` a, m^2, as wide as Rosgen's type allows for `width_depth` r, 1, over mean depth:
///
///   w = sqrt(a r),   D = a / (w c),   so that w D c = a        (templates of unit area, scaled by a = Q / u)
///
/// r is kept within the type's range; D keeps its own, as one of its channels. Source: Peytavie et al. 2019,
/// sec. 5.1, fig. 8; forms after Rosgen 1994, figs. 1 and 2. Differs in: templates are functions in closed
/// form, not drawn.
///
/// Example:
///     const CrossSection bend = cross_section(RiverType::C, 12.0, 18.0, 0.25);
///     const double area = bend.width * bend.greatest_depth * section_fullness(bend.form);  // 12 m^2
CrossSection cross_section(RiverType type, double area, double width_depth, double bend);

}  // namespace thalweg
