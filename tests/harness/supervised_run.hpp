// Runs a command to its end with a time limit, without a shell, and sees that no process of it is left
// behind: this process makes itself the reaper of its orphaned descendants. One run at a time per process.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace dampi::harness {

struct Command {
    std::vector<std::string> words;  ///< the program's path (or a name in PATH) and its arguments
    std::filesystem::path stdout_file;
    std::filesystem::path stderr_file;
    std::vector<std::pair<std::string, std::string>> environment = {};  ///< added to ours, or replacing
    std::filesystem::path working_directory = {};                       ///< empty: ours
    std::chrono::milliseconds limit = std::chrono::seconds(300);
    /// Sent (once) after so long; for tests of interruption. 0: never.
    int signal = 0;
    std::chrono::milliseconds signal_after{0};
    /// Called again and again, every few milliseconds, with the command's process id while it runs.
    std::function<void(pid_t)> meanwhile = {};
};

struct CommandResult {
    int status = -1;                       ///< exit status; -1 when a signal ended it
    int signal = 0;                        ///< the signal that ended it, or 0
    bool timed_out = false;                ///< the limit was reached and it was killed
    std::vector<std::string> left_behind;  ///< "pid name" of descendants that outlived it; they were killed
};

/// The children of a process (ours too), in the order in which they were started; those that have ended only until
/// they are waited for.
std::vector<pid_t> children_of(pid_t parent);

/// The ranks of a dampi-run that have been started: not the helpers that it starts before.
std::vector<pid_t> ranks_of(pid_t dampi_run);

/// Throws std::system_error when the command cannot be started.
CommandResult run_supervised(const Command& command);

/// What ended it, in words: "exit status 1", "signal 9", "no end within its time limit".
std::string describe(const CommandResult& result);

/// The end of a text file, at most `lines` lines; empty when it cannot be read.
std::string tail_of(const std::filesystem::path& file, std::size_t lines);

}  // namespace dampi::harness
