#include "scheduler/sweep/deadlocks_without_buffers.hpp"

#include "replay/cause.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace dampi::scheduler {
namespace {

using replay::RankSituation;
using replay::Violation;
using replay::WaitForGraph;

const RankSituation* situation_of(const Violation& violation, base::Rank rank) {
    const auto found = std::find_if(violation.situations.begin(), violation.situations.end(),
                                    [&](const RankSituation& each) { return each.rank == rank; });
    return found == violation.situations.end() ? nullptr : &*found;
}

bool waits_for_the_same(const RankSituation& one, const RankSituation& other) {
    return one.call == other.call && one.detail == other.detail &&
           replay::source_place(one.where) == replay::source_place(other.where);
}

/// The ranks of the core that wait for something else than the end of the others; none where one of them is not known
/// to stand in the same place in `other`.
std::set<base::Rank> in_both(const Violation& violation, const Violation& other) {
    std::set<base::Rank> ranks;
    for (const base::Rank rank : violation.wait_for->core) {
        const RankSituation* const here = situation_of(violation, rank);
        if (here != nullptr && here->call == "MPI_Finalize") {
            continue;
        }
        const RankSituation* const there = situation_of(other, rank);
        if (here == nullptr || there == nullptr || here->call.empty() || !waits_for_the_same(*here, *there)) {
            return {};
        }
        ranks.insert(rank);
    }
    return ranks;
}

/// Whether the rank could go on if those of `free` did.
bool could_go_on(const WaitForGraph::Node& node, const std::set<base::Rank>& free) {
    if (node.edges_omitted != 0) {
        return false;
    }
    bool all = true;
    for (auto edge = node.edges.begin(); edge != node.edges.end();) {
        const unsigned wait = edge->wait;
        bool satisfied = false;
        for (; edge != node.edges.end() && edge->wait == wait; ++edge) {
            satisfied = satisfied || free.contains(edge->to);
        }
        if (satisfied && node.any) {
            return true;
        }
        all = all && satisfied;
    }
    return all && !node.any;
}

/// Whether all others could go on, one after the other, if those of `free` did.
bool all_others_wait_for(const WaitForGraph& graph, std::set<base::Rank> free) {
    for (bool more = true; more;) {
        more = false;
        for (const WaitForGraph::Node& node : graph.nodes) {
            if (!free.contains(node.rank) && could_go_on(node, free)) {
                free.insert(node.rank);
                more = true;
            }
        }
    }
    return std::all_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](const WaitForGraph::Node& node) { return free.contains(node.rank); });
}

/// Whether `other`, which needs less buffering, is what the deadlock of `finding` comes to there.
bool comes_to(const Finding& finding, const Finding& other) {
    const auto is_one = [](const Finding& each) {
        return each.violation.kind == replay::ViolationKind::deadlock && each.violation.wait_for &&
               !each.buffering.empty() && each.shown_by == Finding::ShownBy::sweep && !each.foreseen;
    };
    if (!is_one(finding) || !is_one(other) || !(finding.buffering.front() < other.buffering.front())) {
        return false;
    }
    const std::set<base::Rank> both = in_both(finding.violation, other.violation);
    return !both.empty() && all_others_wait_for(*other.violation.wait_for, both);
}

std::string sum_of(const std::string& one, const std::string& other) {
    std::string digits;  // the last one first
    int carry = 0;
    for (std::size_t i = 0; i < std::max(one.size(), other.size()) || carry != 0; ++i) {
        const auto digit = [i](const std::string& number) {
            return i < number.size() ? number[number.size() - 1 - i] - '0' : 0;
        };
        const int sum = digit(one) + digit(other) + carry;
        digits += static_cast<char>('0' + sum % 10);
        carry = sum / 10;
    }
    std::reverse(digits.begin(), digits.end());
    return digits;
}

template <typename Value>
void unite(std::vector<Value>& values, const std::vector<Value>& more) {
    std::vector<Value> all;
    std::set_union(values.begin(), values.end(), more.begin(), more.end(), std::back_inserter(all));
    values = std::move(all);
}

void join(Finding& finding, const Finding& other) {
    finding.count += other.count;
    finding.first_interleaving = std::min(finding.first_interleaving, other.first_interleaving);
    unite(finding.buffering, other.buffering);
    unite(finding.all_ranks, other.all_ranks);
    for (const replay::ViolationKind kind : other.violation.consequences) {
        replay::add_consequence(finding.violation, kind);
    }
    for (const OutcomesOfFinding& more : other.outcomes) {
        const auto same = std::find_if(finding.outcomes.begin(), finding.outcomes.end(),
                                       [&](const OutcomesOfFinding& each) { return each.buffering == more.buffering; });
        if (same == finding.outcomes.end()) {
            finding.outcomes.push_back(more);
        } else {
            same->outcomes = sum_of(same->outcomes, more.outcomes);
            same->chance += more.chance;
        }
    }
}

}  // namespace

void join_deadlocks_without_buffers(std::vector<Finding>& findings) {
    for (auto other = findings.begin(); other != findings.end();) {
        const auto first = std::find_if(findings.begin(), findings.end(),
                                        [&](const Finding& finding) { return comes_to(finding, *other); });
        if (first == findings.end()) {
            ++other;
        } else {
            join(*first, *other);
            other = findings.erase(other);
        }
    }
}

}  // namespace dampi::scheduler
