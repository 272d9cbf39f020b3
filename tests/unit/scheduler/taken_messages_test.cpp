// Which messages the choices of a run took, from its list of calls: rank 1 sends two messages with tags 7 and 8, rank 0
// begins two receives, and reports the second of them in MPI_Waitany.
#include "scheduler/report/taken_messages.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using replay::CallEvent;
using replay::CallKind;
using replay::CallName;

CallEvent call(CallName name, CallKind kind, replay::Tag tag, std::optional<CallName> match) {
    CallEvent made;
    made.name = name;
    made.kind = kind;
    made.tag = tag;
    made.match = match;
    return made;
}

std::vector<CallEvent> two_messages() {
    std::vector<CallEvent> calls{
        call({0, 0}, CallKind::receive, base::any_tag, CallName{1, 0}),
        call({0, 1}, CallKind::receive, base::any_tag, CallName{1, 1}), call({0, 2}, CallKind::completion, 0, {}),
        call({1, 0}, CallKind::send, 7, CallName{0, 0}), call({1, 1}, CallKind::send, 8, CallName{0, 1})};
    calls[0].epoch = 0;
    calls[2].epoch = 2;
    calls[2].requests = {replay::not_listed, 0, 1};
    calls[2].completed = {1};
    return calls;
}

TEST(TakenMessages, OfAReceive) {
    const std::vector<TakenMessage> taken{{.request = {}, .source = 1, .tag = 7}};
    EXPECT_EQ(taken_messages(two_messages(), {0, 0}), taken);
}

TEST(TakenMessages, OfTheRequestsThatWereReported) {
    const std::vector<TakenMessage> taken{{.request = 2, .source = 1, .tag = 8}};
    EXPECT_EQ(taken_messages(two_messages(), {0, 2}), taken) << "at its place in the call";
}

TEST(TakenMessages, NothingWhereItIsNotKnown) {
    EXPECT_TRUE(taken_messages(two_messages(), {0, 1}).empty());
    EXPECT_TRUE(taken_messages(two_messages(), {1, 0}).empty());
    EXPECT_TRUE(taken_messages({}, {0, 0}).empty());
}

TEST(TakenMessages, AnEpochKnowsItsOwn) {
    replay::Epoch epoch;
    EXPECT_TRUE(taken_messages(epoch).empty());
    epoch.outcome = replay::Outcome{.source = 2, .tag = 5};
    EXPECT_EQ(taken_messages(epoch), (std::vector<TakenMessage>{{.request = {}, .source = 2, .tag = 5}}));
    epoch.outcome = replay::Outcome{};
    EXPECT_TRUE(taken_messages(epoch).empty()) << "it gave up";
}

}  // namespace
}  // namespace dampi::scheduler
