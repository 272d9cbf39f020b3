#include "tests/oracle/model.hpp"

#include "tests/oracle/instructions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dampi::oracle {
namespace {

constexpr std::size_t no_test = 255;
constexpr std::size_t no_message = 255;
constexpr std::size_t communicators = 4;

enum class Phase : char {
    idle,       ///< not issued
    active,     ///< issued: posted, sent, entered
    matched,    ///< it could complete
    completed,  ///< the rank knows that it has
    freed       ///< nobody will ask for it any more
};

/// What has become of one instruction. There are no loops: each is executed once at most.
struct Progress {
    Phase phase = Phase::idle;
    signed char source = any;    ///< of a matched receive or probe, or a poll that has found it
    signed char epoch = -1;      ///< of a wildcard or a choice: its index among the rank's
    unsigned char falses = 0;    ///< of the first poll of a stretch: how often its polls answered false
    unsigned char poll = 0;      ///< likewise: which of its different polls has answered
    bool in_stretch = false;     ///< of a poll
    unsigned char reported = 0;  ///< of a completed choice: a bit for each position
    bool told = false;        ///< of a request: MPI_Request_get_status has said that it is complete, or it is of nobody
    unsigned char tries = 0;  ///< of a polling call: how often it answered false
    unsigned char sequence = 0;        ///< of a collective: how many on its communicator the rank had entered then
    std::size_t message = no_message;  ///< of a matched probe: what it holds
    bool cancelled = false;            ///< of a receive: MPI_Cancel has been called
};

struct RankState {
    std::size_t at = 0;               ///< the next instruction
    std::vector<Progress> progress;   ///< by instruction
    std::vector<std::size_t> posted;  ///< unmatched receives, as instructions, in the order of posting
    signed char epochs = 0;
    std::array<unsigned char, communicators> collectives{};  ///< entered, by communicator
    std::vector<std::size_t> held;   ///< its messages that matched probes have taken and no receive yet
    std::size_t polling = no_test;   ///< the first poll of the stretch that the rank is in
    std::vector<std::size_t> polls;  ///< of that: the first of each kind of equal ones
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
            text.push_back(static_cast<char>(progress.poll));
            add((progress.told ? 1U : 0U) + (progress.cancelled ? 2U : 0U) + (progress.in_stretch ? 4U : 0U));
            add(progress.tries);
            add(progress.sequence);
            add(progress.message);
        }
        add_list(rank.posted);
        std::for_each(rank.collectives.begin(), rank.collectives.end(), add);
        add_list(rank.held);
        add(rank.polling);
        add_list(rank.polls);
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
            if (op.peer == nobody) {
                progress.phase = Phase::matched;
                progress.told = true;
                return;
            }
            state.messages[rank][static_cast<std::size_t>(op.peer)].push_back(own.at);
            progress.phase = Phase::active;
        };
        const auto post = [&] {
            progress.phase = op.peer == nobody ? Phase::matched : Phase::active;
            progress.told = op.peer == nobody;
            if (is_wildcard(op)) {
                progress.epoch = own.epochs++;
            }
            if (!is_probe(op.kind) && op.peer != nobody) {
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
        if (!is_polling(op.kind)) {
            own.polling = no_test;
        }
        if (is_collective(op.kind)) {
            if (progress.phase == Phase::idle) {
                progress.phase = Phase::active;
                progress.sequence = ++own.collectives[static_cast<std::size_t>(op.comm)];
                let_collectives_complete(state);
                own.at += is_nonblocking_collective(op.kind) ? 1 : 0;
                return true;
            }
            return progress.phase == Phase::matched && go_on();
        }
        if (is_test(op.kind)) {
            return progress.phase == Phase::idle && begin_test(own, rank);
        }
        switch (op.kind) {
            case OpKind::bsend:
                send();
                return go_on();
            case OpKind::send:
            case OpKind::rsend:
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
            case OpKind::mprobe:
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
            case OpKind::iprobe:
            case OpKind::improbe:
                if (progress.phase == Phase::idle) {
                    progress.phase = Phase::active;  // its answer is a match or a choice
                    begin_polling(own, rank);
                    return true;
                }
                if (progress.phase != Phase::matched) {
                    return false;
                }
                own.polling = no_test;
                return go_on();
            case OpKind::mrecv:
                receive_held(state, rank, op.slots.front(), nullptr);
                return go_on();
            case OpKind::imrecv:
                receive_held(state, rank, op.slots.front(), &progress);
                ++own.at;
                return true;
            case OpKind::cancel:
                if (progress.phase != Phase::idle) {
                    return false;  // whether the message comes first is a choice
                }
                if (!can_be_cancelled(own, rank, op.slots.front())) {
                    return go_on();
                }
                progress.phase = Phase::active;
                progress.epoch = own.epochs++;
                return true;
            case OpKind::free:
                free(own, rank, op.slots.front());
                return go_on();
            case OpKind::bracket:
            case OpKind::unbracket:
                return go_on();
            default:
                break;
        }
        return false;
    }

    /// The rank comes to a test; it goes on if there is nothing to test.
    bool begin_test(RankState& own, std::size_t rank) const {
        Progress& progress = own.progress[own.at];
        const Op& op = code_[rank][own.at].op;
        if (count_active(own, rank, op) == 0) {
            progress.phase = Phase::completed;
            ++own.at;
            return true;
        }
        progress.phase = Phase::active;
        // One that is known to be complete leaves nothing open.
        if (op.slots.size() != 1 || !own.progress[find_slot(code_[rank], op.slots.front())].told) {
            begin_polling(own, rank);
        }
        return true;
    }

    /// Of polls with nothing between them only the first is an epoch.
    void begin_polling(RankState& own, std::size_t rank) const {
        if (own.polling == no_test) {
            own.polling = own.at;
            own.progress[own.at].epoch = own.epochs++;
            own.polls.clear();
        }
        own.progress[own.at].in_stretch = true;
        if (number_of_poll(own, rank) == own.polls.size()) {
            own.polls.push_back(own.at);
        }
    }

    /// Of the poll at which the rank is, among the different ones of its stretch.
    [[nodiscard]] std::size_t number_of_poll(const RankState& own, std::size_t rank) const {
        const Op& b = code_[rank][own.at].op;
        const auto same = [&](std::size_t first) {
            const Op& a = code_[rank][first].op;
            return a.kind == b.kind && a.slots == b.slots && a.peer == b.peer && a.tag == b.tag && a.comm == b.comm;
        };
        return static_cast<std::size_t>(std::find_if(own.polls.begin(), own.polls.end(), same) - own.polls.begin());
    }

    /// The rank receives what a matched probe has taken, if there is something: with the request `as`, or blocking.
    void receive_held(State& state, std::size_t rank, int probed, Progress* as) const {
        const std::size_t index = find_slot(code_[rank], probed);
        if (index == code_[rank].size() || state.ranks[rank].progress[index].message == no_message) {
            return;
        }
        Progress& probe = state.ranks[rank].progress[index];
        const auto source = static_cast<std::size_t>(probe.source);
        const std::size_t message = std::exchange(probe.message, no_message);
        if (as != nullptr) {
            as->phase = Phase::matched;
            as->source = probe.source;
        }
        std::erase(state.ranks[source].held, message);
        receive_begins(state, source, message);
    }

    /// A message's receive has begun.
    void receive_begins(State& state, std::size_t source, std::size_t message) const {
        Progress& sender = state.ranks[source].progress[message];
        if (sender.phase == Phase::active) {
            sender.phase = Phase::matched;
        }
        give_room(state, source);
    }

    /// Whether there is something to cancel, for the first time.
    [[nodiscard]] bool can_be_cancelled(const RankState& own, std::size_t rank, int slot) const {
        const std::size_t index = find_slot(code_[rank], slot);
        if (index == code_[rank].size() || code_[rank][index].op.kind != OpKind::irecv ||
            code_[rank][index].op.peer == nobody) {
            return false;
        }
        const Progress& receive = own.progress[index];
        return (receive.phase == Phase::active || receive.phase == Phase::matched) && !receive.cancelled &&
               !receive.told;
    }

    /// What has matched is not cancelled any more.
    void cancel(RankState& own, std::size_t rank) const {
        Progress& progress = own.progress[own.at];
        const std::size_t index = find_slot(code_[rank], code_[rank][own.at].op.slots.front());
        Progress& receive = own.progress[index];
        receive.cancelled = true;
        progress.phase = Phase::completed;
        progress.reported = receive.phase == Phase::matched ? 1 : 0;
        ++own.at;
        if (receive.phase == Phase::active) {
            receive.phase = Phase::matched;
            std::erase(own.posted, index);
        }
    }

    void free(RankState& own, std::size_t rank, int slot) const {
        const std::size_t index = find_slot(code_[rank], slot);
        if (index != code_[rank].size() && has_request(code_[rank][index].op.kind) &&
            !is_nonblocking_collective(code_[rank][index].op.kind) &&
            (own.progress[index].phase == Phase::active || own.progress[index].phase == Phase::matched)) {
            own.progress[index].phase = Phase::freed;
        }
    }

    /// Those in whose collectives all have entered whose data they get could complete.
    void let_collectives_complete(State& state) const {
        for (std::size_t rank = 0; rank < code_.size(); ++rank) {
            for (std::size_t i = 0; i < code_[rank].size(); ++i) {
                const Instruction& each = code_[rank][i];
                Progress& progress = state.ranks[rank].progress[i];
                if (each.kind == Instruction::Kind::op && is_collective(each.op.kind) &&
                    progress.phase == Phase::active && may_leave(state, rank, each.op, progress.sequence)) {
                    progress.phase = Phase::matched;
                }
            }
        }
    }

    /// Messages of the rank in standard mode that have room could complete: they are buffered.
    void give_room(State& state, std::size_t rank) const {
        for (const std::size_t message : with_room(state, rank)) {
            Progress& progress = state.ranks[rank].progress[message];
            progress.phase = progress.phase == Phase::active ? Phase::matched : progress.phase;
        }
    }

    /// Those that nobody has received.
    [[nodiscard]] std::vector<std::size_t> with_room(const State& state, std::size_t rank) const {
        std::vector<std::size_t> open;
        for (const auto& to : state.messages[rank]) {
            open.insert(open.end(), to.begin(), to.end());
        }
        open.insert(open.end(), state.ranks[rank].held.begin(), state.ranks[rank].held.end());
        std::sort(open.begin(), open.end());  // there are no loops: in the order of sending
        std::uint64_t taken = 0;
        std::vector<std::size_t> fitting;
        for (const std::size_t message : open) {
            const Op& op = code_[rank][message].op;
            const bool limited = options_.room != 0;
            const bool ready = op.kind == OpKind::rsend && !limited;  // which never takes up room
            if (op.kind != OpKind::send && op.kind != OpKind::isend && !ready) {
                continue;
            }
            if (limited && message_bytes(op) > options_.room) {
                continue;
            }
            taken += message_bytes(op);
            if (!limited || taken <= options_.room) {
                fitting.push_back(message);
            }
        }
        return fitting;
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

    /// Whether the program has been told that there is something to report.
    [[nodiscard]] bool is_known_complete(const RankState& own, std::size_t rank, const Op& op) const {
        const auto told = std::count_if(op.slots.begin(), op.slots.end(), [&](int slot) {
            const std::size_t index = find_slot(code_[rank], slot);
            return index != code_[rank].size() && own.progress[index].phase == Phase::matched &&
                   own.progress[index].told;
        });
        return op.kind == OpKind::testall ? told == count_active(own, rank, op) : told != 0;
    }

    [[nodiscard]] std::vector<Choice> possible_choices(const State& state) const {
        std::vector<Choice> choices;
        for (std::size_t rank = 0; rank < code_.size(); ++rank) {
            const RankState& own = state.ranks[rank];
            if (own.at == code_[rank].size() || own.progress[own.at].phase != Phase::active) {
                continue;
            }
            const Op& op = code_[rank][own.at].op;
            if (code_[rank][own.at].kind != Instruction::Kind::op) {
                continue;
            }
            if (op.kind == OpKind::cancel) {
                choices.push_back({rank, 0});
                continue;
            }
            if (is_polling(op.kind)) {
                if (!is_known_complete(own, rank, op)) {
                    choices.push_back({rank, 0});
                }
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
            if (op.kind == OpKind::testall) {
                if (can != 0 && std::popcount(can) == count_active(own, rank, op)) {
                    choices.push_back({rank, static_cast<unsigned char>(can)});
                }
                continue;
            }
            const bool some = op.kind == OpKind::waitsome || op.kind == OpKind::testsome;
            for (unsigned positions = 1; positions <= can; ++positions) {
                const bool single = (positions & (positions - 1)) == 0;
                if ((positions & ~can) == 0 && (single || some)) {
                    choices.push_back({rank, static_cast<unsigned char>(positions)});
                }
            }
        }
        return choices;
    }

    void perform(State& state, const Choice& choice) const {
        RankState& own = state.ranks[choice.rank];
        const Op& op = code_[choice.rank][own.at].op;
        if (op.kind == OpKind::cancel) {
            cancel(own, choice.rank);
            return;
        }
        Progress& asked = own.progress[own.at];
        asked.phase = Phase::completed;
        if (!is_polling(op.kind)) {
            asked.reported = choice.positions;
        } else if (choice.positions == 0) {
            ++own.progress[own.polling].falses;
            if (++asked.tries < op.times || is_probe(op.kind)) {
                asked.phase = Phase::idle;
            }
            own.at += asked.tries < op.times ? 0 : 1;
            return;
        } else {
            if (asked.in_stretch) {
                own.progress[own.polling].reported = choice.positions;
                own.progress[own.polling].poll = static_cast<unsigned char>(number_of_poll(own, choice.rank));
                own.polling = no_test;
            }
        }
        if (op.kind == OpKind::getstatus) {
            own.progress[find_slot(code_[choice.rank], op.slots.front())].told = true;
        }
        for (std::size_t position = 0; position < op.slots.size(); ++position) {
            if (((choice.positions >> position) & 1U) != 0 && op.kind != OpKind::getstatus) {
                own.progress[find_slot(code_[choice.rank], op.slots[position])].phase = Phase::completed;
            }
        }
        ++own.at;
    }

    /// `rank` has entered the collective; all ranks have the same ones in the same order.
    static bool may_leave(const State& state, std::size_t rank, const Op& op, unsigned number) {
        const auto has_entered = [&](const RankState& other) {
            return other.collectives[static_cast<std::size_t>(op.comm)] >= number;
        };
        const bool all = std::all_of(state.ranks.begin(), state.ranks.end(), has_entered);
        const auto root = static_cast<std::size_t>(op.peer);
        switch (flow(op.kind)) {
            case Flow::from_root:
                return has_entered(state.ranks[root]);
            case Flow::to_root:
                return rank != root || all;
            case Flow::lower: {
                const auto own = state.ranks.begin() + static_cast<std::ptrdiff_t>(rank);
                return op.comm == 2 ? std::all_of(own, state.ranks.end(), has_entered)  // in reverse order
                                    : std::all_of(state.ranks.begin(), own, has_entered);
            }
            case Flow::everyone:
                break;
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
            if (own.at < code_[rank].size() && is_probe(code_[rank][own.at].op.kind) &&
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
        receive.phase = receive.phase == Phase::freed ? Phase::freed : Phase::matched;
        receive.source = static_cast<signed char>(match.source);
        const OpKind kind = code_[match.rank][match.instruction].op.kind;
        if (is_polling(kind)) {
            own.progress[own.polling].source = receive.source;
            own.progress[own.polling].poll = static_cast<unsigned char>(number_of_poll(own, match.rank));
        }
        if (is_probe(kind) && !is_matched_probe(kind)) {
            return;
        }
        auto& sent = state.messages[match.source][match.rank];
        const std::size_t message = sent[match.position];
        sent.erase(sent.begin() + static_cast<std::ptrdiff_t>(match.position));
        if (is_matched_probe(kind)) {
            receive.message = message;
            state.ranks[match.source].held.push_back(message);
            return;
        }
        own.posted.erase(std::find(own.posted.begin(), own.posted.end(), match.instruction));
        receive_begins(state, match.source, message);
    }

    /// That a cancel came in time is certain at once, that it came too late is told with the completion.
    [[nodiscard]] bool is_told_of_cancelling(const RankState& own, std::size_t rank, std::size_t instruction) const {
        const Op& op = code_[rank][instruction].op;
        if (op.kind != OpKind::cancel || own.progress[instruction].epoch == -1) {
            return false;
        }
        const Progress& receive = own.progress[find_slot(code_[rank], op.slots.front())];
        const bool in_time =
            own.progress[instruction].phase == Phase::completed && own.progress[instruction].reported == 0;
        return in_time || receive.phase == Phase::completed || receive.told;
    }

    /// Whether nobody has received a message of the rank whose request was freed, and nothing buffers it.
    [[nodiscard]] bool has_unreceived(const State& state, std::size_t rank) const {
        const std::vector<std::size_t> buffered = with_room(state, rank);
        const auto waits = [&](std::size_t message) {
            return state.ranks[rank].progress[message].phase == Phase::freed &&
                   std::find(buffered.begin(), buffered.end(), message) == buffered.end();
        };
        const auto& sent = state.messages[rank];
        const auto& held = state.ranks[rank].held;
        return std::any_of(sent.begin(), sent.end(),
                           [&](const auto& to) { return std::any_of(to.begin(), to.end(), waits); }) ||
               std::any_of(held.begin(), held.end(), waits);
    }

    [[nodiscard]] Execution execution(const State& state) const {
        Execution result{.matches = "{"};
        for (std::size_t rank = 0; rank < code_.size(); ++rank) {
            const RankState& own = state.ranks[rank];
            result.deadlock =
                result.deadlock || own.at != code_[rank].size() || (options_.finalize && has_unreceived(state, rank));
            for (signed char epoch = 0; epoch < own.epochs; ++epoch) {
                for (std::size_t i = 0; i < own.progress.size(); ++i) {
                    const Progress& progress = own.progress[i];
                    const Op& op = code_[rank][i].op;
                    if (op.kind == OpKind::cancel && !is_told_of_cancelling(own, rank, i)) {
                        continue;
                    }
                    if (progress.epoch == epoch && (progress.source != any || progress.reported != 0 ||
                                                    progress.falses != 0 || is_told_of_cancelling(own, rank, i))) {
                        result.matches += (result.matches.size() > 1 ? " " : "") + std::to_string(rank) + "#" +
                                          std::to_string(epoch) +
                                          (progress.poll != 0 ? "@" + std::to_string(progress.poll) : "") +
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

std::optional<std::set<Execution>> enumerate(const Program& program, const replay::Buffering& buffering,
                                             bool finalize) {
    if (buffering == replay::Buffering::zero) {
        return enumerate(without_buffering(program), ModelOptions{.finalize = finalize});
    }
    return enumerate(buffering == replay::Buffering::native ? large_messages_wait(program) : program,
                     ModelOptions{.room = buffering.bytes(), .finalize = finalize});
}

}  // namespace dampi::oracle
