// What gcc's and clang's sanitizers print, with and without a symbolizer, and what only looks like it.
#include "scheduler/judgement/sanitizer_reports.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

SanitizersWords words_in(std::string_view text, launch::OpenMpOrder openmp = launch::OpenMpOrder::told) {
    launch::SourceLines lines;
    return sanitizers_words(2, text, "/home/you/app", openmp, lines);
}

TEST(SanitizerReports, AddressSanitizersErrorIsWhereTheProgramMadeIt) {
    const auto words = words_in(
        "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000 at pc 0x55 bp 0x7f sp 0x7f\n"
        "WRITE of size 4 at 0x602000 thread T0\n"
        "    #0 0x7f44 in __interceptor_memcpy ../../../../src/libsanitizer/x.inc:827\n"
        "    #1 0x55ed in std::copy(int, char*) /home/you/my app/app.cpp:5:37\n"
        "    #2 0x55ed in main /home/you/my app/app.cpp:9\n"
        "\n"
        "allocated by thread T0 here:\n"
        "    #0 0x7f44 in other /home/you/other.c:1\n");
    ASSERT_EQ(words.violations.size(), 1U);
    EXPECT_TRUE(words.ended_rank);
    const replay::Violation& violation = words.violations[0];
    EXPECT_EQ(violation.kind, replay::ViolationKind::sanitizer_address);
    EXPECT_EQ(violation.message, "AddressSanitizer: heap-buffer-overflow");
    EXPECT_EQ(violation.ranks, std::vector<base::Rank>{2});
    const replay::RankSituation& situation = violation.situations.at(0);
    EXPECT_EQ(situation.detail, "WRITE of size 4");
    EXPECT_EQ(situation.where.file, "/home/you/my app/app.cpp");
    EXPECT_EQ(situation.where.line, 5);
    EXPECT_EQ(situation.where.function, "std::copy(int, char*)");
    EXPECT_EQ(situation.stack.size(), 2U);
}

TEST(SanitizerReports, AnErrorWithinMpiIsWhereTheProgramCalledIt) {
    const auto words = words_in(
        "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000 at pc 0x55 bp 0x7f sp 0x7f\n"
        "READ of size 112 at 0x602000 thread T0\n"
        "    #0 0x7f44 in __interceptor_memcpy ../../../../src/libsanitizer/x.inc:827\n"
        "    #1 0x7f45 in MPIR_Unpack_impl (/lib/x86_64-linux-gnu/libmpich.so.12+0x2c717)\n"
        "    #2 0x7f45 in PMPI_Unpack (/lib/x86_64-linux-gnu/libmpich.so.12+0x2c718)\n"
        "    #3 0x7f46 in dampi_MPI_Unpack /build/generated/piggyback/interception/wrappers.cpp:17071\n"
        "    #4 0x55ed in work /home/you/app.cpp:74\n"
        "    #5 0x55ed in main /home/you/app.cpp:90\n");
    ASSERT_EQ(words.violations.size(), 1U);
    const replay::RankSituation& situation = words.violations[0].situations.at(0);
    EXPECT_EQ(situation.call, "MPI_Unpack");
    EXPECT_EQ(situation.where.file, "/home/you/app.cpp");
    EXPECT_EQ(situation.where.line, 74);
    EXPECT_EQ(situation.stack.size(), 2U);
}

TEST(SanitizerReports, WhatOpenMpMayHaveOrderedIsADoubt) {
    using launch::OpenMpOrder;
    const auto report = [](const char* below) {
        return std::string(
                   "WARNING: ThreadSanitizer: data race (pid=98)\n"
                   "  Read of size 4 at 0x7fff8c154cc0 by main thread:\n"
                   "    #0 work /home/you/app.c:12 (app+0x1355)\n"
                   "\n"
                   "  Previous write of size 8 at 0x7fff8c154cc0 by thread T3:\n") +
               below + "\n";
    };
    const std::string conflict = report("    #0 work /home/you/app.c:11 (app+0x1345)\n");
    EXPECT_EQ(words_in(conflict, OpenMpOrder::told).violations.size(), 1U);
    for (const OpenMpOrder order : {OpenMpOrder::untold, OpenMpOrder::by_runtime}) {
        const auto words = words_in(conflict, order);
        EXPECT_TRUE(words.violations.empty());
        EXPECT_TRUE(words.ended_rank);
        EXPECT_EQ(words.doubted.calls, 1U);
        ASSERT_EQ(words.doubted.places.size(), 1U);
        EXPECT_EQ(words.doubted.places.begin()->line, 11);
    }
    const std::string archer =
        "Warning: please export TSAN_OPTIONS='ignore_noninstrumented_modules=1' to avoid false positive reports from "
        "the OpenMP runtime!\n";
    EXPECT_EQ(words_in(archer + conflict, OpenMpOrder::by_runtime).violations.size(), 1U);
    EXPECT_TRUE(words_in(archer + conflict, OpenMpOrder::untold).violations.empty());
    for (const char* runtime : {"libgomp.so.1", "libomp.so.5", "libomp5.so", "libiomp5.so"}) {
        const std::string own =
            "    #0 free ../../libsanitizer/x.cpp:706 (libtsan.so.2+0x47e82)\n"
            "    #1 <null> <null> (" +
            std::string(runtime) + "+0x15844)\n";
        const auto words = words_in(report(own.c_str()));
        EXPECT_TRUE(words.violations.empty()) << runtime;
        EXPECT_EQ(words.doubted.calls, 0U) << runtime;
    }
}

TEST(SanitizerReports, LeaksAreOnlyThoseOfTheProgram) {
    const auto words = words_in(
        "==12==ERROR: LeakSanitizer: detected memory leaks\n"
        "\n"
        "Direct leak of 56 byte(s) in 1 object(s) allocated from:\n"
        "    #0 0x7f in __interceptor_calloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:77\n"
        "    #1 0x7f in ucs_calloc (/lib/x86_64-linux-gnu/libucs.so.0+0x2c717)\n"
        "\n"
        "Direct leak of 123 byte(s) in 1 object(s) allocated from:\n"
        "    #0 0x7f in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69\n"
        "    #1 0x55 in leak /home/you/app.c:4\n");
    ASSERT_EQ(words.violations.size(), 1U);
    EXPECT_EQ(words.violations[0].kind, replay::ViolationKind::sanitizer_leak);
    EXPECT_EQ(words.violations[0].message, "LeakSanitizer: 123 byte(s) in 1 object(s) were never freed");
    EXPECT_EQ(words.violations[0].situations.at(0).where.line, 4);
    const auto only_others = words_in(
        "==12==ERROR: LeakSanitizer: detected memory leaks\n"
        "Direct leak of 56 byte(s) in 1 object(s) allocated from:\n"
        "    #0 0x7f in ucs_calloc (/lib/x86_64-linux-gnu/libucs.so.0+0x2c717)\n");
    EXPECT_TRUE(only_others.violations.empty());
    EXPECT_TRUE(only_others.ended_rank);
}

TEST(SanitizerReports, ConflictsBetweenTheLayersLocksAreNoneOfTheProgram) {
    const auto report = [](const char* second) {
        return std::string(
                   "WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=98)\n"
                   "  Mutex M30 acquired here while holding mutex M77 in main thread:\n"
                   "    #0 pthread_mutex_lock ../../libsanitizer/x.inc:4324 (libtsan.so.2+0x558e1)\n"
                   "    #1 end finalize.cpp:179 (libdampi.so+0xb5ae1)\n"
                   "  Mutex M77 acquired here while holding mutex M30 in main thread:\n"
                   "    #0 pthread_mutex_lock ../../libsanitizer/x.inc:4324 (libtsan.so.2+0x558e1)\n"
                   "    #1 ") +
               second +
               "  Thread T1 (tid=3, running) created by main thread at:\n"
               "    #0 main /home/you/app.c:7 (app+0x12)\n";
    };
    EXPECT_TRUE(words_in(report("lock_threads thread_lock.cpp:12 (libdampi.so+0xef77f)\n")).violations.empty());
    const auto words = words_in(report("work /home/you/app.c:5:3 (app+0xef77f) (BuildId: 12ab)\n"));
    ASSERT_EQ(words.violations.size(), 1U);
    EXPECT_EQ(words.violations[0].message, "ThreadSanitizer: lock-order-inversion (potential deadlock)");
    EXPECT_EQ(words.violations[0].situations.at(0).where.line, 5);
}

TEST(SanitizerReports, OfAConflictWithAnOperationThatIsPendingBothAreNamed) {
    const auto report = [](const char* thread) {
        return std::string(
                   "WARNING: ThreadSanitizer: data race (pid=98)\n"
                   "  Read of size 4 at 0x7fff8c154cc0 by main thread:\n"
                   "    #0 work /home/you/app.c:12 (app+0x1355)\n"
                   "    #1 main /home/you/app.c:40 (app+0x1455)\n"
                   "\n"
                   "  Previous write of size 8 at 0x7fff8c154cc0 by thread T3 (mutexes: write M1):\n"
                   "    #0 work /home/you/app.c:11 (app+0x1345)\n"
                   "\n"
                   "  Location is stack of main thread.\n"
                   "\n"
                   "  Thread T2 'MPI_Isend' (tid=0, running) created by main thread at:\n"
                   "    #0 take fibers.cpp:24 (libdampi.so+0x91479)\n"
                   "  Thread T3 '") +
               thread + "' (tid=0, running) created by main thread at:\n" +
               "    #0 take fibers.cpp:24 (libdampi.so+0x91479)\n";
    };
    const auto words = words_in(report("MPI_Irecv"));
    ASSERT_EQ(words.violations.size(), 1U);
    const replay::Violation& violation = words.violations[0];
    EXPECT_EQ(violation.message, "ThreadSanitizer: data race with a pending MPI_Irecv");
    ASSERT_EQ(violation.situations.size(), 2U);
    EXPECT_EQ(violation.situations[0].where.line, 12);
    EXPECT_EQ(violation.situations[0].detail, "read of 4 bytes");
    EXPECT_EQ(violation.situations[0].call, "");
    EXPECT_EQ(violation.situations[0].stack.size(), 2U);
    EXPECT_EQ(violation.situations[1].where.line, 11);
    EXPECT_EQ(violation.situations[1].call, "MPI_Irecv");
    EXPECT_EQ(violation.situations[1].detail, "pending: write");
    const auto of_threads = words_in(report("worker"));
    ASSERT_EQ(of_threads.violations.size(), 1U);
    EXPECT_EQ(of_threads.violations[0].message, "ThreadSanitizer: data race");
    ASSERT_EQ(of_threads.violations[0].situations.size(), 2U) << "both accesses, by line: which came first is chance";
    EXPECT_EQ(of_threads.violations[0].situations[0].where.line, 11);
    EXPECT_EQ(of_threads.violations[0].situations[0].detail, "write of 8 bytes");
    EXPECT_EQ(of_threads.violations[0].situations[1].where.line, 12);
    EXPECT_EQ(of_threads.violations[0].situations[1].detail, "read of 4 bytes");
}

TEST(SanitizerReports, EachPlaceOfUndefinedBehaviourIsOne) {
    const auto words = words_in(
        "app.c:12:3: runtime error: signed integer overflow: 2147483647 + 1\n"
        "app.c:12:3: runtime error: signed integer overflow: 2147483647 + 2\n"
        "app.c:14:3: runtime error: shift exponent 40 is too large\n");
    ASSERT_EQ(words.violations.size(), 2U);
    EXPECT_FALSE(words.ended_rank);
    EXPECT_EQ(words.violations[0].kind, replay::ViolationKind::sanitizer_undefined);
    EXPECT_EQ(words.violations[0].situations.at(0).where.file, "app.c");
    EXPECT_EQ(words.violations[0].situations.at(0).where.line, 12);
}

TEST(SanitizerReports, OtherTextIsNone) {
    for (const char* text :
         {"", "==x==ERROR: AddressSanitizer: a\n", "ERROR: SomethingElse: a\n", "==1==ERROR: AddressSanitizer",
          "==", "#0 main\n    #1 main app.c:3\n", "a runtime error: none\n", ": runtime error: x\n",
          "1: runtime error: x", "Direct leak of", "WARNING: ThreadSanitizer"}) {
        EXPECT_TRUE(words_in(text).violations.empty()) << text;
    }
    const auto damaged = words_in("==1==ERROR: AddressSanitizer: x\n    #0 0x in (+0xzz)\n    #1 99999999999999:9\n");
    EXPECT_EQ(damaged.violations.size(), 1U);
}

}  // namespace
}  // namespace dampi::scheduler
