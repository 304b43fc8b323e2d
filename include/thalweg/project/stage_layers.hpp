// Which layers a stage reads and leaves behind with given parameters.
#pragma once

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/project.hpp"
#include "thalweg/project/stage.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace thalweg {

/// The layer that a stage's verb writes: the one that its parameter `layer` names, else its primary layer.
std::string primary_layer(const Stage& stage, const void* parameters);

/// The datasets that the stage writes with these parameters.
std::vector<std::string> layers_written(const Stage& stage, const void* parameters);

/// Why the stage leaves out a layer that it writes with other parameters; nothing for all others.
std::string why_left_out(const Stage& stage, const void* parameters, const std::string& layer);

/// Whether the stage makes a layer that nobody names, so that it is among "all".
bool is_made_unasked(const StageUse& use, const std::string& layer);

/// The layers of its stage `stage` that a project uses: those that it writes, those that files are named for,
/// the one that an animation shows, and those that later stages read or change before another stage makes
/// them anew.
WantedLayers wanted_layers(const Project& project, std::size_t stage);

/// Takes out the stages that nothing of what the project uses comes from.
void drop_unused_stages(Project& project);

/// Every dataset that the stage may look at with these parameters, whether it is there or not.
///
/// Example:
///     for (const StageUse& use : project.stages)
///         std::printf("%s looks at %zu datasets\n", use.label.c_str(), inputs_of(use).size());
std::set<std::string> inputs_of(const StageUse& use);

/// Those of the datasets `present` that it may look at: all where it changes the grid.
std::set<std::string> inputs_of(const StageUse& use, const std::set<std::string>& present);

/// Every dataset that it may leave or change, but for intermediates.
std::set<std::string> outputs_of(const StageUse& use);

/// The same with its intermediates.
std::set<std::string> all_outputs_of(const StageUse& use);

/// Both of a landscape that has the datasets `present`, which a stage that changes the grid may all change.
std::set<std::string> outputs_of(const StageUse& use, const std::set<std::string>& present);
std::set<std::string> all_outputs_of(const StageUse& use, const std::set<std::string>& present);

/// Names of the stages whose declaration says that they write `layer`.
std::vector<std::string> stages_that_write(const std::string& layer);

/// Follows which layers exist from stage to stage, before anything runs.
class LayerCheck {
  public:
    explicit LayerCheck(std::set<std::string> present = {}) : present_(std::move(present)) {}

    /// Throws Error::input when the stage needs a layer that is not there; else adds those that it writes.
    void pass(const Stage& stage, const void* parameters);

    /// Notes a stage that is not enabled, for the messages that tell what lacks it.
    void pass_by(const StageUse& use);

    /// Throws Error::input unless every name is "all" or a layer that is there.
    void check_output(const std::vector<std::string>& layers) const;

    /// Throws Error::input unless an animation can show it: a layer that is there.
    void check_animated(const std::string& layer) const;

    [[nodiscard]] const std::set<std::string>& present() const { return present_; }

    /// Throws Error::input unless the file is named for a dataset that is there, or for vectors or an
    /// analysis in a format that it has; `last` is the stage that has passed last.
    void check_named(const NamedFile& file, const StageUse& last) const;

  private:
    void need(const std::string& layer, const std::string& purpose) const;
    void need_settings(const std::string& name, const Stage& stage) const;

    std::set<std::string> present_;
    std::set<std::string> settings_;               // that stages have left
    std::map<std::string, std::string> left_out_;  // by layer, which stage has left it out, and why
};

/// The layers that there are before stage `end` of a project. Throws as LayerCheck::pass.
LayerCheck layers_before(const Project& project, std::size_t end);

}  // namespace thalweg
