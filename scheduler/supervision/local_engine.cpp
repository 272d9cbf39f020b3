#include "scheduler/supervision/local_engine.hpp"

#include "clocks/check.hpp"
#include "replay/area/area.hpp"
#include "replay/launch/job.hpp"
#include "replay/launch/transport.hpp"
#include "scheduler/supervision/judgement.hpp"
#include "scheduler/supervision/quiescence.hpp"
#include "scheduler/supervision/rank_states.hpp"
#include "scheduler/supervision/record_reader.hpp"

#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;
using clocks::Rank;
using replay::Job;
using replay::RankEnd;
using replay::area::Area;
using Clock = std::chrono::steady_clock;

// How often the ranks' states are looked at while nothing happens.
constexpr auto look_interval = 2ms;
// After a rank has died the others go on, so that what they send is seen, until they are stuck or this long.
constexpr auto patience_after_death = 2s;
// How long blocked ranks get to write down what they know once the run is over.
constexpr auto patience_for_epilogue = 500ms;

std::vector<bool> who_lives(const Job& job) {
    std::vector<bool> alive;
    for (int rank = 0; rank < job.processes(); ++rank) {
        alive.push_back(job.end_of(rank).how == RankEnd::How::running);
    }
    return alive;
}

bool somebody_died(const Job& job, const Area& area) {
    for (int rank = 0; rank < job.processes(); ++rank) {
        if (job.end_of(rank).how != RankEnd::How::running &&
            area.rank(rank).phase.load(std::memory_order_acquire) != replay::area::Phase::finalized) {
            return true;
        }
    }
    return false;
}

/// Lets the blocked ranks resolve what has matched, for the record. They do not return to the program.
void run_epilogue(Job& job, const Area& area) {
    area.header().settle_round.store(replay::area::epilogue_round, std::memory_order_release);
    const auto end = Clock::now() + patience_for_epilogue;
    for (;;) {
        bool all = true;
        for (int rank = 0; rank < job.processes(); ++rank) {
            const auto& header = area.rank(rank);
            if (job.end_of(rank).how == RankEnd::How::running &&
                header.blocked.activity.load(std::memory_order_acquire) == replay::area::Activity::blocked &&
                header.settled_round.load(std::memory_order_acquire) != replay::area::epilogue_round) {
                all = false;
            }
        }
        if (all || Clock::now() > end) {
            return;
        }
        job.serve(1ms);
    }
}

struct WatchResult {
    bool stuck = false;             ///< no live rank could make a step
    bool cut_short = false;         ///< ended while ranks were computing
    std::vector<RankState> states;  ///< when stuck: what each rank was doing
};

WatchResult watch(Job& job, const Area& area, const std::stop_token& stop) {
    WatchResult result;
    Quiescence quiescence;
    Clock::time_point first_death{};
    while (job.running() > 0) {
        job.serve(look_interval);
        if (stop.stop_requested()) {
            result.cut_short = true;
            break;
        }
        if (job.running() == 0) {
            break;
        }
        for (const replay::AbortRequest& request : job.abort_requests()) {
            // It waits for an answer that nobody gives under mpiexec either.
            if (job.end_of(request.rank).how == RankEnd::How::running) {
                job.kill_rank(request.rank);
            }
        }
        const auto now = Clock::now();
        std::vector<RankState> states = read_rank_states(area, who_lives(job));
        const auto answer = quiescence.look(states, now);
        if (answer == Quiescence::Answer::quiescent) {
            result.stuck = true;
            result.states = std::move(states);
            run_epilogue(job, area);
            break;
        }
        if (answer == Quiescence::Answer::confirm) {
            area.header().settle_round.store(quiescence.round(), std::memory_order_release);
        } else if (answer == Quiescence::Answer::release) {
            area.rank(quiescence.released()).poll_release.fetch_add(1, std::memory_order_release);
        }
        if (somebody_died(job, area)) {
            if (first_death == Clock::time_point{}) {
                first_death = now;
            } else if (now - first_death > patience_after_death) {
                result.cut_short = true;
                break;
            }
        }
    }
    return result;
}

void remove_if_empty(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::file_size(file, ignored) == 0 && !ignored) {
        std::filesystem::remove(file, ignored);
    }
}

}  // namespace

LocalEngine::LocalEngine(LocalEngineSettings settings) : settings_(std::move(settings)) {}

replay::RunRecord LocalEngine::run(const replay::Interleaving& interleaving, std::stop_token stop) {
    const auto begin = Clock::now();
    const Area area =
        Area::create(static_cast<std::uint32_t>(settings_.processes), interleaving.decisions, settings_.protocol);
    area.header().virtual_time = settings_.virtual_time ? 1 : 0;

    replay::JobSpec spec;
    spec.program = settings_.program.path;
    spec.argv0 = settings_.name;
    spec.arguments = settings_.arguments;
    spec.processes = settings_.processes;
    spec.environment = replay::transport_environment(settings_.program, settings_.environment);
    const char* preloaded = std::getenv("LD_PRELOAD");
    std::string preload = settings_.layer.string();
    for (const auto& [name, value] : settings_.environment) {
        spec.environment.emplace_back(name, value);
        if (name == "LD_PRELOAD") {
            preloaded = value.c_str();
        }
    }
    if (preloaded != nullptr && *preloaded != '\0') {
        preload += std::string(":") + preloaded;
        spec.environment.emplace_back("DAMPI_USER_PRELOAD", preloaded);
    }
    spec.environment.emplace_back("LD_PRELOAD", preload);
    spec.environment.emplace_back(replay::area::environment_variable, area.attach_path());
    const std::string number = fmt::format("{:06}", interleaving.number);
    spec.stdout_file = settings_.output / (number + ".out");
    spec.stderr_file = settings_.output / (number + ".err");
    spec.show_output = settings_.show_output;

    Job job(spec);
    const WatchResult watched = watch(job, area, stop);
    std::vector<RankEnd> ends;
    for (int rank = 0; rank < job.processes(); ++rank) {
        ends.push_back(job.end_of(rank));
    }
    const std::vector<replay::AbortRequest> aborts = job.abort_requests();
    job.kill_all();

    RecordReader reader(area, lines_);
    reader.read();
    replay::RunRecord record = judge({.reader = reader,
                                      .ends = ends,
                                      .aborts = aborts,
                                      .stuck = watched.stuck,
                                      .states = watched.states,
                                      .stderr_file = spec.stderr_file,
                                      .message_leaks = settings_.message_leaks});
    record.cut_short = watched.cut_short;
    remove_if_empty(spec.stdout_file);
    remove_if_empty(spec.stderr_file);
    record.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return record;
}

}  // namespace dampi::scheduler
