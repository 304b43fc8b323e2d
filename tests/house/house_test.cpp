#include "tests/house/house.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::house {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kMostLines = 800;  // of one file: beyond it, it is split (CONTRIBUTING.md)

std::vector<SourceFile> library_files() {
    std::vector<SourceFile> files = read_sources(THALWEG_SOURCE_DIR, "include");
    for (SourceFile& file : read_sources(THALWEG_SOURCE_DIR, "thalweg")) files.push_back(std::move(file));
    return files;
}

std::vector<SourceFile> all_files() {
    std::vector<SourceFile> files;
    for (const char* folder : {"include", "thalweg", "cli", "tests", "benchmarks"})
        for (SourceFile& file : read_sources(THALWEG_SOURCE_DIR, folder)) files.push_back(std::move(file));
    return files;
}

Arrows arrows_of_the_house() {
    return read_arrows(read_text(std::filesystem::path(THALWEG_SOURCE_DIR) / "ARCHITECTURE.md"));
}

std::vector<std::string> paths_where(const std::vector<SourceFile>& files,
                                     const std::function<bool(const SourceFile&)>& holds) {
    std::vector<std::string> paths;
    for (const SourceFile& file : files)
        if (holds(file)) paths.push_back(file.path);
    return paths;
}

// Whether `text` stands in the file's code; comments do not count.
bool mentions(const SourceFile& file, const std::string& text) {
    for (const std::string& line : file.lines)
        if (line.find(text) < line.find("//")) return true;
    return false;
}

// Whether an arrow leads from `room` back to itself over other rooms.
bool reaches(const Arrows& arrows, const std::string& from, const std::string& to,
             std::set<std::string>& visited) {
    const std::size_t slash = from.find('/');
    for (const std::string& named : arrows.at(from)) {
        const std::string target = slash == std::string::npos ? named : from.substr(0, slash + 1) + named;
        if (target == to) return true;
        if (arrows.contains(target) && visited.insert(target).second && reaches(arrows, target, to, visited))
            return true;
    }
    return false;
}

TEST(House, an_include_that_runs_up_is_found) {
    const Arrows arrows = read_arrows(
        "## Rooms and arrows\n"
        "| `core` | errors | |\n"
        "| `grid` | cells | `core` |\n"
        "| `flow` | water | `core` `grid` |\n"
        "| `io` | files | `core` `grid` `flow` `flow/graph` `render/image.hpp` |\n"
        "| `flow/graph` | trees | |\n"
        "| `flow/lakes` | lakes | `graph` |\n"
        "## Other\n"
        "| `grid` | not a row of that table | `io` |\n");
    const std::vector<SourceFile> files = {
        {"include/thalweg/grid/grid.hpp",
         {"#include \"thalweg/core/error.hpp\"", "  #  include \"thalweg/io/raster.hpp\" // up"}},
        {"include/thalweg/flow/tree.hpp", {"#include \"thalweg/flow/graph/walks.hpp\""}},
        {"include/thalweg/flow/lakes.hpp", {"#include \"thalweg/flow/tree.hpp\""}},
        {"thalweg/flow/graph/tree.cpp", {"#include \"thalweg/flow/lakes.hpp\""}},
        {"thalweg/flow/graph/walks.hpp", {"#include \"thalweg/flow/tree.hpp\""}},
        {"thalweg/flow/lakes/lakes.cpp", {"#include \"thalweg/flow/graph/walks.hpp\""}},
        {"thalweg/flow/lakes/pools.hpp", {"#include \"thalweg/flow/lakes.hpp\""}},
        {"thalweg/grid/field.cpp", {"#include \"grid.hpp\"", "#include <thalweg_like/system.hpp>"}},
        {"thalweg/io/pictures.cpp",
         {"#include \"thalweg/flow/tree.hpp\"", "#include \"thalweg/flow/graph/walks.hpp\"",
          "#include \"thalweg/flow/lakes/pools.hpp\"", "#include \"thalweg/render/image.hpp\"",
          "#include \"thalweg/render/map.hpp\""}},
        {"thalweg/cellar/new.cpp", {"#include \"thalweg/core/error.hpp\""}},
    };
    EXPECT_THAT(forbidden_includes(files, arrows),
                ElementsAre("include/thalweg/grid/grid.hpp includes thalweg/io/raster.hpp",
                            "include/thalweg/flow/tree.hpp includes thalweg/flow/graph/walks.hpp",
                            "thalweg/flow/graph/tree.cpp includes thalweg/flow/lakes.hpp",
                            "thalweg/grid/field.cpp includes grid.hpp",
                            "thalweg/io/pictures.cpp includes thalweg/flow/lakes/pools.hpp",
                            "thalweg/io/pictures.cpp includes thalweg/render/map.hpp",
                            "thalweg/cellar/new.cpp includes thalweg/core/error.hpp"));
}

TEST(House, no_room_includes_what_architecture_md_does_not_allow) {
    const std::vector<SourceFile> files = library_files();
    ASSERT_GT(files.size(), 10U);
    EXPECT_THAT(forbidden_includes(files, arrows_of_the_house()), IsEmpty());
}

TEST(House, arrows_run_in_no_circle) {
    const Arrows arrows = arrows_of_the_house();
    ASSERT_GE(arrows.size(), 9U);
    for (const auto& [room, targets] : arrows) {
        std::set<std::string> visited;
        EXPECT_FALSE(reaches(arrows, room, room, visited)) << room << " reaches itself";
    }
}

TEST(House, architecture_md_lists_every_room_and_inner_room_that_is_there) {
    const Arrows arrows = arrows_of_the_house();
    const std::filesystem::path library = std::filesystem::path(THALWEG_SOURCE_DIR) / "thalweg";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(library))
        if (entry.is_directory()) {
            const std::string room = std::filesystem::relative(entry.path(), library).generic_string();
            EXPECT_TRUE(arrows.contains(room)) << room;
        }
}

TEST(House, the_program_calls_public_headers_alone) {
    std::vector<std::string> internal;
    for (const SourceFile& file : read_sources(THALWEG_SOURCE_DIR, "cli"))
        for (const std::string& include : quoted_includes(file))
            if (include.starts_with("thalweg/") && include != "thalweg/core/version.hpp" &&
                !std::filesystem::exists(std::filesystem::path(THALWEG_SOURCE_DIR) / "include" / include))
                internal.push_back(file.path + " includes " + include);
    EXPECT_THAT(internal, IsEmpty());
}

TEST(House, no_folder_holds_more_than_one_can_look_over) {
    constexpr int kMostFiles = 25;
    std::map<std::string, int> files;
    for (const SourceFile& file : library_files())
        if (!file.path.starts_with("include/"))
            ++files[std::filesystem::path(file.path).parent_path().generic_string()];
    for (const auto& [folder, count] : files) EXPECT_LE(count, kMostFiles) << folder;
}

TEST(House, nothing_but_the_parallel_backend_and_the_worker_names_a_thread_library) {
    const auto names_threads = [](const SourceFile& file) {
        return mentions(file, "tbb/") || mentions(file, "tbb::") || mentions(file, "std::thread") ||
               mentions(file, "std::jthread") || mentions(file, "std::async") ||
               mentions(file, "#pragma omp");
    };
    EXPECT_THAT(paths_where(library_files(), names_threads),
                ElementsAre("thalweg/core/parallel.cpp", "thalweg/core/worker.cpp"));
}

TEST(House, the_library_draws_no_random_numbers_but_hashes) {
    const auto draws = [](const SourceFile& file) {
        return mentions(file, "#include <random>") || mentions(file, "std::rand(") ||
               mentions(file, "srand(");
    };
    EXPECT_THAT(paths_where(library_files(), draws), IsEmpty());
}

TEST(House, no_file_is_too_long_to_read) {
    const auto too_long = [](const SourceFile& file) { return file.lines.size() > kMostLines; };
    EXPECT_THAT(paths_where(all_files(), too_long), IsEmpty());
}

TEST(House, every_header_says_first_what_it_is_for_and_is_included_once) {
    const auto begins_badly = [](const SourceFile& file) {
        return (file.is_header() || file.path.ends_with(".hpp.in")) &&
               (file.lines.empty() || !file.lines.front().starts_with("// ") ||
                !mentions(file, "#pragma once"));
    };
    EXPECT_THAT(paths_where(all_files(), begins_badly), IsEmpty());
}

TEST(House, no_file_is_a_drawer_or_a_second_version) {
    const auto is_drawer = [](const SourceFile& file) {
        const std::string stem = std::filesystem::path(file.path).stem().string();
        return stem.find("util") != std::string::npos || stem.find("helper") != std::string::npos ||
               stem.find("misc") != std::string::npos || stem.ends_with("_v2") || stem.ends_with("_new");
    };
    EXPECT_THAT(paths_where(all_files(), is_drawer), IsEmpty());
}

}  // namespace
}  // namespace thalweg::house
