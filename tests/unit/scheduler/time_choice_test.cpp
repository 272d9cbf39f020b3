// When time is virtual.
#include "scheduler/cli/time_choice.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace dampi::scheduler {
namespace {

constexpr replay::EngineKind central = replay::EngineKind::central;

launch::Program that_polls_and_reads_a_clock() {
    launch::Program program;
    program.mpi_functions = {"MPI_Init", "MPI_Iprobe", "MPI_Wtime"};
    return program;
}

TEST(TimeChoice, ItIsVirtualWhereTheProgramPollsAndReadsAClock) {
    launch::Program program = that_polls_and_reads_a_clock();
    const TimeChoice choice = choose_time(std::nullopt, program, central);
    EXPECT_TRUE(choice.is_virtual);
    EXPECT_EQ(choice.why, "the program uses MPI_Iprobe and MPI_Wtime; --real-time goes without");

    program.mpi_functions = {"MPI_testany"};  // Fortran's
    program.clock_functions = {"_gfortran_sleep_i4_sub"};
    EXPECT_TRUE(choose_time(std::nullopt, program, central).is_virtual);
    EXPECT_EQ(choose_time(std::nullopt, program, central).why,
              "the program uses MPI_testany and sleep_i4_sub; --real-time goes without");
}

TEST(TimeChoice, WhoOnlyMeasuresKeepsRealTime) {
    launch::Program program;
    program.mpi_functions = {"MPI_Recv", "MPI_Wtime"};
    EXPECT_FALSE(choose_time(std::nullopt, program, central).is_virtual);
    EXPECT_EQ(choose_time(std::nullopt, program, central).why, "");
}

TEST(TimeChoice, WhoOnlyPollsCannotTellButRepeatsItself) {
    launch::Program program;
    program.mpi_functions = {"MPI_Test"};
    EXPECT_TRUE(choose_time(std::nullopt, program, central).is_virtual);
    EXPECT_EQ(choose_time(std::nullopt, program, central).why, "");
    EXPECT_FALSE(choose_time(std::nullopt, program, replay::EngineKind::distributed).is_virtual);
    program.needs_real_time = "pthread_create";
    EXPECT_FALSE(choose_time(std::nullopt, program, central).is_virtual);
    EXPECT_EQ(choose_time(std::nullopt, program, central).why, "");
}

TEST(TimeChoice, TheUserDecides) {
    EXPECT_FALSE(choose_time(false, that_polls_and_reads_a_clock(), central).is_virtual);
    EXPECT_EQ(choose_time(false, that_polls_and_reads_a_clock(), central).why, "--real-time");
    EXPECT_TRUE(choose_time(true, launch::Program{}, central).is_virtual);
}

TEST(TimeChoice, WithThreadsItIsRealUnlessAskedFor) {
    launch::Program program = that_polls_and_reads_a_clock();
    program.needs_real_time = "pthread_create";
    EXPECT_FALSE(choose_time(std::nullopt, program, central).is_virtual);
    EXPECT_EQ(choose_time(std::nullopt, program, central).why, "the program uses pthread_create");
    EXPECT_TRUE(choose_time(true, program, central).is_virtual);
}

TEST(TimeChoice, WhereTheCLibrarysClocksCannotBeHookedItIsReal) {
    launch::Program program = that_polls_and_reads_a_clock();
    program.contained_layer = "abc";
    EXPECT_FALSE(choose_time(std::nullopt, program, central).is_virtual);
    EXPECT_FALSE(choose_time(true, program, central).is_virtual);
    EXPECT_NE(choose_time(true, program, central).why, "");
    program = that_polls_and_reads_a_clock();
    program.mpi_at_run_time = true;
    EXPECT_FALSE(choose_time(std::nullopt, program, central).is_virtual);
}

}  // namespace
}  // namespace dampi::scheduler
