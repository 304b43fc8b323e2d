// ProjectDocument: the text of a project file with edits, for programs in which projects are changed.
#pragma once

#include "thalweg/project/project_file.hpp"
#include "thalweg/project/toml_text.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// One [[stage]] of a document.
struct DocumentStage {
    StageUse use;
    bool is_enabled = true;
};

/// A project file's text with edits that can be taken back. Bytes that an edit does not touch stay, comments
/// too; numbers are written with the fewest digits that are read back as they are. An edit that the project
/// does not allow is refused with Error::input, and then nothing has changed; one that changes nothing is no
/// edit. `owner` is a stage's label or "project", "grid" or "output", as before the dot in --set. Each edit
/// parses the text, and opens the files that it names: some milliseconds.
///
/// Example:
///     ProjectDocument document("range.toml");
///     document.set("erode", "time", 2e5);
///     const ValueTable dab = {{{"points", std::vector{0.0, 0.0}}, {"radius", 900.0}}};
///     document.insert_row("strokes", "strokes", 0, dab);
///     document.enable_stage("flow", false);
///     document.undo();
class ProjectDocument {
  public:
    /// Reads the file. Throws Error as read_project.
    explicit ProjectDocument(const std::filesystem::path& path);
    /// Throws Error as parse_project.
    ProjectDocument(std::string text, const std::string& file, const std::filesystem::path& base_directory);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const Project& project() const { return project_; }
    /// Those that are disabled too, in the order of the file.
    [[nodiscard]] std::vector<DocumentStage> stages() const;
    /// The value in force.
    [[nodiscard]] Value value(const std::string& owner, const std::string& key) const;

    void set(const std::string& owner, const std::string& key, const Value& value);
    /// Gives a parameter its default again, by removing it from the text.
    void reset(const std::string& owner, const std::string& key);

    /// Rows of a parameter that is a list of tables; what a row does not name has its default.
    void set_in_row(const std::string& owner, const std::string& key, std::size_t row,
                    const std::string& cell, const Value& value);
    /// Before row `at`, or behind the last.
    void insert_row(const std::string& owner, const std::string& key, std::size_t at, const ValueTable& row);
    void remove_row(const std::string& owner, const std::string& key, std::size_t row);

    /// Before stage `at` of stages(), or behind the last, with values for some of its parameters.
    void insert_stage(std::size_t at, const std::string& use, const ValueTable& values = {});
    /// To be stage `to` of stages().
    void move_stage(const std::string& label, std::size_t to);
    void remove_stage(const std::string& label);
    /// A disabled stage has `enabled = false`.
    void enable_stage(const std::string& label, bool is_enabled);

    [[nodiscard]] bool can_undo() const { return !done_.empty(); }
    [[nodiscard]] bool can_redo() const { return !undone_.empty(); }
    /// Takes the last step back, which must be there. Throws Error where the project is not allowed any more,
    /// because a file that it names has gone; nothing has changed then.
    void undo();
    void redo();

    /// Edits from here to end_step() are one step of undo(), as those while a slider is dragged.
    void begin_step() { step_ = Step{text_, done_.size()}; }
    void end_step() { step_.reset(); }

  private:
    /// `before` at byte `at` became `after`.
    struct Change {
        std::size_t at = 0;
        std::string before;
        std::string after;
    };
    struct Step {
        std::string text;  // at its beginning
        std::size_t done;  // changes before it
    };
    static Change change_between(const std::string& before, const std::string& after);
    [[nodiscard]] const Parameter& parameter_of(const std::string& owner, const std::string& key) const;
    [[nodiscard]] std::size_t stage_of(const std::string& label) const;
    [[nodiscard]] std::string without_former_name(const std::string& owner, const Parameter& parameter) const;
    [[nodiscard]] const TomlTable* table_of(const TomlText& text, const std::string& owner) const;
    [[nodiscard]] const TomlEntry& row_list(const TomlText& text, const std::string& owner,
                                            const std::string& key, std::size_t row) const;
    [[nodiscard]] std::string with_new_rows(const TomlText& text, const std::string& owner,
                                            const Parameter& parameter,
                                            const std::vector<ValueTable>& rows) const;
    [[nodiscard]] TomlText parsed() const { return {text_, project_.file}; }
    void take(std::string text);
    void edit(std::string text);

    std::string text_;
    Project project_;
    std::vector<Change> done_;
    std::vector<Change> undone_;
    std::optional<Step> step_;
};

}  // namespace thalweg
