// Which violations the facts of a run amount to.
#include "scheduler/judgement/judgement.hpp"

#include "base/check.hpp"
#include "replay/misuse.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

using launch::RankEnd;
using replay::RunRecord;
using replay::Violation;
using replay::ViolationKind;

Violation found(ViolationKind kind, base::Rank rank, const std::string& call = "MPI_Recv", int line = 1) {
    return {.kind = kind,
            .message = "m",
            .ranks = {rank},
            .situations = {{.rank = rank,
                            .call = call,
                            .detail = {},
                            .where = {.module = "app", .offset = 0, .function = "f", .file = "a.c", .line = line}}}};
}

/// A run of so many ranks that all came to a good end.
RunFacts good_run(std::size_t ranks) {
    RunFacts facts;
    facts.seen.ends.assign(ranks, {.how = RankEnd::How::exited, .code = 0});
    facts.seen.may_have_begun.assign(ranks, true);
    facts.ranks.resize(ranks);
    for (RankFacts& rank : facts.ranks) {
        rank.loaded = rank.beginning = rank.started = rank.finalizing = rank.finalized = true;
    }
    return facts;
}

RankState waiting_for(base::Rank peer, transport::WaitKind kind = transport::WaitKind::receive) {
    Wait wait;
    wait.kind = kind;
    wait.peer = peer;
    RankState state;
    state.blocked = true;
    state.call = "MPI_Recv";
    state.waits = {wait};
    return state;
}

/// Two ranks that wait for each other.
RunFacts deadlocked_run() {
    RunFacts facts = good_run(2);
    facts.seen.ends.assign(2, {.how = RankEnd::How::running, .code = 0});
    for (RankFacts& rank : facts.ranks) {
        rank.finalizing = rank.finalized = false;
    }
    facts.seen.ending.reason = RunEnding::Reason::deadlock;
    facts.seen.ending.ranks = {true, true};
    facts.seen.ending.states = {waiting_for(1), waiting_for(0)};
    return facts;
}

std::vector<ViolationKind> kinds(const RunRecord& record) {
    std::vector<ViolationKind> kinds;
    std::transform(record.violations.begin(), record.violations.end(), std::back_inserter(kinds),
                   [](const Violation& each) { return each.kind; });
    return kinds;
}

using Kinds = std::vector<ViolationKind>;

TEST(Judgement, AGoodRunHasNoViolations) {
    const RunRecord record = judge(good_run(3));
    EXPECT_EQ(kinds(record), Kinds{});
    EXPECT_FALSE(record.diverged);
    EXPECT_TRUE(record.not_modelled.empty());
}

TEST(Judgement, WhatEndsARankIsACrashAnExitOrALackOfFinalize) {
    RunFacts facts = good_run(3);
    facts.seen.ends[0] = {.how = RankEnd::How::signalled, .code = SIGSEGV};
    facts.ranks[0].finalized = false;
    facts.seen.ends[1] = {.how = RankEnd::How::exited, .code = 3};
    facts.ranks[2].finalizing = facts.ranks[2].finalized = false;
    const RunRecord record = judge(facts);
    EXPECT_EQ(kinds(record), (Kinds{ViolationKind::crash, ViolationKind::exit, ViolationKind::exit}));
    EXPECT_EQ(record.violations[0].message, "rank 0 was ended by signal SIGSEGV (Segmentation fault)");
    EXPECT_EQ(record.violations[2].message, "rank 2 exited with status 0 without calling MPI_Finalize");
}

TEST(Judgement, RanksThatExitAtOnePlaceAreOneViolation) {
    RunFacts facts = good_run(4);
    const replay::CodePlace in_exit{.module = "/lib/libc.so.6", .offset = 1, .function = "exit"};
    const replay::CodePlace in_main{.module = "/app", .offset = 2, .function = "main", .file = "app.c", .line = 7};
    for (const int rank : {0, 1, 3}) {
        facts.seen.ends[static_cast<std::size_t>(rank)] = {.how = RankEnd::How::exited, .code = rank + 3};
        facts.ranks[static_cast<std::size_t>(rank)].crash_stack = {in_exit, in_main};
    }
    facts.ranks[3].crash_stack.back().line = 8;
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), (Kinds{ViolationKind::exit, ViolationKind::exit}));
    const Violation& both = record.violations[0];
    EXPECT_EQ(both.ranks, (std::vector<base::Rank>{0, 1}));
    EXPECT_EQ(both.message, "ranks 0 and 1 exited with statuses 3, 4");
    ASSERT_EQ(both.situations.size(), 2U);
    EXPECT_EQ(both.situations[1].detail, "status 4");
    EXPECT_EQ(both.situations[1].where, in_main);
    EXPECT_EQ(record.violations[1].message, "rank 3 exited with status 6");
}

TEST(Judgement, OfSeveralThreadsNoneHasTheArgumentsOfAnother) {
    RunFacts facts = deadlocked_run();
    const replay::CodePlace mine{.module = "/app", .offset = 2, .function = "f", .file = "app.c", .line = 7};
    const replay::CodePlace others{.module = "/app", .offset = 3, .function = "g", .file = "app.c", .line = 9};
    RankState& state = facts.seen.ending.states[0];
    state.waits.push_back(state.waits.front());
    state.waits.back().tag = 6;
    state.any = true;
    facts.ranks[0].blocked_in = mine;
    facts.ranks[0].situation = replay::RankSituation{.rank = 0,
                                                     .call = "MPI_Recv",
                                                     .detail = {},
                                                     .where = others,
                                                     .arguments = "tag 6",
                                                     .last_call = {},
                                                     .stack = {others}};
    const auto situation_now = [&] { return judge(facts).violations.at(0).situations.at(0); };
    EXPECT_NE(situation_now().detail.find(", or waits for"), std::string::npos);
    state.multithreaded = true;
    state.idle_threads = {10, 11};
    const replay::RankSituation told = situation_now();
    EXPECT_EQ(told.where, mine);
    EXPECT_EQ(told.arguments, "");
    EXPECT_TRUE(told.stack.empty());
    EXPECT_TRUE(told.detail.starts_with("in its threads: waits for ")) << told.detail;
    EXPECT_NE(told.detail.find("; waits for "), std::string::npos) << told.detail;
    facts.ranks[0].situation->where = mine;
    EXPECT_EQ(situation_now().arguments, "tag 6") << "they are of the call that is shown";
}

TEST(Judgement, WhoCallsMpiAfterFinalizeIsToldSo) {
    RunFacts facts = good_run(2);
    const replay::CodePlace in_main{.module = "/app", .offset = 2, .function = "main", .file = "app.c", .line = 7};
    for (std::size_t rank = 0; rank < 2; ++rank) {
        facts.seen.ends[rank] = {.how = RankEnd::How::exited, .code = 1};
        facts.ranks[rank].crash_stack = {{.module = "/lib/libc.so.6", .offset = 1, .function = "exit"},
                                         {.module = "/lib/libmpich.so.12", .offset = 3, .function = "MPI_Type_free"},
                                         in_main};
    }
    const RunRecord late = judge(facts);
    ASSERT_EQ(kinds(late), Kinds{ViolationKind::exit});
    EXPECT_EQ(late.violations[0].message,
              "ranks 0 and 1 exited with status 1: MPI was called after it was finalized, which ends the rank");
    EXPECT_EQ(late.violations[0].situations[0].call, "MPI_Type_free");
    EXPECT_EQ(late.violations[0].situations[0].where, in_main);
    for (RankFacts& rank : facts.ranks) {
        rank.crash_stack[1].function = "MPI_Finalize";  // a callback has ended it
    }
    EXPECT_EQ(judge(facts).violations.at(0).message, "ranks 0 and 1 exited with status 1");
}

TEST(Judgement, WhereMainHasReturnedItsBeginningIsThePlace) {
    RunFacts facts = good_run(2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        facts.seen.ends[rank] = {.how = RankEnd::How::exited, .code = 3};
        facts.ranks[rank].crash_stack = {{.module = "/lib/libc.so.6", .offset = 1, .function = "exit"},
                                         {.module = "/app", .offset = 9, .function = "_start"}};
        facts.ranks[rank].main_function = {.module = "/app", .function = "main", .file = "app.c", .line = 5};
    }
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::exit});
    EXPECT_EQ(record.violations[0].message, "ranks 0 and 1 exited with status 3");
    EXPECT_EQ(record.violations[0].situations[0].call, "return");
    EXPECT_EQ(record.violations[0].situations[0].where.line, 5);
}

TEST(Judgement, ACrashInCodeOfASystemsHeaderIsWhereTheProgramHasCalledIt) {
    RunFacts facts = good_run(3);
    const auto frame = [](const std::string& file, int line) {
        return replay::CodePlace{.module = "/app", .offset = 2, .function = "f", .file = file, .line = line};
    };
    for (std::size_t rank = 0; rank < 3; ++rank) {
        facts.seen.ends[rank] = {.how = RankEnd::How::signalled, .code = SIGSEGV};
        facts.ranks[rank].finalized = false;
        facts.ranks[rank].crash_stack = {frame("/usr/include/c++/12/bits/vector.tcc", 114)};
    }
    facts.ranks[0].crash_stack.push_back(frame("app.cpp", 7));
    facts.ranks[1].crash_stack.push_back(frame("app.cpp", 8));
    const RunRecord record = judge(facts);
    ASSERT_EQ(record.violations.size(), 3U) << "what happens in the header is not one cause";
    EXPECT_EQ(record.violations[0].situations[0].where.line, 7);
    EXPECT_EQ(record.violations[1].situations[0].where.line, 8);
    EXPECT_EQ(record.violations[2].situations[0].where.line, 114) << "nothing else is known";
}

TEST(Judgement, StatusesThatTheUserCallsGoodAreNoViolation) {
    RunFacts facts = good_run(3);
    facts.seen.good_exits = {1, 2};
    facts.seen.ends[0] = {.how = RankEnd::How::exited, .code = 2};
    facts.seen.ends[1] = {.how = RankEnd::How::exited, .code = 3};
    EXPECT_EQ(judge(facts).violations.at(0).message, "rank 1 exited with status 3");
    EXPECT_EQ(judge(facts).violations.size(), 1U);
    facts.seen.ends[1].code = 1;
    facts.ranks[1].finalizing = facts.ranks[1].finalized = false;
    EXPECT_EQ(judge(facts).violations.at(0).message, "rank 1 exited with status 1 without calling MPI_Finalize");
}

TEST(Judgement, TheSameCrashInSeveralRanksIsOneAndAnotherSignalIsAnother) {
    RunFacts facts = good_run(3);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        facts.seen.ends[rank] = {.how = RankEnd::How::signalled, .code = rank == 1 ? SIGFPE : SIGSEGV};
        facts.ranks[rank].finalized = false;
        facts.ranks[rank].crash_stack = {
            {.module = "/app", .offset = 2, .function = "main", .file = "app.c", .line = 7}};
    }
    const RunRecord record = judge(facts);
    ASSERT_EQ(record.violations.size(), 2U);
    EXPECT_EQ(record.violations[0].message, "ranks 0 and 2 were ended by signal SIGSEGV (Segmentation fault)");
    EXPECT_EQ(record.violations[0].situations[1].detail, "");
    EXPECT_EQ(record.violations[0].situations[1].stack.size(), 1U);
    EXPECT_EQ(record.violations[1].message, "rank 1 was ended by signal SIGFPE (Floating point exception)");
}

TEST(Judgement, WhoCrashesInMpiAbortHasCalledIt) {
    const auto frame = [](const char* module, const char* function, int line) {
        return replay::CodePlace{.module = module, .offset = 2, .function = function, .file = "app.c", .line = line};
    };
    RunFacts facts = good_run(3);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        facts.ranks[rank].finalized = facts.ranks[rank].finalizing = false;
        facts.seen.ends[rank] = {.how = RankEnd::How::signalled, .code = SIGABRT};
        facts.ranks[rank].crash_stack = {frame("/lib/libc.so.6", "abort", 0), frame("/opt/libdampi.so", "MPI_Abort", 0),
                                         frame("/app", "main", 7)};
    }
    facts.seen.ends[2] = {.how = RankEnd::How::exited, .code = 3};
    facts.ranks[2].violations = {found(ViolationKind::abort, 2, "MPI_Abort")};
    facts.ranks[2].violations.front().message = "MPI_Abort was called with error code 3";
    facts.ranks[2].violations.front().situations.front().where = frame("/app", "main", 7);
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::abort});
    const Violation& abort = record.violations.front();
    EXPECT_EQ(abort.message, "MPI_Abort was called with error code 3");
    EXPECT_EQ(abort.ranks, (std::vector<base::Rank>{0, 1, 2}));
    EXPECT_EQ(abort.consequences, Kinds{ViolationKind::crash});
    EXPECT_EQ(abort.situations.at(1).detail, "ended in it by signal SIGABRT (Aborted)");

    facts.ranks[0].crash_stack.insert(facts.ranks[0].crash_stack.begin() + 1, frame("/app", "at_exit", 20));
    facts.ranks[1].crash_stack.erase(facts.ranks[1].crash_stack.begin() + 1);
    const RunRecord others = judge(facts);
    EXPECT_EQ(kinds(others), (Kinds{ViolationKind::crash, ViolationKind::crash, ViolationKind::abort}))
        << "the program's own code that MPI_Abort has called, and a rank that has not called it";
}

TEST(Judgement, PlacesAreThoseOfTheCallersOfWrappers) {
    RunFacts facts = good_run(2);
    const auto frame = [](const char* function, int line) {
        return replay::CodePlace{.module = "/app", .offset = 1, .function = function, .file = "app.c", .line = line};
    };
    const auto leak = [&](base::Rank rank, int line) {
        Violation made = found(ViolationKind::leak_communicator, rank);
        made.situations.front().where = frame("my_dup", 3);
        made.situations.front().stack = {frame("my_dup", 3), frame("main", line)};
        return made;
    };
    facts.ranks[0].violations = {leak(0, 10), leak(0, 20)};
    facts.ranks[1].violations = {leak(1, 20)};
    EXPECT_EQ(judge(facts).violations.size(), 1U) << "it is one line";
    facts.seen.wrappers = {"my_*"};
    const RunRecord record = judge(facts);
    ASSERT_EQ(record.violations.size(), 2U);
    EXPECT_EQ(record.violations[0].situations.front().where.line, 10);
    EXPECT_EQ(record.violations[1].situations.front().where.line, 20);
    EXPECT_EQ(record.violations[1].ranks, (std::vector<base::Rank>{0, 1}));
    facts.seen.wrappers = {"my_*", "main"};
    EXPECT_EQ(judge(facts).violations.at(0).situations.front().where.line, 3) << "nobody is left to be named";
}

TEST(Judgement, LeaksCountOnlyWhereAllRanksHaveCalledFinalize) {
    RunFacts facts = good_run(2);
    facts.ranks[0].violations = {found(ViolationKind::leak_request, 0)};
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::leak_request});
    facts.ranks[1].finalizing = facts.ranks[1].finalized = false;
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::exit});
}

TEST(Judgement, TheSameLeakInSeveralRanksIsOne) {
    RunFacts facts = good_run(2);
    facts.ranks[0].violations = {found(ViolationKind::leak_request, 0)};
    facts.ranks[1].violations = {found(ViolationKind::leak_request, 1), found(ViolationKind::leak_request, 1, "", 2)};
    const RunRecord record = judge(facts);
    ASSERT_EQ(record.violations.size(), 2U);
    EXPECT_EQ(record.violations[0].ranks, (std::vector<base::Rank>{0, 1}));
    EXPECT_EQ(record.violations[1].ranks, std::vector<base::Rank>{1});
}

TEST(Judgement, UnreceivedMessagesAreNotesWhereCallsMayHaveGoneUnseenOrTheUserSaysSo) {
    RunFacts facts = good_run(2);
    facts.unreceived = {found(ViolationKind::leak_message, 0)};
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::leak_message});
    RunFacts tolerated = facts;
    tolerated.seen.message_leaks = false;
    EXPECT_EQ(kinds(judge(tolerated)), Kinds{});
    EXPECT_EQ(judge(tolerated).notes.size(), 1U);
}

TEST(Judgement, ADeadlockNamesItsRanksAndWhatTheyWaitFor) {
    const RunRecord record = judge(deadlocked_run());
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::deadlock});
    const Violation& deadlock = record.violations.front();
    EXPECT_EQ(deadlock.ranks, (std::vector<base::Rank>{0, 1}));
    EXPECT_EQ(deadlock.situations[0].detail, "waits for a message from rank 1 with tag 0 on a communicator");
    ASSERT_TRUE(deadlock.wait_for);
}

TEST(Judgement, ADeadlockTellsWhoCanNeverGoOnFromWhoOnlyWaitsForThemToEnd) {
    RunFacts facts = deadlocked_run();
    EXPECT_EQ(judge(facts).violations.at(0).message,
              "ranks 0 and 1 can never go on: every rank is blocked and nothing that they wait for can come");
    facts.seen.ending.states[1].call = "MPI_Finalize";
    EXPECT_EQ(judge(facts).violations.at(0).message,
              "rank 0 can never go on: nothing that it waits for can come; rank 1 waits in MPI_Finalize");
}

TEST(Judgement, ADeadlockNamesTheCallsThatHaveMadeItsRequests) {
    RunFacts facts = deadlocked_run();
    facts.seen.ending.states[0].waits[0].made_at = 77;
    facts.ranks[0].made_at[77] = {.module = {}, .offset = 0, .function = "main", .file = "/home/you/app.c", .line = 12};
    facts.seen.ending.states[1].waits[0].made_at = 78;  // its place is not known
    const RunRecord record = judge(facts);
    ASSERT_EQ(record.violations.size(), 1U);
    const Violation& deadlock = record.violations.front();
    EXPECT_EQ(deadlock.situations[0].detail,
              "waits for a message from rank 1 with tag 0 on a communicator (the request was made at app.c:12)");
    EXPECT_EQ(deadlock.situations[1].detail.find("request"), std::string::npos);
}

TEST(Judgement, ADeadlockNamesThePartitionsThatAreNotReady) {
    RunFacts facts = deadlocked_run();
    facts.seen.ending.states[0].waits[0].kind = transport::WaitKind::ready;
    const auto told = [&](std::uint64_t missing) {
        facts.seen.ending.states[0].waits[0].number = missing;
        facts.seen.ending.states[0].waits[0].tag = 8;
        return judge(facts).violations.at(0).situations.at(0).detail;
    };
    EXPECT_EQ(told(0x24),
              "waits for partitions 2, 5 (of 0 to 7) of its own send for which it has not called MPI_Pready");
    EXPECT_EQ(told(1), "waits for partition 0 (of 0 to 7) of its own send for which it has not called MPI_Pready");
    EXPECT_EQ(told(0), "waits for partitions of its own send for which it has not called MPI_Pready");
}

/// In the deadlock rank 0 waits for a message from rank 1 that is decided.
RunFacts decided_run() {
    RunFacts facts = deadlocked_run();
    facts.ranks[0].forced_pending = true;
    replay::Epoch epoch;
    epoch.id = {0, 0};
    epoch.forced = true;
    epoch.call = "MPI_Recv";
    facts.ranks[0].epochs = {epoch};
    facts.seen.decisions = {{.epoch = {0, 0}, .outcome = {.source = 1, .tag = 3}}};
    facts.open_decisions.first = replay::RankSituation{.rank = 0, .call = "MPI_Recv", .detail = {}, .where = {}};
    return facts;
}

TEST(Judgement, WhereARankDidNotDoWhatItHadDoneThatIsTheDoubtAndNotWhatOthersThenWaitFor) {
    RunFacts facts = decided_run();
    facts.ranks[1].divergence = Violation{.kind = ViolationKind::divergence,
                                          .message = "rank 1 was to repeat a polling call",
                                          .ranks = {1},
                                          .situations = {}};
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::divergence});
    EXPECT_EQ(record.violations[0].message, "rank 1 was to repeat a polling call");
    EXPECT_TRUE(record.diverged);
}

TEST(Judgement, ARankThatEndsWithoutAnOperationThatItHadComeToDidNotRepeatItself) {
    RunFacts facts = decided_run();
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::imprecise_match}) << "rank 1 may be kept by something else";
    facts.ranks[1].finalizing = true;
    facts.seen.decisions.push_back({.epoch = {1, 4}, .outcome = {.source = 0}});
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::divergence});
    EXPECT_NE(record.violations[0].message.find("rank 1 has come to MPI_Finalize without its operation 4"),
              std::string::npos);
}

TEST(Judgement, ARankThatEndsWithoutSendingWhatIsDecidedDidNotRepeatItself) {
    RunFacts facts = decided_run();
    facts.ranks[1].finalizing = true;
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::divergence});
    EXPECT_NE(record.violations[0].message.find("rank 1 has come to MPI_Finalize without sending"), std::string::npos);
    replay::Epoch left_to_chance;
    left_to_chance.id = {1, 0};
    left_to_chance.outcome = replay::Outcome{.source = 0};
    facts.ranks[1].epochs = {left_to_chance};
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::imprecise_match}) << "that may have made the difference";
}

TEST(Judgement, ARankThatDiesBeforeItSendsWhatIsDecidedDidNotRepeatItself) {
    RunFacts facts = decided_run();
    facts.seen.ends[1] = {.how = launch::RankEnd::How::signalled, .code = SIGKILL};
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::divergence});
    EXPECT_EQ(record.violations[0].message.find("rank 1 was ended by signal SIGKILL"), 0U)
        << record.violations[0].message;
    EXPECT_EQ(record.violations[0].ranks, (std::vector<base::Rank>{1}));
}

TEST(Judgement, ADeadlockInWhichADecisionHasNotComeIsTheToolsOwnDoubt) {
    RunFacts facts = deadlocked_run();
    facts.ranks[1].forced_pending = true;
    facts.ranks[0].violations = {found(ViolationKind::truncation, 0)};
    const RunRecord record = judge(facts);
    EXPECT_EQ(kinds(record), Kinds{ViolationKind::imprecise_match}) << "nothing else says anything about the program";
    EXPECT_TRUE(record.diverged);
}

TEST(Judgement, WhatADeathCutOffHidesNothingAndIsLeftOut) {
    RunFacts facts = good_run(2);
    facts.ranks[0].violations = {found(ViolationKind::truncation, 0)};
    facts.open_decisions.cut_off = true;
    const RunRecord record = judge(facts);
    EXPECT_EQ(kinds(record), Kinds{ViolationKind::truncation});
    EXPECT_FALSE(record.diverged);
    EXPECT_TRUE(record.cut_short) << "what the others would have done is not known";
}

TEST(Judgement, AnOpenDecisionOfAStoppedRunIsNotHeldAgainstIt) {
    RunFacts facts = good_run(1);
    facts.open_decisions.first = replay::RankSituation{.rank = 0, .call = "MPI_Recv", .detail = {}, .where = {}};
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::imprecise_match});
    facts.seen.stopped = true;
    const RunRecord record = judge(facts);
    EXPECT_EQ(kinds(record), Kinds{});
    EXPECT_TRUE(record.diverged) << "but it is no run of the program's, either";
}

TEST(Judgement, WhatFollowsFromAMismatchIsNotToldBesideIt) {
    RunFacts facts = deadlocked_run();
    facts.mismatches = {{.violation = found(ViolationKind::collective_mismatch, 0, "MPI_Bcast"),
                         .comm = base::world_comm,
                         .difference = transport::Difference::operation}};
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::collective_mismatch});
    EXPECT_EQ(record.violations.front().consequences, Kinds{ViolationKind::deadlock});
    // Another amount of data lets nobody wait for a message.
    facts.mismatches.front().difference = transport::Difference::amount;
    EXPECT_EQ(kinds(judge(facts)), (Kinds{ViolationKind::deadlock, ViolationKind::collective_mismatch}));
}

TEST(Judgement, ACrashInMpiComesOfWhatWasPutBesideAWindow) {
    RunFacts facts = good_run(2);
    facts.ranks[1].violations = {found(ViolationKind::argument_displacement, 1, "MPI_Put"),
                                 found(ViolationKind::crash, 0, "MPI_Win_fence")};
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::argument_displacement});
    EXPECT_EQ(record.violations.front().consequences, Kinds{ViolationKind::crash});
    facts.ranks[1].violations[1] = found(ViolationKind::crash, 0, "");
    EXPECT_EQ(kinds(judge(facts)), (Kinds{ViolationKind::argument_displacement, ViolationKind::crash}));
}

TEST(Judgement, AMessageOfOtherTypesThatIsTooLongAsWellIsOneFault) {
    RunFacts facts = good_run(2);
    facts.ranks[0].violations = {found(ViolationKind::truncation, 0, "MPI_Recv"),
                                 found(ViolationKind::type_message, 0, "receive")};
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::type_message});
    EXPECT_EQ(record.violations.front().consequences, Kinds{ViolationKind::truncation});
    facts.ranks[0].violations[1].situations[0].where.line += 1;
    EXPECT_EQ(kinds(judge(facts)), (Kinds{ViolationKind::truncation, ViolationKind::type_message}));
}

TEST(Judgement, TheOrderOfCollectivesIsTheCauseOfADeadlockWhereItIs) {
    RunFacts facts = deadlocked_run();
    facts.communicators = {{1, "A"}, {2, "B"}};
    const auto entered = [](base::Rank rank, base::CommId comm) {
        return EnteredOutOfOrder{{.rank = rank, .comm = comm, .sequence = 0},
                                 {.rank = rank, .call = "MPI_Barrier", .detail = {}, .where = {}}};
    };
    facts.collective_order = {entered(0, 1), entered(1, 2)};
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::collective_mismatch});
    EXPECT_NE(record.violations.front().message.find("rank 0 has entered MPI_Barrier on A and rank 1 has entered"),
              std::string::npos)
        << record.violations.front().message;
    EXPECT_EQ(record.violations.front().situations[1].detail, "on B, waits for rank 0 to enter it");

    // Of collectives that do not match each other others follow: who waits there for ever keeps more waiting.
    facts.mismatches = {{.violation = found(ViolationKind::collective_mismatch, 0, "MPI_Bcast"),
                         .comm = 7,
                         .difference = transport::Difference::root}};
    EXPECT_EQ(kinds(judge(facts)), (Kinds{ViolationKind::collective_mismatch, ViolationKind::collective_mismatch}));
    facts.mismatches.front().starts = {2};
    ASSERT_EQ(kinds(judge(facts)), Kinds{ViolationKind::collective_mismatch});
    EXPECT_EQ(judge(facts).violations.front().consequences, Kinds{ViolationKind::deadlock});
    facts.mismatches.front().starts.clear();
    facts.mismatches.front().comm = 2;
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::collective_mismatch});
}

TEST(Judgement, TagsThatDifferAreNamed) {
    RunFacts facts = deadlocked_run();
    const auto entered = [](base::Rank rank, base::CommId comm, const char* call) {
        return EnteredOutOfOrder{{.rank = rank, .comm = comm, .sequence = 0},
                                 {.rank = rank, .call = call, .detail = {}, .where = {}}};
    };
    const char* call = "MPI_Comm_create_group";
    facts.collective_order = {entered(0, 1, call), entered(1, 2, call)};
    facts.communicators = {{1, "MPI_Comm_create_group of MPI_COMM_WORLD with tag 3, ranks 0 1"},
                           {2, "MPI_Comm_create_group of MPI_COMM_WORLD with tag 4, ranks 0 1"}};
    const auto message = [&] { return judge(facts).violations.at(0).message; };
    EXPECT_TRUE(
        message().starts_with("ranks 0 and 1 give different tags to MPI_Comm_create_group, or call it in "
                              "different orders: rank 0 has entered MPI_Comm_create_group on"))
        << message();
    const std::string otherwise = "ranks 0 and 1 enter collectives of different communicators in different orders: ";
    facts.communicators[2] = "MPI_Comm_create_group of MPI_COMM_WORLD with tag 3, ranks 0 1 2";
    EXPECT_TRUE(message().starts_with(otherwise)) << message();
    facts.communicators[2] = "B";
    EXPECT_TRUE(message().starts_with(otherwise)) << message();
}

TEST(Judgement, WhoWasAtItsEndBeforeItsSanitizerSpokeHasEndedByItself) {
    RunFacts facts = good_run(2);
    facts.seen.sanitizers.resize(2);
    facts.seen.sanitizers[1].ended_rank = true;  // by leaks of the MPI library's, say, which are nobody's finding
    facts.seen.ends[1] = {.how = RankEnd::How::exited, .code = 23};
    EXPECT_EQ(kinds(judge(facts)), Kinds{}) << "the program's status is not known";
    facts.ranks[1].exit_status = 0;
    EXPECT_EQ(kinds(judge(facts)), Kinds{});
    facts.ranks[1].exit_status = 4;
    EXPECT_EQ(judge(facts).violations.at(0).message, "rank 1 exited with status 4");
    facts.seen.good_exits = {4};
    EXPECT_EQ(kinds(judge(facts)), Kinds{});
    facts.ranks[1].finalizing = facts.ranks[1].finalized = false;
    EXPECT_EQ(judge(facts).violations.at(0).message, "rank 1 exited with status 4 without calling MPI_Finalize");
    facts.ranks[1].exit_status = 0;
    facts.seen.sanitizers[1].violations = {found(ViolationKind::sanitizer_leak, 1)};
    EXPECT_EQ(kinds(judge(facts)), (Kinds{ViolationKind::sanitizer_leak, ViolationKind::exit}));
    facts.ranks[1].exit_status.reset();
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::sanitizer_leak}) << "it was ended in its middle";
    facts.ranks[1].exit_status = 0;
    facts.seen.ends[1].code = 5;
    EXPECT_EQ(judge(facts).violations.back().message, "rank 1 exited with status 5 without calling MPI_Finalize")
        << "not a sanitizer's";
}

TEST(Judgement, AnAbortTellsWhatTheRankWasDoing) {
    RunFacts facts = good_run(2);
    facts.seen.ends[1] = {.how = RankEnd::How::exited, .code = 5};
    facts.seen.aborts = {{.rank = 1}};
    facts.ranks[1].finalizing = facts.ranks[1].finalized = false;
    facts.ranks[1].situation = replay::RankSituation{.rank = 1, .call = "MPI_Send", .detail = {}, .where = {}};
    const RunRecord record = judge(facts);
    ASSERT_EQ(kinds(record), Kinds{ViolationKind::abort});
    EXPECT_EQ(record.violations.front().situations.at(0).call, "MPI_Send");
}

TEST(Judgement, AnAbortQuotesWhatWasSaidBefore) {
    const auto file = std::filesystem::temp_directory_path() / ("dampi-judgement-abort-" + std::to_string(getpid()));
    const std::string aborts =
        "Abort(3) on node 1 (rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 3) - process 1\n";
    RunFacts facts = good_run(2);
    facts.seen.stderr_file = file;
    facts.seen.ends[1] = {.how = RankEnd::How::exited, .code = 3};
    facts.seen.aborts = {{.rank = 1}};
    facts.ranks[1].finalizing = facts.ranks[1].finalized = false;
    facts.ranks[1].violations = {found(ViolationKind::abort, 1, "MPI_Abort")};
    facts.ranks[1].violations.front().situations.front().detail = "error code 3";
    const auto detail = [&](const std::string& said) {
        std::ofstream(file) << said;
        const RunRecord record = judge(facts);
        EXPECT_EQ(kinds(record), Kinds{ViolationKind::abort});
        return record.violations.front().situations.front().detail;
    };
    EXPECT_EQ(detail("starts\nFATAL: no room\n" + aborts), "error code 3; standard error: FATAL: no room");
    EXPECT_EQ(detail("Traceback (most recent call last):\n  File \"a.py\", line 6, in f\nKeyError: 3\nbye\n" + aborts),
              "error code 3; standard error: KeyError: 3 (a.py:6)");
    EXPECT_EQ(detail(aborts), "error code 3");
    std::filesystem::remove(file);
}

TEST(Judgement, WhatTheLibraryEndsARankForIsNotToldAgain) {
    RunFacts facts = good_run(2);
    facts.seen.ends[1] = {.how = RankEnd::How::exited, .code = 17};
    facts.seen.aborts = {{.rank = 1}};
    facts.ranks[1].finalizing = facts.ranks[1].finalized = false;
    facts.ranks[1].failing = replay::error_in_statuses;
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::abort}) << "nothing is known of the statuses";
    facts.ranks[1].violations = {found(ViolationKind::truncation, 1, "MPI_Waitall")};
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::truncation});
}

TEST(Judgement, WhoDiesOfAnAssertionOfTheLibrarysAfterAWrongRequestIsOneViolation) {
    const auto file = std::filesystem::temp_directory_path() / ("dampi-judgement-" + std::to_string(getpid()));
    std::ofstream(file)
        << "Assertion failed in file src/x.h at line 508: count >= 0\nAbort(1) on node 1: Internal error\n";
    RunFacts facts = good_run(2);
    facts.seen.stderr_file = file;
    facts.seen.ends[1] = {.how = RankEnd::How::exited, .code = 1};
    facts.ranks[1].finalizing = facts.ranks[1].finalized = false;
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::abort});
    facts.ranks[1].violations = {found(ViolationKind::argument_request, 1, "MPI_Wait")};
    EXPECT_EQ(kinds(judge(facts)), Kinds{ViolationKind::argument_request});
    std::filesystem::remove(file);
}

TEST(Judgement, WhatNoVerificationCanBeginWithIsRefused) {
    RunFacts nobody = good_run(2);
    nobody.seen.may_have_begun.assign(2, false);
    for (RankFacts& rank : nobody.ranks) {
        rank.beginning = rank.started = rank.finalizing = rank.finalized = false;
    }
    EXPECT_THROW(judge(nobody), Error);
    RunFacts broken = good_run(1);
    broken.ranks[0].internal_error = "x does not hold";
    EXPECT_THROW(judge(broken), InternalError);
}

}  // namespace
}  // namespace dampi::scheduler
