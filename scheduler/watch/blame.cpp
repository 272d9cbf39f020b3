#include "scheduler/watch/blame.hpp"

#include "scheduler/watch/mpi_frames.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace dampi::scheduler::watch {
namespace {

/// Where a rank is for whoever groups ranks: what is the same for ranks in the same state.
struct Spot {
    Whereabouts where;
    bool has_died;
    bool is_stopped;
    bool is_idle;
    bool is_other_thread;
    bool is_blamed;
    bool is_least;
    std::string function;
    std::uint64_t place;
    std::vector<std::uint64_t> iterations;  ///< of the loops that are told
    auto operator<=>(const Spot&) const = default;
};

/// So many ticks of CPU time between the first look and the last one are no chance.
constexpr std::uint64_t ticks_of_busy = 10;

/// gfortran's names of procedures of modules ("__ocean_MOD_halo"): "ocean::halo".
std::string readable(std::string name) {
    static constexpr std::string_view between = "_MOD_";
    const auto at = name.find(between);
    return name.starts_with("__") && at != std::string::npos && at > 2
               ? name.substr(2, at - 2) + "::" + name.substr(at + between.size())
               : name;
}

std::vector<replay::CodePlace> resolved(const std::vector<replay::CodePlace>& stack, launch::SourceLines& lines) {
    std::vector<replay::CodePlace> named;
    for (const replay::CodePlace& place : stack) {
        for (replay::CodePlace& one : lines.resolve_inlined(place)) {
            one.function = readable(std::move(one.function));
            named.push_back(std::move(one));
        }
    }
    // What starts a program or a thread is no news.
    const auto start = std::find_if(named.begin(), named.end(), [](const auto& place) {
        return place.function.starts_with("__libc_start") || place.function == "_start" ||
               place.function == "start_thread";
    });
    named.erase(start, named.end());
    return named;
}

std::string phrase(const RankLook& look, const Spot& spot, bool has_moved) {
    const std::string stopped = look.stopped ? "stopped, " : "";
    const std::string thread = spot.is_other_thread ? ", and another thread outside MPI, using the processor" : "";
    switch (look.where) {
        case Whereabouts::inside:
            return stopped + "in " + look.function + thread;
        case Whereabouts::polling:
            return stopped + "asking again and again with " + look.function + thread;
        case Whereabouts::ended:
            return look.died ? "ended without MPI_Finalize" : "through with MPI, or ended";
        case Whereabouts::outside:
            break;
    }
    return stopped + "outside MPI" + (look.function.empty() ? "" : ", after " + look.function) +
           (spot.is_idle ? ", asleep or blocked"
            : has_moved  ? ", moving about"
                         : "");
}

/// The thread of a rank that uses the processor outside MPI in all looks; null: none is known to. One in the program
/// itself rather than one that may only wait busily in a library, and of these the one that uses it most.
const ThreadLook* busy_thread(const Evidence& evidence, std::size_t rank) {
    const auto ticks_in = [&](const std::vector<StackLook>& look, pid_t thread) -> std::optional<std::uint64_t> {
        for (const ThreadLook& one : look[rank].threads) {
            if (one.thread == thread) {
                return one.ticks;
            }
        }
        return std::nullopt;
    };
    const ThreadLook* found = nullptr;
    std::pair<bool, std::uint64_t> best{false, 0};
    for (const ThreadLook& thread : evidence.looks.back()[rank].threads) {
        const bool in_all = std::all_of(evidence.looks.begin(), evidence.looks.end(),
                                        [&](const auto& look) { return ticks_in(look, thread.thread).has_value(); });
        const std::uint64_t used = in_all ? thread.ticks - *ticks_in(evidence.looks.front(), thread.thread) : 0;
        if (used >= ticks_of_busy && std::pair(thread.is_in_program, used) > best) {
            found = &thread;
            best = {thread.is_in_program, used};
        }
    }
    return found;
}

/// Whether a rank is outside MPI in all looks, and has used no processor between them.
bool is_idle(const Evidence& evidence, std::size_t rank) {
    return evidence.looks.size() > 1 &&
           std::all_of(evidence.looks.begin(), evidence.looks.end(),
                       [&](const auto& look) {
                           return look[rank].rank.where == Whereabouts::outside && !look[rank].rank.stopped &&
                                  (look[rank].work.state == 'S' || look[rank].work.state == 'D');
                       }) &&
           evidence.looks.front()[rank].work.ticks == evidence.looks.back()[rank].work.ticks;
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

    /// How far a rank is in the loops that it is in, outermost first. A loop around another one, which stands
    /// elsewhere, may be the same loop, with a call that is made now and then: of it only that call is told.
    std::vector<HangIteration> of(int rank, std::vector<std::size_t> loops) {
        std::vector<HangIteration> told;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            if (i > 0 && is_same_place(loops[i - 1], loops[i])) {
                continue;
            }
            const std::vector<std::size_t> inner = inner_at_other_places(loops[i]);
            const Rounds& own = progress_.rounds.at(rank)[loops[i]];
            const std::uint64_t number = rounds_at_place(rank, loops[i]);
            const auto call = calls_.find(own.call);
            if (inner.empty() && number != 0) {
                const Place& place = place_of(loops[i]);
                told.push_back({.loop = place.frame.place,
                                .number = number,
                                .call = {},
                                .is_there = place.is_outermost,
                                .in_all = !told.empty()});
            } else if (!inner.empty() && call != calls_.end() && !frames_of(own.call).empty()) {
                told.push_back(
                    {.loop = frames_of(own.call).front().place, .number = own.number, .call = call->second->function});
            }
            const bool is_last = std::none_of(loops.begin() + static_cast<std::ptrdiff_t>(i) + 1, loops.end(),
                                              [&](std::size_t later) { return !is_same_place(loops[i], later); });
            if (is_last && inner.size() == 1) {
                loops.resize(i + 1);
                loops.push_back(inner.front());
            }
        }
        return told;
    }

    /// Where these loops, or those that they may be one with, stand: innermost first.
    std::vector<std::string> functions_of(const std::vector<std::size_t>& loops) {
        std::vector<std::string> functions;
        const auto add = [&functions](const std::string& name) {
            if (std::find(functions.begin(), functions.end(), name) == functions.end()) {
                functions.push_back(name);
            }
        };
        std::for_each(loops.rbegin(), loops.rend(),
                      [&](std::size_t loop) { add(place_of(loop).frame.place.function); });
        for (const std::size_t loop : loops) {
            if (const auto& frames = frames_of(progress_.loops[loop].first); !frames.empty()) {
                add(frames.back().place.function);
            }
        }
        return functions;
    }

private:
    static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

    struct Frame {
        std::size_t depth = 0;  ///< from the outermost one on; functions that are inlined there have the same
        replay::CodePlace place;
    };

    /// The innermost call of a function that all calls of a loop are made in, directly or not.
    struct Place {
        Frame frame;                ///< at the line of the loop's first call
        bool is_outermost = false;  ///< so the loop stands there: else the calls would be the same ones in a caller
    };

    const Place& place_of(std::size_t loop) {
        const auto [at, is_new] = places_.try_emplace(loop);
        if (is_new) {
            at->second = find_place(progress_.loops[loop]);
        }
        return at->second;
    }

    Place find_place(const ProgressLoop& loop) {
        const auto& first = frames_of(loop.first);
        const std::size_t parting = depth_of_parting(loop);
        for (const Frame& frame : first) {
            const bool in_all = frame.depth <= parting &&
                                std::all_of(loop.members.begin(), loop.members.end(), [&](std::uint64_t member) {
                                    const auto& frames = frames_of(member);
                                    return std::any_of(frames.begin(), frames.end(), [&](const Frame& other) {
                                        return (other.depth == frame.depth || parting == unknown) &&
                                               other.place.module == frame.place.module &&
                                               other.place.function == frame.place.function;
                                    });
                                });
            if (in_all) {
                return {frame, &frame == &first.back() && parting != unknown};
            }
        }
        return {first.empty() ? Frame{} : first.front(), false};
    }

    /// Whether two loops, one within the other, stand in the same call of a function. They may be one loop there, with
    /// a call that is made now and then.
    bool is_same_place(std::size_t outer, std::size_t inner) {
        const Frame& a = place_of(outer).frame;
        const Frame& b = place_of(inner).frame;
        return a.depth == b.depth && a.place.module == b.place.module && a.place.function == b.place.function;
    }

    std::vector<std::size_t> inner_at_other_places(std::size_t loop) {
        std::vector<std::size_t> found;
        for (std::size_t inner = 0; inner < progress_.loops.size(); ++inner) {
            if (progress_.loops[inner].around != loop) {
                continue;
            }
            if (!is_same_place(loop, inner)) {
                found.push_back(inner);
                continue;
            }
            const std::vector<std::size_t> more = inner_at_other_places(inner);
            found.insert(found.end(), more.begin(), more.end());
        }
        return found;
    }

    /// How often the rank has been through a loop and the one within it at the same place; 0: that cannot be told,
    /// since there are several of these.
    std::uint64_t rounds_at_place(int rank, std::size_t loop) {
        std::uint64_t number = progress_.rounds.at(rank)[loop].number;
        bool has_inner = false;
        for (std::size_t inner = 0; inner < progress_.loops.size(); ++inner) {
            if (progress_.loops[inner].around == loop && is_same_place(loop, inner)) {
                const std::uint64_t of_inner = rounds_at_place(rank, inner);
                if (has_inner || of_inner == 0) {
                    return 0;
                }
                has_inner = true;
                number = std::max(number, of_inner);
            }
        }
        return number;
    }

    /// Up to which depth all calls of a loop have been come to by the same calls.
    std::size_t depth_of_parting(const ProgressLoop& loop) const {
        const std::vector<replay::CodePlace>* first = nullptr;
        std::size_t depth = unknown;
        for (const std::uint64_t member : loop.members) {
            const auto call = calls_.find(member);
            if (call == calls_.end() || call->second->stack.size() >= transport::watch::most_frames) {
                return unknown;  // it may have more callers than are known
            }
            const auto& stack = call->second->stack;
            first = first == nullptr ? &stack : first;
            const auto parted = std::mismatch(first->rbegin(), first->rend(), stack.rbegin(), stack.rend(),
                                              [](const replay::CodePlace& a, const replay::CodePlace& b) {
                                                  return a.module == b.module && a.offset == b.offset;
                                              });
            depth = std::min(depth, static_cast<std::size_t>(parted.first - first->rbegin()));
        }
        return depth;
    }

    const std::vector<Frame>& frames_of(std::uint64_t key) {
        const auto [at, is_new] = frames_.try_emplace(key);
        const auto call = calls_.find(key);
        if (is_new && call != calls_.end()) {
            const auto& stack = call->second->stack;
            for (std::size_t i = 0; i < stack.size(); ++i) {
                for (replay::CodePlace& place : resolved({stack[i]}, lines_)) {
                    if (mpi_function_named(place.function).empty()) {  // as in MPI's binding for Fortran
                        at->second.push_back({stack.size() - 1 - i, std::move(place)});
                    }
                }
            }
        }
        return at->second;
    }

    const Progress& progress_;
    launch::SourceLines& lines_;
    std::map<std::uint64_t, const CallState*> calls_;
    std::map<std::uint64_t, std::vector<Frame>> frames_;
    std::map<std::size_t, Place> places_;
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

/// `died`: where ranks wait for these, they are to blame.
void set_deadlock(const Conclusion& conclusion, const std::vector<int>& died, HangReport& report) {
    report.kind = HangKind::deadlock;
    report.wait_for = conclusion.graph;
    std::set<int> culprits;
    for (const replay::WaitForGraph::Node& node : conclusion.graph.nodes) {
        for (const replay::WaitForGraph::Edge& edge : node.edges) {
            if (node.in_core && contains(died, edge.to)) {
                culprits.insert(edge.to);
            }
        }
    }
    report.blamed = culprits.empty() ? conclusion.graph.core : std::vector<int>(culprits.begin(), culprits.end());
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
    const auto died = always(evidence, [](const RankLook& rank) { return rank.died; });
    report.facts_doubt = evidence.without_room.doubt;
    if (!evidence.surely.stuck.empty()) {
        set_deadlock(evidence.surely, died, report);
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
        set_deadlock(evidence.without_room, died, report);
        report.needs_no_room = true;
        return;
    }
    if (!died.empty()) {
        report.blamed = died;
        return;
    }
    // A helper of each rank's that waits busily tells nothing.
    std::vector<int> busy;
    std::size_t there = 0;
    for (std::size_t i = 0; i < evidence.looks.back().size(); ++i) {
        const RankLook& rank = evidence.looks.back()[i].rank;
        there += rank.where != Whereabouts::ended ? 1 : 0;
        if (rank.where != Whereabouts::ended && busy_thread(evidence, i) != nullptr) {
            busy.push_back(rank.rank);
        }
    }
    if (!busy.empty() && busy.size() < there) {
        report.kind = HangKind::computation;
        report.blamed = std::move(busy);
    }
}

/// Ranks whose progress tells who is behind: those that stand still. Who goes on while others are stuck has other work.
std::vector<int> standing_ranks(const Evidence& evidence, const HangReport& report) {
    std::vector<int> standing;
    for (const StackLook& look : evidence.looks.back()) {
        const auto number = static_cast<std::size_t>(look.rank.rank);
        const bool is_stuck =
            !report.from_facts || (number < evidence.surely.stuck.size() && evidence.surely.stuck[number]);
        if ((is_stuck && look.rank.where != Whereabouts::ended) || contains(report.blamed, look.rank.rank)) {
            standing.push_back(look.rank.rank);
        }
    }
    return standing;
}

/// Whether a class that nobody is behind is worth a word: where others are to blame, it has to be behind these; and
/// who only waits for one that computes is that in MPI while the other one has left it.
bool tells_something(const Progress& progress, const ProgressClass& least, const HangReport& report) {
    const auto is_blamed = [&report](const ProgressClass& one) {
        return std::any_of(one.ranks.begin(), one.ranks.end(), [&](int rank) { return contains(report.blamed, rank); });
    };
    if (is_blamed(least) || report.kind == HangKind::computation || report.kind == HangKind::stopped) {
        return is_blamed(least);
    }
    for (std::size_t i = 0; i < progress.classes.size(); ++i) {
        if (is_blamed(progress.classes[i]) &&
            std::find(least.ahead.begin(), least.ahead.end(), i) == least.ahead.end()) {
            return false;
        }
    }
    return true;
}

}  // namespace

void add_variables(int rank, const std::vector<launch::LocalNumber>& numbers, HangReport& report) {
    constexpr std::size_t most_values = 12;
    for (HangGroup& group : report.groups) {
        if (!contains(group.ranks, rank)) {
            continue;
        }
        for (const std::string& name : group.loop_functions) {
            // Debug information has the bare name, a symbol of C++ what it is in and its parameters, too.
            const auto is_its = [&name](const std::string& function) {
                const std::string whole = name.substr(0, name.find('('));
                return !function.empty() && (whole == function || whole.ends_with("::" + function));
            };
            HangVariables variables{rank, name, {}};
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
    const Progress progress = compare_progress(evidence.histories, standing_ranks(evidence, report));
    LoopNames loops(evidence, progress, lines);
    std::map<int, const ProgressClass*> class_of;
    for (const ProgressClass& one : progress.classes) {
        for (const int rank : one.ranks) {
            class_of.emplace(rank, &one);
        }
        if (one.is_least && tells_something(progress, one, report)) {
            report.least_progressed.insert(report.least_progressed.end(), one.ranks.begin(), one.ranks.end());
        }
    }
    std::sort(report.least_progressed.begin(), report.least_progressed.end());
    const auto& first = evidence.looks.front();
    const auto& last = evidence.looks.back();
    std::map<Spot, std::size_t> groups;
    for (std::size_t i = 0; i < last.size(); ++i) {
        const RankLook& rank = last[i].rank;
        const auto of = class_of.find(rank.rank);
        const bool is_outside = rank.where == Whereabouts::outside;
        const ThreadLook* busy = busy_thread(evidence, i);
        const bool is_blamed = contains(report.blamed, rank.rank);
        Spot spot{.where = rank.where,
                  .has_died = rank.died,
                  .is_stopped = rank.stopped,
                  .is_idle = is_idle(evidence, i),
                  .is_other_thread = busy != nullptr && !is_outside && is_blamed,
                  .is_blamed = is_blamed,
                  .is_least = contains(report.least_progressed, rank.rank),
                  .function = rank.function,
                  .place = is_outside ? 0 : rank.place,
                  .iterations = {}};
        std::vector<HangIteration> iterations;
        if (of != class_of.end()) {
            iterations = loops.of(rank.rank, of->second->loops);
        }
        for (const HangIteration& iteration : iterations) {
            spot.iterations.push_back(iteration.number);
        }
        const auto [at, is_new] = groups.try_emplace(spot, report.groups.size());
        if (is_new) {
            HangGroup group;
            group.state = phrase(rank, spot, is_outside && first[i].stack != last[i].stack);
            group.function = rank.function;
            group.is_outside = is_outside;
            group.is_stopped = rank.stopped;
            group.is_idle = spot.is_idle;
            group.is_other_thread = spot.is_other_thread;
            group.has_died = rank.died;
            group.is_blamed = spot.is_blamed;
            group.is_least = spot.is_least;
            const bool shows_thread = busy != nullptr && (is_outside || spot.is_other_thread);
            group.stack = resolved(shows_thread ? busy->stack : last[i].stack, lines);
            group.iterations = std::move(iterations);
            if (of != class_of.end()) {
                group.loop_functions = loops.functions_of(of->second->loops);
            }
            report.groups.push_back(std::move(group));
        }
        report.groups[at->second].ranks.push_back(rank.rank);
    }
    // Who is to blame comes first, who is behind next.
    std::stable_sort(report.groups.begin(), report.groups.end(), [](const HangGroup& a, const HangGroup& b) {
        return std::tuple(!a.is_blamed, !a.is_least) < std::tuple(!b.is_blamed, !b.is_least);
    });
}

}  // namespace dampi::scheduler::watch
