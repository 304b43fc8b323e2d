// RayScene: what rays hit. Private to render; the one place that knows Embree.
#pragma once

#include "thalweg/render/view/block.hpp"

#include <array>
#include <limits>
#include <memory>
#include <span>

namespace thalweg {

enum class Part { Nothing, Surface, Wall };

/// What a ray met first.
struct Hit {
    Part part = Part::Nothing;
    float distance = 0.0F;  // along the unit direction
    Vector3 normal;         // unit; of a wall, outwards; of the surface, of the flat piece that was hit
    unsigned piece = 0;     // of triangles, which one
};

using Triangle = std::array<Vector3, 3>;

inline constexpr std::size_t kRaysAtOnce = 4;

/// A block's surface and walls, ready for rays. Tracing may go on from many threads at once. Surfaces are
/// Embree grids where they are solid, quads along their outline: about 100 bytes and 0.1 us a vertex to
/// build. Embree builds on its own threads; what a ray meets does not depend on how many.
class RayScene {
  public:
    /// Whether this program was built with Embree.
    static bool is_available();

    /// Throws Error::failure when the program was built without Embree, or Embree cannot build the scene.
    explicit RayScene(const Block& block);
    /// Loose triangles, seen from both sides, all of them surface.
    explicit RayScene(std::span<const Triangle> triangles);
    ~RayScene();
    RayScene(const RayScene&) = delete;
    RayScene& operator=(const RayScene&) = delete;

    /// Nothing that is `farthest` or more away.
    [[nodiscard]] Hit first_hit(Vector3 origin, Vector3 direction,
                                float farthest = std::numeric_limits<float>::infinity()) const;
    /// The same for up to kRaysAtOnce rays from one origin in nearly the same direction, in less time.
    void first_hits(Vector3 origin, std::span<const Vector3> directions, std::span<Hit> hits) const;
    [[nodiscard]] bool is_blocked(Vector3 origin, Vector3 direction) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg
