// A project's results of stages in a cache.
#pragma once

#include "thalweg/project/loop/stage_loop.hpp"
#include "thalweg/project/project.hpp"
#include "thalweg/project/stage_cache.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thalweg {

/// The results in a StageCache, for the stages of one project up to `end`; those from there on run. Besides
/// those whose result is not there, stages run that give a layer as a function which a stage that runs may
/// ask for. Results that were measured serve all; where `is_measured`, the others serve stages alone that
/// measure nothing. Lives no longer than both.
class CachedStages final : public StageResults {
  public:
    CachedStages(const Project& project, std::size_t end, bool is_measured, StageCache& cache);

    std::vector<bool> stages_to_run() override;
    std::optional<StageResult> take(std::size_t stage) override;
    void keep(std::size_t stage, const StageResult& result) override;

    /// Whether the cache has a result that was kept by this.
    [[nodiscard]] bool has_kept() const;

  private:
    /// Looks for the result that was not measured, if that serves, or lets the stage run.
    void give_up(std::size_t stage);

    const Project& project_;
    std::size_t end_;
    bool is_measured_;
    StageCache& cache_;
    std::vector<std::string> keys_;  // by stage
    std::set<std::string> damaged_;  // keys of results that could not be read
    std::set<std::string> stored_;   // keys of results that were to be kept
};

}  // namespace thalweg
