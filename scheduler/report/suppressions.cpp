// See suppressions.hpp.
#include "scheduler/report/suppressions.hpp"

#include "base/check.hpp"
#include "replay/function_names.hpp"
#include "replay/terminal_words.hpp"
#include "replay/violation_kind.hpp"
#include "scheduler/report/kind_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fnmatch.h>

namespace dampi::scheduler {
namespace {

using What = Suppression::Frame::What;

constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::array<std::pair<std::string_view, What>, 3> prefixes{
    {{"fun:", What::function}, {"file:", What::file}, {"module:", What::module}}};
constexpr std::string_view blanks = " \t\r";
constexpr std::string_view until_word = "until";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// "2027-01-15", or "2027-01" for its last day.
std::optional<std::chrono::year_month_day> day_of(std::string_view text) {
    std::array<int, 3> numbers{0, 0, 0};
    std::size_t count = 0;
    while (count < numbers.size()) {
        const std::string_view digits = text.substr(0, text.find('-'));
        const std::size_t wanted = count == 0 ? 4 : 2;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), numbers[count++]);
        if (digits.size() != wanted || error != std::errc() || end != digits.data() + digits.size()) {
            return std::nullopt;
        }
        if (digits.size() == text.size()) {
            break;
        }
        text.remove_prefix(digits.size() + 1);
        if (count == numbers.size()) {
            return std::nullopt;
        }
    }
    const std::chrono::year year(numbers[0]);
    const std::chrono::month month(static_cast<unsigned>(numbers[1]));
    if (count < 2 || !month.ok()) {
        return std::nullopt;
    }
    const std::chrono::year_month_day day =
        count == 2 ? std::chrono::year_month_day(year / month / std::chrono::last) : year / month / numbers[2];
    return day.ok() ? std::optional(day) : std::nullopt;
}

/// Where the word stands for the last time in the text; npos where it does not.
std::size_t last_until(std::string_view text) {
    const auto is_letter = [&text](std::size_t at) {
        return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
    };
    std::size_t at = text.rfind(until_word);
    while (at != std::string_view::npos && ((at != 0 && is_letter(at - 1)) || is_letter(at + until_word.size()))) {
        at = at == 0 ? std::string_view::npos : text.rfind(until_word, at - 1);
    }
    return at;
}

/// What stands behind "until": not where it goes on in words ("somebody mends it").
bool may_mean_a_day(std::string_view text) {
    std::istringstream words{std::string(text)};
    const auto number = std::distance(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
    return number < 2 || text.find_first_of("0123456789") != std::string_view::npos;
}

/// Reads the lines of one file.
class Reader {
public:
    /// `before`: so many lines are before those that are read.
    explicit Reader(std::filesystem::path file, std::size_t before = 0) : file_(std::move(file)), line_(before) {}

    std::optional<Suppression> read(std::string_view text) {
        ++line_;
        if (std::any_of(text.begin(), text.end(), [](char c) { return c == '\0' || c == '\x1b'; })) {
            refuse("this is no text");
        }
        const std::size_t hash = text.find('#');
        const std::string_view said = trimmed(text.substr(0, hash));
        if (said.empty()) {
            return std::nullopt;  // a remark, or nothing
        }
        Suppression suppression{
            .line = line_, .text = std::string(said), .kind = {}, .frames = {}, .reason = {}, .until = {}};
        take_words(std::string(said), suppression);
        if (suppression.frames.empty()) {
            refuse("this suppresses a kind wherever it is: say where, with fun:NAME, file:NAME or module:NAME");
        }
        take_reason(hash == std::string_view::npos ? std::string_view() : trimmed(text.substr(hash + 1)), suppression);
        if (suppression.reason.empty()) {
            refuse("the reason is missing: write # and why this finding is to be lived with");
        }
        return suppression;
    }

    /// Where it is needs no words, and the code around it may be reason enough.
    Suppression read_allowance(std::string_view text) {
        ++line_;
        const std::size_t hash = text.find('#');
        Suppression suppression{.line = line_,
                                .text = std::string(trimmed(text.substr(0, hash))),
                                .kind = {},
                                .frames = {},
                                .reason = {},
                                .until = {}};
        std::istringstream words(suppression.text);
        take_kind(words, suppression);
        if (std::string word; words >> word) {
            refuse(
                fmt::format("in the source a suppression is for its line, so only a kind stands before the # of the "
                            "reason, not '{}'",
                            replay::printable(word)));
        }
        take_reason(hash == std::string_view::npos ? std::string_view() : trimmed(text.substr(hash + 1)), suppression);
        suppression.reason = suppression.reason.empty() ? "allowed in the source" : suppression.reason;
        return suppression;
    }

private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(fmt::format("{}:{}: {}", file_.string(), line_, why));
    }

    void take_kind(std::istringstream& words, Suppression& suppression) const {
        words >> suppression.kind;
        if (!names_violations(suppression.kind)) {
            refuse(
                fmt::format("'{}' is no kind of violation such as deadlock or leak/* (doubts of dampi's own cannot be "
                            "suppressed)",
                            replay::printable(suppression.kind)));
        }
    }

    void take_words(const std::string& said, Suppression& suppression) const {
        std::istringstream words(said);
        take_kind(words, suppression);
        for (std::string word; words >> word;) {
            const auto prefix = std::find_if(prefixes.begin(), prefixes.end(),
                                             [&word](const auto& each) { return word.starts_with(each.first); });
            if (prefix == prefixes.end() || word.size() == prefix->first.size()) {
                refuse(fmt::format("'{}' is not fun:NAME, file:NAME or module:NAME", replay::printable(word)));
            }
            suppression.frames.push_back({.what = prefix->second, .pattern = word.substr(prefix->first.size())});
        }
    }

    void take_reason(std::string_view text, Suppression& suppression) const {
        if (const std::size_t at = last_until(text);
            at != std::string_view::npos && may_mean_a_day(text.substr(at + until_word.size()))) {
            const std::string_view day = trimmed(text.substr(at + until_word.size()));
            suppression.until = day_of(day);
            if (!suppression.until) {  // it would not expire
                refuse(
                    fmt::format("behind 'until' stands a day such as 2027-01-15, or a month such as 2027-01, and "
                                "nothing else, not '{}'",
                                replay::printable(std::string(day))));
            }
            text = trimmed(text.substr(0, at));
            text = text.ends_with(',') ? trimmed(text.substr(0, text.size() - 1)) : text;
        }
        suppression.reason = text;
    }

    std::filesystem::path file_;
    std::size_t line_ = 0;
};

bool path_fits(const std::string& pattern, const std::string& path) {
    const auto fits = [&pattern](const std::string& name) { return fnmatch(pattern.c_str(), name.c_str(), 0) == 0; };
    return !path.empty() && (fits(path) || fits(path.substr(path.rfind('/') + 1)));
}

bool fits(const Suppression::Frame& frame, const replay::CodePlace& place) {
    switch (frame.what) {
        case What::function:
            return replay::names_function(frame.pattern, place);
        case What::file:
            return path_fits(frame.pattern, place.file);
        case What::module:
            return path_fits(frame.pattern, place.module);
    }
    check_failed("a frame is one of these", __FILE__, __LINE__);
}

bool fits(const Suppression& suppression, const replay::RankSituation& situation) {
    return std::all_of(suppression.frames.begin(), suppression.frames.end(), [&](const Suppression::Frame& frame) {
        return fits(frame, situation.where) ||
               std::any_of(situation.stack.begin(), situation.stack.end(),
                           [&frame](const replay::CodePlace& place) { return fits(frame, place); });
    });
}

/// As a word of a line: without what the shell's wildcards mean, and without blanks and remarks.
std::string as_pattern(std::string_view name) {
    std::string pattern;
    for (const char c : name) {
        const bool plain = std::string_view(" \t\r#*?[]\\").find(c) == std::string_view::npos &&
                           static_cast<unsigned char>(c) > ' ' && c != 0x7f;
        pattern += plain ? c : '?';
    }
    return pattern;
}

/// A line of a file that suppresses the kind at this place; empty where nothing is known of the place.
std::string line_for(replay::ViolationKind kind, const replay::CodePlace& place) {
    std::string line(text_of(kind));
    const std::string_view file = std::string_view(place.file).substr(place.file.rfind('/') + 1);
    const std::string_view function = std::string_view(place.function).substr(0, place.function.find('('));
    if (!function.empty()) {
        line += " fun:" + as_pattern(function);
    }
    if (!file.empty()) {
        line += " file:" + as_pattern(file);
    } else if (!place.module.empty()) {
        line += " module:" + as_pattern(std::string_view(place.module).substr(place.module.rfind('/') + 1));
    } else if (function.empty()) {
        return "";
    }
    return line + "  # say here why";
}

}  // namespace

std::vector<Suppression> read_suppressions(const std::filesystem::path& file) {
    std::error_code error;
    std::ifstream in(file, std::ios::binary);
    if (!in || std::filesystem::is_directory(file, error)) {
        throw Error(file.string() + ": the file of suppressions cannot be read");
    }
    std::string content(most_bytes + 1, '\0');
    in.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(in.gcount()));
    if (content.size() > most_bytes) {
        throw Error(fmt::format("{}: a file of suppressions has at most {} bytes", file.string(), most_bytes));
    }
    std::vector<Suppression> all;
    Reader reader(file);
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);) {
        if (std::optional<Suppression> read = reader.read(line)) {
            all.push_back(*std::move(read));
        }
    }
    return all;
}

bool is_each_ranks_own(replay::ViolationKind kind) {
    return replay::is_leak(kind) || replay::is_sanitizers(kind) || replay::ends_rank(kind);
}

Suppression read_allowance(const std::string& file, std::size_t line, std::string_view text) {
    return Reader(file, line - 1).read_allowance(text);
}

bool suppresses(const Suppression& suppression, replay::ViolationKind kind, const replay::RankSituation& situation) {
    return names_kind(suppression.kind, kind) && fits(suppression, situation);
}

bool has_expired(const Suppression& suppression, std::chrono::year_month_day today) {
    return suppression.until && *suppression.until < today;
}

std::set<std::string> suppression_lines(const replay::Violation& violation, replay::ViolationKind kind) {
    std::set<std::string> lines;
    for (const replay::RankSituation& situation : violation.situations) {
        std::string line = line_for(kind, situation.where);
        if (!line.empty() && (lines.empty() || is_each_ranks_own(kind))) {
            lines.insert(std::move(line));
        }
    }
    return lines;
}

}  // namespace dampi::scheduler
