// oracle_check --simulated: very many random programs, explored over simulated runs and compared with the model.
#pragma once

#include "clocks/clock.hpp"
#include "replay/buffering.hpp"
#include "tests/oracle/exploration.hpp"
#include "tests/oracle/generator.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dampi::oracle {

struct SimulatedSettings {
    clocks::Protocol protocol = clocks::Protocol::vector;
    std::uint64_t seed = 1;
    std::uint64_t programs = 10'000;
    std::vector<std::filesystem::path> files;  ///< if any: these programs, none of the generator's
    std::uint64_t timings = 1;                 ///< how often each program is explored, with another timing each time
    unsigned threads = 1;
    double seconds = 0;  ///< 0: no limit
    std::size_t most_executions = 1000;
    std::size_t most_shown = 5;  ///< disagreements; then it ends
    bool shrink = true;
    bool reference = false;      ///< compares with the definition of the search instead, see reference_check.hpp
    bool bounds = false;         ///< likewise, and also with random bounds
    bool shrink_missed = false;  ///< also what Lamport clocks may miss
    bool sampling = false;       ///< the estimate of the number of executions is what is compared
    std::uint64_t most_walks = 20'000;
    /// Over the centralized engine's machine, with this buffering, instead of a simulated MPI and the layer.
    std::optional<replay::Buffering> central;
    Polls polls = Polls::all;
    bool merge = false;  ///< with `central`: runs end in states of earlier ones, as with --merge-states
    std::vector<std::string> without = {};  ///< names of parts of the state
    std::uint32_t state_without = 0;        ///< MachineSettings::state_without
    GeneratorOptions generator;
};

/// Prints what it finds. Returns 0 if all agree, otherwise 1.
int check_simulated(const SimulatedSettings& settings);

}  // namespace dampi::oracle
