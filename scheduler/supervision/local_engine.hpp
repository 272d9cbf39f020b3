// The execution engine for real MPI programs on this machine: launches the ranks under the layer, watches
// them until they end or can make no step any more, and makes the run's record. Judges each run: deadlock,
// crash, abort, exit, leaks, divergence, imprecise match.
#pragma once

#include "clocks/clock.hpp"
#include "replay/launch/launcher_command.hpp"
#include "replay/launch/transport.hpp"
#include "replay/program.hpp"
#include "replay/source_lines.hpp"
#include "scheduler/execution_engine.hpp"
#include "scheduler/supervision/livelock.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dampi::replay {
class PreparedProgram;
}

namespace dampi::scheduler {

struct LocalEngineSettings {
    replay::Program program;
    std::string name;  ///< the program's argv[0]
    std::vector<std::string> arguments;
    int processes = 1;
    std::vector<std::pair<std::string, std::string>> environment;  ///< wins over everything else
    std::filesystem::path layer;                                   ///< libdampi.so
    std::optional<replay::Launcher> launcher;                      ///< starts the ranks in our place
    std::filesystem::path output;  ///< directory for what the program prints: NNNNNN.out and NNNNNN.err
    bool show_output = false;
    bool message_leaks = false;  ///< leak/message is a violation
    clocks::Protocol protocol = clocks::Protocol::vector;
    bool prepare = true;         ///< ranks are forked from a prepared process where that is possible
    bool virtual_time = false;   ///< MPI_Wtime counts calls instead of seconds
    bool record_stacks = false;  ///< call stacks of epochs, and what follows upon each (EpochContext)
    std::optional<std::chrono::milliseconds> hang_limit;                ///< supervision/hang.hpp
    std::chrono::milliseconds livelock_limit = default_livelock_limit;  ///< supervision/livelock.hpp
};

class LocalEngine final : public ExecutionEngine {
public:
    explicit LocalEngine(LocalEngineSettings settings);
    ~LocalEngine() override;
    /// How the ranks were started, and what was set for it, line by line.
    [[nodiscard]] std::vector<std::string> launching() const;
    replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) override;

private:
    [[nodiscard]] bool can_be_prepared() const;

    LocalEngineSettings settings_;
    std::vector<replay::TransportChoice> choices_;
    replay::SourceLines lines_;
    mutable std::mutex preparing_;
    /// The mode decides a variable that constructors may read.
    std::map<replay::Buffering, std::unique_ptr<replay::PreparedProgram>> prepared_;
};

}  // namespace dampi::scheduler
