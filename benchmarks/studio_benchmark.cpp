// What a studio waits for: from an edit of a project to its picture, on 25.6 km of noise with a painted
// range. Processor time is that of all threads.
#include "thalweg/project/evaluator.hpp"
#include "thalweg/project/project_document.hpp"

#include <condition_variable>
#include <limits>
#include <mutex>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr const char* kRange = R"([grid]
extent = [25600.0, 25600.0]
[[stage]]
use = "noise"
amplitude = 10.0
[[stage]]
use = "strokes"
layer = "uplift"
[[stage.strokes]]
points = [2500.0, 5500.0, 8500.0, 9500.0, 14500.0, 12500.0, 22500.0, 20500.0]
radius = 1800.0
falloff = 8500.0
strength = 1.2e-3
[[stage]]
use = "erode"
uplift = "uplift"
[[stage]]
use = "flow"
)";

constexpr const char* kMountainsText = R"(
[grid]
extent = [25600.0, 25600.0]
cells = 1024
[[stage]]
use = "noise"
amplitude = 50.0
[[stage]]
use = "rock"
[[stage]]
use = "history"
)";

/// A project, and the time of one of its stages.
struct Scene {
    const char* text;
    const char* stage;
    double years;
};
constexpr Scene kSteadyRange = {kRange, "erode", std::numeric_limits<double>::infinity()};
constexpr Scene kAgedRange = {kRange, "erode", 1e6};
constexpr Scene kMountains = {kMountainsText, "history", 8e5};

const std::set<std::string> kAll = {};
const std::set<std::string> kGround = {"elevation"};
const std::set<std::string> kDrawn = {"elevation", "drainage_area"};

ProjectDocument document_of(const benchmark::State& state, const Scene& scene) {
    ProjectDocument document(scene.text, "scene.toml", "");
    document.set("grid", "cells", static_cast<std::int64_t>(state.range(0)));
    document.set(scene.stage, "time", scene.years);
    return document;
}

/// The strength of the stroke, or the time, of edit `i`.
void change_stroke(ProjectDocument& document, int i) {
    document.set_in_row("strokes", "strokes", 0, "strength", 1e-3 + 1e-6 * (i % 1000));
}

void change_time(ProjectDocument& document, int i) {
    document.set("erode", "time", 1e6 + 10.0 * (i % 1000));
}

/// To and fro over the whole history.
void change_history(ProjectDocument& document, int i) {
    document.set("history", "time", 1e3 * static_cast<double>(1 + 389 * i % 800));
}

using Change = void (*)(ProjectDocument& document, int i);

/// Waits for a picture of one request after another.
class Viewer {
  public:
    explicit Viewer(bool takes_previews)
        : takes_previews_(takes_previews), evaluator_([this](const EvaluationNews& news) { take(news); }) {}

    void show(EvaluationRequest request) {
        const std::uint64_t number = evaluator_.submit(std::move(request));
        std::unique_lock<std::mutex> lock(mutex_);
        shown_.wait(lock, [&] { return number_ == number; });
    }
    void wait_idle() { evaluator_.wait_idle(); }

  private:
    void take(const EvaluationNews& news) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (takes_previews_ || news.outcome != EvaluationOutcome::Preview) number_ = news.request;
        shown_.notify_all();
    }

    bool takes_previews_;
    std::mutex mutex_;
    std::condition_variable shown_;
    std::uint64_t number_ = 0;
    Evaluator evaluator_;
};

void studio_edit(benchmark::State& state, Change change, const Scene& scene, bool takes_previews,
                 int first_cells, const std::set<std::string>& wanted) {
    ProjectDocument document = document_of(state, scene);
    Viewer viewer(takes_previews);
    const auto show = [&] {
        viewer.show({.project = document.project(), .wanted = wanted, .first_cells = first_cells});
    };
    int i = 0;
    for (int warm = 0; warm < 2; ++warm) {
        change(document, i++);
        show();
    }
    viewer.wait_idle();
    for (auto _ : state) {
        change(document, i++);
        show();
        state.PauseTiming();
        viewer.wait_idle();
        state.ResumeTiming();
    }
}

void studio_document_edit(benchmark::State& state) {
    ProjectDocument document(kRange, "range.toml", "");
    for (std::int64_t i = 1; i < state.range(0); ++i)
        document.insert_row("strokes", "strokes", 0,
                            {{{"points", std::vector{25.0 * static_cast<double>(i), 100.0}}}});
    int i = 0;
    for (auto _ : state) change_stroke(document, i++);
}

#define THALWEG_STUDIO_BENCHMARK(name, ...)           \
    BENCHMARK_CAPTURE(studio_edit, name, __VA_ARGS__) \
        ->Arg(128)                                    \
        ->Arg(256)                                    \
        ->Arg(512)                                    \
        ->Arg(1024)                                   \
        ->Unit(benchmark::kMillisecond)               \
        ->MeasureProcessCPUTime()                     \
        ->UseRealTime()
THALWEG_STUDIO_BENCHMARK(stroke_to_first_picture, change_stroke, kSteadyRange, true, 128, kDrawn);
THALWEG_STUDIO_BENCHMARK(stroke_to_last_picture, change_stroke, kSteadyRange, false, 128, kDrawn);
THALWEG_STUDIO_BENCHMARK(stroke_at_full_size_alone, change_stroke, kSteadyRange, false, 0, kDrawn);
THALWEG_STUDIO_BENCHMARK(stroke_with_every_layer, change_stroke, kSteadyRange, false, 0, kAll);
THALWEG_STUDIO_BENCHMARK(slide_to_first_picture, change_time, kAgedRange, true, 128, kDrawn);
THALWEG_STUDIO_BENCHMARK(slide_at_full_size_alone, change_time, kAgedRange, false, 0, kDrawn);
THALWEG_STUDIO_BENCHMARK(history_to_first_picture, change_history, kMountains, true, 128, kGround);
THALWEG_STUDIO_BENCHMARK(history_at_full_size_alone, change_history, kMountains, false, 0, kGround);
BENCHMARK(studio_document_edit)->Arg(1)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg
