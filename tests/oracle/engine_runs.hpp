// Verifies small programs with the centralized engine as dampi-run does, but in this process, without the command line
// and without files: ranks are forked from one prepared process of the interpreter for each number of ranks, whichever
// program it is, so that a hundred thousand programs are a matter of minutes.
#pragma once

#include "clocks/clock.hpp"
#include "replay/buffering.hpp"
#include "scheduler/engines/engines.hpp"
#include "tests/harness/report.hpp"
#include "tests/oracle/program.hpp"

#include <cstdint>
#include <filesystem>
#include <map>

namespace dampi::oracle {

struct EngineRunsSettings {
    std::filesystem::path layer;  ///< libdampi.so; that of the engine lies beside it
    std::filesystem::path interpreter;
    std::filesystem::path work;  ///< a directory for the program's text and what the ranks print
    clocks::Protocol protocol = clocks::Protocol::vector;
    replay::Buffering buffering = replay::Buffering::native;
};

class EngineRuns {
public:
    /// Throws dampi::Error when something is not there.
    explicit EngineRuns(EngineRunsSettings settings);

    /// The report, as far as compare() reads it, of at most so many interleavings. Throws dampi::Error.
    harness::Report verify(const Program& program, std::uint64_t most_interleavings, std::uint64_t seed,
                           std::uint32_t explore_polls);

private:
    scheduler::ExecutionEngine& engine(int processes);

    EngineRunsSettings settings_;
    std::filesystem::path file_;
    launch::Program interpreter_;
    std::map<int, scheduler::Engine> engines_;
};

}  // namespace dampi::oracle
