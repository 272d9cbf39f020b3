// The reference model of bounded searches: computes, by trying everything, the set of interleavings that the definition
// of the bounds names (exploration.md and bounds.md in docs/architecture), for a small program over simulated runs. It
// has nothing in common with the tool's explorer and heuristics: where an epoch stands in the program is read from the
// program's text, following the outcomes of the run; nothing is forgotten, and nothing is decided one after the other.
//
// The set is the smallest that contains the run without decisions and, with each run R with the decisions P, the run
// with the decisions Q(i, a) for each step e_i of R that is admitted and each alternative a of it. The steps of R are
// its epochs that P says nothing of, those first of which the past is smaller. The alternatives of e_i are those that R
// shows and those that any run of the set shows that keeps e_i, that is, that came from R by a step after e_i. Q(i, a)
// is P, the steps before e_i, the past of a, and e_i with a. Only with vector clocks, and without polling calls.
#pragma once

#include "replay/decision.hpp"
#include "tests/oracle/model.hpp"
#include "tests/oracle/program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::oracle {

/// A part of a program, as a user would name it.
struct NamedPart {
    enum class Kind : std::uint8_t {
        communicator,
        place,  ///< what is called there
        rank,   ///< all that it does
    };

    Kind kind = Kind::communicator;
    int which = 0;
};

/// A step is admitted if none of the bounds is against it.
struct ReferenceBounds {
    /// After an alternative of e_i only the next so many steps are admitted, less where a bracket around e_i says so.
    std::optional<std::uint32_t> mixing;
    /// The mixing bound counts collectives: what is admitted was posted in the zone of e_i, or so many zones later.
    bool zones = false;
    bool brackets = true;  ///< those in the program count
    /// Of the epochs of a rank that are called from the same place only the first so many are admitted.
    std::optional<std::uint32_t> loop;
    std::vector<NamedPart> explore;  ///< if any: only what belongs to one of them is admitted
    std::vector<NamedPart> skip;     ///< what belongs to one of them is not
};

/// The decisions of an interleaving, and how it ended.
using Interleaved = std::pair<std::string, Execution>;

struct ReferenceSet {
    std::set<Interleaved> interleavings;
    /// What contradicts the definition: two ways to the same interleaving, runs that do not follow their decisions.
    std::vector<std::string> faults;
};

/// `timing`: what the runs do where they are free; the same for the same decisions, see free_run_seed. Ends with a
/// fault at more than `most` interleavings.
[[nodiscard]] ReferenceSet explore_by_definition(const Program& program, const ReferenceBounds& bounds,
                                                 std::uint64_t timing, std::size_t most);

/// "{0#0<-1 1#0=0+2}": the epochs with their outcomes.
[[nodiscard]] std::string decisions_text(const std::vector<replay::Decision>& decisions);
/// Of the run with these decisions, whenever it comes.
[[nodiscard]] std::uint64_t free_run_seed(const std::vector<replay::Decision>& decisions, std::uint64_t timing);

}  // namespace dampi::oracle
