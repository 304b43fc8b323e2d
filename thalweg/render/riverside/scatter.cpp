#include "thalweg/render/riverside/scatter.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {

Scatter::Scatter(const ScatterGround& ground, Vector3 eye, Vector3 target, Position eye_position)
    : stones_(ground.stones, ground.surface, ground.water, eye, triangles_),
      first_blade_(triangles_.size()),
      grass_(ground.turf, ground.straw, ground.surface, eye, target, triangles_),
      first_leaf_(triangles_.size()),
      trees_(ground.site, ground.forest, eye, target, eye_position, triangles_) {
    if (!triangles_.empty()) scene_ = std::make_unique<RayScene>(triangles_);
    triangles_ = {};
}

Hit Scatter::hit(Vector3 origin, Vector3 direction, float farthest) const {
    return scene_ ? scene_->first_hit(origin, direction, farthest) : Hit{};
}

bool Scatter::blocks(Vector3 origin, Vector3 direction) const {
    return scene_ && scene_->is_blocked(origin, direction);
}

Scatter::Light Scatter::light(const Hit& hit, Vector3 place, Vector3 sun) const {
    constexpr float kThrough = 0.35F;  // share of the sun that shines through leaves
    if (hit.piece < first_blade_) {
        const Stones::Place stone = stones_.at(hit.piece, hit.normal, place);
        return {.albedo = stone.albedo,
                .facing = std::max(0.0F, dot(stone.normal, sun)),
                .sky = stone.sky * (0.6F + 0.4F * stone.normal.z)};
    }
    const float facing = kThrough + (1.0F - kThrough) * std::abs(dot(hit.normal, sun));
    if (hit.piece < first_leaf_)
        return {.albedo = grass_.colour(hit.piece - first_blade_, place), .facing = facing};
    const Trees::Leaf leaf = trees_.at(hit.piece - first_leaf_, place);
    return {.albedo = leaf.albedo, .facing = facing, .sky = leaf.sky, .clear = 0.1F};
}

}  // namespace thalweg
