// Decision files: one interleaving as JSON, with everything needed to refuse it for another program.
#pragma once

#include "replay/decision.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace dampi::replay {

/// The decision file's content. Format name: "dampi-decisions/1".
struct DecisionFile {
    std::string program;      ///< path as it was run
    std::string fingerprint;  ///< Program::fingerprint
    std::vector<std::string> arguments;
    int processes = 0;
    std::string clock;    ///< "lamport"
    std::string finding;  ///< kind of the violation it reproduces; may be empty
    Interleaving interleaving;
};

/// Writes the file atomically (a temporary file in the same directory, then rename). Throws dampi::Error.
void save_decision_file(const std::filesystem::path& path, const DecisionFile& content);

/// Reads and validates a file. Throws dampi::Error that names the file and what is wrong with it: cannot be
/// read, not JSON, another format or version, a field missing, of the wrong type or out of range (ranks
/// beyond the process count, an epoch decided twice).
DecisionFile load_decision_file(const std::filesystem::path& path);

/// Throws dampi::Error with the first difference (program content, process count, arguments) unless the
/// file was made for this program.
void require_same_program(const DecisionFile& file, const std::string& fingerprint, int processes,
                          const std::vector<std::string>& arguments);

}  // namespace dampi::replay
