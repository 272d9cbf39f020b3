// With --merge-states check: of the runs that come to a state of an earlier one, which go on, to see whether the same
// follows there. Behind such a state the runs for its alternatives come to states of earlier ones again: were all of
// them to go on, nothing would be merged. Any thread.
#pragma once

#include <cstdint>
#include <mutex>

namespace dampi::scheduler::central {

class MeetingSample {
public:
    static constexpr std::uint64_t all_of_the_first = 64;
    static constexpr std::uint64_t one_of = 8;  ///< of those that follow
    static constexpr std::uint64_t most = 1000;

    /// Whether the run that has come to such a state goes on.
    [[nodiscard]] bool takes_next() {
        const std::lock_guard lock(mutex_);
        ++met_;
        const bool takes = taken_ < most && (met_ <= all_of_the_first || met_ % one_of == 0);
        taken_ += takes ? 1 : 0;
        return takes;
    }

private:
    std::mutex mutex_;
    std::uint64_t met_ = 0;
    std::uint64_t taken_ = 0;
};

}  // namespace dampi::scheduler::central
