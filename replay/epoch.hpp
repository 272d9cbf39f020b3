// Epochs, their potential matches and their names: what one run learns about its nondeterminism.
// Plain values shared by the ranks' records, the explorer and the reports.
#pragma once

#include "clocks/types.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dampi::replay {

using clocks::CommId;
using clocks::Rank;
using clocks::Tag;

/// `index` counts the rank's nondeterministic operations in issue order, from 0.
struct EpochId {
    Rank rank = 0;
    std::uint32_t index = 0;

    auto operator<=>(const EpochId&) const = default;
};

/// What kind of operation is nondeterministic. A polling probe is an epoch only when it answers true.
enum class EpochKind : std::uint8_t { receive, probe, matched_probe, polling_probe, polling_matched_probe };

/// A place in the program under test; `file` is empty and `line` 0 where there is no debug information.
struct CodePlace {
    std::string module;        ///< path of the executable or library
    std::uint64_t offset = 0;  ///< address within the module's file, of the call instruction
    std::string function;      ///< demangled; empty when unknown
    std::string file;
    int line = 0;

    bool operator==(const CodePlace&) const = default;
};

/// A message that could have matched an epoch but did not. Per epoch and source there is at most one.
struct PotentialMatch {
    Rank source = 0;
    Tag tag = 0;
    std::uint64_t number = 0;  ///< clocks::MessageName::number

    auto operator<=>(const PotentialMatch&) const = default;
};

struct Epoch {
    EpochId id;
    EpochKind kind = EpochKind::receive;
    CommId comm = 0;
    Tag tag = clocks::any_tag;  ///< as the program asked
    std::uint64_t posted_clock = 0;
    std::uint64_t final_clock = 0;                  ///< meaningful when `outcome` is set
    std::optional<PotentialMatch> outcome;          ///< what it matched; none when it never did in this run
    bool forced = false;                            ///< a decision named the outcome
    std::vector<PotentialMatch> potential_matches;  ///< sorted by source, without the outcome's source
    std::string call;                               ///< the MPI function, "MPI_Recv"
    CodePlace where;
};

}  // namespace dampi::replay
