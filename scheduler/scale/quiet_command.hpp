// A command whose words go to a file, whatever it prints, and that is given nothing to read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dampi::scheduler::scale {

/// For watch::WatchedJob::start(). What it prints goes to `log`.
[[nodiscard]] inline std::vector<std::string> quiet_command(const std::filesystem::path& log,
                                                            const std::vector<std::string>& command) {
    std::vector<std::string> words{"sh", "-c", R"(log=$1; shift; exec "$@" >"$log" 2>&1 </dev/null)", "sh",
                                   log.string()};
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

}  // namespace dampi::scheduler::scale
