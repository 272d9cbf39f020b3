// See return_statement.hpp.
#include "scheduler/judgement/return_statement.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace dampi::scheduler {
namespace {

using replay::CodePlace;

constexpr std::string_view keyword = "return";
constexpr std::string_view blanks = " \t\n";

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The source in one text, its lines where they were, with blanks for what is in comments and literals.
class Code {
public:
    explicit Code(const std::vector<std::string>& lines) {
        for (const std::string& line : lines) {
            begins_.push_back(text_.size());
            text_ += line + '\n';
        }
        blank_comments_and_literals();
    }

    [[nodiscard]] std::string_view text() const { return text_; }

    /// Nothing where the place is not in the text.
    [[nodiscard]] std::optional<std::size_t> position(int line, int column) const {
        if (line < 1 || static_cast<std::size_t>(line) > begins_.size() || column < 1) {
            return std::nullopt;
        }
        const std::size_t begin = begins_[static_cast<std::size_t>(line) - 1];
        const std::size_t at = begin + static_cast<std::size_t>(column) - 1;
        return at < text_.find('\n', begin) ? std::optional(at) : std::nullopt;
    }

    [[nodiscard]] int line_at(std::size_t position) const {
        return static_cast<int>(std::upper_bound(begins_.begin(), begins_.end(), position) - begins_.begin());
    }

    /// The last such word that begins in [begin, end); npos where there is none.
    [[nodiscard]] std::size_t last_word(std::string_view word, std::size_t begin, std::size_t end) const {
        for (std::size_t at = end; at > begin;) {
            at = text_.rfind(word, at - 1);
            if (at == std::string::npos || at < begin) {
                break;
            }
            if ((at == 0 || !is_of_word(text_[at - 1])) && !is_of_word(text_[at + word.size()])) {
                return at;
            }
        }
        return std::string::npos;
    }

private:
    void blank_comments_and_literals() {
        for (std::size_t at = 0; at < text_.size();) {
            const std::string_view rest = std::string_view(text_).substr(at);
            std::size_t length = 1;
            if (rest.starts_with("//")) {
                length = rest.find('\n');
            } else if (rest.starts_with("/*")) {
                length = std::min(rest.find("*/", 2), rest.size() - 2) + 2;
            } else if (rest[0] == '"' || (rest[0] == '\'' && (at == 0 || !is_of_word(text_[at - 1])))) {
                length = literal_length(rest);
            } else {
                ++at;
                continue;
            }
            for (const std::size_t end = at + length; at < end; ++at) {
                text_[at] = text_[at] == '\n' ? '\n' : ' ';
            }
        }
    }

    /// Of the literal that the text begins with, which ends at the line's end at the latest.
    static std::size_t literal_length(std::string_view text) {
        std::size_t at = 1;
        while (text[at] != '\n' && text[at] != text[0]) {
            at += text[at] == '\\' && text[at + 1] != '\n' ? 2 : 1;
        }
        return text[at] == '\n' ? at : at + 1;
    }

    std::string text_;
    std::vector<std::size_t> begins_;  ///< of lines
};

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// What the `return` there gives back, as it is written.
std::string_view value_of(std::string_view code, std::size_t at) {
    at += keyword.size();
    return trimmed(code.substr(at, code.find(';', at) - at));
}

/// The status of a process whose main returns this; nothing where it is no constant.
std::optional<int> constant(std::string_view value) {
    while (value.size() > 1 && value.front() == '(' && value.back() == ')') {
        value = trimmed(value.substr(1, value.size() - 2));
    }
    if (value == "EXIT_SUCCESS" || value == "EXIT_FAILURE") {
        return value == "EXIT_FAILURE" ? 1 : 0;
    }
    const bool is_hexadecimal = value.starts_with("0x");
    const bool is_octal = !is_hexadecimal && value.size() > 1 && value[0] == '0';
    value.remove_prefix(is_hexadecimal ? 2 : 0);
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number,
                                              is_hexadecimal ? 16
                                              : is_octal     ? 8
                                                             : 10);
    constexpr unsigned status_bits = 0xff;
    return error == std::errc() && end == value.data() + value.size()
               ? std::optional(static_cast<int>(static_cast<unsigned>(number) & status_bits))
               : std::nullopt;
}

/// Where the braces that open behind `begin` are all closed.
std::size_t end_of_body(std::string_view code, std::size_t begin) {
    int open = 0;
    for (std::size_t at = code.find_first_of("{}", begin); at != std::string_view::npos;
         at = code.find_first_of("{}", at + 1)) {
        open += code[at] == '{' ? 1 : -1;
        if (open <= 0) {
            return at;
        }
    }
    return code.size();
}

/// The macros of the file that have a `return` in them.
std::vector<std::string_view> returning_macros(std::string_view code) {
    constexpr std::string_view define = "define";
    std::vector<std::string_view> names;
    for (std::size_t at = code.find('#'); at != std::string_view::npos; at = code.find('#', at + 1)) {
        std::size_t end = code.find('\n', at);
        while (end != std::string_view::npos && code[end - 1] == '\\') {
            end = code.find('\n', end + 1);
        }
        std::string_view directive = trimmed(code.substr(at + 1, end - at - 1));
        if (!directive.starts_with(define) || directive.find(keyword) == std::string_view::npos) {
            continue;
        }
        directive = trimmed(directive.substr(define.size()));
        const auto name_end = std::find_if_not(directive.begin(), directive.end(), is_of_word);
        names.push_back(directive.substr(0, static_cast<std::size_t>(name_end - directive.begin())));
    }
    return names;
}

/// Whether optimised code that looks like that of the `return` there can be that of another: a constant's of one that
/// may return the same.
bool may_be_another(const Code& code, std::size_t statement, std::size_t begin, std::size_t end, int status) {
    for (std::size_t at = code.last_word(keyword, begin, end); at != std::string::npos;
         at = code.last_word(keyword, begin, at)) {
        const std::optional<int> other = constant(value_of(code.text(), at));
        if (at != statement && other.value_or(status) == status) {
            return true;
        }
    }
    return !returning_macros(code.text()).empty();
}

}  // namespace

std::optional<CodePlace> return_statement(const WayOutOfMain& way, const CodePlace& main, int status,
                                          SourceLines& sources) {
    if (way.places.empty() || main.file.empty()) {
        return std::nullopt;
    }
    const Code code(sources.all(main.file));
    const std::string_view text = code.text();
    const auto position = [&](const CodePlace& place) {
        return place.file == main.file && place.function == main.function ? code.position(place.line, place.column)
                                                                          : std::nullopt;
    };
    // Nothing is known of a tail call's function, and line 0 belongs to no statement.
    const auto last = std::find_if(way.places.begin(), way.places.end(), [&](const CodePlace& place) {
        const auto at = position(place);
        return place.function != main.function || (place.line != 0 && (!at || text[*at] != '}'));
    });
    const std::optional<std::size_t> at = last != way.places.end() ? position(*last) : std::nullopt;
    const std::optional<std::size_t> begin = code.position(main.line, std::max(main.column, 1));
    if (!at || !begin) {
        return std::nullopt;
    }
    const std::size_t end = end_of_body(text, *begin);
    const std::size_t before = *at == 0 ? std::string_view::npos : text.find_last_of(";{}", *at - 1);
    const std::size_t statement = code.last_word(keyword, before == std::string_view::npos ? 0 : before + 1, *at + 1);
    if (statement != std::string::npos) {
        if (constant(value_of(text, statement)).value_or(status) != status ||
            (!way.is_unoptimised && may_be_another(code, statement, *begin, end, status))) {
            return std::nullopt;
        }
        CodePlace place = *last;
        place.line = code.line_at(statement);
        return place;
    }
    if (!way.is_unoptimised) {
        return std::nullopt;
    }
    const std::string_view word = text.substr(
        *at,
        static_cast<std::size_t>(
            std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(*at), text.end(), is_of_word) - text.begin()) -
            *at);
    const std::vector<std::string_view> macros = returning_macros(text);
    if (std::find(macros.begin(), macros.end(), word) != macros.end()) {
        return *last;
    }
    // Only closing braces between the statement and main's end: there is nothing else that it can have come to.
    const std::size_t behind = text.find(';', *at);
    const bool is_last = behind < end && text.find_first_not_of(" \t\n}", behind + 1) > end;
    return status == 0 && is_last && last != way.places.begin() && way.places.front().line == code.line_at(end)
               ? std::optional(way.places.front())
               : std::nullopt;
}

}  // namespace dampi::scheduler
