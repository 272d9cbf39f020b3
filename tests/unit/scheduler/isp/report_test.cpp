// ISP's words and exit codes.
#include "scheduler/isp/report.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::isp {
namespace {

using replay::Violation;
using replay::ViolationKind;

Violation violation(ViolationKind kind, const char* call = "") {
    Violation made{.kind = kind, .message = "what is wrong", .ranks = {1}, .situations = {}};
    replay::CodePlace where;
    where.file = "prog.c";
    where.line = 7;
    made.situations = {{.rank = 1, .call = call, .detail = "", .where = where}};
    return made;
}

struct Told {
    std::string text;
    std::string conclusion;
    ExitCode code;
};

/// The violations of each interleaving.
Told tell(const Options& options, const std::vector<std::vector<Violation>>& interleavings) {
    Narrator narrator(options);
    Told told;
    std::uint64_t number = 0;
    for (const auto& violations : interleavings) {
        told.text += narrator.interleaving({.number = ++number, .calls = {}, .violations = violations});
    }
    told.conclusion = narrator.conclusion();
    told.code = narrator.exit_code();
    return told;
}

bool says(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

TEST(IspReport, OptionsOfDampiRunAreNamedAsSuch) {
    EXPECT_EQ(as_said_here("it calls MPI_Put: use --engine distributed (or --engine auto)"),
              "it calls MPI_Put: use dampi-run --engine distributed (or dampi-run --engine auto)");
    EXPECT_EQ(as_said_here("5 alternatives beyond --mixing-bound 0"), "5 alternatives beyond --bound 0");
    EXPECT_EQ(as_said_here("exploration stopped at the bound of --max-interleavings 1"),
              "exploration stopped at one, as --exp-mode asks");
    EXPECT_EQ(as_said_here("--explore-polls 1 explores that"), "dampi-run --explore-polls 1 explores that");
    EXPECT_EQ(as_said_here("there is no file a--b"), "there is no file a--b");
}

TEST(IspReport, NothingWrong) {
    const Told told = tell({}, {{}, {}});
    EXPECT_EQ(told.text, "INTERLEAVING :1\nINTERLEAVING :2\n");
    EXPECT_TRUE(says(told.conclusion,
                     "ISP detected no deadlocks!\nTotal Explored Interleavings: 2\n"
                     "Interleaving Exploration Mode: All Relevant Interleavings\n"));
    EXPECT_EQ(told.code, ExitCode::verified);
    EXPECT_FALSE(says(told.text + told.conclusion, "resource leaks detected"));  // scripts look for that
}

TEST(IspReport, Deadlocks) {
    for (const auto kind : {ViolationKind::deadlock, ViolationKind::collective_mismatch, ViolationKind::livelock}) {
        const Told told = tell({}, {{}, {violation(kind, "MPI_Recv")}});
        EXPECT_TRUE(says(told.text, "No matching MPI call found!\nDetected a DEADLOCK in interleaving 2\n"));
        EXPECT_TRUE(says(told.text, "Rank 1: MPI_Recv prog.c:7\n")) << told.text;
        EXPECT_TRUE(says(told.conclusion, "ISP detected deadlock!!!\n"));
        EXPECT_EQ(told.code, ExitCode::deadlock);
    }
}

TEST(IspReport, OtherErrors) {
    const auto one = [](const Violation& violation) { return tell({}, {{violation}}); };
    Told told = one(violation(ViolationKind::crash, "assert"));
    EXPECT_TRUE(says(told.text, "Program assertion failed!\nRank 1: prog.c:7: ")) << told.text;
    EXPECT_EQ(told.code, ExitCode::assertion);
    told = one(violation(ViolationKind::abort, "MPI_Abort"));
    EXPECT_TRUE(says(told.text, "MPI_Abort on rank 1 caused abort on all ranks.\n")) << told.text;
    EXPECT_EQ(told.code, ExitCode::abort);
    told = one(violation(ViolationKind::argument_rank, "MPI_Send"));
    EXPECT_TRUE(says(told.text, "Rank 1: Invalid rank in MPI_Send at prog.c:7\n")) << told.text;
    EXPECT_EQ(told.code, ExitCode::invalid_rank);
    told = one(violation(ViolationKind::argument_tag, "MPI_Send"));
    EXPECT_TRUE(says(told.text, "Fatal error in PMPI_Send: ")) << told.text;
    EXPECT_EQ(told.code, ExitCode::crashed);
    told = one(violation(ViolationKind::crash));
    EXPECT_TRUE(says(told.text, "Receiving empty buffer - Terminating ...\n")) << told.text;
    EXPECT_EQ(told.code, ExitCode::crashed);
    EXPECT_EQ(one(violation(ViolationKind::exit)).code, ExitCode::crashed);
    EXPECT_TRUE(says(told.conclusion, "ISP detected no deadlocks!"));
}

TEST(IspReport, TheFirstErrorThatIsNoDeadlockCounts) {
    EXPECT_EQ(tell({}, {{violation(ViolationKind::deadlock)},
                        {violation(ViolationKind::abort)},
                        {violation(ViolationKind::crash, "assert")}})
                  .code,
              ExitCode::abort);
}

TEST(IspReport, ErrorsThatIspDoesNotKnowAreErrors) {
    for (const auto kind : {ViolationKind::type_message, ViolationKind::buffer_overlap, ViolationKind::rma_race,
                            ViolationKind::sanitizer_address}) {
        const Told told = tell({}, {{violation(kind)}});
        EXPECT_TRUE(says(told.text, "what is wrong\n")) << told.text;
        EXPECT_EQ(told.code, ExitCode::crashed) << text_of(kind);
        EXPECT_EQ(tell({}, {{violation(kind)}, {violation(ViolationKind::deadlock)}}).code, ExitCode::deadlock)
            << "ISP would have found that";
        EXPECT_EQ(tell({}, {{violation(kind)}, {violation(ViolationKind::abort)}}).code, ExitCode::abort);
    }
    EXPECT_EQ(tell({}, {{violation(ViolationKind::unusual)}}).code, ExitCode::verified) << "a warning";
}

TEST(IspReport, LeaksAreToldForEachRankAndAreNoError) {
    const Told told =
        tell({}, {{violation(ViolationKind::leak_communicator), violation(ViolationKind::leak_datatype)}});
    EXPECT_TRUE(says(told.text,
                     "Rank 1: 2 resource leaks detected.\n"
                     "Rank 1: Communicator: what is wrong prog.c:7\n"
                     "Rank 1: Datatype: what is wrong prog.c:7\n"))
        << told.text;
    EXPECT_EQ(told.code, ExitCode::verified);
}

TEST(IspReport, CallsAreCountedAndShownOnRequest) {
    Options options;
    options.count_calls = true;
    options.every_list = true;
    options.report_every = 2;
    Narrator narrator(options);
    Interleaving run;
    replay::CallEvent call;
    call.name = {0, 0};
    call.kind = replay::CallKind::send;
    call.function = "MPI_Isend";
    call.peer = 1;
    call.tag = 3;
    call.order = 2;
    run.calls = {call};
    const std::string text = narrator.interleaving(run);
    EXPECT_TRUE(says(text, "Processed: o=2 i=0 rank=0 Isend dest=1 stag=3\n")) << text;
    EXPECT_TRUE(says(text, "Transition list for 0\n0 o=2 i=0 rank=0 Isend dest=1 stag=3{} {}\t No match\n")) << text;
    EXPECT_TRUE(says(text, "Rank 0: 1 MPI calls trapped.\nRank 1: 0 MPI calls trapped.\n")) << text;
    // The numbers go on.
    EXPECT_TRUE(says(narrator.interleaving(run), "0 o=3 i=0")) << text;
}

TEST(IspReport, QuietSaysNothing) {
    Options options;
    options.quiet = true;
    const Told told = tell(options, {{violation(ViolationKind::deadlock)}});
    EXPECT_EQ(introduction(options) + told.text + told.conclusion, "");
    EXPECT_EQ(told.code, ExitCode::deadlock);
}

}  // namespace
}  // namespace dampi::scheduler::isp
