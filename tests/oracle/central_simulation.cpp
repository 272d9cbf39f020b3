#include "tests/oracle/central_simulation.hpp"

#include "base/check.hpp"
#include "scheduler/engines/central/machine.hpp"
#include "scheduler/judgement/stuck_ranks.hpp"
#include "transport/collective_operation.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>

namespace dampi::oracle {
namespace {

using base::Rank;
using namespace transport::requests;
using scheduler::central::Machine;
using transport::Collective;
using transport::CollectiveForm;

struct Process {
    std::size_t at = 0;
    bool waiting = false;
    bool ended = false;
    /// The different polls of the open stretch: what each asks. Empty: none is open.
    std::vector<std::pair<OpKind, std::vector<int>>> polls;
    std::uint32_t false_answers = 0;  ///< of the stretch
    bool polls_now = false;           ///< the call at which the rank waits belongs to it
    Operation next = 1;
    std::uint32_t zone = 0;
    std::vector<Operation> operations;    ///< by instruction; no_operation: not issued, or over
    std::vector<bool> completed;          ///< by instruction: the program knows
    std::vector<Rank> sources;            ///< by instruction
    std::vector<std::uint64_t> messages;  ///< by instruction: what a matched probe has taken; 0: nothing
    std::vector<bool> cancelled;          ///< by instruction
    std::vector<bool> told;               ///< by instruction: the program knows that it is complete
    int tries = 0;                        ///< of the polling call at which the rank is
};

/// Of one program.
constexpr std::size_t most_kept = 12;

}  // namespace

class CentralSimulation::Run {
public:
    Run(const std::vector<std::vector<Instruction>>& code, replay::Buffering buffering,
        const std::vector<replay::Decision>& decisions, clocks::Protocol protocol, std::uint64_t seed,
        std::uint32_t state_without)
        : code_(&code),
          random_(seed),
          machine_({.processes = static_cast<int>(code.size()),
                    .protocol = protocol,
                    .waits_from = buffering == replay::Buffering::zero || buffering.counts_bytes()
                                      ? 0
                                      : std::numeric_limits<std::uint64_t>::max(),
                    .room = buffering.bytes(),
                    .collectives_wait = buffering == replay::Buffering::zero,
                    .free_seed = random_() % 4 == 0 ? 0 : random_(),
                    .oldest_first = random_() % 2 == 0,
                    .compares_states = true,
                    .state_without = state_without},
                   std::make_shared<const std::vector<replay::Decision>>(decisions)) {
        for (const auto& each : code) {
            Process& process = processes_.emplace_back();
            process.operations.resize(each.size());
            process.completed.resize(each.size());
            process.sources.resize(each.size(), base::any_source);
            process.messages.resize(each.size());
            process.cancelled.resize(each.size());
            process.told.resize(each.size());
        }
    }

    /// Whether a run with these decisions may go on from here.
    [[nodiscard]] bool agrees(const std::vector<replay::Decision>& decisions) const {
        return machine_.agrees(decisions);
    }

    /// From here on it is the run with these decisions.
    void become(const std::vector<replay::Decision>& decisions, std::uint64_t seed) {
        random_.seed(seed);
        machine_.decide(std::make_shared<const std::vector<replay::Decision>>(decisions),
                        random_() % 4 == 0 ? 0 : random_());
        hand_out();
    }

    void begin() {
        for (int which = 1; which < 4; ++which) {
            for (std::size_t rank = 0; rank < code_->size(); ++rank) {
                check(machine_.take(static_cast<Rank>(rank), communicator(which, rank)));
            }
        }
    }

    /// Some of the moments before a choice go to `kept`.
    SimulatedRun execute(std::vector<Run>& kept, std::uint64_t number, scheduler::central::VisitedStates* visited) {
        std::optional<replay::Merge> merged;
        bool merged_open = false;
        std::vector<replay::EpochId> merged_past;
        std::vector<replay::Meeting> meetings;
        std::vector<replay::OpenState> open_states;
        for (;;) {
            if (go_on()) {
                hand_out();
                continue;
            }
            const bool compares = visited != nullptr && machine_.may_choose() && machine_.has_met_decisions();
            if (const auto past = compares ? machine_.open_past() : std::nullopt) {
                const auto state = machine_.state(memories(), [](Place, std::uint64_t) { return base::Digest(); });
                scheduler::central::VisitedStates::Visit visit;
                if (state) {
                    visit = visited->visit(*state, *past, {.run = number, .settled = machine_.settled()});
                }
                if (visit.open) {
                    open_states.push_back(std::move(*visit.open));
                }
                merged = visit.met;
                merged_open = visit.is_open;
                merged_past = merged && visit.is_exact ? past->names() : std::vector<replay::EpochId>();
                // As with --merge-states check: some go on, to their end.
                if (merged && (!meetings.empty() || random_() % 4 == 0)) {
                    meetings.push_back({.earlier = *merged, .settled = machine_.settled()});
                    merged.reset();
                }
                if (merged) {
                    break;
                }
            }
            const std::uint64_t any = random_();
            const bool may_choose = machine_.may_choose();
            if (may_choose && any % 3 != 0) {
                if (kept.size() < most_kept) {
                    kept.push_back(*this);
                } else {
                    kept[any / 3 % most_kept] = *this;
                }
            }
            const bool has_chosen = machine_.choose() || machine_.release_poll();
            if (has_chosen != may_choose) {
                throw std::runtime_error("the machine is wrong about whether there is something to choose");
            }
            if (!has_chosen) {
                break;
            }
            hand_out();
        }
        SimulatedRun run;
        run.record.may_be_met = visited != nullptr;
        run.record.merged = merged;
        run.record.merged_open = merged && merged_open;
        run.record.merged_past = merged ? std::move(merged_past) : std::vector<replay::EpochId>();
        run.record.meetings = std::move(meetings);
        run.record.open_states = std::move(open_states);
        run.record.unaware = machine_.unaware();
        const auto states = machine_.states();
        const auto stuck = scheduler::stuck_ranks(states, scheduler::Polling::waits);
        for (std::size_t rank = 0; rank < code_->size() && !merged; ++rank) {
            run.deadlock = run.deadlock || !processes_[rank].ended;
            run.record.diverged = run.record.diverged || machine_.record(static_cast<Rank>(rank)).deviation();
            // Where a cancel cannot be made to come in time a receive may wait in vain for what is forced on it.
            if (stuck[rank] == processes_[rank].ended && machine_.raced_cancels() == 0) {
                throw std::runtime_error("rank " + std::to_string(rank) + " is said to be " +
                                         (stuck[rank] ? "stuck" : "able to go on"));
            }
        }
        run.record.protocol = machine_.record(0).clocks().protocol();
        for (auto& of_rank : machine_.finish()) {
            for (auto& each : of_rank) {
                run.record.epochs.push_back(std::move(each.epoch));
            }
        }
        run.raced = machine_.raced_cancels() != 0;
        run.unclear = machine_.other_room() != 0 || run.raced;
        return run;
    }

private:
    [[nodiscard]] base::CommId comm(int which) const {
        return which == 0 ? base::world_comm : base::world_comm + code_->size() + static_cast<base::CommId>(which);
    }
    [[nodiscard]] base::CommId comm(const Op& op) const { return comm(op.comm); }

    /// As program.hpp says what it is.
    [[nodiscard]] CommunicatorCall communicator(int which, std::size_t own) const {
        CommunicatorCall call;
        call.comm = comm(which);
        for (std::size_t rank = 0; rank < code_->size(); ++rank) {
            const bool remote = which == 3 && rank % 2 != own % 2;
            (remote ? call.remote : call.members).push_back(static_cast<Rank>(rank));
        }
        if (which == 2) {
            std::reverse(call.members.begin(), call.members.end());
        }
        call.inter = which == 3 ? 1 : 0;
        return call;
    }

    /// What of each rank bears on what it does next. Where a message came from does if a branch is still to ask.
    [[nodiscard]] std::vector<Machine::OwnState> memories() const {
        std::vector<Machine::OwnState> memories;
        for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
            const Process& own = processes_[rank];
            const auto& code = (*code_)[rank];
            std::set<std::size_t> asked;
            for (std::size_t i = own.at; i < code.size(); ++i) {
                if (code[i].kind == Instruction::Kind::jump_unless) {
                    asked.insert(find_slot(code, code[i].op.slot));
                }
            }
            base::DigestBuilder words;
            words.add(own.at).add(own.ended ? 1 : 0);
            for (std::size_t i = 0; i < code.size(); ++i) {
                const bool active = own.operations[i] != no_operation;
                words.add(active ? own.next - own.operations[i] : 0).add(own.completed[i] ? 1 : 0);
                words.add(asked.contains(i) ? static_cast<std::uint64_t>(own.sources[i]) : 0);
            }
            memories.push_back({.digest = words.value(), .last_operation = own.next - 1});
        }
        return memories;
    }

    static void check(bool taken) {
        if (!taken) {
            throw std::runtime_error("the machine refuses a call");
        }
    }

    /// Lets one rank that does not wait make its next call; false if all wait or have ended.
    bool go_on() {
        std::vector<std::size_t> free;
        for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
            if (!processes_[rank].waiting && !processes_[rank].ended) {
                free.push_back(rank);
            }
        }
        if (free.empty()) {
            return false;
        }
        step(free[random_() % free.size()]);
        return true;
    }

    void hand_out() {
        for (Machine::Reply& reply : machine_.take_replies()) {
            take(static_cast<std::size_t>(reply.rank), reply.answer);
        }
    }

    [[nodiscard]] Situation situation(const Process& own) const {
        Situation here;
        here.function = "MPI_Anything";
        here.zone = own.zone;
        return here;
    }

    /// The rank waits for these instructions' operations.
    void wait(std::size_t rank, WaitMode mode, const std::vector<std::size_t>& instructions,
              std::vector<std::uint32_t> positions = {}) {
        Process& own = processes_[rank];
        WaitCall call;
        call.mode = mode;
        for (const std::size_t instruction : instructions) {
            call.operations.push_back(own.operations[instruction]);
        }
        call.positions = std::move(positions);
        const Op& op = (*code_)[rank][own.at].op;
        const bool all_told = std::all_of(instructions.begin(), instructions.end(),
                                          [&](std::size_t instruction) { return own.told[instruction]; });
        own.polls_now = is_polling(op.kind) && !all_told;
        if (own.polls_now) {
            call.turn = turn(own, {op.kind, op.slots});
        }
        call.situation = situation(own);
        own.waiting = true;
        check(machine_.take(static_cast<Rank>(rank), call));
    }

    static PollingTurn turn(Process& own, const std::pair<OpKind, std::vector<int>>& asked) {
        const auto known = std::find(own.polls.begin(), own.polls.end(), asked);
        PollingTurn turn;
        turn.poll = static_cast<std::uint32_t>(known - own.polls.begin());
        if (known == own.polls.end()) {
            own.polls.push_back(asked);
        }
        const bool known_to_end = is_known_to_give_up(own.at);
        turn.repetition =
            static_cast<std::uint32_t>(known_to_end ? replay::Repetition::gives_up : replay::Repetition::undecided);
        turn.turns_after = known_to_end ? 1 : 0;
        turn.begins = turn.poll == 0 && own.false_answers == 0 ? 1 : 0;
        return turn;
    }

    void send(std::size_t rank, SendMode mode, bool waits) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
        if (op.peer == nobody) {
            return to_nobody(rank);
        }
        SendCall call;
        call.operation = waits || has_request(op.kind) ? own.next++ : no_operation;
        call.comm = comm(op);
        call.destination = op.peer;
        call.tag = op.tag;
        call.mode = mode;
        call.bytes = message_bytes(op);
        own.operations[own.at] = call.operation;
        check(machine_.take(static_cast<Rank>(rank), call));
        if (waits) {
            wait(rank, WaitMode::all, {own.at});
        } else {
            ++own.at;
        }
    }

    void receive(std::size_t rank, bool waits) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
        if (op.peer == nobody) {
            return to_nobody(rank);
        }
        ReceiveCall call;
        call.operation = own.operations[own.at] = own.next++;
        call.comm = comm(op);
        call.source = op.peer == any ? base::any_source : op.peer;
        call.tag = op.tag == any ? base::any_tag : op.tag;
        call.situation = situation(own);
        check(machine_.take(static_cast<Rank>(rank), call));
        if (waits) {
            wait(rank, WaitMode::all, {own.at});
        } else {
            ++own.at;
        }
    }

    void to_nobody(std::size_t rank) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
        if (has_request(op.kind)) {
            ImmediateCall call;
            call.operation = own.operations[own.at] = own.next++;
            own.told[own.at] = true;
            check(machine_.take(static_cast<Rank>(rank), call));
        } else {
            own.completed[own.at] = true;
        }
        ++own.at;
    }

    static Collective collective(OpKind kind) {
        switch (blocking_form(kind)) {
            case OpKind::bcast:
                return Collective::bcast;
            case OpKind::reduce:
                return Collective::reduce;
            case OpKind::allreduce:
                return Collective::allreduce;
            case OpKind::allgather:
                return Collective::allgather;
            case OpKind::alltoall:
                return Collective::alltoall;
            case OpKind::gather:
                return Collective::gather;
            case OpKind::scatter:
                return Collective::scatter;
            case OpKind::scan:
                return Collective::scan;
            case OpKind::exscan:
                return Collective::exscan;
            default:
                return Collective::barrier;
        }
    }

    void enter(std::size_t rank) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
        const bool nonblocking = is_nonblocking_collective(op.kind);
        CollectiveCall call;
        call.operation = own.operations[own.at] = own.next++;
        call.comm = comm(op);
        call.collective =
            operation_number(collective(op.kind), nonblocking ? CollectiveForm::nonblocking : CollectiveForm::blocking);
        call.root = has_peer(op.kind) ? op.peer : -1;
        const bool at_root = static_cast<Rank>(rank) == op.peer;
        const Flow flows = flow(op.kind);
        if (flows == Flow::everyone || (flows == Flow::to_root && at_root)) {
            call.sources = Sources::everyone;
        } else if (flows == Flow::lower) {
            call.sources = Sources::lower;
        } else if (flows == Flow::from_root && !at_root) {
            call.sources = Sources::listed;
            call.listed = {op.peer};
        }
        ++own.zone;
        check(machine_.take(static_cast<Rank>(rank), call));
        if (nonblocking) {
            ++own.at;
        } else {
            wait(rank, WaitMode::all, {own.at});
        }
    }

    void receive_matched(std::size_t rank) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
        const std::size_t probed = find_slot((*code_)[rank], op.slots.front());
        if (probed == (*code_)[rank].size() || own.messages[probed] == 0) {
            ++own.at;
            return;
        }
        MatchedReceiveCall call;
        call.operation = own.operations[own.at] = own.next++;
        call.message = std::exchange(own.messages[probed], 0);
        check(machine_.take(static_cast<Rank>(rank), call));
        if (op.kind == OpKind::mrecv) {
            wait(rank, WaitMode::all, {own.at});
        } else {
            ++own.at;
        }
    }

    void cancel_or_free(std::size_t rank) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
        const std::size_t index = find_slot((*code_)[rank], op.slots.front());
        const bool known = index != (*code_)[rank].size() && own.operations[index] != no_operation;
        const OpKind of = known ? (*code_)[rank][index].op.kind : op.kind;
        if (op.kind == OpKind::free && known && has_request(of) && !is_nonblocking_collective(of)) {
            FreeCall call;
            call.operation = std::exchange(own.operations[index], no_operation);
            check(machine_.take(static_cast<Rank>(rank), call));
        } else if (op.kind == OpKind::cancel && of == OpKind::irecv && !own.cancelled[index] &&
                   (*code_)[rank][index].op.peer != nobody) {
            own.cancelled[index] = true;
            CancelCall call;
            call.operation = own.operations[index];
            call.situation = situation(own);
            check(machine_.take(static_cast<Rank>(rank), call));
        }
        ++own.at;
    }

    /// The active requests among the slots: their instructions, and their positions.
    std::vector<std::size_t> active(std::size_t rank, const Op& op, std::vector<std::uint32_t>& positions) const {
        const Process& own = processes_[rank];
        std::vector<std::size_t> instructions;
        for (std::size_t i = 0; i < op.slots.size(); ++i) {
            const std::size_t index = find_slot((*code_)[rank], op.slots[i]);
            if (index != (*code_)[rank].size() && own.operations[index] != no_operation &&
                std::find(instructions.begin(), instructions.end(), index) == instructions.end()) {
                instructions.push_back(index);
                positions.push_back(static_cast<std::uint32_t>(i));
            }
        }
        return instructions;
    }

    void wait_for_slots(std::size_t rank, WaitMode mode) {
        Process& own = processes_[rank];
        std::vector<std::uint32_t> positions;
        const Op& op = (*code_)[rank][own.at].op;
        const std::vector<std::size_t> instructions = active(rank, op, positions);
        if (instructions.empty()) {
            ++own.at;
            return;
        }
        wait(rank, mode, instructions, std::move(positions));
    }

    void probe(std::size_t rank) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
        if (op.peer == nobody) {
            return to_nobody(rank);
        }
        ProbeCall call;
        call.polling = is_polling(op.kind) ? 1 : 0;
        call.matched = is_matched_probe(op.kind) ? 1 : 0;
        own.polls_now = is_polling(op.kind);
        if (own.polls_now) {
            call.turn = turn(own, {op.kind, {op.comm, op.peer, op.tag}});
        }
        call.comm = comm(op);
        call.source = op.peer == any ? base::any_source : op.peer;
        call.tag = op.tag == any ? base::any_tag : op.tag;
        call.situation = situation(own);
        own.waiting = true;
        check(machine_.take(static_cast<Rank>(rank), call));
    }

    void step(std::size_t rank) {
        Process& own = processes_[rank];
        if (own.at == (*code_)[rank].size()) {
            own.ended = true;
            machine_.end(static_cast<Rank>(rank));
            return;
        }
        const Instruction& instruction = (*code_)[rank][own.at];
        const Op& op = instruction.op;
        if (instruction.kind == Instruction::Kind::jump) {
            own.at = instruction.target;
            return;
        }
        if (instruction.kind == Instruction::Kind::jump_unless) {
            const std::size_t asked = find_slot((*code_)[rank], op.slot);
            const bool holds = asked != (*code_)[rank].size() && own.completed[asked] &&
                               (op.kind == OpKind::branch_done || own.sources[asked] == op.peer);
            own.at = holds ? own.at + 1 : instruction.target;
            return;
        }
        if (!is_polling(op.kind)) {
            own.polls.clear();
            own.false_answers = 0;
        }
        if (is_collective(op.kind)) {
            return enter(rank);
        }
        switch (op.kind) {
            case OpKind::send:
                // Sometimes waited for although it is buffered.
                return send(rank, SendMode::standard, true);
            case OpKind::rsend:
                return send(rank, SendMode::ready, true);
            case OpKind::bsend:
                return send(rank, SendMode::buffered, false);
            case OpKind::isend:
                return send(rank, SendMode::standard, false);
            case OpKind::issend:
                return send(rank, SendMode::synchronous, false);
            case OpKind::ssend:
                return send(rank, SendMode::synchronous, true);
            case OpKind::recv:
                return receive(rank, true);
            case OpKind::irecv:
                return receive(rank, false);
            case OpKind::probe:
            case OpKind::mprobe:
            case OpKind::iprobe:
            case OpKind::improbe:
                return probe(rank);
            case OpKind::mrecv:
            case OpKind::imrecv:
                return receive_matched(rank);
            case OpKind::cancel:
            case OpKind::free:
                return cancel_or_free(rank);
            case OpKind::wait:
                return wait_for_slots(rank, WaitMode::all);
            case OpKind::waitany:
                return wait_for_slots(rank, WaitMode::any);
            case OpKind::waitsome:
                return wait_for_slots(rank, WaitMode::some);
            case OpKind::test:
                return wait_for_slots(rank, WaitMode::test);
            case OpKind::testany:
                return wait_for_slots(rank, WaitMode::test_any);
            case OpKind::testsome:
                return wait_for_slots(rank, WaitMode::test_some);
            case OpKind::testall:
                return wait_for_slots(rank, WaitMode::test_all);
            case OpKind::getstatus:
                return wait_for_slots(rank, WaitMode::get_status);
            default:  // brackets: the machine is not told
                ++own.at;
        }
    }

    /// The rank's call returns.
    void take(std::size_t rank, const Answer& answer) {
        Process& own = processes_[rank];
        own.waiting = false;
        const Op& op = (*code_)[rank][own.at].op;
        for (const Completion& each : answer.completions) {
            const bool of_probe = each.operation == no_operation;
            if (each.freed != 0 || op.kind == OpKind::getstatus) {
                continue;
            }
            const auto place =
                of_probe
                    ? own.at
                    : static_cast<std::size_t>(std::find(own.operations.begin(), own.operations.end(), each.operation) -
                                               own.operations.begin());
            own.completed[place] = true;
            own.sources[place] = each.cancelled != 0 ? base::any_source : each.source;
            own.operations[place] = no_operation;
            own.messages[place] = of_probe ? answer.message : 0;
        }
        if (own.polls_now && answer.flag == 0) {
            ++own.false_answers;
        } else if (own.polls_now) {
            own.polls.clear();
            own.false_answers = 0;
        }
        if (op.kind == OpKind::getstatus && answer.flag != 0) {
            const std::size_t index = find_slot((*code_)[rank], op.slots.front());
            own.told[index] = index != (*code_)[rank].size();
        }
        if (answer.flag == 0 && ++own.tries < op.times) {
            return;
        }
        own.tries = 0;
        ++own.at;
    }

    const std::vector<std::vector<Instruction>>* code_;
    std::mt19937_64 random_;
    Machine machine_;
    std::vector<Process> processes_;
};

CentralSimulation::CentralSimulation(const Program& program, replay::Buffering buffering, std::uint32_t state_without)
    : buffering_(buffering), state_without_(state_without) {
    for (const auto& ops : program.ranks) {
        code_.push_back(flatten(ops));
    }
}

CentralSimulation::~CentralSimulation() = default;

SimulatedRun CentralSimulation::run(const std::vector<replay::Decision>& decisions, clocks::Protocol protocol,
                                    std::uint64_t seed, std::uint64_t number,
                                    scheduler::central::VisitedStates* visited) {
    std::mt19937_64 random(seed);
    std::vector<const Run*> fitting;
    for (const Run& each : kept_) {
        if (each.agrees(decisions)) {
            fitting.push_back(&each);
        }
    }
    if (!fitting.empty() && random() % 4 != 0) {
        ++went_on_;
        Run copy(*fitting[random() % fitting.size()]);
        copy.become(decisions, seed);
        return copy.execute(kept_, number, visited);
    }
    Run run(code_, buffering_, decisions, protocol, seed, state_without_);
    run.begin();
    return run.execute(kept_, number, visited);
}

}  // namespace dampi::oracle
