// The command line of dampi-run.
#pragma once

#include "scheduler/request.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// What main should do after parsing: run, or end at once with this status (--help, --version, --explain: 0; usage
/// errors, already explained on stderr: 2).
struct ParsedOptions {
    Options options;
    std::optional<int> exit_status;
    /// Of -n N,N,...: a sweep for each, with `own_words`, options as they were typed but for those that are for all
    /// sweeps together. `options` are then those of the first. Empty: one sweep.
    std::vector<int> process_counts = {};
    std::vector<std::string> own_words = {};
};

/// Everything from the program's name on belongs to the program.
ParsedOptions parse_options(int argc, char** argv);

}  // namespace dampi::scheduler
