// What has come of it when ranks tried out whether they repeat a polling call (piggyback/rank/repetition), by all that
// decides it: the state of the program in the rank, and what its requests are. A rank that comes to a state in which
// one has tried, in whatever run, need not: a try costs as much as a tenth of a short run. So what is known from
// elsewhere changes nothing but how long runs take. Any thread.
#pragma once

#include "base/digest.hpp"
#include "transport/requests/protocol.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace dampi::scheduler::central {

class KnownRepetitions {
public:
    /// Some ten megabytes.
    static constexpr std::size_t most = std::size_t{1} << 17;

    [[nodiscard]] std::optional<transport::requests::RepetitionCall> at(const base::Digest& state) const {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(state);
        return found == known_.end() ? std::nullopt : std::optional(found->second);
    }
    /// When there are too many no more are kept.
    void learn(const base::Digest& state, const transport::requests::RepetitionCall& found) {
        const std::lock_guard lock(mutex_);
        if (known_.size() < most) {
            known_.try_emplace(state, found);
        }
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<base::Digest, transport::requests::RepetitionCall> known_;
};

}  // namespace dampi::scheduler::central
