// What the words of an interleaving's text stand for in an epoch of another run.
#include "scheduler/sweep/outcome_words.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::Epoch;

Epoch receive() {
    Epoch epoch;
    epoch.outcome = replay::Outcome{.source = 1, .tag = 5};
    epoch.potential_matches = {{.source = 2, .tag = 6, .number = 4}};
    return epoch;
}

/// A stretch whose second call has answered, after one false answer of the first.
Epoch stretch() {
    Epoch epoch;
    epoch.kind = replay::EpochKind::polling_probe;
    epoch.outcome = replay::Outcome{.source = 1, .tag = 2, .poll = 1, .false_answers = 1};
    epoch.poll = 1;
    epoch.before = 1;
    replay::OtherPoll other;
    other.kind = epoch.kind;
    other.tag = 1;
    other.potential_matches = {{.source = 1, .tag = 1, .number = 7}};
    epoch.others = {other};
    return epoch;
}

TEST(OutcomeOfWord, IsAMessageThatCouldHaveBeenTaken) {
    const auto other = with_outcome(receive(), "<-2");
    ASSERT_TRUE(other);
    EXPECT_EQ(other->outcome->source, 2);
    EXPECT_EQ(other->outcome->tag, 6);
    EXPECT_EQ(other->outcome->number, 4U);
    EXPECT_FALSE(with_outcome(receive(), "<-3")) << "no message of its was there";
    EXPECT_FALSE(with_outcome(receive(), "<-2x"));
    EXPECT_FALSE(with_outcome(receive(), "=0"));
}

TEST(OutcomeOfWord, IsAnotherCallOfAStretch) {
    const auto other = with_outcome(stretch(), "<-1");
    ASSERT_TRUE(other);
    EXPECT_EQ(other->outcome->poll, 0U);
    EXPECT_EQ(other->outcome->tag, 1);
    EXPECT_EQ(other->outcome->number, 7U);
    EXPECT_EQ(other->outcome->false_answers, 0U) << "nothing was asked before";
    EXPECT_EQ(other->poll, 0U);
    EXPECT_EQ(other->tag, 1) << "what was asked then";
    EXPECT_FALSE(with_outcome(stretch(), "@2<-1")) << "the run has no third one";
    EXPECT_FALSE(with_outcome(stretch(), "@<-1"));
}

TEST(OutcomeOfWord, AreTheRequestsReported) {
    Epoch epoch;
    epoch.kind = replay::EpochKind::wait_some;
    epoch.outcome = replay::Outcome{.completed = {0}};
    const auto other = with_outcome(epoch, "=1+2");
    ASSERT_TRUE(other);
    EXPECT_EQ(other->outcome->completed, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_FALSE(with_outcome(epoch, "=none")) << "how to come there is not known";
    EXPECT_FALSE(with_outcome(epoch, "<-1"));
}

}  // namespace
}  // namespace dampi::scheduler
