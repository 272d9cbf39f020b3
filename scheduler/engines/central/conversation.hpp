// Serves one run of the centralized engine: reads what the ranks hand over, lets the machine answer, and says how the
// run ended. A deadlock is known at the moment when it exists: when all have been heard and nothing matches. Has no
// clock but for what others do: how long those who are in no deadlock may go on, livelocks and hangs.
#pragma once

#include "base/check.hpp"
#include "base/digest.hpp"
#include "launch/job.hpp"
#include "launch/observe/processor_time.hpp"
#include "launch/observe/sleeping_threads.hpp"
#include "replay/run_record.hpp"
#include "scheduler/engines/central/call_listing.hpp"
#include "scheduler/engines/central/known_repetitions.hpp"
#include "scheduler/engines/central/machine.hpp"
#include "scheduler/judgement/ending_watch.hpp"
#include "scheduler/judgement/livelock.hpp"
#include "scheduler/judgement/rank_states.hpp"
#include "scheduler/judgement/run_ending.hpp"
#include "transport/requests/exchange.hpp"
#include "transport/run_view.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace dampi::scheduler::central {

struct ConversationSettings {
    EndingLimits limits;
    bool virtual_time = false;
    CallListing* calls = nullptr;  ///< is told of all calls; null: nobody wants to know
    /// How far the readers have come in a run from which this one goes on; null: the ranks have said nothing yet.
    const std::vector<transport::requests::CallReader>* readers = nullptr;
    /// Is asked before each choice that is made while all ranks wait, and all is well: is a snapshot wanted?
    std::function<bool()> wants_snapshot = {};
    /// Then takes it. The readers show how far all have come.
    std::function<void(std::vector<transport::requests::CallReader>&)> take_snapshot = {};
    /// Is told of states in which the run is after so many outcomes, and in which it may end; says whether another run
    /// has been there. Empty: states are of no interest.
    std::function<std::optional<replay::Merge>(const base::Digest& state, const OpenPast& past, std::uint32_t settled)>
        visit_state = {};
    bool only_closed = false;  ///< replay::Interleaving::only_closed
    /// Is asked before: whether it wants to be told after so many outcomes.
    std::function<bool(std::uint32_t settled)> wants_state = {};
    /// What has come of tries in all runs; null: each rank tries for itself.
    KnownRepetitions* repetitions = nullptr;
    /// The ranks do not take turns; may be told again. Empty: they need not know.
    std::function<void()> go_apart = {};
    /// Whether other threads of ranks sleep.
    OthersSleep others_sleep = launch::threads_sleeping;
    LoopsForEver loops_for_ever = [](base::Rank, const std::vector<pid_t>&) { return false; };
};

class Conversation {
public:
    /// All of these outlive it. The job's ranks have been started.
    Conversation(launch::Job& job, transport::RunControl& ranks, const transport::requests::Exchange& exchange,
                 Machine& machine, const ConversationSettings& settings);

    /// Until all processes have ended, or the run has to be ended. Throws dampi::Error when the program calls a
    /// function that the machine does not model.
    RunEnding run(const std::stop_token& stop);

    /// Lets the ranks that wait write down what they are doing; they do not return to the program.
    void dismiss();

    [[nodiscard]] const std::vector<launch::AbortRequest>& aborts() const { return aborts_; }
    /// It has ended in a state of another run.
    [[nodiscard]] const std::optional<replay::Merge>& merged() const { return merged_; }
    /// Ranks that have said what makes no sense: the program has overwritten the memory.
    [[nodiscard]] const std::set<Rank>& distrusted() const { return distrusted_; }
    /// What it took to find out in which states the run was.
    [[nodiscard]] std::chrono::nanoseconds comparing() const { return comparing_; }
    /// To calls that ranks waited in.
    [[nodiscard]] std::uint64_t answers() const { return answers_; }

private:
    using Time = std::chrono::steady_clock::time_point;

    /// The rank is about to try whether it repeats its polling call: what is known of that in its state.
    bool tell_repetition(Rank rank, const base::Digest& state);
    void learn_repetition(Rank rank, const transport::requests::RepetitionCall& call);
    /// Reads all that has been handed over; false if there was nothing.
    bool listen();
    bool take(Rank rank);
    template <typename Call>
    bool take_as(Rank rank);
    void hand_out();
    /// All ranks stand where nothing but a choice, or the passing of time, lets them go on.
    [[nodiscard]] bool all_wait() const;
    /// The rank is to let its timers go off; until it has, what it is told otherwise is kept.
    void interrupt(Rank rank);
    bool take_interrupted(Rank rank);
    /// Makes what choices there are now; false if nobody can go on by that.
    bool choose();
    /// While all ranks wait: lets virtual time pass, or a poll answer "nothing yet". False if nobody can go on by that.
    bool let_time_pass();
    /// Where time is real: one that asks is told "nothing yet".
    bool let_poll_go_on();
    /// Before that, while all ranks wait.
    void consider_snapshot();
    /// Likewise: whether the run is over, for another one has been in this state.
    bool consider_state(const std::stop_token& stop);
    bool meets_state(const std::stop_token& stop);
    /// All ranks' states are known; false where one cannot tell, or nobody wants to know any more.
    bool ask_for_states(const std::stop_token& stop);
    void send_away();
    [[nodiscard]] bool all_is_well() const;
    [[nodiscard]] base::Digest contents(transport::requests::Place place, std::uint64_t bytes) const;
    /// Whether some rank's process has ended since the last time.
    bool note_ends();
    /// Ranks in which another thread may call MPI while one waits.
    [[nodiscard]] bool others_may_call() const;
    [[nodiscard]] bool nobody_is_left() const;
    [[nodiscard]] std::vector<RankState> look() const;
    /// Whether the ranks are better on several processors.
    void consider_pace(Time now);
    /// Whether the run is over. `quiet`: all wait, and there is nothing to choose.
    bool is_over(Time now, bool quiet);
    /// Whether some can never go on, whatever those do that poll; says so of them.
    [[nodiscard]] bool note_stuck(const std::vector<RankState>& states, bool death, Time now);
    /// Whether ranks that compute have had enough of it since anything was handed over.
    bool have_had_time(Time now);
    /// Dead, or not to be believed any more.
    [[nodiscard]] bool somebody_is_gone() const;
    /// Of ranks that go on after a death: servers that poll could do so as fast as they can, for ever. How much they do
    /// in a while depends on the machine, and so would the decisions of such a run.
    bool enough_is_seen();
    /// Answers the polls that have waited long enough for ranks that compute. Whether there was one.
    bool lose_patience(Time now);
    /// Wakes the ranks up that have slept long enough for ranks that wait for them outside MPI.
    void lose_patience_with_sleep(Rank rank, Time now);

    launch::Job& job_;
    transport::RunControl& ranks_;
    const transport::requests::Exchange& exchange_;
    Machine& machine_;
    CallListing* calls_;
    std::function<bool()> wants_snapshot_;
    std::function<void(std::vector<transport::requests::CallReader>&)> take_snapshot_;
    std::function<std::optional<replay::Merge>(const base::Digest&, const OpenPast&, std::uint32_t)> visit_state_;
    bool only_closed_ = false;
    std::size_t candidates_left_ = 0;  ///< Machine::candidates() when they were last looked at
    std::function<bool(std::uint32_t)> wants_state_;
    KnownRepetitions* repetitions_;
    std::map<Rank, base::Digest> tried_states_;  ///< of ranks that try, and of whose state nothing was known
    std::function<void()> go_apart_;
    std::uint64_t answers_ = 0;
    transport::requests::ShortWait short_wait_;
    std::chrono::nanoseconds comparing_{0};
    struct {
        Time since{};
        std::uint64_t answers = 0;  ///< until then
    } pace_;
    OthersSleep others_sleep_;
    LoopsForEver loops_for_ever_;
    struct ToldState {
        std::uint64_t fence = 0;  ///< at which the rank said so; it has not gone on since
        std::optional<Machine::OwnState> state;
    };
    std::vector<ToldState> told_states_;  ///< by rank
    std::optional<replay::Merge> merged_;
    std::vector<transport::requests::CallReader> readers_;
    std::vector<bool> ended_;
    std::vector<launch::AbortRequest> aborts_;
    std::set<Rank> distrusted_;
    EndingWatch ending_;
    Time idle_since_{};  ///< nothing has been handed over since
    Time processor_times_since_{};
    std::vector<launch::ProcessorTime> processor_times_;  ///< by rank: what it had before then
    struct Patience {
        std::uint64_t fence = 0;
        Time since{};
        std::chrono::microseconds in_vain{0};  ///< in all
        std::uint64_t answers = 0;
    };
    std::vector<Patience> patience_;        ///< by rank: with polls
    std::vector<Patience> sleep_patience_;  ///< likewise with sleeps
    Time patient_until_{};                  ///< the clock that patience with polls goes by
    Time looked_at_{};                      ///< when lose_patience() was called last
    const bool virtual_time_;
    struct Interruption {
        bool open = false;
        std::optional<transport::requests::Answer> kept;
    };
    std::vector<Interruption> interruptions_;          ///< by rank
    std::optional<std::uint64_t> polls_before_death_;  ///< and before the last decision was come to
    std::uint64_t kept_waiting_ = 0;                   ///< Machine::kept_waiting() at the latest look
    bool over_ = false;                                ///< the passing of time has shown that nobody will go on
    std::chrono::microseconds look_interval_;
    Time next_look_{};  ///< at the processes and at livelocks, while ranks go on
};

}  // namespace dampi::scheduler::central
