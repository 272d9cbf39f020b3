#include "tests/harness/supervised_run.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::harness {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

[[noreturn]] void child(const Command& command, const std::vector<const char*>& words, int out, int err) {
    // A group of its own, so that a signal for the tests' terminal does not reach it half-way; but it dies with us.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const bool ready = in >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
                       dup2(err, STDERR_FILENO) >= 0 &&
                       (command.working_directory.empty() || chdir(command.working_directory.c_str()) == 0);
    if (ready) {
        for (const auto& [name, value] : command.environment) {
            setenv(name.c_str(), value.c_str(), 1);
        }
        execvp(words[0], const_cast<char* const*>(words.data()));
    }
    _exit(127);
}

int open_output(const std::filesystem::path& file) {
    const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        throw std::system_error(errno, std::generic_category(), file.string());
    }
    return descriptor;
}

/// Our children that have not ended, the adopted ones included.
std::vector<pid_t> living_children() {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {}
    return children_of(getpid());
}

std::string name_of(pid_t pid) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
    return std::to_string(pid) + " " + name;
}

/// Gives dying processes a moment, then kills what still lives, generation by generation.
std::vector<std::string> clear_descendants() {
    const auto grace_end = Clock::now() + 30s;  // on a busy machine even dying takes its time
    while (!living_children().empty() && Clock::now() < grace_end) {
        std::this_thread::sleep_for(10ms);
    }
    std::vector<std::string> left;
    for (auto children = living_children(); !children.empty(); children = living_children()) {
        for (const pid_t pid : children) {
            std::string name = name_of(pid);
            if (std::find(left.begin(), left.end(), name) == left.end()) {
                left.push_back(std::move(name));
            }
            kill(pid, SIGKILL);
        }
        std::this_thread::sleep_for(10ms);
    }
    return left;
}

}  // namespace

std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> result;
    std::error_code gone;
    auto thread = std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task", gone);
    for (; !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
        std::ifstream list(thread->path() / "children");
        for (pid_t pid = 0; list >> pid;) {
            result.push_back(pid);
        }
    }
    return result;
}

std::vector<pid_t> ranks_of(pid_t dampi_run) {
    std::vector<pid_t> result;
    for (const pid_t child : children_of(dampi_run)) {
        std::ifstream environment("/proc/" + std::to_string(child) + "/environ");
        const std::string text{std::istreambuf_iterator<char>(environment), {}};
        if (text.find("PMI_RANK=") != std::string::npos) {
            result.push_back(child);
        }
    }
    return result;
}

CommandResult run_supervised(const Command& command) {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) {
        throw std::system_error(errno, std::generic_category(), "prctl");
    }
    std::vector<const char*> words;
    for (const std::string& word : command.words) {
        words.push_back(word.c_str());
    }
    words.push_back(nullptr);
    const int out = open_output(command.stdout_file);
    const int err = open_output(command.stderr_file);
    const auto begin = Clock::now();
    const pid_t pid = fork();
    if (pid == 0) {
        child(command, words, out, err);
    }
    close(out);
    close(err);
    if (pid < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }

    CommandResult result;
    bool signal_due = command.signal != 0;
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(pid, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        const auto elapsed = Clock::now() - begin;
        if (signal_due && elapsed >= command.signal_after) {
            kill(pid, command.signal);
            signal_due = false;
        }
        if (command.meanwhile) {
            command.meanwhile(pid);
        }
        if (!result.timed_out && elapsed >= command.limit) {
            result.timed_out = true;
            kill(pid, SIGKILL);
        }
        std::this_thread::sleep_for(elapsed < 100ms ? 1ms : 5ms);
    }
    if (ended < 0) {
        throw std::system_error(errno, std::generic_category(), "waitpid");
    }
    if (WIFEXITED(status)) {
        result.status = WEXITSTATUS(status);
    } else {
        result.signal = WTERMSIG(status);
    }
    result.left_behind = clear_descendants();
    // What a killed command leaves is not its fault.
    if (result.timed_out) {
        result.left_behind.clear();
    }
    return result;
}

std::string describe(const CommandResult& result) {
    if (result.timed_out) {
        return "no end within its time limit";
    }
    if (result.signal != 0) {
        return "signal " + std::to_string(result.signal);
    }
    return "exit status " + std::to_string(result.status);
}

std::string tail_of(const std::filesystem::path& file, std::size_t lines) {
    std::ifstream input(file);
    std::vector<std::string> kept;
    for (std::string line; std::getline(input, line);) {
        kept.push_back(line);
        if (kept.size() > lines) {
            kept.erase(kept.begin());
        }
    }
    std::string result;
    for (const std::string& line : kept) {
        result += line + '\n';
    }
    return result;
}

}  // namespace dampi::harness
