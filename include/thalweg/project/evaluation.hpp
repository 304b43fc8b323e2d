// Evaluation: runs the stages of a project whose results are not known yet.
#pragma once

#include "thalweg/core/execution.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/project.hpp"
#include "thalweg/project/report.hpp"
#include "thalweg/project/stage_result.hpp"
#include "thalweg/project/timed_stages.hpp"
#include "thalweg/project/verb_start.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace thalweg {

class FileHashes;  // of the files that a project reads
struct ProjectKeys;

/// A project's landscape, and what it took to get there.
struct Evaluated {
    Landscape landscape;
    std::vector<StageReport> reports;  // of every stage, from when it ran
    std::vector<std::string> ran;      // labels of the stages that ran now
    std::set<std::string> changed;     // datasets that are not those of the evaluation before
};

/// Evaluates one state of a project after another, and runs only the stages for which it has no
/// result: none with the same parameters, inputs, grid and seed. The landscape is the one that run_project
/// gives, bit by bit. Results share their datasets with the landscapes that were handed out. A stage whose
/// time alone changes, as under a slider of years, is prepared for all times (timed_stages.hpp). To be used
/// from one thread at a time.
///
/// Example:
///     Evaluation evaluation;
///     const Evaluated first = evaluation.evaluate(project);
///     const Evaluated again = evaluation.evaluate(project, {.threads = 4});  // again.ran is empty
class Evaluation {
  public:
    /// Keeps the results of the last project, and of earlier ones while their layers take no more than
    /// `kept_bytes` with them; those that were not used for longest go first.
    explicit Evaluation(std::int64_t kept_bytes = std::int64_t{1} << 30) : kept_bytes_(kept_bytes) {}

    /// Labels of the stages that evaluate() would run, in order.
    [[nodiscard]] std::vector<std::string> stale(const Project& project) const;

    /// Throws Error, and Cancelled; stages that have ended by then are not run again.
    Evaluated evaluate(const Project& project, const Execution& execution = {});

  private:
    friend class Evaluator;  // which evaluates a state at several sizes, and hashes its files once

    class Results;
    struct Kept {
        StageResult result;
        std::int64_t bytes = 0;  // of its layers
        std::int64_t used = 0;   // number of the last evaluation that took it
    };

    [[nodiscard]] bool has_results(const ProjectKeys& keys) const;  // of all stages
    Evaluated evaluate(const Project& project, const Execution& execution, FileHashes& files);
    void forget();

    std::int64_t kept_bytes_;
    std::int64_t evaluations_ = 0;
    std::map<std::string, Kept> kept_;  // by key
    TimedStages timed_;
    Start start_;            // of the last project
    std::string start_key_;  // of its raster
    std::map<std::string, Dataset> last_;
};

}  // namespace thalweg
