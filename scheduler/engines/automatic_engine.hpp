// The engine of --engine auto: the centralized one, as long as MPI itself agrees with it. The first run is repeated by
// the distributed engine, and so is each interleaving that confirm() is asked for, since what is modelled may be
// modelled wrongly. Where the two differ at the beginning and each agrees with itself, or MPI is plainly faster, and
// from the moment in which the program calls what is not modelled, the distributed engine goes on. Never decides what
// is a violation. Where its engines' runs go on elsewhere, its own do.
#pragma once

#include "scheduler/confirmation.hpp"
#include "scheduler/engines/execution_engine.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace dampi::scheduler {

class AutomaticEngine final : public RemoteEngine {
public:
    /// An engine, and how it has started the ranks (RunSetup::launching()).
    struct Part {
        std::unique_ptr<ExecutionEngine> runs;
        std::function<std::vector<std::string>()> launching;
    };
    struct Settings {
        Part central;
        std::function<Part()> distributed;  ///< makes the engine that goes on
        /// Likewise that of the runs that MPI repeats; what the program prints in them is nobody's. Empty: no run is
        /// repeated.
        std::function<Part()> repeating;
        bool repeats_touches = false;                 ///< these look for the program's own loads and stores, too
        bool merge_states = false;                    ///< of the centralized one
        std::function<void(const std::string&)> say;  ///< told once, in a sentence, when the other engine goes on
    };

    explicit AutomaticEngine(Settings settings);

    replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) override;

    // Only where the engines' runs go on elsewhere.
    [[nodiscard]] RemoteEngine* remote() override { return elsewhere_ != nullptr ? this : nullptr; }
    void start(std::shared_ptr<const replay::Interleaving> interleaving, std::stop_token stop,
               std::function<void(RunResult)> done) override;
    [[nodiscard]] unsigned room() const override { return elsewhere_->room(); }
    void when_room_grows(std::function<void()> grown) override { elsewhere_->when_room_grows(std::move(grown)); }
    [[nodiscard]] std::optional<std::string> gave_up() const override { return elsewhere_->gave_up(); }

    /// What comes of `interleaving`, which pins the outcomes of the run that has shown `violation`, when MPI itself
    /// runs it: whether the same violation is seen. Ends as soon as `stop` is requested, at the latest after `most`.
    [[nodiscard]] Confirmation confirm(const replay::Interleaving& interleaving, const replay::Violation& violation,
                                       std::chrono::milliseconds most, const std::stop_token& stop);

    /// Of the first run.
    [[nodiscard]] Confirmation first_run() const;
    /// Why the distributed engine has gone on; empty: it has not.
    [[nodiscard]] std::string handed_over() const;
    [[nodiscard]] std::vector<std::string> launching() const;

private:
    /// What MPI makes of it; nothing, and why, where it came to no end.
    struct Repetition {
        std::optional<replay::RunRecord> record;
        std::string why_not;
        bool has_no_end = false;  ///< within the time there was
    };

    [[nodiscard]] Repetition repeat(const replay::Interleaving& interleaving, std::chrono::milliseconds most,
                                    const std::stop_token& stop);
    struct Compared {
        bool differs = false;                    ///< MPI went another way: it runs this interleaving, and goes on
        std::optional<replay::RunRecord> there;  ///< then: what is true of the way it went
    };
    /// The first run that shows all there is to compare. It gets what has ended ranks only when MPI ran it, and which
    /// of its own buffers the program has touched.
    Compared compare(const replay::Interleaving& interleaving, replay::RunRecord& record, const std::stop_token& stop);
    /// Where MPI went another way than the run: how the centralized engine does so itself when it runs that again, if
    /// it does. Then it is the program that does not repeat itself, and no engine is to blame.
    [[nodiscard]] std::optional<std::string> differs_from_itself(const replay::Interleaving& interleaving,
                                                                 const replay::RunRecord& record,
                                                                 const std::stop_token& stop);
    void hand_over(const std::string& fact, std::uint64_t number);
    /// The centralized engine cannot run it. Throws dampi::Error where the other one cannot, either.
    void hand_over_refused(const std::string& fact, const replay::Interleaving& interleaving);
    [[nodiscard]] bool other_goes_on() const { return goes_on_.load(std::memory_order_acquire); }

    Settings settings_;
    RemoteEngine* const elsewhere_;  ///< the centralized one, if its runs go on elsewhere
    std::unique_ptr<ExecutionEngine> repeating_;

    std::mutex comparing_;  // held while the first run is repeated: others wait for what comes of it
    std::atomic<bool> compared_ = false;

    mutable std::mutex mutex_;  // for all that follows
    Confirmation first_run_;
    std::string handed_over_;
    Part distributed_;
    std::atomic<bool> goes_on_ = false;
    std::vector<std::jthread> first_;  ///< runs elsewhere of which the first that can be compared will be
};

}  // namespace dampi::scheduler
