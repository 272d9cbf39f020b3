// See fingerprint.hpp.
#include "scheduler/report/fingerprint.hpp"

#include "base/hash.hpp"
#include "replay/cause.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using Role = std::array<std::string, 3>;  ///< the MPI function, the program's, its line

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string line_of(const replay::CodePlace& where, SourceLines& sources) {
    const std::vector<std::string> lines =
        where.file.empty() ? std::vector<std::string>() : sources.lines(where.file, where.line, where.line);
    std::string line = lines.empty() ? std::string() : lines.front();
    std::erase_if(line, is_blank);
    return line;
}

std::string without_numbers(std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
}

}  // namespace

std::string fingerprint(const replay::Violation& violation, SourceLines& sources) {
    std::set<Role> roles;
    const std::set<replay::Rank> without_part = replay::bystanders(violation);
    for (const replay::RankSituation& situation : violation.situations) {
        if (without_part.contains(situation.rank)) {
            continue;
        }
        const replay::CodePlace& where = situation.where;
        const std::string& call = situation.call.empty() ? situation.last_call : situation.call;
        if (!where.function.empty() || !where.file.empty()) {
            roles.insert({call, where.function, line_of(where, sources)});
        }
    }
    base::Hash hash;
    const auto add = [&hash](std::string_view text) { hash.add(text.size()).add(text); };
    add(text_of(violation.kind));
    for (const Role& role : roles) {
        std::for_each(role.begin(), role.end(), add);
    }
    if (roles.empty()) {
        add(without_numbers(violation.message));
    }
    return fmt::format("{:016x}", hash.value());
}

}  // namespace dampi::scheduler
