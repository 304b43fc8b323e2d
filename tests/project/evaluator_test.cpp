#include "thalweg/project/evaluator.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/project_document.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "scratch_folder.hpp"
#include "small_range.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

constexpr auto kPreview = EvaluationOutcome::Preview;
constexpr auto kComplete = EvaluationOutcome::Complete;
constexpr auto kFailed = EvaluationOutcome::Failed;
constexpr auto kCancelled = EvaluationOutcome::Cancelled;

ProjectDocument small_range() {
    return {kSmallRange, "small.toml", ""};
}

/// All that a listener has been told.
class Told {
  public:
    [[nodiscard]] Evaluator::Listener listener() {
        return [this](const EvaluationNews& news) {
            const std::lock_guard<std::mutex> lock(mutex_);
            news_.push_back(news);
        };
    }
    [[nodiscard]] std::vector<EvaluationNews> all() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        return news_;
    }
    [[nodiscard]] EvaluationNews last() const { return all().back(); }
    [[nodiscard]] std::ptrdiff_t count(EvaluationOutcome outcome) const {
        return std::ranges::count(all(), outcome, &EvaluationNews::outcome);
    }
    [[nodiscard]] std::vector<std::uint64_t> ended() const {
        std::vector<std::uint64_t> numbers;
        for (const EvaluationNews& news : all())
            if (news.outcome != kPreview) numbers.push_back(news.request);
        return numbers;
    }

  private:
    mutable std::mutex mutex_;
    std::vector<EvaluationNews> news_;
};

/// Each number up to `last`, once.
std::vector<std::uint64_t> numbers_to(std::uint64_t last) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t number = 1; number <= last; ++number) numbers.push_back(number);
    return numbers;
}

std::vector<int> sizes_of(const std::vector<EvaluationNews>& news) {
    std::vector<int> sizes;
    for (const EvaluationNews& one : news) sizes.push_back(one.evaluated.landscape.grid.columns);
    return sizes;
}

std::string bytes_of(const Dataset& dataset) {
    std::string bytes;
    ArchiveWriter archive([&](std::span<const std::byte> piece) {
        bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
    write_dataset(archive, dataset);
    archive.finish();
    return bytes;
}

/// Expects every dataset of `expected` in `got`, bit by bit; those of `names` alone where there are any.
void expect_same_datasets(const Landscape& got, const Landscape& expected,
                          const std::set<std::string>& names = {}) {
    EXPECT_EQ(got.grid, expected.grid);
    for (const auto& [name, dataset] : expected.datasets) {
        if (!names.empty() && !names.contains(name)) continue;
        ASSERT_TRUE(got.has(name)) << name;
        EXPECT_TRUE(bytes_of(got.datasets.at(name)) == bytes_of(dataset)) << name;
    }
}

Landscape run_anew(Project project) {
    const ScratchFolder folder;
    project.output.pictures = {};
    project.output_directory = folder / "out";
    return run_project(project).landscape;
}

void wait_until(const std::function<bool()>& holds) {
    while (!holds()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Evaluator, gives_a_coarse_picture_first_and_then_finer_ones) {
    Told told;
    Evaluator evaluator(told.listener());
    ProjectDocument document = small_range();
    document.set("grid", "cells", std::int64_t{128});
    EXPECT_EQ(evaluator.submit({.project = document.project(), .first_cells = 40}), 1U);
    evaluator.wait_idle();
    const std::vector<EvaluationNews> news = told.all();
    EXPECT_THAT(sizes_of(news), ElementsAre(32, 64, 128));
    EXPECT_THAT(told.ended(), ElementsAre(1));
    EXPECT_EQ(news[0].outcome, kPreview);
    EXPECT_EQ(news[2].outcome, kComplete);
    for (const EvaluationNews& level : news) {
        EXPECT_THAT(level.evaluated.ran, ElementsAre("noise", "strokes", "erode", "flow", "rivers"));
        EXPECT_THAT(level.evaluated.changed, IsSupersetOf({"elevation", "drainage_area", "rivers"}));
        EXPECT_EQ(level.evaluated.reports.size(), 5U);
    }
    expect_same_datasets(news[2].evaluated.landscape, run_anew(document.project()));
    EXPECT_EQ(evaluator.progress().request, 0U);
}

TEST(Evaluator, shows_what_a_build_of_fewer_cells_shows) {
    Told told;
    Evaluator evaluator(told.listener());
    evaluator.submit({.project = small_range().project(), .first_cells = 32});
    evaluator.wait_idle();
    ProjectOverrides overrides;
    overrides.cells = 32;
    expect_same_datasets(told.all()[0].evaluated.landscape,
                         run_anew(parse_project(kSmallRange, "small.toml", "", overrides)));
}

TEST(Evaluator, computes_no_more_than_what_is_wanted) {
    Told told;
    Evaluator evaluator(told.listener());
    const Project project = small_range().project();
    evaluator.submit({.project = project, .wanted = {"elevation", "drainage_area"}});
    evaluator.submit({.project = project, .wanted = {"elevation"}});
    evaluator.submit({.project = project, .wanted = {"nothing_makes_it"}});
    evaluator.wait_idle();
    const std::vector<EvaluationNews> news = told.all();
    for (const EvaluationNews& one : news) {
        if (one.outcome == kCancelled) continue;  // replaced, as it waited
        const auto& [landscape, reports, ran, changed] = one.evaluated;
        EXPECT_EQ(landscape.has("drainage_area"), one.request == 1);
        EXPECT_EQ(landscape.has("elevation"), one.request <= 2);
        EXPECT_FALSE(landscape.has("slope"));
        EXPECT_FALSE(landscape.has("rivers"));
        EXPECT_EQ(reports.size(), one.request == 1 ? 4U : one.request == 2 ? 3U : 0U);
    }
    EXPECT_EQ(told.last().outcome, kComplete);
}

TEST(Evaluator, tells_what_is_other_or_finer_than_before) {
    Told told;
    Evaluator evaluator(told.listener());
    ProjectDocument document = small_range();
    const auto news_of_edit = [&](const auto& edit) {
        const std::size_t before = told.all().size();
        edit(document);
        evaluator.submit({.project = document.project(), .first_cells = 32});
        evaluator.wait_idle();
        std::vector<EvaluationNews> news = told.all();
        news.erase(news.begin(), news.begin() + static_cast<std::ptrdiff_t>(before));
        return news;
    };
    news_of_edit([](ProjectDocument&) {});
    const auto rivers = news_of_edit([](ProjectDocument& d) { d.set("rivers", "min_area", 5e5); });
    ASSERT_EQ(rivers.size(), 2U);
    for (const EvaluationNews& news : rivers) {
        EXPECT_THAT(news.evaluated.ran, ElementsAre("rivers"));
        EXPECT_THAT(news.evaluated.changed, ElementsAre("rivers"));
    }
    const auto undone = news_of_edit([](ProjectDocument& d) { d.undo(); });
    ASSERT_EQ(undone.size(), 1U);  // it is there at once
    EXPECT_EQ(undone[0].outcome, kComplete);
    EXPECT_THAT(undone[0].evaluated.ran, IsEmpty());
    EXPECT_THAT(undone[0].evaluated.changed, ElementsAre("rivers"));
    const auto disabled = news_of_edit([](ProjectDocument& d) { d.enable_stage("rivers", false); });
    EXPECT_THAT(disabled.front().evaluated.changed, Contains("rivers"));  // gone
    EXPECT_THAT(disabled.back().evaluated.changed, Not(Contains("rivers")));
    const auto raised = news_of_edit([](ProjectDocument& d) { d.set("noise", "amplitude", 30.0); });
    ASSERT_EQ(raised.size(), 2U);
    for (const EvaluationNews& news : raised) {
        EXPECT_THAT(news.evaluated.changed, Contains("elevation"));
        EXPECT_THAT(news.evaluated.changed, Not(Contains("uplift")));
    }
}

TEST(Evaluator, replaces_requests_that_wait_and_cancels_refinements_for_newer_ones) {
    Told told;
    ProjectDocument document = small_range();
    std::function<void(const EvaluationNews&)> at_preview;
    Evaluator evaluator([&](const EvaluationNews& news) {
        told.listener()(news);
        if (news.request == 1 && news.outcome == kPreview) at_preview(news);
    });
    const auto submit = [&](double amplitude) {
        document.set("noise", "amplitude", amplitude);
        return evaluator.submit({.project = document.project(), .first_cells = 32});
    };
    at_preview = [&](const EvaluationNews&) {
        for (const double amplitude : {31.0, 32.0, 33.0}) submit(amplitude);
    };
    submit(30.0);
    evaluator.wait_idle();
    EXPECT_THAT(told.ended(), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(sizes_of(told.all()), ElementsAre(32, 0, 0, 0, 32, 64));
    EXPECT_EQ(told.last().outcome, kComplete);
    expect_same_datasets(told.last().evaluated.landscape, run_anew(document.project()));
}

TEST(Evaluator, finishes_the_first_level_whatever_comes) {
    Told told;
    Evaluator evaluator(told.listener());
    ProjectDocument document = small_range();
    document.set("grid", "cells", std::int64_t{256});
    const EvaluationRequest request{.project = document.project(), .first_cells = 0};
    evaluator.submit(request);
    wait_until([&] { return evaluator.progress().request == 1 && evaluator.progress().fraction > 0.0; });
    EXPECT_EQ(evaluator.progress().cells, 256);
    EXPECT_THAT(evaluator.progress().phrase, Not(IsEmpty()));
    evaluator.submit(request);
    evaluator.wait_idle();
    EXPECT_EQ(told.count(kComplete), 2);
}

TEST(Evaluator, cancels_a_refinement_that_runs_when_a_newer_request_comes) {
    Told told;
    Evaluator evaluator(told.listener());
    ProjectDocument document = small_range();
    document.set("grid", "cells", std::int64_t{1024});
    evaluator.submit({.project = document.project(), .first_cells = 32});
    wait_until([&] { return evaluator.progress().cells == 1024; });
    evaluator.submit({.project = small_range().project(), .first_cells = 32});
    evaluator.wait_idle();
    EXPECT_THAT(told.ended(), ElementsAre(1, 2));
    EXPECT_EQ(told.count(kCancelled), 1);
    EXPECT_EQ(told.count(kComplete), 1);
}

TEST(Evaluator, stops_at_once_where_it_is_told_to) {
    Told told;
    Evaluator evaluator(told.listener());
    ProjectDocument document = small_range();
    document.set("grid", "cells", std::int64_t{1024});
    const EvaluationRequest request{.project = document.project(), .first_cells = 0};
    evaluator.submit(request);
    wait_until([&] { return evaluator.progress().request == 1; });
    evaluator.submit(request);
    evaluator.cancel();
    evaluator.wait_idle();
    EXPECT_THAT(told.ended(), ElementsAre(1, 2));
    EXPECT_EQ(told.count(kCancelled), 2);
    evaluator.submit({.project = small_range().project()});
    evaluator.wait_idle();
    EXPECT_EQ(told.last().outcome, kComplete);
}

TEST(Evaluator, delivers_an_error_and_goes_on_with_the_next_request) {
    const ScratchFolder folder;
    const auto write = [&] {
        std::ofstream(folder / "uplift.asc") << "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 3200\n"
                                             << "0.001 0.001\n0.001 0.001\n";
    };
    write();
    ProjectDocument document(kSmallRange, "small.toml", folder / "");
    document.set("erode", "uplift", std::string("uplift.asc"));
    Told told;
    Evaluator evaluator(told.listener());
    std::filesystem::remove(folder / "uplift.asc");
    evaluator.submit({.project = document.project()});
    evaluator.wait_idle();
    ASSERT_EQ(told.all().size(), 1U);
    EXPECT_EQ(told.last().outcome, kFailed);
    EXPECT_THAT(told.last().error, HasSubstr("uplift.asc"));
    write();
    evaluator.submit({.project = document.project()});
    evaluator.wait_idle();
    EXPECT_EQ(told.last().outcome, kComplete);
}

/// Water leaves through cells within 1 m of a place alone.
void set_outlet(ProjectDocument& document, double x, double y) {
    document.insert_stage(
        2, "strokes",
        {{{"layer", std::string("outlet")},
          {"strokes",
           Value(std::vector<ValueTable>{
               {{{"points", std::vector{x, y}}, {"radius", 1.0}, {"falloff", 1.0}, {"strength", 1.0}}}})}}});
    document.set("erode", "boundary", std::string("outlet"));
}

TEST(Evaluator, delivers_the_sentence_with_which_a_stage_fails) {
    ProjectDocument document = small_range();
    set_outlet(document, -900.0, -900.0);
    Told told;
    Evaluator evaluator(told.listener());
    evaluator.submit({.project = document.project(), .first_cells = 32});
    evaluator.wait_idle();
    ASSERT_EQ(told.all().size(), 1U);
    EXPECT_EQ(told.last().outcome, kFailed);
    EXPECT_THAT(told.last().error, HasSubstr("stage erode: "));
}

TEST(Evaluator, leaves_out_a_level_of_too_few_cells_for_the_project) {
    ProjectDocument document = small_range();
    set_outlet(document, 50.0, 50.0);  // the centre of a cell of full size
    Told told;
    Evaluator evaluator(told.listener());
    evaluator.submit({.project = document.project(), .first_cells = 32});
    evaluator.wait_idle();
    EXPECT_THAT(sizes_of(told.all()), ElementsAre(64));
    EXPECT_EQ(told.last().outcome, kComplete) << told.last().error;
}

/// A random change of a document of the small range.
void change_at_random(ProjectDocument& document, std::uint64_t draw) {
    const auto of = [&](const std::vector<double>& values) { return values[(draw >> 8U) % values.size()]; };
    switch (draw % 10) {
        case 0:
            return document.set("noise", "amplitude", of({20.0, 30.0, 40.0}));
        case 1:
            return document.set("erode", "time", of({1e4, 2e5, std::numeric_limits<double>::infinity()}));
        case 2:
            return document.set("erode", "sea_level", of({2.0, -std::numeric_limits<double>::infinity()}));
        case 3:
            return document.set("flow", "depressions", std::string(of({0.0, 1.0}) > 0.5 ? "fill" : "breach"));
        case 4:
            return document.set("rivers", "min_area", of({3e5, 6e5}));
        case 5:
            return document.insert_row("strokes", "strokes", 0,
                                       {{{"points", std::vector{of({800.0, 2000.0, 5000.0}), 900.0}},
                                         {"radius", 300.0},
                                         {"strength", 5e-4}}});
        case 6:
            return document.enable_stage("flow", of({0.0, 1.0}) > 0.5);
        case 7:
            return document.set("project", "seed", static_cast<std::int64_t>(of({5.0, 6.0})));
        default:
            if (document.can_undo()) document.undo();
    }
}

class RandomEdits : public ::testing::TestWithParam<std::int64_t> {};  // bytes of kept results

TEST_P(RandomEdits, lead_to_the_datasets_that_run_project_leaves) {
    Told told;
    Evaluator evaluator(told.listener(), GetParam());
    ProjectDocument document = small_range();
    for (std::uint64_t i = 0; i < 24; ++i) {
        const std::uint64_t draw = random_bits(11, Stream::WhiteNoise, i);
        change_at_random(document, draw);
        SCOPED_TRACE(document.text());
        const std::set<std::string> wanted =
            i % 3 == 2 ? std::set<std::string>{"elevation", "drainage_area"} : std::set<std::string>{};
        evaluator.submit({.project = document.project(),
                          .wanted = wanted,
                          .first_cells = 32,
                          .threads = static_cast<int>(1 + draw % 3)});
        if (i % 4 == 1) continue;  // overtaken by the next
        evaluator.wait_idle();
        ASSERT_EQ(told.last().outcome, kComplete) << told.last().error;
        expect_same_datasets(told.last().evaluated.landscape, run_anew(document.project()), wanted);
    }
}

INSTANTIATE_TEST_SUITE_P(Evaluator, RandomEdits, ::testing::Values(0, 200'000, std::int64_t{1} << 30));

TEST(Evaluator, shows_pictures_while_edits_follow_each_other_on_its_thread) {
    Told told;
    ProjectDocument document = small_range();
    std::uint64_t last = 0;
    {
        Evaluator evaluator(told.listener());
        for (int i = 0; i < 125; ++i) {
            document.set("noise", "amplitude", 20.0 + i);
            last = evaluator.submit({.project = document.project(), .first_cells = 32});
            std::this_thread::sleep_for(std::chrono::milliseconds(8));
        }
        evaluator.wait_idle();
    }
    EXPECT_EQ(told.ended(), numbers_to(last));
    EXPECT_EQ(told.last().outcome, kComplete);
    EXPECT_EQ(told.last().evaluated.landscape.grid.columns, 64);
    const std::ptrdiff_t pictures = told.count(kPreview) + told.count(kComplete);
    RecordProperty("pictures", static_cast<int>(pictures));
    EXPECT_GT(pictures, 10);
}

TEST(Evaluator, may_be_cancelled_and_destroyed_at_any_moment_of_its_thread) {
    ProjectDocument document = small_range();
    for (std::uint64_t round = 0; round < 30; ++round) {
        Told told;
        std::uint64_t last = 0;
        {
            Evaluator evaluator(told.listener());
            for (std::uint64_t i = 0; i < 1 + round % 3; ++i) {
                const std::uint64_t draw = random_bits(13, Stream::WhiteNoise, round, i);
                document.set("noise", "amplitude", 20.0 + unit_double(draw));
                last = evaluator.submit({.project = document.project(), .first_cells = 32});
                std::this_thread::sleep_for(std::chrono::microseconds(draw % 20000));
                if (draw % 4 == 0) evaluator.cancel();
            }
        }
        EXPECT_EQ(told.ended(), numbers_to(last));
        EXPECT_EQ(told.count(kFailed), 0);
    }
}

TEST(Evaluator, works_beside_another_on_threads_of_their_own) {
    const std::filesystem::path examples = std::filesystem::path(THALWEG_SOURCE_DIR) / "examples";
    const ProjectDocument range = small_range();
    ProjectOverrides overrides;
    overrides.cells = 64;
    const Project raster = read_project(examples / "aged-dem.toml", overrides);
    Told one;
    Told other;
    {
        Evaluator first(one.listener());
        Evaluator second(other.listener(), 0);
        for (int i = 0; i < 5; ++i) {
            first.submit({.project = range.project(), .first_cells = 16, .threads = 2});
            second.submit({.project = raster, .first_cells = 32, .threads = 1});
            first.wait_idle();
        }
        second.wait_idle();
    }
    expect_same_datasets(one.last().evaluated.landscape, run_anew(range.project()));
    expect_same_datasets(other.last().evaluated.landscape, run_anew(raster));
}

}  // namespace
}  // namespace thalweg
