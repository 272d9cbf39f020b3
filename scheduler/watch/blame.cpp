#include "scheduler/watch/blame.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace dampi::scheduler::watch {
namespace {

/// Where a rank is for whoever groups ranks: what is the same for ranks in the same state.
struct Spot {
    Whereabouts where;
    bool is_stopped;
    std::string function;
    std::uint64_t place;
    std::size_t progress;  ///< the class of compare_progress; as many as there are: none
    auto operator<=>(const Spot&) const = default;
};

std::vector<replay::CodePlace> resolved(const std::vector<replay::CodePlace>& stack, launch::SourceLines& lines) {
    std::vector<replay::CodePlace> named;
    for (const replay::CodePlace& place : stack) {
        for (replay::CodePlace& one : lines.resolve_inlined(place)) {
            named.push_back(std::move(one));
        }
    }
    // What starts a program is no news.
    const auto start = std::find_if(named.begin(), named.end(), [](const auto& place) {
        return place.function.starts_with("__libc_start") || place.function == "_start";
    });
    named.erase(start, named.end());
    return named;
}

std::string phrase(const RankLook& look, bool has_moved) {
    const std::string stopped = look.stopped ? "stopped, " : "";
    switch (look.where) {
        case Whereabouts::inside:
            return stopped + "in " + look.function;
        case Whereabouts::polling:
            return stopped + "asks again and again with " + look.function;
        case Whereabouts::ended:
            return "through with MPI, or ended";
        case Whereabouts::outside:
            break;
    }
    return stopped + "outside MPI" + (look.function.empty() ? "" : ", after " + look.function) +
           (has_moved ? ", moving about" : "");
}

/// The loops that histories know, with the source they stand in.
class LoopNames {
public:
    LoopNames(const Evidence& evidence, const Progress& progress, launch::SourceLines& lines)
        : progress_(progress), lines_(lines) {
        for (const RankHistory& history : evidence.histories) {
            for (const CallState& state : history.states) {
                if (!state.stack.empty()) {
                    calls_.try_emplace(state.key, &state);
                }
            }
        }
    }

    /// The innermost function that all calls of the loop are made in, directly or not, at the line of its first call.
    replay::CodePlace of(std::size_t loop) {
        const ProgressLoop& asked = progress_.loops[loop];
        const auto header = stack_of(asked.header);
        for (const replay::CodePlace& frame : header) {
            const bool in_all = std::all_of(asked.members.begin(), asked.members.end(), [&](std::uint64_t member) {
                const auto stack = stack_of(member);
                return std::any_of(stack.begin(), stack.end(), [&frame](const auto& other) {
                    return other.module == frame.module && other.function == frame.function;
                });
            });
            if (in_all) {
                return frame;
            }
        }
        return header.empty() ? replay::CodePlace{} : header.front();
    }

private:
    const std::vector<replay::CodePlace>& stack_of(std::uint64_t key) {
        const auto [at, is_new] = stacks_.try_emplace(key);
        const auto call = calls_.find(key);
        if (is_new && call != calls_.end()) {
            at->second = resolved(call->second->stack, lines_);
        }
        return at->second;
    }

    const Progress& progress_;
    launch::SourceLines& lines_;
    std::map<std::uint64_t, const CallState*> calls_;
    std::map<std::uint64_t, std::vector<replay::CodePlace>> stacks_;
};

/// Ranks for which `is_so` holds in each look.
template <typename Condition>
std::vector<int> always(const Evidence& evidence, Condition is_so) {
    std::vector<int> ranks;
    for (std::size_t i = 0; i < evidence.looks.front().size(); ++i) {
        const bool in_all = std::all_of(evidence.looks.begin(), evidence.looks.end(),
                                        [&](const auto& look) { return is_so(look[i].rank); });
        if (in_all) {
            ranks.push_back(evidence.looks.front()[i].rank.rank);
        }
    }
    return ranks;
}

bool contains(const std::vector<int>& ranks, int rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

void set_deadlock(const Conclusion& conclusion, HangReport& report) {
    report.kind = HangKind::deadlock;
    report.wait_for = conclusion.graph;
    report.blamed = conclusion.graph.core;
    std::sort(report.blamed.begin(), report.blamed.end());
}

/// Who waits for the blamed ranks, supposed that nothing comes of them any more.
void set_waits_for_blamed(const Evidence& evidence, HangReport& report) {
    std::vector<RankFacts> facts = evidence.facts;
    for (RankFacts& rank : facts) {
        rank.ended = rank.ended || contains(report.blamed, rank.rank);
    }
    Conclusion conclusion = find_deadlock(facts, Room::is_none);
    if (!conclusion.stuck.empty()) {
        report.wait_for = std::move(conclusion.graph);
    }
}

void find_culprits(const Evidence& evidence, HangReport& report) {
    const auto stopped =
        always(evidence, [](const RankLook& rank) { return rank.stopped && rank.where != Whereabouts::ended; });
    const auto outside = always(evidence, [](const RankLook& rank) { return rank.where == Whereabouts::outside; });
    report.facts_doubt = evidence.without_room.doubt;
    if (!evidence.surely.stuck.empty()) {
        set_deadlock(evidence.surely, report);
        report.from_facts = true;
        return;
    }
    if (!stopped.empty()) {
        report.kind = HangKind::stopped;
        report.blamed = stopped;
        set_waits_for_blamed(evidence, report);
        return;
    }
    if (!outside.empty()) {
        report.kind = HangKind::computation;
        report.blamed = outside;
        set_waits_for_blamed(evidence, report);
        return;
    }
    if (!evidence.without_room.stuck.empty()) {
        set_deadlock(evidence.without_room, report);
        report.needs_no_room = true;
    }
}

}  // namespace

void add_variables(int rank, const std::vector<launch::LocalNumber>& numbers, HangReport& report) {
    constexpr std::size_t most_values = 12;
    for (HangGroup& group : report.groups) {
        if (!contains(group.ranks, rank)) {
            continue;
        }
        std::set<std::string> told;
        for (const HangIteration& iteration : group.iterations) {
            // Debug information has the bare name, a symbol of C++ what it is in and its parameters, too.
            const auto is_its = [&iteration](const std::string& function) {
                const std::string whole = iteration.loop.function.substr(0, iteration.loop.function.find('('));
                return !function.empty() && (whole == function || whole.ends_with("::" + function));
            };
            if (!told.insert(iteration.loop.function).second) {
                continue;
            }
            HangVariables variables{rank, iteration.loop.function, {}};
            for (const launch::LocalNumber& number : numbers) {
                if (is_its(number.function) && variables.values.size() < most_values) {
                    variables.values.emplace_back(number.name, number.value);
                }
            }
            if (!variables.values.empty()) {
                group.variables.push_back(std::move(variables));
            }
        }
    }
}

void assign_blame(const Evidence& evidence, launch::SourceLines& lines, HangReport& report) {
    find_culprits(evidence, report);
    const Progress progress = compare_progress(evidence.histories);
    LoopNames loops(evidence, progress, lines);
    std::map<int, std::size_t> class_of;
    std::set<std::size_t> least;
    for (std::size_t i = 0; i < progress.classes.size(); ++i) {
        for (const int rank : progress.classes[i].ranks) {
            class_of.emplace(rank, i);
        }
        // Where nobody can be compared there is nobody behind.
        if (progress.classes[i].is_least && !progress.classes[i].ahead.empty()) {
            least.insert(i);
            report.least_progressed.insert(report.least_progressed.end(), progress.classes[i].ranks.begin(),
                                           progress.classes[i].ranks.end());
        }
    }
    std::sort(report.least_progressed.begin(), report.least_progressed.end());
    const auto& first = evidence.looks.front();
    const auto& last = evidence.looks.back();
    std::map<Spot, std::size_t> groups;
    for (std::size_t i = 0; i < last.size(); ++i) {
        const RankLook& rank = last[i].rank;
        const auto of = class_of.find(rank.rank);
        const std::size_t progress_class = of == class_of.end() ? progress.classes.size() : of->second;
        const bool is_outside = rank.where == Whereabouts::outside;
        const auto [at, is_new] = groups.try_emplace(
            Spot{rank.where, rank.stopped, rank.function, is_outside ? 0 : rank.place, progress_class},
            report.groups.size());
        if (is_new) {
            HangGroup group;
            group.state = phrase(rank, is_outside && first[i].stack != last[i].stack);
            group.function = rank.function;
            group.is_outside = is_outside;
            group.is_stopped = rank.stopped;
            group.is_least = least.contains(progress_class);
            group.stack = resolved(last[i].stack, lines);
            if (progress_class < progress.classes.size()) {
                for (const auto& [loop, number] : progress.classes[progress_class].iterations) {
                    group.iterations.push_back({loops.of(loop), number});
                }
            }
            report.groups.push_back(std::move(group));
        }
        HangGroup& group = report.groups[at->second];
        group.ranks.push_back(rank.rank);
        group.is_blamed = group.is_blamed || contains(report.blamed, rank.rank);
    }
    // Who is to blame comes first, who is behind next.
    std::stable_sort(report.groups.begin(), report.groups.end(), [](const HangGroup& a, const HangGroup& b) {
        return std::tuple(!a.is_blamed, !a.is_least) < std::tuple(!b.is_blamed, !b.is_least);
    });
}

}  // namespace dampi::scheduler::watch
