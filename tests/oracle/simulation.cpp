#include "tests/oracle/simulation.hpp"

#include "clocks/causal_order.hpp"
#include "clocks/late_messages.hpp"
#include "clocks/lazy_clocks.hpp"
#include "clocks/pending_receives.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace dampi::oracle {
namespace {

using base::Rank;
using base::ReceiveSpec;
using clocks::LazyClocks;
using clocks::Match;
using clocks::Posted;
using clocks::Protocol;
using clocks::Snapshot;
using replay::Decision;
using replay::Epoch;
using replay::EpochKind;

constexpr std::size_t communicators = 4;
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

std::size_t at(Rank rank) { return static_cast<std::size_t>(rank); }

/// Gives equal numbers everywhere, unlike the standard's distributions.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {  // splitmix64
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }
    std::uint64_t below(std::uint64_t end) { return next() % end; }

private:
    std::uint64_t state_;
};

struct Message {
    Rank source = 0;
    Rank destination = 0;
    base::CommId comm = base::world_comm;
    int tag = 0;
    std::uint64_t number = 0;
    Snapshot clock;
    bool synchronous = false;
    bool taken = false;     ///< MPI has given it to a receive
    Snapshot acknowledged;  ///< what its synchronous sender learns, when the receiver's layer knows of the match
};

/// A request among those of a wait: its position there, and the instruction that began it.
struct Request {
    std::uint32_t position;
    std::size_t instruction;
};

/// What has become of one instruction.
struct Progress {
    bool issued = false;
    bool completed = false;      ///< and the program knows
    std::size_t message = none;  ///< of a send: its message; of a receive or probe: what MPI has matched
    Rank source = base::any_source;
    // Of receives and probes:
    Posted posted;
    Rank asked = base::any_source;  ///< the source that MPI is asked for: the decided one
    bool resolved = false;          ///< the layer knows of the match
    Match match;
    // Of waits for any or some:
    std::vector<Request> candidates;      ///< the active requests
    std::optional<std::uint32_t> choice;  ///< the epoch's index, if there is something to choose
    std::vector<std::uint32_t> decided;   ///< positions that are to be reported
    std::vector<Request> chosen;          ///< what is going to be reported
    std::uint32_t tries = 0;              ///< of a test: how often it has answered false
    std::size_t round = 0;                ///< of a collective: its number among those of its communicator
    bool freed = false;                   ///< of a send
    // Of the first test of a stretch, with a candidate for each different one, and `choice`:
    const Decision* decision = nullptr;
    std::uint32_t falses = 0;
    std::uint32_t current = 0;            ///< of the candidates, the one that is being tested
    std::vector<std::uint32_t> polled{};  ///< replay::Epoch::polled
};

struct Process {
    Process(Rank rank, Protocol protocol, std::size_t instructions, std::size_t ranks)
        : clocks(rank, protocol), progress(instructions), sent(communicators * ranks, 0) {}

    std::size_t at = 0;
    LazyClocks clocks;
    std::vector<Progress> progress;
    std::vector<std::uint64_t> sent;                           ///< by destination and communicator
    std::array<std::vector<Snapshot>, communicators> entered;  ///< its clock when it entered each collective
    std::uint32_t zone = 0;                                    ///< how many it has entered
    std::vector<int> brackets;                                 ///< the bounds of those that it is in
    // MPI's queues: receives as instructions, messages that have arrived as indices.
    std::vector<std::size_t> posted;
    std::vector<std::size_t> unexpected;
    // The layer.
    clocks::PendingReceives<std::size_t> pending;
    std::size_t unacknowledged = 0;  ///< synchronous messages on their way to here
    std::vector<clocks::RecordedReceive> recorded;
    std::vector<clocks::LateMessage> late;
    std::vector<Epoch> epochs;
    bool diverged = false;
    std::size_t polling = none;  ///< the first test of the stretch that the rank is in
    bool asks = false;           ///< the test at which the rank is belongs to it
    bool waits_in_test = false;
    bool released = false;  ///< the test is to answer false
};

class Run {
public:
    Run(const std::vector<std::vector<Instruction>>& code, const std::vector<Decision>& decisions, Protocol protocol,
        std::uint64_t seed)
        : code_(code), decisions_(decisions), protocol_(protocol), random_(seed) {
        const std::size_t ranks = code.size();
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            processes_.emplace_back(static_cast<Rank>(rank), protocol, code[rank].size(), ranks);
        }
        ways_.resize(ranks * ranks * communicators);
        timing_ = static_cast<Timing>(random_.below(timings));
        special_ = random_.below(ranks);
        if (timing_ == Timing::priorities) {
            for (std::size_t i = 0; i < ranks + ways_.size(); ++i) {
                priorities_.push_back(random_.next());
            }
        }
    }

    SimulatedRun execute() {
        while (something_happens()) {}
        SimulatedRun run;
        run.record.protocol = protocol_;
        for (std::size_t rank = 0; rank < code_.size(); ++rank) {
            run.deadlock = run.deadlock || processes_[rank].at != code_[rank].size();
            run.record.diverged = run.record.diverged || processes_[rank].diverged;
            resolve_matched(rank);
        }
        for (const Message& message : messages_) {
            if (!message.taken) {
                processes_[at(message.destination)].late.push_back({.name = name(message),
                                                                    .tag = message.tag,
                                                                    .taken_by = clocks::never_taken,
                                                                    .clock = message.clock->clock});
            }
        }
        for (std::size_t rank = 0; rank < code_.size(); ++rank) {
            add_record(rank, run.record);
        }
        run.record.stacks = std::move(stacks_);
        return run;
    }

private:
    // ---- Timing

    /// Lets the first thing happen that can, in the order of the timing; false when nothing can.
    bool something_happens() {
        const std::size_t ranks = code_.size();
        candidates_.clear();
        for (std::size_t i = 0; i < ranks; ++i) {
            if (processes_[i].at != code_[i].size()) {
                candidates_.push_back({urgency(i), i});
            }
        }
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            if (!ways_[i].empty()) {
                candidates_.push_back({urgency(ranks + i), ranks + i});
            }
        }
        std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) { return b < a; });
        for (const Candidate& candidate : candidates_) {
            if (candidate.what >= ranks) {
                deliver(candidate.what - ranks);
                return true;
            }
            if (step(candidate.what)) {
                latest_ = candidate.what;
                return true;
            }
        }
        return release_one();
    }

    /// When nothing can happen, one of those who wait in a test that could answer false is let do so.
    bool release_one() {
        std::vector<Process*> polling;
        for (Process& process : processes_) {
            if (process.waits_in_test) {
                polling.push_back(&process);
            }
        }
        if (polling.empty()) {
            return false;
        }
        polling[random_.below(polling.size())]->released = true;
        return true;
    }

    /// Of rank `what`, or of the way between two ranks behind them.
    std::uint64_t urgency(std::size_t what) {
        const std::size_t ranks = code_.size();
        const bool is_rank = what < ranks;
        const std::uint64_t any_time = random_.next() >> 2U;
        constexpr std::uint64_t first = std::uint64_t{1} << 63U;
        const auto if_so = [&](bool so) { return so ? first + any_time : any_time; };
        switch (timing_) {
            case Timing::random:
                return any_time;
            case Timing::eager:
                return if_so(!is_rank);
            case Timing::lazy:
                return if_so(is_rank);
            case Timing::latest_first:
                return is_rank ? first + any_time : ways_[what - ranks].back();
            case Timing::one_rank_last:
                return if_so(is_rank ? what != special_ : (what - ranks) / (communicators * ranks) != special_);
            case Timing::one_rank_first:
                return if_so(is_rank ? what == special_ : (what - ranks) / (communicators * ranks) == special_);
            case Timing::stubborn:
                return if_so(what == latest_);
            case Timing::priorities:
                return priorities_[what];
        }
        return any_time;
    }

    // ---- MPI

    static ReceiveSpec asked(const Progress& receive) {
        ReceiveSpec spec = receive.posted.spec;
        spec.source = receive.asked;
        return spec;
    }
    static bool fits(const ReceiveSpec& spec, const Message& message) {
        return spec.fits(message.comm, message.source, message.tag);
    }

    void deliver(std::size_t way) {
        const std::size_t id = ways_[way].front();
        ways_[way].erase(ways_[way].begin());
        Process& own = processes_[at(messages_[id].destination)];
        for (auto posted = own.posted.begin(); posted != own.posted.end(); ++posted) {
            if (fits(asked(own.progress[*posted]), messages_[id])) {
                own.progress[*posted].message = id;
                messages_[id].taken = true;
                own.posted.erase(posted);
                return;
            }
        }
        own.unexpected.push_back(id);
    }

    [[nodiscard]] std::vector<std::size_t>::iterator find_unexpected(Process& own, const ReceiveSpec& spec) const {
        return std::find_if(own.unexpected.begin(), own.unexpected.end(),
                            [&](std::size_t id) { return fits(spec, messages_[id]); });
    }

    void post_in_mpi(Process& own, std::size_t instruction) {
        Progress& receive = own.progress[instruction];
        const auto found = find_unexpected(own, asked(receive));
        if (found == own.unexpected.end()) {
            own.posted.push_back(instruction);
            return;
        }
        receive.message = *found;
        messages_[*found].taken = true;
        own.unexpected.erase(found);
    }

    // ---- The layer

    static base::CommId comm_of(const Op& op) { return base::world_comm + static_cast<base::CommId>(op.comm); }
    static base::MessageName name(const Message& message) {
        return {.source = message.source, .comm = message.comm, .number = message.number};
    }
    static clocks::MessageFacts facts(const Message& message) {
        return {.source = message.source, .tag = message.tag, .number = message.number};
    }

    static void record(Process& own, const Posted& posted) {
        own.recorded.push_back({.order = posted.order,
                                .spec = posted.spec,
                                .epoch = posted.epoch,
                                .posted = posted.clock->clock,
                                .posted_at = posted.at,
                                .oldest_pending = posted.oldest_pending});
    }

    void post(std::size_t rank, std::size_t instruction) {
        Process& own = processes_[rank];
        Progress& receive = own.progress[instruction];
        const Op& op = code_[rank][instruction].op;
        const ReceiveSpec spec{
            .comm = comm_of(op),
            .source = op.peer == any ? base::any_source : op.peer,
            .tag = op.tag == any ? base::any_tag : op.tag,
        };
        receive.issued = true;
        receive.posted = own.clocks.post(spec, spec.wildcard());
        receive.asked = spec.source;
        if (receive.posted.epoch) {
            own.clocks.record_pending(receive.posted.order, [&](const Posted& earlier) { record(own, earlier); });
            record(own, receive.posted);
            Epoch& epoch = own.epochs.emplace_back();
            epoch.id = {static_cast<Rank>(rank), *receive.posted.epoch};
            epoch.kind = op.kind == OpKind::probe ? EpochKind::probe : EpochKind::receive;
            epoch.comm = spec.comm;
            epoch.tag = spec.tag;
            epoch.posted = receive.posted.clock->clock;
            add_context(rank, instruction, epoch);
            if (const Decision* decision = find_decision(own, epoch)) {
                epoch.forced = true;
                receive.asked = decision->outcome.source;
            }
        }
        own.clocks.keep_pending(receive.posted);
        if (op.kind != OpKind::probe) {
            own.pending.add(receive.posted.order, spec) = instruction;
            post_in_mpi(own, instruction);
        }
    }

    /// Where the program stands when it comes to a new epoch.
    void add_context(std::size_t rank, std::size_t instruction, Epoch& epoch) {
        const Process& own = processes_[rank];
        const Op& op = code_[rank][instruction].op;
        replay::EpochContext& context = epoch.context;
        context.zone = own.zone;
        for (const int bound : own.brackets) {
            if (bound == nothing_inside) {
                context.bracketed = true;
            } else {
                const auto mixing = static_cast<std::uint32_t>(bound);
                context.mixing_bound = std::min(mixing, context.mixing_bound.value_or(mixing));
            }
        }
        if (replay::chooses_message(epoch.kind)) {
            context.communicator_name = simulated_communicator_name(op.comm);
        }
        // The rank's main function calls one for each place.
        const std::uint64_t offset = 1000 * rank + instruction;
        const replay::CodePlace in_main{
            .module = "program", .offset = offset, .function = simulated_main_name(static_cast<Rank>(rank))};
        if (op.place == own_place) {
            epoch.where = in_main;
            context.stack = stack_id({in_main});
        } else {
            epoch.where = {.module = "program",
                           .offset = 1'000'000 + static_cast<std::uint64_t>(op.place),
                           .function = simulated_function_name(op.place)};
            replay::CodePlace caller = in_main;
            caller.offset = 1000 * rank + 999;
            context.stack = stack_id({epoch.where, std::move(caller)});
        }
    }

    std::uint32_t stack_id(std::vector<replay::CodePlace> stack) {
        const auto known = std::find(stacks_.begin(), stacks_.end(), stack);
        if (known == stacks_.end()) {
            stacks_.push_back(std::move(stack));
            return static_cast<std::uint32_t>(stacks_.size() - 1);
        }
        return static_cast<std::uint32_t>(known - stacks_.begin());
    }

    const Decision* find_decision(Process& own, const Epoch& epoch) const {
        const auto found =
            std::lower_bound(decisions_.begin(), decisions_.end(), epoch.id,
                             [](const Decision& decision, const replay::EpochId& id) { return decision.epoch < id; });
        if (found == decisions_.end() || found->epoch != epoch.id || own.diverged) {
            return nullptr;
        }
        if (found->kind != epoch.kind || found->comm != epoch.comm || found->tag != epoch.tag) {
            own.diverged = true;
            return nullptr;
        }
        return &*found;
    }

    /// A receive or probe, and before it whatever must have matched before, as soon as MPI has matched it; false if
    /// something of that is missing. `learned`: the program gets to know.
    bool resolve(std::size_t rank, std::size_t instruction, bool learned) {
        Process& own = processes_[rank];
        Progress& receive = own.progress[instruction];
        if (receive.resolved) {
            return true;
        }
        if (receive.message == none) {
            return false;
        }
        for (;;) {
            const auto before = std::find_if(own.pending.begin(), own.pending.end(), [&](const auto& entry) {
                const Progress& earlier = own.progress[entry.payload];
                return entry.order < receive.posted.order &&
                       must_match_before(
                           entry.spec,
                           earlier.message == none ? std::nullopt : std::optional(facts(messages_[earlier.message])),
                           receive.posted.spec, facts(messages_[receive.message]));
            });
            if (before == own.pending.end()) {
                break;
            }
            if (!resolve(rank, before->payload, learned)) {
                return false;
            }
        }
        happened_ = true;
        receive.resolved = true;
        Message& message = messages_[receive.message];
        const clocks::IncomingMessage incoming{
            .name = name(message), .tag = message.tag, .clock = message.clock->clock};
        if (!learned && own.clocks.record(receive.posted.order)) {
            record(own, receive.posted);
        }
        receive.match = own.clocks.match(receive.posted, message.source, &incoming, learned);
        if (receive.match.recorded) {
            const auto recorded =
                std::find_if(own.recorded.begin(), own.recorded.end(),
                             [&](const clocks::RecordedReceive& each) { return each.order == receive.posted.order; });
            recorded->settled_at = receive.match.at;
            recorded->taken = facts(message);
            recorded->final = receive.match.final;
            recorded->after = receive.match.after->clock;
        }
        if (receive.posted.epoch) {
            Epoch& epoch = own.epochs[*receive.posted.epoch];
            epoch.outcome = replay::Outcome{
                .source = message.source, .tag = message.tag, .number = message.number, .completed = {}};
            epoch.final = receive.match.final;
            epoch.past = receive.match.past->clock;
        }
        if (!own.pending.remove(receive.posted.order)) {
            return true;  // a probe
        }
        if (own.clocks.is_late(incoming, receive.posted.order)) {
            own.late.push_back(
                {.name = incoming.name, .tag = message.tag, .taken_by = receive.posted.order, .clock = incoming.clock});
        }
        if (message.synchronous) {
            message.acknowledged = receive.match.after;
            --own.unacknowledged;
        }
        return true;
    }

    /// All that MPI has matched, in posting order.
    void resolve_matched(std::size_t rank) {
        std::vector<std::size_t> instructions;
        for (const auto& entry : processes_[rank].pending) {
            instructions.push_back(entry.payload);
        }
        for (const std::size_t instruction : instructions) {
            resolve(rank, instruction, false);
        }
    }

    // ---- The program

    /// Lets a rank go on as far as its next return from MPI, or look again if it waits; false when nothing has changed.
    bool step(std::size_t rank) {
        happened_ = false;
        const bool moved = perform(rank);
        if (processes_[rank].unacknowledged != 0) {
            resolve_matched(rank);
        }
        return moved || happened_;
    }

    void send(std::size_t rank, std::size_t instruction) {
        Process& own = processes_[rank];
        const Op& op = code_[rank][instruction].op;
        Message message;
        message.source = static_cast<Rank>(rank);
        message.destination = op.peer;
        message.tag = op.tag;
        const std::size_t way = at(op.peer) * communicators + at(op.comm);
        message.comm = comm_of(op);
        message.number = own.sent[way]++;
        message.clock = own.clocks.now();
        message.synchronous = op.kind == OpKind::ssend || op.kind == OpKind::issend;
        processes_[at(op.peer)].unacknowledged += message.synchronous ? 1 : 0;
        own.progress[instruction].issued = true;
        own.progress[instruction].message = messages_.size();
        ways_[rank * code_.size() * communicators + way].push_back(messages_.size());
        messages_.push_back(std::move(message));
    }

    bool perform(std::size_t rank) {
        Process& own = processes_[rank];
        if (own.at == code_[rank].size()) {
            return false;
        }
        const Instruction& instruction = code_[rank][own.at];
        const Op& op = instruction.op;
        if (instruction.kind == Instruction::Kind::jump) {
            own.at = instruction.target;
            return true;
        }
        if (instruction.kind == Instruction::Kind::jump_unless) {
            const std::size_t asked = find_slot(code_[rank], op.slot);
            const bool holds = asked != code_[rank].size() && own.progress[asked].completed &&
                               (op.kind == OpKind::branch_done || own.progress[asked].source == op.peer);
            own.at = holds ? own.at + 1 : instruction.target;
            return true;
        }
        const bool fresh = !own.progress[own.at].issued;
        if (op.kind != OpKind::test && own.polling != none) {
            give_up(own);
        }
        if (is_collective(op.kind)) {
            if (fresh) {
                enter(rank);
            }
            if (is_nonblocking_collective(op.kind)) {
                ++own.at;
                return true;
            }
            return complete(rank, {own.at}) || fresh;
        }
        if (op.peer == nobody) {
            own.progress[own.at].issued = true;
            own.progress[own.at].completed = !has_request(op.kind);
            ++own.at;
            return true;
        }
        switch (op.kind) {
            case OpKind::send:
            case OpKind::bsend:
            case OpKind::rsend:
            case OpKind::isend:
            case OpKind::issend:
                send(rank, own.at++);
                return true;
            case OpKind::ssend:
                if (fresh) {
                    send(rank, own.at);
                }
                return complete(rank, {own.at}) || fresh;
            case OpKind::irecv:
                post(rank, own.at++);
                return true;
            case OpKind::recv:
                if (fresh) {
                    post(rank, own.at);
                }
                return complete(rank, {own.at}) || fresh;
            case OpKind::probe:
                if (fresh) {
                    post(rank, own.at);
                }
                return probe(rank) || fresh;
            case OpKind::wait:
                instructions_.clear();
                for (const int slot : op.slots) {
                    const std::size_t index = find_slot(code_[rank], slot);
                    if (active(rank, index)) {
                        instructions_.push_back(index);
                    }
                }
                std::sort(instructions_.begin(), instructions_.end());  // the order of posting
                return complete(rank, instructions_);
            case OpKind::waitany:
            case OpKind::waitsome:
                if (fresh) {
                    begin_choice(rank);
                }
                return choose(rank) || fresh;
            case OpKind::test:
                if (fresh) {
                    begin_test(rank);
                }
                return test(rank) || fresh;
            case OpKind::bracket:
                own.brackets.push_back(op.bound);
                ++own.at;
                return true;
            case OpKind::unbracket:
                if (!own.brackets.empty()) {
                    own.brackets.pop_back();
                }
                ++own.at;
                return true;
            case OpKind::free:
                free(rank, op.slots.front());
                ++own.at;
                return true;
            default:
                break;
        }
        return false;
    }

    void enter(std::size_t rank) {
        Process& own = processes_[rank];
        auto& entered = own.entered[at(code_[rank][own.at].op.comm)];
        own.progress[own.at].issued = true;
        own.progress[own.at].round = entered.size();
        entered.push_back(own.clocks.now());
        ++own.zone;
    }

    void free(std::size_t rank, int slot) {
        const std::size_t index = find_slot(code_[rank], slot);
        if (index != code_[rank].size() && is_send(code_[rank][index].op.kind)) {
            processes_[rank].progress[index].freed = true;
        }
    }

    /// Whether there is a request to wait for.
    [[nodiscard]] bool active(std::size_t rank, std::size_t index) const {
        if (index == code_[rank].size()) {
            return false;
        }
        const Progress& progress = processes_[rank].progress[index];
        return progress.issued && !progress.completed && !progress.freed;
    }

    /// Whether MPI would say that a request is complete.
    [[nodiscard]] bool complete_in_mpi(std::size_t rank, std::size_t instruction) const {
        const OpKind kind = code_[rank][instruction].op.kind;
        const std::size_t message = processes_[rank].progress[instruction].message;
        if (code_[rank][instruction].op.peer == nobody) {
            return true;
        }
        if (is_collective(kind)) {
            const std::vector<std::size_t> sources = sources_of(rank, instruction);
            return std::all_of(sources.begin(), sources.end(),
                               [&](std::size_t source) { return entered(rank, instruction, source) != nullptr; });
        }
        if (is_receive_or_probe(kind)) {
            return message != none;
        }
        return !messages_[message].synchronous || messages_[message].taken;
    }

    /// The ranks whose data the rank gets in a collective.
    [[nodiscard]] std::vector<std::size_t> sources_of(std::size_t rank, std::size_t instruction) const {
        const Op& op = code_[rank][instruction].op;
        std::vector<std::size_t> sources;
        for (std::size_t other = 0; other < processes_.size(); ++other) {
            const bool lower = op.comm == 2 ? other > rank : other < rank;  // in reverse order
            const Flow flows = flow(op.kind);
            if (flows == Flow::everyone || (flows == Flow::from_root && other == at(op.peer)) ||
                (flows == Flow::to_root && rank == at(op.peer)) || (flows == Flow::lower && lower)) {
                sources.push_back(other);
            }
        }
        return sources;
    }

    /// What `source` knew when it entered the collective; null: it has not yet.
    [[nodiscard]] const Snapshot* entered(std::size_t rank, std::size_t instruction, std::size_t source) const {
        const auto& rounds = processes_[source].entered[at(code_[rank][instruction].op.comm)];
        const std::size_t round = processes_[rank].progress[instruction].round;
        return round < rounds.size() ? &rounds[round] : nullptr;
    }

    /// What MPI has completed is resolved, and synchronous sends wait for what they are to learn; false while something
    /// is missing.
    bool settle(std::size_t rank, std::size_t instruction) {
        if (code_[rank][instruction].op.peer == nobody || is_collective(code_[rank][instruction].op.kind)) {
            return true;
        }
        if (is_receive_or_probe(code_[rank][instruction].op.kind)) {
            return resolve(rank, instruction, true);
        }
        const Message& message = messages_[processes_[rank].progress[instruction].message];
        return !message.synchronous || message.acknowledged;
    }

    /// What the completion of a request that is settled tells.
    [[nodiscard]] Snapshot told(std::size_t rank, std::size_t instruction) const {
        const Progress& progress = processes_[rank].progress[instruction];
        const Op& op = code_[rank][instruction].op;
        if (op.peer == nobody) {
            return Snapshot(clocks::Clock());
        }
        if (is_collective(op.kind)) {
            clocks::Clock known;
            for (const std::size_t source : sources_of(rank, instruction)) {
                known.merge((*entered(rank, instruction, source))->clock);
            }
            return Snapshot(std::move(known));
        }
        if (is_receive_or_probe(op.kind)) {
            return progress.match.after;
        }
        const Message& message = messages_[progress.message];
        return message.synchronous ? message.acknowledged : message.clock;
    }

    void mark_completed(std::size_t rank, std::size_t instruction) {
        Progress& progress = processes_[rank].progress[instruction];
        progress.completed = true;
        const Op& op = code_[rank][instruction].op;
        if (is_receive_or_probe(op.kind) && op.peer != nobody) {
            progress.source = messages_[progress.message].source;
        }
    }

    /// If all of the requests can complete, they do, and the rank goes on. In posting order.
    bool complete(std::size_t rank, const std::vector<std::size_t>& instructions) {
        Process& own = processes_[rank];
        for (const std::size_t index : instructions) {
            if (!complete_in_mpi(rank, index)) {
                return false;
            }
        }
        bool settled = true;
        for (const std::size_t index : instructions) {
            settled = settle(rank, index) && settled;
        }
        if (!settled) {
            return false;
        }
        for (const std::size_t index : instructions) {
            own.clocks.learn(told(rank, index));
            mark_completed(rank, index);
        }
        ++own.at;
        return true;
    }

    void begin_choice(std::size_t rank) {
        Process& own = processes_[rank];
        Progress& progress = own.progress[own.at];
        const Op& op = code_[rank][own.at].op;
        progress.issued = true;
        for (std::size_t i = 0; i < op.slots.size(); ++i) {
            const std::size_t index = find_slot(code_[rank], op.slots[i]);
            if (active(rank, index)) {
                progress.candidates.push_back({static_cast<std::uint32_t>(i), index});
            }
        }
        if (progress.candidates.size() < 2) {
            return;
        }
        progress.choice = own.clocks.post_choice();
        Epoch& epoch = own.epochs.emplace_back();
        epoch.id = {static_cast<Rank>(rank), *progress.choice};
        epoch.kind = op.kind == OpKind::waitany ? EpochKind::wait_any : EpochKind::wait_some;
        epoch.posted = own.clocks.now()->clock;
        add_context(rank, own.at, epoch);
        if (const Decision* decision = find_decision(own, epoch)) {
            epoch.forced = true;
            progress.decided = decision->outcome.completed;
        }
    }

    bool choose(std::size_t rank) {
        Process& own = processes_[rank];
        Progress& progress = own.progress[own.at];
        if (!progress.choice) {
            instructions_.clear();
            for (const Request& request : progress.candidates) {
                instructions_.push_back(request.instruction);
            }
            return complete(rank, instructions_);
        }
        if (progress.chosen.empty()) {
            std::vector<Request> can;
            for (const Request& request : progress.candidates) {
                if (complete_in_mpi(rank, request.instruction) &&
                    (progress.decided.empty() || std::find(progress.decided.begin(), progress.decided.end(),
                                                           request.position) != progress.decided.end())) {
                    can.push_back(request);
                }
            }
            if (can.size() < std::max<std::size_t>(progress.decided.size(), 1)) {
                return false;
            }
            if (progress.decided.empty()) {
                const bool some = code_[rank][own.at].op.kind == OpKind::waitsome;
                const std::size_t sure = random_.below(can.size());
                for (std::size_t i = 0; i < can.size(); ++i) {
                    if (i == sure || (some && random_.below(3) != 0)) {
                        progress.chosen.push_back(can[i]);
                    }
                }
            } else {
                progress.chosen = std::move(can);
            }
            happened_ = true;
        }
        bool settled = true;
        for (const Request& request : progress.chosen) {
            settled = settle(rank, request.instruction) && settled;
        }
        if (!settled) {
            return false;
        }
        std::vector<Snapshot> known;
        replay::Outcome outcome;
        for (const Request& request : progress.chosen) {
            known.push_back(told(rank, request.instruction));
            mark_completed(rank, request.instruction);
            outcome.completed.push_back(request.position);
        }
        settle_choice(own, progress, known, std::move(outcome));
        progress.completed = true;
        ++own.at;
        return true;
    }

    void begin_test(std::size_t rank) {
        Process& own = processes_[rank];
        const int slot = code_[rank][own.at].op.slots.front();
        own.progress[own.at].issued = true;
        const std::size_t index = find_slot(code_[rank], slot);
        const bool asks = active(rank, index);
        const bool of_nobody = asks && code_[rank][index].op.peer == nobody;
        own.asks = asks && !of_nobody;
        if (of_nobody) {
            mark_completed(rank, index);  // it is complete, and nothing is open
            return;
        }
        if (!asks) {
            return;
        }
        if (own.polling != none) {
            Progress& stretch = own.progress[own.polling];
            const auto known = std::find_if(stretch.candidates.begin(), stretch.candidates.end(),
                                            [&](const Request& each) { return each.instruction == index; });
            stretch.current = static_cast<std::uint32_t>(known - stretch.candidates.begin());
            if (known == stretch.candidates.end()) {
                stretch.candidates.push_back({0, index});
                replay::OtherPoll& other = own.epochs[*stretch.choice].others.emplace_back();
                other.number = stretch.current;
                other.before = stretch.falses;
                other.kind = EpochKind::test;
            }
            return;
        }
        own.polling = own.at;
        Progress& progress = own.progress[own.at];
        progress.candidates.push_back({0, index});
        progress.choice = own.clocks.post_choice();
        Epoch& epoch = own.epochs.emplace_back();
        epoch.id = {static_cast<Rank>(rank), *progress.choice};
        epoch.kind = EpochKind::test;
        epoch.posted = own.clocks.now()->clock;
        add_context(rank, own.at, epoch);
        progress.decision = find_decision(own, epoch);
        epoch.forced = progress.decision != nullptr;
        if (progress.decision != nullptr) {
            epoch.repetition = replay::Repetition::not_tried;
        } else if (is_known_to_give_up(own.at)) {
            epoch.repetition = replay::Repetition::gives_up;
            epoch.turns_after = 1;
        } else {
            epoch.repetition = replay::Repetition::undecided;
        }
    }

    /// The test at which the rank is answers; false while it waits.
    bool test(std::size_t rank) {
        Process& own = processes_[rank];
        if (!own.asks) {  // of no request
            own.progress[own.at].completed = true;
            ++own.at;
            return true;
        }
        Progress& sequence = own.progress[own.polling];
        const Request request = sequence.candidates[sequence.current];
        const Decision* decision = sequence.decision;
        const bool another = decision != nullptr && !decision->open && !decision->outcome.gave_up() &&
                             decision->outcome.poll != sequence.current;
        const bool decided_false =
            decision != nullptr && (sequence.falses < decision->outcome.false_answers || another);
        const bool decided_true = decision != nullptr && !decided_false && !decision->open;
        if (decided_true && decision->outcome.gave_up()) {
            own.diverged = true;
        }
        if (decided_false || (own.released && !decided_true)) {
            ++sequence.falses;
            sequence.polled.push_back(sequence.current);
            own.waits_in_test = own.released = false;
            if (++own.progress[own.at].tries < static_cast<std::uint32_t>(code_[rank][own.at].op.times)) {
                return true;
            }
            own.progress[own.at].completed = true;
            ++own.at;
            return true;
        }
        own.waits_in_test = !decided_true;
        if (!complete_in_mpi(rank, request.instruction) || !settle(rank, request.instruction)) {
            return false;
        }
        own.waits_in_test = own.released = false;
        Epoch& epoch = own.epochs[*sequence.choice];
        epoch.posted = own.clocks.now()->clock;
        sequence.polled.push_back(sequence.current);
        if (!replay::describe_by(epoch, sequence.current)) {
            throw std::runtime_error("a test has answered that was not made");
        }
        settle_choice(own, sequence, {told(rank, request.instruction)}, {.completed = {0}, .poll = sequence.current});
        mark_completed(rank, request.instruction);
        own.progress[own.at].completed = true;
        own.polling = none;
        ++own.at;
        return true;
    }

    void give_up(Process& own) {
        Progress& sequence = own.progress[own.polling];
        settle_choice(own, sequence, {}, {});
        own.polling = none;
    }

    static void settle_choice(Process& own, const Progress& progress, const std::vector<Snapshot>& known,
                              replay::Outcome outcome) {
        Epoch& epoch = own.epochs[*progress.choice];
        outcome.false_answers = progress.falses;
        if (!epoch.others.empty()) {
            epoch.polled = progress.polled;
        }
        epoch.outcome = std::move(outcome);
        const Match match = own.clocks.choose(*progress.choice, own.clocks.now(), known);
        epoch.final = match.final;
        epoch.past = match.past->clock;
        own.clocks.learn(match.after);
    }

    bool probe(std::size_t rank) {
        Process& own = processes_[rank];
        Progress& progress = own.progress[own.at];
        if (progress.message == none) {
            const auto found = find_unexpected(own, asked(progress));
            if (found == own.unexpected.end()) {
                return false;
            }
            progress.message = *found;
        }
        return complete(rank, {own.at});
    }

    // ---- The record

    void add_record(std::size_t rank, replay::RunRecord& record) {
        Process& own = processes_[rank];
        if (own.epochs.empty()) {
            return;
        }
        for (std::size_t i = 0; i < own.progress.size(); ++i) {
            add_completable(rank, own.progress[i]);
        }
        std::sort(own.recorded.begin(), own.recorded.end(),
                  [](const auto& a, const auto& b) { return a.order < b.order; });
        auto matches = clocks::potential_matches(static_cast<Rank>(rank), protocol_, own.recorded, std::move(own.late));
        for (clocks::FoundMatch& match : matches) {
            own.epochs[match.epoch].potential_matches.push_back({.source = match.message.source,
                                                                 .tag = match.message.tag,
                                                                 .number = match.message.number,
                                                                 .past = std::move(match.past)});
        }
        for (Epoch& epoch : own.epochs) {
            std::sort(epoch.potential_matches.begin(), epoch.potential_matches.end(),
                      [](const auto& a, const auto& b) { return a.source < b.source; });
            record.epochs.push_back(std::move(epoch));
        }
    }

    /// What a choice could have reported: what has completed by the end of the run.
    void add_completable(std::size_t rank, const Progress& choice) {
        Process& own = processes_[rank];
        if (!choice.choice) {
            return;
        }
        Epoch& epoch = own.epochs[*choice.choice];
        for (std::size_t i = 0; i < choice.candidates.size(); ++i) {
            const Request& request = choice.candidates[i];
            if (complete_in_mpi(rank, request.instruction) && settle(rank, request.instruction)) {
                // With Lamport clocks not what is known after the match: that would count it as one after the choice.
                const Op& op = code_[rank][request.instruction].op;
                const bool receive = is_receive_or_probe(op.kind) && op.peer != nobody;
                const Snapshot known = receive && protocol_ == clocks::Protocol::lamport
                                           ? own.progress[request.instruction].match.past
                                           : told(rank, request.instruction);
                const std::uint32_t poll = epoch.kind == EpochKind::test ? static_cast<std::uint32_t>(i) : 0;
                replay::completable_of(epoch, poll).push_back({.position = request.position, .known = known->clock});
            }
        }
    }

    struct Candidate {
        std::uint64_t urgency;
        std::size_t what;

        auto operator<=>(const Candidate&) const = default;
    };

    const std::vector<std::vector<Instruction>>& code_;
    const std::vector<Decision>& decisions_;
    Protocol protocol_;
    Random random_;
    Timing timing_;
    std::size_t special_ = 0;
    std::size_t latest_ = none;
    std::vector<std::uint64_t> priorities_;
    std::vector<Candidate> candidates_;
    std::vector<Message> messages_;
    std::vector<std::vector<std::size_t>> ways_;  ///< messages on their way, by source, destination, comm
    std::vector<Process> processes_;
    std::vector<std::size_t> instructions_;
    std::vector<std::vector<replay::CodePlace>> stacks_;  ///< of the epochs so far, each once
    bool happened_ = false;                               ///< the layer has noticed a match
};

}  // namespace

bool Simulation::knows(const Program& program) {
    bool knows = true;
    for (const auto& ops : program.ranks) {
        for_each_op(ops, [&](const Op& op) {
            const bool test = op.kind == OpKind::test || !is_polling(op.kind);
            knows = knows && test && !is_matched_probe(op.kind) && op.kind != OpKind::cancel;
        });
    }
    return knows;
}

Simulation::Simulation(const Program& program) {
    for (const auto& ops : program.ranks) {
        code_.push_back(flatten(ops));
    }
}

SimulatedRun Simulation::run(const std::vector<Decision>& decisions, Protocol protocol, std::uint64_t seed) const {
    return Run(code_, decisions, protocol, seed).execute();
}

std::string simulated_communicator_name(int comm) { return comm == 0 ? "MPI_COMM_WORLD" : "second"; }

std::string simulated_function_name(int place) { return "place_" + std::to_string(place); }

std::string simulated_main_name(Rank rank) { return "main_" + std::to_string(rank); }

std::string outcome_text(const replay::Outcome& outcome) {
    std::string text = outcome.source == base::any_source ? "" : "<-" + std::to_string(outcome.source);
    for (const std::uint32_t position : outcome.completed) {
        text += (text.empty() ? "=" : "+") + std::to_string(position);
    }
    if (text.empty()) {
        text = "=none";
    }
    if (outcome.poll != 0) {
        text = "@" + std::to_string(outcome.poll) + text;
    }
    return outcome.false_answers == 0 ? text : text + "~" + std::to_string(outcome.false_answers);
}

std::string outcome_text(const replay::RunRecord& record) {
    std::string text = "{";
    for (const Epoch& epoch : record.epochs) {
        if (epoch.outcome) {
            text += (text.size() > 1 ? " " : "") + std::to_string(epoch.id.rank) + "#" +
                    std::to_string(epoch.id.index) + outcome_text(*epoch.outcome);
        }
    }
    return text + "}";
}

}  // namespace dampi::oracle
