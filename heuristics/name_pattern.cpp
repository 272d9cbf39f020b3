#include "heuristics/name_pattern.hpp"

#include "base/check.hpp"
#include "replay/function_names.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fnmatch.h>

namespace dampi::heuristics {
namespace {

using Kind = NamePattern::Kind;

constexpr std::pair<std::string_view, Kind> prefixes[] = {
    {"function:", Kind::function}, {"file:", Kind::file}, {"comm:", Kind::communicator}};

bool fits(const std::string& pattern, std::string_view name) {
    return fnmatch(pattern.c_str(), std::string(name).c_str(), 0) == 0;
}

bool function_fits(const NamePattern& pattern, const replay::CodePlace& place) {
    return replay::names_function(pattern.name, place);
}

bool file_fits(const NamePattern& pattern, const replay::CodePlace& place) {
    const std::string_view file = place.file;
    return !file.empty() && (!pattern.line || *pattern.line == place.line) &&
           (fits(pattern.name, file) || fits(pattern.name, file.substr(file.rfind('/') + 1)));
}

}  // namespace

NamePattern parse_name_pattern(std::string_view option, std::string_view text) {
    NamePattern pattern;
    std::string_view name = text;
    for (const auto& [prefix, kind] : prefixes) {
        if (name.substr(0, prefix.size()) == prefix) {
            pattern.kind = kind;
            name.remove_prefix(prefix.size());
            break;
        }
    }
    if (pattern.kind == Kind::any || pattern.kind == Kind::file) {
        const std::size_t colon = name.rfind(':');
        if (colon != std::string_view::npos && colon + 1 != name.size()) {
            int line = 0;
            const char* const end = name.data() + name.size();
            const auto [stopped, error] = std::from_chars(name.data() + colon + 1, end, line);
            if (error == std::errc{} && stopped == end && line > 0) {
                pattern.kind = Kind::file;
                pattern.line = line;
                name = name.substr(0, colon);
            }
        }
    }
    if (name.empty()) {
        throw Error("the option " + std::string(option) +
                    " needs the name of a function, a file or a communicator, not '" + std::string(text) + "'");
    }
    pattern.name = name;
    return pattern;
}

std::string format(const NamePattern& pattern) {
    std::string text;
    for (const auto& [prefix, kind] : prefixes) {
        text += kind == pattern.kind ? prefix : "";
    }
    return text + pattern.name + (pattern.line ? ":" + std::to_string(*pattern.line) : "");
}

bool matches(const NamePattern& pattern, const replay::Epoch& epoch, const std::vector<replay::CodePlace>& stack) {
    const auto here = [&](const replay::CodePlace& place) {
        return ((pattern.kind == Kind::any || pattern.kind == Kind::function) && function_fits(pattern, place)) ||
               ((pattern.kind == Kind::any || pattern.kind == Kind::file) && file_fits(pattern, place));
    };
    const bool communicator = pattern.kind == Kind::any || pattern.kind == Kind::communicator;
    return (communicator && !epoch.context.communicator_name.empty() &&
            fits(pattern.name, epoch.context.communicator_name)) ||
           here(epoch.where) || std::any_of(stack.begin(), stack.end(), here);
}

}  // namespace dampi::heuristics
