// What there is to say about a hang: who keeps whom waiting, where, and who is behind. Made from looks and histories
// (blame.hpp); plain values, with a text for people and JSON for programs.
#pragma once

#include "replay/epoch.hpp"
#include "replay/wait_for_graph.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler::watch {

enum class HangKind : std::uint8_t {
    computation,    ///< some ranks compute and do not end, others wait for them
    communication,  ///< no rank computes: messages are lost, or never sent
    deadlock,       ///< by the facts ranks wait for each other for ever, or for one that has ended
    stopped,        ///< a signal has stopped some ranks
};

[[nodiscard]] std::string name_of(HangKind kind);

/// A loop of calls that ranks are in.
struct HangIteration {
    replay::CodePlace loop;  ///< the innermost function that all its calls are made from, at the line of the first
    std::uint64_t number = 0;
    /// So often this has been called there, in a loop that may be one with a loop within it; empty: it is rounds.
    std::string call;
    bool is_there = false;  ///< the loop stands in that function; else there, or in one that calls it
    bool in_all = false;    ///< counted over all rounds of a loop around it
};

/// Where the variables of a rank stand, in the function that a loop of it is in.
struct HangVariables {
    int rank = 0;
    std::string function;
    std::vector<std::pair<std::string, std::int64_t>> values;
};

/// Ranks in the same state.
struct HangGroup {
    std::vector<int> ranks;
    std::string state;     ///< "in MPI_Recv", "outside MPI, after MPI_Send", ...: a phrase
    std::string function;  ///< of MPI's; empty: none
    bool is_outside = false;
    bool is_stopped = false;
    bool is_idle = false;          ///< outside MPI, and using no processor
    bool is_other_thread = false;  ///< the stack is that of a thread outside MPI, while another one is in a call
    bool has_died = false;         ///< its process has ended without MPI_Finalize
    bool is_blamed = false;
    bool is_least = false;                 ///< somebody is ahead of these, and nobody known to be behind
    std::vector<replay::CodePlace> stack;  ///< of the first of them, innermost first, resolved
    std::vector<HangIteration> iterations;
    std::vector<std::string> loop_functions;  ///< that their loops may stand in
    std::vector<HangVariables> variables;
};

struct HangReport {
    HangKind kind = HangKind::communication;
    std::chrono::milliseconds quiet{0};  ///< so long nobody had got on
    std::chrono::milliseconds since{0};  ///< the job ran when it was found
    std::size_t samples_in_a_row = 0;    ///< suspicious ones; 0: too little was known of the job for statistics
    double significance = 0;
    bool with_layer = false;
    int ranks_seen = 0;
    int size = 0;                            ///< of the job; 0: not known
    std::vector<std::string> lost_machines;  ///< whose monitors are lost
    std::vector<HangGroup> groups;
    /// Of a deadlock; else, where facts are known, who waits for those that are blamed.
    std::optional<replay::WaitForGraph> wait_for;
    bool from_facts = false;     ///< a deadlock that was decided without statistics
    bool needs_no_room = false;  ///< it is none if MPI finds room for a standard message yet
    std::string facts_doubt;     ///< why nothing could be decided from facts; empty: what could be, was
    std::vector<int> blamed;
    std::vector<int> least_progressed;
};

/// "0-3, 7"
[[nodiscard]] std::string rank_ranges(std::vector<int> ranks);

/// One line each: what has happened, and from what that is known.
[[nodiscard]] std::string headline_of(const HangReport& report);
[[nodiscard]] std::string basis_of(const HangReport& report);
/// What is known of the ranks of a group beside their stack, line by line.
[[nodiscard]] std::vector<std::string> details_of(const HangGroup& group);

[[nodiscard]] std::string make_hang_text(const HangReport& report);

/// Throws dampi::Error when it cannot be written.
void write_hang_json(const std::filesystem::path& file, const HangReport& report,
                     std::optional<std::chrono::milliseconds> went_on_after);

}  // namespace dampi::scheduler::watch
