// See open_page.hpp.
#include "scheduler/cli/open_page.hpp"

#include <csignal>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

/// Starts a command with nothing to read, and what it prints goes nowhere: it may outlive the terminal.
bool start(std::vector<std::string>& command) {
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
    return error == 0;
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
    for (std::vector<std::string>& command : browser_commands(std::getenv("BROWSER"), file)) {
        if (start(command)) {
            return "";
        }
    }
    return fmt::format(
        "--open has found no browser (the variable BROWSER names none that is there, and there is no xdg-open): open "
        "{} "
        "yourself",
        file);
}

}  // namespace dampi::scheduler
