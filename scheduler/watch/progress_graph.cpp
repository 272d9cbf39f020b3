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
    std::vector<Node> members;
    std::size_t around = nobody;  ///< the loop that this one is in
};

/// The graphs of all ranks as one.
struct Merged {
    std::vector<std::uint64_t> keys;
    std::unordered_map<std::uint64_t, Node> nodes;
    std::vector<std::set<Node>> next;
};

Merged merge(const std::vector<RankHistory>& ranks) {
    Merged merged;
    const auto node_of = [&merged](std::uint64_t key) {
        const auto [at, is_new] = merged.nodes.emplace(key, merged.keys.size());
        if (is_new) {
            merged.keys.push_back(key);
            merged.next.emplace_back();
        }
        return at->second;
    };
    for (const RankHistory& rank : ranks) {
        for (const CallState& state : rank.states) {
            node_of(state.key);
        }
        for (const Transition& edge : rank.transitions) {
            DAMPI_CHECK(edge.from < rank.states.size() && edge.to < rank.states.size());
            merged.next[node_of(rank.states[edge.from].key)].insert(node_of(rank.states[edge.to].key));
        }
    }
    return merged;
}

/// Finds the strongly connected components of a part of the graph: R. Tarjan, "Depth-first search and linear graph
/// algorithms", 1972; with a stack of its own, for chains may be long.
class Components {
public:
    Components(const std::vector<std::set<Node>>& next, const std::vector<Node>& part, Node without_edges_to)
        : next_(next),
          without_(without_edges_to),
          in_part_(next.size(), false),
          number_(next.size(), nobody),
          low_(next.size(), 0),
          on_stack_(next.size(), false) {
        for (const Node node : part) {
            in_part_[node] = true;
        }
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
                if (!in_part_[to] || to == without_) {
                    continue;
                }
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
        const bool is_loop = component.size() > 1 || (next_[root].contains(root) && root != without_);
        if (is_loop) {
            std::sort(component.begin(), component.end());
            found.push_back(std::move(component));
        }
    }

    const std::vector<std::set<Node>>& next_;
    Node without_;
    std::vector<bool> in_part_;
    std::vector<std::size_t> number_;
    std::vector<std::size_t> low_;
    std::vector<bool> on_stack_;
    std::vector<Node> stack_;
    std::size_t count_ = 0;
};

/// The loops of a part, and those within them. Nodes are numbered as they were first met, so a loop begins with its
/// least one.
std::vector<Loop> find_loops(const Merged& merged) {
    struct Part {
        std::vector<Node> nodes;
        Node without;
        std::size_t around;
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
        for (auto& members : Components(merged.next, part.nodes, part.without).found) {
            const Node header = members.front();
            loops.push_back({header, members, part.around});
            parts.push_back({std::move(members), header, loops.size() - 1});
        }
    }
    return loops;
}

/// What the comparison asks of the merged graph.
class Order {
public:
    explicit Order(const Merged& merged)
        : merged_(merged), loops_(find_loops(merged)), innermost_(merged.keys.size(), nobody) {
        for (std::size_t i = 0; i < loops_.size(); ++i) {  // outer ones come before those within them
            for (const Node node : loops_[i].members) {
                innermost_[node] = i;
            }
        }
        // A call that nobody has got on from may be in a loop whose next round has not come, or behind it: it counts as
        // in the loop that it was come to from.
        for (Node node = 0; node < merged.keys.size(); ++node) {
            for (const Node next : merged.next[node]) {
                if (merged.next[next].empty() && innermost_[next] == nobody) {
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

    /// Whether a way leads from one node to another without going back to the beginning of a loop: of this one, or of
    /// any loop around it.
    [[nodiscard]] bool leads(Node from, Node to, const std::vector<std::size_t>& common) const {
        std::vector<bool> seen(merged_.keys.size(), false);
        for (const std::size_t loop : common) {
            seen[loops_[loop].header] = true;
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

private:
    const Merged& merged_;
    std::vector<Loop> loops_;
    std::vector<std::size_t> innermost_;
};

enum class Compared : std::uint8_t { unknown, behind, ahead };

struct Point {
    Node node = 0;
    bool is_after = false;
    std::vector<std::pair<std::size_t, std::uint64_t>> iterations;
    auto operator<=>(const Point&) const = default;
};

Compared compare(const Order& order, const Point& a, const Point& b) {
    std::vector<std::size_t> common;
    for (std::size_t i = 0; i < std::min(a.iterations.size(), b.iterations.size()); ++i) {
        if (a.iterations[i].first != b.iterations[i].first) {
            break;
        }
        if (a.iterations[i].second != b.iterations[i].second) {
            return a.iterations[i].second < b.iterations[i].second ? Compared::behind : Compared::ahead;
        }
        common.push_back(a.iterations[i].first);
    }
    if (a.node == b.node) {
        return a.is_after == b.is_after ? Compared::unknown : a.is_after ? Compared::ahead : Compared::behind;
    }
    const auto begins = [&](Node node) { return !common.empty() && order.loops()[common.back()].header == node; };
    // The beginning of the loop comes before all else in it.
    const bool forth = begins(a.node) || (!begins(b.node) && order.leads(a.node, b.node, common));
    const bool back = begins(b.node) || (!begins(a.node) && order.leads(b.node, a.node, common));
    return forth == back ? Compared::unknown : forth ? Compared::behind : Compared::ahead;
}

Point point_of(const RankHistory& rank, const Merged& merged, const Order& order) {
    std::unordered_map<std::uint64_t, std::uint64_t> entries;
    for (const CallState& state : rank.states) {
        entries[state.key] += state.entries;
    }
    Point point{merged.nodes.at(rank.states[rank.now].key), rank.is_after, {}};
    for (const std::size_t loop : order.around(point.node)) {
        const auto found = entries.find(merged.keys[order.loops()[loop].header]);
        point.iterations.emplace_back(loop, found == entries.end() ? 0 : found->second);
    }
    return point;
}

}  // namespace

Progress compare_progress(const std::vector<RankHistory>& ranks) {
    const Merged merged = merge(ranks);
    const Order order(merged);
    std::map<Point, std::vector<int>> points;
    for (const RankHistory& rank : ranks) {
        if (rank.now < rank.states.size()) {
            points[point_of(rank, merged, order)].push_back(rank.rank);
        }
    }
    Progress progress;
    for (const Loop& loop : order.loops()) {
        ProgressLoop told{merged.keys[loop.header], {}};
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
        progress.classes.push_back({members, merged.keys[point.node], point.is_after, point.iterations, {}, true});
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            if (i != k && compare(order, sorted[i].first, sorted[k].first) == Compared::behind) {
                progress.classes[i].ahead.push_back(k);
                progress.classes[k].is_least = false;
            }
        }
    }
    return progress;
}

}  // namespace dampi::scheduler::watch
