// One terrain at many times: what a slider of years asks for.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/erode.hpp"

#include <cstdint>
#include <memory>

namespace thalweg {

/// An erosion whose time is asked for anew again and again, in any order. Every answer has the bytes that
/// erode() gives for its time alone. What is kept from one time to the next only spares work:
///   - Analytical over checkpoint times (docs/theory/erosion.md): levels with their inputs, the ground at
///   time 0, the
///     terrain at checkpoint times, and the networks of the last two keys. A time between the same keys then
///     costs a solution on a network that is known, with TimeDefinition::Multilevel its refinement, and
///     resampling.
///   - the steady state, once asked for.
///   - Other methods, and TimeDefinition::Multilevel on FourNeighbours, know no keys: erode() is asked each
///   time.
/// Memory: `checkpoint_bytes` for terrain at keys (4 bytes a cell and key; 256 x 256 cells at most with
/// Multilevel, full size with FullResolution), beside about 100 bytes a cell. Beyond `checkpoint_bytes` every
/// other checkpoint is forgotten, and walked to again from the one before it; with 0 all are. Not to be used
/// from two threads at once.
///
///   ErosionSeries series(inputs, {.time_definition = TimeDefinition::FullResolution, .diagnostics = false},
///   seed); for (const double year : years) show(series.at(year, progress).elevation);
class ErosionSeries {
  public:
    static constexpr std::int64_t kCheckpointBytes = std::int64_t{1} << 30;

    /// parameters.time is not read. `inputs` must stay pure functions of the grid. Throws as erode().
    ErosionSeries(ErosionInputs inputs, const ErosionParameters& parameters, std::uint64_t seed,
                  std::int64_t checkpoint_bytes = kCheckpointBytes);
    ErosionSeries(ErosionSeries&&) noexcept;
    ErosionSeries& operator=(ErosionSeries&&) noexcept;
    ~ErosionSeries();

    /// The terrain after `time` years, 0 or more; infinity is the steady state. The report's phases_ms tell
    /// of the work that was still to be done, all else in it is as erode() tells. Polls `progress`; a series
    /// stays usable when it was cancelled. Throws as erode().
    ErosionResult at(double time, Progress& progress);

    /// Networks found over checkpoint times so far, and bytes of terrain kept at them: what the memory
    /// spares.
    [[nodiscard]] std::int64_t networks_found() const;
    [[nodiscard]] std::int64_t kept_terrain_bytes() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace thalweg
