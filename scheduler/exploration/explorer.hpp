// Which interleaving is run next? The seam between strategies of exploration: an explorer hands out the interleavings
// that are left, several at a time if asked, and is told the record of each run. It never runs anything and knows no
// MPI. One thread at a time.
#pragma once

#include "heuristics/size_estimate.hpp"
#include "replay/decision.hpp"
#include "replay/run_record.hpp"
#include "scheduler/exploration/lesson.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace dampi::scheduler {

class Explorer {
public:
    virtual ~Explorer() = default;

    /// The next interleaving to run. Nothing when no feasible alternative is left; while others that were handed out
    /// have not come back, nothing means: not now. The first has no decisions. Whatever is handed out at the same time
    /// comes to different outcomes.
    virtual std::optional<replay::Interleaving> next() = 0;

    /// What the run of an interleaving that was handed out shows. Changes nothing: apply() does. Nothing, soon, if a
    /// stop is requested meanwhile and the run followed its decisions; that it did not is told in any case.
    [[nodiscard]] virtual std::optional<Lesson> learn(std::uint64_t number, const replay::RunRecord& record,
                                                      const std::stop_token& stop) const = 0;

    /// Takes in a lesson of learn(), or one that was kept from an earlier sweep, in the order in which they were taken
    /// in then.
    virtual void apply(const Lesson& lesson) = 0;

    /// An interleaving that was handed out was not run to its end: it is handed out again some time.
    virtual void give_back(std::uint64_t number) = 0;

    /// All that apply() has brought about. What is handed out and has not come back counts as not handed out.
    [[nodiscard]] virtual ExplorerState state() const = 0;
    /// Only before the first next().
    virtual void restore(ExplorerState state) = 0;

    /// Alternatives that are known and neither run nor handed out yet; more may become known.
    [[nodiscard]] virtual std::uint64_t pending() const = 0;

    /// Which part of all is done, between 0 and 1, as if everything that is not known were like what is known.
    [[nodiscard]] virtual double progress() const { return 0; }

    /// How many outcomes there are, with or without bounds of the search, as random walks say; nothing without any.
    [[nodiscard]] virtual std::optional<heuristics::SizeEstimate> estimate() const { return std::nullopt; }

    /// How many outcomes the runs stand for, by mode of buffering, where some may have ended in states of others. To be
    /// asked when nothing is left to run.
    [[nodiscard]] virtual std::vector<OutcomesOfMode> outcomes() const { return {}; }

    /// Alternatives that are not going to be explored.
    [[nodiscard]] virtual LeftOutAlternatives left_out() const { return {}; }
};

/// Where the run first did not do what the decisions name: an epoch was another operation, or came to something else;
/// only where there is none such, one that came to nothing, or was not there. Nothing when it followed them all.
std::optional<Deviation> first_deviation(const replay::RunRecord& record,
                                         const std::vector<replay::Decision>& decisions);

}  // namespace dampi::scheduler
