// See alike.hpp.
#include "scheduler/report/alike.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace dampi::scheduler {

namespace {

using base::Rank;

/// Different numbers that are listed; of more, the first three.
constexpr std::size_t most_values = 4;
/// Of fewer ranks the numbers themselves say more than how they follow from the ranks.
constexpr std::size_t least_for_a_rule = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A text with its free-standing numbers taken out: "tag 7" is {"tag ", ""} and {7}; "MPI_INT32_T" has none.
struct Parts {
    std::vector<std::string> words;  ///< one more than numbers
    std::vector<std::int64_t> numbers;

    explicit Parts(std::string_view text) {
        words.emplace_back();
        for (std::size_t i = 0; i < text.size();) {
            std::size_t end = i;
            while (end < text.size() && is_word(text[end])) {
                ++end;
            }
            std::int64_t number = 0;
            const char* last = text.data() + end;
            const bool read = end > i && is_digit(text[i]) &&
                              std::from_chars(text.data() + i, last, number).ptr == last && end - i < 19;
            end = std::max(end, i + 1);
            if (read) {
                numbers.push_back(number);
                words.emplace_back();
            } else {
                words.back() += text.substr(i, end - i);
            }
            i = end;
        }
    }
};

struct Value {
    Rank rank;
    std::int64_t number;
};

/// "<own rank - 1>", if it is so for all.
std::optional<std::string> rule(const std::vector<Value>& values, Rank ranks) {
    std::set<Rank> different;
    for (const Value& value : values) {
        different.insert(value.rank);
    }
    if (different.size() < least_for_a_rule) {
        return std::nullopt;
    }
    std::int64_t offset = values.front().number - values.front().rank;
    const auto text = [&](std::string_view modulo) {
        return offset == 0
                   ? std::string("<own rank>")
                   : fmt::format("<own rank {} {}{}>", offset < 0 ? '-' : '+', offset < 0 ? -offset : offset, modulo);
    };
    if (std::all_of(values.begin(), values.end(),
                    [&](const Value& value) { return value.number - value.rank == offset; })) {
        return text("");
    }
    if (ranks <= 0) {
        return std::nullopt;
    }
    const auto wrapped = [&](std::int64_t number) { return ((number % ranks) + ranks) % ranks; };
    const std::int64_t step = wrapped(offset);
    if (!std::all_of(values.begin(), values.end(), [&](const Value& value) {
            return value.number < ranks && wrapped(value.number - value.rank) == step;
        })) {
        return std::nullopt;
    }
    offset = step > ranks / 2 ? step - ranks : step;
    return text(fmt::format(", modulo {}", ranks));
}

std::string summary(const std::vector<Value>& values, Rank ranks) {
    std::set<std::int64_t> different;
    for (const Value& value : values) {
        different.insert(value.number);
    }
    if (different.size() > 1) {
        if (const std::optional<std::string> found = rule(values, ranks)) {
            return *found;
        }
    }
    std::string text;
    std::size_t listed = 0;
    for (const std::int64_t number : different) {
        if (different.size() > most_values && listed == most_values - 1) {
            return text + fmt::format(", ... ({} values)", different.size());
        }
        text += fmt::format("{}{}", listed++ == 0 ? "" : ", ", number);
    }
    return text;
}

/// The members' common text.
std::string merged_text(const std::vector<Described>& entries, const std::vector<std::size_t>& members, Rank ranks) {
    const Parts form(entries[members.front()].text);
    std::vector<std::vector<Value>> values(form.numbers.size());
    for (const std::size_t member : members) {
        const Parts parts(entries[member].text);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i].push_back({entries[member].rank, parts.numbers[i]});
        }
    }
    std::string text = form.words.front();
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += summary(values[i], ranks) + form.words[i + 1];
    }
    return text;
}

template <typename Key>
std::vector<Alike> group_by(const std::vector<Described>& entries, Key&& key) {
    std::vector<Alike> groups;
    std::map<std::string, std::size_t> group_of;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto [found, is_new] = group_of.try_emplace(key(entries[i]), groups.size());
        if (is_new) {
            groups.emplace_back().text = entries[i].text;
        }
        groups[found->second].members.push_back(i);
        groups[found->second].ranks.push_back(entries[i].rank);
    }
    for (Alike& group : groups) {
        std::sort(group.ranks.begin(), group.ranks.end());
        group.ranks.erase(std::unique(group.ranks.begin(), group.ranks.end()), group.ranks.end());
    }
    return groups;
}

}  // namespace

std::vector<Alike> group_alike(const std::vector<Described>& entries, std::size_t most, Rank ranks) {
    std::vector<Alike> groups =
        group_by(entries, [](const Described& entry) { return entry.same + '\x1e' + entry.text; });
    if (groups.size() <= most) {
        return groups;
    }
    groups = group_by(entries, [](const Described& entry) {
        std::string key = entry.same;
        for (const std::string& words : Parts(entry.text).words) {
            key.append(1, '\x1e').append(words);
        }
        return key;
    });
    for (Alike& group : groups) {
        group.text = merged_text(entries, group.members, ranks);
    }
    return groups;
}

}  // namespace dampi::scheduler
