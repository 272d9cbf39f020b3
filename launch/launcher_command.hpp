// The command line of another process manager (mpiexec, srun, a script of the user's) that starts the ranks in our
// place: from the words of --launcher to the arguments of a process. No shell is involved.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::launch {

/// Who starts the ranks, when it is not us.
struct Launcher {
    std::string command;                ///< as for launcher_words
    std::filesystem::path rank_helper;  ///< dampi-rank
    /// How long nothing may happen before all ranks have been started.
    std::chrono::milliseconds patience = std::chrono::seconds(60);
};

/// The arguments of the launcher's process. `command` is split at blanks; quotes and backslashes keep blanks together
/// as they do in a shell, and nothing else that means something to a shell means anything here. {n} becomes the number
/// of processes; {command} becomes `rank_command`, what each rank has to execute, which otherwise comes last. Just
/// "mpiexec" stands for MPICH's with the options that it needs. Throws dampi::Error when the command makes no sense.
[[nodiscard]] std::vector<std::string> launcher_words(std::string_view command, int processes,
                                                      const std::vector<std::string>& rank_command);

}  // namespace dampi::launch
