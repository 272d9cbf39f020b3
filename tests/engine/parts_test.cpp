// Where the time of a run went.
#include "replay/program.hpp"
#include "scheduler/supervision/local_engine.hpp"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

replay::RunRecord run(const std::vector<std::string>& arguments, bool prepare) {
    const std::filesystem::path work = DAMPI_ENGINE_WORK;
    std::filesystem::create_directories(work);
    const std::string program = std::string(DAMPI_ENGINE_PROGRAMS) + "/parts";
    LocalEngine engine({.program = replay::inspect_program(program),
                        .name = program,
                        .arguments = arguments,
                        .processes = 2,
                        .layer = DAMPI_ENGINE_LAYER,
                        .output = work,
                        .prepare = prepare});
    return engine.run({}, std::stop_token());
}

double sum(const replay::RunParts& parts) {
    return parts.launch + parts.init + parts.program + parts.finalize + parts.collection;
}

TEST(Parts, EachIsAsLongAsItsLastRankTakes) {
    for (const bool prepare : {true, false}) {
        const replay::RunRecord record = run({"300", "400", "500"}, prepare);
        EXPECT_TRUE(record.violations.empty());
        EXPECT_GE(record.parts.launch, 0.3);
        EXPECT_GT(record.parts.init, 0);
        EXPECT_GE(record.parts.program, 0.39);  // the others leave MPI_Init a little later
        EXPECT_GE(record.parts.finalize, 0.5);
        EXPECT_GT(record.parts.collection, 0);
        EXPECT_LE(sum(record.parts), record.seconds);
        // They are the run, but for what is prepared once.
        EXPECT_GE(sum(record.parts), record.seconds - (prepare ? 1.0 : 0.3));
    }
}

TEST(Parts, WhatNobodyComesToIsEmpty) {
    const replay::RunRecord record = run({"0", "200", "0", "die"}, true);
    EXPECT_FALSE(record.violations.empty());
    EXPECT_GE(record.parts.program, 0.2);
    EXPECT_EQ(record.parts.finalize, 0);
    EXPECT_GT(record.parts.collection, 0);
}

}  // namespace
}  // namespace dampi::scheduler
