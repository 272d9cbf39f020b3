#include "tests/oracle/model.hpp"

#include "tests/oracle/instructions.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dampi::oracle {
namespace {

constexpr std::size_t no_test = 255;

enum class Phase : char {
    idle,      ///< not issued
    active,    ///< issued: posted, sent, entered
    matched,   ///< it could complete
    completed  ///< the rank knows that it has
};

/// What has become of one instruction. There are no loops: each is executed once at most.
struct Progress {
    Phase phase = Phase::idle;
    signed char source = any;    ///< of a matched receive or probe
    signed char epoch = -1;      ///< of a wildcard or a choice: its index among the rank's
    unsigned char falses = 0;    ///< of the first test of a sequence: how often it answered false
    unsigned char reported = 0;  ///< of a completed choice: a bit for each position
};

struct RankState {
    std::size_t at = 0;               ///< the next instruction
    std::vector<Progress> progress;   ///< by instruction
    std::vector<std::size_t> posted;  ///< unmatched receives, as instructions, in the order of posting
    signed char epochs = 0;
    signed char collectives = 0;    ///< entered
    std::size_t polling = no_test;  ///< the first test of the sequence that the rank is in
};

struct State {
    std::vector<RankState> ranks;
    /// [source][destination]: unmatched messages, as the sender's instructions, in the order of sending.
    std::vector<std::vector<std::vector<std::size_t>>> messages;
};

std::string key(const State& state) {
    std::string text;
    const auto add = [&](std::size_t value) { text.push_back(static_cast<char>(value)); };
    const auto add_list = [&](const std::vector<std::size_t>& list) {
        add(list.size());
        std::for_each(list.begin(), list.end(), add);
    };
    for (const RankState& rank : state.ranks) {
        add(rank.at);
        for (const Progress& progress : rank.progress) {
            text.push_back(static_cast<char>(progress.phase));
            text.push_back(static_cast<char>(progress.source));
            text.push_back(static_cast<char>(progress.epoch));
            text.push_back(static_cast<char>(progress.reported));
            text.push_back(static_cast<char>(progress.falses));
        }
        add_list(rank.posted);
        text.push_back(static_cast<char>(rank.collectives));
        add(rank.polling);
    }
    for (const auto& from : state.messages) {
        for (const auto& to : from) {
            add_list(to);
        }
    }
    return text;
}

/// "0+2" or "none".
std::string positions_text(unsigned positions) {
    std::string text;
    for (int position = 0; positions != 0; ++position, positions >>= 1U) {
        if ((positions & 1U) != 0) {
            text += (text.empty() ? "" : "+") + std::to_string(position);
        }
    }
    return text.empty() ? "none" : text;
}

class Enumerator {
public:
    Enumerator(const Program& program, const ModelOptions& options) : options_(options) {
        for (const auto& ops : program.ranks) {
            code_.push_back(flatten(ops));
        }
    }

    std::optional<std::set<Execution>> run() {
        State state;
        const std::size_t ranks = code_.size();
        state.ranks.resize(ranks);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            state.ranks[rank].progress.resize(code_[rank].size());
        }
        state.messages.assign(ranks, std::vector<std::vector<std::size_t>>(ranks));
        if (!explore(std::move(state))) {
            return std::nullopt;
        }
        return std::move(executions_);
    }

private:
    /// A receive or a probe of `rank` meets the message at `position` among those from `source`.
    struct Match {
        std::size_t rank;
        std::size_t instruction;
        std::size_t source;
        std::size_t position;
    };

    /// A rank's test, or wait for any or some requests, reports those at these positions (a bit for each; none: false).
    struct Choice {
        std::size_t rank;
        unsigned char positions;
    };

    /// Everything that can follow. False: too much.
    bool explore(State state) {
        if (!options_.every_order) {
            for (std::size_t rank = 0; rank < code_.size();) {
                rank = step(state, rank) ? 0 : rank + 1;
            }
        }
        if (!seen_.insert(key(state)).second) {
            return true;
        }
        if (seen_.size() > options_.most_states) {
            return false;
        }
        bool ended = true;
        if (options_.every_order) {
            for (std::size_t rank = 0; rank < code_.size(); ++rank) {
                State next = state;
                if (step(next, rank)) {
                    ended = false;
                    if (!explore(std::move(next))) {
                        return false;
                    }
                }
            }
        }
        for (const Match& match : possible_matches(state)) {
            ended = false;
            State next = state;
            perform(next, match);
            if (!explore(std::move(next))) {
                return false;
            }
        }
        for (const Choice& choice : possible_choices(state)) {
            ended = false;
            State next = state;
            perform(next, choice);
            if (!explore(std::move(next))) {
                return false;
            }
        }
        if (ended) {
            executions_.insert(execution(state));
        }
        return true;
    }

    /// Lets a rank make one step; false when it cannot.
    bool step(State& state, std::size_t rank) const {
        RankState& own = state.ranks[rank];
        if (own.at == code_[rank].size()) {
            return false;
        }
        const Instruction& instruction = code_[rank][own.at];
        Progress& progress = own.progress[own.at];
        const Op& op = instruction.op;
        const auto go_on = [&] {
            progress.phase = Phase::completed;
            ++own.at;
            return true;
        };
        const auto send = [&] {
            state.messages[rank][static_cast<std::size_t>(op.peer)].push_back(own.at);
            progress.phase = Phase::active;
        };
        const auto post = [&] {
            progress.phase = Phase::active;
            if (is_wildcard(op)) {
                progress.epoch = own.epochs++;
            }
            if (op.kind != OpKind::probe) {
                own.posted.push_back(own.at);
            }
        };
        if (instruction.kind == Instruction::Kind::jump) {
            own.at = instruction.target;
            return true;
        }
        if (instruction.kind == Instruction::Kind::jump_unless) {
            const std::size_t asked = find_slot(code_[rank], op.slot);
            const bool holds = asked != code_[rank].size() && own.progress[asked].phase == Phase::completed &&
                               (op.kind == OpKind::branch_done || own.progress[asked].source == op.peer);
            own.at = holds ? own.at + 1 : instruction.target;
            return true;
        }
        if (op.kind != OpKind::test) {
            own.polling = no_test;
        }
        switch (op.kind) {
            case OpKind::bsend:
                send();
                return go_on();
            case OpKind::send:
                if (progress.phase == Phase::idle) {
                    send();
                    give_room(state, rank);
                    return true;
                }
                return progress.phase == Phase::matched && go_on();
            case OpKind::isend:
                send();
                give_room(state, rank);
                ++own.at;
                return true;
            case OpKind::issend:
                send();
                ++own.at;
                return true;
            case OpKind::irecv:
                post();
                ++own.at;
                return true;
            case OpKind::ssend:
                if (progress.phase == Phase::idle) {
                    send();
                    return true;
                }
                return progress.phase == Phase::matched && go_on();
            case OpKind::recv:
            case OpKind::probe:
                if (progress.phase == Phase::idle) {
                    post();
                    return true;
                }
                return progress.phase == Phase::matched && go_on();
            case OpKind::wait:
                return wait(own, rank, op) && go_on();
            case OpKind::waitany:
            case OpKind::waitsome:
                if (progress.phase == Phase::idle) {
                    progress.phase = Phase::active;
                    if (count_active(own, rank, op) > 1) {
                        progress.epoch = own.epochs++;
                    }
                    return true;
                }
                return progress.epoch == -1 && wait(own, rank, op) && go_on();
            case OpKind::test:
                if (progress.phase != Phase::idle) {
                    return false;  // its answer is a choice
                }
                if (count_active(own, rank, op) == 0) {
                    own.polling = no_test;
                    return go_on();
                }
                progress.phase = Phase::active;
                if (own.polling == no_test || code_[rank][own.polling].op.slots != op.slots) {
                    own.polling = own.at;
                    progress.epoch = own.epochs++;
                }
                return true;
            case OpKind::barrier:
            case OpKind::bcast:
            case OpKind::reduce:
                if (progress.phase == Phase::idle) {
                    progress.phase = Phase::active;
                    ++own.collectives;
                    return true;
                }
                return may_leave(state, rank, op) && go_on();
            case OpKind::bracket:
            case OpKind::unbracket:
                return go_on();
            case OpKind::branch:
            case OpKind::branch_done:
                break;
        }
        return false;
    }

    /// Messages of the rank in standard mode that have room could complete: they are buffered.
    void give_room(State& state, std::size_t rank) const {
        std::vector<std::size_t> open;
        for (const auto& to : state.messages[rank]) {
            open.insert(open.end(), to.begin(), to.end());
        }
        std::sort(open.begin(), open.end());  // there are no loops: in the order of sending
        std::uint64_t taken = 0;
        for (const std::size_t message : open) {
            const Op& op = code_[rank][message].op;
            if (op.kind != OpKind::send && op.kind != OpKind::isend) {
                continue;
            }
            const bool limited = options_.room != 0;
            if (limited && message_bytes(op) > options_.room) {
                continue;
            }
            taken += message_bytes(op);
            Progress& progress = state.ranks[rank].progress[message];
            if ((!limited || taken <= options_.room) && progress.phase == Phase::active) {
                progress.phase = Phase::matched;
            }
        }
    }

    /// Completes the requests if all of them can.
    bool wait(RankState& own, std::size_t rank, const Op& op) const {
        for (const int slot : op.slots) {
            const std::size_t index = find_slot(code_[rank], slot);
            if (index != code_[rank].size() && own.progress[index].phase == Phase::active) {
                return false;
            }
        }
        for (const int slot : op.slots) {
            const std::size_t index = find_slot(code_[rank], slot);
            if (index != code_[rank].size() && own.progress[index].phase == Phase::matched) {
                own.progress[index].phase = Phase::completed;
            }
        }
        return true;
    }

    /// How many of the requests have begun and not completed.
    [[nodiscard]] std::ptrdiff_t count_active(const RankState& own, std::size_t rank, const Op& op) const {
        return std::count_if(op.slots.begin(), op.slots.end(), [&](int slot) {
            const std::size_t index = find_slot(code_[rank], slot);
            return index != code_[rank].size() &&
                   (own.progress[index].phase == Phase::active || own.progress[index].phase == Phase::matched);
        });
    }

    [[nodiscard]] std::vector<Choice> possible_choices(const State& state) const {
        std::vector<Choice> choices;
        for (std::size_t rank = 0; rank < code_.size(); ++rank) {
            const RankState& own = state.ranks[rank];
            if (own.at == code_[rank].size() || own.progress[own.at].phase != Phase::active) {
                continue;
            }
            const Op& op = code_[rank][own.at].op;
            if (op.kind == OpKind::test) {
                choices.push_back({rank, 0});
            } else if ((op.kind != OpKind::waitany && op.kind != OpKind::waitsome) ||
                       own.progress[own.at].epoch == -1) {
                continue;
            }
            unsigned can = 0;
            for (std::size_t position = 0; position < op.slots.size(); ++position) {
                const std::size_t index = find_slot(code_[rank], op.slots[position]);
                if (index != code_[rank].size() && own.progress[index].phase == Phase::matched) {
                    can |= 1U << position;
                }
            }
            for (unsigned positions = 1; positions <= can; ++positions) {
                const bool single = (positions & (positions - 1)) == 0;
                if ((positions & ~can) == 0 && (single || op.kind == OpKind::waitsome)) {
                    choices.push_back({rank, static_cast<unsigned char>(positions)});
                }
            }
        }
        return choices;
    }

    void perform(State& state, const Choice& choice) const {
        RankState& own = state.ranks[choice.rank];
        const Op& op = code_[choice.rank][own.at].op;
        own.progress[own.at].phase = Phase::completed;
        if (op.kind == OpKind::test) {
            Progress& sequence = own.progress[own.polling];
            sequence.reported = choice.positions;
            sequence.falses += choice.positions == 0 ? 1 : 0;
            own.polling = choice.positions == 0 ? own.polling : no_test;
        } else {
            own.progress[own.at].reported = choice.positions;
        }
        for (std::size_t position = 0; position < op.slots.size(); ++position) {
            if (((choice.positions >> position) & 1U) != 0) {
                own.progress[find_slot(code_[choice.rank], op.slots[position])].phase = Phase::completed;
            }
        }
        ++own.at;
    }

    /// `rank` has entered the collective; all ranks have the same ones in the same order.
    static bool may_leave(const State& state, std::size_t rank, const Op& op) {
        const signed char number = state.ranks[rank].collectives;
        const auto has_entered = [&](const RankState& other) { return other.collectives >= number; };
        const bool all = std::all_of(state.ranks.begin(), state.ranks.end(), has_entered);
        const auto root = static_cast<std::size_t>(op.peer);
        if (op.kind == OpKind::bcast) {
            return has_entered(state.ranks[root]);
        }
        if (op.kind == OpKind::reduce) {
            return rank != root || all;
        }
        return all;
    }

    [[nodiscard]] bool fits(const Op& receive, std::size_t source, std::size_t message) const {
        const Op& sent = code_[source][message].op;
        return receive.comm == sent.comm && (receive.peer == any || receive.peer == static_cast<int>(source)) &&
               (receive.tag == any || receive.tag == sent.tag);
    }

    [[nodiscard]] std::vector<Match> possible_matches(const State& state) const {
        std::vector<Match> matches;
        for (std::size_t rank = 0; rank < code_.size(); ++rank) {
            const RankState& own = state.ranks[rank];
            for (const std::size_t instruction : own.posted) {
                add_matches(state, rank, instruction, matches);
            }
            if (own.at < code_[rank].size() && code_[rank][own.at].op.kind == OpKind::probe &&
                code_[rank][own.at].kind == Instruction::Kind::op && own.progress[own.at].phase == Phase::active) {
                add_matches(state, rank, own.at, matches);
            }
        }
        return matches;
    }

    void add_matches(const State& state, std::size_t rank, std::size_t instruction, std::vector<Match>& matches) const {
        const Op& receive = code_[rank][instruction].op;
        for (std::size_t source = 0; source < code_.size(); ++source) {
            const auto& sent = state.messages[source][rank];
            // Of two messages that fit, the second cannot be received while the first is pending.
            const auto first = std::find_if(sent.begin(), sent.end(),
                                            [&](std::size_t message) { return fits(receive, source, message); });
            if (first == sent.end()) {
                continue;
            }
            // Nor can a message be received while an earlier receive that it fits is pending.
            const auto& posted = state.ranks[rank].posted;
            const bool another_first = std::any_of(posted.begin(), posted.end(), [&](std::size_t other) {
                return other < instruction && fits(code_[rank][other].op, source, *first);
            });
            if (!another_first) {
                matches.push_back({rank, instruction, source, static_cast<std::size_t>(first - sent.begin())});
            }
        }
    }

    void perform(State& state, const Match& match) const {
        RankState& own = state.ranks[match.rank];
        Progress& receive = own.progress[match.instruction];
        receive.phase = Phase::matched;
        receive.source = static_cast<signed char>(match.source);
        if (code_[match.rank][match.instruction].op.kind == OpKind::probe) {
            return;
        }
        own.posted.erase(std::find(own.posted.begin(), own.posted.end(), match.instruction));
        auto& sent = state.messages[match.source][match.rank];
        const std::size_t message = sent[match.position];
        sent.erase(sent.begin() + static_cast<std::ptrdiff_t>(match.position));
        Progress& sender = state.ranks[match.source].progress[message];
        if (sender.phase == Phase::active) {
            sender.phase = Phase::matched;
        }
        give_room(state, match.source);
    }

    [[nodiscard]] Execution execution(const State& state) const {
        Execution result{.matches = "{"};
        for (std::size_t rank = 0; rank < code_.size(); ++rank) {
            const RankState& own = state.ranks[rank];
            result.deadlock = result.deadlock || own.at != code_[rank].size();
            for (signed char epoch = 0; epoch < own.epochs; ++epoch) {
                for (const Progress& progress : own.progress) {
                    if (progress.epoch == epoch &&
                        (progress.source != any || progress.reported != 0 || progress.falses != 0)) {
                        result.matches += (result.matches.size() > 1 ? " " : "") + std::to_string(rank) + "#" +
                                          std::to_string(epoch) +
                                          (progress.source != any ? "<-" + std::to_string(progress.source)
                                                                  : "=" + positions_text(progress.reported)) +
                                          (progress.falses != 0 ? "~" + std::to_string(progress.falses) : "");
                    }
                }
            }
        }
        result.matches += "}";
        return result;
    }

    ModelOptions options_;
    std::vector<std::vector<Instruction>> code_;  ///< by rank
    std::unordered_set<std::string> seen_;
    std::set<Execution> executions_;
};

}  // namespace

std::optional<std::set<Execution>> enumerate(const Program& program, const ModelOptions& options) {
    check(program);
    return Enumerator(program, options).run();
}

std::optional<std::set<Execution>> enumerate(const Program& program, const replay::Buffering& buffering) {
    return buffering == replay::Buffering::zero ? enumerate(without_buffering(program))
                                                : enumerate(program, ModelOptions{.room = buffering.bytes()});
}

}  // namespace dampi::oracle
