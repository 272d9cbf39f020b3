// The part of a call stack that people want to see.
#include "scheduler/judgement/program_stack.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;

const std::string program = "/home/user/app";
const std::string library = "/home/user/libsolver.so";
const std::string mpich = "/usr/lib/x86_64-linux-gnu/libmpich.so.12";
const std::string bindings = "/usr/lib/x86_64-linux-gnu/libmpichfort.so.12";
const std::string transport = "/lib/x86_64-linux-gnu/libucp.so.0";
const std::string layer = "/usr/lib/dampi/libdampi.so";
const std::string libc = "/usr/lib/x86_64-linux-gnu/libc.so.6";

CodePlace frame(const std::string& module, const std::string& function) {
    return {.module = module, .offset = 1, .function = function, .file = "", .line = 0};
}

std::vector<std::string> functions(const std::vector<CodePlace>& stack) {
    std::vector<std::string> names;
    for (const CodePlace& place : program_stack(stack)) {
        names.push_back(place.function);
    }
    return names;
}
using Functions = std::vector<std::string>;

const CodePlace main_frame = frame(program, "main");
const CodePlace before_main = frame(libc, "__libc_start_main");
const CodePlace start = frame(program, "_start");

TEST(ProgramStack, leaves_out_what_an_mpi_call_does_inside) {
    EXPECT_EQ(functions({frame(libc, "sched_yield"), frame(transport, "ucp_worker_progress"), frame(layer, "progress"),
                         frame(mpich, "PMPI_Barrier"), frame(layer, "MPI_Barrier"), frame(bindings, "mpi_barrier_"),
                         frame(library, "solve"), main_frame, before_main, start}),
              (Functions{"solve", "main"}));
}

TEST(ProgramStack, keeps_the_system_function_in_which_the_program_hangs) {
    EXPECT_EQ(functions({frame(libc, "read"), frame(program, "ask"), main_frame, before_main, start}),
              (Functions{"read", "ask", "main"}));
}

TEST(ProgramStack, begins_where_an_exception_is_thrown_that_ends_the_program) {
    const std::string cpp = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30";
    const std::string unwinder = "/usr/lib/x86_64-linux-gnu/libgcc_s.so.1";
    EXPECT_EQ(functions({frame(libc, "__pthread_kill_implementation"), frame(libc, "raise"), frame(libc, "abort"),
                         frame(cpp, ""), frame(cpp, "__gxx_personality_v0"), frame(unwinder, ""),
                         frame(cpp, "__cxa_throw"), frame(program, "pick"), main_frame, before_main}),
              (Functions{"pick", "main"}));
    EXPECT_EQ(functions({frame(libc, "raise"), frame(libc, "abort"), frame(program, "give_up"), main_frame}),
              (Functions{"raise", "abort", "give_up", "main"}))
        << "the program itself has called abort()";
    EXPECT_EQ(functions({frame(libc, "strlen"), frame(cpp, "std::ostream::operator<<"), main_frame}),
              (Functions{"strlen", "std::ostream::operator<<", "main"}))
        << "a library function that crashes";
}

TEST(ProgramStack, keeps_what_mpi_calls_back) {
    EXPECT_EQ(functions({frame(libc, "pause"), frame(program, "combine"), frame(mpich, "PMPI_Reduce"),
                         frame(layer, "MPI_Reduce"), main_frame, before_main}),
              (Functions{"pause", "combine", "main"}));
}

TEST(ProgramStack, keeps_what_a_system_function_calls_back) {
    EXPECT_EQ(functions({frame(program, "compare"), frame(libc, "qsort"), frame(program, "sort"), main_frame}),
              (Functions{"compare", "qsort", "sort", "main"}));
}

TEST(ProgramStack, ends_before_the_start_code_where_main_has_no_name) {
    EXPECT_EQ(functions({frame(program, "run"), frame(program, ""), before_main, start}), (Functions{"run", ""}));
    EXPECT_EQ(functions({before_main, start}), Functions{});
}

TEST(ProgramStack, drops_frames_of_which_nothing_is_known) {
    EXPECT_EQ(functions({frame("", ""), frame(program, "jump"), frame("", ""), main_frame}),
              (Functions{"jump", "main"}));
    EXPECT_EQ(functions({}), Functions{});
}

TEST(ProgramStack, does_not_take_a_similar_name_for_mpi) {
    EXPECT_EQ(
        functions({frame("/home/libmpich/app", "step"), frame("/home/user/libmpi_tools.so", "trace"), main_frame}),
        (Functions{"step", "trace", "main"}));
}

}  // namespace
}  // namespace dampi::scheduler
