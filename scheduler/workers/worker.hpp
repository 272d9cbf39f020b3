// What a worker does once it belongs to a sweep: takes leases, runs them, as many at the same time as it has slots, and
// sends what comes of them, until the sweep sends it away or is gone. Knows no engine: whoever has one runs.
#pragma once

#include "base/check.hpp"
#include "scheduler/workers/messages.hpp"
#include "transport/network/link.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace dampi::scheduler::workers {

struct WorkerSettings {
    std::uint32_t slots = 1;
    /// Runs a lease; called by several threads. What it throws becomes a result, too.
    std::function<Result(const Lease&, std::stop_token)> run;
    std::chrono::milliseconds patience = std::chrono::seconds(30);  ///< with a sweep that says nothing
};

enum class WorkerEnd : std::uint8_t {
    sent_away,
    gone,     ///< the sweep is
    stopped,  ///< this worker was to end
};

/// Says that it is ready and serves. Returns when nothing runs any more; `stop`: end soon.
[[nodiscard]] WorkerEnd serve(transport::network::Link& link, const WorkerSettings& settings,
                              const std::atomic<bool>& stop);

/// What a worker is on its connection.
[[nodiscard]] inline transport::network::Joining joining_worker() {
    return {.who = "worker", .last_kind = static_cast<std::uint8_t>(last_kind)};
}

class SweepIsGone : public Error {
public:
    using Error::Error;
};

/// The sweep's order. Throws SweepIsGone, or another dampi::Error where the sweep refuses the worker, with its reason.
[[nodiscard]] std::string introduce(transport::network::Link& link, const Hello& hello,
                                    std::chrono::milliseconds patience);

}  // namespace dampi::scheduler::workers
