// The text of ISP's log, letter by letter.
#include "scheduler/isp/log.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::isp {
namespace {

using replay::CallEvent;
using replay::CallKind;
using replay::CallName;

std::string lines(LogText& log, std::uint64_t number, Interleaving run) {
    run.number = number;
    return log.interleaving(run);
}

/// Of a log that has only this one.
std::string lines(int processes, std::uint64_t number, const Interleaving& run) {
    LogText log(processes, true);
    return lines(log, number, run);
}

CallEvent call(replay::Rank rank, std::uint32_t index, CallKind kind, const char* function, int line) {
    CallEvent event;
    event.name = {rank, index};
    event.kind = kind;
    event.function = function;
    event.where.file = "two ranks.c";
    event.where.line = line;
    event.comm = base::world_comm;
    event.members = {0, 1};
    return event;
}

/// Rank 0 sends to rank 1, which receives from anybody.
Interleaving one_message() {
    Interleaving record;
    record.calls = {call(0, 0, CallKind::send, "MPI_Send", 10), call(0, 1, CallKind::finalize, "MPI_Finalize", 20),
                    call(1, 0, CallKind::receive, "MPI_Recv", 12), call(1, 1, CallKind::finalize, "MPI_Finalize", 20)};
    CallEvent& send = record.calls[0];
    send.peer = 1;
    send.tag = 5;
    send.match = CallName{1, 0};
    CallEvent& receive = record.calls[2];
    receive.peer = base::any_source;
    receive.tag = base::any_tag;
    receive.match = CallName{0, 0};
    for (std::size_t i = 0; i < 4; ++i) {
        record.calls[i].order = i + 1;
        record.calls[i].issue = 4 - i;
    }
    return record;
}

replay::Violation violation(replay::ViolationKind kind, std::vector<replay::Rank> ranks) {
    replay::Violation made{.kind = kind, .message = "what is wrong", .ranks = std::move(ranks), .situations = {}};
    replay::CodePlace where;
    where.file = "leaky.c";
    where.line = 7;
    where.function = "main";
    made.situations = {{.rank = 0, .call = "", .detail = "", .where = where}};
    return made;
}

TEST(IspLog, BeginsWithTheNumberOfRanks) { EXPECT_EQ(LogText(12, false).head(), "12\n"); }

TEST(IspLog, TellsEachCallInALine) {
    LogText log(2, true);
    EXPECT_EQ(lines(log, 1, one_message()),
              "1 0 0 1 4 Send 1 5 0_0:1: { 1 } { } Match: 1 0 File: 11 two ranks.c 10\n"
              "1 0 1 2 3 Finalize { } { } Match: -1 -1 File: 11 two ranks.c 20\n"
              "1 1 0 3 2 Recv -1 -1 0_0:1: { 1 } { [ 0 0 ] } Match: 0 0 File: 11 two ranks.c 12\n"
              "1 1 1 4 1 Finalize { } { } Match: -1 -1 File: 11 two ranks.c 20\n");
}

TEST(IspLog, CountsOrderAndIssueThroughTheWholeLog) {
    LogText log(2, true);
    (void)lines(log, 1, one_message());
    Interleaving second = one_message();
    second.calls[0].issue.reset();
    second.calls[0].match.reset();
    EXPECT_TRUE(lines(log, 2, second)
                    .starts_with("2 0 0 5 -1 Send 1 5 0_0:1: { 1 } { } Match: -1 -1 File: 11 two ranks.c 10\n"
                                 "2 0 1 6 7 Finalize "));
}

TEST(IspLog, NumbersCommunicatorsFromTheWorldOn) {
    Interleaving record;
    record.calls = {call(0, 0, CallKind::collective, "MPI_Bcast", 3),
                    call(0, 1, CallKind::collective, "MPI_Barrier", 4)};
    record.calls[0].comm = 0xfedcba9876543210;  // as large as they are
    record.calls[0].members = {0};
    LogText log(2, true);
    const std::string text = lines(log, 1, record);
    EXPECT_NE(text.find(" Bcast 1_0: {"), std::string::npos) << text;
    EXPECT_NE(text.find(" Barrier 0_0:1: {"), std::string::npos) << text;
}

TEST(IspLog, ACallWithoutSourceLinesHasAPlaceAllTheSame) {
    Interleaving record;
    record.calls = {call(0, 0, CallKind::finalize, "MPI_Finalize", 3)};
    record.calls[0].where = {};
    EXPECT_EQ(lines(1, 1, record), "1 0 0 0 -1 Finalize { } { } Match: -1 -1 File: 7 unknown -1\n");
}

TEST(IspLog, TheHalvesOfAnExchangeHaveNamesOfTheirOwn) {
    Interleaving record;
    record.calls = {call(0, 0, CallKind::receive, "MPI_Sendrecv", 3), call(0, 1, CallKind::send, "MPI_Sendrecv", 3),
                    call(0, 2, CallKind::receive, "MPI_Isendrecv", 4), call(0, 3, CallKind::send, "MPI_Isendrecv", 4)};
    const std::string text = lines(1, 1, record);
    for (const char* name : {" Recv ", " Send ", " Irecv ", " Isend "}) {
        EXPECT_NE(text.find(name), std::string::npos) << name << " in " << text;
    }
}

TEST(IspLog, LeaksComeBehindTheCallsOfTheirRank) {
    Interleaving record = one_message();
    record.violations = {violation(replay::ViolationKind::leak_communicator, {0}),
                         violation(replay::ViolationKind::leak_datatype, {0, 1})};
    const std::string text = lines(2, 3, record);
    EXPECT_NE(text.find("two ranks.c 20\n3 0 Leak Communicator { } { } Match: -1 -1 File: 7 leaky.c 7\n"
                        "3 0 Leak Datatype { } { } Match: -1 -1 File: 7 leaky.c 7\n3 1 0 "),
              std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with("3 1 Leak Datatype { } { } Match: -1 -1 File: 7 leaky.c 7\n")) << text;
}

TEST(IspLog, DeadlocksAndAssertionsComeLast) {
    Interleaving record = one_message();
    record.violations = {violation(replay::ViolationKind::deadlock, {0, 1}),
                         violation(replay::ViolationKind::crash, {1})};
    record.violations[1].situations[0].call = "assert";
    EXPECT_TRUE(
        lines(2, 4, record)
            .ends_with("4 1 ASSERT Message: 13 what is wrong Function: 4 main File: 7 leaky.c 7\n4 DEADLOCK\n"));
    record.violations = {violation(replay::ViolationKind::collective_mismatch, {0, 1})};
    EXPECT_TRUE(lines(2, 4, record).ends_with("\n4 DEADLOCK\n"));
    record.violations = {violation(replay::ViolationKind::crash, {1})};
    EXPECT_TRUE(lines(2, 4, record).ends_with("two ranks.c 20\n"));
}

}  // namespace
}  // namespace dampi::scheduler::isp
