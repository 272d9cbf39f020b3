#include "scheduler/engines/automatic_engine.hpp"

#include "base/check.hpp"
#include "base/wait_unless_stopped.hpp"
#include "replay/cause.hpp"
#include "replay/pinned_outcomes.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/buffer_touches.hpp"
#include "scheduler/engines/agreement.hpp"
#include "scheduler/engines/central/refused.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using std::chrono::milliseconds;

/// Stops a run that takes longer than it may, or that nobody wants any more.
class Deadline {
public:
    Deadline(milliseconds most, const std::stop_token& outer)
        : outer_(outer, [this] { source_.request_stop(); }), watch_([this, most](const std::stop_token& over) {
              if (base::wait_unless_stopped(most, over)) {
                  source_.request_stop();
              }
          }) {}

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::stop_callback<std::function<void()>> outer_;
    std::jthread watch_;
};

/// MPI starts its processes anew and may be that much slower than the model; this is only so that a wait has an end.
milliseconds most_for(double seconds) {
    constexpr double shortest = 20;
    constexpr double factor = 50;
    return milliseconds(static_cast<std::int64_t>(1000 * std::max(shortest, factor * seconds)));
}

/// Every message of the centralized engine passes through dampi-run, which a program with very many of them feels. It
/// must be plain: runs of MPI are no faster when several share the processors.
bool pays_more(double central, double mpi) {
    constexpr double seconds = 1;
    constexpr double factor = 2;
    return central > seconds && central > factor * mpi;
}

/// Whether the run did not come to an end by itself: how long it took says nothing of the program.
bool was_ended(const replay::RunRecord& record) {
    return record.cut_short || std::any_of(record.violations.begin(), record.violations.end(),
                                           [](const auto& each) { return replay::is_stuck(each.kind); });
}

/// What was seen in MPI's run with the same matches, of such kinds and not in the record. What has killed a rank from
/// outside is nothing of its own.
void add_kinds(replay::RunRecord& record, const replay::RunRecord& there, bool (*is_wanted)(replay::ViolationKind)) {
    for (const replay::Violation& violation : there.violations) {
        const bool is_there = std::any_of(record.violations.begin(), record.violations.end(),
                                          [&](const auto& each) { return each.kind == violation.kind; });
        if (is_wanted(violation.kind) && !is_there && violation.message.find("SIGKILL") == std::string::npos) {
            record.violations.push_back(violation);
        }
    }
}

/// What is true of MPI's run, if its matches are as they were to be; it counts as one that was ended.
std::optional<replay::RunRecord> facts_of(replay::RunRecord there) {
    if (there.diverged) {
        return std::nullopt;
    }
    std::erase_if(there.violations, [](const auto& each) { return replay::went_otherwise(each.kind); });
    there.cut_short = true;
    return there;
}

/// Whether a receive was cancelled before a message that may have been there: MPI itself cannot be kept from taking it.
bool cancels_too_early(const replay::RunRecord& record) {
    return std::any_of(record.epochs.begin(), record.epochs.end(), [](const replay::Epoch& epoch) {
        return replay::withdraws(epoch.kind) && epoch.outcome && epoch.outcome->completed.empty() &&
               !epoch.completable.empty();
    });
}

/// Whether the run of MPI itself has come to something else there.
bool cancelled_too_late(const replay::Interleaving& interleaving, const replay::RunRecord& record) {
    return std::any_of(
        interleaving.decisions.begin(), interleaving.decisions.end(), [&](const replay::Decision& decision) {
            if (!replay::withdraws(decision.kind) || !decision.outcome.completed.empty()) {
                return false;
            }
            const auto place = record.place(decision.epoch);
            return place && record.epochs[*place].outcome && !record.epochs[*place].outcome->completed.empty();
        });
}

}  // namespace

AutomaticEngine::AutomaticEngine(Settings settings)
    : settings_(std::move(settings)), elsewhere_(settings_.central.runs->remote()) {
    compared_ = !settings_.repeating;
}

replay::RunRecord AutomaticEngine::run(const replay::Interleaving& interleaving, std::stop_token stop) {
    if (!other_goes_on()) {
        try {
            std::unique_lock first(comparing_, std::defer_lock);
            if (!compared_.load(std::memory_order_acquire)) {
                first.lock();
            }
            replay::RunRecord record = settings_.central.runs->run(interleaving, stop);
            Compared compared;
            if (first.owns_lock() && !compared_.load(std::memory_order_acquire)) {
                compared = compare(interleaving, record, stop);
                if (!compared.differs) {
                    return record;
                }
            }
            if (!other_goes_on()) {
                return record;
            }
            first = {};  // others need not wait for this one
            replay::RunRecord anew = distributed_.runs->run(interleaving, stop);
            return compared.there && anew.cut_short && stop.stop_requested() ? std::move(*compared.there)
                                                                             : std::move(anew);
        } catch (const central::Refused& refused) {
            hand_over_refused(refused.fact(), interleaving);
        }
    }
    return distributed_.runs->run(interleaving, stop);
}

void AutomaticEngine::start(std::shared_ptr<const replay::Interleaving> interleaving, std::stop_token stop,
                            std::function<void(RunResult)> done) {
    if (!compared_.load(std::memory_order_acquire)) {
        const std::lock_guard lock(mutex_);
        first_.emplace_back([this, interleaving, stop, done = std::move(done)] {
            RunResult result;
            try {
                result.record = run(*interleaving, stop);
            } catch (...) {
                result.failure = std::current_exception();
            }
            done(std::move(result));
        });
        return;
    }
    if (other_goes_on()) {
        distributed_.runs->remote()->start(std::move(interleaving), std::move(stop), std::move(done));
        return;
    }
    elsewhere_->start(interleaving, stop, [this, interleaving, stop, done = std::move(done)](RunResult result) {
        if (result.failure) {
            try {
                try {
                    std::rethrow_exception(result.failure);
                } catch (const central::Refused& refused) {
                    hand_over_refused(refused.fact(), *interleaving);
                }
            } catch (...) {
                return done({{}, std::current_exception()});
            }
        }
        if (other_goes_on()) {
            distributed_.runs->remote()->start(interleaving, stop, done);
        } else {
            done(std::move(result));
        }
    });
}

void AutomaticEngine::hand_over_refused(const std::string& fact, const replay::Interleaving& interleaving) {
    if (interleaving.buffering.counts_bytes()) {
        throw Error(fact + "; use --buffering zero or infinite");
    }
    hand_over(fact, interleaving.number);
}

AutomaticEngine::Compared AutomaticEngine::compare(const replay::Interleaving& interleaving, replay::RunRecord& record,
                                                   const std::stop_token& stop) {
    // Some runs show nothing that could be compared; another will.
    if (record.diverged || record.cut_short || record.merged || !record.omitted.empty() || cancels_too_early(record)) {
        return {};
    }
    if (interleaving.buffering.counts_bytes()) {
        compared_.store(true, std::memory_order_release);
        const std::lock_guard lock(mutex_);
        first_run_.what = "it cannot buffer a number of bytes";
        return {};
    }
    Repetition there = repeat(replay::pin_outcomes(interleaving, record), most_for(record.seconds), stop);
    Confirmation confirmation;
    bool repeats_itself = true;
    if (!there.record) {
        if (stop.stop_requested()) {
            return {};
        }
        confirmation.what = there.why_not;
        confirmation.result = there.has_no_end ? Confirmation::Result::no_end : Confirmation::Result::not_tried;
    } else if (const auto difference = disagreement(record, *there.record)) {
        confirmation = {Confirmation::Result::differed, *difference};
        if (const auto here = differs_from_itself(interleaving, record, stop)) {
            repeats_itself = false;
            confirmation.what = *here;
            // That it has ended otherwise is true whichever way the program goes next time.
            add_kinds(record, *there.record, replay::ends_rank);
        }
    } else {
        confirmation.result = Confirmation::Result::agreed;
        add_kinds(record, *there.record, touches_buffers);
    }
    compared_.store(true, std::memory_order_release);
    {
        const std::lock_guard lock(mutex_);
        first_run_ = confirmation;
    }
    if (!repeats_itself) {
        settings_.say("run once more with the same matches, interleaving " + std::to_string(interleaving.number) +
                      " went another way: " + confirmation.what);
    } else if (confirmation.result == Confirmation::Result::differed) {
        hand_over("the program's MPI library went another way than the centralized engine: " + confirmation.what,
                  interleaving.number);
        return {.differs = true, .there = facts_of(std::move(*there.record))};
    } else if (there.record && !settings_.merge_states && !was_ended(record) && !was_ended(*there.record) &&
               pays_more(record.seconds, there.record->seconds)) {
        // The machine may have been busy with something else just then.
        const double seconds = std::min(
            record.seconds, settings_.central.runs->run(replay::pin_outcomes(interleaving, record), stop).seconds);
        if (!stop.stop_requested() && pays_more(seconds, there.record->seconds)) {
            hand_over(fmt::format("MPI itself ran this program in {}, the centralized engine in {}",
                                  replay::duration_text(there.record->seconds), replay::duration_text(seconds)),
                      interleaving.number);
        }
    }
    return {};
}

std::optional<std::string> AutomaticEngine::differs_from_itself(const replay::Interleaving& interleaving,
                                                                const replay::RunRecord& record,
                                                                const std::stop_token& stop) {
    constexpr int times = 4;  // by chance a program may go the same way a few times
    replay::Interleaving pinned = replay::pin_outcomes(interleaving, record);
    pinned.meeting_number = 0;
    for (int i = 0; i < times && !stop.stop_requested(); ++i) {
        const replay::RunRecord again = settings_.central.runs->run(pinned, stop);
        if (!again.cut_short) {
            if (auto difference = disagreement(record, again, "in that run")) {
                return difference;
            }
        }
    }
    return std::nullopt;
}

Confirmation AutomaticEngine::confirm(const replay::Interleaving& interleaving, const replay::Violation& violation,
                                      milliseconds most, const std::stop_token& stop) {
    if (other_goes_on() || !settings_.repeating) {
        return {};
    }
    if (interleaving.buffering.counts_bytes()) {
        return {Confirmation::Result::not_tried, "it cannot buffer a number of bytes"};
    }
    const Repetition there = repeat(interleaving, most, stop);
    if (!there.record) {
        return {Confirmation::Result::not_tried, there.why_not};
    }
    const std::string cause = replay::cause_of(violation);
    const auto is_it = [&](const replay::Violation& each) {
        return each.kind == violation.kind || replay::cause_of(each) == cause;
    };
    const auto& seen = there.record->violations;
    if (std::any_of(seen.begin(), seen.end(), is_it) ||
        std::any_of(there.record->notes.begin(), there.record->notes.end(), is_it)) {
        return {Confirmation::Result::agreed, {}};
    }
    if (cancelled_too_late(interleaving, *there.record)) {
        return {Confirmation::Result::not_tried,
                "it cannot be made to cancel a receive before a message that is there"};
    }
    for (const replay::Violation& each : seen) {
        if (replay::went_otherwise(each.kind)) {
            return {Confirmation::Result::differed, "with MPI itself it did not follow its decisions: " + each.message};
        }
    }
    if (touches_buffers(violation.kind) && !settings_.repeats_touches) {
        return {Confirmation::Result::not_tried, "the program's own loads and stores are not looked for there"};
    }
    return {Confirmation::Result::differed,
            seen.empty()
                ? std::string("nothing was wrong there")
                : fmt::format("{} was seen there: {}", replay::text_of(seen.front().kind), seen.front().message)};
}

AutomaticEngine::Repetition AutomaticEngine::repeat(const replay::Interleaving& interleaving, milliseconds most,
                                                    const std::stop_token& stop) {
    try {
        if (!repeating_) {
            repeating_ = settings_.repeating().runs;
        }
        const Deadline deadline(most, stop);
        replay::RunRecord record = repeating_->run(interleaving, deadline.token());
        if (deadline.token().stop_requested() && record.cut_short) {
            if (stop.stop_requested()) {
                return {std::nullopt, "the sweep ended before"};
            }
            return {std::nullopt,
                    "it had not come to its end within " +
                        replay::duration_text(std::chrono::duration<double>(most).count()),
                    true};
        }
        return {std::move(record), {}};
    } catch (const Error& error) {
        return {std::nullopt, error.what()};
    }
}

Confirmation AutomaticEngine::first_run() const {
    const std::lock_guard lock(mutex_);
    return first_run_;
}

std::string AutomaticEngine::handed_over() const {
    const std::lock_guard lock(mutex_);
    return handed_over_;
}

std::vector<std::string> AutomaticEngine::launching() const {
    std::vector<std::string> lines = settings_.central.launching();
    if (other_goes_on()) {
        for (std::string& line : distributed_.launching()) {
            if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
                lines.push_back(std::move(line));
            }
        }
    }
    return lines;
}

void AutomaticEngine::hand_over(const std::string& fact, std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (other_goes_on()) {
        return;
    }
    settings_.say(fact + ", in interleaving " + std::to_string(number) +
                  ": from here on the distributed engine runs the program; what was explored stays");
    handed_over_ = fact;
    distributed_ = settings_.distributed();
    goes_on_.store(true, std::memory_order_release);
}

}  // namespace dampi::scheduler
