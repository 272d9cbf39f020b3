// The job that is watched: a command of the user's that this process has started, or processes that run anyway.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace dampi::scheduler::watch {

class WatchedJob {
public:
    /// Starts the command, looked for in PATH, with these variables besides our own environment. It gets the signals of
    /// the terminal itself. What it starts stays within reach, even when the command ends before it. Throws
    /// dampi::Error.
    static WatchedJob start(const std::vector<std::string>& command,
                            const std::vector<std::pair<std::string, std::string>>& variables);
    static WatchedJob attach(std::vector<pid_t> processes);

    [[nodiscard]] bool is_own() const { return is_own_; }
    /// From where its processes descend; what has lost its parents is this process' child.
    [[nodiscard]] std::vector<pid_t> roots() const;
    /// Whether it has ended; reaps what has lost its parents.
    [[nodiscard]] bool has_ended();
    /// As a shell has it: 128 and more for a signal. Of an own job that has ended.
    [[nodiscard]] int status() const { return status_; }
    /// Passes a signal on to the command.
    void signal(int number) const;
    /// Ends all of it: asks, waits for some seconds, kills.
    void end();

private:
    WatchedJob() = default;

    bool is_own_ = false;
    pid_t command_ = 0;
    std::vector<pid_t> attached_;
    bool has_ended_ = false;
    int status_ = 0;
};

}  // namespace dampi::scheduler::watch
