#include "tests/oracle/reference_explorer.hpp"

#include "tests/oracle/instructions.hpp"
#include "tests/oracle/simulation.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>

namespace dampi::oracle {
namespace {

using replay::Decision;
using replay::Epoch;
using replay::EpochId;
using replay::EpochKind;
using replay::Outcome;
using replay::Rank;
using replay::RunRecord;

constexpr std::uint32_t no_limit = ~std::uint32_t{0};

/// What the program's text says of an epoch.
struct Facts {
    std::uint32_t zone = 0;
    bool bracketed = false;
    std::uint32_t bracket_bound = no_limit;  ///< the smallest of the brackets around it
    std::uint32_t iteration = 1;             ///< of those that its rank calls from the same place
    int place = own_place;
    std::optional<int> communicator;  ///< of what chooses a message
};

/// Follows one rank through the program, with the outcomes of a run, and notes where its epochs stand. Where the rank
/// of the run stops, in a deadlock, this goes on, with nothing but epochs that nobody asks for.
class Walk {
public:
    Walk(const std::vector<Instruction>& code, std::vector<const Outcome*> outcomes) : outcomes_(std::move(outcomes)) {
        for (std::size_t at = 0; at < code.size();) {
            const Instruction& instruction = code[at];
            switch (instruction.kind) {
                case Instruction::Kind::jump:
                    at = instruction.target;
                    break;
                case Instruction::Kind::jump_unless:
                    at = holds(instruction.op) ? at + 1 : instruction.target;
                    break;
                case Instruction::Kind::op:
                    perform(instruction.op);
                    ++at;
                    break;
            }
        }
    }

    /// By index; at least as many as the rank had.
    std::vector<Facts> facts;

private:
    struct Slot {
        bool active = false;     ///< a request that the rank does not know to be complete
        bool completed = false;  ///< the rank has been told
        int source = any;        ///< of what was received, known when completed
    };

    bool holds(const Op& branch) {
        const Slot& slot = slots_[branch.slot];
        return slot.completed && (branch.kind == OpKind::branch_done || slot.source == branch.peer);
    }

    /// The outcome of the epoch that the rank comes to now.
    const Outcome* come_to(const Op& op) {
        const std::size_t index = facts.size();
        Facts& here = facts.emplace_back();
        here.zone = zone_;
        for (const int bound : brackets_) {
            if (bound == nothing_inside) {
                here.bracketed = true;
            } else {
                here.bracket_bound = std::min(here.bracket_bound, static_cast<std::uint32_t>(bound));
            }
        }
        here.place = op.place;
        // From a place of its own an operation is called once; from another one always by the same caller.
        here.iteration = op.place == own_place ? 1 : ++calls_[op.place];
        if (is_receive_or_probe(op.kind)) {
            here.communicator = op.comm;
        }
        return index < outcomes_.size() ? outcomes_[index] : nullptr;
    }

    void complete(int name) {
        Slot& slot = slots_[name];
        if (slot.active) {
            slot.active = false;
            slot.completed = true;
        }
    }

    void perform(const Op& op) {
        switch (op.kind) {
            case OpKind::isend:
            case OpKind::issend:
                slots_[op.slot].active = true;
                break;
            case OpKind::recv:
            case OpKind::irecv:
            case OpKind::probe: {
                Slot& slot = slots_[op.slot];
                slot.source = op.peer;
                slot.active = true;
                if (is_wildcard(op)) {
                    const Outcome* outcome = come_to(op);
                    slot.source = outcome == nullptr ? any : static_cast<int>(outcome->source);
                }
                if (op.kind != OpKind::irecv) {
                    complete(op.slot);
                }
                break;
            }
            case OpKind::wait:
                std::for_each(op.slots.begin(), op.slots.end(), [&](int slot) { complete(slot); });
                break;
            case OpKind::waitany:
            case OpKind::waitsome: {
                const auto active =
                    std::count_if(op.slots.begin(), op.slots.end(), [&](int slot) { return slots_[slot].active; });
                if (active < 2) {
                    std::for_each(op.slots.begin(), op.slots.end(), [&](int slot) { complete(slot); });
                } else if (const Outcome* outcome = come_to(op)) {
                    for (const std::uint32_t position : outcome->completed) {
                        complete(op.slots.at(position));
                    }
                }
                break;
            }
            case OpKind::barrier:
            case OpKind::bcast:
            case OpKind::reduce:
                ++zone_;
                break;
            case OpKind::bracket:
                brackets_.push_back(op.bound);
                break;
            case OpKind::unbracket:
                if (!brackets_.empty()) {
                    brackets_.pop_back();
                }
                break;
            case OpKind::send:
            case OpKind::ssend:
            case OpKind::bsend:
            case OpKind::branch:
            case OpKind::branch_done:
                break;
            default:
                throw std::logic_error("the reference model of bounded searches knows only what programs of old do");
        }
    }

    std::vector<const Outcome*> outcomes_;  ///< by index; null: none
    std::map<int, Slot> slots_;
    std::uint32_t zone_ = 0;
    std::vector<int> brackets_;
    std::map<int, std::uint32_t> calls_;  ///< by place
};

/// Decisions by epoch.
using Decided = std::map<EpochId, Decision>;

std::vector<Decision> list(const Decided& decided) {
    std::vector<Decision> decisions;
    for (const auto& [id, decision] : decided) {
        decisions.push_back(decision);
    }
    return decisions;
}

Decision decision(const Epoch& epoch, Outcome outcome) {
    return {.epoch = epoch.id, .kind = epoch.kind, .comm = epoch.comm, .tag = epoch.tag, .outcome = std::move(outcome)};
}

struct Alternative {
    Outcome outcome;
    clocks::Clock past;
};

bool belongs_to(const clocks::Clock& past, const EpochId& id) { return past.vector.knows(id.rank, id.index); }

/// What a run shows that the epoch could have come to.
std::vector<Alternative> alternatives_of(const Epoch& epoch) {
    std::vector<Alternative> all;
    for (const replay::PotentialMatch& match : epoch.potential_matches) {
        all.push_back(
            {{.source = match.source, .tag = match.tag, .number = match.number, .completed = {}}, match.past});
    }
    // Any set of those that could have completed, or any one.
    const std::size_t sets = std::size_t{1} << epoch.completable.size();
    for (std::size_t set = 1; epoch.outcome && set < sets; ++set) {
        Alternative each{{}, epoch.posted};
        for (std::size_t i = 0; i < epoch.completable.size(); ++i) {
            if (((set >> i) & 1U) != 0) {
                each.outcome.completed.push_back(epoch.completable[i].position);
                each.past.merge(epoch.completable[i].known);
            }
        }
        if (epoch.kind == EpochKind::wait_some || each.outcome.completed.size() == 1) {
            all.push_back(std::move(each));
        }
    }
    std::erase_if(all, [&](const Alternative& each) {
        return belongs_to(each.past, epoch.id) || (epoch.outcome && each.outcome.source == epoch.outcome->source &&
                                                   each.outcome.completed == epoch.outcome->completed);
    });
    return all;
}

/// One run of the set.
struct Node {
    Decided decided;
    RunRecord record;
    std::vector<std::size_t> steps;  ///< places in record.epochs
    std::vector<bool> admitted;      ///< by step
    /// Of the runs for the alternatives of each step.
    std::vector<std::uint32_t> steps_left, last_zone;
    std::size_t parent = 0;
    std::size_t origin = 0;  ///< the step of the parent that it has an alternative of
};

class ReferenceExplorer {
public:
    ReferenceExplorer(const Program& program, const ReferenceBounds& bounds, std::uint64_t timing, std::size_t most)
        : simulation_(program), bounds_(bounds), timing_(timing), most_(most) {
        for (const std::vector<Op>& ops : program.ranks) {
            code_.push_back(flatten(ops));
        }
    }

    ReferenceSet explore() {
        add({}, 0, 0, no_limit, no_limit);
        for (std::size_t shows = 0; shows < nodes_.size() && set_.faults.empty(); ++shows) {
            // What it shows of its own steps, and of those that it keeps of the runs that it came from.
            look_at(shows, shows, nodes_[shows].steps.size());
            for (std::size_t at = shows; at != 0; at = nodes_[at].parent) {
                look_at(shows, nodes_[at].parent, nodes_[at].origin);
            }
        }
        return std::move(set_);
    }

private:
    /// The alternatives that one run shows of the first so many steps of another one.
    void look_at(std::size_t shows, std::size_t of, std::size_t steps) {
        for (std::size_t i = 0; i < steps; ++i) {
            if (!nodes_[of].admitted[i]) {
                continue;
            }
            const EpochId& id = nodes_[of].record.epochs[nodes_[of].steps[i]].id;
            const auto& epochs = nodes_[shows].record.epochs;
            const auto epoch =
                std::find_if(epochs.begin(), epochs.end(), [&](const Epoch& each) { return each.id == id; });
            if (epoch == epochs.end()) {
                set_.faults.push_back("a decided epoch is not there");
                return;
            }
            for (const Alternative& alternative : alternatives_of(*epoch)) {
                Decided decided = nodes_[of].decided;
                for (std::size_t j = 0; j < i; ++j) {
                    const Epoch& step = nodes_[of].record.epochs[nodes_[of].steps[j]];
                    decide(decided, decision(step, step.outcome.value()));
                }
                for (const Epoch& earlier : epochs) {
                    if (belongs_to(alternative.past, earlier.id)) {
                        decide(decided, decision(earlier, earlier.outcome.value()));
                    }
                }
                decide(decided, decision(*epoch, alternative.outcome));
                add(std::move(decided), of, i, nodes_[of].steps_left[i], nodes_[of].last_zone[i]);
            }
        }
    }

    void decide(Decided& decided, Decision made) {
        const auto [there, is_new] = decided.try_emplace(made.epoch, made);
        if (!is_new && there->second != made) {
            set_.faults.push_back("two decisions for the same epoch");
        }
    }

    /// A run of the set, unless it is there.
    void add(Decided decided, std::size_t parent, std::size_t origin, std::uint32_t steps_left,
             std::uint32_t last_zone) {
        const std::vector<Decision> decisions = list(decided);
        const std::string text = decisions_text(decisions);
        const auto [there, is_new] = known_.try_emplace(text, std::pair(parent, origin));
        if (!is_new) {
            if (there->second != std::pair(parent, origin)) {
                set_.faults.push_back("there are two ways to " + text);
            }
            return;
        }
        if (known_.size() > most_) {
            set_.faults.push_back("there are more interleavings than outcomes");
            return;
        }
        SimulatedRun run = simulation_.run(decisions, clocks::Protocol::vector, free_run_seed(decisions, timing_));
        set_.interleavings.insert({text, {.matches = outcome_text(run.record), .deadlock = run.deadlock}});
        Node& node = nodes_.emplace_back();
        node.decided = std::move(decided);
        node.record = std::move(run.record);
        node.parent = parent;
        node.origin = origin;
        if (node.record.diverged || !follows(node)) {
            set_.faults.push_back("a run does not follow " + text);
        }
        admit_steps(node, steps_left, last_zone);
    }

    static bool follows(const Node& node) {
        std::size_t found = 0;
        for (const Epoch& epoch : node.record.epochs) {
            const auto decided = node.decided.find(epoch.id);
            if (decided == node.decided.end()) {
                continue;
            }
            const Outcome& wanted = decided->second.outcome;
            found +=
                epoch.outcome && epoch.outcome->source == wanted.source && epoch.outcome->completed == wanted.completed
                    ? 1
                    : 0;
        }
        return found == node.decided.size();
    }

    void admit_steps(Node& node, std::uint32_t steps_left, std::uint32_t last_zone) const {
        const std::vector<Epoch>& epochs = node.record.epochs;
        std::vector<std::vector<Facts>> facts;
        for (std::size_t rank = 0; rank < code_.size(); ++rank) {
            std::vector<const Outcome*> outcomes;
            for (const Epoch& epoch : epochs) {
                if (epoch.id.rank == static_cast<Rank>(rank)) {
                    outcomes.push_back(epoch.outcome ? &*epoch.outcome : nullptr);
                }
            }
            facts.push_back(Walk(code_[rank], std::move(outcomes)).facts);
        }
        const auto size_of_past = [&](std::size_t i) {
            return std::count_if(epochs.begin(), epochs.end(),
                                 [&](const Epoch& each) { return belongs_to(epochs[i].past, each.id); });
        };
        for (std::size_t i = 0; i < epochs.size(); ++i) {
            if (epochs[i].outcome && !node.decided.contains(epochs[i].id)) {
                node.steps.push_back(i);
            }
        }
        std::stable_sort(node.steps.begin(), node.steps.end(),
                         [&](std::size_t a, std::size_t b) { return size_of_past(a) < size_of_past(b); });
        for (std::uint32_t i = 0; i < node.steps.size(); ++i) {
            const EpochId& id = epochs[node.steps[i]].id;
            const Facts& here = facts.at(static_cast<std::size_t>(id.rank)).at(id.index);
            const std::uint32_t number = i + 1;
            bool admitted = number <= steps_left && here.zone <= last_zone;
            admitted = admitted && !(bounds_.brackets && here.bracketed);
            admitted = admitted && (!bounds_.loop || here.iteration <= *bounds_.loop);
            admitted = admitted && (bounds_.explore.empty() || is_in(bounds_.explore, id.rank, here)) &&
                       !is_in(bounds_.skip, id.rank, here);
            std::uint32_t mixing = bounds_.mixing.value_or(no_limit);
            if (bounds_.brackets) {
                mixing = std::min(mixing, here.bracket_bound);
            }
            std::uint32_t left_after = steps_left;
            std::uint32_t zone_after = last_zone;
            if (mixing != no_limit && bounds_.zones) {
                zone_after = std::min(last_zone, here.zone + mixing);
            }
            if (!bounds_.zones) {
                left_after = steps_left == no_limit || number > steps_left ? steps_left : steps_left - number;
                left_after = std::min(left_after, mixing);
            }
            node.admitted.push_back(admitted);
            node.steps_left.push_back(left_after);
            node.last_zone.push_back(zone_after);
        }
    }

    static bool is_in(const std::vector<NamedPart>& parts, Rank rank, const Facts& facts) {
        return std::any_of(parts.begin(), parts.end(), [&](const NamedPart& part) {
            switch (part.kind) {
                case NamedPart::Kind::communicator:
                    return facts.communicator == part.which;
                case NamedPart::Kind::place:
                    return facts.place == part.which;
                case NamedPart::Kind::rank:
                    return static_cast<int>(rank) == part.which;
            }
            return false;
        });
    }

    Simulation simulation_;
    std::vector<std::vector<Instruction>> code_;  ///< by rank
    ReferenceBounds bounds_;
    std::uint64_t timing_;
    std::size_t most_;
    std::deque<Node> nodes_;                                            ///< their addresses stay
    std::map<std::string, std::pair<std::size_t, std::size_t>> known_;  ///< decisions -> parent and its step
    ReferenceSet set_;
};

}  // namespace

ReferenceSet explore_by_definition(const Program& program, const ReferenceBounds& bounds, std::uint64_t timing,
                                   std::size_t most) {
    return ReferenceExplorer(program, bounds, timing, most).explore();
}

std::string decisions_text(const std::vector<Decision>& decisions) {
    std::string text = "{";
    for (const Decision& each : decisions) {
        text += (text.size() > 1 ? " " : "") + std::to_string(each.epoch.rank) + "#" +
                std::to_string(each.epoch.index) + outcome_text(each.outcome);
    }
    return text + "}";
}

std::uint64_t free_run_seed(const std::vector<Decision>& decisions, std::uint64_t timing) {
    std::uint64_t hash = 0xcbf29ce484222325U ^ timing;  // FNV-1a
    for (const char letter : decisions_text(decisions)) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    }
    return hash;
}

}  // namespace dampi::oracle
