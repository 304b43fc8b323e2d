// Stage: everything a user can do to a landscape, declared once.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/landscape.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thalweg {

/// What a stage tells of its run; goes into `--report`.
struct Diagnostics {
    std::vector<std::pair<std::string, Value>> values;
    std::vector<std::pair<std::string, double>> phases_ms;  // named parts of the run
    std::vector<std::string> notes;  // sentences to tell the user once (resampled inputs, ...)
    // The same on what the landscape's cells do not show: of no interest where a later stage takes others.
    std::vector<std::string> cell_notes = {};
};

/// Which of the layers that a stage can write are used: all, unless they are named.
class WantedLayers {
  public:
    WantedLayers() = default;
    explicit WantedLayers(std::set<std::string> names) : names_(std::move(names)) {}

    [[nodiscard]] bool has(const std::string& layer) const { return !names_ || names_->contains(layer); }

  private:
    std::optional<std::set<std::string>> names_;
};

/// What a stage works with besides its parameters.
struct StageContext {
    Landscape& landscape;
    std::string base_directory;  // relative file names in parameters start here
    Progress& progress;
    Diagnostics diagnostics;
    bool is_measured = true;   // whether diagnostics are wanted that cost time to measure
    WantedLayers wanted = {};  // layers that nobody uses need not be computed
};

/// The time of a stage: the parameter that says until when it goes, and its unit as it stands behind numbers.
struct StageTime {
    std::string parameter = "time";
    std::string unit = "yr";  // a plural, where it is a word
    // Where a stage ends by itself whose parameter is infinite. Empty: nowhere.
    std::function<double(const void* parameters)> end = {};
};

/// A stage that was prepared on a landscape, for many times, in the unit of its time.
using StageAtTime = std::function<void(double time, StageContext& context)>;

class Simulation;

/// What a stage works on tile by tile, in files.
struct TiledRun {
    std::filesystem::path raster;                          // elevation
    RasterHints hints;                                     // on what it does not say
    std::map<std::string, std::filesystem::path> outputs;  // GeoTIFFs to write, by layer
    std::filesystem::path
        folder;  // for unfinished work; one that an interrupted run has left is gone on with
    std::int64_t memory_bytes = 0;  // about the most to use
};

/// What a stage is to work on, as far as that is known before it runs.
struct StageWork {
    const Grid& grid;            // after the stage
    std::string base_directory;  // relative file names in parameters start here
    WantedLayers wanted = {};
    std::vector<std::string> networks = {};  // formats of the files in which its network is written
};

struct Stage;

/// A stage that changes the landscape of another one under way.
struct StageEdit {
    const Stage* stage = nullptr;
    std::shared_ptr<void> parameters = {};
};

/// A kind of stage: its name, its parameters, what it reads and writes, and its function.
struct Stage {
    std::string name;
    std::string summary;                             // one sentence
    std::string description;                         // a paragraph or two for the reference page
    std::vector<std::string> reads = {};             // datasets that must be there
    std::vector<std::string> reads_if_present = {};  // that change what it does where they are there
    std::vector<std::string> writes = {};            // datasets that users ask for
    std::vector<std::string> settings = {};  // those that it leaves for later stages (DatasetKind::Settings)
    // Whether it changes `settings` with these parameters. Empty: whatever they are.
    std::function<bool(const void* parameters)> gives_settings = {};
    // Datasets that it may leave to save work of later stages which read them if present. No result depends
    // on them: they have no keys, folders of results do not keep them, and they go when no later stage reads
    // them.
    std::vector<std::string> intermediates = {};
    std::vector<std::string> drops = {};       // datasets that are not there after it
    std::vector<std::string> on_request = {};  // those of `writes` that are made where they are named alone
    std::string primary;         // the layer that its command-line verb writes to -o, or "rivers"
    bool needs_input = true;     // whether its verb takes an input raster (a source does not)
    bool accepts_input = false;  // whether the verb of a source may be given one in place of a grid
    // The stage that its verb runs before it, whose flags it has too; empty: none.
    std::string verb_after = {};
    // Whether its verb goes on in a window where one is given, behind the first stage that it runs, and has
    // the flags of stage `window`.
    bool verb_takes_window = false;
    bool measures = false;      // whether its diagnostics tell more where they are measured (StageContext)
    double bytes_per_cell = 0;  // peak working memory besides the layers that it leaves behind
    // The same in all, bytes, for a stage of which bytes_per_cell alone can't tell it. May be empty.
    std::function<double(const void* parameters, const StageWork& work)> working_bytes = {};
    const ParameterTable* parameters = nullptr;
    std::function<std::shared_ptr<void>()> make_parameters = {};  // default parameters
    std::function<std::shared_ptr<void>(const void* parameters)> copy_parameters = {};
    std::function<void(const void* parameters, StageContext& context)> run = {};
    StageTime time = {};  // of a stage with `at_times`
    // Prepares the stage on the context's landscape: each call then does what `run` does with that time, on a
    // landscape as it was, and later calls may be faster, those for later times above all. Of the diagnostics
    // only those that cost nothing. Empty: the stage knows no time.
    std::function<StageAtTime(const void* parameters, StageContext& context)> at_times = {};
    // Begins the stage as a simulation (simulation.hpp), of which `run` and `at_times` give the state at a
    // time. Empty: the stage is none.
    std::function<std::unique_ptr<Simulation>(const void* parameters, StageContext& context)> simulate = {};
    // Why, with these parameters, it leaves out a layer of `writes`: "it takes ..."; nothing for one that it
    // writes. May be empty.
    std::function<std::string(const void* parameters, const std::string& layer)> why_left_out = {};
    // Does what `run` does on a raster that need not fit into memory, for the layers `tiled_writes`. Throws
    // Error::input for parameters that tiles do not allow. Empty: the stage needs its landscape in memory.
    std::function<Diagnostics(const void* parameters, const TiledRun& files, Progress& progress)> in_tiles =
        {};
    std::vector<std::string> tiled_writes = {};
    // The grid of the landscape after it, which lies on `grid` before; throws Error::input where the
    // parameters do not go with that. Such a stage looks at all datasets that are there and brings all layers
    // to the new grid, whatever it declares beside `drops`. Empty: the grid stays.
    std::function<Grid(const void* parameters, const Grid& grid)> grid_after = {};
    // The stages that its parameters let run on its way, with theirs: layers and files that these name are
    // its inputs. Empty: none.
    std::function<std::vector<StageEdit>(const void* parameters)> edits = {};
    // Extra checks over several parameters, before any stage runs. Throws Error::input. May be empty.
    std::function<void(const void* parameters)> check = {};
};

/// All stages, in the order of a landscape's life. A test walks it.
const std::vector<Stage>& stage_registry();

/// Throws Error::input naming the nearest stage.
///
/// Example:
///     const Stage& erode = find_stage("erode");
///     const std::shared_ptr<void> parameters = erode.make_parameters();
///     erode.parameters->at("time").set(parameters.get(), 2e5);
///     erode.run(parameters.get(), context);
const Stage& find_stage(std::string_view name);

/// Lets a stage have parameter struct P.
template <class P>
void give_parameters(Stage& stage) {
    stage.parameters = &parameters_of<P>();
    stage.make_parameters = [] { return std::static_pointer_cast<void>(std::make_shared<P>()); };
    stage.copy_parameters = [](const void* p) {
        return std::static_pointer_cast<void>(std::make_shared<P>(*static_cast<const P*>(p)));
    };
}

/// Declares a stage on parameter struct P.
template <class P>
Stage make_stage(Stage stage, void (*run)(const P&, StageContext&), void (*check)(const P&) = nullptr) {
    give_parameters<P>(stage);
    stage.run = [run](const void* p, StageContext& context) { run(*static_cast<const P*>(p), context); };
    if (check != nullptr) stage.check = [check](const void* p) { check(*static_cast<const P*>(p)); };
    return stage;
}

}  // namespace thalweg
