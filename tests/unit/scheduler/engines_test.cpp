#include "scheduler/engines/engines.hpp"

#include "base/check.hpp"

#include <string>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::EngineKind;

launch::Program program_with(const std::string& function) {
    launch::Program program;
    program.mpi_functions = {"MPI_Init", function};
    return program;
}

std::string refusal_of(std::optional<EngineKind> wanted, const std::string& function, int processes,
                       const std::string& needs_mpi, bool counts_bytes) {
    try {
        (void)choose_engine(wanted, program_with(function), "app", processes, needs_mpi, counts_bytes);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(ChooseEngine, AutoTakesTheCentralizedOneForSmallJobsThatItModels) {
    const auto chosen = [](const std::string& function, int processes, const std::string& needs_mpi = {}) {
        const EngineChoice choice = choose_engine(std::nullopt, program_with(function), "app", processes, needs_mpi);
        return std::string(replay::engine_name(choice.kind)) + (choice.why.empty() ? "" : ": " + choice.why);
    };
    EXPECT_EQ(chosen("MPI_Send", 2), "central");
    EXPECT_EQ(chosen("MPI_Send", 64), "central");
    EXPECT_EQ(chosen("MPI_Send", 65), "distributed: it has more than 64 processes");
    EXPECT_EQ(chosen("MPI_Send", 2, "it is said"), "distributed: it is said");
    EXPECT_EQ(chosen("MPI_Win_create", 2), "distributed: it uses MPI_Win_create");
}

TEST(ChooseEngine, WhatIsWantedIsTakenOrRefusedByName) {
    const launch::Program plain = program_with("MPI_Send");
    EXPECT_EQ(choose_engine(EngineKind::central, plain, "app", 100, "it is said").kind, EngineKind::central);
    EXPECT_EQ(choose_engine(EngineKind::distributed, plain, "app", 2, "").kind, EngineKind::distributed);
    const std::string why = refusal_of(EngineKind::central, "MPI_Win_create", 2, "", false);
    EXPECT_NE(why.find("MPI_Win_create"), std::string::npos) << why;
    EXPECT_NE(why.find("--engine distributed"), std::string::npos) << why;
}

TEST(ChooseEngine, OnlyTheCentralizedOneCountsBytes) {
    EXPECT_EQ(choose_engine(std::nullopt, program_with("MPI_Send"), "app", 2, "", true).kind, EngineKind::central);
    EXPECT_EQ(choose_engine(EngineKind::central, program_with("MPI_Send"), "app", 2, "", true).kind,
              EngineKind::central);
    const std::string distributed = refusal_of(EngineKind::distributed, "MPI_Send", 2, "", true);
    EXPECT_NE(distributed.find("use --engine central"), std::string::npos) << distributed;
    const std::string large = refusal_of(std::nullopt, "MPI_Send", 65, "", true);
    EXPECT_NE(large.find("use --engine central"), std::string::npos) << large;
    const std::string unmodelled = refusal_of(std::nullopt, "MPI_Win_create", 2, "", true);
    EXPECT_NE(unmodelled.find("MPI_Win_create"), std::string::npos) << unmodelled;
    EXPECT_NE(unmodelled.find("--buffering zero or infinite"), std::string::npos) << unmodelled;
}

}  // namespace
}  // namespace dampi::scheduler
