// See cause.hpp.
#include "replay/cause.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace dampi::replay {
namespace {

bool has_place(const CodePlace& place) { return !place.module.empty() || !place.file.empty(); }

bool same(const RankSituation& a, const RankSituation& b) {
    const auto parts = [](const RankSituation& each) {
        return std::tie(each.rank, each.call, each.detail, each.where, each.arguments, each.last_call, each.stack);
    };
    return parts(a) == parts(b);
}

std::string without_numbers(std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
}

/// What tells violations of a kind apart that were seen at the same place: which signal, what an exit came without,
/// what a sanitizer has said.
std::string what_it_was(const Violation& violation) {
    const auto from = [&violation](std::string_view word) {
        const std::size_t at = violation.message.find(word);
        return at == std::string::npos ? std::string() : violation.message.substr(at);
    };
    return violation.kind == ViolationKind::crash  ? from(" by signal ")
           : violation.kind == ViolationKind::exit ? from(" without ")
           : is_sanitizers(violation.kind)         ? without_numbers(violation.message)
                                                   : "";
}

std::set<Rank> blocked_behind_core(const Violation& violation) {
    if (!violation.wait_for || violation.wait_for->core.empty()) {
        return {};
    }
    std::map<Rank, std::vector<Rank>> waiting;  // by rank: those that wait for it
    for (const WaitForGraph::Node& node : violation.wait_for->nodes) {
        for (const WaitForGraph::Edge& edge : node.edges) {
            waiting[edge.to].push_back(node.rank);
        }
    }
    const std::vector<Rank>& core = violation.wait_for->core;
    std::set<Rank> seen(core.begin(), core.end());
    for (std::vector<Rank> open = core; !open.empty();) {
        const Rank rank = open.back();
        open.pop_back();
        for (const Rank each : waiting[rank]) {
            if (seen.insert(each).second) {
                open.push_back(each);
            }
        }
    }
    for (const Rank rank : core) {
        seen.erase(rank);
    }
    return seen;
}

}  // namespace

std::set<Rank> bystanders(const Violation& violation) {
    if (violation.kind != ViolationKind::hang) {
        return blocked_behind_core(violation);
    }
    std::set<Rank> others;
    for (const RankSituation& situation : violation.situations) {
        if (std::find(violation.ranks.begin(), violation.ranks.end(), situation.rank) == violation.ranks.end()) {
            others.insert(situation.rank);
        }
    }
    return others;
}

std::string cause_of(const Violation& violation) {
    // Separators keep the parts apart.
    std::string cause(text_of(violation.kind));
    std::set<std::string> roles;
    bool placed = false;
    const std::set<Rank> without_part = bystanders(violation);
    for (const RankSituation& situation : violation.situations) {
        if (without_part.contains(situation.rank)) {
            continue;
        }
        placed = placed || has_place(situation.where);
        const auto [module, function, file, line, offset] = source_place(situation.where);
        const std::string number = std::to_string(line) + ':' + std::to_string(offset);
        std::string role = "\x1e" + situation.call;
        for (const std::string_view part :
             {std::string_view(situation.last_call), module, function, file, std::string_view(number)}) {
            role.append(1, '\x1f').append(part);
        }
        roles.insert(std::move(role));
    }
    for (const std::string& role : roles) {
        cause += role;
    }
    // A program of random choices would have as many doubts as interleavings. The MPI library's codes for errors are
    // others in each run.
    cause += "\x1e" + (placed ? what_it_was(violation)
                       : is_doubt(violation.kind) || violation.kind == ViolationKind::abort
                           ? without_numbers(violation.message)
                           : violation.message);
    return cause;
}

void take_in(Violation& violation, Violation other) {
    if (other.message != violation.message && !other.situations.empty()) {
        std::string& detail = other.situations.front().detail;
        if (detail.empty() || other.message.find(detail) == std::string::npos) {
            detail += (detail.empty() ? "" : "; ") + other.message;
        }
    }
    violation.ranks.insert(violation.ranks.end(), other.ranks.begin(), other.ranks.end());
    std::sort(violation.ranks.begin(), violation.ranks.end());
    violation.ranks.erase(std::unique(violation.ranks.begin(), violation.ranks.end()), violation.ranks.end());
    for (RankSituation& situation : other.situations) {
        const bool known = std::any_of(violation.situations.begin(), violation.situations.end(),
                                       [&](const RankSituation& each) { return same(each, situation); });
        if (!known) {
            violation.situations.push_back(std::move(situation));
        }
    }
    for (const ViolationKind kind : other.consequences) {
        add_consequence(violation, kind);
    }
}

void add_consequence(Violation& violation, ViolationKind kind) {
    std::vector<ViolationKind>& all = violation.consequences;
    const auto place = std::lower_bound(all.begin(), all.end(), kind);
    if (kind != violation.kind && (place == all.end() || *place != kind)) {
        all.insert(place, kind);
    }
}

}  // namespace dampi::replay
