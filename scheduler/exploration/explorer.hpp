// Which interleaving is run next? The seam between strategies of exploration: an explorer is told the record
// of each run and hands out the interleavings that are left. It never runs anything and knows no MPI.
#pragma once

#include "replay/decision.hpp"
#include "replay/run_record.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace dampi::scheduler {

/// Where a run did not do what was decided.
struct Deviation {
    replay::EpochId epoch;
    std::string text;  ///< a sentence
};

class Explorer {
public:
    virtual ~Explorer() = default;

    /// The next interleaving to run, or nothing when no feasible alternative is left. The first has no
    /// decisions. Each call must be answered with one learn() before the next.
    virtual std::optional<replay::Interleaving> next() = 0;

    /// What the interleaving handed out last has shown.
    virtual void learn(const replay::RunRecord& record) = 0;

    /// Alternatives that are known and not run yet; more may become known, and some may turn out to be explored.
    [[nodiscard]] virtual std::uint64_t pending() const = 0;

    /// Set if the record given to learn() last did not follow the decisions; nothing was learned from it.
    [[nodiscard]] virtual const std::optional<Deviation>& deviation() const = 0;

    /// Alternatives that are not going to be explored: a sentence that says what, and how many.
    [[nodiscard]] virtual std::map<std::string, std::uint64_t> left_out() const { return {}; }
};

/// Where the run first did not do what the decisions name: an epoch was not there, was another operation, or came to
/// something else. Nothing when it followed them all.
std::optional<Deviation> first_deviation(const replay::RunRecord& record,
                                         const std::vector<replay::Decision>& decisions);

}  // namespace dampi::scheduler
