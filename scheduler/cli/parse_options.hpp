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
    /// An option as it was typed.
    struct Typed {
        std::string name;                ///< its long one, where it has one
        std::vector<std::string> words;  ///< as it was typed, and its value
    };

    Options options;
    std::optional<int> exit_status;
    /// Of -n N,N,...: a sweep for each. `options` are then those of the first. Empty: one sweep.
    std::vector<int> process_counts = {};
    /// With several numbers of processes, or a suite: the options that each sweep is to have; the others are for all
    /// sweeps together.
    std::vector<Typed> of_each_sweep = {};
    /// What is not as whoever has typed it may think, though it is no error: sentences.
    std::vector<std::string> remarks = {};
};

/// Everything from the program's name on belongs to the program.
ParsedOptions parse_options(int argc, char** argv);

/// Likewise of words that no user has typed, without the command's name. Throws dampi::Error where something is wrong,
/// also where they say no more than --help or --version do.
[[nodiscard]] Options parse_words(const std::vector<std::string>& words);

}  // namespace dampi::scheduler
