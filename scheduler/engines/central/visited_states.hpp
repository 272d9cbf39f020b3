// The states in which the runs of a sweep have been: says whether a run has come to one of another run, which then
// stands for all that follows. Decides nothing else: what a state is, and when a run may end there, is the machine's
// (Machine::state, past_is_closed). Knows states by their digests. Any thread.
#pragma once

#include "base/digest.hpp"
#include "replay/buffering.hpp"
#include "replay/run_record.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
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
        constexpr std::uint32_t now_and_then = 4;
        const std::lock_guard lock(mutex_);
        return meets_after(enough_visits) || settled % now_and_then == 0;
    }

    /// Whether runs come to states of others, or it is not known yet.
    [[nodiscard]] bool may_meet() const {
        constexpr std::uint64_t enough_visits = 100;
        const std::lock_guard lock(mutex_);
        return meets_after(enough_visits);
    }

    /// The run `here.run` is in this state, after `here.settled` outcomes. Where another run was in it first: that one,
    /// and there. A run that was there before is none of its own.
    std::optional<replay::Merge> visit(const base::Digest& state, const replay::Merge& here) {
        const std::lock_guard lock(mutex_);
        ++visits_;
        const auto found = states_.find(state);
        if (found != states_.end()) {
            const bool met = found->second.run != here.run;
            met_ += met ? 1 : 0;
            return met ? std::optional(found->second) : std::nullopt;
        }
        if (states_.size() < most_) {
            states_.emplace(state, here);
            of_run_[here.run].push_back(state);
        }
        return std::nullopt;
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
                states_.erase(state);
            }
        }
    }

    void clear() {
        const std::lock_guard lock(mutex_);
        states_.clear();
        of_run_.clear();
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

    /// Runs come to states of others, as far as so many visits tell.
    bool meets_after(std::uint64_t enough_visits) const { return visits_ < enough_visits || met_ * few >= visits_; }

    const std::size_t most_;
    mutable std::mutex mutex_;
    std::uint64_t visits_ = 0;
    std::uint64_t met_ = 0;  ///< of these: where another run had been
    std::unordered_map<base::Digest, replay::Merge> states_;
    std::unordered_map<std::uint64_t, std::vector<base::Digest>> of_run_;  ///< of those under way
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
