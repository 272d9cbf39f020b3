// How the core is found. Each node has options: sets of nodes, one of which would have to move. A rank that waits for
// all has an option for each thing that it certainly lacks, a rank that waits for any has one, with everybody who could
// help it. A set of nodes is closed if each of them has an option inside it: then none of them can ever move, whatever
// the others do. A cycle of options of one node each is closed; so is what is left when all nodes without an option in
// the rest are removed again and again, and a terminal component of that, with one option chosen for each node.
#include "scheduler/judgement/wait_for_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using base::Rank;
using replay::WaitForGraph;
using transport::WaitKind;

using Node = std::size_t;  ///< index of a stuck rank among the stuck ones
using Nodes = std::vector<Node>;
using Adjacency = std::vector<Nodes>;

constexpr Node none = std::numeric_limits<Node>::max();

bool ended(const RankState& state) { return !state.alive || state.finalized; }

/// The strongly connected component of each node, numbered so that edges lead to the same or a smaller number. Tarjan's
/// algorithm, without recursion: chains are as long as there are ranks.
std::vector<std::size_t> components(const Adjacency& edges) {
    const std::size_t count = edges.size();
    std::vector<std::size_t> component(count, none);
    std::vector<std::size_t> index(count, none);
    std::vector<std::size_t> low(count, 0);
    Nodes open;
    std::vector<std::pair<Node, std::size_t>> path;  ///< with the next edge to follow
    std::size_t visited = 0;
    std::size_t found = 0;
    for (Node root = 0; root < count; ++root) {
        if (index[root] != none) {
            continue;
        }
        path.emplace_back(root, 0);
        while (!path.empty()) {
            const Node node = path.back().first;
            const std::size_t edge = path.back().second;
            if (edge == 0) {
                index[node] = low[node] = visited++;
                open.push_back(node);
            }
            if (edge < edges[node].size()) {
                ++path.back().second;
                const Node to = edges[node][edge];
                if (index[to] == none) {
                    path.emplace_back(to, 0);
                } else if (component[to] == none) {
                    low[node] = std::min(low[node], index[to]);
                }
                continue;
            }
            path.pop_back();
            if (!path.empty()) {
                low[path.back().first] = std::min(low[path.back().first], low[node]);
            }
            if (low[node] == index[node]) {
                Node member = none;
                do {
                    member = open.back();
                    open.pop_back();
                    component[member] = found;
                } while (member != node);
                ++found;
            }
        }
    }
    return component;
}

/// Finds the shortest cycle; of several the one with the smallest node. Ranks that wait in the same collective have the
/// same successors: these are kept once, and followed once in each search.
class ShortestCycle {
public:
    explicit ShortestCycle(const Adjacency& edges) {
        std::map<Nodes, std::size_t> known;
        for (const Nodes& to : edges) {
            const auto [place, is_new] = known.try_emplace(to, successors_.size());
            if (is_new) {
                successors_.push_back(to);
            }
            list_of_.push_back(place->second);
        }
        component_ = components(edges);
    }

    Nodes find() {
        const std::size_t count = list_of_.size();
        for (Node node = 0; node < count; ++node) {
            const Nodes& to = successors_[list_of_[node]];
            if (std::binary_search(to.begin(), to.end(), node)) {
                return {node};
            }
        }
        std::vector<std::size_t> size(count, 0);
        for (const std::size_t component : component_) {
            ++size[component];
        }
        parent_.assign(count, none);
        seen_by_.assign(count, none);
        followed_by_.assign(successors_.size(), none);
        for (Node start = 0; start < count && best_.size() != 2; ++start) {
            if (size[component_[start]] > 1) {
                search_from(start);
            }
        }
        return best_;
    }

private:
    /// Breadth first, as far as a cycle would be shorter than the best one. Smaller nodes have had their turn.
    void search_from(Node start) {
        Nodes frontier{start};
        for (std::size_t length = 1; !frontier.empty() && (best_.empty() || length < best_.size()); ++length) {
            Nodes next;
            for (const Node node : frontier) {
                if (std::exchange(followed_by_[list_of_[node]], start) == start) {
                    continue;
                }
                for (const Node to : successors_[list_of_[node]]) {
                    if (to == start) {
                        take(start, node);
                        return;
                    }
                    if (to > start && component_[to] == component_[start] && seen_by_[to] != start) {
                        seen_by_[to] = start;
                        parent_[to] = node;
                        next.push_back(to);
                    }
                }
            }
            frontier = std::move(next);
        }
    }

    void take(Node start, Node last) {
        best_.clear();
        for (Node node = last; node != start; node = parent_[node]) {
            best_.push_back(node);
        }
        best_.push_back(start);
        std::reverse(best_.begin(), best_.end());
    }

    std::vector<Nodes> successors_;     ///< different lists
    std::vector<std::size_t> list_of_;  ///< by node: which of them
    std::vector<std::size_t> component_;
    Nodes parent_;
    Nodes seen_by_;      ///< by node: the search that has reached it
    Nodes followed_by_;  ///< by list: the search that has followed it
    Nodes best_;
};

/// All nodes and their options.
class NodeOptions {
public:
    /// Nodes must be added in order; each option sorted, without duplicates. An empty one is a thing that nobody can
    /// give any more.
    void add_node(std::vector<Nodes> options) {
        const auto shorter = [](const Nodes& a, const Nodes& b) {
            return a.size() != b.size() ? a.size() < b.size() : a < b;
        };
        std::sort(options.begin(), options.end(), shorter);
        options.erase(std::unique(options.begin(), options.end()), options.end());
        for (const Nodes& option : options) {
            owner_.push_back(first_.size() - 1);
            targets_.insert(targets_.end(), option.begin(), option.end());
            end_.push_back(targets_.size());
        }
        first_.push_back(owner_.size());
    }

    [[nodiscard]] std::size_t nodes() const { return first_.size() - 1; }

    [[nodiscard]] bool lacks_what_nobody_can_give(Node node) const {
        return first_[node] < first_[node + 1] && size(first_[node]) == 0;
    }

    /// The edges to nodes that alone could give what is lacking.
    [[nodiscard]] Adjacency single() const {
        Adjacency edges(nodes());
        for (std::size_t option = 0; option < owner_.size(); ++option) {
            if (size(option) == 1) {
                edges[owner_[option]].push_back(*begin(option));
            }
        }
        return edges;
    }

    /// A closed set of which no part is closed; empty if there is no closed set at all.
    Nodes smallest_closed_set() {
        make_users();
        Part part = part_of(std::vector<bool>(nodes(), true));
        Nodes knot = terminal_component(part.members);
        if (knot.empty() || !some_choose(knot)) {
            return knot;
        }
        // A node without which the set has no closed part is in all of its closed parts; so is one whose removal
        // would remove such a node. The nodes that many others may need are the first to be tried.
        Nodes order = knot;
        std::stable_sort(order.begin(), order.end(),
                         [&](Node a, Node b) { return users_[a].size() > users_[b].size(); });
        std::vector<bool> needed(nodes(), false);
        part = part_of(members_of(knot));
        for (const Node node : order) {
            if (!part.members[node]) {
                continue;
            }
            Part without = part;
            if (remove(without, {node}, needed) && without.count != 0) {
                knot = terminal_component(without.members);
                part = part_of(members_of(knot));
            } else {
                needed[node] = true;
            }
        }
        return knot;
    }

private:
    using Iterator = Nodes::const_iterator;
    [[nodiscard]] std::size_t first_target(std::size_t option) const { return option == 0 ? 0 : end_[option - 1]; }
    [[nodiscard]] std::size_t size(std::size_t option) const { return end_[option] - first_target(option); }
    [[nodiscard]] Iterator begin(std::size_t option) const {
        return targets_.begin() + static_cast<std::ptrdiff_t>(first_target(option));
    }
    [[nodiscard]] Iterator end(std::size_t option) const {
        return targets_.begin() + static_cast<std::ptrdiff_t>(end_[option]);
    }
    [[nodiscard]] bool inside(std::size_t option, const std::vector<bool>& members) const {
        return size(option) != 0 && std::all_of(begin(option), end(option), [&](Node node) { return members[node]; });
    }

    void make_users() {
        users_.assign(nodes(), {});
        for (std::size_t option = 0; option < owner_.size(); ++option) {
            for (auto target = begin(option); target != end(option); ++target) {
                users_[*target].push_back(option);
            }
        }
    }

    [[nodiscard]] std::vector<bool> members_of(const Nodes& set) const {
        std::vector<bool> members(nodes(), false);
        for (const Node node : set) {
            members[node] = true;
        }
        return members;
    }

    /// Whether one of the nodes has several options inside the set; if not, a component has no closed part.
    [[nodiscard]] bool some_choose(const Nodes& set) const {
        const std::vector<bool> members = members_of(set);
        return std::any_of(set.begin(), set.end(), [&](Node node) {
            std::size_t possible = 0;
            for (std::size_t option = first_[node]; option < first_[node + 1]; ++option) {
                possible += inside(option, members) ? 1 : 0;
            }
            return possible > 1;
        });
    }

    /// A closed set, and what is needed to take nodes out of it.
    struct Part {
        std::vector<bool> members;
        std::size_t count = 0;          ///< of members
        std::vector<bool> possible;     ///< by option: it is inside
        std::vector<std::size_t> left;  ///< by node: its options that are
    };

    /// The largest closed part of a set.
    [[nodiscard]] Part part_of(std::vector<bool> members) const {
        Part part{.members = std::move(members),
                  .possible = std::vector<bool>(owner_.size(), false),
                  .left = std::vector<std::size_t>(nodes(), 0)};
        for (std::size_t option = 0; option < owner_.size(); ++option) {
            if (part.members[owner_[option]] && inside(option, part.members)) {
                part.possible[option] = true;
                ++part.left[owner_[option]];
            }
        }
        Nodes without;
        for (Node node = 0; node < nodes(); ++node) {
            part.count += part.members[node] ? 1 : 0;
            if (part.members[node] && part.left[node] == 0) {
                without.push_back(node);
            }
        }
        remove(part, std::move(without), std::vector<bool>(nodes(), false));
        return part;
    }

    /// Takes nodes out, and all that cannot stay without them. False: it gave up because a needed node would go.
    bool remove(Part& part, Nodes removed, const std::vector<bool>& needed) const {
        for (const Node node : removed) {
            part.members[node] = false;
            --part.count;
        }
        while (!removed.empty()) {
            const Node node = removed.back();
            removed.pop_back();
            if (needed[node]) {
                return false;
            }
            for (const std::size_t option : users_[node]) {
                if (!part.possible[option]) {
                    continue;
                }
                part.possible[option] = false;
                const Node owner = owner_[option];
                if (--part.left[owner] == 0 && part.members[owner]) {
                    part.members[owner] = false;
                    --part.count;
                    removed.push_back(owner);
                }
            }
        }
        return true;
    }

    /// Of a closed set: the smallest component that no chosen option leaves, where each node chooses its shortest one.
    [[nodiscard]] Nodes terminal_component(const std::vector<bool>& members) const {
        Adjacency edges(nodes());
        for (Node node = 0; node < nodes(); ++node) {
            for (std::size_t option = first_[node]; members[node] && option < first_[node + 1]; ++option) {
                if (inside(option, members)) {
                    edges[node].assign(begin(option), end(option));
                    break;
                }
            }
        }
        const std::vector<std::size_t> component = components(edges);
        Adjacency sets(nodes());
        std::vector<bool> left(nodes(), false);
        for (Node node = 0; node < nodes(); ++node) {
            if (members[node]) {
                sets[component[node]].push_back(node);
                for (const Node to : edges[node]) {
                    left[component[node]] = left[component[node]] || component[to] != component[node];
                }
            }
        }
        Nodes best;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            if (!sets[i].empty() && !left[i] &&
                (best.empty() || sets[i].size() < best.size() ||
                 (sets[i].size() == best.size() && sets[i].front() < best.front()))) {
                best = sets[i];
            }
        }
        return best;
    }

    std::vector<std::size_t> first_{0};  ///< by node: its first option; one more at the end
    Nodes owner_;                        ///< by option
    std::vector<std::size_t> end_;       ///< by option: where its targets end
    Nodes targets_;
    std::vector<std::vector<std::size_t>> users_;  ///< by node: the options that it is in
};

/// From the picture to the graph.
class Maker {
public:
    Maker(const std::vector<RankState>& states, const std::vector<bool>& stuck)
        : states_(states), node_of_(states.size(), none) {
        for (std::size_t rank = 0; rank < states.size(); ++rank) {
            if (rank < stuck.size() && stuck[rank]) {
                node_of_[rank] = graph_.nodes.size();
                graph_.nodes.emplace_back();
                graph_.nodes.back().rank = static_cast<Rank>(rank);
                graph_.nodes.back().any = states[rank].any;
            }
        }
    }

    WaitForGraph make(const DescribeWait& describe) {
        NodeOptions options;
        for (Node node = 0; node < graph_.nodes.size(); ++node) {
            lacking_.push_back(lacking_waits(state(node)));
            options.add_node(options_of(node));
        }
        const Nodes core = find_core(options);
        core_.assign(graph_.nodes.size(), false);
        next_.assign(graph_.nodes.size(), none);
        for (std::size_t i = 0; i < core.size(); ++i) {
            core_[core[i]] = true;
            next_[core[i]] = core[(i + 1) % core.size()];
            graph_.nodes[core[i]].in_core = true;
            graph_.core.push_back(graph_.nodes[core[i]].rank);
        }
        for (Node node = 0; node < graph_.nodes.size(); ++node) {
            add_edges(node, describe);
        }
        return std::move(graph_);
    }

private:
    [[nodiscard]] const RankState& state(Node node) const {
        return states_[static_cast<std::size_t>(graph_.nodes[node].rank)];
    }
    /// None for ranks that are not stuck.
    [[nodiscard]] Node node_of(Rank rank) const {
        return rank >= 0 && static_cast<std::size_t>(rank) < node_of_.size() ? node_of_[static_cast<std::size_t>(rank)]
                                                                             : none;
    }
    [[nodiscard]] bool may_help(Rank rank) const {
        return rank >= 0 && static_cast<std::size_t>(rank) < states_.size() && node_of(rank) == none &&
               !ended(states_[static_cast<std::size_t>(rank)]);
    }

    /// The waits that are certainly in vain, by their positions. Where the picture has none it shows at least those
    /// that are not satisfied, or only that the rank waits.
    [[nodiscard]] std::vector<unsigned> lacking_waits(const RankState& state) const {
        std::vector<unsigned> certain;
        std::vector<unsigned> unsatisfied;
        std::vector<unsigned> all;
        for (unsigned i = 0; i < state.waits.size(); ++i) {
            const Wait& wait = state.waits[i];
            all.push_back(i);
            if (!wait.may_be_satisfied) {
                unsatisfied.push_back(i);
                if (std::none_of(wait.providers.begin(), wait.providers.end(),
                                 [&](Rank provider) { return may_help(provider); })) {
                    certain.push_back(i);
                }
            }
        }
        if (state.any || unsatisfied.empty()) {
            return all;
        }
        return certain.empty() ? unsatisfied : certain;
    }

    void add_helpers(const Wait& wait, Nodes& helpers) const {
        for (const Rank provider : wait.providers) {
            if (const Node helper = node_of(provider); helper != none) {
                helpers.push_back(helper);
            }
        }
    }

    /// A rank that waits cannot help itself: it counts only where nobody else could.
    static Nodes option_of(Node node, Nodes helpers) {
        std::sort(helpers.begin(), helpers.end());
        helpers.erase(std::unique(helpers.begin(), helpers.end()), helpers.end());
        if (helpers.size() > 1) {
            std::erase(helpers, node);
        }
        return helpers;
    }

    [[nodiscard]] std::vector<Nodes> options_of(Node node) const {
        std::vector<Nodes> options;
        Nodes helpers;
        for (const unsigned wait : lacking_[node]) {
            add_helpers(state(node).waits[wait], helpers);
            if (!state(node).any) {
                options.push_back(option_of(node, std::move(helpers)));
                helpers.clear();
            }
        }
        if (state(node).any || options.empty()) {
            options.push_back(option_of(node, std::move(helpers)));
        }
        return options;
    }

    Nodes find_core(NodeOptions& options) {
        Nodes core = ShortestCycle(options.single()).find();
        graph_.shape = WaitForGraph::Core::cycle;
        if (core.empty()) {
            core = options.smallest_closed_set();
            graph_.shape = WaitForGraph::Core::knot;
        }
        if (core.empty()) {
            graph_.shape = WaitForGraph::Core::end;
            for (Node node = 0; node < options.nodes(); ++node) {
                if (options.lacks_what_nobody_can_give(node)) {
                    core.push_back(node);
                }
            }
        }
        return core;
    }

    /// Whether the wait is one that makes the rank part of the core.
    [[nodiscard]] bool holds_in_core(Node node, const Wait& wait) const {
        if (!core_[node]) {
            return false;
        }
        Nodes helpers;
        add_helpers(wait, helpers);
        helpers = option_of(node, std::move(helpers));
        switch (graph_.shape) {
            case WaitForGraph::Core::cycle:
                return helpers == Nodes{next_[node]};
            case WaitForGraph::Core::knot:
                return !helpers.empty() &&
                       std::all_of(helpers.begin(), helpers.end(), [&](Node helper) { return core_[helper]; });
            case WaitForGraph::Core::end:
                return helpers.empty();
        }
        return false;
    }

    void add_edges(Node node, const DescribeWait& describe) {
        struct Candidate {
            bool aside;  ///< not what makes the rank part of the core
            unsigned wait;
            bool has_ended;
            Rank to;
        };
        const auto key = [](const Candidate& c) { return std::tie(c.aside, c.wait, c.has_ended, c.to); };
        std::vector<Candidate> candidates;
        for (const unsigned position : lacking_[node]) {
            const Wait& wait = state(node).waits[position];
            const bool aside = !holds_in_core(node, wait);
            for (const Rank provider : wait.providers) {
                if (node_of(provider) != node || wait.providers.size() == 1) {
                    candidates.push_back({aside, position, node_of(provider) == none, provider});
                }
            }
        }
        const std::size_t kept = std::min(candidates.size(), most_edges_of_a_node);
        std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept), candidates.end(),
                          [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
        WaitForGraph::Node& into = graph_.nodes[node];
        into.edges_omitted = candidates.size() - kept;
        candidates.resize(kept);
        std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return std::tie(a.wait, a.to) < std::tie(b.wait, b.to);
        });
        for (const Candidate& candidate : candidates) {
            const bool same_wait = !into.edges.empty() && into.edges.back().wait == candidate.wait;
            std::string reason =
                same_wait ? into.edges.back().reason : describe(into.rank, state(node).waits[candidate.wait]);
            into.edges.push_back({.to = candidate.to, .wait = candidate.wait, .reason = std::move(reason)});
        }
    }

    const std::vector<RankState>& states_;
    Nodes node_of_;  ///< by rank
    WaitForGraph graph_;
    std::vector<std::vector<unsigned>> lacking_;  ///< by node: positions of waits
    std::vector<bool> core_;
    Nodes next_;  ///< in the core: the node after this one
};

}  // namespace

WaitForGraph make_wait_for_graph(const std::vector<RankState>& states, const std::vector<bool>& stuck,
                                 const DescribeWait& describe) {
    return Maker(states, stuck).make(describe);
}

std::string locked_memory(const Wait& wait, std::string_view communicator) {
    const std::string whose = wait.tag == base::any_tag ? "all ranks'" : fmt::format("rank {}'s", wait.tag);
    return fmt::format("{} memory on {}", whose, communicator);
}

std::string needed_action(std::string_view call, const Wait& wait, std::string_view communicator) {
    const std::string tag = wait.tag == base::any_tag ? "any tag" : fmt::format("tag {}", wait.tag);
    switch (wait.kind) {
        case WaitKind::receive:
        case WaitKind::probe:
            return fmt::format("send a message with {} on {}", tag, communicator);
        case WaitKind::send:
            if (wait.held) {
                return fmt::format("receive the message with {} on {} that its matched probe has got, with MPI_Mrecv",
                                   tag, communicator);
            }
            return fmt::format("receive the message with {} on {}{}", tag, communicator,
                               wait.providers.size() > 1 ? ", or others to make room for it" : "");
        case WaitKind::collective: {
            const bool completes = call.empty() || call.starts_with("MPI_Wait") || call.starts_with("MPI_Test");
            return fmt::format("enter {} on {}", completes ? "the collective" : call, communicator);
        }
        case WaitKind::leader:
            return fmt::format("exchange the groups in MPI_Intercomm_create with {}", tag);
        case WaitKind::post:
            return fmt::format("call MPI_Win_post for it on {}", communicator);
        case WaitKind::complete:
            return fmt::format("call MPI_Win_complete on {}", communicator);
        case WaitKind::unlock:
            return fmt::format("give back its lock of {}", locked_memory(wait, communicator));
        case WaitKind::finalize:
            return "call MPI_Finalize";
        case WaitKind::ready:
        case WaitKind::own_completion:
        case WaitKind::poll:
        case WaitKind::time:
        case WaitKind::foreign:
        case WaitKind::other:
            break;
    }
    return "do what the MPI library waits for";
}

}  // namespace dampi::scheduler
