// Compares what dampi-run has reported with what the reference model allows.
#pragma once

#include "clocks/clock.hpp"
#include "tests/harness/report.hpp"
#include "tests/oracle/model.hpp"
#include "tests/oracle/program.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace dampi::oracle {

/// Something that must not be. `kind` is one of:
///   unsound           it ran an execution that the standard does not allow
///   false-deadlock    it called an execution that ends a deadlock
///   unseen-deadlock   it ran an execution that deadlocks and did not say so
///   duplicate         it ran the same outcome twice
///   doubt             it doubts itself: imprecise-match, divergence
///   violation         it found something that is neither a deadlock nor there
///   left-out          it says that it has left out something, without a reason that is accepted
///   missed            it did not run an execution that it must find (see Comparison::missed)
///   failure           it ended otherwise than it should, or its report cannot be read
struct Disagreement {
    std::string kind;
    std::string what;
};

struct Comparison {
    std::vector<Disagreement> disagreements;
    /// Executions of the model that were not run: a disagreement where must_find_all() says so, but not if something
    /// was said to be unclear.
    std::set<Execution> missed;
    /// The tool said that a synchronous send's receiver was unclear to it, or that several receives could have made
    /// room for a send, or that a receive was cancelled which a message could have reached, or that polls may answer
    /// more often than they were let do: what it misses is excused.
    bool unclear = false;
    std::size_t explored = 0;
    std::uint64_t merged = 0;  ///< runs that ended in a state of another one

    [[nodiscard]] std::set<std::string> kinds() const;
};

/// Whether no execution may be missed: with vector clocks always. A Lamport clock puts all epochs into one order,
/// also those that have nothing to do with each other: of different ranks, or of one where several are pending at the
/// same time. Only where each epoch of the program comes after all before it, whoever knows of one knows of just these,
/// so that the number says as much as a vector.
[[nodiscard]] bool must_find_all(const Program& program, clocks::Protocol protocol);

/// Without how often polls have answered false.
[[nodiscard]] std::set<Execution> without_false_answers(const std::set<Execution>& model);

/// `counted`: the tool was to explore all false answers of polls. Otherwise the model is without them, and the tool may
/// say that it has left something out.
[[nodiscard]] Comparison compare(const Program& program, const std::set<Execution>& model,
                                 const harness::Report& report, clocks::Protocol protocol, bool counted = true);

/// "{0#0<-1}" or "{0#0<-1} deadlock", one per line, each indented.
[[nodiscard]] std::string to_text(const std::set<Execution>& executions);

}  // namespace dampi::oracle
