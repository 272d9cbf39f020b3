// What is kept of a run that has more epochs than can be explored.
#include "scheduler/judgement/kept_epochs.hpp"

#include "scheduler/engines/central/rank_record.hpp"
#include "scheduler/exploration/match_relations.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace dampi::scheduler {
namespace {

using replay::Epoch;
using replay::Rank;

TEST(ShareOfEach, ThoseWithLittleKeepItAll) {
    EXPECT_EQ(share_of_each({}, 100), 100U);
    EXPECT_EQ(share_of_each({10, 20, 30}, 100), 30U);
    EXPECT_EQ(share_of_each({500, 10, 20}, 100), 70U);
    EXPECT_EQ(share_of_each({500, 10, 400}, 100), 45U);
}

Epoch epoch(Rank rank, std::uint32_t index, clocks::Clock past = {}) {
    Epoch made;
    made.id = {rank, index};
    made.outcome = replay::Outcome{.source = 1};
    made.past = std::move(past);
    return made;
}

clocks::Clock knowing(Rank rank, std::uint32_t index) {
    clocks::Clock clock;
    clock.vector.add(rank, index);
    return clock;
}

TEST(KeepClosed, RemovesWhatDependsOnWhatIsNotKept) {
    replay::RunRecord record;
    record.epochs = {epoch(0, 0, knowing(1, 4)), epoch(0, 1, knowing(1, 5)), epoch(1, 4)};
    record.epochs[0].potential_matches = {{.source = 2, .tag = 0, .number = 0, .past = knowing(1, 7)},
                                          {.source = 3, .tag = 0, .number = 0, .past = knowing(1, 3)}};
    record.epochs[0].completable = {{.position = 0, .known = knowing(1, 5)}, {.position = 1, .known = knowing(0, 9)}};
    const auto whole = record.epochs.size();
    keep_closed(record);
    EXPECT_EQ(record.epochs.size(), whole) << "of a run of which all is kept nothing goes";
    record.omitted[1] = {.from = 5, .count = 3, .clock = {}};
    keep_closed(record);
    ASSERT_EQ(record.epochs.size(), 2U);
    EXPECT_EQ(record.epochs[1].id, (replay::EpochId{1, 4}));
    ASSERT_EQ(record.epochs[0].potential_matches.size(), 1U);
    EXPECT_EQ(record.epochs[0].potential_matches[0].source, 3);
    ASSERT_EQ(record.epochs[0].completable.size(), 1U);
    EXPECT_EQ(record.epochs[0].completable[0].position, 1U);
}

TEST(KeepClosed, LooksAtEachCallOfAStretch) {
    replay::RunRecord record;
    record.epochs = {epoch(0, 0)};
    replay::OtherPoll& other = record.epochs[0].others.emplace_back();
    other.potential_matches = {{.source = 2, .tag = 0, .number = 0, .past = knowing(1, 7)},
                               {.source = 3, .tag = 0, .number = 0, .past = knowing(1, 3)}};
    other.completable = {{.position = 0, .known = knowing(1, 5)}, {.position = 1, .known = knowing(0, 9)}};
    record.omitted[1] = {.from = 5, .count = 3, .clock = {}};
    keep_closed(record);
    ASSERT_EQ(other.potential_matches.size(), 1U);
    EXPECT_EQ(other.potential_matches[0].source, 3);
    ASSERT_EQ(other.completable.size(), 1U);
    EXPECT_EQ(other.completable[0].position, 1U);
}

TEST(KeepClosed, WithLamportClocksWhatMayComeAfterGoes) {
    replay::RunRecord record;
    record.protocol = clocks::Protocol::lamport;
    clocks::Clock past;
    past.lamport.value = 7;
    record.epochs = {epoch(0, 0), epoch(0, 1, past)};
    past.lamport.value = 8;
    record.epochs.push_back(epoch(0, 2, past));
    record.omitted[1] = {.from = 5, .count = 3, .clock = {7}};
    keep_closed(record);
    EXPECT_EQ(record.epochs.size(), 2U);
}

TEST(KeptEpochs, ThatSomeAreNotIsSaidAndTheirDecisionsAreNotMissed) {
    replay::RunRecord record;
    record.epochs = {epoch(0, 0)};
    record.omitted[1] = {.from = 0, .count = 12, .clock = {}};
    const std::vector<replay::Decision> decided{{.epoch = {1, 3}, .outcome = {.source = 2}}};
    EXPECT_FALSE(first_deviation(record, decided));
    MatchRelations explorer;
    ASSERT_TRUE(explorer.next());
    explorer.apply(explorer.learn(1, record, {}).value());
    const LeftOutAlternatives left = explorer.left_out();
    ASSERT_EQ(left.otherwise.size(), 1U);
    EXPECT_EQ(left.otherwise.begin()->second, 12U);
}

TEST(KeptEpochs, OfTheCentralizedEngineAlsoWhereEachCouldHaveReportedVeryMuch) {
    central::RankRecord record(0, clocks::Protocol::vector, std::make_shared<const std::vector<replay::Decision>>(), {},
                               10 * units_of_epoch);
    const auto choice = record.post_choice(replay::EpochKind::wait_any, {});
    for (int i = 0; i < 50; ++i) {
        EXPECT_TRUE(record.add_candidate(choice));
    }
    ASSERT_TRUE(record.omitted());
    EXPECT_EQ(record.omitted()->from, 1U);
    EXPECT_EQ(record.units(), units_of_epoch + 50 * units_of_alternative);
}

TEST(KeptEpochs, OfTheCentralizedEngine) {
    using central::RankRecord;
    RankRecord record(0, clocks::Protocol::vector, std::make_shared<const std::vector<replay::Decision>>(), {},
                      10 * units_of_epoch);
    const transport::requests::Situation situation;
    const auto pending = record.post_choice(replay::EpochKind::wait_any, situation);
    for (std::uint32_t i = 1; i < 20; ++i) {
        const auto index = record.post_choice(replay::EpochKind::wait_any, situation);
        EXPECT_EQ(index, i);
        ASSERT_NE(record.latest(), nullptr);
        EXPECT_EQ(record.latest()->epoch.id.index, i);
        EXPECT_FALSE(record.latest()->epoch.outcome);
        record.choose(index, {0}, {});
    }
    record.choose(pending, {1}, {});
    EXPECT_TRUE(record.add_candidate(3));
    EXPECT_FALSE(record.add_candidate(15));
    record.add_completable(15, 0, 1, {});
    ASSERT_TRUE(record.omitted());
    EXPECT_EQ(record.omitted()->from, 11U);
    EXPECT_EQ(record.omitted()->count, 9U);
    EXPECT_EQ(record.clocks().epochs(), 20U);
    const auto epochs = record.finish();
    ASSERT_EQ(epochs.size(), 11U);
    EXPECT_TRUE(epochs[0].epoch.outcome) << "it came to it later";
}

}  // namespace
}  // namespace dampi::scheduler
