// Trees and shrubs around a camera. Private to render.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/grid/grid.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/view/ray_scene.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace thalweg {

/// Ground on which a tree may stand.
struct TreeSite {
    Vector3 place;             // in the view; its z is no data where there is no ground
    float above_water = 0.0F;  // m, over the nearest water; no data: none is near
    float soil = 0.0F;         // share of soil: 0 where nothing can root
};

/// Conifers in woods, broad-leaved trees by themselves, shrubs along the water: clouds of leaves that are
/// fewer and larger farther away.
class Trees {
  public:
    /// `site`: the ground at a position; `eye` and `target`: where the camera stands and looks to, in the
    /// view, and `eye_position` the former on the map. None stands between them. `forest`: share of trees; no
    /// data, or null: woods stand by chance. Their triangles are added to `triangles`.
    Trees(const std::function<TreeSite(Position)>& site, const Field<float>* forest, Vector3 eye,
          Vector3 target, Position eye_position, std::vector<Triangle>& triangles);

    /// A leaf: its linear colour, and the share of the sky that arrives among the leaves.
    struct Leaf {
        Colour albedo;
        float sky = 1.0F;
    };
    [[nodiscard]] Leaf at(std::size_t triangle, Vector3 place) const;

  private:
    enum class Kind : std::uint8_t { Shrub, Broadleaf, Conifer };
    struct Tree {
        Kind kind = Kind::Shrub;
        Vector3 root;
        float height = 0.0F;  // m
        std::uint64_t draw = 0;
    };

    void add(const Tree& tree, float distance, std::vector<Triangle>& triangles);
    /// A place among the leaves, drawn.
    [[nodiscard]] static Vector3 leaf_place(const Tree& tree, std::uint64_t bits);

    std::vector<Tree> trees_;
    std::vector<std::uint32_t> tree_of_;  // by triangle
};

}  // namespace thalweg
