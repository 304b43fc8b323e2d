// Pictures made of rays. Private to render.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/image.hpp"
#include "thalweg/render/view/camera.hpp"

#include <functional>
#include <span>

namespace thalweg {

/// A camera ray: its direction, and where it goes through the picture.
struct CameraRay {
    Vector3 direction;      // unit
    float from_top = 0.0F;  // share of the picture's height
};

/// Linear display colours of at most kRaysAtOnce rays through one pixel, summed. Called from several threads.
using RayColours = std::function<Colour(std::span<const CameraRay> rays)>;

/// A picture of width x height pixels, `samples` rays a pixel, at the R2 sequence's places (Roberts 2018)
/// turned by a hash of the pixel. Reports `progress` from 0 to 1; same bits on any number of threads.
Image trace_picture(const Camera& camera, int width, int height, int samples, const RayColours& colours,
                    Progress& progress);

}  // namespace thalweg
