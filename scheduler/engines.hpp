// The execution engines for real programs, for the commands: which one runs a program, and making it.
#pragma once

#include "replay/engine_kind.hpp"
#include "replay/program.hpp"
#include "scheduler/execution_engine.hpp"
#include "scheduler/supervision/run_setup.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// The engine that runs the program: the one that is wanted, or, where none is, the centralized one for small jobs of
/// programs that use only what it models. Throws dampi::Error where the one that is wanted cannot.
[[nodiscard]] replay::EngineKind choose_engine(std::optional<replay::EngineKind> wanted, const replay::Program& program,
                                               const std::string& name, int processes, bool other_launcher);

struct Engine {
    std::unique_ptr<ExecutionEngine> runs;
    std::function<std::vector<std::string>()> launching;  ///< RunSetup::launching()
};

/// `settings.layer` is libdampi.so; the library for the centralized engine lies beside it. Throws dampi::Error when it
/// does not.
[[nodiscard]] Engine make_engine(replay::EngineKind kind, LocalEngineSettings settings);

}  // namespace dampi::scheduler
