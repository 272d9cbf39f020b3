// What there is to say about a hang: who keeps whom waiting, where, and who is behind. Made from looks and histories
// (blame.hpp); plain values, with a text for people and JSON for programs.
#pragma once

#include "replay/epoch.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler::watch {

enum class HangKind : std::uint8_t {
    computation,    ///< some ranks compute and do not end, others wait for them
    communication,  ///< no rank computes: messages are lost, or never sent
    deadlock,       ///< ranks wait for each other in a circle, or for one that has ended
    stopped,        ///< a signal has stopped some ranks
};

[[nodiscard]] std::string name_of(HangKind kind);

/// A loop of calls that ranks are in.
struct HangIteration {
    replay::CodePlace loop;  ///< the function that the loop stands in, and the line of the first call in it
    std::uint64_t number = 0;
};

/// Ranks in the same state.
struct HangGroup {
    std::vector<int> ranks;
    std::string state;     ///< "in MPI_Recv", "outside MPI, after MPI_Send", ...: a phrase
    std::string function;  ///< of MPI's; empty: none
    bool is_outside = false;
    bool is_stopped = false;
    bool is_blamed = false;
    bool is_least = false;                 ///< nobody is known to be behind these
    std::vector<replay::CodePlace> stack;  ///< of the first of them, innermost first, resolved
    std::vector<HangIteration> iterations;
};

/// A rank waits for another one, by the arguments of its call.
struct HangWait {
    int rank = 0;
    int for_rank = 0;
    std::string function;
};

struct HangReport {
    HangKind kind = HangKind::communication;
    std::chrono::milliseconds quiet{0};  ///< so long nobody had got on
    std::chrono::milliseconds since{0};  ///< the job ran when it was found
    std::size_t samples_in_a_row = 0;    ///< suspicious ones; 0: too little was known of the job for statistics
    double significance = 0;
    bool with_layer = false;
    int ranks_seen = 0;
    int size = 0;  ///< of the job; 0: not known
    std::vector<HangGroup> groups;
    std::vector<HangWait> waits;  ///< the circle of a deadlock, in order; else what is known
    std::vector<int> blamed;
    std::vector<int> least_progressed;
};

/// "0-3, 7"
[[nodiscard]] std::string rank_ranges(std::vector<int> ranks);

[[nodiscard]] std::string make_hang_text(const HangReport& report);

/// Throws dampi::Error when it cannot be written.
void write_hang_json(const std::filesystem::path& file, const HangReport& report,
                     std::optional<std::chrono::milliseconds> went_on_after);

}  // namespace dampi::scheduler::watch
