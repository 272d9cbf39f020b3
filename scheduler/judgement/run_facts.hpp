// The facts of one finished run: what was seen of its processes, and what their ranks have left, read once
// (gather_facts.hpp). Plain values: all that judgement.hpp looks at, and it changes none of them.
#pragma once

#include "clocks/clock.hpp"
#include "launch/job.hpp"
#include "replay/decision.hpp"
#include "replay/run_record.hpp"
#include "scheduler/judgement/collective_order.hpp"
#include "scheduler/judgement/return_statement.hpp"
#include "scheduler/judgement/run_ending.hpp"
#include "scheduler/judgement/sanitizer_reports.hpp"
#include "transport/collective_mismatch.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {

/// One rank's share, not yet judged.
struct RankFacts {
    std::vector<replay::Epoch> epochs;
    std::optional<replay::OmittedEpochs> omitted;
    std::vector<replay::Violation> violations;
    std::vector<replay::ForeseenViolation> foreseen;
    std::vector<replay::Violation> notes;
    std::optional<replay::Violation> divergence;
    std::string internal_error;                  ///< a failed check of the layer's; empty: none
    std::string unsuitable;                      ///< why MPI could not begin; empty: it could
    bool log_sound = true;                       ///< false: the rank has overwritten its log
    int failing = 0;                             ///< the MPI error whose handler has not come back; 0: none
    int crash_signal = 0;                        ///< caught in the rank; 0: none
    std::uint32_t open_sessions = 0;             ///< which alone kept MPI going
    replay::CodePlace session;                   ///< where the first of them was made
    std::vector<replay::CodePlace> crash_stack;  ///< of the crash, or of a call of exit() before its time
    replay::CodePlace main_function;             ///< of an exit: where main begins, as far as known
    WayOutOfMain way_out_of_main;                ///< where main has returned, if it was followed
    std::optional<int> exit_status;              ///< that the program gave to exit() or returned from main
    bool loaded = false;                         ///< the layer was there
    bool beginning = false;                      ///< MPI_Init has been called
    bool started = false;                        ///< MPI_Init has returned
    bool finalizing = false;                     ///< MPI_Finalize has been called
    bool finalized = false;                      ///< MPI_Finalize has returned
    bool forced_pending = false;                 ///< a receive under a decision has not met its message
    /// What it was doing when the run ended; only where something went wrong, and none where nothing is known of it.
    std::optional<replay::RankSituation> situation;
    replay::CodePlace blocked_in;  ///< the call that it was blocked in
    /// By Wait::made_at of what it waits for, where that is not the call that it was blocked in.
    std::map<std::uint64_t, replay::CodePlace> made_at;
};

/// Ranks whose parts in one collective of a communicator contradict each other.
struct CollectiveMismatch {
    replay::Violation violation;
    replay::CommId comm = 0;
    transport::Difference difference = transport::Difference::none;
    std::set<replay::CommId> starts = {};  ///< where the starts of such persistent collectives do not match, either

    [[nodiscard]] bool is_on(replay::CommId where) const { return where == comm || starts.contains(where); }
};

/// For texts: its name, or words that say that it has none.
[[nodiscard]] std::string communicator_name(const std::map<replay::CommId, std::string>& names, replay::CommId comm);

/// Who has entered which collective in the order of collective_order.hpp.
struct EnteredOutOfOrder {
    OrderStep step;
    replay::RankSituation entered;
};

/// What was seen of the processes.
struct SeenFromOutside {
    std::vector<launch::RankEnd> ends;  ///< running: was ended by us; taken: by its launcher
    std::vector<bool> may_have_begun;   ///< by rank: an MPI library may have been initialised in it
    std::vector<launch::AbortRequest> aborts;
    RunEnding ending;
    std::vector<std::vector<replay::CodePlace>> stacks;  ///< by rank: call stacks that were read from outside
    std::filesystem::path stderr_file;        ///< what the ranks wrote; the MPI library explains itself there
    std::vector<SanitizersWords> sanitizers;  ///< by rank; none where the program has none
    bool late_start = false;                  ///< the layer comes to a rank with its first call of MPI, if there is one
    bool message_leaks = true;
    std::vector<int> good_exits = {};              ///< statuses other than 0 with which ranks may end
    std::vector<std::string> wrappers = {};        ///< functions that only pass on (users_place.hpp)
    bool finds_wrappers = false;                   ///< and more of them, in the stacks of all calls
    std::vector<replay::Decision> decisions = {};  ///< that were forced on the run
    bool stopped = false;                          ///< the user wants no more: it will be run again
    bool merged = false;                           ///< all is well, and what follows another run shows

    /// All ranks came to an end that nobody has to explain.
    [[nodiscard]] bool all_well() const;
};

/// What was decided and has not come (open_decisions.hpp).
struct OpenDecisions {
    /// Where the first decision was not carried out whose operation was issued. An operation in which its rank has
    /// ended counts as carried out: what had been decided came, and was an error.
    std::optional<replay::RankSituation> first = {};
    /// A rank has died while others still polled, or waited for any of several requests, for what was decided. That
    /// says nothing against the run up to there, and what they would have done is not known.
    bool cut_off = false;
};

struct RunFacts {
    SeenFromOutside seen;
    clocks::Protocol protocol = clocks::Protocol::vector;
    std::vector<RankFacts> ranks;
    replay::AllNotModelled not_modelled;
    std::map<replay::CommId, std::string> communicators;  ///< names
    std::vector<std::vector<replay::CodePlace>> stacks;   ///< RunRecord::stacks
    OpenDecisions open_decisions;
    /// Those that ranks have noticed, and those in collectives that ranks are stuck in.
    std::vector<CollectiveMismatch> mismatches;
    /// Of runs whose ranks have all finalized: communicators in which some ranks entered more collectives than others,
    /// and messages that nobody has received.
    std::vector<replay::Violation> uneven_collectives;
    std::vector<replay::Violation> unreceived;
    // of a deadlock
    std::vector<replay::UnmatchedOperation> unmatched;
    std::vector<EnteredOutOfOrder> collective_order;  ///< empty: that is not its cause

    [[nodiscard]] std::string communicator_name(replay::CommId comm) const;
};

}  // namespace dampi::scheduler
