// The MPI of the centralized engine: what all ranks have posted, and what matches what. A pure state machine, fed with
// the ranks' calls in the order of each rank; it answers those at which ranks wait. It is a value: a copy goes on for
// itself.
//
// Matches that MPI's rules leave no choice about are made at once: receives of a named source, collectives. Choices
// (a wildcard's message, what a wait for any reports, whether a poll answers "nothing yet") are made only when the
// caller says so, when all ranks stand at fences: each waits, or has ended (the POE algorithm of ISP). So a rank has
// posted all that it can when something is chosen. Decisions are obeyed as in the distributed engine; the clocks say
// afterwards what else could have been (rank_record.hpp), so which choice is made does not matter.
//
// It knows no data, only where they lie; no processes, no files, no MPI. Not thread-safe.
#pragma once

#include "base/digest.hpp"
#include "clocks/buffered_messages.hpp"
#include "clocks/pending_receives.hpp"
#include "replay/buffering.hpp"
#include "replay/run_record.hpp"
#include "scheduler/engines/central/channel.hpp"
#include "scheduler/engines/central/clock_sites.hpp"
#include "scheduler/engines/central/delays.hpp"
#include "scheduler/engines/central/message_stream.hpp"
#include "scheduler/engines/central/open_past.hpp"
#include "scheduler/engines/central/posted_receives.hpp"
#include "scheduler/engines/central/preferences.hpp"
#include "scheduler/engines/central/rank_record.hpp"
#include "scheduler/engines/central/room.hpp"
#include "scheduler/engines/passing_time.hpp"
#include "scheduler/judgement/rank_states.hpp"
#include "scheduler/judgement/record_reader.hpp"
#include "transport/requests/protocol.hpp"
#include "transport/shares.hpp"
#include "transport/words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace dampi::scheduler::central {

struct MachineSettings {
    int processes = 1;
    clocks::Protocol protocol = clocks::Protocol::vector;
    /// Sends in standard mode of at least so many bytes wait for their receive; 0: all of them.
    std::uint64_t waits_from = 0;
    /// Each rank has room for so many bytes of messages in standard mode (replay::Buffering::Kind::bytes); 0: no
    /// matter.
    std::uint64_t room = 0;
    /// MPI_Buffer_detach waits for messages of at least so many bytes; smaller ones leave the attached buffer at once.
    std::uint64_t detach_waits_from = 0;
    bool waits_alone = false;  ///< likewise, whatever their size, on a communicator of one process
    /// Blocking collectives wait for all ranks of their communicator (of an intercommunicator: the remote group), not
    /// only for those that they get data from.
    bool collectives_wait = false;
    clocks::Marks marks{};        ///< which are followed
    bool list_matches = false;    ///< Machine::take_matches()
    std::uint64_t free_seed = 0;  ///< replay::Interleaving::free_seed: choices are made at random; 0: the first ones
    /// What an operation comes to is chosen like that, but not which is next: that follows from the choices before.
    bool oldest_first = false;
    bool delays = false;  ///< likewise, and what comes is late now and then (delays.hpp)
    /// A poll also answers a decided "nothing yet" only when it is let: as much time passes before it as in the run
    /// that the decision is from.
    bool virtual_time = false;
    bool compares_states = false;     ///< open_past(), state()
    std::uint32_t state_without = 0;  ///< bits of StateParts that are left out of states, in tests
    bool keep_courses = false;        ///< courses()
};

/// One rank's part in a collective, for the reports.
struct CollectivePart {
    Rank rank = 0;
    transport::Contribution contribution;
};

/// Two ranks that contradict each other in one collective.
struct NoticedMismatch {
    CommId comm = 0;
    std::uint64_t sequence = 0;
    /// Where they contradict each other only in what one gives the other: these parts alone.
    std::optional<std::pair<CollectivePart, CollectivePart>> shares = std::nullopt;
    bool of_starts = false;  ///< of persistent collectives, which were compared when they were made
};

/// A message that nobody has received.
struct OpenMessage {
    Rank source = 0;
    Rank destination = 0;
    CommId comm = 0;
    Tag tag = 0;
    std::uint64_t number = 0;
    std::uint64_t site = 0;
    bool waited_for = false;  ///< its send completes with its receive
    transport::TypedData data;
};

/// A receive that has met no message.
struct OpenReceive {
    Rank rank = 0;
    base::ReceiveSpec spec;  ///< as the program asked
    Rank forced = base::any_source;
    base::PostingOrder order = 0;
    std::uint64_t site = 0;
};

/// How far a rank has come in the collectives of a communicator.
struct CollectiveCount {
    CommId comm = 0;
    Rank rank = 0;
    std::uint64_t entered = 0;
    std::optional<transport::Contribution> latest;
};

/// A receive or probe has met a message, or a wait or test at which its rank stands has chosen among its requests.
struct MatchedCall {
    Rank rank = 0;
    transport::requests::Operation operation =
        transport::requests::no_operation;     ///< none: the call at which the rank waits
    std::optional<base::MessageName> message;  ///< none: it has chosen
    std::optional<std::uint32_t> epoch;        ///< where that was a choice
    bool withdrawn = false;                    ///< a receive has not met its message after all: it is cancelled
};

class Machine {
public:
    Machine(const MachineSettings& settings, Decisions decisions);

    // ---- What the ranks do. All are false if the call makes no sense (the program has overwritten its memory).

    bool take(Rank rank, const transport::requests::CommunicatorCall& call);
    bool take(Rank rank, const transport::requests::CommunicatorNameCall& call);
    bool take(Rank rank, const transport::requests::CommunicatorFreedCall& call);
    bool take(Rank rank, const transport::requests::SendCall& call);
    bool take(Rank rank, const transport::requests::ReceiveCall& call);
    bool take(Rank rank, const transport::requests::MatchedReceiveCall& call);
    bool take(Rank rank, const transport::requests::ImmediateCall& call);
    bool take(Rank rank, const transport::requests::PairCall& call);
    bool take(Rank rank, const transport::requests::CollectiveCall& call);
    bool take(Rank rank, const transport::requests::CancelCall& call);
    bool take(Rank rank, const transport::requests::FreeCall& call);
    bool take(Rank rank, const transport::requests::AbortCall& call);
    bool take(Rank rank, const transport::requests::WaitCall& call);
    bool take(Rank rank, const transport::requests::ProbeCall& call);
    bool take(Rank rank, const transport::requests::FinalizeCall& call);
    bool take(Rank rank, const transport::requests::DetachCall& call);
    bool take(Rank rank, const transport::requests::RoomCall& call);
    bool take(Rank rank, const transport::requests::SleepCall& call);
    bool take(Rank rank, const transport::requests::UnaskedCall& call);
    bool take(Rank rank, const transport::requests::RepetitionCall& call);
    /// The rank's process is over, or says nothing that makes sense any more.
    void end(Rank rank);

    // ---- What they are told

    struct Reply {
        Rank rank = 0;
        transport::requests::Answer answer;
    };
    /// The answers since the last time.
    [[nodiscard]] std::vector<Reply> take_replies() { return std::exchange(replies_, {}); }

    /// What has matched since the last time; only if the settings want it.
    [[nodiscard]] std::vector<MatchedCall> take_matches() { return std::exchange(matches_, {}); }

    // ---- Choices

    /// Whether all ranks wait, or have ended.
    [[nodiscard]] bool all_at_fences() const;
    [[nodiscard]] bool waits(Rank rank) const;
    [[nodiscard]] bool polls(Rank rank) const;
    /// Another number for each call that the rank has waited in.
    [[nodiscard]] std::uint64_t fence(Rank rank) const { return process(rank).fence_number; }
    /// How often the polls that it repeats have answered "nothing yet".
    [[nodiscard]] std::uint32_t repeated_polls(Rank rank) const {
        return process(rank).polling ? process(rank).polling->false_answers : 0;
    }
    /// In a run with delays: as Delays::pass_time(); nobody can go on but by what is late.
    void note_time_passed(bool on_clocks);
    bool choose_from_late() {
        delays_.end();
        return choose();
    }
    /// How often polls were answered "nothing yet" though what they ask for may be there: something is to be late, so
    /// many such answers are decided, or not all ranks waited, so that nothing was chosen.
    [[nodiscard]] std::uint64_t kept_waiting() const { return kept_waiting_; }
    /// Whether choose() or release_poll() would do something.
    [[nodiscard]] bool may_choose();
    /// Whether there is a choice other than of polls that have been answered "nothing yet" before, which may go on for
    /// ever.
    [[nodiscard]] bool may_choose_anew();
    /// Makes one choice; false if there is none to make.
    bool choose();
    /// Lets one poll answer "nothing yet", the one that has waited longest; false if nobody polls freely.
    bool release_poll();
    /// Lets this rank's poll answer "nothing yet", and up to so many in all unasked; false if it does not poll freely.
    bool release_poll(Rank rank, std::uint32_t calls);
    /// Likewise, though others may go on: no time passes with it. After many times in which what it asks for was there
    /// something is chosen instead.
    bool lose_patience_with_poll(Rank rank);
    /// Whether it is decided that the rank's poll answers "nothing yet", but not before nobody else can go on.
    [[nodiscard]] bool holds_poll(Rank rank) const;
    /// So much virtual time has passed for the rank when it makes the call that is taken next, and a timer of its is
    /// set or not.
    void note_time(Rank rank, transport::VirtualTime passed, bool timer_is_set) {
        process(rank).passed = passed;
        process(rank).timer_is_set = timer_is_set;
    }
    /// Who is let go on when all wait, which the next steps of this run depend on.
    [[nodiscard]] PassingTime& time() { return time_; }
    /// The sleep that the rank is in; null for none.
    [[nodiscard]] const transport::requests::SleepCall* sleep(Rank rank) const {
        return std::get_if<transport::requests::SleepCall>(&process(rank).fence);
    }
    /// Ends that.
    void wake_up(Rank rank);

    // ---- Another run that has come to the same point

    /// Whether a run with these decisions would have come to where this one stands, all ranks at fences, without having
    /// chosen anything: what this one has come to is decided there, all of it and so.
    [[nodiscard]] bool agrees(const std::vector<replay::Decision>& decisions) const;
    /// From here on it is that run. `decisions` agree.
    void decide(Decisions decisions, std::uint64_t free_seed);

    // ---- Polls that are tried out

    /// The rank finds out whether it repeats its polling call.
    [[nodiscard]] bool is_trying(Rank rank) const { return process(rank).tried.index() != 0; }

    /// The polling calls, of those that were tried out, after which the program looked at a clock each time.
    [[nodiscard]] ClockSites::Sites clock_sites() const;
    /// These are not tried again: the program would do so, and nothing could be proven. Null: none.
    void know_clock_sites(std::shared_ptr<const ClockSites::Sites> sites) { clock_sites_ = std::move(sites); }

    // ---- States in which runs meet (docs/architecture/equal-states.md)

    /// What bears on a rank's future and is not in here.
    struct OwnState {
        base::Digest digest;
        transport::requests::Operation last_operation = transport::requests::no_operation;
    };
    /// What data is there, of so many bytes.
    using Contents = std::function<base::Digest(transport::requests::Place, std::uint64_t bytes)>;
    /// All that is decided has come.
    [[nodiscard]] bool has_met_decisions();
    /// All operations of ranks that live of which something is decided have been called.
    [[nodiscard]] bool has_come_to_decisions() const;
    /// While all ranks stand at fences: for which outcomes that there are alternatives may still come, since something
    /// is to happen that does not know of them. Nothing where that is more than can be said. To be asked of machines
    /// with MachineSettings::compares_states.
    [[nodiscard]] std::optional<OpenPast> open_past();
    /// So many outcomes open_past() has to look at: others it never has to again, once it was asked.
    [[nodiscard]] std::size_t candidates() const { return candidates_; }
    /// About how often open_past() would ask of something whether it knows of an outcome.
    [[nodiscard]] std::uint64_t looks_for_open_past() const;
    /// While all ranks stand at fences: all that bears on what can still happen, without how it came about. Nothing
    /// where that is more than can be said.
    [[nodiscard]] std::optional<base::Digest> state(const std::vector<OwnState>& ranks, const Contents& contents) const;
    /// Of all epochs that open_past() could have named; nothing where there were too many.
    [[nodiscard]] std::optional<std::vector<replay::SentUnaware>> unaware() const;
    /// So many epochs have come to their outcome.
    [[nodiscard]] std::uint32_t settled() const { return settled_; }
    /// Of these so many of polling calls, which have answered something else than "nothing yet".
    [[nodiscard]] std::uint64_t successful_polls() const { return successful_polls_; }
    /// Of each rank when the run is over.
    [[nodiscard]] std::vector<replay::RankCourse> courses() const;

    // ---- What there is to say of it

    /// What each rank waits for; `alive` and what the processes themselves tell is left to the caller.
    [[nodiscard]] std::vector<RankState> states() const;
    [[nodiscard]] bool finalized(Rank rank) const { return process(rank).finalized; }
    [[nodiscard]] bool finalizing(Rank rank) const;
    /// Changes with each message sent or received and each collective entered by the rank.
    [[nodiscard]] std::uint64_t traffic(Rank rank) const { return process(rank).traffic; }
    [[nodiscard]] std::uint64_t false_answers(Rank rank) const { return process(rank).false_answers; }
    [[nodiscard]] const RankRecord& record(Rank rank) const { return process(rank).record; }
    [[nodiscard]] bool imprecise(Rank rank) const { return process(rank).imprecise; }
    [[nodiscard]] std::uint64_t raced_cancels() const { return raced_cancels_; }
    [[nodiscard]] const std::vector<UnsureReadySend>& unsure_ready_sends() const { return unsure_; }
    /// Messages and the receives that have taken them, where their data may not agree: as many as most_differences,
    /// each pair of calls and data once.
    [[nodiscard]] const std::set<ReceivedData>& differing_types() const { return differing_types_; }
    /// Sends of the buffered or ready mode of which it is not known whether they are right.
    [[nodiscard]] std::uint64_t unjudged_sends() const { return unjudged_sends_; }
    /// Requests that were freed while a choice could still have reported them later.
    [[nodiscard]] std::uint64_t freed_choices() const { return freed_choices_; }
    /// After finish(): sends that other receives could have made room for than those that count as having done so, from
    /// which more may follow than is known.
    [[nodiscard]] std::uint64_t other_room() const { return other_room_; }
    [[nodiscard]] const std::vector<NoticedMismatch>& mismatches() const { return mismatches_; }
    [[nodiscard]] std::vector<OpenMessage> open_messages() const;
    [[nodiscard]] std::vector<OpenReceive> open_receives() const;
    /// Whether a call waits for something that is decided and has not come.
    [[nodiscard]] bool waits_for_decision() const;
    /// What is recorded of all ranks, in units of kept_epochs.hpp.
    [[nodiscard]] std::uint64_t units() const;
    [[nodiscard]] std::vector<CollectiveCount> collective_counts() const;
    /// The parts of those who have entered a collective, as far as they are kept: while somebody is in it, or where
    /// they contradict each other.
    [[nodiscard]] std::vector<CollectivePart> parts(CommId comm, std::uint64_t sequence) const;
    [[nodiscard]] const std::vector<Rank>* members(CommId comm) const;
    /// Both groups of an intercommunicator; sorted.
    [[nodiscard]] std::vector<Rank> everyone(CommId comm) const;
    /// Whether nobody else is in it.
    [[nodiscard]] bool alone(CommId comm) const;
    /// What the program of rank `from` calls that rank on the communicator; any_source for one that is no peer there.
    [[nodiscard]] int peer_rank(CommId comm, Rank from, Rank peer) const;

    /// At the end of the run, once: what each rank's epochs came to. Nothing else may be done with the machine then.
    [[nodiscard]] std::vector<std::vector<RecordedEpoch>> finish();

private:
    using Operation = transport::requests::Operation;
    using MessageIndex = MessageStream::Index;
    using MessageFacts = clocks::MessageFacts;
    static constexpr MessageIndex no_message = ~MessageIndex{0};

    /// A request among those of a choice.
    struct Candidacy {
        std::uint32_t choice = 0;
        std::uint32_t poll = 0;  ///< of a stretch of polling calls: the number of the call
        std::uint32_t position = 0;
        RoomUses before{};  ///< of a send that takes room: Room::up_to() then
    };

    struct Message {
        Rank source = 0;
        Rank destination = 0;
        CommId comm = 0;
        Tag tag = 0;
        std::uint64_t number = 0;
        clocks::Snapshot clock;
        transport::VirtualTime sent_at = 0;     ///< Process::passed of its sender
        bool waited_for = false;                ///< its sender waits for the receive
        bool ready = false;                     ///< MPI_Rsend
        std::optional<std::uint32_t> buffered;  ///< clocks::IncomingMessage::buffered
        bool keeps_buffer = false;              ///< MPI_Bsend; lies in the attached buffer until it is received
        bool taken = false;                     ///< a receive has matched it
        bool held = false;                      ///< a matched probe has, and its receive has not begun
        clocks::Snapshot acknowledged;          ///< what its sender learns, if it waits for it
        transport::VirtualTime posted_at = 0;   ///< likewise: Receive::posted_at
        RoomUse room = no_room_use;             ///< of its sender
        /// Choices of its sender that could report it once it is received: the request was freed before.
        std::vector<Candidacy> freed_candidacies;
        std::uint64_t bytes = 0;
        transport::requests::Place payload = 0;
        transport::TypedData data;
        std::uint64_t site = 0;
        std::uint64_t made_at = 0;
        std::uint32_t references = 0;
        mutable std::optional<base::Digest> digest;  ///< of all that stays as it is, if it was asked for
    };

    /// A receive or a probe.
    struct Receive {
        clocks::Posted posted;
        Rank asked = base::any_source;  ///< the decided source, or as the program asks
        bool forced = false;
        MessageIndex message = no_message;
        bool resolved = false;  ///< the clocks know of the match
        clocks::Match match;
        transport::TypedData data;  ///< that is asked for
        std::uint64_t site = 0;
        std::uint64_t made_at = 0;
        transport::VirtualTime posted_at = 0;  ///< Process::passed when it was posted
        struct Cancel {
            std::uint32_t choice = 0;
            clocks::Snapshot posted;
        };
        std::optional<Cancel> cancel;  ///< that came too late
    };

    struct Posting {
        enum class Kind : std::uint8_t { send, receive, matched_receive, immediate, collective, pair };
        Kind kind = Kind::immediate;
        bool freed = false;                 ///< nobody will wait for it
        bool told = false;                  ///< the program knows that it is complete (get_status)
        bool cancel_called = false;         ///< MPI_Cancel
        bool cancelled = false;             ///< in time
        MessageIndex message = no_message;  ///< of a send or matched receive
        Receive receive;
        clocks::Snapshot after;                   ///< of a matched receive: what its probe has learned
        RoomUse room = no_room_use;               ///< of a send
        std::optional<clocks::Snapshot> went_on;  ///< of a send with room: what its completion has told
        // Of a pair
        Operation paired_send = transport::requests::no_operation;
        Operation paired_receive = transport::requests::no_operation;
        bool in_pair = false;  ///< this is one of them
        // Of a collective
        CommId comm = 0;
        std::uint64_t sequence = 0;
        bool ready = false;                 ///< all sources have entered
        clocks::Snapshot known;             ///< what they knew
        transport::VirtualTime passed = 0;  ///< for them when they entered
        std::vector<Candidacy> candidacies;
    };

    using Stream = MessageStream;
    using StreamKey = std::pair<CommId, Rank>;

    struct WaitFence {
        transport::requests::WaitCall call;
        std::optional<std::uint32_t> choice;  ///< an epoch
        std::vector<std::uint32_t> decided;   ///< positions that are to be reported; empty: free
        std::size_t complete = 0;             ///< so many of its operations are known to be, from the first on
        bool cannot_be_false = false;         ///< a test of which some operation is surely complete, or no test
    };
    struct ProbeFence {
        transport::requests::ProbeCall call;
        Receive probe;  ///< of a blocking one
        Rank asked = base::any_source;
        bool decided = false;  ///< of a polling one: must see a message of `asked`
    };
    using Fence = std::variant<std::monostate, WaitFence, ProbeFence, transport::requests::FinalizeCall,
                               transport::requests::DetachCall, transport::requests::SleepCall>;

    struct Poll {
        replay::EpochKind kind = replay::EpochKind::test;
        base::ReceiveSpec spec{};             ///< of probes
        std::vector<Operation> operations{};  ///< of the others
        clocks::Posted probe{};               ///< of probes: as it was issued first
    };

    /// Polling calls with nothing between them: one epoch.
    struct Polling {
        std::vector<Poll> polls{};  ///< the different ones
        std::uint32_t current = 0;
        std::uint32_t choice = 0;
        std::uint32_t false_answers = 0;
        std::uint32_t released = 0;           ///< of the false answers: replay::Outcome::released
        std::uint32_t at_once = 0;            ///< the first so many answer "nothing yet", where nothing is decided
        bool settles = false;                 ///< replay::Repetition::settles
        std::vector<std::uint32_t> polled{};  ///< replay::Epoch::polled
        bool timed = false;                   ///< replay::Epoch::timed
        bool held = false;                    ///< it will answer "nothing yet" when it is let
        std::uint32_t unasked = 0;            ///< so many answers it may have given unasked
        bool unasked_released = false;        ///< these count as released ones
        std::uint32_t kept_waiting = 0;       ///< false answers though what is asked for was there: it may be chosen
    };

    struct MatchedMessage {
        MessageIndex message = no_message;
        clocks::Snapshot after;
    };

    struct CancelledReceive {
        base::ReceiveSpec spec;
        base::PostingOrder order = 0;
        std::uint32_t epoch = 0;
        clocks::Snapshot after;
        bool explored = false;  ///< Machine::may_come_otherwise()
    };

    /// An epoch that has come to its outcome, and for which something may still be late.
    struct Candidate {
        replay::EpochId epoch;
        std::optional<base::ReceiveSpec> spec;  ///< none: a choice among requests
        base::PostingOrder order = 0;           ///< of its receive or probe
        std::vector<replay::Sent> sources;      ///< from whom nothing that fits had come, and what they had sent
        /// Which messages would be late for it depends on what receives take that were posted before.
        bool unclear = false;
    };
    class Knowledge;
    class OpenPastReading;

    struct Process {
        Process(Rank rank, const MachineSettings& settings, Decisions decisions)
            : record(rank, settings.protocol, std::move(decisions), settings.marks, room_of(settings)) {}

        /// While it goes on nobody knows yet how much the others will have; a third of all is enough for one.
        static std::uint64_t room_of(const MachineSettings& settings) {
            constexpr int few = 8;
            return most_kept_units / 3 * few / static_cast<std::uint64_t>(std::max(settings.processes, few));
        }

        RankRecord record;
        std::unordered_map<Operation, Posting> postings;
        PostedReceives posted;                       ///< without a message
        clocks::PendingReceives<Operation> pending;  ///< receives that the clocks do not know to have matched
        std::vector<Operation> met;                  ///< those of them that have met a message; and some that are over
        std::map<StreamKey, Stream> unexpected;
        std::map<std::pair<CommId, Rank>, std::uint64_t> sent;
        // Where states are compared
        std::map<std::tuple<CommId, Rank, Tag>, std::uint64_t> sent_with_tag{};
        std::vector<Candidate> candidates{};
        std::map<CommId, std::string> communicator_names;
        std::map<std::uint64_t, MatchedMessage> matched;
        std::uint64_t next_matched = 1;
        std::vector<transport::requests::Completion> freed;  ///< to be told with the next answer
        std::vector<Operation> freed_matched;  ///< receives whose requests were freed, and that the clocks do not know
        std::vector<CancelledReceive> cancelled;
        std::size_t forced_open = 0;        ///< receives that wait for the message of a decision
        std::size_t unacknowledged = 0;     ///< messages matched here whose senders wait to hear what the receive knew
        std::uint64_t buffered = 0;         ///< own messages that lie in the attached buffer
        clocks::BufferedMessages attached;  ///< those of them that may not have been received
        Room room;
        Fence fence;
        std::uint64_t fence_number = 0;           ///< counts all fences of the run: who waits longest
        std::uint32_t waits = 0;                  ///< its own fences up to now
        std::vector<std::uint32_t> told{};        ///< replay::RankCourse::told
        std::optional<base::Digest> end_state{};  ///< replay::RankCourse::end
        std::optional<Polling> polling;
        /// A polling call that is taken when the rank has tried out whether it repeats it.
        std::variant<std::monostate, transport::requests::WaitCall, transport::requests::ProbeCall> tried;
        std::uint64_t traffic = 0;
        transport::VirtualTime passed = 0;   ///< how much virtual time has passed for it, as far as it has called
        bool timer_is_set = false;           ///< it may go off while the rank polls
        transport::VirtualTime learned = 0;  ///< for those whose acts it is to be told of with its next answer
        std::uint64_t false_answers = 0;
        bool imprecise = false;  ///< a receive was to be cancelled, but had matched
        bool ended = false;
        bool finalized = false;
    };

    struct Entered {
        bool here = false;
        transport::Contribution contribution;
        clocks::Snapshot clock;
        transport::VirtualTime entered_at = 0;  ///< Process::passed
        std::uint64_t bytes = 0;
        transport::requests::Place payload = 0;
        Operation operation = transport::requests::no_operation;
        transport::requests::Sources sources = transport::requests::Sources::none;
        std::vector<Rank> listed;
        transport::Shares given;
        transport::Shares asked;
        bool leader = false;
        Tag tag = 0;
        std::uint64_t made_at = 0;
        bool told = false;  ///< it has left
    };
    /// One collective of a communicator.
    struct Round {
        std::vector<Entered> entered;  ///< by Group::index
        std::size_t here = 0;
        std::size_t told = 0;
        bool broken = false;  ///< different operations or roots: nobody comes out of it
    };
    struct Group {
        bool inter = false;
        std::vector<Rank> members;
        std::vector<Rank> remote;
        std::unordered_map<Rank, std::size_t> index;  ///< members, then remote
        std::deque<Round> rounds;
        std::uint64_t first_round = 0;        ///< the number of the first in `rounds`
        std::map<std::uint64_t, Round> kept;  ///< those with contradictions that are over
        std::vector<std::uint64_t> count;     ///< collectives entered, by index
        std::vector<std::optional<transport::Contribution>> latest;
        std::vector<bool> freed;  ///< by index: the rank has freed it

        [[nodiscard]] std::size_t size() const { return members.size() + remote.size(); }
        [[nodiscard]] Rank rank(std::size_t i) const {
            return i < members.size() ? members[i] : remote[i - members.size()];
        }
    };

    /// One thing that may be chosen.
    struct Option {
        Rank rank = 0;
        Operation receive = transport::requests::no_operation;  ///< a wildcard; no_operation: the fence
        MessageIndex message = no_message;                      ///< for a receive or probe
    };

    [[nodiscard]] Process& process(Rank rank) { return processes_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] const Process& process(Rank rank) const { return processes_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] bool is_rank(Rank rank) const { return rank >= 0 && rank < static_cast<Rank>(processes_.size()); }
    [[nodiscard]] bool may_call(Rank rank) const;
    [[nodiscard]] const std::string& communicator_name(const Process& own, CommId comm) const;
    Group* group(CommId comm);
    [[nodiscard]] bool in(CommId comm, Rank rank) const;
    Posting* add(Rank rank, Operation operation, Posting::Kind kind);
    MessageIndex add_message(Message message);
    void release_message(MessageIndex index);
    [[nodiscard]] bool in_use(CommId comm) const;
    void forget(CommId comm);

    // Matching
    [[nodiscard]] static base::ReceiveSpec asked(const Receive& receive);
    [[nodiscard]] Stream* stream(Process& own, CommId comm, Rank source);
    [[nodiscard]] MessageIndex first_fitting(Process& own, const base::ReceiveSpec& spec, Rank source);
    [[nodiscard]] static Operation first_posted(const Process& own, const Message& message);
    [[nodiscard]] MessageIndex matchable(Process& own, const base::ReceiveSpec& spec, Rank source, Operation receive);
    void match_named(Rank rank);
    void try_match(Rank rank, Operation operation);
    void match(Rank rank, Operation operation, MessageIndex message);
    void take_from_stream(Process& own, MessageIndex index);
    void keep_met(Process& own, Operation operation);
    void forget_resolved(Process& own);
    void notice(Rank rank);
    void finish_freed(Rank rank);

    // Clocks
    [[nodiscard]] std::optional<MessageFacts> taken(const Receive& receive) const;
    [[nodiscard]] bool resolvable(const Process& own, const Receive& receive) const;
    [[nodiscard]] bool resolvable(const Process& own, base::PostingOrder order, const base::ReceiveSpec& spec,
                                  const MessageFacts& facts) const;
    [[nodiscard]] bool can_be_seen(const Process& own, const ProbeFence& fence, MessageIndex index) const;
    void resolve(Rank rank, Receive& receive, bool learned, bool takes);
    void check_ready(Rank rank, const Receive& receive, const Message& message);
    [[nodiscard]] static bool types_may_differ(const Message& message, const transport::TypedData& data);
    void compare_types(Rank rank, const Message& message, const transport::TypedData& data, std::uint64_t site);
    [[nodiscard]] static SentData sent_data(const Message& message) {
        return {.source = message.source,
                .comm = message.comm,
                .tag = message.tag,
                .data = message.data,
                .site = message.site};
    }
    [[nodiscard]] clocks::Snapshot acknowledged_by(Rank rank, const Receive& receive) const;
    void acknowledge(Message& message, const clocks::Snapshot& known, transport::VirtualTime posted_at);
    [[nodiscard]] clocks::Snapshot told(Process& own, const Posting& posting) const;
    [[nodiscard]] transport::VirtualTime passed_for_others(const Process& own, const Posting& posting) const;
    void settle(Rank rank, Posting& posting, bool learned);
    static void add_candidacy(Process& own, Posting& posting, Candidacy candidacy);
    [[nodiscard]] clocks::Snapshot known_of(Process& own, const Posting& posting, const Candidacy& candidacy);
    void conclude(Process& own, Posting& posting);
    [[nodiscard]] bool may_come_otherwise(const Process& own, const Receive& receive) const;
    void withdraw(Rank rank, Operation operation);
    void meet_cancelled(Rank rank, const Message& message);
    void check_cancelled(Process& own, const clocks::IncomingMessage& message, base::PostingOrder taken_by);

    // Completion
    [[nodiscard]] bool complete(const Process& own, const Posting& posting) const;
    [[nodiscard]] bool surely_complete(const Process& own, const Posting& posting) const;
    [[nodiscard]] Posting* find(Process& own, Operation operation);
    [[nodiscard]] transport::requests::Completion completion(Rank rank, Operation operation, Posting& posting,
                                                             std::uint32_t position);
    void erase(Process& own, Operation operation);
    void add_candidacies(Process& own, const WaitFence& fence, std::uint32_t choice, std::uint32_t poll = 0);

    // Fences
    void begin_fence(Process& own) {
        own.fence_number = ++fences_;
        ++own.waits;
    }
    void reply(Rank rank, transport::requests::Answer answer);
    void look(Rank rank);
    void look_at_wait(Rank rank, WaitFence& fence);
    void look_at_probe(Rank rank, ProbeFence& fence);
    /// A stretch begins with it of which it is not decided how it ends.
    [[nodiscard]] static bool is_worth_trying(const Process& own, const transport::requests::PollingTurn& turn);
    [[nodiscard]] bool looks_at_clock(Rank rank, const transport::requests::Situation& situation) const;
    /// One that is worth it; false: it is taken as it is.
    template <typename Call>
    bool have_it_tried(Rank rank, const Call& call);
    void answer_freely(Rank rank, bool released, std::uint32_t unasked);
    void answer_nothing_yet(Rank rank, const replay::AnswerInTime& in_time = {}, std::uint32_t unasked = 0);
    void report(Rank rank, const std::vector<std::uint32_t>& places);
    void answer_probe(Rank rank, MessageIndex message);
    void give_up_polling(Rank rank, const std::string& function, std::uint64_t site);
    /// Takes the turn of a polling call; false where it makes no sense.
    [[nodiscard]] bool take_turn(Rank rank, const transport::requests::PollingTurn& turn, Poll poll,
                                 const transport::requests::Situation& situation, const std::string& communicator);
    /// The stretch is over: its record, but for what its current call has come to.
    void end_stretch(Process& own);
    /// Messages can be late for the other calls of the stretch, too.
    static void note_unanswered(Process& own, const Polling& polling, const clocks::Match& match);
    [[nodiscard]] bool follow_polling_decision(Rank rank, const transport::requests::Situation& situation,
                                               bool& decided, bool& waits);
    [[nodiscard]] std::vector<std::uint32_t> complete_places(Process& own, const WaitFence& fence);
    [[nodiscard]] bool makes_sense(const WaitFence& fence, replay::EpochKind kind,
                                   const std::vector<std::uint32_t>& decided) const;
    [[nodiscard]] bool polls_freely(const Process& own) const;

    // Collectives
    /// Of two that have entered: what they contradict each other in, where one gives the other something else than it
    /// asks for.
    static std::optional<std::pair<CollectivePart, CollectivePart>> differing_shares(Rank rank, const Entered& entered,
                                                                                     Rank other,
                                                                                     const Entered& other_entered);
    void enter(Rank rank, Group& group, const transport::requests::CollectiveCall& call, std::uint64_t sequence);
    void look_at_round(CommId comm, Group& group, std::uint64_t sequence);
    [[nodiscard]] std::vector<std::size_t> sources_of(const Group& group, std::size_t index,
                                                      const Entered& entered) const;
    /// Those for which it waits.
    [[nodiscard]] std::vector<std::size_t> awaited_by(const Group& group, std::size_t index,
                                                      const Entered& entered) const;
    void leave(CommId comm, std::uint64_t sequence, Rank rank);
    Round* round(Group& group, std::uint64_t sequence);
    [[nodiscard]] const Round* round(const Group& group, std::uint64_t sequence) const;

    // Another run
    [[nodiscard]] std::optional<replay::Outcome> outcome(const Process& own, const RecordedEpoch& recorded) const;
    [[nodiscard]] const Receive* open_receive(const Process& own, std::uint32_t epoch) const;
    [[nodiscard]] bool may_decide(const Process& own, const replay::Epoch& epoch,
                                  const replay::Decision& decision) const;

    // States
    /// `probe`: the receive or probe that has met `message`; null: a choice among requests.
    void note_settled(Rank rank, std::uint32_t epoch, const Receive* probe, MessageIndex message);
    void note_told(Rank rank, std::uint32_t epoch);
    void note_unaware(const Message& message);
    [[nodiscard]] bool can_be_compared() const;
    [[nodiscard]] Candidate candidate(Rank rank, std::uint32_t epoch, const Receive& receive,
                                      MessageIndex message) const;
    [[nodiscard]] std::vector<Operation> rivals(const Candidate& candidate) const;
    [[nodiscard]] std::vector<Rank> possible_sources(CommId comm, Rank rank) const;
    [[nodiscard]] std::uint64_t sent_so_far(Rank source, Rank destination, const base::ReceiveSpec& spec) const;
    class StateWords;

    // Choices
    void add_options(Rank rank, std::vector<Option>& found);
    [[nodiscard]] std::vector<Option> options();
    void keep_one_operation(std::vector<Option>& options) const;
    [[nodiscard]] bool is_choice(const ProbeFence& probe) const;
    [[nodiscard]] Channel channel_of(const Option& option) const;
    [[nodiscard]] Channel channel_of(Rank rank, Operation operation) const;
    [[nodiscard]] std::size_t pick(const std::vector<Option>& options);
    [[nodiscard]] std::vector<std::uint32_t> pick_places(Rank rank, const WaitFence& fence);
    void plan_chance();
    void leave_out_late(std::vector<Option>& found);
    [[nodiscard]] std::uint64_t random();

    void look_at_finalize();
    [[nodiscard]] bool may_be_taken(const Message& message) const;
    void add_waits(const Process& own, const Posting& posting, bool any, RankState& state) const;

    MachineSettings settings_;
    Decisions decisions_;
    std::vector<Process> processes_;
    std::vector<Message> messages_;
    std::vector<MessageIndex> free_messages_;
    std::unordered_map<CommId, Group> groups_;
    std::vector<Reply> replies_;
    std::vector<NoticedMismatch> mismatches_;
    std::vector<MatchedCall> matches_;
    std::uint64_t fences_ = 0;
    std::uint32_t settled_ = 0;
    std::uint64_t successful_polls_ = 0;
    std::uint64_t kept_waiting_ = 0;
    std::size_t candidates_ = 0;    ///< Process::candidates of all
    bool lost_candidates_ = false;  ///< there were more than are kept
    /// By epoch and source: what was sent without knowing of it.
    std::map<std::pair<replay::EpochId, Rank>, std::uint64_t> unaware_;
    bool has_met_decisions_ = false;
    /// Something has happened whose judgement depends on more than the state: no other run may end in one of this run.
    bool history_counts_ = false;
    std::map<ClockSites::Site, bool> tried_sites_;  ///< of polling calls: whether the program always looked at a clock
    std::shared_ptr<const ClockSites::Sites> clock_sites_;
    std::uint64_t raced_cancels_ = 0;
    std::uint64_t unjudged_sends_ = 0;
    std::vector<UnsureReadySend> unsure_;
    std::set<ReceivedData> differing_types_;
    std::uint64_t other_room_ = 0;
    std::uint64_t freed_choices_ = 0;
    std::uint64_t random_state_ = 0;
    PassingTime time_;
    Delays delays_;
    Preferences preferences_;
    std::uint64_t next_completion_ = 0;
};

}  // namespace dampi::scheduler::central
