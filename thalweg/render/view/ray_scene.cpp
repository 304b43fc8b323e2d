#include "thalweg/render/view/ray_scene.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <vector>

#include <fmt/format.h>

#ifdef THALWEG_WITH_EMBREE
#include "thalweg/render/view/embree.hpp"

namespace thalweg {
namespace {

constexpr int kTile = 64;  // quads, side of the squares that the surface is cut into
constexpr unsigned kAllRays = ~0U;

using Quad = std::array<unsigned, 4>;

/// The surface's pieces: whole tiles as grids, broken ones as quads. Both index its vertices.
struct SurfacePieces {
    std::vector<RTCGrid> grids;
    std::vector<Quad> quads;
};

void add_tile(const Block& block, int left, int top, SurfacePieces& pieces) {
    const int columns = std::min(kTile, block.quad_columns() - left);
    const int rows = std::min(kTile, block.quad_rows() - top);
    const unsigned stride = static_cast<unsigned>(block.surface.columns());
    const auto index = [&](int column, int row) {
        return static_cast<unsigned>(row) * stride + static_cast<unsigned>(column);
    };
    std::vector<Quad> quads;
    for (int row = top; row < top + rows; ++row)
        for (int column = left; column < left + columns; ++column)
            if (block.is_solid(column, row))
                quads.push_back({index(column, row), index(column, row + 1), index(column + 1, row + 1),
                                 index(column + 1, row)});
    if (quads.size() == static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {
        pieces.grids.push_back({index(left, top), stride, static_cast<unsigned short>(columns + 1),
                                static_cast<unsigned short>(rows + 1)});
    } else {
        pieces.quads.insert(pieces.quads.end(), quads.begin(), quads.end());
    }
}

RTCRay ray_from(Vector3 origin, Vector3 direction) {
    RTCRay ray{};
    ray.org_x = origin.x;
    ray.org_y = origin.y;
    ray.org_z = origin.z;
    ray.dir_x = direction.x;
    ray.dir_y = direction.y;
    ray.dir_z = direction.z;
    ray.tfar = std::numeric_limits<float>::infinity();
    ray.mask = kAllRays;
    return ray;
}

}  // namespace

struct RayScene::Impl {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    std::vector<Vector3> vertices;  // of the surface; one more than used, since Embree reads 16 bytes each
    std::vector<Vector3> wall_vertices;  // four each, and one more
    SurfacePieces pieces;
    std::vector<Quad> wall_quads;
    std::vector<std::array<unsigned, 3>> triangles;
    unsigned wall_id = RTC_INVALID_GEOMETRY_ID;

    Impl() = default;
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() {
        if (scene != nullptr) rtcReleaseScene(scene);
        if (device != nullptr) rtcReleaseDevice(device);
    }

    template <class Element>
    unsigned attach(RTCGeometryType type, const std::vector<Vector3>& points, RTCBufferType buffer,
                    RTCFormat format, const std::vector<Element>& elements) {
        RTCGeometry geometry = rtcNewGeometry(device, type);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, points.data(), 0,
                                   sizeof(Vector3), points.size() - 1);
        rtcSetSharedGeometryBuffer(geometry, buffer, 0, format, elements.data(), 0, sizeof(Element),
                                   elements.size());
        rtcCommitGeometry(geometry);
        const unsigned id = rtcAttachGeometry(scene, geometry);
        rtcReleaseGeometry(geometry);
        return id;
    }

    /// `normal`: across the piece, of any length.
    [[nodiscard]] Hit hit_of(unsigned geometry, unsigned piece, float distance, Vector3 normal,
                             Vector3 direction) const {
        if (geometry == RTC_INVALID_GEOMETRY_ID) return {};
        const Vector3 unit = normalised(normal);
        // Whichever way a piece is wound, the side that was hit faces the ray.
        return {.part = geometry == wall_id ? Part::Wall : Part::Surface,
                .distance = distance,
                .normal = dot(unit, direction) > 0.0F ? unit * -1.0F : unit,
                .piece = piece};
    }

    void start() {
        device = rtcNewDevice(embree::kSettings);
        if (device == nullptr) {
            const RTCError error = rtcGetDeviceError(nullptr);
            if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
            throw Error::failure(
                fmt::format("Embree cannot start (error {}): a view needs a processor with SSE2 or NEON",
                            static_cast<int>(error)));
        }
        scene = rtcNewScene(device);
    }

    void finish() const {
        rtcSetSceneProgressMonitorFunction(
            scene,
            [](void* progress, double) {
                return progress == nullptr || !static_cast<const Progress*>(progress)->cancelled();
            },
            current_execution().progress);
        rtcCommitScene(scene);
        poll_cancelled();
        const RTCError error = rtcGetDeviceError(device);
        if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
        if (error != RTC_ERROR_NONE)
            throw Error::failure(fmt::format("Embree cannot build the view's scene of {} vertices: error {}",
                                             vertices.size(), static_cast<int>(error)));
    }

    void collect(const Block& block) {
        for (int row = 0; row < block.surface.rows(); ++row)
            for (int column = 0; column < block.surface.columns(); ++column)
                vertices.push_back(block.vertex(column, row));
        vertices.emplace_back();
        for (int top = 0; top < block.quad_rows(); top += kTile)
            for (int left = 0; left < block.quad_columns(); left += kTile) add_tile(block, left, top, pieces);
        for (const WallEdge& edge : wall_edges(block)) {
            const auto first = static_cast<unsigned>(wall_vertices.size());
            wall_quads.push_back({first, first + 1, first + 2, first + 3});
            wall_vertices.push_back(edge.left);
            wall_vertices.push_back({edge.left.x, edge.left.y, block.base});
            wall_vertices.push_back({edge.right.x, edge.right.y, block.base});
            wall_vertices.push_back(edge.right);
        }
        wall_vertices.emplace_back();
    }
};

bool RayScene::is_available() {
    return true;
}

RayScene::RayScene(const Block& block) : impl_(std::make_unique<Impl>()) {
    impl_->collect(block);
    impl_->start();
    if (!impl_->pieces.grids.empty())
        impl_->attach(RTC_GEOMETRY_TYPE_GRID, impl_->vertices, RTC_BUFFER_TYPE_GRID, RTC_FORMAT_GRID,
                      impl_->pieces.grids);
    if (!impl_->pieces.quads.empty())
        impl_->attach(RTC_GEOMETRY_TYPE_QUAD, impl_->vertices, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT4,
                      impl_->pieces.quads);
    impl_->wall_id = impl_->attach(RTC_GEOMETRY_TYPE_QUAD, impl_->wall_vertices, RTC_BUFFER_TYPE_INDEX,
                                   RTC_FORMAT_UINT4, impl_->wall_quads);
    impl_->finish();
}

RayScene::RayScene(std::span<const Triangle> triangles) : impl_(std::make_unique<Impl>()) {
    for (const Triangle& triangle : triangles) {
        const auto first = static_cast<unsigned>(impl_->vertices.size());
        impl_->triangles.push_back({first, first + 1, first + 2});
        impl_->vertices.insert(impl_->vertices.end(), triangle.begin(), triangle.end());
    }
    impl_->vertices.emplace_back();
    impl_->start();
    impl_->attach(RTC_GEOMETRY_TYPE_TRIANGLE, impl_->vertices, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3,
                  impl_->triangles);
    impl_->finish();
}

RayScene::~RayScene() = default;

Hit RayScene::first_hit(Vector3 origin, Vector3 direction, float farthest) const {
    RTCRayHit ray{.ray = ray_from(origin, direction), .hit = {}};
    ray.ray.tfar = farthest;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    embree::intersect(impl_->scene, ray);
    return impl_->hit_of(ray.hit.geomID, ray.hit.primID, ray.ray.tfar,
                         {ray.hit.Ng_x, ray.hit.Ng_y, ray.hit.Ng_z}, direction);
}

void RayScene::first_hits(Vector3 origin, std::span<const Vector3> directions, std::span<Hit> hits) const {
    assert(directions.size() <= kRaysAtOnce && hits.size() >= directions.size());
    alignas(16) std::array<int, kRaysAtOnce> valid{};
    RTCRayHit4 rays{};
    for (std::size_t k = 0; k < directions.size(); ++k) {
        valid[k] = -1;
        rays.ray.org_x[k] = origin.x;
        rays.ray.org_y[k] = origin.y;
        rays.ray.org_z[k] = origin.z;
        rays.ray.dir_x[k] = directions[k].x;
        rays.ray.dir_y[k] = directions[k].y;
        rays.ray.dir_z[k] = directions[k].z;
        rays.ray.tfar[k] = std::numeric_limits<float>::infinity();
        rays.ray.mask[k] = kAllRays;
        rays.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
    }
    embree::intersect(valid.data(), impl_->scene, rays);
    for (std::size_t k = 0; k < directions.size(); ++k)
        hits[k] = impl_->hit_of(rays.hit.geomID[k], rays.hit.primID[k], rays.ray.tfar[k],
                                {rays.hit.Ng_x[k], rays.hit.Ng_y[k], rays.hit.Ng_z[k]}, directions[k]);
}

bool RayScene::is_blocked(Vector3 origin, Vector3 direction) const {
    RTCRay ray = ray_from(origin, direction);
    embree::occluded(impl_->scene, ray);
    return ray.tfar < 0.0F;
}

}  // namespace thalweg

#else

namespace thalweg {

struct RayScene::Impl {};

bool RayScene::is_available() {
    return false;
}

RayScene::RayScene(const Block&) : RayScene(std::span<const Triangle>()) {
}

RayScene::RayScene(std::span<const Triangle>) {
    throw Error::failure(
        "a 3-D view cannot be drawn: this program was built without Embree (CMake option "
        "THALWEG_WITH_EMBREE)");
}

RayScene::~RayScene() = default;

Hit RayScene::first_hit(Vector3, Vector3, float) const {
    return {};
}

void RayScene::first_hits(Vector3, std::span<const Vector3>, std::span<Hit>) const {
}

bool RayScene::is_blocked(Vector3, Vector3) const {
    return false;
}

}  // namespace thalweg

#endif
