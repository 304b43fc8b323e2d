// The sentence with which work is refused.
#pragma once

#include "thalweg/core/error.hpp"

#include <string>

#include <gtest/gtest.h>

namespace thalweg {

/// What `work()` throws as an Error of the input; empty where it does not.
template <class Work>
std::string refusal_of(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "";
}

}  // namespace thalweg
