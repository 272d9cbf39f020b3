#include "scheduler/judgement/situation_capture.hpp"

#include "launch/observe/process_stacks.hpp"

#include <chrono>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;
using base::Rank;
using transport::Activity;
using transport::RunView;
using Clock = std::chrono::steady_clock;

// How long ranks inside MPI get to write down what they are doing: they look for it in short intervals.
constexpr auto patience_with_own = 200ms;
constexpr auto patience_with_stops = 300ms;

bool has_written(const RunView& run, Rank rank) { return run.situation(rank).has_value(); }

bool is_inside(const RunView& run, Rank rank) {
    return run.last_call(rank).inside || run.progress(rank).activity != Activity::computing;
}

}  // namespace

std::vector<std::vector<replay::CodePlace>> capture_situations(launch::Job& job, transport::RunControl& run) {
    run.ask(transport::epilogue_round);
    const auto lives = [&job](Rank rank) { return job.end_of(rank).how == launch::RankEnd::How::running; };
    const auto until = Clock::now() + patience_with_own;
    for (bool all = false; !all && Clock::now() < until;) {
        all = true;
        for (Rank rank = 0; rank < job.processes() && all; ++rank) {
            all = !lives(rank) || has_written(run, rank) || !is_inside(run, rank);
        }
        if (!all) {
            job.serve(1ms);
        }
    }
    std::vector<Rank> others;
    std::vector<pid_t> processes;
    for (Rank rank = 0; rank < job.processes(); ++rank) {
        if (lives(rank) && !has_written(run, rank)) {
            others.push_back(rank);
            processes.push_back(job.pid(rank));
        }
    }
    std::vector<std::vector<replay::CodePlace>> stacks(static_cast<std::size_t>(job.processes()));
    std::vector<std::vector<replay::CodePlace>> read = launch::read_stacks(processes, patience_with_stops);
    for (std::size_t i = 0; i < others.size(); ++i) {
        stacks[static_cast<std::size_t>(others[i])] = std::move(read[i]);
    }
    return stacks;
}

}  // namespace dampi::scheduler
