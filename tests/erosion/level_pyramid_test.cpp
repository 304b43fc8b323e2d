#include "thalweg/erosion/levels/level_pyramid.hpp"

#include <bit>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

ErosionInputs problem(int cells) {
    ErosionInputs inputs;
    inputs.grid = {.columns = cells, .rows = cells, .cell_size = 50.0};
    inputs.elevation = constant_source(0.0F);
    inputs.uplift = constant_source(1e-3F);
    return inputs;
}

const ErosionParameters kMesh{.lattice = ErosionLattice::Mesh};

/// On the finest level, the next, ...: the raster or 4 neighbours of 128 cells; a mesh of 128; 64 and 32.
std::vector<int> averaged_in_iteration(int iteration, const ErosionParameters& parameters) {
    const ErosionInputs inputs = problem(128);
    const LevelPyramid pyramid({inputs, parameters, 1});
    std::vector<int> averaged;
    for (std::size_t level = 0; level < pyramid.count(); ++level)
        averaged.push_back(pyramid.averaged_on(level, iteration));
    return averaged;
}

TEST(LevelPyramid, averages_areas_of_all_iterations_but_on_the_coarsest_level_of_a_mesh) {
    EXPECT_EQ(averaged_in_iteration(0, kMesh), (std::vector<int>{0, 0, 0, 0}));
    EXPECT_EQ(averaged_in_iteration(2, kMesh), (std::vector<int>{2, 2, 2, 2}));
    EXPECT_EQ(averaged_in_iteration(5, kMesh), (std::vector<int>{5, 5, 5, 3}));
    EXPECT_EQ(averaged_in_iteration(5, {.lattice = ErosionLattice::FourNeighbours}),
              (std::vector<int>{5, 5, 5}));
}

TEST(LevelPyramid, averages_no_areas_of_the_fixed_point) {
    EXPECT_EQ(averaged_in_iteration(5, {.method = ErosionMethod::FixedPoint}), (std::vector<int>{0}));
}

TEST(LevelPyramid, has_the_lattice_that_was_asked_for_on_every_level) {
    const ErosionInputs inputs = problem(128);
    QuietProgress progress;
    const auto lattices_of = [&](const ErosionParameters& parameters) {
        LevelPyramid pyramid({inputs, parameters, 1});
        std::vector<Lattice> lattices;
        for (std::size_t level = 0; level < pyramid.count(); ++level)
            lattices.push_back(pyramid.level(level, progress)->lattice);
        return lattices;
    };
    for (const auto& [lattice, links] :
         {std::pair{ErosionLattice::FourNeighbours, 4}, std::pair{ErosionLattice::EightNeighbours, 8}})
        for (const Lattice& found : lattices_of({.lattice = lattice})) {
            EXPECT_EQ(std::popcount(found.links_inside(5, 5)), links);
            EXPECT_FALSE(found.displaced());
        }
}

TEST(LevelPyramid, ends_on_the_raster_after_a_mesh_of_its_size) {
    const ErosionInputs inputs = problem(128);
    QuietProgress progress;
    const ErosionParameters parameters{.lattice = ErosionLattice::Mesh};
    LevelPyramid pyramid({inputs, parameters, 1});
    ASSERT_EQ(pyramid.count(), 4U);
    EXPECT_TRUE(pyramid.ends_on_raster());
    EXPECT_EQ(pyramid.grid(0), pyramid.grid(1));
    EXPECT_FALSE(pyramid.level(0, progress)->lattice.displaced());
    EXPECT_EQ(std::popcount(pyramid.level(0, progress)->lattice.links_inside(5, 5)), 8);
    for (std::size_t level = 1; level < pyramid.count(); ++level)
        EXPECT_TRUE(pyramid.level(level, progress)->lattice.displaced());
    EXPECT_EQ(pyramid.key_level(), 1U);
}

}  // namespace
}  // namespace thalweg
