// One terrain at many times: what a slider of years asks for.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/erode.hpp"

#include <cstdint>
#include <memory>

namespace thalweg {

/// An erosion whose time is asked for anew again and again, in any order. Every answer has the bytes that
/// erode() gives for its time alone. What is kept from one time to the next only spares work:
///
///   - Analytical over checkpoint times (docs/theory/erosion.md): levels with their inputs, the ground at
///     time 0, the terrain at checkpoint times, and the networks of the last two of these. A time between the
///     same two then costs a solution on a network that is known, with TimeDefinition::Multilevel its
///     refinement, and resampling.
///   - The steady state, once asked for.
///   - Other methods, and TimeDefinition::Multilevel on FourNeighbours, know no checkpoint times: erode() is
///     asked each time.
///
/// Memory: `checkpoint_bytes` for terrain at checkpoint times (4 bytes a cell each; 256 x 256 cells at most
/// with Multilevel, full size with FullResolution), beside about 100 bytes a cell. Beyond `checkpoint_bytes`
/// every other checkpoint is forgotten, and walked to again from the one before it; with 0 all are. Not to be
/// used from two threads at once.
///
/// Example:
///     ErosionSeries series(inputs, {.diagnostics = false}, seed);
///     for (const double time : {1e5, 2e5, 1.5e5})  // yr
///         std::printf("%g m\n", static_cast<double>(series.at(time, progress).elevation(10, 20)));
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
