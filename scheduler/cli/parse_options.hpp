// The command line of dampi-run.
#pragma once

#include "scheduler/request.hpp"

#include <optional>

namespace dampi::scheduler {

/// What main should do after parsing: run, or end at once with this status (--help, --version, --explain: 0; usage
/// errors, already explained on stderr: 2).
struct ParsedOptions {
    Options options;
    std::optional<int> exit_status;
};

/// Everything from the program's name on belongs to the program.
ParsedOptions parse_options(int argc, char** argv);

}  // namespace dampi::scheduler
