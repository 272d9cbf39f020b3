#include "tests/oracle/generator.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

namespace dampi::oracle {
namespace {

class Generator {
public:
    Generator(std::uint64_t seed, const GeneratorOptions& options) : random_(seed), options_(options) {}

    Program program() {
        for (;;) {
            start();
            while (planned_ < messages_) {
                act();
            }
            for (int rank = 0; rank < ranks(); ++rank) {
                while (!backlog_[at(rank)].empty()) {
                    receive_from_backlog(rank);
                }
                if (chance(60)) {
                    wait(rank, true);
                }
            }
            for (int changes = number(0, 3); changes > 0; --changes) {
                disturb();
            }
            if (acceptable()) {
                return std::move(program_);
            }
        }
    }

private:
    struct Message {
        int source;
        int tag;
        int comm;
    };

    // The standard's distributions differ between libraries; the same seed should make the same program.
    int number(int from, int to) {
        return from + static_cast<int>(random_() % static_cast<std::uint64_t>(to - from + 1));
    }
    bool chance(int percent) { return number(1, 100) <= percent; }
    static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
    [[nodiscard]] int ranks() const { return static_cast<int>(program_.ranks.size()); }

    void start() {
        // Three ranks are where most that can go wrong goes wrong, and are quick to run.
        constexpr int weights[] = {2, 3, 3, 3, 3, 3, 4, 4, 4, 5};
        const int count = std::clamp(weights[number(0, 9)], options_.fewest_ranks, options_.most_ranks);
        program_ = {};
        program_.ranks.resize(at(count));
        backlog_.assign(at(count), {});
        requests_.assign(at(count), {});
        received_.assign(at(count), {});
        chosen_.assign(at(count), {});
        next_slot_.assign(at(count), 0);
        planned_ = 0;
        messages_ = number(2, options_.most_messages);
        tags_ = chance(60) ? 1 : 2;
        communicators_ = chance(80) ? 1 : 2;
        tests_ = options_.tests && chance(50) ? number(20, 70) : 0;
        choices_ = chance(50) ? 0 : number(30, 80);
        wildcards_ = number(40, 95);
        synchronous_ = chance(40) ? 0 : number(5, 40);
        receiver_ = chance(50) ? number(0, count - 1) : any;  // many programs have one rank that receives most
    }

    void append(int rank, Op op) { program_.ranks[at(rank)].push_back(std::move(op)); }
    int new_slot(int rank) { return next_slot_[at(rank)]++; }

    void act() {
        const int choice = number(1, 100);
        const int rank = number(0, ranks() - 1);
        if (choice <= 46) {
            message();
        } else if (choice <= 72) {
            if (!backlog_[at(rank)].empty()) {
                receive_from_backlog(rank);
            }
        } else if (choice <= 82) {
            wait(rank, false);
        } else if (choice <= 93) {
            branch(rank);
        } else if (choice <= 98) {
            collective();
        }
    }

    void message() {
        ++planned_;
        const int destination = receiver_ != any && chance(70) ? receiver_ : number(0, ranks() - 1);
        int source = number(0, ranks() - 1);
        if (source == destination && !chance(10)) {
            source = (source + 1) % ranks();
        }
        const Message message{source, number(0, tags_ - 1), number(0, communicators_ - 1)};
        const bool synchronous = chance(synchronous_);
        const bool nonblocking = chance(25) || (synchronous && source == destination);
        const bool posted_before = chance(30) || (synchronous && !nonblocking && chance(50));
        if (posted_before) {
            receive(destination, message, OpKind::irecv);
        }
        Op op{.kind = nonblocking ? (synchronous ? OpKind::issend : OpKind::isend)
                                  : (synchronous ? OpKind::ssend : OpKind::send),
              .peer = destination,
              .tag = message.tag,
              .comm = message.comm};
        if (op.kind == OpKind::send && chance(10)) {
            op.kind = OpKind::bsend;
        }
        if (nonblocking) {
            op.slot = new_slot(source);
            requests_[at(source)].push_back(op.slot);
        }
        append(source, op);
        if (posted_before) {
            return;
        }
        if (synchronous && !nonblocking) {  // nothing that the sender does next may be needed for it to be received
            receive(destination, message, chance(50) ? OpKind::recv : OpKind::irecv);
        } else {
            backlog_[at(destination)].push_back(message);
        }
    }

    void receive(int rank, const Message& message, OpKind kind) {
        Op op{.kind = kind,
              .slot = new_slot(rank),
              .peer = chance(wildcards_) ? any : message.source,
              .tag = chance(20) ? any : message.tag,
              .comm = message.comm};
        if (kind == OpKind::recv && chance(12)) {
            Op probe = op;
            probe.kind = OpKind::probe;
            probe.peer = chance(80) ? any : message.source;
            probe.slot = new_slot(rank);
            received_[at(rank)].push_back(probe.slot);
            append(rank, probe);
        }
        (kind == OpKind::irecv ? requests_ : received_)[at(rank)].push_back(op.slot);
        append(rank, op);
    }

    void receive_from_backlog(int rank) {
        auto& backlog = backlog_[at(rank)];
        const auto which =
            static_cast<std::ptrdiff_t>(chance(70) ? 0 : number(0, static_cast<int>(backlog.size()) - 1));
        const Message message = backlog[static_cast<std::size_t>(which)];
        backlog.erase(backlog.begin() + which);
        receive(rank, message, chance(60) ? OpKind::recv : OpKind::irecv);
    }

    /// Waits for some of the requests, in any order.
    void wait(int rank, bool all) {
        auto& requests = requests_[at(rank)];
        if (requests.empty()) {
            return;
        }
        if (requests.size() > 1 && chance(choices_)) {
            wait_for_some(rank);
            return;
        }
        if (tests_ != 0 && chance(tests_)) {
            test(rank);
            return;
        }
        Op op{.kind = OpKind::wait};
        int count = all || chance(20) ? static_cast<int>(requests.size()) : 1;
        for (; count > 0; --count) {
            const int which = number(0, static_cast<int>(requests.size()) - 1);
            op.slots.push_back(requests[static_cast<std::size_t>(which)]);
            requests.erase(requests.begin() + which);
        }
        received_[at(rank)].insert(received_[at(rank)].end(), op.slots.begin(), op.slots.end());
        append(rank, op);
    }

    /// Any or some of at least two requests. All may be waited for again later on.
    void wait_for_some(int rank) {
        std::vector<int> slots = requests_[at(rank)];
        Op op{.kind = chance(70) ? OpKind::waitany : OpKind::waitsome};
        for (int count = number(2, std::min(4, static_cast<int>(slots.size()))); count > 0; --count) {
            const int which = number(0, static_cast<int>(slots.size()) - 1);
            op.slots.push_back(slots[static_cast<std::size_t>(which)]);
            slots.erase(slots.begin() + which);
        }
        for (auto* asked : {&received_[at(rank)], &chosen_[at(rank)]}) {
            asked->insert(asked->end(), op.slots.begin(), op.slots.end());
        }
        append(rank, op);
        if (chance(50)) {
            branch(rank);
        }
    }

    /// Up to three times, and then perhaps something that depends on the answer.
    void test(int rank) {
        const int slot = one_of(requests_[at(rank)]);
        for (int times = number(1, 5) / 2; times >= 0; --times) {
            append(rank, {.kind = OpKind::test, .slots = {slot}});
        }
        received_[at(rank)].push_back(slot);
        chosen_[at(rank)].push_back(slot);
        if (chance(50)) {
            branch(rank);
        }
    }

    int one_of(const std::vector<int>& slots) {
        return slots[static_cast<std::size_t>(number(0, static_cast<int>(slots.size()) - 1))];
    }

    /// Depending on where an earlier message came from, or on what has completed, one message more goes to another rank
    /// or with another tag.
    void branch(int rank) {
        Op op;
        if (!chosen_[at(rank)].empty() && chance(60)) {
            op = {.kind = OpKind::branch_done, .slot = one_of(chosen_[at(rank)])};
        } else if (!received_[at(rank)].empty()) {
            op = {.kind = OpKind::branch, .slot = one_of(received_[at(rank)]), .peer = number(0, ranks() - 1)};
        } else {
            return;
        }
        const int destination = number(0, ranks() - 1);
        if (destination == rank) {
            return;
        }
        const Message message{rank, number(0, tags_ - 1), number(0, communicators_ - 1)};
        op.then.push_back({.kind = OpKind::send, .peer = destination, .tag = message.tag, .comm = message.comm});
        op.otherwise = op.then;
        if (chance(70)) {
            Op& other = op.otherwise.front();
            switch (number(0, 3)) {
                case 0:
                    other.peer = (destination + 1) % ranks();
                    break;
                case 1:
                    other.tag = (message.tag + 1) % 2;
                    break;
                case 2:
                    op.otherwise.clear();
                    break;
                default:
                    op.then.push_back(op.then.front());
                    break;
            }
        } else {
            op.then.front().kind = OpKind::ssend;
        }
        append(rank, op);
        backlog_[at(destination)].push_back(message);
        ++planned_;
    }

    void collective() {
        OpKind kind = OpKind::barrier;
        if (ranks() <= 3 && chance(60)) {
            kind = chance(50) ? OpKind::bcast : OpKind::reduce;
        }
        const Op op{.kind = kind, .peer = kind == OpKind::barrier ? any : number(0, ranks() - 1)};
        for (int rank = 0; rank < ranks(); ++rank) {
            append(rank, op);
        }
    }

    /// Changes one operation, leaving the collectives' order as it is.
    void disturb() {
        auto& ops = program_.ranks[at(number(0, ranks() - 1))];
        if (ops.size() < 2) {
            return;
        }
        const auto which = static_cast<std::size_t>(number(0, static_cast<int>(ops.size()) - 2));
        Op& op = ops[which];
        switch (number(0, 5)) {
            case 0:
            case 1:
                if (!is_collective(op.kind) || !is_collective(ops[which + 1].kind)) {
                    std::swap(op, ops[which + 1]);
                }
                break;
            case 2:
                if (is_send(op.kind) || (is_receive_or_probe(op.kind) && op.tag != any)) {
                    op.tag = 1 - std::min(op.tag, 1);
                }
                break;
            case 3:
                if (op.kind == OpKind::send) {
                    op.kind = OpKind::ssend;
                } else if (op.kind == OpKind::isend) {
                    op.kind = OpKind::issend;
                }
                break;
            case 4:
                if (is_receive_or_probe(op.kind)) {
                    op.peer = op.peer == any ? number(0, ranks() - 1) : any;
                }
                break;
            default:
                if (!is_collective(op.kind) && chance(50)) {
                    ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(which));
                }
                break;
        }
    }

    [[nodiscard]] bool acceptable() const {
        return count_wildcard_ranks(program_) != 0 &&
               std::all_of(program_.ranks.begin(), program_.ranks.end(),
                           [&](const auto& ops) { return ops.size() <= static_cast<std::size_t>(options_.most_ops); });
    }

    std::mt19937_64 random_;
    GeneratorOptions options_;
    Program program_;
    std::vector<std::vector<Message>> backlog_;  ///< by rank: sent to it, no receive for it yet
    std::vector<std::vector<int>> requests_;     ///< by rank: slots not yet waited for
    std::vector<std::vector<int>> received_;     ///< by rank: slots that a branch may ask
    std::vector<std::vector<int>> chosen_;       ///< by rank: slots of waits for any or some
    std::vector<int> next_slot_;
    int planned_ = 0;
    int messages_ = 0;
    int tags_ = 1;
    int communicators_ = 1;
    int tests_ = 0;        ///< percent of waits that are tests
    int choices_ = 0;      ///< percent of waits for more than one request that are for any or some
    int wildcards_ = 0;    ///< percent of receives
    int synchronous_ = 0;  ///< percent of sends
    int receiver_ = any;
};

/// Puts a barrier behind so many other collectives, in each rank about as far between these.
void add_barrier(Program& program, std::size_t behind, std::uint64_t percent) {
    for (std::vector<Op>& ops : program.ranks) {
        std::vector<std::size_t> ends{0};  // of the parts between collectives
        for (std::size_t i = 0; i < ops.size(); ++i) {
            if (is_collective(ops[i].kind)) {
                ends.push_back(i + 1);
            }
        }
        ends.push_back(ops.size() + 1);
        const std::size_t begin = ends.at(behind);
        const std::size_t place = begin + (ends.at(behind + 1) - 1 - begin) * percent / 100;
        ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(place), Op{.kind = OpKind::barrier});
    }
}

/// Gives some operations places in common and puts brackets around others, also such that lack their beginning or end;
/// and makes more zones.
void add_what_bounds_go_by(Program& program, std::uint64_t seed) {
    std::mt19937_64 random(seed ^ 0x9e3779b97f4a7c15U);
    const auto chance = [&](std::uint64_t percent) { return random() % 100 < percent; };
    const auto places = [&](auto&& self, std::vector<Op>& ops) -> void {
        for (Op& op : ops) {
            if (has_place(op.kind) && chance(50)) {
                op.place = static_cast<int>(random() % 3);
            }
            self(self, op.then);
            self(self, op.otherwise);
        }
    };
    const auto& first = program.ranks.front();
    auto collectives = static_cast<std::size_t>(
        std::count_if(first.begin(), first.end(), [](const Op& op) { return is_collective(op.kind); }));
    for (std::uint64_t barriers = chance(40) ? 1 + random() % 3 : 0; barriers > 0; --barriers, ++collectives) {
        const std::size_t behind = random() % (collectives + 1);
        add_barrier(program, behind, random() % 101);
    }
    for (std::vector<Op>& ops : program.ranks) {
        places(places, ops);
        for (std::uint64_t brackets = chance(40) ? 1 + random() % 2 : 0; brackets > 0; --brackets) {
            const auto place = [&](std::size_t from) {
                return static_cast<std::ptrdiff_t>(from + random() % (ops.size() + 1 - from));
            };
            const auto begin = ops.insert(ops.begin() + place(0), Op{.kind = OpKind::bracket});
            begin->bound = chance(40) ? nothing_inside : static_cast<int>(random() % 3);
            const auto inside = static_cast<std::size_t>(begin - ops.begin()) + 1;
            if (chance(80)) {
                ops.insert(ops.begin() + place(inside), Op{.kind = OpKind::unbracket});
            }
        }
        if (chance(5)) {
            ops.insert(ops.begin(), Op{.kind = OpKind::unbracket});
        }
    }
}

}  // namespace

Program generate_program(std::uint64_t seed, const GeneratorOptions& options) {
    Program program = with_features(Generator(seed, options).program(), options.features, seed);
    if (options.bounds) {
        add_what_bounds_go_by(program, seed);
    }
    check(program);
    return program;
}

}  // namespace dampi::oracle
