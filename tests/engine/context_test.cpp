// Where in the course of the program each epoch stands: zones, brackets, names of communicators, call stacks, and what
// the rank communicates next.
#include "replay/pinned_outcomes.hpp"
#include "tests/engine/engine.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::EpochContext;
using replay::RunRecord;

/// The contexts of rank 0's epochs.
std::vector<EpochContext> contexts(const RunRecord& record) {
    EXPECT_TRUE(record.violations.empty());
    EXPECT_TRUE(record.not_modelled.empty());
    std::vector<EpochContext> all;
    for (const replay::Epoch& epoch : record.epochs) {
        if (epoch.id.rank == 0) {
            all.push_back(epoch.context);
        }
    }
    return all;
}

template <typename T>
std::vector<T> each(const RunRecord& record, T EpochContext::*member) {
    std::vector<T> values;
    for (const EpochContext& context : contexts(record)) {
        values.push_back(context.*member);
    }
    return values;
}

/// "bracketed 3" for each: inside a bracket of level 1, with the mixing bound 3.
std::vector<std::string> brackets(const RunRecord& record) {
    std::vector<std::string> texts;
    for (const EpochContext& context : contexts(record)) {
        texts.push_back(std::string(context.bracketed ? "bracketed" : "free") +
                        (context.mixing_bound ? " " + std::to_string(*context.mixing_bound) : ""));
    }
    return texts;
}

bool exists(const char* program) { return std::filesystem::exists(std::string(DAMPI_ENGINE_PROGRAMS) + "/" + program); }

TEST(Context, ZonesAreCollectivesOfAllRanks) {
    const RunRecord record = run({.program = "context", .arguments = {"zones"}, .processes = 3});
    EXPECT_EQ(each(record, &EpochContext::zone), (std::vector<std::uint32_t>{0, 1, 2, 2, 2, 4, 5, 5, 7}));
}

TEST(Context, BracketsNest) {
    const RunRecord record = run({.program = "context", .arguments = {"brackets"}, .processes = 3});
    EXPECT_EQ(brackets(record), (std::vector<std::string>{"free", "bracketed", "bracketed 3", "bracketed 2",
                                                          "bracketed 2", "bracketed", "bracketed", "free 0", "free"}));
    EXPECT_TRUE(record.notes.empty());
}

TEST(Context, BracketsDoNotEndPolling) {
    const std::filesystem::path answered = std::filesystem::path(DAMPI_ENGINE_WORK) / "answered";
    std::filesystem::create_directories(DAMPI_ENGINE_WORK);
    std::filesystem::remove(answered);
    const RunRecord record = run({.program = "context", .arguments = {"polls", answered}, .processes = 3});
    EXPECT_EQ(brackets(record), std::vector<std::string>{"free"});
    EXPECT_GE(record.epochs.at(0).outcome->false_answers, 1U);
}

TEST(Context, BracketsThatAreUnbalancedAreNotes) {
    const RunRecord record = run({.program = "context", .arguments = {"unbalanced"}, .processes = 3});
    EXPECT_EQ(brackets(record), std::vector<std::string>{"free"});
    ASSERT_EQ(record.notes.size(), 3U);
    std::map<std::string, std::vector<replay::Rank>> ranks;
    for (const replay::Violation& note : record.notes) {
        EXPECT_EQ(note.kind, replay::ViolationKind::pcontrol_unbalanced);
        ranks[note.message] = note.ranks;
        ASSERT_FALSE(note.situations.empty());
        EXPECT_EQ(note.situations[0].call, "MPI_Pcontrol");
        EXPECT_TRUE(note.situations[0].where.file.ends_with("/context.c"));
        EXPECT_GT(note.situations[0].where.line, 0);
    }
    EXPECT_EQ(ranks, (std::map<std::string, std::vector<replay::Rank>>{
                         {"MPI_Pcontrol(0) closes a bracket, but none is open", {0, 1, 2}},
                         {"the bracket that MPI_Pcontrol(1) opens is still open in MPI_Finalize", {1}},
                         {"the bracket that MPI_Pcontrol(3) opens is still open in MPI_Finalize", {0, 1, 2}}}));
}

TEST(Context, BracketsReachUsFromFortran) {
    for (const char* program : {"brackets_mpif", "brackets_f08"}) {
        if (!exists(program)) {
            continue;  // no compiler
        }
        const RunRecord record = run({.program = program});
        EXPECT_EQ(brackets(record), (std::vector<std::string>{"free", "bracketed", "bracketed 3", "free"})) << program;
        ASSERT_EQ(record.notes.size(), 1U) << program;
        const replay::CodePlace& where = record.notes[0].situations.at(0).where;
        EXPECT_TRUE(where.file.ends_with(std::string(program) + ".f90")) << where.file;
    }
}

TEST(Context, CommunicatorsHaveTheirNameOfThen) {
    const RunRecord record = run({.program = "context", .arguments = {"names"}, .processes = 3});
    EXPECT_EQ(each(record, &EpochContext::communicator_name),
              (std::vector<std::string>{"MPI_COMM_WORLD", "", "results", "", "", std::string(127, 'x'), ""}));
}

TEST(Context, StacksAreRecordedOnlyWhenAskedFor) {
    const RunRecord record = run({.program = "context", .arguments = {"stacks"}, .processes = 3});
    EXPECT_TRUE(record.stacks.empty());
    for (const EpochContext& context : contexts(record)) {
        EXPECT_EQ(context.stack, EpochContext::no_stack);
        EXPECT_EQ(context.follow_up, 0U);
    }
}

TEST(Context, EqualStacksAreOne) {
    const auto functions = [](const std::vector<replay::CodePlace>& stack) {
        std::vector<std::string> names;
        for (const replay::CodePlace& frame : stack) {
            names.push_back(frame.function);
        }
        return names;
    };
    std::vector<RunRecord> records;
    for (const bool prepare : {true, false}) {
        records.push_back(run({.program = "context",
                               .arguments = {"stacks"},
                               .processes = 3,
                               .prepare = prepare,
                               .record_stacks = true}));
        const RunRecord& record = records.back();
        const auto stacks = each(record, &EpochContext::stack);
        EXPECT_EQ(stacks, (std::vector<std::uint32_t>{0, 0, 0, 1, 2}));
        ASSERT_EQ(record.stacks.size(), 3U);
        EXPECT_EQ(functions(record.stacks[0]), (std::vector<std::string>{"take", "outer", "stacks", "main"}));
        EXPECT_EQ(functions(record.stacks[1]),
                  (std::vector<std::string>{"take", "outer", "outer", "outer", "stacks", "main"}));
        EXPECT_EQ(record.stacks[2].size(), 64U);  // the innermost
        EXPECT_EQ(record.stacks[0][0].line, record.epochs.at(0).where.line);
        EXPECT_EQ(record.stacks[0][0].offset, record.epochs.at(0).where.offset);
    }
    EXPECT_EQ(records[0].stacks, records[1].stacks);
}

/// Runs follow_up.c and compares: iterations have equal digests where `kind` says the same of them.
void check_follow_up(const std::string& how, const std::function<int(int worker, replay::Rank source)>& kind) {
    const ProgramRun what{.program = "follow_up", .arguments = {how}, .processes = 4, .record_stacks = true};
    const RunRecord record = run(what);
    EXPECT_TRUE(record.violations.empty());
    std::map<int, std::uint64_t> digests;
    for (const replay::Epoch& epoch : record.epochs) {
        if (epoch.id.rank != 0) {
            continue;
        }
        EXPECT_NE(epoch.context.follow_up, 0U);
        ASSERT_TRUE(epoch.outcome);
        const bool last = epoch.id.index + 1 == 12;  // the barrier follows
        const int worker = static_cast<int>(epoch.id.index % 3) + 1;
        const int expected = last ? -1 : kind(worker, epoch.outcome->source);
        const auto [known, added] = digests.try_emplace(expected, epoch.context.follow_up);
        EXPECT_EQ(known->second, epoch.context.follow_up) << how << ", epoch " << epoch.id.index;
        for (const auto& [other, digest] : digests) {
            EXPECT_TRUE(other == expected || digest != epoch.context.follow_up) << how << ", epoch " << epoch.id.index;
        }
    }
    // With these outcomes again, but ranks that are started otherwise, with everything elsewhere in memory.
    ProgramRun otherwise = what;
    otherwise.prepare = false;
    const RunRecord again = run(otherwise, replay::pin_outcomes({}, record));
    EXPECT_EQ(each(again, &EpochContext::follow_up), each(record, &EpochContext::follow_up)) << how;
}

TEST(Context, IterationsThatCommunicateAlikeHaveOneFollowUp) {
    const auto always_the_same = [](int, replay::Rank) { return 0; };
    check_follow_up("recv", always_the_same);
    check_follow_up("irecv", always_the_same);
    check_follow_up("probe", always_the_same);
    check_follow_up("poll", always_the_same);
}

TEST(Context, IterationsThatCommunicateOtherwiseHaveAnother) {
    check_follow_up("in_turn", [](int worker, replay::Rank source) { return worker == source ? 0 : worker; });
    check_follow_up("twice", [](int worker, replay::Rank) { return worker == 2 ? 2 : 0; });
    check_follow_up("barrier", [](int worker, replay::Rank) { return worker == 3 ? 3 : 0; });
}

}  // namespace
}  // namespace dampi::scheduler
