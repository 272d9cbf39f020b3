// The execution engines for real programs, for the commands: which one runs a program, and making it.
#pragma once

#include "launch/program/program.hpp"
#include "replay/engine_kind.hpp"
#include "replay/violation.hpp"
#include "scheduler/confirmation.hpp"
#include "scheduler/engines/automatic_engine.hpp"
#include "scheduler/engines/execution_engine.hpp"
#include "scheduler/engines/run_setup.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace dampi::scheduler {

struct EngineChoice {
    replay::EngineKind kind = replay::EngineKind::distributed;
    std::string why = {};  ///< a phrase for people: why it is not the centralized one; empty: nobody would ask
};

/// The engine that runs the program: the one that is wanted, or, where none is, the centralized one for small jobs of
/// programs that use only what it models. `needs_mpi`: a phrase for people, why the ranks need MPI itself; empty: they
/// do not. `counts_bytes`: sends are buffered up to a number of bytes, which only the centralized one can do. Throws
/// dampi::Error where the one that is wanted cannot.
[[nodiscard]] EngineChoice choose_engine(std::optional<replay::EngineKind> wanted, const launch::Program& program,
                                         const std::string& name, int processes, const std::string& needs_mpi,
                                         bool counts_bytes = false);

struct Engine {
    std::unique_ptr<ExecutionEngine> runs;
    std::function<std::vector<std::string>()> launching;  ///< RunSetup::launching()
    /// Of the automatic engine, as AutomaticEngine says; the last is null where runs are not repeated.
    std::function<std::string()> handed_over = [] { return std::string(); };
    std::function<Confirmation()> first_run = [] { return Confirmation(); };
    std::function<Confirmation(const replay::Interleaving&, const replay::Violation&, std::chrono::milliseconds most,
                               const std::stop_token&)>
        confirm = {};
};

/// `settings.layer` is libdampi.so; the library for the centralized engine lies beside it. Throws dampi::Error when it
/// does not.
/// As the centralized engine has them, so that its ranks are started alike elsewhere.
[[nodiscard]] LocalEngineSettings settings_of_central(LocalEngineSettings settings);

[[nodiscard]] Engine make_engine(replay::EngineKind kind, LocalEngineSettings settings);

/// The centralized engine, until the program calls what it does not model; from then on the distributed one runs it,
/// also the interleaving in which that happened, from its start; so what the runs before have shown stays, and nothing
/// of what is left is lost. `repeats`: MPI itself repeats the first run, and goes on where it goes another way
/// (automatic_engine.hpp). `say` is told once, in a sentence. Throws as make_engine().
[[nodiscard]] Engine make_automatic_engine(const LocalEngineSettings& settings, bool repeats,
                                           std::function<void(const std::string&)> say);

/// Likewise of engines that somebody else makes.
[[nodiscard]] Engine make_automatic_engine(AutomaticEngine::Settings settings);

}  // namespace dampi::scheduler
