#include "thalweg/core/error.hpp"
#include "thalweg/project/project_file.hpp"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(StarterProject, is_read_without_complaint) {
    const Project project = parse_project(starter_project("my-valley"), "my-valley.toml", "");
    EXPECT_EQ(project.name, "my-valley");
    EXPECT_EQ(project.output_directory, "my-valley");
    EXPECT_EQ(project.stages.size(), 7U);
}

TEST(StarterProject, refuses_a_name_that_is_no_file_name) {
    EXPECT_THROW(starter_project("a/b"), Error);
    EXPECT_THROW(starter_project(""), Error);
}

}  // namespace
}  // namespace thalweg
