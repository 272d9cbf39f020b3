// ISP's command line as a value. Every option of ISP's is understood; those that have no meaning here are named, so
// that the user can be told.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler::isp {

struct Options {
    int processes = 2;                                // -n
    bool sends_block = false;                         // -b: zero buffering; -g, the default: infinite
    std::optional<std::filesystem::path> log;         // -l
    bool count_calls = false;                         // -m
    bool every_list = false;                          // -O
    bool quiet = false;                               // -q
    bool stop_at_deadlock = false;                    // -D
    bool one_interleaving = false;                    // -E random, -E left_most
    std::string mode = "All Relevant Interleavings";  ///< what ISP calls the mode of -E
    std::uint64_t report_every = 0;                   // -r: interleavings; 0: say nothing
    std::optional<std::uint32_t> mixing_bound;        // --bound
    std::vector<std::string> without_effect;          ///< options given that do nothing here: "-p", "--host"
    std::string program;
    std::vector<std::string> arguments;
};

/// What main should do after parsing: run, or end at once with this status (help, version: 0; usage errors, already
/// explained on stderr: 11).
struct ParsedOptions {
    Options options;
    std::optional<int> exit_status;
};

/// Everything from the program's name on belongs to the program.
ParsedOptions parse_options(int argc, char** argv);

}  // namespace dampi::scheduler::isp
