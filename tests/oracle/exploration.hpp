// The comparison on the simulated level: explores a small program with the tool's own explorer, over simulated runs,
// and compares what is found with what the reference model allows.
#pragma once

#include "clocks/clock.hpp"
#include "replay/buffering.hpp"
#include "tests/oracle/comparison.hpp"
#include "tests/oracle/model.hpp"
#include "tests/oracle/program.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace dampi::oracle {

enum class Polls {
    all,        ///< all false answers are explored
    undecided,  ///< as by default: where it is not proven that they make no difference, which it never is here
    none,       ///< none; their number is no part of an execution
};

/// With vector clocks everything must be as the model says. With Lamport clocks executions may be missed; all that is
/// run must be possible, follow its decisions, and be new all the same. `timing` seeds the timing of all runs.
/// Kinds of disagreements as in comparison.hpp, and
///   deviation         an interleaving did not follow its decisions
///   endless           there are far more interleavings than the model's executions
/// Unless all false answers are explored nothing may be missed where the explorer says that nothing was left out.
/// With `merge` runs end in states of earlier ones: then the number of outcomes that they stand for must be that of the
/// model's ("miscounted"), likewise those that lead to a deadlock, a deadlock must be found where there is one
/// ("missed"), and where some go on all the same, what follows must be the same ("difference").
/// `central`: the runs are those of the centralized engine's machine, with this buffering (zero or infinite).
[[nodiscard]] Comparison explore_simulated(const Program& program, const std::set<Execution>& model,
                                           clocks::Protocol protocol, std::uint64_t timing, std::string* log = nullptr,
                                           std::optional<replay::Buffering> central = std::nullopt,
                                           Polls polls = Polls::all, bool merge = false,
                                           std::uint32_t state_without = 0);

}  // namespace dampi::oracle
