#include "tests/harness/expectation.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

namespace dampi::harness {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators = blanks) {
    std::vector<std::string_view> words;
    while (true) {
        const auto begin = text.find_first_not_of(separators);
        if (begin == std::string_view::npos) {
            return words;
        }
        text.remove_prefix(begin);
        const auto end = std::min(text.find_first_of(separators), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

/// The lines of the first comment, without what makes them a comment but indented as they are. Empty when the
/// text starts otherwise.
std::vector<std::string_view> first_comment(std::string_view source) {
    const auto begin = source.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) {
        return {};
    }
    source.remove_prefix(begin);
    std::vector<std::string_view> result;
    if (source.starts_with("/*")) {
        const auto end = source.find("*/");
        if (end == std::string_view::npos) {
            throw HeaderError("the first comment has no end");
        }
        for (std::string_view line : lines_of(source.substr(2, end - 2))) {
            line = trimmed(line);
            while (line.starts_with('*')) {
                line.remove_prefix(1);
            }
            result.push_back(line);
        }
        return result;
    }
    const std::string_view marker = source.starts_with("//") ? "//" : source.starts_with("#") ? "#" : "!";
    for (std::string_view line : lines_of(source)) {
        line = trimmed(line);
        if (line.starts_with("#!")) {
            continue;  // the script's interpreter
        }
        if (!line.starts_with(marker)) {
            break;
        }
        result.push_back(line.substr(marker.size()));
    }
    return result;
}

std::string_view without_remark(std::string_view value) {
    if (value.ends_with(')')) {
        const auto open = value.rfind('(');
        if (open == 0) {
            return {};
        }
        if (open != std::string_view::npos && blanks.find(value[open - 1]) != std::string_view::npos) {
            return trimmed(value.substr(0, open));
        }
    }
    return value;
}

template <typename Integer>
Integer number(std::string_view text, const std::string& what) {
    Integer value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw HeaderError(what + " is not a number in range: '" + std::string(text) + "'");
    }
    return value;
}

std::set<Outcome> outcome_set(std::string_view text, std::string_view key) {
    std::set<Outcome> result;
    text = trimmed(text);
    while (!text.empty()) {
        const auto end = text.find('}');
        if (!text.starts_with('{') || end == std::string_view::npos) {
            throw HeaderError("in '" + std::string(key) + "', expected {...} at '" + std::string(text) + "'");
        }
        const Outcome outcome = canonical_outcome(text.substr(0, end + 1));
        if (!result.insert(outcome).second) {
            throw HeaderError("in '" + std::string(key) + "', " + outcome + " appears twice");
        }
        text = trimmed(text.substr(end + 1));
    }
    return result;
}

void add_kind(std::string_view kind, std::set<std::string>& kinds) {
    if (kind.empty() || kind.find_first_not_of("abcdefghijklmnopqrstuvwxyz-_/") != std::string_view::npos) {
        throw HeaderError("'" + std::string(kind) + "' is no kind of finding");
    }
    if (!kinds.insert(std::string(kind)).second) {
        throw HeaderError("'" + std::string(kind) + "' is expected twice");
    }
}

void parse_notes(std::string_view value, Expectation& expectation) {
    for (const std::string_view item : words_of(value, ",")) {
        add_kind(without_remark(trimmed(item)), expectation.notes);
    }
}

void parse_kinds(std::string_view value, Expectation& expectation) {
    bool clean = false;
    for (const std::string_view item : words_of(value, ",")) {
        const std::string_view kind = without_remark(trimmed(item));
        if (kind == "clean") {
            clean = true;
        } else if (kind == "incomplete") {
            expectation.incomplete = true;
        } else {
            add_kind(kind, expectation.kinds);
        }
    }
    const bool something_else = expectation.incomplete || !expectation.kinds.empty();
    if (clean == something_else) {
        throw HeaderError("'expect' needs either clean or what else is expected");
    }
}

/// The number of the one line that ends with the comment @.
int marked_line(std::string_view source) {
    int result = 0;
    int at = 0;
    for (std::string_view line : lines_of(source)) {
        ++at;
        line = trimmed(line);
        if (line.ends_with("/*@*/") || line.ends_with("//@") || line.ends_with("!@") || line.ends_with("#@")) {
            if (result != 0) {
                throw HeaderError("more than one line is marked with @");
            }
            result = at;
        }
    }
    if (result == 0) {
        throw HeaderError("'where' says @, but no line ends with /*@*/, //@, !@ or #@");
    }
    return result;
}

SourcePlace parse_place(std::string_view value, std::string_view source) {
    const auto colon = value.rfind(':');
    if (colon == std::string_view::npos || colon == 0) {
        throw HeaderError("'where' must be FILE:LINE or FILE:@");
    }
    const std::string_view line = value.substr(colon + 1);
    return {.file = std::string(value.substr(0, colon)),
            .line = line == "@" ? marked_line(source) : number<int>(line, "the line in 'where'")};
}

/// The function in "refused MPI_X".
std::string parse_refusal(std::string_view value) {
    const std::vector<std::string_view> words = words_of(value);
    const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    if (words.size() != 2 || words[0] != "refused" || !words[1].starts_with("MPI_") ||
        !std::all_of(words[1].begin(), words[1].end(), is_of_name)) {
        throw HeaderError("'central' must be: refused MPI_Function, not '" + std::string(value) + "'");
    }
    return std::string(words[1]);
}

std::vector<std::string> strings(const std::vector<std::string_view>& words) { return {words.begin(), words.end()}; }

void set_key(std::string_view key, std::string_view value, std::string_view source, Expectation& expectation) {
    value = without_remark(trimmed(value));
    if (value.empty()) {
        throw HeaderError("'" + std::string(key) + "' has no value");
    }
    if (key == "np") {
        expectation.processes = number<int>(value, "'np'");
        if (expectation.processes < 1) {
            throw HeaderError("'np' must be 1 or more");
        }
    } else if (key == "expect") {
        parse_kinds(value, expectation);
    } else if (key == "notes") {
        parse_notes(value, expectation);
    } else if (key == "findings") {
        expectation.findings = number<std::uint64_t>(value, "'findings'");
    } else if (key == "interleavings") {
        expectation.interleavings = number<std::uint64_t>(value, "'interleavings'");
        if (*expectation.interleavings == 0) {
            throw HeaderError("'interleavings' must be 1 or more");
        }
    } else if (key == "outcomes") {
        expectation.outcomes = outcome_set(value, key);
    } else if (key == "args") {
        expectation.arguments = strings(words_of(value));
    } else if (key == "options") {
        expectation.options = strings(words_of(value));
    } else if (key == "where") {
        expectation.where = parse_place(value, source);
    } else if (key == "lamport-misses") {
        expectation.lamport_misses = outcome_set(value, key);
    } else if (key == "central") {
        expectation.refused_by_central = parse_refusal(value);
    } else {
        throw HeaderError("'" + std::string(key) + "' is no key of a DAMPI-TEST header");
    }
}

/// The header's lines as key and value; lines that go on with the previous value, because they stand further in or
/// begin with a brace, are joined to it.
std::vector<std::pair<std::string, std::string>> keys_and_values(std::string_view source) {
    const std::vector<std::string_view> comment = first_comment(source);
    auto at = std::find_if(comment.begin(), comment.end(), [](auto line) { return trimmed(line) == "DAMPI-TEST"; });
    if (at == comment.end()) {
        throw HeaderError("the first comment has no line DAMPI-TEST");
    }
    std::vector<std::pair<std::string, std::string>> result;
    std::size_t indentation = 0;
    for (++at; at != comment.end(); ++at) {
        const std::string_view line = trimmed(*at);
        if (line.empty()) {
            if (!result.empty()) {
                break;
            }
            continue;
        }
        const std::size_t indented = at->find_first_not_of(blanks);
        if (result.empty()) {
            indentation = indented;
        } else if (indented < indentation) {
            break;
        } else if (line.starts_with('{') || indented > indentation) {
            result.back().second += ' ';
            result.back().second += line;
            continue;
        }
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) {
            throw HeaderError("'" + std::string(line) + "' is not of the form 'key: value'");
        }
        result.emplace_back(trimmed(line.substr(0, colon)), line.substr(colon + 1));
    }
    return result;
}

/// What an epoch came to: "<-2", "=0+2" or "=none", and "~3" behind it.
std::string canonical_result(std::string_view text) {
    std::string false_answers;
    if (const auto tilde = text.find('~'); tilde != std::string_view::npos) {
        false_answers = "~" + std::to_string(number<unsigned>(text.substr(tilde + 1), "the number of false answers"));
        text = text.substr(0, tilde);
    }
    if (text.starts_with("<-")) {
        return "<-" + std::to_string(number<int>(text.substr(2), "the source of an outcome")) + false_answers;
    }
    if (!text.starts_with('=')) {
        throw HeaderError("'" + std::string(text) + "' is not what an epoch can come to");
    }
    text.remove_prefix(1);
    if (text == "none") {
        return "=none" + false_answers;
    }
    std::set<unsigned> requests;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find('+', begin), text.size());
        const auto request = number<unsigned>(text.substr(begin, end - begin), "the request of an outcome");
        if (!requests.insert(request).second) {
            throw HeaderError("a request appears twice in '" + std::string(text) + "'");
        }
        begin = end + 1;
    }
    std::string result;
    for (const unsigned request : requests) {
        result += (result.empty() ? "=" : "+") + std::to_string(request);
    }
    return result + false_answers;
}

}  // namespace

bool is_doubt(std::string_view kind) {
    return kind == "divergence" || kind == "imprecise-match" || kind == "possible-livelock";
}

Outcome canonical_outcome(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') {
        throw HeaderError("'" + std::string(text) + "' is not of the form {rank#index<-source rank#index=request ...}");
    }
    std::map<std::pair<int, unsigned>, std::string> results;
    std::string digest;  // of what is left out of a very long one
    for (const std::string_view word : words_of(text.substr(1, text.size() - 2), " \t\r\n,")) {
        if (word == "..." || !digest.empty()) {
            digest += " " + std::string(word);
            continue;
        }
        const auto hash = word.find('#');
        const auto sign = word.find_first_of("<=");
        if (hash == std::string_view::npos || sign == std::string_view::npos || sign < hash) {
            throw HeaderError("'" + std::string(word) +
                              "' is not of the form rank#index<-source or rank#index=request");
        }
        const auto rank = number<int>(word.substr(0, hash), "the rank of an outcome");
        std::string_view epoch = word.substr(hash + 1, sign - hash - 1);
        std::string poll;
        if (const auto at = epoch.find('@'); at != std::string_view::npos) {
            poll = "@" + std::to_string(number<unsigned>(epoch.substr(at + 1), "the polling call of an outcome"));
            epoch = epoch.substr(0, at);
        }
        const auto index = number<unsigned>(epoch, "the index of an outcome");
        if (!results.emplace(std::pair(rank, index), poll + canonical_result(word.substr(sign))).second) {
            throw HeaderError("an epoch appears twice in '" + std::string(text) + "'");
        }
    }
    std::string result = "{";
    for (const auto& [epoch, came_to] : results) {
        if (result.size() > 1) {
            result += ' ';
        }
        result += std::to_string(epoch.first) + '#' + std::to_string(epoch.second) + came_to;
    }
    return result + digest + '}';
}

Expectation parse_expectation(std::string_view source) {
    Expectation result;
    std::set<std::string> seen;
    for (const auto& [key, value] : keys_and_values(source)) {
        if (!seen.insert(key).second) {
            throw HeaderError("'" + key + "' appears twice");
        }
        set_key(key, value, source, result);
    }
    for (const std::string required : {"np", "expect"}) {
        if (!seen.contains(required)) {
            throw HeaderError("'" + required + "' is missing");
        }
    }
    if (result.interleavings && result.outcomes && result.outcomes->size() != *result.interleavings) {
        throw HeaderError("'interleavings' says " + std::to_string(*result.interleavings) + " but 'outcomes' lists " +
                          std::to_string(result.outcomes->size()));
    }
    return result;
}

}  // namespace dampi::harness
