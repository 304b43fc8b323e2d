// Camera: perspective rays, and a place from which everything is in the picture.
#pragma once

#include "thalweg/render/view/vector3.hpp"

#include <vector>

namespace thalweg {

/// Part of the picture that stays free on each side, as shares of its width and height.
struct Margins {
    float side = 0.04F;
    float top = 0.06F;
    float bottom = 0.09F;
};

/// A pinhole camera that never tilts sideways.
class Camera {
  public:
    /// Looks along azimuth + 180 degrees, `pitch` degrees down, with `field_of_view` degrees across the
    /// longer side of a picture of width x height pixels; it stands as near as it can with all of `points`
    /// inside the margins. Exact: each point bounds the camera's place by four planes, and the nearest place
    /// between them is in closed form. Needs at least one point.
    Camera(double azimuth, double pitch, double field_of_view, int width, int height, const Margins& margins,
           const std::vector<Vector3>& points);

    /// Stands at `place` and looks at `target`, which must not lie straight above or below it.
    Camera(Vector3 place, Vector3 target, double field_of_view, int width, int height);

    [[nodiscard]] Vector3 place() const { return place_; }

    /// Unit direction through place (x, y) of the picture, pixels from its upper left corner.
    [[nodiscard]] Vector3 direction(float x, float y) const;

    /// Distance along the camera's axis.
    [[nodiscard]] float depth(Vector3 point) const { return dot(point - place_, forward_); }

    /// Where a point in front of the camera stands in the picture, pixels.
    void project(Vector3 point, float& x, float& y) const;

  private:
    void open(double field_of_view);

    Vector3 right_;
    Vector3 up_;
    Vector3 forward_;
    Vector3 place_;
    float half_width_ = 0.0F;   // of the picture, at distance 1
    float half_height_ = 0.0F;  // of the picture, at distance 1
    float width_ = 0.0F;        // pixels
    float height_ = 0.0F;       // pixels
};

}  // namespace thalweg
