#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(VectorLanes, are_those_of_the_processor_up_to_the_limit) {
    limit_vector_lanes(0);
    const int widest = vector_lanes();
    EXPECT_TRUE(widest == 4 || widest == 8 || widest == 16) << widest;
    for (const int limit : {4, 8, 16}) {
        limit_vector_lanes(limit);
        EXPECT_EQ(vector_lanes(), std::min(limit, widest));
    }
    limit_vector_lanes(4);
    limit_vector_lanes(0);
    EXPECT_EQ(vector_lanes(), widest);
}

}  // namespace
}  // namespace thalweg
