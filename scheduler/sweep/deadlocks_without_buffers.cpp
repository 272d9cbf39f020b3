#include "scheduler/sweep/deadlocks_without_buffers.hpp"

#include "replay/cause.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace dampi::scheduler {
namespace {

using replay::RankSituation;
using replay::Violation;
using replay::WaitForGraph;

/// How WaitForGraph::Edge::reason begins where a rank waits for its message to be received.
constexpr std::string_view receives_it = "receive the message ";

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

bool is_deadlock(const Finding& finding) {
    return finding.violation.kind == replay::ViolationKind::deadlock && finding.violation.wait_for;
}

/// Whether `other`, which needs less buffering, is what the deadlock of `finding` comes to there.
bool comes_to(const Finding& finding, const Finding& other) {
    const std::set<base::Rank> both = in_both(finding.violation, other.violation);
    return !both.empty() && all_others_wait_for(*other.violation.wait_for, both);
}

/// All that is told of it.
auto parts(const replay::UnmatchedOperation& each) {
    return std::tuple(each.send, each.rank, each.peer, each.tag, each.communicator, each.count,
                      replay::source_place(each.where));
}

/// The same messages were not received, and the same receives found none, of which there are some.
bool lack_the_same(const Violation& one, const Violation& other) {
    const auto sorted = [](const Violation& violation) {
        std::vector<decltype(parts(violation.unmatched.front()))> all;
        for (const replay::UnmatchedOperation& each : violation.unmatched) {
            all.push_back(parts(each));
        }
        std::sort(all.begin(), all.end());
        return all;
    };
    return std::any_of(one.unmatched.begin(), one.unmatched.end(), [](const auto& each) { return !each.send; }) &&
           sorted(one) == sorted(other);
}

/// Whether both deadlocks are there because the same receives find no message: the ranks that wait for the same in both
/// are those that all others wait for, in both.
bool lack_the_same_messages(const Finding& finding, const Finding& other) {
    if (!lack_the_same(finding.violation, other.violation)) {
        return false;
    }
    std::set<base::Rank> both;
    for (const RankSituation& here : finding.violation.situations) {
        const RankSituation* const there = situation_of(other.violation, here.rank);
        if (there != nullptr && !here.call.empty() && here.call != "MPI_Finalize" && waits_for_the_same(here, *there)) {
            both.insert(here.rank);
        }
    }
    return !both.empty() && all_others_wait_for(*finding.violation.wait_for, both) &&
           all_others_wait_for(*other.violation.wait_for, both);
}

/// Whether a send that waits in the deadlock `other` is of the message, never received, of `leak`: no receive lacks a
/// message there, each message that was not received is sent where the leak's is, and all others wait for the ranks
/// that wait for nothing else than that it is received.
bool waits_with_lost_message(const Finding& leak, const Finding& other) {
    const auto is_lost = [&](const replay::UnmatchedOperation& each) {
        const auto& sides = leak.violation.situations;
        return each.send && std::binary_search(leak.all_ranks.begin(), leak.all_ranks.end(), each.rank) &&
               std::any_of(sides.begin(), sides.end(), [&](const RankSituation& side) {
                   return replay::source_place(side.where) == replay::source_place(each.where);
               });
    };
    const std::vector<replay::UnmatchedOperation>& unmatched = other.violation.unmatched;
    if (unmatched.empty() || !std::all_of(unmatched.begin(), unmatched.end(), is_lost)) {
        return false;
    }
    std::set<base::Rank> senders;
    for (const WaitForGraph::Node& node : other.violation.wait_for->nodes) {
        const bool only_sends = std::all_of(node.edges.begin(), node.edges.end(), [&](const WaitForGraph::Edge& edge) {
            return std::any_of(unmatched.begin(), unmatched.end(), [&](const replay::UnmatchedOperation& each) {
                return each.rank == node.rank && each.peer == edge.to && edge.reason.starts_with(receives_it);
            });
        });
        if (only_sends && !node.edges.empty() && node.edges_omitted == 0) {
            senders.insert(node.rank);
        }
    }
    return !senders.empty() && all_others_wait_for(*other.violation.wait_for, senders);
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

/// What `other` is called where it is told as a form of `finding`.
OtherForm form_of(const Finding& finding, const Finding& other) {
    OtherForm form{
        .kind = other.violation.kind, .message = other.violation.message, .where = {}, .buffering = other.buffering};
    for (const RankSituation& there : other.violation.situations) {
        const RankSituation* const here = situation_of(finding.violation, there.rank);
        const bool elsewhere = here == nullptr || !waits_for_the_same(*here, there);
        if (elsewhere && there.call != "MPI_Finalize") {
            form.where = there.where;
            break;
        }
    }
    return form;
}

void join(Finding& finding, const Finding& other) {
    finding.count += other.count;
    if (other.count != 0) {  // else none of the sweep's own runs has shown it
        finding.first_interleaving = std::min(finding.first_interleaving, other.first_interleaving);
    }
    unite(finding.buffering, other.buffering);
    unite(finding.all_ranks, other.all_ranks);
    replay::add_consequence(finding.violation, other.violation.kind);
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
    const auto may_be_one = [](const Finding& finding, const Finding& other) {
        const auto was_seen = [](const Finding& each) {
            return !each.buffering.empty() && each.shown_by == Finding::ShownBy::sweep && !each.foreseen;
        };
        return was_seen(finding) && was_seen(other) && is_deadlock(other) &&
               finding.buffering.front() < other.buffering.front();
    };
    for (auto other = findings.begin(); other != findings.end();) {
        bool is_other_form = false;
        const auto first = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
            const bool is_leak = finding.violation.kind == replay::ViolationKind::leak_message;
            if (!may_be_one(finding, *other) || !(is_leak || is_deadlock(finding))) {
                return false;
            }
            is_other_form = is_leak || !comes_to(finding, *other);
            return !is_other_form ||
                   (is_leak ? waits_with_lost_message(finding, *other) : lack_the_same_messages(finding, *other));
        });
        if (first == findings.end()) {
            ++other;
            continue;
        }
        if (is_other_form) {
            first->other_forms.push_back(form_of(*first, *other));
        }
        join(*first, *other);
        other = findings.erase(other);
    }
}

}  // namespace dampi::scheduler
