// piggyback/distributed/completion/choices.cpp: calls that report some of several requests, or that may answer "nothing
// yet": when they are epochs, what is written down of them, that they do what is decided, and what the program learns.
#include "piggyback/distributed/thread_state.hpp"
#include "replay/epoch.hpp"
#include "replay/polling_patience.hpp"
#include "tests/unit/piggyback/distributed/rank_under_test.hpp"
#include "transport/board.hpp"
#include "transport/log.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace dampi::piggyback::distributed {
namespace {

using replay::EpochKind;
using transport::AnsweringRecord;
using transport::CandidateRecord;
using transport::ChosenRecord;
using transport::CompletableRecord;
using transport::DivergenceRecord;
using transport::EpochPostedRecord;
using transport::MatchedRecord;
using transport::WaitKind;

using namespace std::chrono_literals;
using Positions = std::vector<std::uint32_t>;

const Positions first_position{0};

class Choosing : public RankUnderTest {
protected:
    /// With a handler of the program's nobody makes copies of it to see whether it repeats its calls (repetition.hpp).
    Choosing()
        : before_(std::signal(
              SIGUSR2, +[](int) {})) {}
    ~Choosing() override { std::signal(SIGUSR2, before_); }

    /// Two receives, one of a message with tag 7 of rank 1, and one of rank 2.
    std::array<MPI_Request, 2> two_receives() { return {start_receive(1, 7), start_receive(2, 7)}; }

    /// What rank 1 or 2 sends for them: it knows of its own first epoch.
    void answer(base::Rank source) { message(source, 7, knowing({{source, 0}})); }

    struct Any {
        int index = -1;
        MPI_Status status{};
    };
    template <typename Requests>
    Any wait_any(Requests& requests) {
        Any any;
        EXPECT_EQ(MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &any.index, &any.status),
                  MPI_SUCCESS);
        return any;
    }
    template <typename Requests>
    Positions wait_some(Requests& requests) {
        std::vector<int> indices(requests.size(), -1);
        int count = 0;
        EXPECT_EQ(MPI_Waitsome(static_cast<int>(requests.size()), requests.data(), &count, indices.data(),
                               MPI_STATUSES_IGNORE),
                  MPI_SUCCESS);
        return {indices.begin(), indices.begin() + count};
    }
    bool test(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
        layer();
        int flag = -1;
        EXPECT_EQ(MPI_Test(&request, &flag, status), MPI_SUCCESS);
        return flag != 0;
    }
    template <typename Requests>
    bool test_all(Requests& requests) {
        layer();
        int flag = -1;
        EXPECT_EQ(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE),
                  MPI_SUCCESS);
        return flag != 0;
    }
    /// Nothing if it says "nothing yet".
    template <typename Requests>
    std::optional<int> test_any(Requests& requests) {
        int flag = -1;
        int index = -1;
        EXPECT_EQ(MPI_Testany(static_cast<int>(requests.size()), requests.data(), &index, &flag, MPI_STATUS_IGNORE),
                  MPI_SUCCESS);
        EXPECT_TRUE(flag != 0 || index == MPI_UNDEFINED);
        return flag != 0 ? std::optional(index) : std::nullopt;
    }
    template <typename Requests>
    Positions test_some(Requests& requests) {
        std::vector<int> indices(requests.size(), -1);
        int count = -1;
        EXPECT_EQ(MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, indices.data(),
                               MPI_STATUSES_IGNORE),
                  MPI_SUCCESS);
        return {indices.begin(), indices.begin() + count};
    }
    bool get_status(MPI_Request request, MPI_Status* status = MPI_STATUS_IGNORE) {
        int flag = -1;
        EXPECT_EQ(MPI_Request_get_status(request, &flag, status), MPI_SUCCESS);
        return flag != 0;
    }

    /// Of the epochs among requests; a decision that names positions or, for polling calls, false answers.
    void decide(EpochKind kind, const Positions& completed, std::uint32_t false_answers = 0, bool open = false,
                std::uint32_t index = 0) {
        port.decide({.index = index,
                     .kind = static_cast<std::uint32_t>(kind),
                     .comm = 0,
                     .tag = base::any_tag,
                     .open = open,
                     .false_answers = false_answers,
                     .completed = completed});
    }

    /// dampi-run lets polling calls say "nothing yet" from the n-th look on.
    void release_polls(unsigned n = 1) {
        layer();
        mpi.at_look(n, [this] { ++port.board().poll_release; });
    }
    /// What the call says when it is let.
    bool test_at_once(MPI_Request& request) {
        release_polls();
        return test(request);
    }

    std::vector<EpochPostedRecord> epochs() { return port.logged<EpochPostedRecord>(); }
    std::vector<ChosenRecord> chosen() { return port.logged<ChosenRecord>(); }
    std::vector<AnsweringRecord> answers() { return port.logged<AnsweringRecord>(); }
    std::vector<DivergenceRecord> divergences() { return port.logged<DivergenceRecord>(); }
    /// The last choice that was made.
    Positions reported() { return chosen().empty() ? Positions{99} : chosen().back().completed; }
    bool is_followed(MPI_Request request) { return layer().requests.find(request) != nullptr; }

    /// A request that the layer does not know.
    MPI_Request foreign() {
        layer();
        return mpi.start({.kind = FakeMpi::Kind::generalized});
    }

private:
    void (*before_)(int);
};

// ---- MPI_Waitany: which one is reported is an epoch -------------------------------------------------------

TEST_F(Choosing, AmongTwoRequestsAWaitForAnyIsAnEpoch) {
    auto requests = two_receives();
    answer(2);
    const Any any = wait_any(requests);
    EXPECT_EQ(any.index, 1);
    EXPECT_EQ(any.status.MPI_SOURCE, 2);
    EXPECT_EQ(requests[1], MPI_REQUEST_NULL);
    EXPECT_TRUE(is_followed(requests[0]));
    ASSERT_EQ(epochs().size(), 1U);
    EXPECT_EQ(epochs()[0].kind, static_cast<std::uint32_t>(EpochKind::wait_any));
    EXPECT_EQ(epochs()[0].index, 0U);
    EXPECT_EQ(epochs()[0].comm, 0U) << "requests of any communicators";
    EXPECT_EQ(epochs()[0].forced, 0U);
    EXPECT_EQ(epochs()[0].call, "MPI_Waitany");
    ASSERT_EQ(chosen().size(), 1U);
    EXPECT_EQ(chosen()[0].index, 0U);
    EXPECT_EQ(chosen()[0].completed, Positions{1});
}

TEST_F(Choosing, OfOneRequestThereIsNothingToChoose) {
    std::array requests{MPI_REQUEST_NULL, start_receive(2, 7)};
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 1);
    EXPECT_TRUE(epochs().empty());
    EXPECT_TRUE(chosen().empty());
    EXPECT_TRUE(knows(2, 0)) << "it teaches all the same";
}

TEST_F(Choosing, AnInactiveRequestIsNoAlternative) {
    std::array requests{MPI_REQUEST_NULL, start_receive(2, 7)};
    ASSERT_EQ(MPI_Recv_init(nullptr, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, requests.data()), MPI_SUCCESS);
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 1);
    EXPECT_TRUE(epochs().empty());
}

TEST_F(Choosing, WithoutAnActiveRequestNothingIsReported) {
    layer();
    std::array requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    EXPECT_EQ(wait_any(requests).index, MPI_UNDEFINED);
    EXPECT_TRUE(epochs().empty());
}

TEST_F(Choosing, AmongRequestsThatNobodyKnowsNothingIsFollowed) {
    std::array requests{foreign(), start_receive(2, 7)};
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 1);
    EXPECT_TRUE(epochs().empty());
    EXPECT_EQ(not_modelled("MPI_Waitany"), 1U);
}

TEST_F(Choosing, TheProgramLearnsOfWhatIsReportedAndOfTheChoice) {
    auto requests = two_receives();
    answer(1);
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 0);
    EXPECT_TRUE(knows(own, 0));
    EXPECT_TRUE(knows(1, 0));
    EXPECT_FALSE(knows(2, 0)) << "it has not been told of that one";
    const ChosenRecord choice = chosen().at(0);
    EXPECT_FALSE(port.clock(choice.posted_clock).vector.knows(1, 0));
    EXPECT_TRUE(port.clock(choice.past_clock).vector.knows(1, 0));
    EXPECT_FALSE(port.clock(choice.past_clock).vector.knows(own, 0));
    EXPECT_TRUE(port.clock(choice.after_clock).vector.knows(own, 0));
}

TEST_F(Choosing, ItsReceivesAreCandidatesByTheirPlaceInTheOrder) {
    MPI_Request first = start_receive(1, 7);
    MPI_Request second = start_receive(2, 7);
    std::array requests{second, MPI_REQUEST_NULL, first};
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 0);
    const auto candidates = port.logged<CandidateRecord>();
    ASSERT_EQ(candidates.size(), 2U);
    EXPECT_EQ(candidates[0].index, 0U);
    EXPECT_EQ(candidates[0].position, 0U);
    EXPECT_EQ(candidates[0].order, 1U);
    EXPECT_EQ(candidates[1].position, 2U);
    EXPECT_EQ(candidates[1].order, 0U);
    EXPECT_EQ(port.logged<transport::ReceivePostedRecord>().size(), 2U) << "what they are is written down";
}

TEST_F(Choosing, ASendThatNeedNotBeReceivedCouldBeReportedAtOnce) {
    layer();
    std::array requests{MPI_REQUEST_NULL, start_receive(2, 7)};
    ASSERT_EQ(MPI_Isend(nullptr, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, requests.data()), MPI_SUCCESS);
    answer(2);
    wait_any(requests);
    const auto completable = port.logged<CompletableRecord>();
    ASSERT_EQ(completable.size(), 1U);
    EXPECT_EQ(completable[0].index, 0U);
    EXPECT_EQ(completable[0].position, 0U);
    EXPECT_EQ(completable[0].clock, 0U) << "it teaches nothing";
}

TEST_F(Choosing, ASynchronousSendCouldBeReportedWhenItIsReceived) {
    layer();
    mpi.hold_sends();
    std::array requests{MPI_REQUEST_NULL, start_receive(2, 7)};
    ASSERT_EQ(MPI_Issend(nullptr, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, requests.data()), MPI_SUCCESS);
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 1);
    EXPECT_TRUE(port.logged<CompletableRecord>().empty()) << "nobody has received it";
    port.taken({.destination = 1, .position = 0, .place = port.sent_to(1)[0].get()}, port.published(knowing({{1, 3}})));
    mpi.complete_sends();
    wait(requests[0]);
    const auto completable = port.logged<CompletableRecord>();
    ASSERT_EQ(completable.size(), 1U);
    EXPECT_EQ(completable[0].index, 0U);
    EXPECT_EQ(completable[0].position, 0U);
    EXPECT_TRUE(port.clock(completable[0].clock).vector.knows(1, 3));
}

TEST_F(Choosing, ASynchronousSendThatNobodyHasReceivedIsNotWaitedFor) {
    std::array requests{start_receive(2, 7), MPI_REQUEST_NULL};
    ASSERT_EQ(MPI_Issend(nullptr, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[1]), MPI_SUCCESS);
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 0) << "though MPI calls the send complete";
    EXPECT_TRUE(port.logged<CompletableRecord>().empty());
}

TEST_F(Choosing, WhatMpiRefusesIsNotReported) {
    auto requests = two_receives();
    answer(1);
    mpi.refuse("PMPI_Testany", MPI_ERR_REQUEST);
    int index = MPI_UNDEFINED;
    EXPECT_EQ(MPI_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    EXPECT_TRUE(is_followed(requests[0]) && is_followed(requests[1]));
    EXPECT_TRUE(reported().empty()) << "its epoch came to nothing";
}

TEST_F(Choosing, APersistentRequestThatIsReportedStays) {
    std::array requests{start_receive(2, 7), MPI_REQUEST_NULL};
    ASSERT_EQ(MPI_Recv_init(nullptr, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[1]), MPI_SUCCESS);
    for (std::uint32_t round = 0; round < 2; ++round) {
        ASSERT_EQ(MPI_Start(&requests[1]), MPI_SUCCESS);
        message(1, 7, knowing({{1, round}}));
        EXPECT_EQ(wait_any(requests).index, 1);
        EXPECT_EQ(reported(), Positions{1});
        EXPECT_TRUE(knows(1, round));
        ASSERT_NE(requests[1], MPI_REQUEST_NULL);
        EXPECT_FALSE(layer().requests.find(requests[1])->active);
    }
    EXPECT_EQ(epochs().size(), 2U);
}

// ---- decisions --------------------------------------------------------------------------------------------

TEST_F(Choosing, ADecidedWaitForAnyReportsWhatIsDecided) {
    decide(EpochKind::wait_any, {1});
    auto requests = two_receives();
    answer(1);
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 1);
    EXPECT_EQ(epochs().at(0).forced, 1U);
    EXPECT_EQ(reported(), Positions{1});
    EXPECT_NE(requests[0], MPI_REQUEST_NULL);
    EXPECT_FALSE(knows(1, 0));
}

TEST_F(Choosing, ADecidedWaitForAnyWaitsForWhatIsDecidedAlone) {
    decide(EpochKind::wait_any, {1});
    auto requests = two_receives();
    answer(1);
    mpi.at_look(40, [&] {
        const auto& waits = port.board().blocked.waits;
        EXPECT_EQ(waits.count, 1U);
        EXPECT_EQ(waits.items[0].peer, 2);
        EXPECT_EQ(waits.items[0].forced, 1U);
        EXPECT_EQ(waits.any, 0U);
        answer(2);
    });
    EXPECT_EQ(wait_any(requests).index, 1);
}

TEST_F(Choosing, OnlyTheChoiceThatIsDecidedIsForced) {
    decide(EpochKind::wait_any, {1}, 0, false, 1);
    auto requests = two_receives();
    answer(1);
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 0);
    EXPECT_EQ(epochs().at(0).forced, 0U);
    requests[0] = start_receive(1, 7);
    answer(1);
    EXPECT_EQ(wait_any(requests).index, 1);
    EXPECT_EQ(epochs().at(1).forced, 1U);
}

TEST_F(Choosing, ADecisionForARequestThatIsNotActiveIsADivergence) {
    decide(EpochKind::wait_any, {2});
    std::array requests{start_receive(1, 7), start_receive(2, 7), MPI_REQUEST_NULL};
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 1) << "left to itself";
    ASSERT_EQ(divergences().size(), 1U);
    EXPECT_EQ(divergences()[0].index, 0U);
    EXPECT_EQ(divergences()[0].call, "MPI_Waitany");
    EXPECT_NE(divergences()[0].message.find("not active there"), std::string::npos);
    EXPECT_EQ(reported(), Positions{1});
}

TEST_F(Choosing, ADecisionBeyondTheArrayIsADivergence) {
    decide(EpochKind::wait_any, {2});
    auto requests = two_receives();
    answer(1);
    EXPECT_EQ(wait_any(requests).index, 0);
    EXPECT_EQ(divergences().size(), 1U);
}

TEST_F(Choosing, AWaitForAnyCannotReportTwo) {
    decide(EpochKind::wait_any, {0, 1});
    auto requests = two_receives();
    answer(1);
    answer(2);
    wait_any(requests);
    EXPECT_EQ(divergences().size(), 1U);
}

TEST_F(Choosing, ADecisionOfAnotherKindIsADivergence) {
    decide(EpochKind::wait_some, {1});
    auto requests = two_receives();
    answer(1);
    answer(2);
    EXPECT_EQ(wait_any(requests).index, 0);
    EXPECT_EQ(divergences().size(), 1U);
}

// ---- MPI_Waitsome -----------------------------------------------------------------------------------------

TEST_F(Choosing, AWaitForSomeReportsAllThatHaveCompleted) {
    std::array requests{start_receive(1, 7), start_receive(2, 7), start_receive(3, 7)};
    answer(3);
    answer(1);
    EXPECT_EQ(wait_some(requests), (Positions{0, 2}));
    EXPECT_EQ(epochs().at(0).kind, static_cast<std::uint32_t>(EpochKind::wait_some));
    EXPECT_EQ(reported(), (Positions{0, 2}));
    EXPECT_TRUE(knows(1, 0) && knows(3, 0));
    EXPECT_FALSE(knows(2, 0));
}

TEST_F(Choosing, ADecidedWaitForSomeReportsTheseAndNoOthers) {
    decide(EpochKind::wait_some, {0, 2});
    std::array requests{start_receive(1, 7), start_receive(2, 7), start_receive(3, 7)};
    answer(1);
    answer(2);
    mpi.at_look(30, [&] {
        EXPECT_TRUE(chosen().empty()) << "all of them are waited for";
        answer(3);
    });
    EXPECT_EQ(wait_some(requests), (Positions{0, 2}));
    EXPECT_EQ(reported(), (Positions{0, 2}));
    EXPECT_EQ(requests[0], MPI_REQUEST_NULL);
    EXPECT_NE(requests[1], MPI_REQUEST_NULL);
    EXPECT_EQ(requests[2], MPI_REQUEST_NULL);
}

TEST_F(Choosing, ADecidedWaitForSomeHasTheStatusesOfTheseInItsOrder) {
    decide(EpochKind::wait_some, {1, 2});
    std::array requests{start_receive(1, 7), start_receive(2, 7), start_receive(3, 7)};
    answer(2);
    answer(3);
    std::array<int, 3> indices{-1, -1, -1};
    std::array<MPI_Status, 3> statuses{};
    int count = 0;
    ASSERT_EQ(MPI_Waitsome(3, requests.data(), &count, indices.data(), statuses.data()), MPI_SUCCESS);
    ASSERT_EQ(count, 2);
    EXPECT_EQ(indices[0], 1);
    EXPECT_EQ(statuses[0].MPI_SOURCE, 2);
    EXPECT_EQ(indices[1], 2);
    EXPECT_EQ(statuses[1].MPI_SOURCE, 3);
}

TEST_F(Choosing, AWaitForSomeOfNoneSaysSo) {
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    int count = 0;
    int index = -1;
    ASSERT_EQ(MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(count, MPI_UNDEFINED);
    EXPECT_TRUE(epochs().empty());
}

TEST_F(Choosing, WhatCompletesTogetherIsResolvedInTheOrderOfPosting) {
    MPI_Request first = start_receive(MPI_ANY_SOURCE, 7);
    MPI_Request second = start_receive(MPI_ANY_SOURCE, 7);
    std::array requests{second, first};
    answer(1);
    answer(2);
    EXPECT_EQ(wait_some(requests), (Positions{0, 1}));
    EXPECT_EQ(matched_orders(), (std::vector<std::uint64_t>{0, 1}));
    EXPECT_EQ(port.logged<MatchedRecord>()[0].source, 1);
}

// ---- MPI_Test: how often it says "nothing yet" ------------------------------------------------------------

TEST_F(Choosing, ATestOfACompleteRequestIsAnEpochWithoutFalseAnswers) {
    MPI_Request request = start_receive(1, 7);
    answer(1);
    MPI_Status status{};
    EXPECT_TRUE(test(request, &status));
    EXPECT_EQ(status.MPI_SOURCE, 1);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    ASSERT_EQ(epochs().size(), 1U);
    EXPECT_EQ(epochs()[0].kind, static_cast<std::uint32_t>(EpochKind::test));
    ASSERT_EQ(answers().size(), 1U);
    EXPECT_EQ(answers()[0].index, 0U);
    EXPECT_EQ(answers()[0].false_answers, 0U);
    EXPECT_EQ(reported(), Positions{0});
    EXPECT_TRUE(knows(1, 0));
}

TEST_F(Choosing, ATestWaitsForAWhileBeforeItSaysNothingYet) {
    MPI_Request request = start_receive(1, 7);
    const auto first = replay::polling_patience(0, 0us, 0, 0us);
    EXPECT_FALSE(test(request));
    const auto waited = thread_state().polling.waited_in_vain;
    EXPECT_GE(waited, first);
    EXPECT_LE(waited, 10 * first) << "more does not count, however busy the machine";
    EXPECT_FALSE(test(request));
    EXPECT_GE(thread_state().polling.waited_in_vain, waited + replay::polling_patience(1, waited, 1, 0us));
}

TEST_F(Choosing, ARankThatHasWaitedLongInVainWaitsNoLonger) {
    MPI_Request request = start_receive(1, 7);
    thread_state().polling.waited_in_vain = 2s;
    bool waits = false;
    mpi.at_look(5, [&] { waits = true; });
    EXPECT_FALSE(test(request));
    EXPECT_FALSE(waits);
}

TEST_F(Choosing, WhetherFalseAnswersMatterIsTriedWhenTheSequenceBegins) {
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test_at_once(request));
    EXPECT_FALSE(test_at_once(request));
    EXPECT_EQ(port.board().polling_threads[0].false_answers, 2U);
    answer(1);
    EXPECT_TRUE(test(request));
    EXPECT_EQ(answers().at(0).repetition, static_cast<std::uint32_t>(replay::Repetition::undecided))
        << "the program has a signal handler";
}

TEST_F(Choosing, ATestSaysNothingYetWhenDampiRunLetsIt) {
    MPI_Request request = start_receive(1, 7);
    release_polls(9);
    mpi.at_look(8, [&] {
        const auto& waits = port.board().blocked.waits;
        ASSERT_EQ(waits.count, 2U);
        EXPECT_EQ(waits.items[0].kind, WaitKind::poll);
        EXPECT_EQ(waits.items[1].peer, 1);
        EXPECT_EQ(waits.any, 1U);
    });
    EXPECT_FALSE(test(request));
    EXPECT_TRUE(is_followed(request));
    EXPECT_TRUE(chosen().empty());
    EXPECT_EQ(port.board().polling_false_answers, 1U);
    EXPECT_EQ(port.board().polling_epoch, 0U);
}

TEST_F(Choosing, WhenDampiRunLetsItNothingIsWaitedInVain) {
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test_at_once(request));
    EXPECT_EQ(thread_state().polling.waited_in_vain, 0us);
}

TEST_F(Choosing, RepeatedTestsAreOneEpoch) {
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test_at_once(request));
    EXPECT_FALSE(test_at_once(request));
    EXPECT_FALSE(test_at_once(request));
    EXPECT_EQ(port.board().polling_false_answers, 3U);
    answer(1);
    EXPECT_TRUE(test(request));
    EXPECT_EQ(epochs().size(), 1U);
    ASSERT_EQ(answers().size(), 1U);
    EXPECT_EQ(answers()[0].false_answers, 3U);
    EXPECT_EQ(chosen().size(), 1U);
    EXPECT_EQ(port.board().polling_false_answers, 0U) << "the sequence is over";
    ASSERT_EQ(MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(chosen().size(), 1U) << "so it is not given up afterwards";
}

TEST_F(Choosing, TestsInTurnAreOneEpochAndEachIsWrittenDownOnce) {
    auto requests = two_receives();
    for (int round = 0; round < 3; ++round) {
        EXPECT_FALSE(test_at_once(requests[0]));
        EXPECT_FALSE(test_at_once(requests[1]));
    }
    EXPECT_EQ(epochs().size(), 1U);
    const auto others = port.logged<transport::PollRecord>();
    ASSERT_EQ(others.size(), 1U);
    EXPECT_EQ(others[0].index, 0U);
    EXPECT_EQ(others[0].poll, 1U);
    EXPECT_EQ(others[0].before, 1U) << "false answers until then";
    ASSERT_EQ(port.logged<CandidateRecord>().size(), 2U);
    EXPECT_EQ(port.logged<CandidateRecord>()[0].poll, 0U);
    EXPECT_EQ(port.logged<CandidateRecord>()[1].poll, 1U);
    answer(2);
    EXPECT_FALSE(test_at_once(requests[0])) << "it is the turn of another";
    EXPECT_TRUE(test(requests[1]));
    ASSERT_EQ(answers().size(), 1U);
    EXPECT_EQ(answers()[0].poll, 1U);
    EXPECT_EQ(answers()[0].false_answers, 7U);
    EXPECT_EQ(answers()[0].polled, (Positions{0, 1, 0, 1, 0, 1, 0, 1}));
    ASSERT_EQ(chosen().size(), 1U);
    EXPECT_EQ(chosen()[0].completed, (Positions{0}));
}

TEST_F(Choosing, WhoIsDecidedToAnswerWaitsAndTheOthersDoNot) {
    port.decide({.index = 0,
                 .kind = static_cast<std::uint32_t>(EpochKind::test),
                 .comm = 0,
                 .tag = base::any_tag,
                 .poll = 1,
                 .completed = first_position});
    auto requests = two_receives();
    answer(1);
    answer(2);
    EXPECT_FALSE(test(requests[0])) << "though it is complete";
    EXPECT_TRUE(test(requests[1]));
    EXPECT_TRUE(divergences().empty());
    EXPECT_EQ(answers().at(0).poll, 1U);
}

TEST_F(Choosing, AStretchThatIsGivenUpIsSaidOfItsFirstCall) {
    auto requests = two_receives();
    EXPECT_FALSE(test_at_once(requests[0]));
    EXPECT_FALSE(test_at_once(requests[1]));
    ASSERT_EQ(MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    ASSERT_EQ(answers().size(), 1U);
    EXPECT_EQ(answers()[0].poll, 0U);
    EXPECT_EQ(answers()[0].false_answers, 2U);
    ASSERT_EQ(chosen().size(), 1U);
    EXPECT_TRUE(chosen()[0].completed.empty());
}

TEST_F(Choosing, AProgramThatTurnsToSomethingElseHasGivenUp) {
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test_at_once(request));
    EXPECT_FALSE(test_at_once(request));
    ASSERT_EQ(MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    ASSERT_EQ(answers().size(), 1U);
    EXPECT_EQ(answers()[0].false_answers, 2U);
    ASSERT_EQ(chosen().size(), 1U);
    EXPECT_TRUE(chosen()[0].completed.empty());
    EXPECT_EQ(port.board().polling_false_answers, 0U) << "it does not poll any more";
    EXPECT_TRUE(knows(own, 0)) << "that it has been told \"nothing yet\" is something to know";
    answer(1);
    EXPECT_TRUE(test(request));
    EXPECT_EQ(epochs().size(), 2U);
}

TEST_F(Choosing, ATestOfNothingIsNoEpoch) {
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_TRUE(test(request));
    EXPECT_TRUE(epochs().empty());
}

TEST_F(Choosing, ATestOfARequestThatNobodyKnowsIsNotFollowed) {
    MPI_Request request = foreign();
    EXPECT_FALSE(test(request)) << "it answers as MPI does";
    EXPECT_TRUE(epochs().empty());
    EXPECT_EQ(not_modelled("MPI_Test"), 1U);
}

TEST_F(Choosing, WhatGoesNowhereIsKnownToBeComplete) {
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Isend(nullptr, 0, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    EXPECT_TRUE(test(request));
    EXPECT_TRUE(epochs().empty());
}

TEST_F(Choosing, WithSeveralThreadsATestAnswersAtOnce) {
    MPI_Request request = start_receive(1, 7);
    layer().multithreaded = true;
    bool waits = false;
    mpi.at_look(5, [&] { waits = true; });
    EXPECT_FALSE(test(request));
    EXPECT_FALSE(waits) << "another thread may have to go on first";
    layer().multithreaded = false;
}

TEST_F(Choosing, AFailedTestEndsTheSequence) {
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test_at_once(request));
    mpi.refuse("PMPI_Test", MPI_ERR_REQUEST);
    int flag = 0;
    EXPECT_EQ(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    EXPECT_EQ(answers().at(0).false_answers, 1U);
    EXPECT_TRUE(reported().empty());
    EXPECT_TRUE(is_followed(request));
}

// ---- decided false answers --------------------------------------------------------------------------------

TEST_F(Choosing, ADecidedTestSaysNothingYetSoOftenThoughTheRequestIsComplete) {
    decide(EpochKind::test, {0}, 2);
    MPI_Request request = start_receive(1, 7);
    answer(1);
    EXPECT_FALSE(test(request));
    EXPECT_FALSE(test(request));
    EXPECT_TRUE(test(request));
    EXPECT_EQ(epochs().at(0).forced, 1U);
    EXPECT_EQ(answers().at(0).false_answers, 2U);
    EXPECT_TRUE(divergences().empty());
}

TEST_F(Choosing, ThenItWaitsForWhatIsDecidedHoweverLong) {
    decide(EpochKind::test, {0}, 1);
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test(request));
    release_polls(10);
    mpi.at_look(60, [&] {
        EXPECT_EQ(port.board().blocked.waits.count, 1U) << "it cannot say \"nothing yet\"";
        answer(1);
    });
    EXPECT_TRUE(test(request));
}

TEST_F(Choosing, ADecisionThatIsOpenSaysOnlyHowOftenItIsFalse) {
    decide(EpochKind::test, {}, 1, true);
    MPI_Request request = start_receive(1, 7);
    answer(1);
    EXPECT_FALSE(test(request));
    EXPECT_TRUE(test(request)) << "left to itself";
    EXPECT_EQ(epochs().at(0).forced, 0U);
    EXPECT_TRUE(divergences().empty());
}

TEST_F(Choosing, AProgramThatIsToGiveUpAndAsksAgainHasDiverged) {
    decide(EpochKind::test, {}, 1);
    MPI_Request request = start_receive(1, 7);
    answer(1);
    EXPECT_FALSE(test(request));
    EXPECT_TRUE(divergences().empty());
    EXPECT_TRUE(test(request));
    ASSERT_EQ(divergences().size(), 1U);
    EXPECT_NE(divergences()[0].message.find("but has asked again"), std::string::npos);
}

TEST_F(Choosing, AProgramThatGivesUpAsDecidedHasNotDiverged) {
    decide(EpochKind::test, {}, 1);
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test(request));
    ASSERT_EQ(MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_TRUE(divergences().empty());
    EXPECT_TRUE(reported().empty());
}

TEST_F(Choosing, AProgramThatGivesUpBeforeItIsToHasDiverged) {
    decide(EpochKind::test, {0}, 3);
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test(request));
    ASSERT_EQ(MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    ASSERT_EQ(divergences().size(), 1U);
    EXPECT_NE(divergences()[0].message.find("but has called MPI_Send"), std::string::npos);
    EXPECT_TRUE(is_followed(request));
}

TEST_F(Choosing, SoHasOneThatIsToGiveUpLater) {
    decide(EpochKind::test, {}, 3);
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test(request));
    ASSERT_EQ(MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(divergences().size(), 1U);
}

TEST_F(Choosing, OneThatIsToAskMoreOftenWhateverComesThenMayGiveUpBefore) {
    decide(EpochKind::test, {}, 2, true);
    MPI_Request request = start_receive(1, 7);
    EXPECT_FALSE(test(request));
    ASSERT_EQ(MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_TRUE(divergences().empty()) << "how often it may at least is the explorer's matter";
}

// ---- polling for several ----------------------------------------------------------------------------------

TEST_F(Choosing, ATestOfAllHasOneAnswerThatNeedsThemAll) {
    auto requests = two_receives();
    answer(1);
    release_polls(5);
    EXPECT_FALSE(test_all(requests));
    EXPECT_TRUE(is_followed(requests[0])) << "nothing has been reported";
    answer(2);
    EXPECT_TRUE(test_all(requests));
    EXPECT_EQ(epochs().size(), 1U);
    EXPECT_EQ(epochs()[0].kind, static_cast<std::uint32_t>(EpochKind::test_all));
    EXPECT_EQ(port.logged<CandidateRecord>().size(), 2U) << "when it is asked for the first time";
    const auto asked = port.logged<transport::AsksForAllRecord>();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].requests, 2U);
    EXPECT_EQ(reported(), (Positions{0, 1}));
    EXPECT_EQ(answers().at(0).false_answers, 1U);
    EXPECT_TRUE(knows(1, 0) && knows(2, 0));
}

TEST_F(Choosing, ATestOfAllWaitsForAllOfThem) {
    auto requests = two_receives();
    release_polls(9);
    mpi.at_look(8, [&] {
        EXPECT_EQ(port.board().blocked.waits.count, 3U);
        EXPECT_EQ(port.board().blocked.waits.any, 0U);
    });
    EXPECT_FALSE(test_all(requests));
}

TEST_F(Choosing, ATestOfAnyReportsOne) {
    auto requests = two_receives();
    answer(2);
    EXPECT_EQ(test_any(requests), 1);
    EXPECT_EQ(epochs().at(0).kind, static_cast<std::uint32_t>(EpochKind::test_any));
    EXPECT_EQ(port.logged<CandidateRecord>().size(), 2U);
    EXPECT_EQ(reported(), Positions{1});
    EXPECT_FALSE(knows(1, 0));
}

TEST_F(Choosing, ATestOfAnyIsAnEpochAlsoOfOneRequest) {
    std::array requests{start_receive(1, 7)};
    answer(1);
    EXPECT_EQ(test_any(requests), 0);
    EXPECT_EQ(epochs().size(), 1U);
}

TEST_F(Choosing, ADecidedTestOfAnyReportsWhatIsDecided) {
    decide(EpochKind::test_any, {1}, 1);
    auto requests = two_receives();
    answer(1);
    answer(2);
    EXPECT_FALSE(test_any(requests).has_value());
    EXPECT_EQ(test_any(requests), 1);
    EXPECT_EQ(reported(), Positions{1});
}

TEST_F(Choosing, ADecidedTestOfAnyOfWhatIsNotActiveIsADivergence) {
    decide(EpochKind::test_any, {3});
    auto requests = two_receives();
    answer(1);
    EXPECT_EQ(test_any(requests), 0);
    EXPECT_EQ(divergences().size(), 1U);
}

TEST_F(Choosing, ATestOfSomeReportsThoseThatHaveCompleted) {
    std::array requests{start_receive(1, 7), start_receive(2, 7), start_receive(3, 7)};
    release_polls();
    EXPECT_TRUE(test_some(requests).empty());
    answer(3);
    answer(2);
    EXPECT_EQ(test_some(requests), (Positions{1, 2}));
    EXPECT_EQ(epochs().size(), 1U);
    EXPECT_EQ(answers().at(0).false_answers, 1U);
    EXPECT_EQ(reported(), (Positions{1, 2}));
}

TEST_F(Choosing, ADecidedTestOfSomeReportsTheseAndNoOthers) {
    decide(EpochKind::test_some, {2});
    std::array requests{start_receive(1, 7), start_receive(2, 7), start_receive(3, 7)};
    answer(1);
    answer(2);
    answer(3);
    EXPECT_EQ(test_some(requests), Positions{2});
    EXPECT_TRUE(is_followed(requests[0]) && is_followed(requests[1]));
}

TEST_F(Choosing, AmongRequestsThatNobodyKnowsAPollIsNotFollowed) {
    std::array requests{foreign(), start_receive(2, 7)};
    EXPECT_FALSE(test_any(requests).has_value());
    EXPECT_TRUE(epochs().empty());
    EXPECT_EQ(not_modelled("MPI_Testany"), 1U);
    answer(2);
    EXPECT_EQ(test_any(requests), 1);
    EXPECT_TRUE(knows(2, 0));
}

// ---- MPI_Request_get_status -------------------------------------------------------------------------------

TEST_F(Choosing, AskingForAStatusTellsTheProgramAndLeavesTheRequest) {
    MPI_Request request = start_receive(1, 7);
    answer(1);
    MPI_Status status{};
    EXPECT_TRUE(get_status(request, &status));
    EXPECT_EQ(status.MPI_SOURCE, 1);
    EXPECT_EQ(epochs().at(0).kind, static_cast<std::uint32_t>(EpochKind::get_status));
    EXPECT_EQ(reported(), Positions{0});
    EXPECT_TRUE(knows(1, 0));
    EXPECT_TRUE(is_followed(request));
}

TEST_F(Choosing, WhatTheProgramHasBeenToldIsNoEpochAnyMore) {
    MPI_Request request = start_receive(1, 7);
    answer(1);
    EXPECT_TRUE(get_status(request));
    EXPECT_TRUE(get_status(request));
    EXPECT_TRUE(test(request));
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    EXPECT_EQ(epochs().size(), 1U);
    EXPECT_EQ(chosen().size(), 1U);
}

TEST_F(Choosing, AskingForAStatusMayAnswerNothingYet) {
    MPI_Request request = start_receive(1, 7);
    release_polls();
    EXPECT_FALSE(get_status(request));
    answer(1);
    EXPECT_TRUE(get_status(request));
    EXPECT_EQ(epochs().size(), 1U);
    EXPECT_EQ(answers().at(0).false_answers, 1U);
}

TEST_F(Choosing, AStatusThatMpiRefusesTellsNothing) {
    MPI_Request request = start_receive(1, 7);
    answer(1);
    mpi.refuse("PMPI_Request_get_status", MPI_ERR_REQUEST);
    int flag = 0;
    EXPECT_EQ(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    EXPECT_TRUE(reported().empty());
    EXPECT_FALSE(layer().requests.find(request)->told);
    EXPECT_FALSE(knows(1, 0));
}

// ---- MPI_Cancel: whether it comes in time -----------------------------------------------------------------

TEST_F(Choosing, ACancelThatComesInTimeHasReportedNothing) {
    MPI_Request request = start_receive(1, 7);
    ASSERT_EQ(MPI_Cancel(&request), MPI_SUCCESS);
    ASSERT_EQ(epochs().size(), 1U);
    EXPECT_EQ(epochs()[0].kind, static_cast<std::uint32_t>(EpochKind::cancel));
    EXPECT_EQ(chosen().size(), 1U);
    EXPECT_TRUE(reported().empty());
    EXPECT_TRUE(port.shown().empty()) << "it will not take anything any more";
    wait(request);
    EXPECT_EQ(chosen().size(), 1U);
}

TEST_F(Choosing, ACancelThatComesTooLateIsKnownWhenTheRequestCompletes) {
    MPI_Request request = start_receive(1, 7);
    answer(1);
    ASSERT_EQ(MPI_Cancel(&request), MPI_SUCCESS);
    EXPECT_TRUE(chosen().empty());
    wait(request);
    EXPECT_EQ(reported(), Positions{0});
    EXPECT_TRUE(knows(1, 0));
    EXPECT_TRUE(port.clock(chosen().at(0).past_clock).vector.knows(1, 0));
}

TEST_F(Choosing, ACancelThatIsToComeTooLateWaitsForTheMessage) {
    decide(EpochKind::cancel, {0});
    MPI_Request request = start_receive(1, 7);
    mpi.at_look(30, [&] { answer(1); });
    ASSERT_EQ(MPI_Cancel(&request), MPI_SUCCESS);
    wait(request);
    EXPECT_EQ(reported(), Positions{0});
}

TEST_F(Choosing, ASecondCancelIsNoEpoch) {
    MPI_Request request = start_receive(1, 7);
    answer(1);
    ASSERT_EQ(MPI_Cancel(&request), MPI_SUCCESS);
    ASSERT_EQ(MPI_Cancel(&request), MPI_SUCCESS);
    EXPECT_EQ(epochs().size(), 1U);
    wait(request);
}

}  // namespace
}  // namespace dampi::piggyback::distributed
