#include "scheduler/engines/distributed/distributed_engine.hpp"

#include "launch/job.hpp"
#include "launch/observe/processor_time.hpp"
#include "launch/observe/sleeping_threads.hpp"
#include "scheduler/engines/distributed/quiescence.hpp"
#include "scheduler/engines/never_comes_back.hpp"
#include "scheduler/engines/passing_time.hpp"
#include "scheduler/judgement/ending_watch.hpp"
#include "scheduler/judgement/rank_states.hpp"
#include "scheduler/judgement/situation_capture.hpp"
#include "scheduler/judgement/stuck_ranks.hpp"
#include "transport/memory/area.hpp"
#include "transport/memory/memory_view.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <sys/prctl.h>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;
using base::Rank;
using launch::Job;
using launch::RankEnd;
using transport::RunControl;
using Clock = std::chrono::steady_clock;

// How often the ranks' states are looked at while nothing happens. Where all ranks are blocked and some of them poll,
// the program waits for what comes of it: then it is often at first. (Not where all are just blocked: in a program with
// many collectives that is so again and again, and looking would cost as much as the ranks themselves.)
constexpr auto look_interval = std::chrono::microseconds(2ms);
constexpr auto shortest_look_interval = 30us;
// Where ranks have to take turns on the cores each look takes one of them from a rank.
constexpr auto shortest_look_interval_on_crowded_cores = 100us;
// Like those of a deadlock (quiescence.cpp).
constexpr unsigned rounds_of_livelock = 3;
constexpr auto time_of_livelock = 10ms;
// How long blocked ranks get to write down what they know once the run is over.
constexpr auto patience_for_epilogue = 500ms;

/// Lets the blocked ranks resolve what has matched, for the record. They do not return to the program.
void run_epilogue(Job& job, RunControl& ranks) {
    ranks.ask(transport::epilogue_round);
    const auto end = Clock::now() + patience_for_epilogue;
    for (;;) {
        bool all = true;
        for (int rank = 0; rank < job.processes(); ++rank) {
            if (job.end_of(rank).how != RankEnd::How::running) {
                continue;
            }
            const transport::RankProgress progress = ranks.progress(rank);
            all = all && (progress.activity != transport::Activity::blocked ||
                          progress.settled_round == transport::epilogue_round);
        }
        if (all || Clock::now() > end) {
            return;
        }
        job.serve(1ms);
    }
}

/// While it lives the calling thread's sleeps last hardly longer than they should: by default the kernel adds as much
/// as the shortest of them takes. (What the thread starts meanwhile inherits that.)
class PunctualSleeps {
public:
    PunctualSleeps() : before_(::prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0)) { set(1000); }
    PunctualSleeps(const PunctualSleeps&) = delete;
    PunctualSleeps& operator=(const PunctualSleeps&) = delete;
    ~PunctualSleeps() { set(before_ > 0 ? before_ : 0); }

private:
    static void set(int nanoseconds) { ::prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(nanoseconds), 0, 0, 0); }
    int before_;
};

/// Watches a run until all its processes have ended or it has to be ended.
class Watch {
public:
    Watch(Job& job, RunControl& ranks, const EndingLimits& limits, bool virtual_time, DecisionOpen decision_open)
        : job_(job),
          ranks_(ranks),
          crowded_(job.processes() > static_cast<int>(std::thread::hardware_concurrency())),
          ending_(limits, std::move(decision_open)),
          virtual_time_(virtual_time) {}

    RunEnding run(const std::stop_token& stop) {
        std::optional<PunctualSleeps> punctual;
        if (!crowded_) {
            punctual.emplace();
        }
        while (job_.running() > 0) {
            job_.serve(look_interval_);
            if (stop.stop_requested()) {
                ending_.cut_short();
                break;
            }
            if (job_.running() == 0) {
                break;
            }
            for (const launch::AbortRequest& request : job_.abort_requests()) {
                // It waits for an answer that nobody gives under mpiexec either.
                if (job_.end_of(request.rank).how == RankEnd::How::running) {
                    job_.kill_rank(request.rank);
                }
            }
            if (is_over(Clock::now())) {
                break;
            }
        }
        return std::move(ending_).ending();
    }

private:
    /// Looks at the ranks once. Whether the run has to be ended.
    bool is_over(Clock::time_point now) {
        std::vector<RankState> states = read_rank_states(ranks_, who_lives(job_), launch::threads_sleeping);
        for (RankState& state : states) {
            if (state.timer != 0 && state.timer <= time_.granted(static_cast<base::Rank>(&state - states.data()))) {
                state.timer_is_due = true;
                state.timer = 0;
            }
        }
        const bool death = somebody_died(job_, ranks_);
        const auto answer = quiescence_.look(states, death, now);
        look_again(answer, states);
        if (answer == Quiescence::Answer::quiescent || answer == Quiescence::Answer::deadlock) {
            // After a death, the others of a deadlock that would have been there without it, too: whichever was first.
            const std::vector<bool> stuck = death ? stuck_whoever_died(states, Polling::goes_on) : quiescence_.stuck();
            if (std::find(stuck.begin(), stuck.end(), true) != stuck.end()) {
                ending_.note_deadlock(states, stuck, quiescence_.stuck_since(), now);
            }
        }
        if (answer == Quiescence::Answer::quiescent) {
            return true;
        }
        if (answer == Quiescence::Answer::release) {
            if (!virtual_time_) {
                ranks_.release_poll(quiescence_.released(), quiescence_.released_calls());
            } else if (let_time_pass(states, death, now)) {
                return true;
            }
        } else if (answer != Quiescence::Answer::moving) {
            ranks_.ask(quiescence_.round());
        }
        const auto loops_for_ever = [this](base::Rank rank, const std::vector<pid_t>& idle_threads) {
            return never_comes_back(job_.pid(rank), ranks_.progress(rank), idle_threads);
        };
        const auto processor_time = [this](base::Rank rank) { return launch::processor_time_of(job_.pid(rank)); };
        return ending_.waits_in_vain(states, death, now) ||
               ending_.finds_no_headway(std::move(states), launch::threads_sleeping, loops_for_ever, processor_time,
                                        death, now) ||
               ending_.nobody_needs_more_time(death, now);
    }

    /// All ranks wait, poll in vain or sleep. Whether the run has to be ended.
    bool let_time_pass(const std::vector<RankState>& states, bool death, Clock::time_point now) {
        using What = PassingTime::Step::What;
        const PassingTime::Step step = time_.next(states);
        if (step.what == What::livelock) {
            if (livelock_seen_++ == 0) {
                livelock_since_ = now;
            }
            // As for a deadlock: the parts of a picture are taken at different moments.
            return livelock_seen_ >= rounds_of_livelock && now - livelock_since_ >= time_of_livelock &&
                   ending_.note_livelock(states, true, time_.in_vain(), death, now);
        }
        livelock_seen_ = 0;
        switch (step.what) {
            case What::release:
                ranks_.release_poll(step.rank, step.calls);
                break;
            case What::wake:
                ranks_.let_pass(step.rank, step.until);
                break;
            case What::doubt:
                return ending_.note_livelock(states, false, time_.in_vain(), death, now);
            case What::livelock:
            case What::nothing:
                break;
        }
        return false;
    }

    /// Sets when: soon after there was something new.
    void look_again(Quiescence::Answer answer, const std::vector<RankState>& states) {
        const bool moving = answer == Quiescence::Answer::moving;
        const bool polls = std::any_of(states.begin(), states.end(),
                                       [](const RankState& state) { return state.polls || state.sleeps_until; });
        look_interval_ = answer == Quiescence::Answer::release || (was_moving_ && !moving && polls)
                             ? (crowded_ ? shortest_look_interval_on_crowded_cores : shortest_look_interval)
                             : std::min(2 * look_interval_, look_interval);
        was_moving_ = moving;
    }

    Job& job_;
    RunControl& ranks_;
    const bool crowded_;
    Quiescence quiescence_;
    std::chrono::microseconds look_interval_ = look_interval;
    bool was_moving_ = true;
    EndingWatch ending_;
    const bool virtual_time_;
    PassingTime time_;
    unsigned livelock_seen_ = 0;  ///< so often in a row
    Clock::time_point livelock_since_;
};

}  // namespace

LocalEngine::LocalEngine(LocalEngineSettings settings) : setup_(std::move(settings)) {}

std::vector<std::string> LocalEngine::launching() const {
    std::vector<std::string> lines = setup_.launching();
    lines.emplace_back(setup_.settings().piggyback == replay::Piggyback::native
                           ? "native piggyback: the MPI library's packets say which message is which"
                           : "shared piggyback: the order of messages says which is which");
    return lines;
}

replay::RunRecord LocalEngine::run(const replay::Interleaving& interleaving, std::stop_token stop) {
    RunEnd end;
    end.begin = Clock::now();
    const auto directory = setup_.directory_for(interleaving, stop);
    if (directory != nullptr && !directory->is_whole()) {
        return RunSetup::not_begun();
    }
    const transport::memory::Area area = setup_.make_area(interleaving);
    transport::memory::MemoryView ranks(area);
    const launch::JobSpec spec = setup_.job(interleaving, area, directory.get(), stop);
    end.start = Clock::now();
    Job job(spec);
    end.decisions = interleaving.decisions;
    end.ending = Watch(job, ranks, setup_.ending_limits(), setup_.settings().virtual_time, [&] {
                     return setup_.decision_is_open(job, ranks, interleaving.decisions);
                 }).run(stop);
    end.stopped = stop.stop_requested();
    if (job.running() > 0 && !end.stopped) {
        if (end.ending.reason != RunEnding::Reason::finished) {
            end.stacks = capture_situations(job, ranks);
        }
        run_epilogue(job, ranks);
    } else if (end.stopped && interleaving.number == 1) {
        end.stacks = capture_situations(job, ranks);
    }
    return setup_.conclude(job, spec, ranks, std::move(end), [](RecordReader&) {});
}

}  // namespace dampi::scheduler
