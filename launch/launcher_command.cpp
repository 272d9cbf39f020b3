#include "launch/launcher_command.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include <unistd.h>

namespace dampi::launch {
namespace {

constexpr std::string_view number_mark = "{n}";
constexpr std::string_view command_mark = "{command}";

[[noreturn]] void refuse(std::string_view command, const std::string& why) {
    throw Error("the launcher's command '" + std::string(command) + "' " + why);
}

std::vector<std::string> split(std::string_view command) {
    std::vector<std::string> words;
    bool in_word = false;  // an empty word is one too, when it is quoted
    char quote = '\0';
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        const bool blank = c == ' ' || c == '\t' || c == '\n';
        if (quote == '\0' && blank) {
            in_word = false;
            continue;
        }
        if (!in_word) {
            words.emplace_back();
        }
        in_word = true;
        if (quote == '\0' && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == quote) {
            quote = '\0';
        } else if (c == '\\' && quote != '\'') {
            if (i + 1 == command.size()) {
                refuse(command, "ends with a backslash that nothing follows");
            }
            const char next = command[++i];
            if (quote == '"' && next != '"' && next != '\\') {
                words.back() += c;
            }
            words.back() += next;
        } else {
            words.back() += c;
        }
    }
    if (quote != '\0') {
        refuse(command, std::string("has a quote ") + quote + " without its other one");
    }
    return words;
}

bool in_path(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::string_view folders = path != nullptr ? path : "/usr/bin:/bin";
    while (!folders.empty()) {
        const std::string_view folder = folders.substr(0, folders.find(':'));
        folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
        if (::access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<std::string> launcher_words(std::string_view command, int processes,
                                        const std::vector<std::string>& rank_command) {
    std::vector<std::string> words = split(command);
    if (words.empty()) {
        throw Error("the launcher's command is empty");
    }
    if (command == "mpiexec") {
        const std::string manager = in_path("mpiexec.mpich") ? "mpiexec.mpich" : "mpiexec";
        // After a rank's death the others go on, as they do with our own launcher.
        words = {manager, "-disable-auto-cleanup", "-n", "{n}", "{command}"};
    }
    if (words.front().empty() || words.front() == command_mark) {
        refuse(command, "does not begin with a program's name");
    }
    std::string joined;
    for (const std::string& word : rank_command) {
        joined += (joined.empty() ? "" : " ") + word;
    }
    std::vector<std::string> result;
    bool has_command = false;
    for (std::string& word : words) {
        for (auto at = word.find(number_mark); at != std::string::npos; at = word.find(number_mark, at)) {
            word.replace(at, number_mark.size(), std::to_string(processes));
        }
        const auto at = word.find(command_mark);
        if (at == std::string::npos) {
            result.push_back(std::move(word));
            continue;
        }
        if (has_command || word.find(command_mark, at + 1) != std::string::npos) {
            refuse(command, "has {command} more than once");
        }
        has_command = true;
        if (word == command_mark) {
            result.insert(result.end(), rank_command.begin(), rank_command.end());
        } else {
            result.push_back(word.replace(at, command_mark.size(), joined));  // for a shell in between
        }
    }
    if (!has_command) {
        result.insert(result.end(), rank_command.begin(), rank_command.end());
    }
    return result;
}

}  // namespace dampi::launch
