// Tests that take more than a few seconds: they run where THALWEG_LONG_TESTS is set, as scripts/test.sh
// --long does.
#pragma once

#include <cstdlib>

#include <gtest/gtest.h>

namespace thalweg {

/// Base of long tests. A suite of them is `using LongErode = LongTest;` and `TEST_F(LongErode, ...)`.
class LongTest : public testing::Test {
  protected:
    void SetUp() override {
        if (std::getenv("THALWEG_LONG_TESTS") == nullptr)
            GTEST_SKIP() << "a long test: it runs with scripts/test.sh --long";
    }
};

}  // namespace thalweg
