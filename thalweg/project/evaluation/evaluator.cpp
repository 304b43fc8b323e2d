#include "thalweg/project/evaluator.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/cache/stage_keys.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

namespace thalweg {
namespace {

int longer_side(const Grid& grid) {
    return std::max(grid.columns, grid.rows);
}

/// The project at full size with the stages and layers that are wanted, and no files.
Project wanted_part(const EvaluationRequest& request) {
    Project part = request.project;
    part.output.formats = {};
    part.output.pictures = {};
    if (request.wanted.empty()) return part;
    part.output.layers = {request.wanted.begin(), request.wanted.end()};
    part.output.networks = {};
    part.output.analyses = {};
    part.named_files = {};
    drop_unused_stages(part);
    return part;
}

/// From the coarsest to full size.
std::vector<Project> levels_of(const EvaluationRequest& request) {
    std::vector<Project> levels = {wanted_part(request)};
    if (request.project.start) return levels;  // its raster is at full size alone
    while (request.first_cells > 0 && longer_side(levels.back().grid) > request.first_cells) {
        Project coarser = levels.back();
        coarser.grid_settings.cells = (longer_side(coarser.grid) + 1) / 2;
        coarser.grid = grid_of(coarser.grid_settings, coarser.base_directory);
        levels.push_back(std::move(coarser));
    }
    std::ranges::reverse(levels);
    return levels;
}

}  // namespace

class Evaluator::LevelProgress final : public Progress {
  public:
    explicit LevelProgress(std::uint64_t request) { now_.request = request; }

    void begin_level(int cells) {
        const std::lock_guard<std::mutex> lock(mutex_);
        now_ = {.request = now_.request, .cells = cells};
    }
    [[nodiscard]] EvaluationProgress now() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        return now_;
    }

  protected:
    void show(double fraction, std::string_view phrase) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        now_.fraction = fraction;
        now_.phrase = phrase;
    }

  private:
    mutable std::mutex mutex_;
    EvaluationProgress now_;
};

Evaluator::Evaluator(Listener listener, std::int64_t kept_bytes)
    : listener_(std::move(listener)), evaluation_(kept_bytes) {
    worker_.emplace([this] { work(); });
}

Evaluator::~Evaluator() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        is_ending_ = true;
        cancel_all();
    }
    submitted_.notify_all();
}

std::uint64_t Evaluator::submit(EvaluationRequest request) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (waiting_) replaced_.push_back(waiting_->number);
    waiting_ = Submitted{++last_number_, std::move(request)};
    if (is_refining_) running_->cancel();
    if (is_ending_) cancel_all();
    submitted_.notify_all();
    return last_number_;
}

void Evaluator::cancel() {
    const std::lock_guard<std::mutex> lock(mutex_);
    cancel_all();
    submitted_.notify_all();
}

void Evaluator::cancel_all() {
    if (waiting_) replaced_.push_back(waiting_->number);
    waiting_.reset();
    if (running_) running_->cancel();
}

bool Evaluator::has_work() const {
    return waiting_.has_value() || !replaced_.empty();
}

void Evaluator::wait_idle() {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [&] { return !is_busy_ && !has_work(); });
}

EvaluationProgress Evaluator::progress() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return running_ ? running_->now() : EvaluationProgress{};
}

void Evaluator::work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        submitted_.wait(lock, [&] { return is_ending_ || has_work(); });
        if (!has_work()) return;
        const std::vector<std::uint64_t> replaced = std::exchange(replaced_, {});
        const std::optional<Submitted> submitted = std::exchange(waiting_, std::nullopt);
        if (submitted) running_ = std::make_shared<LevelProgress>(submitted->number);
        is_busy_ = true;
        lock.unlock();
        for (const std::uint64_t number : replaced)
            listener_({.request = number, .outcome = EvaluationOutcome::Cancelled});
        if (submitted) run(*submitted);
        lock.lock();
        running_.reset();
        is_refining_ = false;
        is_busy_ = false;
        if (!has_work()) idle_.notify_all();
    }
}

void Evaluator::run(const Submitted& submitted) {
    EvaluationNews end{.request = submitted.number};
    try {
        run_levels(submitted);
        return;
    } catch (const Cancelled&) {
        end.outcome = EvaluationOutcome::Cancelled;
    } catch (const std::exception& error) {
        end.outcome = EvaluationOutcome::Failed;
        end.error = error.what();
    }
    listener_(end);
}

void Evaluator::run_levels(const Submitted& submitted) {
    const ExecutionScope scope({.progress = running_.get(), .threads = submitted.request.threads});
    const std::vector<Project> levels = levels_of(submitted.request);
    const Project& full = levels.back();
    FileHashes files;
    const ProjectKeys keys = keys_of(full, files);
    const std::size_t first = evaluation_.has_results(keys) ? levels.size() - 1 : 0;
    for (std::size_t i = first; i < levels.size(); ++i) {
        const bool is_full = i + 1 == levels.size();
        begin_level(longer_side(levels[i].grid), i > first);
        EvaluationNews news{.request = submitted.number};
        news.outcome = is_full ? EvaluationOutcome::Complete : EvaluationOutcome::Preview;
        try {
            check_memory(plan_project(levels[i]));
            news.evaluated = evaluation_.evaluate(levels[i], {.progress = running_.get()}, files);
        } catch (const Error&) {
            if (is_full) throw;
            continue;  // few cells may lack what the full size has, such as an outlet
        }
        news.evaluated.changed =
            note_delivered(news.evaluated.landscape, longer_side(levels[i].grid), keys.datasets);
        listener_(news);
    }
}

/// Throws Cancelled where the request ends here.
void Evaluator::begin_level(int cells, bool is_refining) {
    const std::lock_guard<std::mutex> lock(mutex_);
    running_->poll();
    if (is_refining && waiting_) throw Cancelled{};
    is_refining_ = is_refining;
    running_->begin_level(cells);
}

/// What is not at least as good among what was delivered before; `cells` of the level.
std::set<std::string> Evaluator::note_delivered(const Landscape& landscape, int cells,
                                                const std::map<std::string, std::string>& keys) {
    std::set<std::string> changed;
    std::erase_if(delivered_, [&](const auto& before) {
        const bool is_gone = !landscape.has(before.first);
        if (is_gone) changed.insert(before.first);
        return is_gone;
    });
    for (const auto& [name, dataset] : landscape.datasets) {
        Delivered& before = delivered_[name];
        if (before.key == keys.at(name) && before.cells >= cells) continue;
        before = {keys.at(name), cells};
        changed.insert(name);
    }
    return changed;
}

}  // namespace thalweg
