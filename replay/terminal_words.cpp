// See terminal_words.hpp.
#include "replay/terminal_words.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace dampi::replay {

std::string counted(std::uint64_t number, std::string_view noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string rank_list(const std::vector<Rank>& ranks, std::size_t most) {
    if (ranks.empty()) {
        return "";
    }
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    std::size_t listed = 0;
    for (std::size_t i = 0; i < ranks.size();) {
        if (listed++ == most) {
            return text + fmt::format(" and {} more", ranks.size() - i);
        }
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) {
            ++last;
        }
        text += fmt::format("{}{}", i > 0 ? ", " : "", ranks[i]);
        if (last > i) {
            text += fmt::format("{}{}", last == i + 1 ? ", " : "-", ranks[last]);
        }
        i = last + 1;
    }
    return text;
}

std::string printable(std::string_view text) {
    std::string clean;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
        if (byte == '\n' || byte == '\t') {
            clean += ' ';
        } else if (byte < 0x20 || byte == 0x7f) {
            clean += fmt::format("\\x{:02x}", byte);
        } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // C1 in UTF-8
            clean += fmt::format("\\x{:02x}", next);
            ++i;
        } else {
            clean += text[i];
        }
    }
    return clean;
}

std::string shell_quoted(std::string_view word) {
    constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(harmless) == std::string_view::npos) {
        return std::string(word);
    }
    const bool control =
        std::any_of(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    std::string text = control ? "$'" : "'";
    for (const char c : word) {
        const auto byte = static_cast<unsigned char>(c);
        if (control && (byte < 0x20 || byte == 0x7f)) {
            text += fmt::format("\\{:03o}", byte);  // three digits always: a following digit cannot join
        } else if (control && (c == '\'' || c == '\\')) {
            text += '\\';
            text += c;
        } else if (c == '\'') {
            text += "'\\''";
        } else {
            text += c;
        }
    }
    return text + "'";
}

std::string place_text(const CodePlace& place) {
    const std::string function = place.function.empty() ? "" : " (" + place.function + ")";
    if (!place.file.empty()) {
        return printable(fmt::format("{}:{}{}", place.file, place.line, function));
    }
    if (!place.module.empty()) {
        return printable(fmt::format("{}+{:#x}{}", place.module, place.offset, function));
    }
    return printable(place.function);
}

std::string stack_text(const std::vector<CodePlace>& stack) {
    constexpr std::size_t most_frames = 8;
    std::string text;
    for (std::size_t i = 0; i < stack.size(); ++i) {
        if (i == most_frames) {
            return text + fmt::format(" < {} more", stack.size() - i);
        }
        const CodePlace& place = stack[i];
        const std::string& path = place.file.empty() ? place.module : place.file;
        std::string where = path.substr(path.find_last_of('/') + 1);
        if (!where.empty()) {
            where += place.file.empty() ? fmt::format("+{:#x}", place.offset) : fmt::format(":{}", place.line);
        }
        text += text.empty() ? "in " : " < ";
        text += place.function.empty() ? where : where.empty() ? place.function : place.function + " (" + where + ")";
        if (place.function == "main" || place.function == "MAIN__") {
            break;
        }
    }
    return printable(text);
}

std::string duration_text(double seconds) {
    if (seconds < 10) {
        return fmt::format("{:.2f} s", seconds);
    }
    if (seconds < 600) {
        return fmt::format("{:.1f} s", seconds);
    }
    const auto minutes = static_cast<std::uint64_t>(std::llround(seconds / 60));
    return minutes < 60 ? fmt::format("{} min", minutes) : fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

}  // namespace dampi::replay
