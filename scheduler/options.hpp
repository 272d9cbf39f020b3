// The command line of dampi-run as a value.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {

struct Options {
    int processes = 0;                                             // -n
    std::filesystem::path output = "dampi-out";                    // -o
    std::optional<std::filesystem::path> replay;                   // --replay
    std::optional<std::uint64_t> max_interleavings;                // --max-interleavings
    std::optional<std::chrono::milliseconds> time_limit;           // --time-limit SECONDS
    bool stop_on_first = false;                                    // --stop-on-first
    std::vector<std::pair<std::string, std::string>> environment;  // --env NAME=VALUE, repeatable
    bool show_output = false;                                      // --show-output
    bool message_leaks = false;                                    // --message-leaks: leak/message is a violation
    int verbosity = 0;                                             // --verbose 1, --quiet -1
    std::string program;
    std::vector<std::string> arguments;
};

/// What main should do after parsing: run, or end at once with this status (--help, --version: 0; usage
/// errors, already explained on stderr: 2).
struct ParsedOptions {
    Options options;
    std::optional<int> exit_status;
};

/// Everything from the program's name on belongs to the program.
ParsedOptions parse_options(int argc, char** argv);

}  // namespace dampi::scheduler
