// Which interleaving is run next? The seam between strategies of exploration: an explorer is told the record
// of each run and hands out the interleavings that are left. It never runs anything and knows no MPI.
#pragma once

#include "replay/decision.hpp"
#include "replay/run_record.hpp"

#include <cstdint>
#include <optional>

namespace dampi::scheduler {

class Explorer {
public:
    virtual ~Explorer() = default;

    /// The next interleaving to run, or nothing when no feasible alternative is left. The first has no
    /// decisions. Each call must be answered with one learn() before the next.
    virtual std::optional<replay::Interleaving> next() = 0;

    /// What the interleaving handed out last has shown.
    virtual void learn(const replay::RunRecord& record) = 0;

    /// Alternatives that are known and not run yet; more may become known.
    [[nodiscard]] virtual std::uint64_t pending() const = 0;

    /// Whether the record given to learn() last did not follow the decisions; nothing was learned from it.
    [[nodiscard]] virtual bool last_diverged() const = 0;
};

/// Whether the run did what the decisions name: each epoch was there and matched the source that was forced.
bool followed(const replay::RunRecord& record, const std::vector<replay::Decision>& decisions);

}  // namespace dampi::scheduler
