#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/files/folder_lock.hpp"
#include "thalweg/project/stages/flow_stage.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include "tests/cancelling_progress.hpp"
#include "tests/flow/terrains.hpp"
#include "tests/io/limited_disk.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kMemory = std::int64_t{64} << 20;  // bytes: tiles of 256 cells on 2 threads
constexpr const char* kFolder = ".area.tif.thalweg-unfinished";

/// Counts how often it is asked whether to go on.
class CountingProgress final : public CheckedProgress {
  public:
    [[nodiscard]] bool cancelled() const noexcept override {
        ++asked_;
        return false;
    }
    [[nodiscard]] int asked() const { return asked_; }

  private:
    mutable std::atomic<int> asked_{0};
};

/// A terrain of many tiles, with flats across their edges in a part of it, to be routed in tiles.
class TiledVerb : public testing::Test {
  protected:
    void SetUp() override {
        Field<float> z = tests::white_terrain(700, 300, 3, 60);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            if (z.grid().column_of(cell) > 300) z[cell] += 1e-3F * static_cast<float>(cell % 1009);
        write_raster(dem(), z, RasterFormat::GeoTiff);
        parameters.drainage.flow.conditioning.depressions = Depressions::Fill;
    }

    [[nodiscard]] std::filesystem::path dem() const { return folder / "dem.tif"; }

    RunResult route(Progress& progress) const {
        return run_verb(find_stage("flow"), &parameters, {.raster = dem(), .grid = {}},
                        {.primary = folder / "area.tif", .layers = {{"receiver", folder / "to.tif"}}},
                        progress, {.memory_limit = kMemory});
    }
    /// What a run leaves that is cancelled; empty for nothing.
    std::filesystem::path left_by(Progress& progress) const {
        try {
            route(progress);
            ADD_FAILURE() << "it was not cancelled";
        } catch (const UnfinishedRun& cancelled) {
            return cancelled.folder();
        } catch (const Cancelled&) {
        }
        return {};
    }
    /// Routes to the end, and returns what the user is told.
    std::vector<std::string> notes_of_route() const {
        QuietProgress quiet;
        const RunResult result = route(quiet);
        return result.report.stages.at(0).diagnostics.notes;
    }
    [[nodiscard]] std::vector<std::string> results() const {
        return {bytes_of(folder / "area.tif"), bytes_of(folder / "to.tif")};
    }
    void remove_results() const {
        std::filesystem::remove(folder / "area.tif");
        std::filesystem::remove(folder / "to.tif");
    }
    /// What is left by a run that is cancelled once it has come to `phrase`.
    void route_until(const std::string& phrase) const {
        CancelAt progress(phrase);
        EXPECT_EQ(left_by(progress), folder / kFolder);
        EXPECT_THAT(folder.names(), ElementsAre(kFolder, "dem.tif"));
    }

    ScratchFolder folder;
    FlowStageParameters parameters;
    ExecutionScope on_two_threads{{.threads = 2}};
};

const std::vector<std::string> kPhrases = {"finding basins", "letting depressions drain", "gathering water",
                                           "routed",         "writing drainage_area",     "writing receiver"};

TEST_F(TiledVerb, gives_the_same_bytes_on_1_2_and_8_threads) {
    EXPECT_THAT(notes_of_route(), IsEmpty());
    const std::vector<std::string> whole = results();
    for (const int threads : {1, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        notes_of_route();
        EXPECT_EQ(results(), whole) << threads << " threads";
    }
}

TEST_F(TiledVerb, goes_on_after_every_pass_with_the_same_bytes_and_says_so) {
    notes_of_route();
    const std::vector<std::string> whole = results();
    for (const std::string& phrase : kPhrases) {
        remove_results();
        route_until(phrase);
        EXPECT_THAT(notes_of_route(), ElementsAre(HasSubstr("went on"))) << phrase;
        EXPECT_EQ(results(), whole) << phrase;
        EXPECT_THAT(folder.names(), ElementsAre("area.tif", "dem.tif", "to.tif"));
    }
}

TEST_F(TiledVerb, goes_on_from_the_middle_of_every_pass_with_the_same_bytes) {
    CountingProgress counting;
    route(counting);
    const std::vector<std::string> whole = results();
    constexpr int kTimes = 20;
    int times_left_over = 0;
    for (int time = 0; time < kTimes; ++time) {
        remove_results();
        ImpatientProgress impatient(counting.asked() * time / kTimes);
        times_left_over += left_by(impatient).empty() ? 0 : 1;
        EXPECT_FALSE(std::filesystem::exists(folder / "area.tif"));
        notes_of_route();
        ASSERT_EQ(results(), whole) << "cancelled at " << time << " of " << kTimes;
        ASSERT_THAT(folder.names(), ElementsAre("area.tif", "dem.tif", "to.tif"));
    }
    EXPECT_GT(times_left_over, kTimes * 3 / 4);
}

TEST_F(TiledVerb, cancelled_again_and_again_comes_to_the_same_end) {
    notes_of_route();
    const std::vector<std::string> whole = results();
    remove_results();
    int runs = 1;
    for (;; ++runs) {
        ImpatientProgress impatient(40 * runs);
        try {
            route(impatient);
            break;
        } catch (const Cancelled&) {
            ASSERT_LT(runs, 1000);
        }
    }
    EXPECT_GT(runs, 3);
    EXPECT_EQ(results(), whole);
}

TEST_F(TiledVerb, begins_afresh_when_the_input_has_changed) {
    route_until("gathering water");
    const auto before = std::filesystem::last_write_time(dem());
    write_raster(dem(), tests::white_terrain(700, 300, 4), RasterFormat::GeoTiff);
    std::filesystem::last_write_time(dem(), before + std::chrono::seconds(1));
    EXPECT_THAT(notes_of_route(), ElementsAre(HasSubstr("another input")));
    const std::vector<std::string> resumed = results();
    EXPECT_THAT(notes_of_route(), IsEmpty());
    EXPECT_EQ(results(), resumed);
    EXPECT_THAT(folder.names(), ElementsAre("area.tif", "dem.tif", "to.tif"));
}

TEST_F(TiledVerb, begins_afresh_when_another_input_has_the_size_and_time_of_the_first) {
    write_raster(folder / "other.tif", tests::white_terrain(700, 300, 4), RasterFormat::GeoTiff);
    const auto size =
        std::max(std::filesystem::file_size(dem()), std::filesystem::file_size(folder / "other.tif"));
    for (const char* name : {"dem.tif", "other.tif"}) std::filesystem::resize_file(folder / name, size);
    const auto time = std::filesystem::last_write_time(dem());
    CancelAt progress("gathering water");
    EXPECT_FALSE(left_by(progress).empty());
    std::filesystem::copy_file(folder / "other.tif", dem(),
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::last_write_time(dem(), time);
    EXPECT_THAT(notes_of_route(), ElementsAre(HasSubstr("another input")));
}

TEST_F(TiledVerb, writes_to_no_file_that_a_link_in_its_unfinished_folder_names) {
    for (const bool is_hard : {false, true}) {
        const std::filesystem::path victim = folder / "victim";
        std::ofstream(victim) << "mine";
        std::filesystem::create_directory(folder / kFolder);
        for (const char* name : {"cells", "parts"}) {
            const std::filesystem::path link = folder / kFolder / name;
            is_hard ? std::filesystem::create_hard_link(victim, link)
                    : std::filesystem::create_symlink(victim, link);
        }
        notes_of_route();
        EXPECT_EQ(bytes_of(victim), "mine");
    }
    std::filesystem::create_directory(folder / "elsewhere");
    std::filesystem::create_symlink("elsewhere", folder / kFolder);
    CancelAt progress("gathering water");
    left_by(progress);
    EXPECT_TRUE(std::filesystem::is_empty(folder / "elsewhere"));
}

TEST_F(TiledVerb, begins_afresh_when_a_parameter_has_changed) {
    route_until("gathering water");
    parameters.drainage.sea_level = 0.5;
    EXPECT_THAT(notes_of_route(), ElementsAre(HasSubstr("other parameters")));
    const std::vector<std::string> resumed = results();
    EXPECT_THAT(notes_of_route(), IsEmpty());
    EXPECT_EQ(results(), resumed);
}

/// What a run tells that finds a file damaged which a run has left that was cancelled at `phrase`. When water
/// is gathered, the cells hold the terrain, which is not needed any more, and no area yet.
const char* told(const std::string& phrase, const std::string& file) {
    return phrase == "gathering water" && file == "cells" ? "went on" : "is damaged";
}

TEST_F(TiledVerb, begins_afresh_when_what_is_left_is_damaged) {
    notes_of_route();
    const std::vector<std::string> whole = results();
    for (const std::string& phrase : kPhrases)
        for (const char* name : {"parts", "cells"})
            for (const double place : {0.1, 0.9}) {
                remove_results();
                route_until(phrase);
                const std::filesystem::path file = folder / kFolder / name;
                std::string bytes = bytes_of(file);
                char& byte = bytes[static_cast<std::size_t>(place * static_cast<double>(bytes.size()))];
                byte = static_cast<char>(byte ^ 4);
                std::ofstream(file, std::ios::binary) << bytes;
                EXPECT_THAT(notes_of_route(), ElementsAre(HasSubstr(told(phrase, name))))
                    << phrase << ' ' << name;
                ASSERT_EQ(results(), whole) << phrase << ' ' << name;
            }
}

TEST_F(TiledVerb, begins_afresh_when_cells_are_missing) {
    notes_of_route();
    const std::vector<std::string> whole = results();
    for (const std::string& phrase : kPhrases) {
        remove_results();
        route_until(phrase);
        std::filesystem::resize_file(folder / kFolder / "cells", 1000);
        EXPECT_THAT(notes_of_route(), ElementsAre(HasSubstr(told(phrase, "cells"))));
        ASSERT_EQ(results(), whole) << phrase;
    }
}

TEST_F(TiledVerb, on_a_full_disk_says_one_sentence_and_leaves_nothing) {
    notes_of_route();
    const auto area_size = std::filesystem::file_size(folder / "area.tif");
    remove_results();
    for (const std::uintmax_t bytes : {std::uintmax_t{100}, std::uintmax_t{4096}, std::uintmax_t{300000},
                                       std::uintmax_t{700000}, area_size - 1}) {
        const LimitedDisk disk(bytes);
        QuietProgress quiet;
        try {
            route(quiet);
            ADD_FAILURE() << "files of " << bytes << " bytes were enough";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("can't be written")) << bytes;
            EXPECT_THAT(std::string(error.what()), testing::Not(HasSubstr("\n")));
        }
        EXPECT_THAT(folder.names(), ElementsAre("dem.tif")) << bytes;
    }
}

TEST_F(TiledVerb, leaves_nothing_when_it_is_cancelled_before_it_begins) {
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_TRUE(left_by(cancelled).empty());
    EXPECT_THAT(folder.names(), ElementsAre("dem.tif"));
}

TEST_F(TiledVerb, leaves_nothing_of_an_input_that_will_not_be_there_again) {
    CancelAt progress("gathering water");
    try {
        run_verb(find_stage("flow"), &parameters, {.raster = dem(), .is_lasting = false, .grid = {}},
                 {.primary = folder / "area.tif", .layers = {}}, progress, {.memory_limit = kMemory});
        ADD_FAILURE() << "it was not cancelled";
    } catch (const UnfinishedRun&) {
        ADD_FAILURE() << "it has left something";
    } catch (const Cancelled&) {
    }
    EXPECT_THAT(folder.names(), ElementsAre("dem.tif"));
}

TEST_F(TiledVerb, refuses_two_files_for_one_layer) {
    QuietProgress quiet;
    const VerbOutput twice{.primary = folder / "area.tif", .layers = {{"drainage_area", folder / "b.tif"}}};
    EXPECT_THAT(refusal_of([&] {
                    run_verb(find_stage("flow"), &parameters, {.raster = dem(), .grid = {}}, twice, quiet,
                             {.memory_limit = kMemory});
                }),
                HasSubstr("drainage_area goes to two files, which --memory-limit does not allow"));
    EXPECT_THAT(folder.names(), ElementsAre("dem.tif"));
}

TEST_F(TiledVerb, works_beside_another_run_for_the_same_output) {
    route_until("gathering water");
    const FolderLock other = FolderLock::take(folder / kFolder);
    EXPECT_THAT(notes_of_route(), IsEmpty());
    EXPECT_THAT(folder.names(), ElementsAre(kFolder, "area.tif", "dem.tif", "to.tif"));
}

}  // namespace
}  // namespace thalweg
