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

/// The results in a StageCache, for the stages of one project. Besides those whose result is not there,
/// stages run that give a layer as a function which a stage that runs may ask for. Lives no longer than both.
class CachedStages final : public StageResults {
  public:
    CachedStages(const Project& project, StageCache& cache);

    std::vector<bool> stages_to_run() override;
    std::optional<StageResult> take(std::size_t stage) override;
    void keep(std::size_t stage, const StageResult& result) override;

  private:
    const Project& project_;
    StageCache& cache_;
    std::vector<std::string> keys_;  // by stage
    std::set<std::string> damaged_;  // keys of results that could not be read
};

}  // namespace thalweg
