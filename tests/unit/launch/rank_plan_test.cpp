// What dampi-rank is told arrives as it was, and damaged bytes are no plan.
#include "launch/rank_plan.hpp"

#include <string>

#include <gtest/gtest.h>

namespace dampi::launch {
namespace {

RankPlan plan() {
    RankPlan result;
    result.token = machine_name() + "/17-3";
    result.job = 3;
    result.processes = 5;
    result.working_directory = "/some where";
    result.program = "./program";
    result.arguments = {"a name", "", "two\nlines", "$HOME"};
    result.environment = {{"NAME", "value=1"}, {"EMPTY", ""}};
    result.reports = "/proc/17/fd/4";
    result.output = "/proc/17/fd/5";
    result.error_output = "/proc/17/fd/6";
    return result;
}

TEST(RankPlan, ArrivesAsItWas) {
    const auto read = plan_from(to_bytes(plan()));
    ASSERT_TRUE(read);
    const RankPlan sent = plan();
    EXPECT_EQ(read->token, sent.token);
    EXPECT_EQ(read->job, sent.job);
    EXPECT_EQ(read->processes, sent.processes);
    EXPECT_EQ(read->working_directory, sent.working_directory);
    EXPECT_EQ(read->program, sent.program);
    EXPECT_EQ(read->arguments, sent.arguments);
    EXPECT_EQ(read->environment, sent.environment);
    EXPECT_EQ(read->reports, sent.reports);
    EXPECT_EQ(read->output, sent.output);
    EXPECT_EQ(read->error_output, sent.error_output);
}

TEST(RankPlan, DamagedBytesAreNone) {
    const std::string bytes = to_bytes(plan());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(plan_from(bytes.substr(0, size))) << size;
    }
    EXPECT_FALSE(plan_from(bytes + "x"));
    EXPECT_FALSE(plan_from("dampi-rank plan 2" + bytes.substr(17)));
    EXPECT_FALSE(plan_from("#!/bin/sh\n"));
}

}  // namespace
}  // namespace dampi::launch
