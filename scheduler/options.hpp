// The command line of dampi-run as a value.
#pragma once

#include "clocks/clock.hpp"
#include "replay/buffering.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dampi::scheduler {

/// Without --clock, up to this many processes exchange vector clocks, and more of them Lamport clocks.
inline constexpr int most_processes_for_vector_clocks = 1024;

struct Options {
    int processes = 0;                                                       // -n
    std::filesystem::path output = "dampi-out";                              // -o
    std::optional<std::filesystem::path> replay;                             // --replay
    std::optional<std::uint64_t> max_interleavings;                          // --max-interleavings
    std::optional<std::chrono::milliseconds> time_limit;                     // --time-limit SECONDS
    std::optional<std::chrono::milliseconds> hang_limit;                     // --hang-limit SECONDS
    std::optional<std::chrono::milliseconds> livelock_limit;                 // --livelock-limit SECONDS
    bool stop_on_first = false;                                              // --stop-on-first
    std::optional<clocks::Protocol> clock;                                   // --clock vector|lamport; none: auto
    std::uint32_t explore_polls = 0;                                         // --explore-polls
    std::vector<replay::Buffering> buffering = {replay::Buffering::native};  // --buffering; all: explored in this order
    bool virtual_time = false;                                               // --virtual-time
    std::vector<std::pair<std::string, std::string>> environment;            // --env NAME=VALUE, repeatable
    bool show_output = false;                                                // --show-output
    bool message_leaks = false;  // --message-leaks: leak/message is a violation
    int verbosity = 0;           // --verbose 1, --quiet -1
    std::string program;
    std::vector<std::string> arguments;

    [[nodiscard]] clocks::Protocol protocol() const {
        return clock.value_or(processes <= most_processes_for_vector_clocks ? clocks::Protocol::vector
                                                                            : clocks::Protocol::lamport);
    }

    /// As it was given: "native", "zero", "infinite" or "all".
    [[nodiscard]] std::string_view buffering_word() const {
        return buffering.size() == 1 ? replay::buffering_name(buffering.front()) : "all";
    }
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
