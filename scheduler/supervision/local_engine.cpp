#include "scheduler/supervision/local_engine.hpp"

#include "clocks/check.hpp"
#include "replay/area/area.hpp"
#include "replay/launch/job.hpp"
#include "replay/launch/prepared_program.hpp"
#include "replay/launch/transport.hpp"
#include "replay/preload.hpp"
#include "scheduler/supervision/hang.hpp"
#include "scheduler/supervision/judgement.hpp"
#include "scheduler/supervision/livelock.hpp"
#include "scheduler/supervision/quiescence.hpp"
#include "scheduler/supervision/rank_states.hpp"
#include "scheduler/supervision/record_reader.hpp"
#include "scheduler/supervision/situation_capture.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>

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
// After a rank has died, or some are in a deadlock, the others go on, so that what they do is seen, until they are
// stuck or this long.
constexpr auto patience_after_fatal = 2s;
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

/// Watches a run until all its processes have ended or it has to be ended.
class Watch {
public:
    Watch(Job& job, const Area& area, const LocalEngineSettings& settings)
        : job_(job), area_(area), livelock_(settings.livelock_limit) {
        if (settings.hang_limit) {
            hang_.emplace(*settings.hang_limit);
        }
    }

    RunEnding run(const std::stop_token& stop) {
        while (job_.running() > 0) {
            job_.serve(look_interval);
            if (stop.stop_requested()) {
                ending_.cut_short = true;
                break;
            }
            if (job_.running() == 0) {
                break;
            }
            for (const replay::AbortRequest& request : job_.abort_requests()) {
                // It waits for an answer that nobody gives under mpiexec either.
                if (job_.end_of(request.rank).how == RankEnd::How::running) {
                    job_.kill_rank(request.rank);
                }
            }
            if (is_over(Clock::now())) {
                break;
            }
        }
        return std::move(ending_);
    }

private:
    /// Looks at the ranks once. Whether the run has to be ended.
    bool is_over(Clock::time_point now) {
        std::vector<RankState> states = read_rank_states(area_, who_lives(job_));
        const bool death = somebody_died(job_, area_);
        const auto answer = quiescence_.look(states, now);
        if (answer == Quiescence::Answer::quiescent || answer == Quiescence::Answer::deadlock) {
            if (!death) {
                note_deadlock(states, now);
            }
        }
        if (answer == Quiescence::Answer::quiescent) {
            return true;
        }
        if (answer == Quiescence::Answer::release) {
            area_.rank(quiescence_.released()).poll_release.fetch_add(1, std::memory_order_release);
        } else if (answer != Quiescence::Answer::moving) {
            area_.header().settle_round.store(quiescence_.round(), std::memory_order_release);
        }
        if (ending_.reason == RunEnding::Reason::finished && !death && livelock_.look(states, now)) {
            ending_.reason = RunEnding::Reason::livelock;
            ending_.ranks = livelock_.polling();
            ending_.since = livelock_.since();
            ending_.decided = now;
            ending_.states = std::move(states);
            return true;
        }
        if (hang_) {
            std::vector<bool> hung = hang_->look(states, now);
            if (!hung.empty()) {
                if (ending_.reason == RunEnding::Reason::finished && !death) {
                    ending_.reason = RunEnding::Reason::hang;
                    ending_.ranks = std::move(hung);
                    ending_.states = std::move(states);
                }
                ending_.cut_short = true;
                return true;
            }
        }
        return nobody_needs_more_time(death || ending_.reason == RunEnding::Reason::deadlock, now);
    }

    void note_deadlock(const std::vector<RankState>& states, Clock::time_point now) {
        if (ending_.reason != RunEnding::Reason::deadlock || ending_.ranks != quiescence_.stuck()) {
            ending_.ranks = quiescence_.stuck();
            ending_.since = quiescence_.stuck_since();
            ending_.decided = now;
            ending_.states = states;
        }
        ending_.reason = RunEnding::Reason::deadlock;
    }

    /// After something fatal the others go on for a while.
    bool nobody_needs_more_time(bool fatal, Clock::time_point now) {
        if (!fatal) {
            return false;
        }
        if (fatal_since_ == Clock::time_point{}) {
            fatal_since_ = now;
        }
        ending_.cut_short = now - fatal_since_ > patience_after_fatal;
        return ending_.cut_short;
    }

    Job& job_;
    const Area& area_;
    Quiescence quiescence_;
    Livelock livelock_;
    std::optional<Hang> hang_;
    Clock::time_point fatal_since_{};
    RunEnding ending_;
};

bool any_taken(const std::vector<RankEnd>& ends) {
    return std::any_of(ends.begin(), ends.end(), [](const RankEnd& end) { return end.how == RankEnd::How::taken; });
}

/// Where a run's time went until its processes had ended. What the ranks noted is believed only as far as it fits.
replay::RunParts parts_of(const Area& area, Clock::time_point begin, Clock::time_point end) {
    using replay::area::Moment;
    const auto last = [&](Moment moment, Clock::time_point at_least) {
        auto result = at_least;
        for (Rank rank = 0; rank < static_cast<Rank>(area.processes()); ++rank) {
            const auto& noted = area.rank(rank).moment[static_cast<std::size_t>(moment)];
            const std::chrono::nanoseconds since_start(noted.load(std::memory_order_relaxed));
            const Clock::time_point then(since_start);
            result = since_start.count() == 0 ? end : std::clamp(then, result, end);
        }
        return result;
    };
    const auto in_init = last(Moment::init_entered, begin);
    const auto in_program = last(Moment::init_left, in_init);
    const auto in_finalize = last(Moment::finalize_entered, in_program);
    const auto seconds = [](Clock::duration duration) { return std::chrono::duration<double>(duration).count(); };
    return {.launch = seconds(in_init - begin),
            .init = seconds(in_program - in_init),
            .program = seconds(in_finalize - in_program),
            .finalize = seconds(end - in_finalize)};
}

void remove_if_empty(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::file_size(file, ignored) == 0 && !ignored) {
        std::filesystem::remove(file, ignored);
    }
}

}  // namespace

LocalEngine::LocalEngine(LocalEngineSettings settings)
    : settings_(std::move(settings)), choices_(replay::transport_choices(settings_.program, settings_.environment)) {}

LocalEngine::~LocalEngine() = default;

std::vector<std::string> LocalEngine::launching() const {
    std::vector<std::string> lines;
    const std::lock_guard lock(preparing_);
    if (settings_.launcher) {
        lines.push_back("ranks are started by " + settings_.launcher->command);
    }
    for (const auto& [mode, prepared] : prepared_) {
        const std::string obstacle = prepared->obstacle();
        const std::string line = obstacle.empty()
                                     ? "ranks are forked from a prepared process"
                                     : "each rank is executed: the program cannot be prepared, " + obstacle;
        if (lines.empty() || lines.back() != line) {
            lines.push_back(line);
        }
    }
    if (!settings_.launcher && settings_.program.mpi_at_run_time) {
        lines.emplace_back("each rank is executed: its program loads MPI at run time");
    } else if (!settings_.launcher && !settings_.program.contained_layer.empty()) {
        lines.emplace_back("each rank is executed: the layer is linked into its program");
    } else if (!settings_.prepare && !settings_.launcher) {
        lines.emplace_back("each rank is executed (--no-prepare)");
    }
    for (const replay::TransportChoice& choice : choices_) {
        lines.push_back(choice.value.empty() ? fmt::format("{} is left alone: {}", choice.name, choice.why)
                                             : fmt::format("{}={}: {}", choice.name, choice.value, choice.why));
    }
    return lines;
}

bool LocalEngine::can_be_prepared() const {
    return !settings_.launcher && !settings_.program.mpi_at_run_time && settings_.program.contained_layer.empty();
}

replay::RunRecord LocalEngine::run(const replay::Interleaving& interleaving, std::stop_token stop) {
    const auto begin = Clock::now();
    const Area area =
        Area::create(static_cast<std::uint32_t>(settings_.processes), interleaving.decisions, settings_.protocol);
    area.header().virtual_time = settings_.virtual_time ? 1 : 0;
    area.header().record_stacks = settings_.record_stacks ? 1 : 0;
    area.header().free_seed = interleaving.free_seed;
    const replay::Rendezvous rendezvous = replay::rendezvous_for(interleaving.buffering, settings_.environment);
    area.header().buffering = static_cast<std::uint32_t>(interleaving.buffering);
    area.header().rendezvous_threshold = rendezvous.threshold;

    replay::JobSpec spec;
    spec.program = settings_.program.path;
    spec.argv0 = settings_.name;
    spec.arguments = settings_.arguments;
    spec.processes = settings_.processes;
    spec.environment = replay::transport_environment(choices_);
    const char* preloaded = std::getenv("LD_PRELOAD");
    for (const auto& [name, value] : settings_.environment) {
        spec.environment.emplace_back(name, value);
        if (name == "LD_PRELOAD") {
            preloaded = value.c_str();
        }
    }
    spec.environment.insert(spec.environment.end(), rendezvous.settings.begin(), rendezvous.settings.end());
    const std::string users = preloaded == nullptr ? "" : preloaded;
    if (!users.empty()) {
        spec.environment.emplace_back(replay::users_preload_variable, users);
    }
    if (settings_.program.contained_layer.empty()) {
        spec.environment.emplace_back("LD_PRELOAD", replay::preload_list(settings_.layer.string(), users));
    } else if (!users.empty()) {
        spec.environment.emplace_back("LD_PRELOAD", users);
    }
    if (settings_.program.mpi_at_run_time) {
        spec.environment.emplace_back(replay::late_variable, "1");
    }
    spec.run_environment.emplace_back(replay::area::environment_variable, area.attach_path());
    if (can_be_prepared() && settings_.prepare) {
        const std::lock_guard lock(preparing_);
        auto& prepared = prepared_[interleaving.buffering];
        if (!prepared) {
            prepared = std::make_unique<replay::PreparedProgram>(spec);
        }
        spec.prepared = prepared.get();
    }
    const std::string number = fmt::format("{:06}", interleaving.number);
    spec.stdout_file = settings_.output / (number + ".out");
    spec.stderr_file = settings_.output / (number + ".err");
    spec.show_output = settings_.show_output;
    spec.launcher = settings_.launcher;
    spec.stop = stop;

    const auto start = Clock::now();
    Job job(spec);
    RunEnding ending = Watch(job, area, settings_).run(stop);
    std::vector<std::vector<replay::CodePlace>> stacks;
    if (job.running() > 0 && !stop.stop_requested()) {
        if (ending.reason != RunEnding::Reason::finished) {
            stacks = capture_situations(job, area);
        }
        run_epilogue(job, area);
    }
    std::vector<RankEnd> ends;
    for (int rank = 0; rank < job.processes(); ++rank) {
        ends.push_back(job.end_of(rank));
    }
    const std::vector<replay::AbortRequest> aborts = job.abort_requests();
    const std::string launcher = job.launcher_state();
    job.kill_all();
    const auto end = Clock::now();

    RecordReader reader(area, lines_);
    reader.read();
    replay::RunRecord record = judge({.reader = reader,
                                      .ends = ends,
                                      .aborts = aborts,
                                      .ending = ending,
                                      .stacks = std::move(stacks),
                                      .stderr_file = spec.stderr_file,
                                      .late_start = settings_.program.mpi_at_run_time,
                                      .message_leaks = settings_.message_leaks});
    record.cut_short = ending.cut_short;
    if (any_taken(ends)) {
        if (!stop.stop_requested() && record.violations.empty()) {
            throw Error("the launcher ended ranks, and nothing that is known of them explains it: " + launcher);
        }
        record.cut_short = true;  // what they would have done is not known
    }
    remove_if_empty(spec.stdout_file);
    remove_if_empty(spec.stderr_file);
    record.parts = parts_of(area, start, end);
    record.parts.collection = std::chrono::duration<double>(Clock::now() - end).count();
    record.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return record;
}

}  // namespace dampi::scheduler
