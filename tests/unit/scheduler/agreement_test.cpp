// Whether MPI itself agrees with the centralized engine.
#include "scheduler/engines/agreement.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::ViolationKind;

/// With as many epochs as these ranks have.
replay::RunRecord run_of(const std::vector<std::uint32_t>& epochs, const std::vector<ViolationKind>& violations = {}) {
    replay::RunRecord made;
    for (std::size_t rank = 0; rank < epochs.size(); ++rank) {
        for (std::uint32_t index = 0; index < epochs[rank]; ++index) {
            replay::Epoch epoch;
            epoch.id = {static_cast<replay::Rank>(rank), index};
            made.epochs.push_back(epoch);
        }
    }
    for (const ViolationKind kind : violations) {
        made.violations.push_back({kind, "what happened", {0}, {}});
    }
    return made;
}

void expect_difference(const replay::RunRecord& central, const replay::RunRecord& mpi, const std::string& words) {
    const auto difference = disagreement(central, mpi);
    ASSERT_TRUE(difference) << words;
    EXPECT_NE(difference->find(words), std::string::npos) << *difference;
}

TEST(Agreement, TheSameEndAndTheSameCalls) {
    EXPECT_FALSE(disagreement(run_of({}), run_of({})));
    EXPECT_FALSE(disagreement(run_of({2, 0, 1}), run_of({2, 0, 1})));
    EXPECT_FALSE(disagreement(run_of({2}, {ViolationKind::deadlock}), run_of({2}, {ViolationKind::deadlock})));
}

TEST(Agreement, OtherDecisionsThanThoseItWasGiven) {
    auto mpi = run_of({2});
    mpi.diverged = true;
    expect_difference(run_of({2}), mpi, "did not follow");
    expect_difference(run_of({2}), run_of({2}, {ViolationKind::divergence}),
                      "with MPI itself it did not follow its decisions: what");
}

TEST(Agreement, WhatOnlyOneOfThemHasSeen) {
    expect_difference(run_of({2}), run_of({2}, {ViolationKind::deadlock}),
                      "was seen only with MPI itself: what happened");
    expect_difference(run_of({2}, {ViolationKind::deadlock}), run_of({2}),
                      "was not seen with MPI itself: what happened");
    expect_difference(run_of({2}, {ViolationKind::deadlock}), run_of({2}, {ViolationKind::abort}),
                      "seen only with MPI itself");
    // The model sees more of the program's data, and of what ranks leave behind.
    EXPECT_FALSE(disagreement(run_of({2}, {ViolationKind::leak_request}), run_of({2})));
    // It looks for the program's own loads and stores in runs of their own.
    EXPECT_FALSE(disagreement(run_of({2}), run_of({2}, {ViolationKind::buffer_modified})));
}

TEST(Agreement, AnotherNumberOfChoices) {
    expect_difference(run_of({2, 1}), run_of({2, 3}), "rank 1 made 3 choices with MPI itself, not 1");
    expect_difference(run_of({2, 1}), run_of({2}), "rank 1 made 0 choices with MPI itself, not 1");
    expect_difference(run_of({}), run_of({0, 1}), "rank 1 made 1 choice with MPI itself, not 0");
    // Ranks that are stopped are stopped where they happen to be.
    EXPECT_FALSE(disagreement(run_of({2, 1}, {ViolationKind::abort}), run_of({2}, {ViolationKind::abort})));
}

}  // namespace
}  // namespace dampi::scheduler
