#include "scheduler/sweep/sweep.hpp"

#include "base/check.hpp"
#include "base/wait_unless_stopped.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/outside_end.hpp"
#include "scheduler/sweep/deadlocks_without_buffers.hpp"
#include "scheduler/sweep/outcomes_of_findings.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

namespace dampi::scheduler {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

/// What is learned from a run that was over when the sweep is to end may take so long; then the run is made again when
/// the sweep goes on.
constexpr milliseconds time_to_learn = 500ms;

/// One for each reason, with its places, the widest first.
std::vector<LeftOut> left_out_otherwise(const LeftOutAlternatives& alternatives) {
    std::vector<LeftOut> all;
    std::uint64_t sum = 0;
    for (auto at = alternatives.otherwise.begin(); at != alternatives.otherwise.end();) {
        const auto& [reason, count] = *at;
        if (sum == 0) {
            all.push_back({.reason = "alternatives", .what = reason.what, .remedy = reason.remedy, .places = {}});
        }
        LeftOut& left = all.back();
        sum += count;
        if (!reason.call.empty()) {
            left.places.push_back({.call = reason.call, .where = reason.where, .alternatives = count});
        }
        ++at;
        if (at == alternatives.otherwise.end() || at->first.what != left.what) {
            left.what += " (" + std::to_string(std::exchange(sum, 0)) + ")";
            std::stable_sort(
                left.places.begin(), left.places.end(),
                [](const LeftOut::Place& a, const LeftOut::Place& b) { return a.alternatives > b.alternatives; });
        }
    }
    return all;
}

/// Of a call stack outside of MPI the innermost place that is not the C library's, whose sources are nowhere.
const replay::CodePlace& place_outside(const replay::RankSituation& situation) {
    const auto found = std::find_if(situation.stack.begin(), situation.stack.end(), [](const replay::CodePlace& frame) {
        return frame.line > 0 && frame.file.starts_with('/');
    });
    return found != situation.stack.end() ? *found
           : situation.stack.empty()      ? situation.where
                                          : situation.stack.front();
}

/// "ranks 0-2 in MPI_Recv", at the place.
std::vector<LeftOut::Place> where_ranks_were(const std::vector<replay::RankSituation>& situations) {
    struct Group {
        std::vector<replay::Rank> ranks;
        std::string doing;
        replay::CodePlace where;
    };
    std::vector<Group> groups;
    for (const replay::RankSituation& each : situations) {
        const bool outside = each.call.empty();
        const std::string doing = outside ? "outside MPI" : "in " + each.call;
        const replay::CodePlace& where = outside ? place_outside(each) : each.where;
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            return group.doing == doing && replay::place_text(group.where) == replay::place_text(where);
        });
        Group& group = same == groups.end() ? groups.emplace_back(Group{{}, doing, where}) : *same;
        group.ranks.push_back(each.rank);
    }
    std::vector<LeftOut::Place> places;
    for (const Group& group : groups) {
        places.push_back(
            {.call = fmt::format("{} {}", replay::rank_list(group.ranks), group.doing), .where = group.where});
    }
    return places;
}

class Sweep {
public:
    Sweep(ExecutionEngine& engine, Explorer& explorer, SweepAccount& account, const SweepSettings& settings)
        : engine_(engine),
          remote_(engine.remote()),
          explorer_(explorer),
          account_(account),
          settings_(settings),
          budget_(settings.limits) {
        if (settings.limits.time_limit) {
            deadline_ = begin_ + *settings.limits.time_limit;
        }
    }

    SweepResult run() {
        show();
        {
            const std::jthread watch([this](const std::stop_token& over) { watch_over(over); });
            const std::jthread progress([this](const std::stop_token& over) { tell_progress(over); });
            if (remote_ != nullptr) {
                run_elsewhere();
            } else {
                run_here();
            }
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return result();
    }

private:
    void run_here() {
        const auto jobs = static_cast<int>(settings_.jobs);
        // As many as were asked for, also if there are fewer cores: the ranks sleep much.
        const tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism,
                                              static_cast<std::size_t>(jobs) + 1);
        tbb::task_arena arena(jobs);
        arena.execute([&] {
            start_more();
            tasks_.wait();
        });
    }

    /// Runs are taken in, and others started, by the threads that tell that one is over.
    void run_elsewhere() {
        remote_->when_room_grows([this] { start_more(); });
        start_more();
        {
            std::unique_lock lock(mutex_);
            all_over_.wait(lock, [this] { return elsewhere_ == 0; });
        }
        remote_->when_room_grows({});
    }

    void start_elsewhere(const std::shared_ptr<const replay::Interleaving>& interleaving) {
        ++elsewhere_;
        remote_->start(interleaving, stop_.get_token(), [this, interleaving](RunResult result) {
            execute(*interleaving, [&] { return result.take(); });
            const std::lock_guard lock(mutex_);
            if (--elsewhere_ == 0) {
                all_over_.notify_all();
            }
        });
    }

    [[nodiscard]] unsigned jobs() const { return remote_ != nullptr ? remote_->room() : settings_.jobs; }

    [[nodiscard]] milliseconds elapsed() const {
        return std::chrono::duration_cast<milliseconds>(Clock::now() - begin_);
    }

    [[nodiscard]] double seconds() const {
        return seconds_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
    }

    [[nodiscard]] bool interrupted() const { return settings_.interrupted != nullptr && settings_.interrupted->load(); }

    [[nodiscard]] std::optional<std::string> gave_up() const {
        return remote_ != nullptr ? remote_->gave_up() : std::nullopt;
    }

    /// Where what was decided did not come for long, the machine, or one of several, may have stood still for a while.
    [[nodiscard]] bool may_have_been_held_up(const replay::RunRecord& record) {
        constexpr double long_time = 5;
        constexpr unsigned most = 10;
        return settings_.repeats_doubts && record.diverged && record.seconds >= long_time && !stop_.stop_requested() &&
               std::any_of(record.violations.begin(), record.violations.end(),
                           [](const replay::Violation& violation) {
                               return violation.kind == replay::ViolationKind::imprecise_match;
                           }) &&
               held_up_++ < most;
    }

    /// Whoever ends all processes of a job, as Slurm does where it is cancelled or its time is over, ends ranks and
    /// dampi-run alike, and that is nothing of the program's. What ends its ranks again and again is the program
    /// itself.
    [[nodiscard]] bool is_soon_interrupted() {
        constexpr unsigned patient = 5;
        const auto until = Clock::now() + (ended_from_outside_++ < patient ? 1000ms : 100ms);
        while (!interrupted() && Clock::now() < until) {
            std::this_thread::sleep_for(5ms);
        }
        return interrupted();
    }

    /// The first of a sweep that goes on after one was found is another one.
    [[nodiscard]] std::uint64_t findings_since_begin() const { return account_.findings() - findings_before_; }

    /// Starts what may run beside what is running.
    void start_more() {
        const std::lock_guard lock(mutex_);
        while (!ended_early_ && !failure_ && running_ < jobs()) {
            auto interleaving = explorer_.next();
            if (!interleaving) {
                return;
            }
            present_mode_ = interleaving->buffering;
            if (must_not_start(*interleaving)) {
                explorer_.give_back(interleaving->number);
                return;
            }
            ++running_;
            started_ += interleaving->trial ? 0 : 1;
            show();
            if (remote_ != nullptr) {
                start_elsewhere(std::make_shared<const replay::Interleaving>(std::move(*interleaving)));
            } else {
                tasks_.run([this, next = std::move(*interleaving)] {
                    execute(next, [&] {
                        replay::RunRecord record = engine_.run(next, stop_.get_token());
                        if (may_have_been_held_up(record)) {
                            record = engine_.run(next, stop_.get_token());
                        }
                        if (may_be_ended_from_outside(record) && is_soon_interrupted()) {
                            stop_.request_stop();
                            record = {};
                            record.cut_short = true;
                        }
                        return record;
                    });
                });
            }
        }
    }

    /// What is told of the progress from now on.
    void show() {
        const std::lock_guard lock(shown_mutex_);
        shown_ = {.explored = account_.explored(),
                  .trials = account_.trials(),
                  .running = running_,
                  .pending = explorer_.pending(),
                  .findings = account_.findings(),
                  .part_done = explorer_.progress(),
                  .size = explorer_.estimate()};
    }

    /// A bound that is reached together with the end leaves nothing out, so it is asked when there is something left.
    bool must_not_start(const replay::Interleaving& interleaving) {
        if (interrupted()) {
            end_early("interrupt", "the sweep was interrupted");
        } else if (const auto why = gave_up()) {
            end_early("workers", *why);
        } else if (account_.explored() + started_ != 0) {
            const auto reached =
                budget_.reached({.explored = account_.explored() + started_ - (interleaving.trial ? 1 : 0),
                                 .elapsed = elapsed(),
                                 .findings = findings_since_begin()});
            if (reached) {
                end_early(reached->reason, reached->sentence);
            }
        }
        return ended_early_;
    }

    void end_early(const std::string& reason, const std::string& sentence) {
        if (!ended_early_) {
            left_out_.push_back({reason, sentence});
        }
        ended_early_ = true;
    }

    template <typename Run>
    void execute(const replay::Interleaving& interleaving, Run&& run) {
        try {
            replay::RunRecord record = run();
            take_in(interleaving, std::move(record));
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) {
                failure_ = std::current_exception();
            }
            stop_.request_stop();
            --running_;
            return;
        }
        start_more();
    }

    void take_in(const replay::Interleaving& interleaving, replay::RunRecord record) {
        const SitesOfRun sites = sites_of(record);
        const std::lock_guard lock(mutex_);
        --running_;
        started_ -= interleaving.trial ? 0 : 1;
        std::optional<Lesson> lesson;
        if (!record.cut_short || !stop_.stop_requested()) {
            lesson = explorer_.learn(interleaving.number, record, stop_learning_.get_token());
        }
        const bool unfinished = !lesson;
        if (unfinished && account_.explored() == 0) {
            stopped_at_ = std::move(record.stopped_at);
        }
        if (settings_.look && !unfinished && !interleaving.trial) {
            settings_.look(interleaving, record);
        }
        SweepEntry entry =
            account_.look(interleaving, std::move(record), std::move(lesson).value_or(Lesson{}), unfinished, sites);
        if (unfinished) {
            // It will be run again, and what it did not show this time is unknown; but what it showed is true.
            explorer_.give_back(interleaving.number);
            ++unfinished_;
            end_by_stop();
            if (entry.sightings.empty()) {
                return;
            }
        }
        entry.seconds = seconds();
        if (settings_.keeper != nullptr) {
            keep(entry);
        }
        if (!unfinished) {
            explorer_.apply(entry.lesson);
        }
        account_.apply(entry);
        if (settings_.keeper != nullptr) {
            settings_.keeper->compact(explorer_, account_);
        }
        if (settings_.taken_in) {
            settings_.taken_in(interleaving.number, account_);
        }
        show();
        if (settings_.limits.stop_on_first && findings_since_begin() != 0) {
            stop_.request_stop();
        }
    }

    /// An entry that is too large to be kept loses what makes it so; nothing else would be there after an interrupt.
    void keep(SweepEntry& entry) {
        while (!settings_.keeper->keep(entry)) {
            if (!entry.shorten()) {
                throw Error("interleaving " + std::to_string(entry.outcome.number) +
                            " shows more than an entry of the journal can hold: make the program's problem smaller");
            }
        }
    }

    /// Why running interleavings were stopped.
    void end_by_stop() {
        if (interrupted()) {
            end_early("interrupt", "the sweep was interrupted");
        } else if (const auto why = gave_up()) {
            end_early("workers", *why);
        } else if (deadline_ && Clock::now() >= *deadline_) {
            const auto time = budget_.time_is_over();
            end_early(time.reason, time.sentence);
        } else if (const auto reached = budget_.reached(
                       {.explored = account_.explored(), .elapsed = elapsed(), .findings = findings_since_begin()})) {
            end_early(reached->reason, reached->sentence);
        }
    }

    /// Stops running interleavings when the user interrupts or the time is over, and soon what is learned from those
    /// that have come to their end. Waits for nothing else.
    void watch_over(const std::stop_token& over) {
        std::optional<Clock::time_point> stopped;
        while (!over.stop_requested()) {
            if (interrupted() || (deadline_ && Clock::now() >= *deadline_) || gave_up()) {
                stop_.request_stop();
                stopped = stopped.value_or(Clock::now());
            }
            if (stopped && Clock::now() >= *stopped + time_to_learn) {
                stop_learning_.request_stop();
            }
            base::wait_unless_stopped(10ms, over);
        }
    }

    /// Tells about the progress. What is told is on the disk, which this thread alone waits for.
    void tell_progress(const std::stop_token& over) {
        while (settings_.progress && !over.stop_requested()) {
            base::wait_unless_stopped(100ms, over);
            SweepProgress progress;
            {
                const std::lock_guard lock(shown_mutex_);
                progress = shown_;
            }
            try {
                if (settings_.keeper != nullptr) {
                    settings_.keeper->wait_until_kept();
                }
            } catch (const Error&) {
                return;  // the next run that is to be kept ends the sweep with it
            }
            settings_.progress(progress);
        }
    }

    SweepResult result() {
        DAMPI_CHECK(running_ == 0);
        if (settings_.keeper != nullptr) {
            settings_.keeper->wait_until_kept();
        }
        SweepResult result = account_.result();
        result.unfinished = unfinished_;
        result.ended_early = ended_early_;
        result.pending = explorer_.pending();
        result.size_estimate = explorer_.estimate();
        if (const auto mode = result.by_buffering.find(present_mode_); mode != result.by_buffering.end()) {
            mode->second.pending = result.pending;
        } else if (!result.by_buffering.empty()) {
            result.pending = 0;  // of a mode of which nothing was run, nothing is known
        }
        if (!left_out_.empty() && account_.explored() == 0) {
            left_out_.front().places = where_ranks_were(stopped_at_);
        }
        result.left_out.insert(result.left_out.begin(), left_out_.begin(), left_out_.end());
        LeftOutAlternatives alternatives = explorer_.left_out();
        for (LeftOut& left : left_out_otherwise(alternatives)) {
            result.left_out.push_back(std::move(left));
        }
        result.left_out_by_bounds = std::move(alternatives.by_bounds);
        if (result.pending == 0 && !ended_early_) {
            result.outcomes = explorer_.outcomes();
        }
        if (result.complete() && result.left_out_by_bounds.empty()) {
            // What is foreseen would have been seen in the run that brings it about.
            std::erase_if(result.findings, [](const Finding& finding) { return finding.foreseen; });
        }
        if (result.complete() && result.left_out_by_bounds.empty()) {
            tell_outcomes(result);
        }
        join_deadlocks_without_buffers(result.findings);
        result.seconds = seconds();
        return result;
    }

    std::atomic<unsigned> ended_from_outside_ = 0;  ///< runs
    std::atomic<unsigned> held_up_ = 0;             ///< likewise
    ExecutionEngine& engine_;
    RemoteEngine* const remote_;  ///< likewise, if its runs go on elsewhere
    Explorer& explorer_;
    SweepAccount& account_;
    const SweepSettings& settings_;
    const heuristics::Budget budget_;
    const Clock::time_point begin_ = Clock::now();
    const double seconds_before_ = account_.seconds();
    const std::uint64_t findings_before_ = account_.findings();
    std::optional<Clock::time_point> deadline_;
    std::stop_source stop_;
    std::stop_source stop_learning_;

    std::mutex shown_mutex_;  // is never held for long; taken last
    SweepProgress shown_;

    // For the explorer, the account, and all of the following. Held while a run is learned from: what is next depends
    // on it. The threads that watch the time and tell the progress never take it.
    std::mutex mutex_;
    std::uint64_t running_ = 0;
    std::uint64_t started_ = 0;  // running, without trials
    std::uint64_t unfinished_ = 0;
    replay::Buffering present_mode_;  // of the last interleaving that was next
    bool ended_early_ = false;
    std::vector<LeftOut> left_out_;
    std::vector<replay::RankSituation> stopped_at_;  ///< what the ranks did in a first run that was not finished
    std::exception_ptr failure_;
    std::uint64_t elsewhere_ = 0;  ///< runs that have been started there and not been dealt with
    std::condition_variable all_over_;

    tbb::task_group tasks_;
};

}  // namespace

SweepResult run_sweep(ExecutionEngine& engine, Explorer& explorer, SweepAccount& account,
                      const SweepSettings& settings) {
    DAMPI_CHECK(settings.jobs > 0);
    return Sweep(engine, explorer, account, settings).run();
}

}  // namespace dampi::scheduler
