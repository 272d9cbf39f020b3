// See open_page.hpp.
#include "scheduler/cli/open_page.hpp"

#include "replay/terminal_words.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

/// One that shows nothing ends sooner, xdg-open without a browser among them; one that shows the page may run as long
/// as that is looked at.
constexpr std::chrono::seconds time_to_fail{2};

/// Why the process that was to show something has ended; empty where it runs, or has ended well.
std::string failure_of(pid_t process) {
    const auto end = std::chrono::steady_clock::now() + time_to_fail;
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(process, &status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (ended != process || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        return "";
    }
    return WIFEXITED(status) ? fmt::format("ended with exit status {}", WEXITSTATUS(status))
                             : fmt::format("was ended by signal {}", WTERMSIG(status));
}

/// Starts a command with nothing to read, and what it prints goes nowhere: it may outlive the terminal. Returns why it
/// shows nothing; empty: it may do.
std::string start(std::vector<std::string>& command) {
    std::vector<char*> words;
    for (std::string& word : command) {
        words.push_back(word.data());
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_addopen(&streams, stream, "/dev/null", O_RDWR, 0);
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // What dampi-run ignores is no matter of the browser's.
    sigset_t usual;
    sigfillset(&usual);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
    pid_t process = 0;
    const int error = posix_spawnp(&process, words.front(), &streams, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&streams);
    return error != 0 ? std::strerror(error) : failure_of(process);
}

}  // namespace

std::vector<std::vector<std::string>> browser_commands(const char* browser, const std::string& file) {
    std::vector<std::vector<std::string>> commands;
    std::istringstream all(browser == nullptr ? "" : browser);
    for (std::string text; std::getline(all, text, ':');) {
        std::istringstream one(text);
        std::vector<std::string> words;
        bool has_file = false;
        for (std::string word; one >> word;) {
            const std::size_t at = word.find("%s");
            if (at != std::string::npos) {
                word.replace(at, 2, file);
                has_file = true;
            }
            words.push_back(std::move(word));
        }
        if (words.empty()) {
            continue;
        }
        if (!has_file) {
            words.push_back(file);
        }
        commands.push_back(std::move(words));
    }
    commands.push_back({"xdg-open", file});
    return commands;
}

std::string open_page(const std::filesystem::path& page) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(page, error);
    const std::string file = (error ? page : absolute).string();
    std::string tried;
    for (std::vector<std::string>& command : browser_commands(std::getenv("BROWSER"), file)) {
        const std::string why = start(command);
        if (why.empty()) {
            return "";
        }
        tried += fmt::format("{}{}: {}", tried.empty() ? "" : "; ", replay::printable(command.front()), why);
    }
    return fmt::format(
        "--open could start no browser ({}): open {} yourself, or name a browser in the variable BROWSER", tried,
        replay::printable(file));
}

}  // namespace dampi::scheduler
