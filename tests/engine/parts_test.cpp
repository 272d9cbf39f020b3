// Where the time of a run went.
#include "tests/engine/engine.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

replay::RunRecord run_parts(const std::vector<std::string>& arguments, bool prepare) {
    return run({.program = "parts", .arguments = arguments, .prepare = prepare});
}

double sum(const replay::RunParts& parts) {
    return parts.launch + parts.init + parts.program + parts.finalize + parts.collection;
}

TEST(Parts, EachIsAsLongAsItsLastRankTakes) {
    for (const bool prepare : {true, false}) {
        const replay::RunRecord record = run_parts({"300", "400", "500"}, prepare);
        EXPECT_TRUE(record.violations.empty());
        EXPECT_GE(record.parts.launch, 0.3);
        EXPECT_GT(record.parts.init, 0);
        // Rank 1 may have slept for a while when the last of the others leaves MPI_Init.
        EXPECT_GE(record.parts.init + record.parts.program, 0.4);
        EXPECT_GE(record.parts.finalize, 0.5);
        EXPECT_GT(record.parts.collection, 0);
        EXPECT_GE(sum(record.parts), 0.3 + 0.4 + 0.5);
        EXPECT_LE(sum(record.parts), record.seconds);
    }
}

TEST(Parts, WhatNobodyComesToIsEmpty) {
    const replay::RunRecord record = run_parts({"0", "200", "0", "die"}, true);
    EXPECT_FALSE(record.violations.empty());
    EXPECT_GE(record.parts.program, 0.2);
    EXPECT_EQ(record.parts.finalize, 0);
    EXPECT_GT(record.parts.collection, 0);
}

}  // namespace
}  // namespace dampi::scheduler
