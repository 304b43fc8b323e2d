#include "thalweg/render/view/camera.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numbers>

namespace thalweg {
namespace {

/// Where the camera stands along one axis of the picture: as places across at depth 0 of its cone's sides.
struct Wedge {
    float low_slope;   // tangent of the cone's side towards lower values, negative
    float high_slope;  // tangent of the side towards higher values
    float low = std::numeric_limits<float>::infinity();    // min over points of across - low_slope depth
    float high = -std::numeric_limits<float>::infinity();  // max over points of across - high_slope depth

    void hold(float across, float depth) {
        low = std::min(low, across - low_slope * depth);
        high = std::max(high, across - high_slope * depth);
    }
    /// The greatest depth at which a camera still sees all points.
    [[nodiscard]] float greatest_depth() const { return (low - high) / (high_slope - low_slope); }
    /// The place across for a camera at `depth`: in the middle of what is allowed.
    [[nodiscard]] float across(float depth) const {
        return 0.5F * ((low + low_slope * depth) + (high + high_slope * depth));
    }
};

}  // namespace

Camera::Camera(double azimuth, double pitch, double field_of_view, int width, int height,
               const Margins& margins, const std::vector<Vector3>& points)
    : width_(static_cast<float>(width)), height_(static_cast<float>(height)) {
    assert(!points.empty());
    forward_ = towards(azimuth, pitch) * -1.0F;
    right_ = towards(azimuth - 90.0, 0.0);
    up_ = towards(azimuth + 180.0, 90.0 - pitch);
    open(field_of_view);
    Wedge horizontal{.low_slope = -half_width_ * (1.0F - 2.0F * margins.side),
                     .high_slope = half_width_ * (1.0F - 2.0F * margins.side)};
    Wedge vertical{.low_slope = -half_height_ * (1.0F - 2.0F * margins.bottom),
                   .high_slope = half_height_ * (1.0F - 2.0F * margins.top)};
    for (const Vector3& point : points) {
        horizontal.hold(dot(point, right_), dot(point, forward_));
        vertical.hold(dot(point, up_), dot(point, forward_));
    }
    const float depth = std::min(horizontal.greatest_depth(), vertical.greatest_depth());
    place_ = right_ * horizontal.across(depth) + up_ * vertical.across(depth) + forward_ * depth;
}

Camera::Camera(Vector3 place, Vector3 target, double field_of_view, int width, int height)
    : forward_(normalised(target - place)),
      place_(place),
      width_(static_cast<float>(width)),
      height_(static_cast<float>(height)) {
    right_ = normalised({forward_.y, -forward_.x, 0.0F});
    up_ = cross(right_, forward_);
    open(field_of_view);
}

void Camera::open(double field_of_view) {
    const float half = static_cast<float>(std::tan(0.5 * field_of_view * std::numbers::pi / 180.0)) /
                       std::max(width_, height_);
    half_width_ = half * width_;
    half_height_ = half * height_;
}

Vector3 Camera::direction(float x, float y) const {
    const float across = (2.0F * x / width_ - 1.0F) * half_width_;
    const float upward = (1.0F - 2.0F * y / height_) * half_height_;
    return normalised(forward_ + right_ * across + up_ * upward);
}

void Camera::project(Vector3 point, float& x, float& y) const {
    const Vector3 from = point - place_;
    const float away = dot(from, forward_);
    x = 0.5F * width_ * (1.0F + dot(from, right_) / (away * half_width_));
    y = 0.5F * height_ * (1.0F - dot(from, up_) / (away * half_height_));
}

}  // namespace thalweg
