// Who is behind: which of several ranks that wait for each other has got on least. Follows S. Mitra and others,
// "Accurate application progress analysis for large-scale parallel debugging" (PRODOMETER), sections 3 and 4: each
// rank's calls are a graph of counted transitions; the graphs are merged, their loops found, and two ranks compared
// loop by loop from the outermost on, by how often each has been through it, then by how far it is within.
//
// Loops are those of the nesting forest (the strongly connected components, without one call, their header, again and
// again), which is what the published merging of cycles with the same entry comes to. Departures, so that one loop of
// the program is one here, and ranks are compared by what they have in common alone:
// - The header is the call that is made least often: what is made every tenth time does not hide that the rest is a
//   loop.
// - Within a loop only transitions of ranks that make its header make loops: ranks that never do, as at the end of a
//   pipeline or at a border, go round without it, which is no other loop. Nor is one that a rank hardly ever goes round
//   more than once: where it has left out a call.
// - How often a rank has been through a loop, is how often it has made the call of it that it has made most often;
//   two ranks are compared by calls that both have made. Where of two of these one is further with the first, and the
//   other with the second, they are not compared.
// - Inner loops have been counted over all rounds of the outer ones: they count where both ranks have begun them
// equally
//   often, and were in them equally long on average: not where each rank goes through a number of its own.
// - Where two ranks share no loop, reachability decides instead of probabilities of paths.
// Pure.
#pragma once

#include "replay/epoch.hpp"
#include "replay/members.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dampi::scheduler::watch {

/// A call at a place of the program.
struct CallState {
    std::uint64_t key = 0;                 ///< the same for the same call in all ranks
    std::string function;                  ///< of MPI's
    std::vector<replay::CodePlace> stack;  ///< innermost first, not resolved
    std::uint64_t entries = 0;             ///< how often it was made
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, key, function, stack, entries);
    }
};

struct Transition {
    std::size_t from = 0;
    std::size_t to = 0;
    std::uint64_t count = 0;
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, from, to, count);
    }
};

/// The calls of one rank in the order in which each was first made.
struct RankHistory {
    int rank = 0;
    pid_t process = 0;
    std::vector<CallState> states;
    std::vector<Transition> transitions;
    std::size_t now = 0;      ///< the call that it is in, or has made last
    bool is_after = false;    ///< it has made it, and computes
    bool is_complete = true;  ///< there was room for all
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, rank, process, states, transitions, now, is_after, is_complete);
    }
};

/// A loop of calls that ranks are in.
struct ProgressLoop {
    std::uint64_t first = 0;             ///< the key of the call in it that was met first
    std::vector<std::uint64_t> members;  ///< keys of all calls in it
    std::optional<std::size_t> around;   ///< the loop that this one is in
};

/// How often a rank has been through a loop: by the call, in none within it, that it has made most often.
struct Rounds {
    std::uint64_t call = 0;    ///< its key
    std::uint64_t number = 0;  ///< 0: it makes none
};

/// Ranks at the same point.
struct ProgressClass {
    std::vector<int> ranks;
    std::uint64_t at = 0;  ///< the key of their call
    bool is_after = false;
    std::vector<std::size_t> loops;  ///< that they are in (below), outermost first
    std::vector<std::size_t> ahead;  ///< the classes that are further on, of those that can be compared
    bool is_least = false;           ///< somebody is ahead of these, and nobody is known to be behind them
};

struct Progress {
    std::vector<ProgressLoop> loops;
    std::vector<ProgressClass> classes;         ///< by their least rank
    std::map<int, std::vector<Rounds>> rounds;  ///< of each rank, in each of the loops
};

/// `compared`: only these are; the others have loops and rounds, but nobody is ahead of them or behind.
[[nodiscard]] Progress compare_progress(const std::vector<RankHistory>& ranks, const std::vector<int>& compared);

}  // namespace dampi::scheduler::watch
