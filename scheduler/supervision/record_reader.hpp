// Makes a run's record from what its ranks left in the shared area: epochs with their potential matches,
// also those from messages that were never received, violations, divergences, and what was not modelled.
// Believes nothing that a rank wrote without checking it.
#pragma once

#include "replay/area/area.hpp"
#include "replay/run_record.hpp"
#include "replay/source_lines.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// One rank's share, not yet judged.
struct RankFacts {
    std::vector<replay::Epoch> epochs;
    std::vector<replay::Violation> violations;
    std::optional<replay::Violation> divergence;
    std::string internal_error;  ///< a failed check of the layer's; empty: none
    bool log_sound = true;       ///< false: the rank has overwritten its log
    int crash_signal = 0;        ///< caught in the rank; 0: none
    std::vector<replay::CodePlace> crash_stack;
    bool loaded = false;          ///< the layer was there
    bool started = false;         ///< MPI_Init has returned
    bool finalized = false;       ///< MPI_Finalize has returned
    bool forced_pending = false;  ///< a receive under a decision has not met its message
};

class RecordReader {
public:
    RecordReader(const replay::area::Area& area, replay::SourceLines& lines) : area_(area), lines_(lines) {}

    /// Reads all ranks; call when none of them runs any more (or all are in their epilogue).
    void read();

    [[nodiscard]] std::vector<RankFacts>& ranks() { return ranks_; }
    [[nodiscard]] std::map<std::string, std::uint64_t> not_modelled() const;
    [[nodiscard]] const std::map<replay::CommId, std::string>& communicators() const { return communicators_; }
    /// Messages sent and never received, as notes.
    [[nodiscard]] std::vector<replay::Violation> leftover_messages();

    /// For runs that reached their end: communicators in which some ranks entered more collectives than others.
    [[nodiscard]] std::vector<replay::Violation> uneven_collectives();

    /// The place of an address in a rank's program.
    replay::CodePlace place(clocks::Rank rank, std::uint64_t address);
    [[nodiscard]] std::string communicator_name(replay::CommId comm) const;

private:
    struct Module {
        std::uint64_t low = 0, high = 0, bias = 0;
        std::string path;
    };

    void read_log(clocks::Rank rank);
    void analyse_leftovers(clocks::Rank rank);

    const replay::area::Area& area_;
    replay::SourceLines& lines_;
    std::vector<RankFacts> ranks_;
    std::vector<std::vector<Module>> modules_;
    /// What the analysis needs of each rank's epochs beside the epochs themselves.
    struct EpochExtra {
        std::uint64_t order = 0;   ///< posting order
        bool synchronous = false;  ///< matched a synchronous message
    };
    std::vector<std::vector<EpochExtra>> extras_;
    std::map<replay::CommId, std::string> communicators_;
};

}  // namespace dampi::scheduler
