// Values as bytes: what is written comes back, every member counts, and damaged bytes end in an error.
#include "replay/serialization.hpp"

#include <functional>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::replay {
namespace {

clocks::Clock a_clock() {
    clocks::Clock clock;
    clock.lamport.value = 0x1122334455667788;
    clock.vector.add(0, 3);
    clock.vector.add(0, 4);
    clock.vector.add(7, 0);
    return clock;
}

CodePlace a_place() { return {.module = "/bin/app", .offset = 0x4711, .function = "main", .file = "a.c", .line = 42}; }

Outcome an_outcome() {
    return {.source = 3,
            .tag = 9,
            .number = std::numeric_limits<std::uint64_t>::max(),
            .completed = {0, 2, 5},
            .false_answers = 17};
}

Epoch an_epoch() {
    Epoch epoch;
    epoch.id = {2, 5};
    epoch.kind = EpochKind::cancel;
    epoch.comm = 77;
    epoch.tag = 8;
    epoch.forced = true;
    epoch.posted = a_clock();
    epoch.outcome = an_outcome();
    epoch.final.value = 12;
    epoch.past = a_clock();
    epoch.potential_matches = {{.source = 1, .tag = 2, .number = 3, .past = a_clock()}, {}};
    epoch.completable = {{.position = 1, .known = a_clock()}};
    epoch.call = "MPI_Recv";
    epoch.where = a_place();
    return epoch;
}

Decision a_decision() {
    return {.epoch = {1, 2},
            .kind = EpochKind::polling_probe,
            .comm = 5,
            .tag = 6,
            .outcome = an_outcome(),
            .open = true,
            .additional = 4};
}

Interleaving an_interleaving() {
    return {.number = 99, .decisions = {a_decision(), {}}, .trial = true, .buffering = Buffering::infinite};
}

Violation a_violation() {
    Violation violation;
    violation.kind = ViolationKind::deadlock;
    violation.message = std::string("two ranks\0 and a zero", 21);
    violation.ranks = {0, 1};
    violation.situations = {{.rank = 1,
                             .call = "MPI_Send",
                             .detail = "waits",
                             .where = a_place(),
                             .arguments = "count 1",
                             .last_call = "MPI_Init",
                             .stack = {a_place(), {}}}};
    violation.decided_after = 0.25;
    violation.wait_for = WaitForGraph{.nodes = {{.rank = 1,
                                                 .any = true,
                                                 .in_core = true,
                                                 .edges = {{.to = 2, .wait = 3, .reason = "send"}},
                                                 .edges_omitted = 4}},
                                      .shape = WaitForGraph::Core::knot,
                                      .core = {1, 2}};
    violation.unmatched = {{.send = true,
                            .rank = 1,
                            .peer = 2,
                            .tag = 3,
                            .communicator = "MPI_COMM_WORLD",
                            .count = 4,
                            .where = a_place()}};
    violation.consequences = {ViolationKind::abort};
    return violation;
}

RunRecord a_record() {
    RunRecord record;
    record.protocol = clocks::Protocol::lamport;
    record.epochs = {an_epoch()};
    record.violations = {a_violation()};
    record.notes = {a_violation(), {}};
    record.not_modelled = {{"MPI_Put", {3, {{.module = "/x", .offset = 7}}}}, {"MPI_Win_fence", {1, {}}}};
    record.communicators = {{1, "MPI_COMM_WORLD"}};
    record.diverged = true;
    record.cut_short = true;
    record.seconds = 1.5;
    return record;
}

/// What is written comes back, and writing that again gives the same; each of `changes` is seen in the bytes and comes
/// back as well.
template <typename T>
void check(const T& value, const std::vector<std::function<void(T&)>>& changes) {
    const std::string bytes = to_bytes(value);
    EXPECT_TRUE(to_bytes(from_bytes<T>(bytes)) == bytes);
    EXPECT_TRUE(to_bytes(from_bytes<T>(to_bytes(T{}))) == to_bytes(T{}));
    for (std::size_t i = 0; i < changes.size(); ++i) {
        T changed = value;
        changes[i](changed);
        const std::string other = to_bytes(changed);
        EXPECT_TRUE(other != bytes) << "change " << i;
        EXPECT_TRUE(to_bytes(from_bytes<T>(other)) == other) << "change " << i;
    }
}

TEST(Serialization, Clocks) {
    check<clocks::LamportClock>({5}, {[](auto& each) { each.value = 6; }});
    check<clocks::VectorClock>(a_clock().vector, {[](auto& each) { each.add(0, 5); }, [](auto& each) { each = {}; }});
    check<clocks::Clock>(a_clock(), {[](auto& each) { each.lamport.value = 0; }, [](auto& each) { each.vector = {}; }});
    EXPECT_EQ(from_bytes<clocks::Clock>(to_bytes(a_clock())), a_clock());
}

TEST(Serialization, EpochsAndTheirParts) {
    check<EpochId>({1, 2}, {[](auto& each) { each.rank = -1; }, [](auto& each) { each.index = 0; }});
    check<CodePlace>(a_place(), {[](auto& each) { each.module = ""; }, [](auto& each) { each.offset = 1; },
                                 [](auto& each) { each.function = "f"; }, [](auto& each) { each.file += "c"; },
                                 [](auto& each) { each.line = -1; }});
    check<Outcome>(an_outcome(), {[](auto& each) { each.source = -1; }, [](auto& each) { each.tag = 0; },
                                  [](auto& each) { each.number = 0; }, [](auto& each) { each.completed.pop_back(); },
                                  [](auto& each) { each.false_answers = 0; }});
    check<PotentialMatch>({.source = 1, .tag = 2, .number = 3, .past = a_clock()},
                          {[](auto& each) { each.source = 0; }, [](auto& each) { each.tag = 0; },
                           [](auto& each) { each.number = 0; }, [](auto& each) { each.past = {}; }});
    check<Completable>({.position = 1, .known = a_clock()},
                       {[](auto& each) { each.position = 0; }, [](auto& each) { each.known = {}; }});
    check<Epoch>(an_epoch(), {[](auto& each) { each.id.index = 0; }, [](auto& each) { each.kind = EpochKind::probe; },
                              [](auto& each) { each.comm = 0; }, [](auto& each) { each.tag = 0; },
                              [](auto& each) { each.forced = false; }, [](auto& each) { each.posted = {}; },
                              [](auto& each) { each.outcome = {}; }, [](auto& each) { each.final.value = 0; },
                              [](auto& each) { each.past = {}; }, [](auto& each) { each.potential_matches.clear(); },
                              [](auto& each) { each.completable.clear(); }, [](auto& each) { each.call = ""; },
                              [](auto& each) { each.where.line = 0; }});
    EXPECT_EQ(from_bytes<Outcome>(to_bytes(an_outcome())), an_outcome());
    EXPECT_EQ(from_bytes<CodePlace>(to_bytes(a_place())), a_place());
    EXPECT_FALSE(from_bytes<Epoch>(to_bytes(Epoch{})).outcome);
}

TEST(Serialization, DecisionsAndInterleavings) {
    check<Decision>(a_decision(), {[](auto& each) { each.epoch.rank = 0; },
                                   [](auto& each) { each.kind = EpochKind::test; }, [](auto& each) { each.comm = 0; },
                                   [](auto& each) { each.tag = 0; }, [](auto& each) { each.outcome.tag = 0; },
                                   [](auto& each) { each.open = false; }, [](auto& each) { each.additional = 0; }});
    check<Interleaving>(
        an_interleaving(),
        {[](auto& each) { each.number = 0; }, [](auto& each) { each.decisions.pop_back(); },
         [](auto& each) { each.trial = false; }, [](auto& each) { each.buffering = Buffering::native; }});
    const auto back = from_bytes<Interleaving>(to_bytes(an_interleaving()));
    EXPECT_EQ(back.number, 99U);
    EXPECT_EQ(back.decisions, an_interleaving().decisions);
    EXPECT_TRUE(back.trial);
    EXPECT_EQ(back.buffering, Buffering::infinite);
}

TEST(Serialization, Violations) {
    check<RankSituation>(
        a_violation().situations[0],
        {[](auto& each) { each.rank = 0; }, [](auto& each) { each.call = ""; }, [](auto& each) { each.detail = ""; },
         [](auto& each) { each.where.line = 0; }, [](auto& each) { each.arguments = ""; },
         [](auto& each) { each.last_call = ""; }, [](auto& each) { each.stack.pop_back(); }});
    check<WaitForGraph>(
        *a_violation().wait_for,
        {[](auto& each) { each.nodes.clear(); }, [](auto& each) { each.nodes[0].rank = 0; },
         [](auto& each) { each.nodes[0].any = false; }, [](auto& each) { each.nodes[0].in_core = false; },
         [](auto& each) { each.nodes[0].edges_omitted = 0; }, [](auto& each) { each.nodes[0].edges[0].to = 0; },
         [](auto& each) { each.nodes[0].edges[0].wait = 0; }, [](auto& each) { each.nodes[0].edges[0].reason = ""; },
         [](auto& each) { each.shape = WaitForGraph::Core::end; }, [](auto& each) { each.core.clear(); }});
    check<UnmatchedOperation>(
        a_violation().unmatched[0],
        {[](auto& each) { each.send = false; }, [](auto& each) { each.rank = 0; }, [](auto& each) { each.peer = 0; },
         [](auto& each) { each.tag = 0; }, [](auto& each) { each.communicator = ""; },
         [](auto& each) { each.count = 0; }, [](auto& each) { each.where = {}; }});
    check<Violation>(a_violation(),
                     {[](auto& each) { each.kind = {}; }, [](auto& each) { each.message = ""; },
                      [](auto& each) { each.ranks.clear(); }, [](auto& each) { each.situations.clear(); },
                      [](auto& each) { each.decided_after = 0; }, [](auto& each) { each.wait_for = {}; },
                      [](auto& each) { each.unmatched.clear(); }, [](auto& each) { each.consequences.clear(); }});
    EXPECT_EQ(from_bytes<Violation>(to_bytes(a_violation())).message, a_violation().message);
}

TEST(Serialization, Records) {
    check<RunRecord>(a_record(),
                     {[](auto& each) { each.protocol = clocks::Protocol::vector; },
                      [](auto& each) { each.epochs.clear(); }, [](auto& each) { each.violations.clear(); },
                      [](auto& each) { each.notes.pop_back(); }, [](auto& each) { each.not_modelled["x"].calls = 1; },
                      [](auto& each) { each.communicators.clear(); }, [](auto& each) { each.diverged = false; },
                      [](auto& each) { each.cut_short = false; }, [](auto& each) { each.seconds = 0; }});
    EXPECT_EQ(from_bytes<RunRecord>(to_bytes(a_record())).not_modelled, a_record().not_modelled);
}

TEST(Serialization, ContainersOfTheStandardLibrary) {
    const std::set<std::string> words{"", "a", "b"};
    EXPECT_EQ(from_bytes<std::set<std::string>>(to_bytes(words)), words);
    const std::vector<std::pair<std::string, std::optional<bool>>> pairs{{"x", true}, {"y", {}}, {"z", false}};
    EXPECT_EQ((from_bytes<std::vector<std::pair<std::string, std::optional<bool>>>>(to_bytes(pairs))), pairs);
    const std::chrono::milliseconds time{-5};
    EXPECT_EQ(from_bytes<std::chrono::milliseconds>(to_bytes(time)), time);
    const std::vector<bool> bits{true, false};
    EXPECT_EQ(from_bytes<std::vector<bool>>(to_bytes(bits)), bits);
    std::string text = "before";
    append_bytes(text, std::uint8_t{7});
    EXPECT_EQ(text, "before\x07");
}

TEST(Serialization, AnEnumHasOneOfItsValues) {
    EXPECT_EQ(from_bytes<EpochKind>(std::string(1, static_cast<char>(last_epoch_kind))), last_epoch_kind);
    EXPECT_THROW((void)from_bytes<EpochKind>(std::string(1, static_cast<char>(last_epoch_kind) + 1)), Error);
    EXPECT_THROW((void)from_bytes<Buffering>(to_bytes(std::uint32_t{3})), Error);
    EXPECT_THROW((void)from_bytes<WaitForGraph::Core>(to_bytes(std::int32_t{-1})), Error);
    EXPECT_THROW((void)from_bytes<clocks::Protocol>("\x02"), Error);
}

TEST(Serialization, SetsAreInOrderAndEachElementOnce) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(from_bytes<std::set<std::string>>(to_bytes(Words{"a", "b"})).size(), 2U);
    EXPECT_THROW((void)from_bytes<std::set<std::string>>(to_bytes(Words{"b", "a"})), Error);
    EXPECT_THROW((void)from_bytes<std::set<std::string>>(to_bytes(Words{"a", "a"})), Error);
}

TEST(Serialization, ATruthValueIsOneOfTwo) {
    EXPECT_TRUE(from_bytes<bool>("\x01"));
    EXPECT_THROW((void)from_bytes<bool>("\x02"), Error);
}

TEST(Serialization, AClockIsOne) {
    using Interval = clocks::VectorClock::Interval;
    for (const std::vector<Interval>& bad :
         {std::vector<Interval>{{0, 1, 1}}, {{-1, 0, 1}}, {{0, 0, 2}, {0, 2, 3}}, {{1, 0, 1}, {0, 0, 1}}}) {
        EXPECT_THROW((void)from_bytes<clocks::VectorClock>(to_bytes(bad)), Error);
    }
}

TEST(Serialization, SizesBeyondTheBytesAreRefusedBeforeAnythingIsAllocated) {
    for (const std::uint64_t size : {std::uint64_t{9}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        const std::string bytes = to_bytes(size) + "12345678";
        EXPECT_THROW((void)from_bytes<std::string>(bytes), Error);
        EXPECT_THROW((void)from_bytes<std::vector<std::uint32_t>>(bytes), Error);
        EXPECT_THROW((void)from_bytes<std::vector<Epoch>>(bytes), Error);
        EXPECT_THROW((void)(from_bytes<std::map<std::string, std::uint64_t>>(bytes)), Error);
    }
    EXPECT_THROW((void)from_bytes<std::vector<std::uint32_t>>(to_bytes(std::uint64_t{3}) + "12345678"), Error);
    EXPECT_EQ(from_bytes<std::vector<std::uint32_t>>(to_bytes(std::uint64_t{2}) + "12345678").size(), 2U);
}

TEST(Serialization, EveryByteBelongsToTheValue) {
    const std::string bytes = to_bytes(a_record());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        ASSERT_THROW((void)from_bytes<RunRecord>(std::string_view(bytes).substr(0, size)), Error) << size;
    }
    EXPECT_THROW((void)from_bytes<RunRecord>(bytes + '\0'), Error);
}

TEST(Serialization, DamagedBytesGiveAValueOrAnError) {
    const std::string sound = to_bytes(a_record());
    std::mt19937_64 random(4711);
    int read = 0;
    int refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = sound;
        for (auto flips = random() % 4 + 1; flips != 0; --flips) {
            bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        if (random() % 2 == 0) {
            bytes.resize(random() % bytes.size());
        }
        try {
            const auto value = from_bytes<RunRecord>(bytes);
            EXPECT_TRUE(to_bytes(value) == bytes) << round;
            ++read;
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(read, 100);
    EXPECT_GT(refused, 100);
}

TEST(Bytes, AreNotMoreThanWanted) {
    std::string text = "before";
    const std::string value(1000, 'a');
    EXPECT_FALSE(append_bytes_within(text, std::vector(10, value), 5000));
    EXPECT_EQ(text, "before");
    EXPECT_TRUE(append_bytes_within(text, std::vector(4, value), 5000));
    EXPECT_EQ(from_bytes<std::vector<std::string>>(std::string_view(text).substr(6)), std::vector(4, value));
}

}  // namespace
}  // namespace dampi::replay
