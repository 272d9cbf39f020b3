#include "scheduler/watch/watched_job.hpp"

#include "base/check.hpp"
#include "base/system_error.hpp"
#include "scheduler/watch/ranks_of_job.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace dampi::scheduler::watch {
namespace {

constexpr std::chrono::seconds patience_with_end{5};

bool is_there(pid_t process) { return kill(process, 0) == 0 || errno == EPERM; }

}  // namespace

WatchedJob WatchedJob::start(const std::vector<std::string>& command,
                             const std::vector<std::pair<std::string, std::string>>& variables) {
    DAMPI_CHECK(!command.empty());
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const bool is_replaced = std::any_of(variables.begin(), variables.end(), [&](const auto& variable) {
            return text.starts_with(variable.first + "=");
        });
        if (!is_replaced) {
            entries.emplace_back(text);
        }
    }
    for (const auto& [name, value] : variables) {
        entries.push_back(name + "=" + value);
    }
    std::vector<char*> environment;
    for (std::string& entry : entries) {
        environment.push_back(entry.data());
    }
    environment.push_back(nullptr);
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    posix_spawnattr_t attributes{};
    posix_spawnattr_init(&attributes);
    sigset_t defaults{};  // what the monitor ignores or catches is not the job's concern
    sigemptyset(&defaults);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
        sigaddset(&defaults, number);
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    WatchedJob job;
    job.is_own_ = true;
    const int error =
        posix_spawnp(&job.command_, arguments[0], nullptr, &attributes, arguments.data(), environment.data());
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        throw Error("cannot start " + command.front() + ": " + std::strerror(error));
    }
    return job;
}

WatchedJob WatchedJob::attach(std::vector<pid_t> processes) {
    for (const pid_t process : processes) {
        if (!is_there(process)) {
            throw Error("there is no process " + std::to_string(process) + " on this machine to attach to");
        }
    }
    WatchedJob job;
    job.attached_ = std::move(processes);
    return job;
}

std::vector<pid_t> WatchedJob::roots() const { return is_own_ ? std::vector<pid_t>{getpid()} : attached_; }

bool WatchedJob::has_ended() {
    if (!is_own_) {
        return std::none_of(attached_.begin(), attached_.end(), is_there);
    }
    int status = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended == command_) {
            has_ended_ = true;
            status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
    }
    return has_ended_;
}

void WatchedJob::signal(int number) const {
    if (is_own_ && !has_ended_) {
        kill(command_, number);
    }
}

void WatchedJob::end() {
    const std::vector<RankProcess> ranks = find_ranks(roots());
    const auto all = [&](int number) {
        if (is_own_) {
            signal(number);
        }
        for (const RankProcess& rank : ranks) {
            kill(rank.process, number);
        }
    };
    const auto is_over = [&] {
        return has_ended() &&
               std::none_of(ranks.begin(), ranks.end(), [](const auto& rank) { return is_there(rank.process); });
    };
    all(SIGTERM);
    all(SIGCONT);  // one that is stopped would not hear
    const auto until = std::chrono::steady_clock::now() + patience_with_end;
    while (!is_over() && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    if (!is_over()) {
        all(SIGKILL);
        while (!is_over() && std::chrono::steady_clock::now() < until + patience_with_end) {
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        }
    }
}

}  // namespace dampi::scheduler::watch
