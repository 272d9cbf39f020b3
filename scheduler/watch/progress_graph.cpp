#include "scheduler/watch/progress_graph.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace dampi::scheduler::watch {
namespace {

using Node = std::size_t;
constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

struct Loop {
    Node header = 0;
    std::vector<Node> members;    ///< in the order in which they were first met
    std::size_t around = nobody;  ///< the loop that this one is in
};

using Transitions = std::vector<std::pair<Node, Node>>;

/// The graphs of all ranks as one.
struct Merged {
    std::vector<std::uint64_t> keys;
    std::unordered_map<std::uint64_t, Node> nodes;
    std::vector<std::uint64_t> entries;  ///< of the rank that has made the call most often
    std::vector<bool> ends_all;          ///< no loop goes on after it: MPI_Finalize
    std::vector<std::set<Node>> next;
    /// Many ranks have the same graph; each is here once.
    std::vector<Transitions> graphs;
    std::vector<std::set<Node>> made;  ///< the nodes of each graph
};

Merged merge(const std::vector<RankHistory>& ranks) {
    Merged merged;
    const auto node_of = [&merged](const CallState& state) {
        const auto [at, is_new] = merged.nodes.emplace(state.key, merged.keys.size());
        if (is_new) {
            merged.keys.push_back(state.key);
            merged.entries.push_back(0);
            merged.ends_all.push_back(state.function == "MPI_Finalize");
            merged.next.emplace_back();
        }
        return at->second;
    };
    std::set<std::pair<Transitions, std::set<Node>>> graphs;
    for (const RankHistory& rank : ranks) {
        std::map<Node, std::uint64_t> entries;
        std::vector<Node> nodes;
        std::set<Node> made;
        for (const CallState& state : rank.states) {
            nodes.push_back(node_of(state));
            made.insert(nodes.back());
            std::uint64_t& count = entries[nodes.back()];
            count += state.entries;
            merged.entries[nodes.back()] = std::max(merged.entries[nodes.back()], count);
        }
        Transitions transitions;
        for (const Transition& edge : rank.transitions) {
            DAMPI_CHECK(edge.from < rank.states.size() && edge.to < rank.states.size());
            transitions.emplace_back(nodes[edge.from], nodes[edge.to]);
            merged.next[nodes[edge.from]].insert(nodes[edge.to]);
        }
        std::sort(transitions.begin(), transitions.end());
        graphs.emplace(std::move(transitions), std::move(made));
    }
    for (const auto& [transitions, made] : graphs) {
        merged.graphs.push_back(transitions);
        merged.made.push_back(made);
    }
    return merged;
}

/// Finds the strongly connected components of a part of the graph: R. Tarjan, "Depth-first search and linear graph
/// algorithms", 1972; with a stack of its own, for chains may be long.
class Components {
public:
    /// `next`: of each node of the graph; it leads from nodes of the part to such alone.
    Components(const std::vector<std::set<Node>>& next, const std::vector<Node>& part)
        : next_(next), number_(next.size(), nobody), low_(next.size(), 0), on_stack_(next.size(), false) {
        for (const Node node : part) {
            if (number_[node] == nobody) {
                search(node);
            }
        }
    }
    std::vector<std::vector<Node>> found;

private:
    struct Visit {
        Node node;
        std::set<Node>::const_iterator at;
    };
    void enter(Node node, std::vector<Visit>& visits) {
        number_[node] = low_[node] = count_++;
        stack_.push_back(node);
        on_stack_[node] = true;
        visits.push_back({node, next_[node].begin()});
    }
    void search(Node root) {
        std::vector<Visit> visits;
        enter(root, visits);
        while (!visits.empty()) {
            const Node node = visits.back().node;
            if (visits.back().at != next_[node].end()) {
                const Node to = *visits.back().at++;
                if (number_[to] == nobody) {
                    enter(to, visits);
                } else if (on_stack_[to]) {
                    low_[node] = std::min(low_[node], number_[to]);
                }
                continue;
            }
            visits.pop_back();
            if (!visits.empty()) {
                low_[visits.back().node] = std::min(low_[visits.back().node], low_[node]);
            }
            if (low_[node] == number_[node]) {
                take(node);
            }
        }
    }
    void take(Node root) {
        std::vector<Node> component;
        Node node = nobody;
        do {
            node = stack_.back();
            stack_.pop_back();
            on_stack_[node] = false;
            component.push_back(node);
        } while (node != root);
        const bool is_loop = component.size() > 1 || next_[root].contains(root);
        if (is_loop) {
            std::sort(component.begin(), component.end());
            found.push_back(std::move(component));
        }
    }

    const std::vector<std::set<Node>>& next_;
    std::vector<std::size_t> number_;
    std::vector<std::size_t> low_;
    std::vector<bool> on_stack_;
    std::vector<Node> stack_;
    std::size_t count_ = 0;
};

/// The transitions between nodes of a part that do not lead to its header, of ranks that make that.
std::vector<std::set<Node>> within(const Merged& merged, const std::vector<Node>& part, Node header) {
    if (header == nobody) {
        return merged.next;
    }
    std::vector<bool> is_in_part(merged.keys.size(), false);
    for (const Node node : part) {
        is_in_part[node] = node != header;
    }
    std::vector<std::set<Node>> next(merged.keys.size());
    for (std::size_t i = 0; i < merged.graphs.size(); ++i) {
        if (merged.made[i].contains(header)) {
            for (const auto& [from, to] : merged.graphs[i]) {
                if (is_in_part[from] && is_in_part[to]) {
                    next[from].insert(to);
                }
            }
        }
    }
    return next;
}

/// What a rank has done, in nodes of the merged graph.
struct Doings {
    const RankHistory& rank;
    std::vector<Node> nodes;  ///< of its states
    std::map<Node, std::uint64_t> entries;

    Doings(const RankHistory& history, const Merged& merged) : rank(history) {
        for (const CallState& state : rank.states) {
            nodes.push_back(merged.nodes.at(state.key));
            entries[nodes.back()] += state.entries;
        }
    }
};

/// How often the rank has come into these calls from outside.
std::uint64_t times_begun(const Doings& doings, const std::vector<Node>& members) {
    const auto is_in = [&](std::size_t state) {
        return std::binary_search(members.begin(), members.end(), doings.nodes[state]);
    };
    std::uint64_t times = !doings.nodes.empty() && is_in(0) ? 1 : 0;
    for (const Transition& edge : doings.rank.transitions) {
        times += is_in(edge.to) && !is_in(edge.from) ? edge.count : 0;
    }
    return times;
}

/// Whether some rank that makes the header goes round these calls again and again, rather than twice now and then
/// because it has left out a call.
bool is_repeated(const std::vector<Doings>& ranks, const std::vector<Node>& members, Node header) {
    return std::any_of(ranks.begin(), ranks.end(), [&](const Doings& doings) {
        std::uint64_t rounds = 0;
        for (const Node node : members) {
            const auto found = doings.entries.find(node);
            rounds = std::max(rounds, found == doings.entries.end() ? 0 : found->second);
        }
        return doings.entries.contains(header) && rounds > 1 && 2 * rounds >= 3 * times_begun(doings, members);
    });
}

/// The loops, outer ones before those within them.
std::vector<Loop> find_loops(const std::vector<Doings>& ranks, const Merged& merged) {
    struct Part {
        std::vector<Node> nodes;
        Node header;
        std::size_t loop;
    };
    std::vector<Node> all(merged.keys.size());
    for (Node node = 0; node < all.size(); ++node) {
        all[node] = node;
    }
    std::vector<Loop> loops;
    std::vector<Part> parts{{std::move(all), nobody, nobody}};
    while (!parts.empty()) {
        const Part part = std::move(parts.back());
        parts.pop_back();
        for (auto& members : Components(within(merged, part.nodes, part.header), part.nodes).found) {
            if (part.header != nobody && !is_repeated(ranks, members, part.header)) {
                continue;
            }
            const Node header = *std::min_element(members.begin(), members.end(), [&merged](Node a, Node b) {
                return std::pair(merged.entries[a], a) < std::pair(merged.entries[b], b);
            });
            loops.push_back({header, members, part.loop});
            parts.push_back({std::move(members), header, loops.size() - 1});
        }
    }
    return loops;
}

/// What the comparison asks of the merged graph.
class Order {
public:
    Order(const std::vector<Doings>& ranks, const Merged& merged)
        : merged_(merged), loops_(find_loops(ranks, merged)), innermost_(merged.keys.size(), nobody) {
        for (std::size_t i = 0; i < loops_.size(); ++i) {  // outer ones come before those within them
            for (const Node node : loops_[i].members) {
                innermost_[node] = i;
            }
        }
        // A call that nobody has got on from may be in a loop whose next round has not come, or behind it: it counts as
        // in the loop that it was come to from.
        for (Node node = 0; node < merged.keys.size(); ++node) {
            for (const Node next : merged.next[node]) {
                if (merged.next[next].empty() && innermost_[next] == nobody && !merged.ends_all[next]) {
                    innermost_[next] = innermost_[node];
                }
            }
        }
    }

    [[nodiscard]] const std::vector<Loop>& loops() const { return loops_; }

    /// The loops that a node is in, outermost first.
    [[nodiscard]] std::vector<std::size_t> around(Node node) const {
        std::vector<std::size_t> chain;
        for (std::size_t at = innermost_[node]; at != nobody; at = loops_[at].around) {
            chain.push_back(at);
        }
        std::reverse(chain.begin(), chain.end());
        return chain;
    }

    [[nodiscard]] std::size_t innermost(Node node) const { return innermost_[node]; }

    /// Whether a way leads from one node to another that passes none of these.
    [[nodiscard]] bool leads(Node from, Node to, const std::vector<Node>& without) {
        const auto [known, is_new] = known_ways_.try_emplace({from, to, without}, false);
        if (is_new) {
            known->second = finds_way(from, to, without);
        }
        return known->second;
    }

private:
    [[nodiscard]] bool finds_way(Node from, Node to, const std::vector<Node>& without) const {
        std::vector<bool> seen(merged_.keys.size(), false);
        for (const Node node : without) {
            seen[node] = true;
        }
        std::vector<Node> open{from};
        while (!open.empty()) {
            const Node node = open.back();
            open.pop_back();
            for (const Node next : merged_.next[node]) {
                if (next == to && !seen[next]) {
                    return true;
                }
                if (!seen[next]) {
                    seen[next] = true;
                    open.push_back(next);
                }
            }
        }
        return false;
    }

    const Merged& merged_;
    std::vector<Loop> loops_;
    std::vector<std::size_t> innermost_;
    std::map<std::tuple<Node, Node, std::vector<Node>>, bool> known_ways_;
};

enum class Compared : std::uint8_t { unknown, behind, ahead };

/// A loop, as a rank has been through it.
struct Level {
    std::size_t loop = 0;
    std::vector<std::pair<Node, std::uint64_t>> calls;  ///< in no loop within it: how often each was made
    std::uint64_t begun = 0;                            ///< so often the rank has come into the loop
    auto operator<=>(const Level&) const = default;
};

struct Point {
    bool is_compared = false;
    Node node = 0;
    bool is_after = false;
    std::vector<Level> levels;  ///< outermost first
    auto operator<=>(const Point&) const = default;
};

/// What two ranks have in common in a loop.
struct Common {
    std::uint64_t first = 0;  ///< how often they have been through it
    std::uint64_t second = 0;
    bool is_contradictory = false;  ///< each is further than the other one with some call
    std::vector<Node> same;         ///< that both have made equally often

    Common(const Level& a, const Level& b) {
        bool is_behind = false;
        bool is_ahead = false;
        auto at = b.calls.begin();
        for (const auto& [node, count] : a.calls) {
            while (at != b.calls.end() && at->first < node) {
                ++at;
            }
            if (at == b.calls.end() || at->first != node) {
                continue;
            }
            first = std::max(first, count);
            second = std::max(second, at->second);
            is_behind = is_behind || count < at->second;
            is_ahead = is_ahead || count > at->second;
            if (count == at->second) {
                same.push_back(node);
            }
        }
        is_contradictory = is_behind && is_ahead;
    }
    [[nodiscard]] bool is_nothing() const { return first == 0; }
};

/// Whether an inner loop's counts over all rounds of the outer one tell something of this round: where both ranks may
/// have gone through it equally often in each round, and the rounds until now would have shown a difference.
bool went_alike(const Level& a, const Level& b, const Common& common) {
    constexpr std::uint64_t least_begun = 3;
    if (a.begun != b.begun || a.begun < least_begun) {
        return false;
    }
    const std::uint64_t before = a.begun - 1;
    const auto [less, more] = std::minmax(common.first, common.second);
    // So often in each round: at least, by who has gone round more often, and at most, by the other one.
    const std::uint64_t lowest = (more + a.begun - 1) / a.begun;
    const std::uint64_t highest = (less - 1) / before;
    return more - less <= before && lowest <= highest;
}

Compared compare(Order& order, const Point& a, const Point& b) {
    std::vector<Node> passed;  // by both equally often: neither has come back to them since
    bool have_common_loop = false;
    bool have_common_call = false;
    for (std::size_t i = 0; i < std::min(a.levels.size(), b.levels.size()); ++i) {
        if (a.levels[i].loop != b.levels[i].loop) {
            break;
        }
        have_common_loop = true;
        const Common common(a.levels[i], b.levels[i]);
        if (common.is_nothing()) {
            continue;
        }
        if (common.is_contradictory ||
            (i > 0 && common.first != common.second && !went_alike(a.levels[i], b.levels[i], common))) {
            return Compared::unknown;
        }
        if (common.first != common.second) {
            return common.first < common.second ? Compared::behind : Compared::ahead;
        }
        have_common_call = true;
        passed.insert(passed.end(), common.same.begin(), common.same.end());
    }
    if (have_common_loop && !have_common_call) {
        return Compared::unknown;
    }
    if (a.node == b.node) {
        return a.is_after == b.is_after ? Compared::unknown : a.is_after ? Compared::ahead : Compared::behind;
    }
    const auto is_passed = [&passed](Node node) {
        return std::find(passed.begin(), passed.end(), node) != passed.end();
    };
    // Who is still where the other one has been as often comes before it.
    const bool forth = is_passed(a.node) || (!is_passed(b.node) && order.leads(a.node, b.node, passed));
    const bool back = is_passed(b.node) || (!is_passed(a.node) && order.leads(b.node, a.node, passed));
    return forth == back ? Compared::unknown : forth ? Compared::behind : Compared::ahead;
}

/// The calls of a loop that are in none within it, as far as the rank has made them.
std::vector<std::pair<Node, std::uint64_t>> calls_of(const Doings& doings, const Order& order, std::size_t loop) {
    std::vector<std::pair<Node, std::uint64_t>> calls;
    for (const Node node : order.loops()[loop].members) {
        const auto found = order.innermost(node) == loop ? doings.entries.find(node) : doings.entries.end();
        if (found != doings.entries.end() && found->second != 0) {
            calls.emplace_back(*found);
        }
    }
    return calls;
}

Point point_of(const Doings& doings, const Order& order) {
    Point point;
    point.node = doings.nodes[doings.rank.now];
    point.is_after = doings.rank.is_after;
    for (const std::size_t loop : order.around(point.node)) {
        point.levels.push_back({loop, calls_of(doings, order, loop), times_begun(doings, order.loops()[loop].members)});
    }
    return point;
}

std::vector<Rounds> rounds_of(const Doings& doings, const Merged& merged, const Order& order) {
    std::vector<Rounds> rounds(order.loops().size());
    for (std::size_t loop = 0; loop < rounds.size(); ++loop) {
        for (const auto& [node, count] : calls_of(doings, order, loop)) {
            if (count > rounds[loop].number) {
                rounds[loop] = {merged.keys[node], count};
            }
        }
    }
    return rounds;
}

}  // namespace

Progress compare_progress(const std::vector<RankHistory>& ranks, const std::vector<int>& compared) {
    const Merged merged = merge(ranks);
    std::vector<Doings> all;
    all.reserve(ranks.size());
    for (const RankHistory& rank : ranks) {
        if (rank.now < rank.states.size()) {
            all.emplace_back(rank, merged);
        }
    }
    Order order(all, merged);
    const std::set<int> is_compared(compared.begin(), compared.end());
    Progress progress;
    std::map<Point, std::vector<int>> points;
    for (const Doings& doings : all) {
        progress.rounds[doings.rank.rank] = rounds_of(doings, merged, order);
        Point point = point_of(doings, order);
        point.is_compared = is_compared.contains(doings.rank.rank);
        points[std::move(point)].push_back(doings.rank.rank);
    }
    for (const Loop& loop : order.loops()) {
        ProgressLoop told{merged.keys[loop.members.front()], {}, std::nullopt};
        if (loop.around != nobody) {
            told.around = loop.around;
        }
        for (const Node node : loop.members) {
            told.members.push_back(merged.keys[node]);
        }
        progress.loops.push_back(std::move(told));
    }
    std::vector<std::pair<Point, std::vector<int>>> sorted(points.begin(), points.end());
    for (auto& [point, members] : sorted) {
        std::sort(members.begin(), members.end());
    }
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const auto& [point, members] : sorted) {
        ProgressClass made{.ranks = members, .at = merged.keys[point.node], .is_after = point.is_after};
        for (const Level& level : point.levels) {
            made.loops.push_back(level.loop);
        }
        progress.classes.push_back(std::move(made));
    }
    std::vector<bool> is_ahead(sorted.size(), false);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        for (std::size_t k = i + 1; k < sorted.size(); ++k) {
            const Compared found = sorted[i].first.is_compared && sorted[k].first.is_compared
                                       ? compare(order, sorted[i].first, sorted[k].first)
                                       : Compared::unknown;
            if (found != Compared::unknown) {
                const auto [behind, ahead] = found == Compared::behind ? std::pair(i, k) : std::pair(k, i);
                progress.classes[behind].ahead.push_back(ahead);
                is_ahead[ahead] = true;
            }
        }
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        progress.classes[i].is_least = !is_ahead[i] && !progress.classes[i].ahead.empty();
    }
    return progress;
}

}  // namespace dampi::scheduler::watch
