// Files of what droplets come to, cycle after cycle: as a table, as JSON for programs, as charts for people.
#pragma once

#include "thalweg/particles/particle_simulation.hpp"

#include <filesystem>
#include <string>

namespace thalweg {

/// A line of the columns' names (docs/theory/particles.md describes them), then one for each record.
std::string particle_metrics_csv(const ParticleMetrics& metrics);

/// The same numbers by columns, as JSON text, indented by two spaces.
std::string particle_metrics_json(const ParticleMetrics& metrics);

/// Writes either, or charts as .png or .svg with `title` above, whole or not at all. Equal metrics give equal
/// bytes. Throws as check_metrics_file, and where it can't be written.
void write_particle_metrics(const std::filesystem::path& path, const ParticleMetrics& metrics,
                            const std::string& title);

}  // namespace thalweg
