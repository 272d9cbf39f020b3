// After which polling calls the program looks at a clock when they answer "nothing yet". Nothing can be proven there by
// trying out whether it repeats them (piggyback/rank/repetition), and each try costs as much as a tenth of a short run.
// So they are not tried in the runs behind a sweep's first. That one alone is learned from: it comes before all others,
// whatever is run side by side, so the same is known in each sweep. Any thread.
#pragma once

#include "base/types.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace dampi::scheduler::central {

class ClockSites {
public:
    /// A call's place in one rank: what is a server's there may be a client's elsewhere.
    using Site = std::pair<base::Rank, std::uint64_t>;
    using Sites = std::set<Site>;

    /// What the first run has shown; once.
    void learn(Sites sites) {
        const std::lock_guard lock(mutex_);
        if (known_ == nullptr) {
            known_ = std::make_shared<const Sites>(std::move(sites));
        }
    }
    /// Null before that.
    [[nodiscard]] std::shared_ptr<const Sites> known() const {
        const std::lock_guard lock(mutex_);
        return known_;
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const Sites> known_;
};

}  // namespace dampi::scheduler::central
