#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/project/model/dataset_archive.hpp"

#include "tests/project/archives.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(ParticleArchive, holds_units_in_8_bytes_each_and_gives_back_those_that_fit_into_4_and_others) {
    Field<float> elevation(Grid{.columns = 8, .rows = 6, .cell_size = 10.0}, 5.0F);
    elevation(3, 3) = 4.0F;
    ParticleState state = ParticleSimulation(elevation, {}, 1).state();
    const std::vector<std::byte> before =
        archived_by([&](ArchiveWriter& archive) { write_particle_state(archive, state); });
    state.debt.set(20, -3);
    state.debt.set(21, std::int64_t{1} << 40);
    state.water_at_rest.set(27, std::int64_t{1} << 36);
    const std::vector<std::byte> after =
        archived_by([&](ArchiveWriter& archive) { write_particle_state(archive, state); });
    EXPECT_EQ(after.size(), before.size());
    const ParticleState read =
        read_from_archive(after, [](ArchiveReader& archive) { return read_particle_state(archive); });
    EXPECT_EQ(read, state);
}

}  // namespace
}  // namespace thalweg
