// See kind_names.hpp.
#include "scheduler/report/kind_names.hpp"

#include <algorithm>
#include <cstdint>

#include <fnmatch.h>

namespace dampi::scheduler {

std::string kinds_text(const std::vector<replay::ViolationKind>& kinds) {
    std::string text;
    for (const replay::ViolationKind kind : kinds) {
        text.append(text.empty() ? "" : ", ").append(text_of(kind));
    }
    return text;
}

bool names_kind(const std::string& word, replay::ViolationKind kind) {
    return fnmatch(word.c_str(), std::string(text_of(kind)).c_str(), 0) == 0;
}

std::vector<std::string> kinds_of_violations() {
    std::vector<std::string> all;
    for (std::uint32_t number = 0; number <= number_of(replay::last_violation_kind); ++number) {
        const auto kind = static_cast<replay::ViolationKind>(number);
        if (replay::is_fault(replay::violation_kinds::line(kind).severity)) {
            all.emplace_back(text_of(kind));
        }
    }
    return all;
}

bool names_violations(const std::string& word) {
    const std::vector<std::string> all = kinds_of_violations();
    return std::any_of(all.begin(), all.end(),
                       [&word](const std::string& kind) { return fnmatch(word.c_str(), kind.c_str(), 0) == 0; });
}

}  // namespace dampi::scheduler
