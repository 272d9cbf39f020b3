#include "scheduler/judgement/exception_words.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

constexpr std::size_t longest = 400;  ///< of a quoted text

/// `  File "solver.py", line 31, in exchange`: the place; unknown for another line.
replay::CodePlace frame_in(std::string_view line) {
    constexpr std::string_view before_file = "  File \"";
    constexpr std::string_view before_line = "\", line ";
    constexpr std::string_view before_function = ", in ";
    const std::size_t end = line.find(before_line);
    if (!line.starts_with(before_file) || end == std::string_view::npos) {
        return {};
    }
    replay::CodePlace place;
    place.file = std::string(line.substr(before_file.size(), end - before_file.size()));
    const std::string_view rest = line.substr(end + before_line.size());
    const auto number = std::from_chars(rest.data(), rest.data() + rest.size(), place.line);
    const std::string_view function = rest.substr(static_cast<std::size_t>(number.ptr - rest.data()));
    if (function.starts_with(before_function)) {
        place.function = std::string(function.substr(before_function.size()));
    }
    return number.ec == std::errc() ? place : replay::CodePlace{};
}

/// Python's own modules, and those that are installed, are not where the program is at fault.
bool is_installed(const replay::CodePlace& place) {
    return place.file.starts_with("/usr/lib") || place.file.starts_with("<") ||
           place.file.find("/site-packages/") != std::string::npos ||
           place.file.find("/dist-packages/") != std::string::npos || place.file.starts_with("MPI/") ||
           place.file.starts_with("mpi4py/");
}

void add(std::vector<ExceptionWords>& all, ExceptionWords words) {
    words.text.resize(std::min(words.text.size(), longest));
    for (const ExceptionWords& known : all) {
        if (known == words) {
            return;
        }
    }
    all.push_back(std::move(words));
}

/// The rest of a traceback. None where lines of others stand in it, or it is not whole.
std::optional<ExceptionWords> read_traceback(std::istream& lines) {
    ExceptionWords words;
    replay::CodePlace any;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(' ')) {
            const replay::CodePlace place = frame_in(line);
            any = place.line != 0 ? place : any;
            words.where = place.line != 0 && !is_installed(place) ? place : words.where;
            continue;
        }
        if (line.empty() || any.line == 0 || line.starts_with("Traceback ")) {
            return std::nullopt;
        }
        words.where = words.where.line != 0 ? words.where : any;
        words.text = line;
        return words;
    }
    return std::nullopt;
}

/// Whether an exception was raised while the one before was handled, or because of it.
bool follows_another(std::string_view line) {
    return line.starts_with("During handling of the above exception") ||
           line.starts_with("The above exception was the direct cause");
}

}  // namespace

AllExceptionWords exception_words(const std::filesystem::path& stderr_file) {
    constexpr std::string_view thrown = "terminate called after throwing an instance of '";
    constexpr std::string_view what = "  what():  ";
    std::ifstream lines(stderr_file);
    std::vector<ExceptionWords> python;
    std::vector<ExceptionWords> cpp;
    bool sound = true;
    std::optional<ExceptionWords> last;  // of Python's: it may be the cause of another
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("Traceback (most recent call last):")) {
            if (last) {
                add(python, *std::move(last));
            }
            last = read_traceback(lines);
            sound = sound && last;
        } else if (follows_another(line)) {
            last.reset();
        } else if (line.starts_with(thrown) && line.ends_with('\'')) {
            ExceptionWords words{.text = line.substr(thrown.size(), line.size() - thrown.size() - 1), .where = {}};
            const auto here = lines.tellg();
            std::string next;
            if (std::getline(lines, next) && next.starts_with(what)) {
                words.text += ": " + next.substr(what.size());
            } else {
                lines.clear();
                lines.seekg(here);
            }
            add(cpp, std::move(words));
        }
    }
    if (last) {
        add(python, *std::move(last));
    }
    AllExceptionWords found;
    if (sound && python.size() == 1) {
        found.python = python.front();
    }
    if (cpp.size() == 1) {
        found.cpp = cpp.front();
    }
    return found;
}

std::optional<std::string> words_before_abort(const std::filesystem::path& stderr_file, base::Rank rank) {
    const std::string of_rank = fmt::format("(rank {} in comm", rank);
    std::ifstream lines(stderr_file);
    std::string last;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("Abort(")) {
            if (line.find(of_rank) != std::string::npos && line.find("application called MPI_Abort") != line.npos) {
                last.resize(std::min(last.size(), longest));
                return last.empty() ? std::nullopt : std::optional("standard error: " + last);
            }
        } else if (!line.starts_with("dampi: ") && line.find_first_not_of(" \t\r") != std::string::npos) {
            last = line;
        }
    }
    return std::nullopt;
}

std::string quoted(const ExceptionWords& words) {
    const std::string place =
        words.where.line == 0
            ? ""
            : fmt::format(" ({}:{})", std::filesystem::path(words.where.file).filename().string(), words.where.line);
    return "standard error: " + words.text + place;
}

}  // namespace dampi::scheduler
