// Makes a run's record from what its ranks left: epochs with their potential matches (also
// those from messages that were never received) and completions, violations, divergences, and what was not
// modelled. Believes nothing that a rank wrote without checking it.
#pragma once

#include "clocks/late_messages.hpp"
#include "launch/program/source_lines.hpp"
#include "replay/run_record.hpp"
#include "scheduler/judgement/kept_epochs.hpp"
#include "scheduler/judgement/message_types.hpp"
#include "scheduler/judgement/run_facts.hpp"
#include "scheduler/judgement/window_races.hpp"
#include "transport/collective_mismatch.hpp"
#include "transport/log.hpp"
#include "transport/run_view.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dampi::scheduler {

/// A send of the ready mode whose receive was not surely posted when it was called.
struct UnsureReadySend {
    base::Rank source = 0;
    base::Rank destination = 0;
    replay::CommId comm = 0;
    base::Tag tag = 0;
    std::uint64_t site = 0;  ///< of the send

    auto operator<=>(const UnsureReadySend&) const = default;
};

/// One collective: a communicator and the number of its collectives before.
using CollectivePosition = std::pair<replay::CommId, std::uint64_t>;

class RecordReader {
public:
    /// A rank's part in a collective.
    struct Part {
        base::Rank rank = 0;
        transport::Contribution contribution;
    };

    /// At most so many units of epochs are kept (kept_epochs.hpp); RankFacts::omitted says where they end.
    RecordReader(const transport::RunView& run, launch::SourceLines& lines, std::uint64_t most_units = most_kept_units)
        : run_(run), lines_(lines), most_units_(most_units) {}

    /// Reads all ranks; call when no rank runs any more (or all are in their epilogue). False when it was told to stop:
    /// then it has left off, unless there was little to read, and what is there says nothing.
    bool read(const std::stop_token& stop = {});

    [[nodiscard]] std::vector<RankFacts>& ranks() { return ranks_; }
    [[nodiscard]] clocks::Protocol protocol() const { return run_.protocol(); }
    [[nodiscard]] replay::AllNotModelled not_modelled();
    [[nodiscard]] const std::map<replay::CommId, std::string>& communicators() const { return communicators_; }
    /// Whether a message that fits such a receive of the rank was sent and is not known to have been received.
    [[nodiscard]] bool has_open_message(const base::ReceiveSpec& spec, base::Rank receiver) const;
    /// Call stacks of epochs, each once; EpochContext::stack are places in it.
    [[nodiscard]] const std::vector<std::vector<replay::CodePlace>>& stacks() const { return stacks_; }
    /// All that ranks have logged, not more than some thousands. Takes a while.
    [[nodiscard]] std::vector<std::vector<replay::CodePlace>> logged_call_stacks();

    /// Makes violations of their sender's of them, one for each place.
    void add(const std::vector<UnsureReadySend>& sends);
    /// Makes a violation of the receiver's where they disagree, one for each pair of calls.
    void add(const ReceivedData& received);
    /// Likewise one that is foreseen: `outcome` is a potential match of that rank's epoch, of which `received` tells.
    void foresee(const replay::EpochId& epoch, const replay::Outcome& outcome, const ReceivedData& received);
    /// Two parts that contradict each other, of the lower rank first. `of_starts`: of persistent collectives, which
    /// have been compared when they were made.
    void add(const CollectivePosition& position, const Part& one, const Part& other, bool of_starts = false) {
        (of_starts ? noticed_starts_ : noticed_).try_emplace(position, one, other);
    }

    /// Those that ranks have noticed, and those in collectives that ranks are stuck in. One for each pair of calls.
    /// Names the lowest rank that has entered the collective, and the lowest that contradicts it.
    [[nodiscard]] std::vector<CollectiveMismatch> collective_mismatches(const std::set<CollectivePosition>& stuck_in);
    /// Messages that nobody has received, then receives that have met no message, sorted by rank. A receive and a
    /// message that fit each other are partners although the receiver had no occasion to notice; they are left out.
    [[nodiscard]] std::vector<replay::UnmatchedOperation> unmatched_operations();

    /// For runs that reached their end: communicators in which some ranks entered more collectives than others.
    [[nodiscard]] std::vector<replay::Violation> uneven_collectives();

    /// What the rank was doing when the run ended: in MPI, what it has written down or, without arguments, its last
    /// call; outside MPI the last call before. `stack` is what was read from outside, if that was necessary. None for a
    /// rank of which nothing is known.
    [[nodiscard]] std::optional<replay::RankSituation> situation(base::Rank rank,
                                                                 const std::vector<replay::CodePlace>& stack = {});
    /// How a rank came into a collective: the call that entered it. Nothing when that is not known any more.
    [[nodiscard]] std::optional<replay::RankSituation> entering(base::Rank rank, const CollectivePosition& position);

    /// The place in stacks() of a call stack that the rank has logged under this number.
    [[nodiscard]] std::optional<std::uint32_t> stack(base::Rank rank, std::uint32_t number);

    /// The place of an address in a rank's program.
    replay::CodePlace place(base::Rank rank, std::uint64_t address);
    /// The place in stacks() of the call stack that belongs to it; none where none is known.
    [[nodiscard]] std::optional<std::uint32_t> stack_of_place(base::Rank rank, std::uint64_t address);

    /// The call stack that belongs to it, as a Violation has it; empty where none is known.
    [[nodiscard]] std::vector<replay::CodePlace> stack_at(base::Rank rank, std::uint64_t address);
    [[nodiscard]] std::string communicator_name(replay::CommId comm) const;
    /// What is read.
    [[nodiscard]] const transport::RunView& run() const { return run_; }

private:
    struct Module {
        std::uint64_t low = 0, high = 0, bias = 0;
        std::string path;
    };

    struct LoggedStack {
        std::vector<std::uint64_t> frames;
        std::optional<std::uint32_t> place;  ///< in stacks_, once it is known that an epoch has it
    };

    /// What a receive asks for, and where.
    struct AskedData {
        transport::TypedData data;
        std::uint64_t site = 0;
    };

    using RequestPlace = std::pair<std::uint32_t, std::uint32_t>;

    /// What the analysis needs of a rank's log beside the epochs themselves.
    struct Recorded {
        std::unordered_map<base::PostingOrder, clocks::RecordedReceive> receives;
        std::vector<clocks::LateMessage> messages;
        /// By epoch, then number of the call in a stretch: the posting order of a receive or probe.
        std::vector<std::vector<base::PostingOrder>> orders;
        std::vector<std::uint32_t> false_answers;  ///< by epoch
        std::vector<std::uint32_t> released;       ///< by epoch: replay::Outcome::released
        /// By choice, then number of the call in a stretch and position: the receive, or what is known by whoever knows
        /// of the completion.
        std::vector<std::map<RequestPlace, base::PostingOrder>> candidates;
        std::vector<std::map<RequestPlace, clocks::Clock>> completable;
        std::vector<std::map<std::uint32_t, std::uint32_t>> asks_for_all;  ///< requests, by number of the call
        std::vector<std::uint64_t> operations;                             ///< by epoch: EpochPostedRecord::operation
        std::vector<transport::ThreadTurnRecord> turns;
        std::uint64_t units = 0;  ///< that are kept
        std::uint64_t room = 0;   ///< and may be
        /// By source and communicator: the first late message that is not kept.
        std::map<std::pair<base::Rank, base::CommId>, std::uint64_t> dropped;
        std::vector<AskedData> asked;                ///< by epoch: what a receive asks for
        std::map<base::MessageName, SentData> sent;  ///< of those of `messages` that keep() has kept

        void drop(const base::MessageName& message);
        /// Of one of `messages`, if there is anything to compare.
        void keep(const base::MessageName& message, const SentData& data);
    };
    class LogInterpreter;

    /// As two ranks saw it: what one of them noticed.
    using Parts = std::pair<Part, Part>;

    /// Records name addresses of modules that may be logged after them. Returns the units of what else there is.
    std::uint64_t read_places(base::Rank rank);
    void read_log(base::Rank rank, const std::stop_token& stop);
    /// Counts a record that is read; whether reading is to be left off.
    bool leaves_off(const std::stop_token& stop);
    /// Epoch::threads of the rank's epochs.
    void order_threads(base::Rank rank);
    /// Appends the functions that lie one in the other at the address, innermost first.
    void add_functions(base::Rank rank, std::uint64_t address, std::vector<replay::CodePlace>& stack);
    /// What the program was doing, by the addresses of a call stack.
    std::vector<replay::CodePlace> resolved(base::Rank rank, const std::vector<std::uint64_t>& frames);
    /// LoggedStack::place.
    std::uint32_t place_of(LoggedStack& stack, base::Rank rank);
    /// Of a place with a stack, innermost first; empty for others.
    [[nodiscard]] const std::vector<std::uint64_t>& frames_at(base::Rank rank, std::uint64_t address) const;
    /// The place in stacks_ of a call stack of the rank.
    std::uint32_t add_stack(base::Rank rank, const std::vector<std::uint64_t>& frames);
    /// What the rank has written instead of a stack, where its main has returned and was followed.
    void add_way_out_of_main(base::Rank rank, const transport::RankRemains& remains);
    /// A rank that died between polling calls had given up polling.
    void add_last_poll(base::Rank rank, const transport::RankRemains& remains);
    /// Messages that were never received, and the receives that were still pending.
    void add_leftovers(base::Rank rank);
    /// The pair to name for a collective in which ranks contradict each other; nothing if none are seen to.
    [[nodiscard]] std::optional<Parts> contradicting(const CollectivePosition& position) const;
    [[nodiscard]] CollectiveMismatch describe(const CollectivePosition& position, const Parts& parts);
    [[nodiscard]] replay::RankSituation situation(const Part& part);
    /// Makes violations of what was noted of windows, of races one for each pair of places.
    void add_races();
    [[nodiscard]] std::optional<replay::Violation> type_violation(const ReceivedData& received);
    /// Potential matches and completions of the rank's epochs.
    void analyse(base::Rank rank);

    const transport::RunView& run_;
    launch::SourceLines& lines_;
    std::uint64_t most_units_;
    std::uint64_t records_ = 0;  ///< read
    std::vector<RankFacts> ranks_;
    std::vector<std::vector<replay::CodePlace>> script_places_;  ///< by rank and number
    std::vector<std::vector<Module>> modules_;
    std::vector<Recorded> recorded_;
    std::vector<std::vector<LoggedStack>> logged_stacks_;  ///< by rank and StackRecord::number
    /// Turns of threads that the epochs may still say: each says all before it, so they would be too many in long runs.
    std::size_t turns_left_ = std::size_t{1} << 20;
    std::map<replay::CommId, std::string> communicators_;
    std::map<replay::CommId, std::set<base::Rank>> members_;  ///< where known
    std::map<CollectivePosition, Parts> noticed_;
    std::map<CollectivePosition, Parts> noticed_starts_;  ///< likewise, of persistent collectives
    std::vector<UnsureReadySend> unsure_;
    std::vector<WindowRace> races_;
    replay::AllNotModelled possible_races_;  ///< by replay::possible_race_between()
    std::vector<ReceivedData> received_;
    MessageTypes types_;
    std::set<std::tuple<base::Rank, std::uint64_t, base::Rank, std::uint64_t>> differing_calls_;
    std::vector<std::vector<replay::CodePlace>> stacks_;
    /// By what makes two stacks equal in all ranks and runs: modules and the places in them.
    std::map<std::vector<std::pair<std::string, std::uint64_t>>, std::uint32_t> known_stacks_;
};

}  // namespace dampi::scheduler
