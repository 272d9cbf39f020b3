#include "tests/oracle/central_simulation.hpp"

#include "clocks/check.hpp"
#include "replay/area/collective_operation.hpp"
#include "scheduler/central/machine.hpp"
#include "scheduler/supervision/stuck_ranks.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>

namespace dampi::oracle {
namespace {

using clocks::Rank;
using namespace replay::central;
using replay::area::Collective;
using replay::area::CollectiveForm;
using scheduler::central::Machine;

struct Process {
    std::size_t at = 0;
    bool waiting = false;
    bool ended = false;
    std::uint32_t interrupted =
        0;  ///< since the last poll the program has called something that the machine is not told
    Operation next = 1;
    std::uint32_t zone = 0;
    std::vector<Operation> operations;  ///< by instruction; no_operation: not issued, or over
    std::vector<bool> completed;        ///< by instruction: the program knows
    std::vector<Rank> sources;          ///< by instruction
};

/// Of one program.
constexpr std::size_t most_kept = 12;

}  // namespace

class CentralSimulation::Run {
public:
    Run(const std::vector<std::vector<Instruction>>& code, replay::Buffering buffering,
        const std::vector<replay::Decision>& decisions, clocks::Protocol protocol, std::uint64_t seed)
        : code_(&code),
          random_(seed),
          machine_({.processes = static_cast<int>(code.size()),
                    .protocol = protocol,
                    .waits_from = buffering == replay::Buffering::zero ? 0 : std::numeric_limits<std::uint64_t>::max(),
                    .room = buffering.bytes(),
                    .collectives_wait = buffering == replay::Buffering::zero,
                    .free_seed = random_() % 4 == 0 ? 0 : random_()},
                   std::make_shared<const std::vector<replay::Decision>>(decisions)) {
        for (const auto& each : code) {
            Process& process = processes_.emplace_back();
            process.operations.resize(each.size());
            process.completed.resize(each.size());
            process.sources.resize(each.size(), clocks::any_source);
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
        // The second communicator has all ranks.
        CommunicatorCall second;
        second.comm = second_comm();
        for (std::size_t rank = 0; rank < code_->size(); ++rank) {
            second.members.push_back(static_cast<Rank>(rank));
        }
        for (std::size_t rank = 0; rank < code_->size(); ++rank) {
            check(machine_.take(static_cast<Rank>(rank), second));
        }
    }

    /// Some of the moments before a choice go to `kept`.
    SimulatedRun execute(std::vector<Run>& kept) {
        for (;;) {
            if (go_on()) {
                hand_out();
                continue;
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
        const auto states = machine_.states();
        const auto stuck = scheduler::stuck_ranks(states, scheduler::Polling::waits);
        for (std::size_t rank = 0; rank < code_->size(); ++rank) {
            run.deadlock = run.deadlock || !processes_[rank].ended;
            run.record.diverged = run.record.diverged || machine_.record(static_cast<Rank>(rank)).deviation();
            if (stuck[rank] == processes_[rank].ended) {
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
        run.unclear = machine_.other_room() != 0;
        return run;
    }

private:
    [[nodiscard]] clocks::CommId second_comm() const { return clocks::world_comm + 1 + code_->size(); }
    [[nodiscard]] clocks::CommId comm(const Op& op) const { return op.comm == 0 ? clocks::world_comm : second_comm(); }
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
        call.interrupted = own.interrupted;
        call.situation = situation(own);
        own.interrupted = 0;
        own.waiting = true;
        check(machine_.take(static_cast<Rank>(rank), call));
    }

    void send(std::size_t rank, SendMode mode, bool waits) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
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
        ReceiveCall call;
        call.operation = own.operations[own.at] = own.next++;
        call.comm = comm(op);
        call.source = op.peer == any ? clocks::any_source : op.peer;
        call.tag = op.tag == any ? clocks::any_tag : op.tag;
        call.situation = situation(own);
        check(machine_.take(static_cast<Rank>(rank), call));
        if (waits) {
            wait(rank, WaitMode::all, {own.at});
        } else {
            ++own.at;
        }
    }

    void enter(std::size_t rank) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
        CollectiveCall call;
        call.operation = own.operations[own.at] = own.next++;
        call.comm = clocks::world_comm;
        const bool at_root = static_cast<Rank>(rank) == op.peer;
        const Collective collective = op.kind == OpKind::barrier ? Collective::barrier
                                      : op.kind == OpKind::bcast ? Collective::bcast
                                                                 : Collective::reduce;
        call.collective = operation_number(collective, CollectiveForm::blocking);
        call.root = op.kind == OpKind::barrier ? -1 : op.peer;
        if (op.kind == OpKind::barrier || (op.kind == OpKind::reduce && at_root)) {
            call.sources = Sources::everyone;
        } else if (op.kind == OpKind::bcast && !at_root) {
            call.sources = Sources::listed;
            call.listed = {op.peer};
        }
        ++own.zone;
        check(machine_.take(static_cast<Rank>(rank), call));
        wait(rank, WaitMode::all, {own.at});
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
        const std::vector<std::size_t> instructions = active(rank, (*code_)[rank][own.at].op, positions);
        if (instructions.empty()) {
            own.interrupted = 1;
            ++own.at;
            return;
        }
        wait(rank, mode, instructions, std::move(positions));
    }

    void probe(std::size_t rank) {
        Process& own = processes_[rank];
        const Op& op = (*code_)[rank][own.at].op;
        ProbeCall call;
        call.comm = comm(op);
        call.source = op.peer == any ? clocks::any_source : op.peer;
        call.tag = op.tag == any ? clocks::any_tag : op.tag;
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
        switch (op.kind) {
            case OpKind::send:
                // Sometimes waited for although it is buffered.
                return send(rank, SendMode::standard, true);
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
                return probe(rank);
            case OpKind::wait:
                return wait_for_slots(rank, WaitMode::all);
            case OpKind::waitany:
                return wait_for_slots(rank, WaitMode::any);
            case OpKind::waitsome:
                return wait_for_slots(rank, WaitMode::some);
            case OpKind::test:
                return wait_for_slots(rank, WaitMode::test);
            case OpKind::barrier:
            case OpKind::bcast:
            case OpKind::reduce:
                return enter(rank);
            case OpKind::bracket:
            case OpKind::unbracket:
            case OpKind::branch:
            case OpKind::branch_done:
                own.interrupted = 1;
                ++own.at;
        }
    }

    /// The rank's call returns.
    void take(std::size_t rank, const Answer& answer) {
        Process& own = processes_[rank];
        own.waiting = false;
        if (answer.flag != 0) {
            for (const Completion& each : answer.completions) {
                const auto place = each.operation == no_operation
                                       ? own.at  // a probe
                                       : static_cast<std::size_t>(
                                             std::find(own.operations.begin(), own.operations.end(), each.operation) -
                                             own.operations.begin());
                own.completed[place] = true;
                own.sources[place] = each.source;
                own.operations[place] = no_operation;
            }
        }
        ++own.at;
    }

    const std::vector<std::vector<Instruction>>* code_;
    std::mt19937_64 random_;
    Machine machine_;
    std::vector<Process> processes_;
};

CentralSimulation::CentralSimulation(const Program& program, replay::Buffering buffering) : buffering_(buffering) {
    for (const auto& ops : program.ranks) {
        code_.push_back(flatten(ops));
    }
}

CentralSimulation::~CentralSimulation() = default;

SimulatedRun CentralSimulation::run(const std::vector<replay::Decision>& decisions, clocks::Protocol protocol,
                                    std::uint64_t seed) {
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
        return copy.execute(kept_);
    }
    Run run(code_, buffering_, decisions, protocol, seed);
    run.begin();
    return run.execute(kept_);
}

}  // namespace dampi::oracle
