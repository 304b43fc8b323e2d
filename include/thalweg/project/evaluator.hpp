// Evaluator: keeps up with a project that is being edited, on a thread of its own.
#pragma once

#include "thalweg/core/worker.hpp"
#include "thalweg/project/evaluation.hpp"
#include "thalweg/project/project.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thalweg {

/// A state of a project, and what is wanted of it.
struct EvaluationRequest {
    Project project;
    std::set<std::string> wanted =
        {};                 // names of datasets, as far as stages make them; empty: those of [output]
    int first_cells = 128;  // of the first level along the longer side, at most; 0: the full size alone
    int threads = 0;        // that it runs on at most; 0: one for each core
};

/// What has come of a request.
enum class EvaluationOutcome {
    Preview,    // a level below the full size; more will follow
    Complete,   // the full size
    Failed,     // an error, with its sentence
    Cancelled,  // by cancel(), or because a newer request has come
};

/// What a listener is told of a request.
struct EvaluationNews {
    std::uint64_t request = 0;  // as submit() has numbered it
    EvaluationOutcome outcome = EvaluationOutcome::Complete;
    std::string error = {};  // where it has failed

    /// Of Preview and Complete. Here `changed` names what is not at least as good among the datasets that
    /// were delivered before: other, finer, or gone. What it doesn't name may be there in more cells from
    /// before.
    Evaluated evaluated = {};
};

/// How far the present request is.
struct EvaluationProgress {
    std::uint64_t request = 0;  // 0: nothing runs
    int cells = 0;              // of the present level, along the longer side
    double fraction = 0.0;      // of it
    std::string phrase = {};    // what is being done
};

/// Evaluates states of a project one after another on a thread of its own, from coarse to fine. The newest
/// request wins: one that waits is replaced, and one that runs is cancelled, but its first level always
/// finishes, so that pictures come however fast edits follow each other.
///
/// Levels are the same project in fewer cells: the first of at most `first_cells` along the longer side, each
/// other of twice as many, the last at full size with the datasets that run_project leaves, bit by bit. Where
/// all results at full size are kept, it alone is delivered, so that an edit that is undone is there at once.
/// A level below full size that an error stops is left out. Stages run only where Evaluation has no result of
/// theirs, and only those that something wanted comes from: `flow` for drainage_area alone takes a twentieth
/// of the time of all its layers.
///
/// Every request ends with one Complete, Failed or Cancelled, in the order of their numbers. The listener is
/// called on the evaluator's thread, must not throw or wait for the evaluator, and may submit. What it is
/// given shares its datasets with kept results and never changes, so that it can be handed to other threads.
///
/// Example:
///     Evaluator evaluator([](const EvaluationNews& news) {
///         for (const std::string& name : news.evaluated.changed) std::puts(name.c_str());
///     });
///     evaluator.submit({.project = project, .wanted = {"elevation", "drainage_area"}});
///     evaluator.wait_idle();
class Evaluator {
  public:
    using Listener = std::function<void(const EvaluationNews& news)>;

    /// `kept_bytes` as of Evaluation, of all levels. Throws Error::failure without a thread to be had.
    explicit Evaluator(Listener listener, std::int64_t kept_bytes = std::int64_t{1} << 30);
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;
    /// Cancels everything, and waits until the listener has been told.
    ~Evaluator();

    /// Returns at once, with the request's number: 1, 2, ...
    std::uint64_t submit(EvaluationRequest request);

    /// Cancels the request that runs, its first level too, and the one that waits.
    void cancel();

    /// Waits until every request has ended and the listener has been told.
    void wait_idle();

    [[nodiscard]] EvaluationProgress progress() const;

  private:
    struct Submitted {
        std::uint64_t number;
        EvaluationRequest request;
    };
    /// How good a dataset is that was delivered.
    struct Delivered {
        std::string key;  // of it at full size
        int cells;        // that it was made in
    };
    class LevelProgress;

    void cancel_all();
    void work();
    [[nodiscard]] bool has_work() const;
    void run(const Submitted& submitted);
    void run_levels(const Submitted& submitted);
    void begin_level(int cells, bool is_refining);
    std::set<std::string> note_delivered(const Landscape& landscape, int cells,
                                         const std::map<std::string, std::string>& keys);

    Listener listener_;
    Evaluation evaluation_;                       // these two of the thread alone
    std::map<std::string, Delivered> delivered_;  // by name

    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable submitted_;
    std::condition_variable idle_;
    std::uint64_t last_number_ = 0;
    std::optional<Submitted> waiting_;
    std::vector<std::uint64_t> replaced_;     // requests that never ran, to be told
    std::shared_ptr<LevelProgress> running_;  // empty: nothing runs
    bool is_refining_ = false;                // beyond the first level
    bool is_busy_ = false;
    bool is_ending_ = false;

    std::optional<Worker> worker_;  // last, so that all else outlives it
};

}  // namespace thalweg
