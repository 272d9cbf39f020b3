// The rank's side of the centralized engine: what it hands over to the scheduler, where it waits for answers, and what
// only this rank needs to know. Made when the rank attaches to its run, and there until the process ends. Like the rest
// of the layer it chooses nothing: what matches, and what a call reports, is the scheduler's answer.
//
// One thread at a time (Call sees to that). A program in which several threads call MPI is refused.
#pragma once

#include "base/digest.hpp"
#include "piggyback/central/attached_buffer.hpp"
#include "piggyback/central/groups.hpp"
#include "piggyback/central/handle_source.hpp"
#include "piggyback/central/history.hpp"
#include "piggyback/central/moments.hpp"
#include "piggyback/central/operators.hpp"
#include "piggyback/central/topologies.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/handle_map.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/repetition.hpp"
#include "piggyback/rank/threads/threads.hpp"
#include "piggyback/rank/time/virtual_time.hpp"
#include "transport/requests/exchange.hpp"
#include "transport/requests/payload.hpp"
#include "transport/requests/protocol.hpp"

#include <cerrno>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::central {

using transport::requests::Answer;
using transport::requests::Operation;
using transport::requests::Place;

/// What makes two polling calls equal.
struct PollingCall {
    replay::EpochKind kind = replay::EpochKind::test;
    base::CommId comm = 0;
    base::Rank source = 0;
    base::Tag tag = 0;
    std::vector<Operation> operations{};
    std::vector<std::uint32_t> positions{};  ///< of these in the array of requests
    int count = 1;                           ///< of all in that array

    bool operator==(const PollingCall&) const = default;
};

/// A message that a matched probe has taken and nobody has received.
struct ProbedMessage {
    std::uint64_t message = 0;
    Communicator* communicator = nullptr;
    base::Rank source = 0;  ///< rank in the communicator
};

class RankSide {
public:
    RankSide(transport::requests::Exchange shared, base::Rank own);

    /// Null before attach(), and in a process that is no rank.
    static RankSide* current() noexcept { return current_; }

    [[nodiscard]] Operation new_operation() { return ++last_operation_; }
    [[nodiscard]] Operation last_operation() const { return last_operation_; }

    template <typename Call>
    void tell(Call call) {
        refuse_several_threads();
        if constexpr (std::is_same_v<Call, transport::requests::SendCall> ||
                      std::is_same_v<Call, transport::requests::CollectiveCall>) {
            note_exchange();
        }
        writer_.post(std::move(call));
    }
    /// Hands the call over and sleeps until it is answered. Does not come back when the run is over.
    template <typename Ask>
    Answer ask(const Call& call, Ask ask) {
        refuse_several_threads();
        refuse_to_wait_for_threads();
        const int error = errno;  // what waiting makes of it is a matter of chance, and would count as the program's
        if (moments.wanted()) [[unlikely]] {
            moments.note(call);
        }
        writer_.hand_over(std::move(ask));
        Answer answer = await_answer();
        while (answer.what != Answer::What::result) [[unlikely]] {
                errno = error;
                serve(call, answer.what);
                answer = await_answer();
            }
        if (!answer.completions.empty()) {
            note_exchange();
        }
        learn_time(answer.passed);
        history.note(answer);
        errno = error;
        finish_freed(call, answer);
        return answer;
    }

    /// The program aborts: dampi-run ends the process.
    [[noreturn]] void end_by_abort(int code);

    /// The place in the program of a call that is no epoch.
    [[nodiscard]] transport::requests::Situation place_of(const Call& call) const;
    /// The place of a call that is an epoch, with what the bounds of the search go by. (One that goes on with a
    /// stretch of polling calls is no epoch of its own: place_of().)
    [[nodiscard]] transport::requests::Situation epoch_of(const Call& call, bool first = true);

    /// What the polling call is to the stretch of those before it. What it is remembered. Its results already say
    /// "nothing yet".
    [[nodiscard]] transport::requests::PollingTurn take_polling_turn(const Call& call, PollingCall polling);
    /// Asks, or has an answer without that. `turn`: of the question, just taken.
    template <typename Ask>
    Answer ask_polling(const Call& call, const transport::requests::PollingTurn& turn, Ask ask) {
        if (unasked_left_ != 0 && may_go_unasked(turn)) {
            return answer_unasked(call);
        }
        tell_unasked();
        timed_when_asked_ = turn.timed;
        Answer answer = this->ask(call, std::move(ask));
        if (answer.flag == 0) {
            unasked_left_ = answer.unasked;
            unasked_in_time_ = answer.in_time;
        }
        return answer;
    }
    void end_polling();
    /// A polling call has answered "nothing yet".
    void note_false_answer(const Answer& answer);

    // data on its way
    [[nodiscard]] Place allocate(std::uint64_t bytes, std::uint32_t readers = 1) {
        return payload_.allocate(bytes, readers);
    }
    [[nodiscard]] std::uint8_t* data(Place place) const { return transport::requests::payload_data(exchange, place); }
    void release(Place place) {
        if (place != 0) {
            transport::requests::release_payload(exchange, place);
        }
    }
    /// Messages in standard mode of fewer bytes need not be waited for.
    [[nodiscard]] std::uint64_t buffered_below() const { return exchange.header().buffered_below; }

    /// What is to be done when the operation completes whose request the program has freed: its data is still to come.
    using Arrival = std::function<void(const Call& call, const transport::requests::Completion& completion)>;
    void keep_freed(Operation operation, Arrival arrival) { freed_.emplace_back(operation, std::move(arrival)); }

    transport::requests::Exchange exchange;
    HandleSource request_handles{MPI_REQUEST_NULL};
    HandleSource message_handles{MPI_MESSAGE_NULL};
    HandleMap<ProbedMessage> messages;
    AttachedBuffer attached;
    Groups groups;
    Operators operators;
    Topologies topologies;
    History history;
    Moments moments;

private:
    friend void attach(const char* path);
    /// In what other order their calls could have come nobody would explore.
    void refuse_several_threads() {
        if (program_threads().size() > 1) [[unlikely]] {
            refuse_threads();
        }
    }
    /// Another thread may do what this one waits for, so that nobody could say whether the rank can go on.
    void refuse_to_wait_for_threads() {
        if (Layer::current()->board().multithreaded.load(std::memory_order_relaxed) != 0) [[unlikely]] {
            refuse_threads();
        }
    }
    [[noreturn]] void refuse_threads();
    /// Other threads may enter the layer meanwhile, to be told that they must not.
    Answer await_answer() {
        return piggyback::Call::unlocked([&] { return writer_.await_answer(); });
    }
    /// Does what is asked of a rank that waits in the call. Does not come back when the run is over.
    void serve(const Call& call, Answer::What what);
    static void become_part_of_snapshot();
    void tell_state(const Call& call);
    /// Tries out whether the polling call is repeated, where no rank has in the same state, and says so.
    void find_repetition(const Call& call);
    [[nodiscard]] std::optional<FoundRepetition> repetition_elsewhere(const Call& call);
    /// All that decides what comes of such a try; nothing where that is not known.
    [[nodiscard]] static std::optional<base::Digest> repetition_state(const Call& call);
    [[noreturn]] static void stop();
    void finish_freed(const Call& call, Answer& answer);
    [[nodiscard]] bool may_go_unasked(const transport::requests::PollingTurn& turn) const {
        return turn.begins == 0 && !poll_is_new_ && turn.timed == timed_when_asked_ &&
               Layer::current()->board().timer.load(std::memory_order_relaxed) == 0;
    }
    Answer answer_unasked(const Call& call);
    /// What was answered unasked, if anything; no more is.
    void tell_unasked();

    static inline RankSide* current_ = nullptr;

    transport::requests::CallWriter writer_;
    transport::requests::PayloadArena payload_;
    Operation last_operation_ = 0;
    std::vector<PollingCall> polls_;   ///< the different calls of the open stretch
    std::uint32_t false_answers_ = 0;  ///< of this stretch
    std::uint64_t clock_looks_ = 0;    ///< ProgramThread::clock_looks when it began
    bool looks_at_clock_ = false;      ///< the program would do so after a false answer
    bool poll_is_new_ = false;         ///< the latest, in this stretch
    std::uint32_t timed_when_asked_ = 0;
    std::uint32_t unasked_left_ = 0;
    std::uint32_t unasked_ = 0;  ///< since the latest answer
    replay::AnswerInTime unasked_in_time_{};
    std::vector<std::pair<Operation, Arrival>> freed_;
};

/// Attaches to the run's messages at this path.
void attach(const char* path);

}  // namespace dampi::piggyback::central
