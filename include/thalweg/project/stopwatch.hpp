// How long parts of a run take.
#pragma once

#include <chrono>

namespace thalweg {

/// Wall-clock milliseconds since it was made.
///
/// Example:
///     const Stopwatch watch;
///     const FlowResult routed = route(elevation, {}, progress);
///     std::printf("%.1f ms\n", watch.milliseconds());
class Stopwatch {
  public:
    [[nodiscard]] double milliseconds() const {
        return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// Phase under which stages report the time that they spent reading files; it is no part of `solve_ms`.
inline constexpr const char* kReadingPhase = "reading";
inline constexpr const char* kDiagnosticsPhase = "diagnostics";

}  // namespace thalweg
