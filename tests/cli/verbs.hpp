// Verbs that are run for their files.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace thalweg {

class Verbs : public Program {
  protected:
    /// Expects the run to succeed and to say nothing but the files that it wrote.
    void expect_done(const std::vector<std::string>& arguments, const std::string& output) const {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        EXPECT_EQ(ran.output, output);
    }
};

}  // namespace thalweg
