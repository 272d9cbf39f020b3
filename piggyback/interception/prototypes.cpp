#include "piggyback/interception/prototypes.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace dampi::piggyback {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The text without comments, string literals and preprocessor lines (with their continuations).
std::string without_noise(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    bool line_is_empty_so_far = true;
    for (std::size_t i = 0; i < text.size();) {
        if (text.substr(i, 2) == "/*") {
            const auto end = text.find("*/", i + 2);
            i = end == std::string_view::npos ? text.size() : end + 2;
            clean += ' ';
        } else if (text.substr(i, 2) == "//") {
            i = std::min(text.find('\n', i), text.size());
        } else if (text[i] == '#' && line_is_empty_so_far) {
            while (i < text.size() && text[i] != '\n') {
                if (text.substr(i, 2) == "/*") {  // such a comment may run on over the line's end
                    i = std::min(text.find("*/", i), text.size());
                }
                i += i < text.size() && text[i] == '\\' ? 2 : 1;
            }
        } else if (text[i] == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i) {
                i += text[i] == '\\' ? 1 : 0;
            }
            ++i;
            line_is_empty_so_far = false;
        } else {
            if (text[i] == '\n') {
                line_is_empty_so_far = true;
            } else if (!is_space(text[i])) {
                line_is_empty_so_far = false;
            }
            clean += text[i++];
        }
    }
    return clean;
}

/// With single blanks, and none at either end.
std::string squeezed(std::string_view text) {
    std::string result;
    for (char c : text) {
        if (!is_space(c)) {
            result += c;
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    }
    if (!result.empty() && result.back() == ' ') {
        result.pop_back();
    }
    return result;
}

/// The position of the parenthesis that closes the one at `open`, or npos.
std::size_t closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '(') {
            ++depth;
        } else if (text[i] == ')' && --depth == 0) {
            return i;
        }
    }
    return std::string_view::npos;
}

/// Removes every __attribute__((...)) from `text`.
std::string without_attributes(std::string text) {
    for (auto at = text.find("__attribute__"); at != std::string::npos; at = text.find("__attribute__")) {
        const auto open = text.find('(', at);
        const auto end = open == std::string::npos ? open : closing(text, open);
        text.erase(at, end == std::string::npos ? end : end + 1 - at);
    }
    return text;
}

/// The words of a declaration in order: identifiers and keywords.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < text.size();) {
        if (!is_word(text[i])) {
            ++i;
            continue;
        }
        const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), is_word);
        words.emplace_back(text.begin() + static_cast<std::ptrdiff_t>(i), end);
        i += words.back().size();
    }
    return words;
}

/// Words that belong to a type and can never be a parameter's name.
bool is_type_word(const std::string& word) {
    static constexpr std::array<std::string_view, 16> words = {
        "void",  "char",     "short", "int",   "long",     "float",    "double", "signed",
        "_Bool", "unsigned", "const", "union", "volatile", "restrict", "struct", "enum"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words that only qualify: next to them alone another word is the type, not a name.
bool is_qualifier(const std::string& word) {
    return word == "const" || word == "volatile" || word == "restrict" || word == "struct" || word == "union" ||
           word == "enum";
}

Parameter parse_parameter(std::string_view text, std::size_t number) {
    std::string declaration = squeezed(text);
    const std::string generic = "argument_" + std::to_string(number);

    // A pointer to a function keeps its name inside the first parentheses: int (*copy)(int, void*).
    if (const auto open = declaration.find('('); open != std::string::npos) {
        const auto close = closing(declaration, open);
        const auto inner = words_of(std::string_view(declaration).substr(open + 1, close - open - 1));
        if (!inner.empty()) {
            return {std::move(declaration), inner.back()};
        }
        declaration.insert(close, generic);
        return {std::move(declaration), generic};
    }

    const auto bracket = std::min(declaration.find('['), declaration.size());
    std::string head = squeezed(std::string_view(declaration).substr(0, bracket));
    const std::string arrays = declaration.substr(bracket);
    const auto words = words_of(head);
    const auto type_words = std::count_if(words.begin(), words.end(), [](const auto& w) { return !is_qualifier(w); });
    const bool named = type_words >= 2 && !is_type_word(words.back()) && is_word(head.back());
    if (named) {
        return {std::move(declaration), words.back()};
    }
    return {head + " " + generic + arrays, generic};
}

Prototype parse_prototype(const std::string& statement, std::size_t name_at, std::size_t open) {
    Prototype prototype;
    prototype.name = squeezed(std::string_view(statement).substr(name_at, open - name_at));
    prototype.return_type = squeezed(without_attributes(statement.substr(0, name_at)));
    if (prototype.return_type.starts_with("extern ")) {
        prototype.return_type.erase(0, 7);
    }
    const auto close = closing(statement, open);
    if (prototype.return_type.empty() || close == std::string::npos) {
        throw Error("cannot understand the prototype of " + prototype.name + ": " + squeezed(statement));
    }

    std::vector<std::string> pieces(1);
    int depth = 0;
    for (char c : without_attributes(statement.substr(open + 1, close - open - 1))) {
        depth += (c == '(' || c == '[') ? 1 : (c == ')' || c == ']') ? -1 : 0;
        if (c == ',' && depth == 0) {
            pieces.emplace_back();
        } else {
            pieces.back() += c;
        }
    }
    for (const auto& piece : pieces) {
        const auto text = squeezed(piece);
        if (pieces.size() == 1 && (text.empty() || text == "void")) {
            break;
        }
        if (text == "...") {
            prototype.variadic = true;
        } else if (text.empty()) {
            throw Error("the prototype of " + prototype.name + " has an empty parameter: " + squeezed(statement));
        } else {
            prototype.parameters.push_back(parse_parameter(text, prototype.parameters.size() + 1));
        }
    }
    return prototype;
}

}  // namespace

std::vector<Prototype> parse_prototypes(std::string_view header_text) {
    std::vector<Prototype> prototypes;
    std::set<std::string> known;
    const std::string text = without_noise(header_text);

    for (std::size_t begin = 0; begin < text.size();) {
        // Statements end at ';'. Braces (extern "C", structures) end one, too: what they hold is looked at by itself.
        const auto end = std::min(text.find_first_of(";{}", begin), text.size());
        const std::string statement = text.substr(begin, end - begin);
        const bool declaration = end < text.size() && text[end] == ';';
        begin = end + 1;

        const auto words = words_of(statement);
        if (!declaration || words.empty() || words.front() == "typedef") {
            continue;
        }
        // The function's name is the first MPI_ word that stands right before a parenthesis.
        for (auto at = statement.find("MPI_"); at != std::string::npos; at = statement.find("MPI_", at + 1)) {
            if (at > 0 && is_word(statement[at - 1])) {
                continue;
            }
            auto after = at;
            while (after < statement.size() && is_word(statement[after])) {
                ++after;
            }
            const auto open = statement.find_first_not_of(" \t\r\n", after);
            if (open == std::string::npos || statement[open] != '(') {
                continue;
            }
            // Any parenthesis before it: this MPI_ word is a parameter's type of another function.
            if (without_attributes(statement.substr(0, at)).find('(') == std::string::npos) {
                auto prototype = parse_prototype(statement, at, open);
                if (known.insert(prototype.name).second) {
                    prototypes.push_back(std::move(prototype));
                }
            }
            break;
        }
    }
    return prototypes;
}

}  // namespace dampi::piggyback
