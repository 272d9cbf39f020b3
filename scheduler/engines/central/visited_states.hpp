// The states in which the runs of a sweep have been: says whether a run has come to one of another run, which then
// stands for all that follows. Decides nothing else: what a state is, and when a run may end there, is the machine's
// (Machine::state, open_past). Knows states by their digests. Any thread.
#pragma once

#include "base/digest.hpp"
#include "replay/buffering.hpp"
#include "replay/run_record.hpp"
#include "scheduler/engines/central/open_past.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dampi::scheduler::central {

class VisitedStates {
public:
    /// Beyond so many no more are kept, some 64 bytes each: runs that come to others than these go on.
    static constexpr std::size_t most_states = 4'000'000;

    explicit VisitedStates(std::size_t most = most_states) : most_(most) {}

    /// Whether it is worth while to find out in which state a run is after so many outcomes. Where hardly any run has
    /// come to a state of another one, only now and then: in the same places in each run, so that they still can.
    [[nodiscard]] bool wanted(std::uint32_t settled) const {
        constexpr std::uint64_t enough_visits = 1000;
        constexpr std::uint64_t enough_dear_visits = 64;
        constexpr std::uint32_t now_and_then = 4;
        const std::lock_guard lock(mutex_);
        return meets_after(is_dear() ? enough_dear_visits : enough_visits) || settled % now_and_then == 0;
    }

    /// A run has taken so long, and so much of that to find out in which states it was.
    void note_times(std::chrono::nanoseconds whole, std::chrono::nanoseconds comparing) {
        const std::lock_guard lock(mutex_);
        whole_ += whole;
        comparing_ += comparing;
    }

    /// Whether runs come to states of others, or it is not known yet.
    [[nodiscard]] bool may_meet() const {
        constexpr std::uint64_t enough_visits = 100;
        const std::lock_guard lock(mutex_);
        return meets_after(enough_visits);
    }

    struct Visit {
        std::optional<replay::Merge> met;  ///< where another run was in it first: that one, and there
        bool is_open = false;              ///< that may be given up
        bool is_exact = false;             ///< OpenState::is_exact of that state
        /// Where others may come to meet this run, and that may be given up.
        std::optional<replay::OpenState> open = {};
    };

    /// The run `here.run` is in this state, after `here.settled` outcomes. A run that was there before is none of its
    /// own.
    Visit visit(const base::Digest& state, const OpenPast& past, const replay::Merge& here) {
        const std::lock_guard lock(mutex_);
        first_ = first_.value_or(here.run);
        visits_ += here.run == *first_ ? 0 : 1;  // which has nobody to meet
        if (past.is_closed()) {
            return visit_one(state, here);
        }
        base::Digest name = base::DigestBuilder().add(state).add(past.what).value();
        const bool is_exact = is_in_vain() || given_up_.contains(name);
        if (is_exact) {
            if (!past.what_exactly) {
                return {};
            }
            name = base::DigestBuilder().add(state).add(past.what).add(*past.what_exactly).value();
        }
        if (given_up_.contains(name)) {
            return {};
        }
        const std::size_t before = states_.size();
        Visit visit = visit_one(name, here);
        visit.is_open = true;
        visit.is_exact = is_exact;
        if (states_.size() != before) {
            open_.emplace(here, name);
            visit.open = {.settled = here.settled, .is_exact = is_exact, .epochs = is_exact ? past.exact : past.epochs};
        }
        return visit;
    }

    /// Nobody meets a run in this state any more, as what follows it has shown something of what was before.
    void give_up(const replay::Merge& where) {
        const std::lock_guard lock(mutex_);
        if (const auto found = open_.extract(where)) {
            states_.erase(found.mapped());
            given_up_.insert(found.mapped());
        }
    }

    /// The run is over, and explored from.
    void keep(std::uint64_t run) {
        const std::lock_guard lock(mutex_);
        of_run_.erase(run);
    }
    /// Instead: it does not count, and will be run again. Whoever has ended in one of its states relies on all that has
    /// its decisions being explored, which it is then.
    void forget(std::uint64_t run) {
        const std::lock_guard lock(mutex_);
        if (const auto states = of_run_.extract(run)) {
            for (const base::Digest& state : states.mapped()) {
                if (const auto found = states_.find(state); found != states_.end() && found->second.run == run) {
                    open_.erase(found->second);
                    states_.erase(found);
                }
            }
        }
    }

    void clear() {
        const std::lock_guard lock(mutex_);
        states_.clear();
        of_run_.clear();
        open_.clear();
        given_up_.clear();
    }

    [[nodiscard]] std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return states_.size();
    }

    /// There may be states that are not kept.
    [[nodiscard]] bool is_full() const {
        const std::lock_guard lock(mutex_);
        return states_.size() >= most_;
    }

private:
    static constexpr std::uint64_t few = 32;  ///< one of so many

    /// Ranks write so much memory that comparing them is felt.
    [[nodiscard]] bool is_dear() const {
        constexpr std::chrono::seconds felt{1};
        constexpr int large_part = 5;
        return whole_ > felt && comparing_ > whole_ / large_part;
    }

    Visit visit_one(const base::Digest& name, const replay::Merge& here) {
        const auto found = states_.find(name);
        if (found != states_.end()) {
            const bool met = found->second.run != here.run;
            met_ += met ? 1 : 0;
            return {.met = met ? std::optional(found->second) : std::nullopt};
        }
        if (states_.size() < most_) {
            states_.emplace(name, here);
            of_run_[here.run].push_back(name);
        }
        return {};
    }

    /// States in which nothing may be sent without knowing of what was before are given up too often.
    [[nodiscard]] bool is_in_vain() const {
        constexpr std::size_t enough = 64;
        return given_up_.size() >= enough && given_up_.size() > open_.size();
    }

    /// Runs come to states of others, as far as so many visits tell.
    bool meets_after(std::uint64_t enough_visits) const { return visits_ < enough_visits || met_ * few >= visits_; }

    const std::size_t most_;
    mutable std::mutex mutex_;
    std::optional<std::uint64_t> first_;  ///< the run that was the first to be in some state
    std::uint64_t visits_ = 0;            ///< of others
    std::uint64_t met_ = 0;               ///< of these: where another run had been
    std::chrono::nanoseconds whole_{0};   ///< that runs have taken
    std::chrono::nanoseconds comparing_{0};
    std::unordered_map<base::Digest, replay::Merge> states_;
    std::unordered_map<std::uint64_t, std::vector<base::Digest>> of_run_;  ///< of those under way
    std::map<replay::Merge, base::Digest> open_;
    std::unordered_set<base::Digest> given_up_;
};

/// By mode of buffering: in each the same state has another future. Any thread.
class VisitedOfModes {
public:
    explicit VisitedOfModes(std::size_t most = VisitedStates::most_states) : most_(most) {}

    VisitedStates& at(const replay::Buffering& buffering) {
        const std::lock_guard lock(mutex_);
        return modes_.try_emplace(buffering, most_).first->second;
    }

    /// For people; empty where no states were compared.
    [[nodiscard]] std::string summary() const {
        const std::lock_guard lock(mutex_);
        std::size_t states = 0;
        bool full = false;
        for (const auto& [mode, visited] : modes_) {
            states += visited.size();
            full = full || visited.is_full();
        }
        if (modes_.empty()) {
            return "";
        }
        return "runs were compared in " + std::to_string(states) + " states" +
               (full ? ", which is as many as are kept: runs that come to others go on" : "");
    }

private:
    const std::size_t most_;
    mutable std::mutex mutex_;
    std::map<replay::Buffering, VisitedStates> modes_;
};

}  // namespace dampi::scheduler::central
