#include "transport/network/commands.hpp"

#include "base/check.hpp"
#include "base/poll_for.hpp"
#include "base/system_error.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <sstream>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::transport::network {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto patience_with_commands = 60s;  // those of a batch system

/// A word that a shell on the other side leaves as it is.
void require_plain(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (word.empty() || word.find_first_not_of(plain) != std::string::npos) {
        throw Error("'" + word +
                    "' cannot be told to the shell of another machine: use names without blanks and "
                    "other special characters");
    }
}

std::vector<std::string> words_of(const std::string& command) {
    std::istringstream in(command);
    std::vector<std::string> words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    return words;
}

}  // namespace

Pipe::Pipe() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        base::fail("a pipe cannot be made", errno);
    }
    reading.reset(ends[0]);
    writing.reset(ends[1]);
}

pid_t spawn(const std::vector<std::string>& words, int input, int output) {
    std::vector<char*> arguments;
    for (const std::string& word : words) {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_adddup2(&streams, input, STDIN_FILENO);
    if (output >= 0) {
        posix_spawn_file_actions_adddup2(&streams, output, STDOUT_FILENO);
    } else {
        posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP}) {
        sigaddset(&usual, signal);
    }
    posix_spawnattr_setsigdefault(&attributes, &usual);
    pid_t process = -1;
    const int error = posix_spawnp(&process, arguments.front(), &streams, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&streams);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        base::fail("'" + words.front() + "' cannot be started", error);
    }
    return process;
}

void write_small(const base::UniqueFd& pipe, const std::string& text) {
    const ssize_t written = ::write(pipe.get(), text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size())) {
        base::fail("the secret cannot be told to who is started", errno);
    }
}

pid_t start_told(const std::vector<std::string>& words, const std::string& text) {
    Pipe input;
    write_small(input.writing, text);
    return spawn(words, input.reading.get(), -1);
}

std::string output_of(const std::vector<std::string>& words, const std::string& input) {
    Pipe in;
    Pipe out;
    write_small(in.writing, input);
    const pid_t process = spawn(words, in.reading.get(), out.writing.get());
    in.writing.reset();
    in.reading.reset();
    out.writing.reset();
    std::string text;
    char part[512];
    std::vector<pollfd> watched{{out.reading.get(), POLLIN, 0}};
    const auto end = Clock::now() + patience_with_commands;
    bool in_time = true;
    for (;;) {
        const int ready = base::poll_for(watched, end - Clock::now());
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        in_time = ready > 0;
        const ssize_t got = in_time ? ::read(out.reading.get(), part, sizeof part) : 0;
        if (got <= 0) {
            break;
        }
        text.append(part, static_cast<std::size_t>(got));
    }
    if (!in_time) {
        ::kill(-process, SIGKILL);
    }
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    if (!in_time) {
        throw Error("'" + words.front() + "' does not come to an end: see whether it works by itself");
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw Error("'" + words.front() + "' has failed: see what it says above");
    }
    return text;
}

std::vector<std::string> on_host(const std::string& shell, const std::string& host, const std::string& program) {
    std::vector<std::string> words = words_of(shell);
    if (words.empty()) {
        words = {"ssh"};
    }
    require_plain(program);
    words.push_back(host);
    words.push_back(program);
    return words;
}

}  // namespace dampi::transport::network
