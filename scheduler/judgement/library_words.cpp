#include "scheduler/judgement/library_words.hpp"

#include <cctype>
#include <cstddef>
#include <fstream>
#include <string_view>

namespace dampi::scheduler {
namespace {

/// "internal_Send(78).....: Invalid rank has value 7": what is behind the dots, or nothing.
std::string_view stack_line(std::string_view line) {
    const std::size_t open = line.find('(');
    const std::size_t close = line.find(')');
    if (open == std::string_view::npos || open == 0 || close == std::string_view::npos || close <= open + 1) {
        return {};
    }
    for (std::size_t i = 0; i < close; ++i) {
        const auto c = static_cast<unsigned char>(line[i]);
        const bool fits = i > open ? std::isdigit(c) != 0 : i == open || std::isalnum(c) != 0 || c == '_';
        if (!fits) {
            return {};
        }
    }
    const std::size_t colon = line.find_first_not_of('.', close + 1);
    const bool is_one = colon != std::string_view::npos && line.substr(colon).starts_with(": ");
    return is_one ? line.substr(colon + 2) : std::string_view();
}

/// Lines of several ranks may stand between.
std::string read_stack(std::istream& lines) {
    constexpr int longest = 10;
    std::string text;
    std::string line;
    for (int i = 0; i < longest && std::getline(lines, line); ++i) {
        const std::string_view said = stack_line(line);
        if (said.empty()) {
            break;
        }
        text += (text.empty() ? "" : ": ") + std::string(said);
    }
    return text;
}

}  // namespace

LibraryWords library_words(const std::filesystem::path& stderr_file, base::Rank rank) {
    std::ifstream lines(stderr_file);
    const std::string number = std::to_string(rank);
    LibraryWords words;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("Assertion failed in file ")) {
            words.assertion = line;
            continue;
        }
        const bool gives_up = line.starts_with("Abort(");
        const bool by_node = line.find(" on node " + number + ":") != std::string::npos;
        if (gives_up && (line.find("(rank " + number + " in comm") != std::string::npos ||
                         (by_node && line.find(": Fatal error in ") != std::string::npos))) {
            words.end = line;
        } else if (gives_up && !words.assertion.empty() && by_node) {
            return words;
        }
        if (!words.end.empty()) {
            words.assertion.clear();  // somebody else's
            words.stack = read_stack(lines);
            return words;
        }
    }
    words.assertion.clear();
    return words;
}

}  // namespace dampi::scheduler
