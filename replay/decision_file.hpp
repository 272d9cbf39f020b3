// Decision files: one interleaving as JSON, with everything needed to refuse it for another program.
#pragma once

#include "replay/decision.hpp"
#include "replay/engine_kind.hpp"
#include "replay/piggyback.hpp"
#include "replay/violation_kind.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dampi::replay {

/// The most additional false answers of a polling call that can be asked for.
inline constexpr std::uint32_t most_explored_polls = 1'000'000;

/// The decision file's content. Format name: "dampi-decisions/3".
struct DecisionFile {
    std::string program;      ///< path as it was run
    std::string fingerprint;  ///< Program::fingerprint
    std::vector<std::string> arguments;
    int processes = 0;
    clocks::Protocol clock = clocks::Protocol::vector;
    EngineKind engine = EngineKind::distributed;     ///< that has run it; a file that does not say so: distributed
    bool patched_mpi = false;                        ///< the ranks had the patched MPI library (mpi_library.hpp)
    Piggyback piggyback = Piggyback::shared;         ///< also of files that say nothing, which are older
    bool virtual_time = false;                       ///< time was virtual
    bool checks_buffers = false;                     ///< loads and stores in pending buffers were looked for
    std::uint32_t explore_polls = 0;                 ///< additional false answers that the sweep explored
    std::chrono::milliseconds hang_limit{0};         ///< 0: none
    std::chrono::milliseconds livelock_limit{3000};  ///< above 0
    std::optional<ViolationKind> finding;            ///< the violation that it reproduces, if any
    bool portability = false;                        ///< its sweep has found that to be one of portability
    Interleaving interleaving;
};

/// Writes the file atomically (a temporary file in the same directory, then rename). Throws dampi::Error.
void save_decision_file(const std::filesystem::path& path, const DecisionFile& content);

/// Reads and validates a file. Throws dampi::Error that names the file and what is wrong with it: cannot be
/// read, not JSON, another format or version, a field missing, of the wrong type or out of range (ranks
/// beyond the process count, an outcome that the operation cannot have, an epoch decided twice).
DecisionFile load_decision_file(const std::filesystem::path& path);

/// Throws dampi::Error with the first difference (program content, process count, arguments) unless the
/// file was made for this program.
void require_same_program(const DecisionFile& file, const std::string& fingerprint, int processes,
                          const std::vector<std::string>& arguments);

}  // namespace dampi::replay
