// See graphviz.hpp.
#include "scheduler/report/graphviz.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/report/situation_text.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

namespace dampi::scheduler {

namespace {

using replay::Rank;
using replay::WaitForGraph;

/// More ranks than this are put together by their situations.
constexpr std::size_t most_single_ranks = 24;
/// The ranks of a cycle that is not longer than this always have boxes of their own.
constexpr std::size_t most_of_a_cycle = 12;
/// More edges than this have no words beside them; a viewer of SVG shows these where it points.
constexpr std::size_t most_worded_edges = 24;
/// Bytes of a line in a box or beside an edge.
constexpr std::size_t widest_line = 60;

/// As an attribute's value: in quotes, with nothing in it that means anything to dot, and valid UTF-8.
std::string dot_string(std::string_view text) {
    std::string value = "\"";
    for (const char c : replay::printable(text)) {
        if (c == '"' || c == '\\') {
            value += '\\';
        }
        value += static_cast<unsigned char>(c) < 0x80 ? c : '?';
    }
    return value + "\"";
}

/// Several lines as the value of a label, broken where they are too long.
std::string label(const std::vector<std::string>& lines) {
    std::string value;
    for (const std::string& line : lines) {
        for (std::size_t begin = 0; begin < line.size();) {
            std::size_t end = line.size();
            if (end - begin > widest_line) {
                const std::size_t space = line.find_last_of(' ', begin + widest_line);
                end = space == std::string::npos || space <= begin ? begin + widest_line : space + 1;
            }
            const std::string part = dot_string(std::string_view(line).substr(begin, end - begin));
            value += (value.empty() ? "" : "\\n") + part.substr(1, part.size() - 2);
            begin = end;
        }
    }
    return "\"" + value + "\"";
}

struct Box {
    std::vector<Rank> ranks;
    std::vector<std::string> lines;
    bool in_core = false;
    bool any = false;
};

/// The boxes of all nodes, and which one is each rank's.
class Boxes {
public:
    Boxes(const replay::Violation& violation, const WaitForGraph& graph, Rank ranks) {
        const auto words = [&](std::size_t most) {
            std::map<Rank, std::string> words_of;
            for (const SituationGroup& group : group_situations(violation.situations, most, ranks)) {
                for (const Rank rank : group.ranks) {
                    words_of.emplace(rank, group.call);
                }
            }
            return words_of;
        };
        const std::map<Rank, std::string> own_words = words(violation.situations.size());
        const std::map<Rank, std::string> common_words = words(0);
        const bool single = graph.nodes.size() <= most_single_ranks;
        const bool core_is_single = graph.shape == WaitForGraph::Core::cycle && graph.core.size() <= most_of_a_cycle;
        std::map<std::tuple<bool, bool, std::string, Rank>, std::size_t> known;
        for (const auto& node : graph.nodes) {
            const bool own_box = single || (core_is_single && node.in_core);
            const auto& words_of = own_box ? own_words : common_words;
            const auto found = words_of.find(node.rank);
            const std::string text = found == words_of.end() ? "" : found->second;
            const auto [place, is_new] =
                known.try_emplace({node.in_core, node.any, text, own_box ? node.rank : -1}, boxes_.size());
            if (is_new) {
                boxes_.push_back({.ranks = {}, .lines = {text}, .in_core = node.in_core, .any = node.any});
            }
            boxes_[place->second].ranks.push_back(node.rank);
            box_of_.emplace(node.rank, place->second);
        }
    }

    /// Also for ranks that have ended: they get a box together.
    std::size_t of(Rank rank) {
        const auto [place, is_new] = box_of_.try_emplace(rank, ended_.value_or(boxes_.size()));
        if (is_new) {
            if (!ended_) {
                ended_ = boxes_.size();
                boxes_.push_back({.ranks = {}, .lines = {"ended"}});
            }
            boxes_[*ended_].ranks.push_back(rank);
        }
        return place->second;
    }

    std::string text() {
        std::string all;
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            Box& box = boxes_[i];
            std::sort(box.ranks.begin(), box.ranks.end());
            std::vector<std::string> lines{replay::rank_list(box.ranks, 6)};
            lines.insert(lines.end(), box.lines.begin(), box.lines.end());
            all += fmt::format("    box{} [label={}{}{}];\n", i, label(lines),
                               box.in_core ? ", color=red, penwidth=2" : "",
                               ended_ == i ? ", style=filled, fillcolor=lightgrey" : "");
        }
        return all;
    }

private:
    std::vector<Box> boxes_;
    std::map<Rank, std::size_t> box_of_;
    std::optional<std::size_t> ended_;
};

/// What is drawn as one edge, and for how many of the graph's it stands.
struct Drawn {
    bool in_core = false;
    std::size_t count = 0;
    std::string reason;
    bool other_reasons = false;
};

}  // namespace

std::string make_dot(const replay::Violation& violation, Rank ranks) {
    DAMPI_CHECK(violation.wait_for.has_value());
    const WaitForGraph& graph = *violation.wait_for;
    std::map<Rank, Rank> next;  // in the cycle
    if (graph.shape == WaitForGraph::Core::cycle) {
        for (std::size_t i = 0; i < graph.core.size(); ++i) {
            next[graph.core[i]] = graph.core[(i + 1) % graph.core.size()];
        }
    }
    std::map<Rank, bool> core;
    for (const Rank rank : graph.core) {
        core[rank] = true;
    }
    Boxes boxes(violation, graph, ranks);
    std::map<std::tuple<std::size_t, std::size_t, bool>, Drawn> edges;  // from, to, alternative
    std::uint64_t omitted = 0;
    for (const auto& node : graph.nodes) {
        omitted += node.edges_omitted;
        for (const auto& edge : node.edges) {
            const bool alternative =
                node.any || std::count_if(node.edges.begin(), node.edges.end(),
                                          [&](const auto& other) { return other.wait == edge.wait; }) > 1;
            Drawn& drawn = edges[{boxes.of(node.rank), boxes.of(edge.to), alternative}];
            const bool in_core = node.in_core && (graph.shape == WaitForGraph::Core::cycle ? next[node.rank] == edge.to
                                                                                           : core.contains(edge.to));
            drawn.in_core = drawn.in_core || in_core;
            drawn.other_reasons = drawn.other_reasons || (drawn.count != 0 && drawn.reason != edge.reason);
            drawn.reason = drawn.count++ == 0 ? edge.reason : drawn.reason;
        }
    }
    std::string text = fmt::format(
        "// Draw it with: dot -Tsvg. Red: the core. Solid: all of these are needed; dashed: one would be enough.\n"
        "digraph wait_for {{\n"
        "    label={};\n"
        "    node [shape=box, fontname=\"sans-serif\", fontsize=10];\n"
        "    edge [fontname=\"sans-serif\", fontsize=9];\n",
        label({std::string(text_of(violation.kind)) + " in " + replay::rank_list(violation.ranks, 6),
               omitted == 0 ? "" : replay::counted(omitted, "edge") + " not drawn"}));
    text += boxes.text();
    for (const auto& [key, drawn] : edges) {
        const auto& [from, to, alternative] = key;
        const std::string reason = drawn.reason + (drawn.other_reasons ? ", and other things" : "");
        text +=
            fmt::format("    box{} -> box{} [style={}{}, tooltip={}{}];\n", from, to, alternative ? "dashed" : "solid",
                        drawn.in_core ? ", color=red, penwidth=2" : "", dot_string(reason),
                        edges.size() <= most_worded_edges ? ", label=" + label({reason}) : std::string());
    }
    return text + "}\n";
}

void write_dot(const std::filesystem::path& path, const replay::Violation& violation, Rank ranks) {
    base::write_file_atomically(path, make_dot(violation, ranks));
}

}  // namespace dampi::scheduler
