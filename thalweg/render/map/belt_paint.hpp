// What channels have left, as pixels. Private to render.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour_map.hpp"
#include "thalweg/render/drawing/canvas.hpp"
#include "thalweg/render/meander_map.hpp"

namespace thalweg {

/// Colours of a belt by its age, of the ground beside it and of water, sRGB.
class BeltColours {
  public:
    /// Colours end at `oldest` years.
    BeltColours(MeanderColours colours, double oldest);

    [[nodiscard]] double oldest() const { return oldest_; }
    /// Place on the scale of an age, and back: young ages, in which most happens, have most of it.
    [[nodiscard]] double place(double age) const;
    [[nodiscard]] double age_at(double place) const;
    [[nodiscard]] Colour at(double age) const { return scale_->at(place(age)); }

    [[nodiscard]] Colour water() const;
    [[nodiscard]] Colour bank() const;  // of water
    /// A lake of which a share of the depth is left.
    [[nodiscard]] Colour lake(double left) const;
    /// Ground where no channel has been: a plain, or terrain in its light, and water below `sea_level` (m).
    [[nodiscard]] Field<Colour> ground(const Grid& pixels, const Field<float>* elevation, double sea_level,
                                       double shading) const;

  private:
    MeanderColours colours_;
    double oldest_;  // yr
    const ColourMap* scale_;
};

/// Cells of half a pixel.
Grid half_pixels(const Grid& pixels);

struct BeltPaint {
    const Field<float>& years;  // ChannelYears, on half pixels
    double now;                 // yr
    const BeltColours& colours;
    const Field<Colour>& ground;  // by pixel
    double scroll_period;         // yr, 0: no scroll bars
    double shading;
};

/// Paints each pixel from its four cells.
void paint_belt(Canvas& canvas, const Box& map, const BeltPaint& paint);

}  // namespace thalweg
