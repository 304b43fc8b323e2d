#include "thalweg/render/riverside/lit_relief.hpp"

#include <algorithm>
#include <limits>

namespace thalweg {

Hit LitRelief::hit(Vector3 origin, Vector3 direction, float farthest) const {
    const Hit found = scene->first_hit(origin - middle, direction, farthest);
    return found.part == Part::Surface ? found : Hit{};
}

GroundPoint LitRelief::at(Vector3 place) const {
    return ground_at(points, block.column_at(place.x - middle.x), block.row_at(place.y - middle.y));
}

LitRelief lit_relief(const Field<float>& surface, const Field<Colour>& albedo, Vector3 middle, const Sun& sun,
                     Progress& progress) {
    constexpr float kBelow = 50.0F;  // m of ground under the lowest place
    Block block = make_block(surface, lowest_of(surface) - kBelow);
    auto scene = std::make_unique<RayScene>(block);
    return {.middle = middle,
            .block = std::move(block),
            .scene = std::move(scene),
            .points = light_ground(surface, surface, albedo, sun, 1.0, progress)};
}

float lowest_of(const Field<float>& field) {
    float lowest = std::numeric_limits<float>::infinity();
    for (const float value : field)
        if (value < lowest) lowest = value;
    return lowest;
}

}  // namespace thalweg
