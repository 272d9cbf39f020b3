// Who is behind: which of several ranks that wait for each other has got on least. Follows S. Mitra and others,
// "Accurate application progress analysis for large-scale parallel debugging" (PRODOMETER), sections 3 and 4: each
// rank's calls are a graph of counted transitions; the graphs are merged, their loops found, and two ranks compared
// loop by loop from the outermost on, by how often each has begun it, then by how far it is within. Departures: loops
// are those of the nesting forest (the strongly connected components, without the edges to their entries, again and
// again), which is what the published merging of cycles with the same entry comes to; where two ranks share no loop,
// reachability decides instead of probabilities of paths. Pure.
#pragma once

#include "replay/epoch.hpp"
#include "replay/members.hpp"

#include <cstdint>
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
    std::uint64_t header = 0;            ///< the key of the call with which it begins
    std::vector<std::uint64_t> members;  ///< keys of all calls in it
};

/// Ranks at the same point.
struct ProgressClass {
    std::vector<int> ranks;
    std::uint64_t at = 0;  ///< the key of their call
    bool is_after = false;
    std::vector<std::pair<std::size_t, std::uint64_t>> iterations;  ///< of which loops (below), outermost first
    std::vector<std::size_t> ahead;  ///< the classes that are further on, of those that can be compared
    bool is_least = false;           ///< nobody is known to be behind these
};

struct Progress {
    std::vector<ProgressLoop> loops;
    std::vector<ProgressClass> classes;  ///< by their least rank
};

[[nodiscard]] Progress compare_progress(const std::vector<RankHistory>& ranks);

}  // namespace dampi::scheduler::watch
