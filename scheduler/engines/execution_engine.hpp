// The seam between exploration and execution: an engine runs one interleaving of the program and returns
// its record. The explorer knows nothing else of MPI, processes or simulators.
#pragma once

#include "replay/decision.hpp"
#include "replay/run_record.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace dampi::scheduler {

class RemoteEngine;

class ExecutionEngine {
public:
    virtual ~ExecutionEngine() = default;

    /// Runs the program once under the interleaving's decisions and returns what happened. A violation in
    /// the program is part of the record. Throws dampi::Error when the program cannot be run at all.
    /// When `stop` is requested the run is ended early and the record says cut_short. May be called by several threads
    /// at the same time: runs do not disturb each other.
    virtual replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) = 0;

    /// This, if its runs go on elsewhere.
    [[nodiscard]] virtual RemoteEngine* remote() { return nullptr; }
};

/// A run's record, or what ExecutionEngine::run() would have thrown.
struct RunResult {
    replay::RunRecord record;
    std::exception_ptr failure;

    /// The record, or throws.
    [[nodiscard]] replay::RunRecord take() {
        if (failure) {
            std::rethrow_exception(failure);
        }
        return std::move(record);
    }
};

/// An engine whose runs go on elsewhere: nobody has to wait for one, and how many there can be changes all the time.
class RemoteEngine : public ExecutionEngine {
public:
    /// Begins a run and returns. `done` is called once, by a thread of the engine's, and never before this has
    /// returned unless by another thread; it may start others.
    virtual void start(std::shared_ptr<const replay::Interleaving> interleaving, std::stop_token stop,
                       std::function<void(RunResult)> done) = 0;
    /// So many runs it can take at present, at least one: what it cannot run yet waits.
    [[nodiscard]] virtual unsigned room() const = 0;
    /// `grown` is called, by a thread of the engine's, when there may be more room. Replaces what was set before,
    /// which is not being called any more when this returns.
    virtual void when_room_grows(std::function<void()> grown) = 0;
    /// Why nothing is going to be run any more; nothing: it is.
    [[nodiscard]] virtual std::optional<std::string> gave_up() const = 0;

    [[nodiscard]] RemoteEngine* remote() override { return this; }
};

}  // namespace dampi::scheduler
