// See situation_text.hpp.
#include "scheduler/report/situation_text.hpp"

#include "replay/terminal_words.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {

namespace {

using replay::Rank;
using replay::WaitForGraph;

/// More different situations than this are put together where only numbers differ; then so many are shown.
constexpr std::size_t most_situations = 8;
/// Likewise for what the ranks of a core need, and for messages and receives without partner.
constexpr std::size_t most_needs = 4;
constexpr std::size_t most_unmatched = 4;
/// Single ranks and stretches of ranks in one list.
constexpr std::size_t most_runs = 8;
/// A longer cycle is shown by its first ranks and the last.
constexpr std::size_t most_of_a_cycle = 8;

std::string at(const replay::CodePlace& where) {
    const std::string place = replay::place_text(where);
    return place.empty() ? "" : " at " + place;
}

/// Likewise; where the place is that of a caller, the line of the call itself comes first.
std::string at(const replay::RankSituation& situation) {
    const std::vector<replay::CodePlace>& stack = situation.stack;
    const bool by_another = !situation.call.empty() && !stack.empty() && stack.front().line > 0 &&
                            !stack.front().file.starts_with("/usr/") &&
                            replay::source_place(stack.front()) != replay::source_place(situation.where) &&
                            std::any_of(stack.begin(), stack.end(), [&](const replay::CodePlace& frame) {
                                return replay::source_place(frame) == replay::source_place(situation.where);
                            });
    return by_another ? at(stack.front()) + ", called" + at(situation.where) : at(situation.where);
}

/// Keeps a text apart from the one beside it while both are grouped. No printable() text has it.
constexpr char separator = '\x1f';

/// The call, but for its arguments, and where the rank is.
std::string call_before(const replay::RankSituation& situation) {
    if (!situation.call.empty()) {
        return replay::printable(situation.call);
    }
    return situation.last_call.empty() ? "outside MPI" : "outside MPI since " + replay::printable(situation.last_call);
}

std::vector<Rank> providers(const std::vector<const WaitForGraph::Edge*>& edges) {
    std::vector<Rank> ranks;
    for (const auto* edge : edges) {
        ranks.push_back(edge->to);
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

const WaitForGraph::Node* node_of(const WaitForGraph& graph, Rank rank) {
    const auto found = std::lower_bound(graph.nodes.begin(), graph.nodes.end(), rank,
                                        [](const WaitForGraph::Node& node, Rank value) { return node.rank < value; });
    return found != graph.nodes.end() && found->rank == rank ? &*found : nullptr;
}

bool is_node(const WaitForGraph& graph, Rank rank) { return node_of(graph, rank) != nullptr; }

/// "one of ranks 1, 2 to send a message with tag 7 on MPI_COMM_WORLD, and rank 4 to ..." for some of a node's edges.
std::string needs(const WaitForGraph& graph, const WaitForGraph::Node& node,
                  const std::vector<const WaitForGraph::Edge*>& edges) {
    // Waits for the same thing from one rank each read well together; so do all alternatives.
    std::vector<std::pair<std::string, std::vector<const WaitForGraph::Edge*>>> clauses;
    std::map<std::string, std::size_t> clause_of;
    for (const auto* edge : edges) {
        const auto same_wait = [&](const auto* other) { return other->wait == edge->wait; };
        const bool alternatives = !node.any && std::count_if(edges.begin(), edges.end(), same_wait) > 1;
        const std::string key = edge->reason + (alternatives ? separator + std::to_string(edge->wait) : std::string());
        const auto [found, is_new] = clause_of.try_emplace(key, clauses.size());
        if (is_new) {
            clauses.emplace_back(alternatives || node.any ? "one of " : "", std::vector<const WaitForGraph::Edge*>{});
        }
        clauses[found->second].second.push_back(edge);
    }
    std::string text;
    for (std::size_t i = 0; i < clauses.size() && i < most_needs; ++i) {
        const std::vector<Rank> ranks = providers(clauses[i].second);
        const bool gone = std::none_of(ranks.begin(), ranks.end(), [&](Rank rank) { return is_node(graph, rank); });
        text += i == 0 ? "" : node.any ? ", or " : ", and ";
        text += (ranks.size() > 1 ? clauses[i].first : "") + replay::rank_list(ranks, most_runs);
        text += gone ? (ranks.size() > 1 ? ", which have ended," : ", which has ended,") : "";
        text += " to " + replay::printable(clauses[i].second.front()->reason);
    }
    const std::size_t more = clauses.size() - std::min(clauses.size(), most_needs) + node.edges_omitted;
    return more == 0 ? text : text + fmt::format(" (and {} more)", more);
}

/// The edges that make the rank a part of the core.
std::vector<const WaitForGraph::Edge*> core_edges(const WaitForGraph& graph, const WaitForGraph::Node& node,
                                                  Rank next) {
    std::vector<const WaitForGraph::Edge*> edges;
    const auto in_core = [&](Rank rank) {
        return std::binary_search(graph.core.begin(), graph.core.end(), rank);  // sorted, unless it is a cycle
    };
    for (const auto& edge : node.edges) {
        const bool holds = graph.shape == WaitForGraph::Core::cycle  ? edge.to == next
                           : graph.shape == WaitForGraph::Core::knot ? in_core(edge.to) || node.any
                                                                     : !is_node(graph, edge.to);
        if (holds) {
            edges.push_back(&edge);
        }
    }
    if (graph.shape == WaitForGraph::Core::cycle && edges.size() > 1) {
        edges.resize(1);  // one of the things is enough to see why
    }
    return edges;
}

std::string cycle_text(const std::vector<Rank>& core) {
    std::string text;
    for (std::size_t i = 0; i < core.size(); ++i) {
        if (core.size() > most_of_a_cycle && i == most_of_a_cycle - 2) {
            text += fmt::format("... ({} more) → ", core.size() - i - 1);
            i = core.size() - 1;
        }
        text += fmt::format("rank {} → ", core[i]);
    }
    return text + fmt::format("rank {}", core.empty() ? 0 : core.front());
}

void print_groups(std::ostream& out, const std::vector<Alike>& groups, std::size_t most,
                  const std::vector<std::string>& lines) {
    for (std::size_t i = 0; i < std::min(groups.size(), most); ++i) {
        out << "    " << lines[i] << '\n';
    }
    if (groups.size() > most) {
        out << "    and " << groups.size() - most << " more, in report.json\n";
    }
}

}  // namespace

const replay::CodePlace& shown_place(const replay::RankSituation& situation) {
    if (!situation.call.empty() || situation.last_call.empty()) {
        return situation.where;
    }
    const auto known = std::find_if(situation.stack.begin(), situation.stack.end(),
                                    [](const replay::CodePlace& frame) { return !frame.file.empty(); });
    return known == situation.stack.end() ? situation.where : *known;
}

std::vector<SituationGroup> group_situations(const std::vector<replay::RankSituation>& situations, std::size_t most,
                                             Rank ranks) {
    std::vector<Described> entries;
    for (const auto& situation : situations) {
        const std::string arguments =
            situation.arguments.empty() ? "" : "(" + replay::printable(situation.arguments) + ")";
        entries.push_back({.rank = situation.rank,
                           .same = call_before(situation) + separator + at(situation) + separator +
                                   replay::stack_text(situation.stack),
                           .text = arguments + separator + replay::printable(situation.detail)});
    }
    std::vector<SituationGroup> groups;
    for (Alike& alike : group_alike(entries, most, ranks)) {
        const auto& situation = situations[alike.members.front()];
        const std::size_t middle = alike.text.find(separator);
        SituationGroup group;
        group.first = alike.members.front();
        group.ranks = std::move(alike.ranks);
        group.call = call_before(situation) + alike.text.substr(0, middle) + at(situation);
        group.detail = alike.text.substr(middle + 1);
        const bool elsewhere = situation.call.empty() && !situation.stack.empty() &&
                               replay::source_place(situation.stack.front()) != replay::source_place(situation.where);
        if (situation.stack.size() > 1 || elsewhere) {
            group.stack = replay::stack_text(situation.stack);
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

void print_situations(std::ostream& out, const replay::Violation& violation, Rank ranks) {
    std::vector<SituationGroup> groups = group_situations(violation.situations, most_situations, ranks);
    if (violation.wait_for && groups.size() > most_situations) {
        // What is left out must not be the core.
        const std::vector<Rank>& core = violation.wait_for->core;
        std::stable_partition(groups.begin(), groups.end(), [&](const SituationGroup& group) {
            return std::any_of(core.begin(), core.end(), [&](Rank rank) {
                return std::binary_search(group.ranks.begin(), group.ranks.end(), rank);
            });
        });
    }
    for (std::size_t i = 0; i < std::min(groups.size(), most_situations); ++i) {
        const SituationGroup& group = groups[i];
        const bool short_line = group.call.find('(') > group.call.find(" at ");  // without arguments
        out << "  " << replay::rank_list(group.ranks, most_runs) << ": " << group.call;
        if (!group.detail.empty()) {
            out << (short_line ? ": " : "\n    ") << group.detail;
        }
        out << '\n';
        if (!group.stack.empty()) {
            out << "    " << group.stack << '\n';
        }
    }
    if (groups.size() > most_situations) {
        std::size_t others = 0;
        for (std::size_t i = most_situations; i < groups.size(); ++i) {
            others += groups[i].ranks.size();
        }
        out << "  and " << replay::counted(others, "rank") << " in "
            << replay::counted(groups.size() - most_situations, "more situation") << ", in report.json\n";
    }
}

void print_wait_for(std::ostream& out, const WaitForGraph& graph, Rank ranks) {
    if (graph.core.empty()) {
        return;
    }
    const bool cycle = graph.shape == WaitForGraph::Core::cycle;
    std::vector<Described> entries;
    for (std::size_t i = 0; i < graph.core.size(); ++i) {
        const Rank next = graph.core[(i + 1) % graph.core.size()];
        const WaitForGraph::Node* node = node_of(graph, graph.core[i]);
        const auto edges = node == nullptr ? std::vector<const WaitForGraph::Edge*>{} : core_edges(graph, *node, next);
        if (edges.empty()) {
            continue;  // what it waits for is nobody's to give: its situation says all
        }
        const bool each = cycle && graph.core.size() > most_needs;
        entries.push_back({.rank = graph.core[i],
                           .same = "",
                           .text = each ? replay::printable(edges.front()->reason) : needs(graph, *node, edges)});
    }
    const std::vector<Alike> groups = group_alike(entries, most_needs, ranks);
    std::vector<std::string> lines;
    for (const Alike& group : groups) {
        const std::string who = replay::rank_list(group.ranks, most_runs);
        const bool several = group.ranks.size() > 1;
        if (cycle && graph.core.size() > most_needs) {
            lines.push_back(fmt::format("{}{} the next to {}", who, several ? ": each needs" : " needs", group.text));
        } else {
            lines.push_back(fmt::format("{} {} {}", who, several ? "need" : "needs", group.text));
        }
    }
    switch (graph.shape) {
        case WaitForGraph::Core::cycle:
            out << "  cycle: " << cycle_text(graph.core) << '\n';
            break;
        case WaitForGraph::Core::knot:
            out << "  knot: whatever " << replay::rank_list(graph.core, most_runs)
                << " wait for can only come from among themselves\n";
            break;
        case WaitForGraph::Core::end:
            out << "  no cycle: " << replay::rank_list(graph.core, most_runs)
                << (graph.core.size() > 1 ? " wait" : " waits") << " for what no rank can do any more\n";
            break;
    }
    print_groups(out, groups, most_needs, lines);
}

void print_unmatched(std::ostream& out, const std::vector<replay::UnmatchedOperation>& unmatched, Rank ranks) {
    for (const bool send : {true, false}) {
        std::vector<Described> entries;
        std::vector<std::uint64_t> counts;
        for (const auto& operation : unmatched) {
            if (operation.send != send) {
                continue;
            }
            const std::string peer =
                operation.peer == base::any_source ? "any rank" : fmt::format("rank {}", operation.peer);
            const std::string tag = operation.tag == base::any_tag ? "any tag" : fmt::format("tag {}", operation.tag);
            const std::string comm = " on " + replay::printable(operation.communicator);
            entries.push_back({.rank = operation.rank,
                               .same = comm + at(operation.where),
                               .text = fmt::format("{} {} with {}", send ? "to" : "from", peer, tag)});
            counts.push_back(operation.count);
        }
        if (entries.empty()) {
            continue;
        }
        const std::vector<Alike> groups = group_alike(entries, most_unmatched, ranks);
        std::vector<std::string> lines;
        for (const Alike& group : groups) {
            std::uint64_t count = 0;
            for (const std::size_t member : group.members) {
                count += counts[member];
            }
            lines.push_back(fmt::format("{} {} {} {}{}", replay::counted(count, send ? "message" : "receive"),
                                        send ? "from" : "of", replay::rank_list(group.ranks, most_runs), group.text,
                                        entries[group.members.front()].same));
        }
        out << (send ? "  sent and not received:\n" : "  receives that found no message:\n");
        print_groups(out, groups, most_unmatched, lines);
    }
}

}  // namespace dampi::scheduler
