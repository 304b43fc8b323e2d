// Datasets and what a stage told of its run, as bytes.
#pragma once

#include "thalweg/meander/meander_state.hpp"
#include "thalweg/particles/particle_state.hpp"
#include "thalweg/project/binary_archive.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/stage.hpp"

namespace thalweg {

/// Whether write_dataset knows the dataset's type. Each new type of dataset is one line in
/// dataset_archive.cpp, and its members.
bool can_be_archived(const Dataset& dataset);

/// Whether all of it is archived: a layer's source, being a function, is not.
bool is_archived_whole(const Dataset& dataset);

void write_dataset(ArchiveWriter& archive, const Dataset& dataset);

/// A layer comes without a source. Throws std::runtime_error for bytes that write_dataset has not written.
Dataset read_dataset(ArchiveReader& archive);

void write_diagnostics(ArchiveWriter& archive, const Diagnostics& diagnostics);
Diagnostics read_diagnostics(ArchiveReader& archive);

void write_meander_state(ArchiveWriter& archive, const MeanderState& state);
MeanderState read_meander_state(ArchiveReader& archive);

void write_particle_state(ArchiveWriter& archive, const ParticleState& state);
/// Comes with default parameters, which are not archived.
ParticleState read_particle_state(ArchiveReader& archive);

void write_values(ArchiveWriter& archive, const ValueTable& values);
ValueTable read_values(ArchiveReader& archive);

}  // namespace thalweg
