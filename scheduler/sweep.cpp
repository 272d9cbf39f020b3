#include "scheduler/sweep.hpp"

#include "scheduler/findings.hpp"

#include <algorithm>
#include <stop_token>
#include <thread>
#include <unordered_set>

namespace dampi::scheduler {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Requests the stop of a running interleaving when the user interrupts or the time is over.
class Watchdog {
public:
    Watchdog(const std::atomic<bool>* interrupted, std::optional<Clock::time_point> deadline)
        : thread_([this, interrupted, deadline](const std::stop_token& finished) {
              while (!finished.stop_requested()) {
                  if ((interrupted != nullptr && interrupted->load()) || (deadline && Clock::now() >= *deadline)) {
                      source_.request_stop();
                      return;
                  }
                  std::this_thread::sleep_for(milliseconds(10));
              }
          }) {}

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread thread_;
};

/// Counts a run that did not do what was decided, and says where it first did not unless its record does.
void note_deviation(const Deviation& deviation, replay::RunRecord& record, SweepResult& result) {
    const auto has = [&](const char* kind) {
        return std::any_of(record.violations.begin(), record.violations.end(),
                           [&](const replay::Violation& violation) { return violation.kind == kind; });
    };
    if (has("imprecise-match")) {
        ++result.imprecise_matches;
        return;
    }
    ++result.divergences;
    if (has("divergence") || record.diverged) {
        return;
    }
    replay::Violation divergence{
        .kind = "divergence", .message = deviation.text, .ranks = {deviation.epoch.rank}, .situations = {}};
    const auto epoch = std::find_if(record.epochs.begin(), record.epochs.end(),
                                    [&](const replay::Epoch& each) { return each.id == deviation.epoch; });
    if (epoch != record.epochs.end()) {
        divergence.situations = {{.rank = epoch->id.rank, .call = epoch->call, .detail = "", .where = epoch->where}};
    }
    record.violations.push_back(std::move(divergence));
}

}  // namespace

SweepResult run_sweep(ExecutionEngine& engine, Explorer& explorer, const SweepSettings& settings) {
    const auto begin = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration_cast<milliseconds>(Clock::now() - begin); };
    const heuristics::Budget budget(settings.limits);
    std::optional<Clock::time_point> deadline;
    if (settings.limits.time_limit) {
        deadline = begin + *settings.limits.time_limit;
    }
    const Watchdog watchdog(settings.interrupted, deadline);

    SweepResult result;
    result.outcomes_limit = settings.outcomes_limit;
    FindingCollector collector;
    std::unordered_set<std::string> seen;
    replay::Buffering mode{};  // of the last run
    std::uint64_t cut_short = 0;
    bool ended_early = false;
    while (auto interleaving = explorer.next()) {
        if (result.explored != 0) {
            const auto reached =
                budget.reached({.explored = result.explored, .elapsed = elapsed(), .findings = collector.count()});
            if (reached) {
                result.left_out.push_back({reached->reason, reached->sentence});
                ended_early = true;
            } else if (settings.interrupted != nullptr && settings.interrupted->load()) {
                result.left_out.push_back({"interrupt", "the sweep was interrupted"});
                ended_early = true;
            }
            if (ended_early) {
                result.pending = 1;  // the one just asked for
                break;
            }
        }
        replay::RunRecord record = engine.run(*interleaving, watchdog.token());
        if (watchdog.token().stop_requested() && record.cut_short) {
            // Ended by us in the middle: what it showed counts, what it did not show is unknown.
            const bool interrupted = settings.interrupted != nullptr && settings.interrupted->load();
            if (interrupted) {
                result.left_out.push_back({"interrupt", "the sweep was interrupted"});
            } else {
                const auto time = budget.time_is_over();
                result.left_out.push_back({time.reason, time.sentence});
            }
            ended_early = true;
        } else if (record.cut_short) {
            ++cut_short;
        }
        explorer.learn(record);
        ++(interleaving->trial ? result.trials : result.explored);
        mode = interleaving->buffering;
        result.by_buffering[mode].explored += interleaving->trial ? 0 : 1;
        const bool deviated = explorer.deviation() && !record.cut_short;
        if (deviated) {
            note_deviation(*explorer.deviation(), record, result);
        }
        record.diverged = deviated;
        InterleavingOutcome outcome{.number = interleaving->number,
                                    .outcomes = format_outcomes(record.epochs, settings.with_false_answers),
                                    .verdicts = collector.add(*interleaving, record),
                                    .seconds = record.seconds,
                                    .buffering = interleaving->buffering};
        if (!interleaving->trial && !record.diverged && !ended_early &&
            !seen.insert(std::string(replay::buffering_name(mode)) + outcome.outcomes).second) {
            ++result.duplicates;
        }
        if (interleaving->trial) {
            // What it did wrong counts; what it came to is not among the outcomes that are explored.
        } else if (result.interleavings.size() < settings.outcomes_limit) {
            result.interleavings.push_back(std::move(outcome));
        } else {
            result.outcomes_omitted = true;
        }
        for (const auto& [feature, count] : record.not_modelled) {
            result.not_modelled[feature] += count;
        }
        result.communicators.insert(record.communicators.begin(), record.communicators.end());
        if (settings.progress) {
            settings.progress(result, explorer.pending(), collector.count());
        }
        if (ended_early) {
            break;
        }
    }
    result.pending += explorer.pending();
    if (result.pending != 0) {
        result.by_buffering[mode].pending = result.pending;
    }
    if (cut_short != 0) {
        result.left_out.push_back(
            {"cut-short", std::to_string(cut_short) + (cut_short == 1 ? " run was" : " runs were") +
                              " ended while some ranks still computed, since others had died, could never go on, or "
                              "did not come back to MPI: what they would have done later is unknown"});
    }
    if (result.outcomes_omitted) {
        result.interleavings.clear();
    }
    for (const auto& [what, count] : explorer.left_out()) {
        result.left_out.push_back({"alternatives", what + " (" + std::to_string(count) + ")"});
    }
    result.findings = collector.findings();
    result.doubts = collector.doubts();
    result.notes = collector.notes();
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return result;
}

}  // namespace dampi::scheduler
