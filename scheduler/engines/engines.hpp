// The execution engines for real programs, for the commands: which one runs a program, and making it.
#pragma once

#include "launch/program/program.hpp"
#include "replay/engine_kind.hpp"
#include "scheduler/engines/execution_engine.hpp"
#include "scheduler/engines/run_setup.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// The engine that runs the program: the one that is wanted, or, where none is, the centralized one for small jobs of
/// programs that use only what it models. `counts_bytes`: sends are buffered up to a number of bytes, which only the
/// centralized one can do. Throws dampi::Error where the one that is wanted cannot.
[[nodiscard]] replay::EngineKind choose_engine(std::optional<replay::EngineKind> wanted, const launch::Program& program,
                                               const std::string& name, int processes, bool other_launcher,
                                               bool counts_bytes = false);

struct Engine {
    std::unique_ptr<ExecutionEngine> runs;
    std::function<std::vector<std::string>()> launching;       ///< RunSetup::launching()
    std::function<bool()> handed_over = [] { return false; };  ///< make_handing_over_engine()
};

/// `settings.layer` is libdampi.so; the library for the centralized engine lies beside it. Throws dampi::Error when it
/// does not.
[[nodiscard]] Engine make_engine(replay::EngineKind kind, LocalEngineSettings settings);

/// The centralized engine, until the program calls what it does not model. From then on the distributed one runs it,
/// also the interleaving in which that happened, from its start; so what the runs before have shown stays, and nothing
/// of what is left is lost. `say` is told once, in a sentence. Throws as make_engine().
[[nodiscard]] Engine make_handing_over_engine(LocalEngineSettings settings,
                                              std::function<void(const std::string&)> say);

}  // namespace dampi::scheduler
