#include "tests/oracle/features.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace dampi::oracle {
namespace {

struct NamedFeature {
    Feature feature;
    const char* name;
};

constexpr std::array names{NamedFeature{Feature::collectives, "collectives"},
                           NamedFeature{Feature::scans, "scans"},
                           NamedFeature{Feature::matched, "matched"},
                           NamedFeature{Feature::polls, "polls"},
                           NamedFeature{Feature::persistent, "persistent"},
                           NamedFeature{Feature::freed, "freed"},
                           NamedFeature{Feature::cancelled, "cancelled"},
                           NamedFeature{Feature::large, "large"},
                           NamedFeature{Feature::communicators, "communicators"},
                           NamedFeature{Feature::nobody, "nobody"},
                           NamedFeature{Feature::sendrecv, "sendrecv"},
                           NamedFeature{Feature::ready, "ready"}};

constexpr int posted_tag = 8;
constexpr int ready_tag = 9;

class Changes {
public:
    Changes(Program program, const Features& features, std::uint64_t seed)
        : program_(std::move(program)), features_(features), random_(seed ^ 0xd1b54a32d192ed03U) {
        for (const auto& ops : program_.ranks) {
            int& next = next_slot_.emplace_back(0);
            for_each_op(ops, [&](const Op& op) { next = std::max(next, op.slot + 1); });
        }
    }

    Program made() {
        // Of few at the same time more can be said than of all.
        if (wanted(Feature::sendrecv)) {
            merge_sends_and_receives();
        }
        if (wanted(Feature::large)) {
            enlarge();
        }
        if (wanted(Feature::communicators)) {
            move_to_other_communicators();
        }
        if (wanted(Feature::collectives)) {
            change_collectives();
        }
        if (wanted(Feature::matched)) {
            match_by_probes();
        }
        if (wanted(Feature::nobody)) {
            add_nobody();
        }
        if (wanted(Feature::persistent)) {
            make_persistent();
        }
        if (wanted(Feature::freed)) {
            free_sends();
        }
        if (wanted(Feature::cancelled)) {
            cancel_receives();
        }
        if (wanted(Feature::polls)) {
            poll();
        }
        if (wanted(Feature::ready)) {
            add_ready_send();  // behind what makes it uncertain that something was received
        }
        return std::move(program_);
    }

private:
    using Ops = std::vector<Op>;

    std::uint64_t below(std::size_t end) { return random_() % end; }
    bool chance(std::uint64_t percent) { return below(100) < percent; }
    bool wanted(Feature feature) { return features_.contains(feature) && (features_.size() <= 2 || chance(45)); }
    [[nodiscard]] std::size_t ranks() const { return program_.ranks.size(); }
    int new_slot(std::size_t rank) { return next_slot_[rank]++; }
    static void insert(Ops& ops, std::size_t place, Op op) {
        ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(place), std::move(op));
    }
    /// Requests that have begun before `place`, and may be open.
    static std::vector<int> open_before(const Ops& ops, std::size_t place) {
        std::vector<int> open;
        for (std::size_t i = 0; i < place; ++i) {
            if (has_request(ops[i].kind) && ops[i].kind != OpKind::isendrecv) {
                open.push_back(ops[i].slot);
            } else if (ops[i].kind == OpKind::wait || ops[i].kind == OpKind::free) {
                std::erase_if(open, [&](int slot) {
                    return std::find(ops[i].slots.begin(), ops[i].slots.end(), slot) != ops[i].slots.end();
                });
            }
        }
        return open;
    }

    /// Somewhere behind the operation at `place` the rank waits for its request, alone or with others.
    void wait_somewhere(Ops& ops, std::size_t place) {
        const int slot = ops[place].slot;
        const std::size_t where = place + 1 + below(ops.size() - place);
        std::vector<int> others = open_before(ops, where);
        std::erase(others, slot);
        Op wait{.kind = OpKind::wait, .slots = {slot}};
        if (!others.empty() && chance(70)) {
            wait.slots.push_back(others[below(others.size())]);
            if (others.size() > 1 && chance(30)) {
                std::erase(others, wait.slots.back());
                wait.slots.push_back(others[below(others.size())]);
            }
            wait.kind = chance(60) ? OpKind::waitany : chance(50) ? OpKind::waitsome : OpKind::wait;
            if (chance(50)) {
                std::swap(wait.slots.front(), wait.slots.back());
            }
        }
        const bool choice = wait.kind != OpKind::wait;
        insert(ops, where, std::move(wait));
        if (choice && chance(40)) {
            add_branch(ops, where + 1, slot);
        }
    }

    /// Depending on whether `slot` is complete, a message more goes to another rank, which may receive it.
    void add_branch(Ops& ops, std::size_t place, int slot) {
        const auto own = static_cast<std::size_t>(&ops - program_.ranks.data());
        const std::size_t to = (own + 1 + below(ranks() - 1)) % ranks();
        Op branch{.kind = OpKind::branch_done, .slot = slot};
        Ops& side = chance(50) ? branch.then : branch.otherwise;
        side.push_back({.kind = chance(70) ? OpKind::send : OpKind::ssend, .peer = static_cast<int>(to), .tag = 0});
        insert(ops, place, std::move(branch));
        if (chance(50)) {
            Ops& others = program_.ranks[to];
            insert(others, below(others.size() + 1),
                   {.kind = chance(50) ? OpKind::recv : OpKind::irecv, .slot = new_slot(to), .peer = any, .tag = 0});
        }
    }

    // ---- Collectives

    OpKind some_collective() {
        constexpr std::array everyone{OpKind::barrier, OpKind::allreduce, OpKind::allgather, OpKind::alltoall};
        constexpr std::array rooted{OpKind::bcast, OpKind::reduce, OpKind::gather, OpKind::scatter};
        if (features_.contains(Feature::scans) && chance(20)) {
            return chance(50) ? OpKind::scan : OpKind::exscan;
        }
        // As in the generator: in larger programs MPICH's trees make ranks wait for others than the root.
        return ranks() <= 3 && chance(60) ? rooted[below(rooted.size())] : everyone[below(everyone.size())];
    }

    /// By number, in each rank: where it stands.
    [[nodiscard]] std::vector<std::vector<std::size_t>> places_of_collectives() const {
        std::vector<std::vector<std::size_t>> places(ranks());
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            for (std::size_t i = 0; i < program_.ranks[rank].size(); ++i) {
                if (is_collective(program_.ranks[rank][i].kind)) {
                    places[rank].push_back(i);
                }
            }
        }
        return places;
    }

    void change_collectives() {
        for (std::uint64_t more = below(3); more > 0; --more) {
            add_collective();
        }
        for (std::size_t which = 0; which < places_of_collectives().front().size(); ++which) {
            change_collective(which);
        }
    }

    void add_collective() {
        const auto places = places_of_collectives();
        const std::size_t behind = below(places.front().size() + 1);
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            Ops& ops = program_.ranks[rank];
            const std::size_t begin = behind == 0 ? 0 : places[rank][behind - 1] + 1;
            const std::size_t end = behind == places[rank].size() ? ops.size() : places[rank][behind];
            insert(ops, begin + below(end - begin + 1), {.kind = OpKind::barrier});
        }
    }

    void change_collective(std::size_t which) {
        Op op{.kind = some_collective(), .comm = static_cast<int>(chance(70) ? 0 : 1)};
        if (has_peer(op.kind)) {
            op.peer = static_cast<int>(below(ranks()));
        }
        const bool nonblocking = chance(75);
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            Ops& ops = program_.ranks[rank];
            const std::size_t place = places_of_collectives()[rank][which];
            ops[place] = op;
            if (nonblocking) {
                ops[place].kind = nonblocking_form(op.kind);
                ops[place].slot = new_slot(rank);
                if (chance(75)) {
                    wait_somewhere(ops, place);
                }
            }
        }
    }

    // ---- Messages

    void match_by_probes() {
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            Ops& ops = program_.ranks[rank];
            for (std::size_t i = 0; i < ops.size(); ++i) {
                if (ops[i].kind == OpKind::send && chance(25)) {
                    ops[i].kind = OpKind::ssend;
                }
                if (ops[i].kind != OpKind::recv || ops[i].peer == nobody || !chance(60)) {
                    continue;
                }
                ops[i].kind = OpKind::mprobe;
                const int slot = ops[i].slot;
                const std::size_t where = i + 1 + (chance(70) ? 0 : below(ops.size() - i));
                if (chance(60)) {
                    insert(ops, where, {.kind = OpKind::mrecv, .slots = {slot}});
                } else {
                    insert(ops, where, {.kind = OpKind::imrecv, .slot = new_slot(rank), .slots = {slot}});
                    if (chance(70)) {
                        wait_somewhere(ops, where);
                    }
                }
                ++i;
            }
        }
    }

    /// Half of the tags stand for large messages.
    void enlarge() {
        std::map<int, int> tags;
        for (Ops& ops : program_.ranks) {
            enlarge(ops, tags);
        }
    }

    void enlarge(Ops& ops, std::map<int, int>& tags) {
        for (Op& op : ops) {
            if (is_send(op.kind) || (is_receive_or_probe(op.kind) && op.tag != any)) {
                const auto [known, added] = tags.try_emplace(op.tag, op.tag);
                if (added && chance(60)) {
                    known->second += first_large_tag;
                }
                op.tag = known->second;
            }
            if (op.kind == OpKind::bsend && op.tag >= first_large_tag) {
                op.kind = OpKind::ssend;  // the buffer has not room for several
            }
            enlarge(op.then, tags);
            enlarge(op.otherwise, tags);
        }
    }

    static void change_communicator(Ops& ops, int from, int to) {
        for (Op& op : ops) {
            if ((is_send(op.kind) || is_receive_or_probe(op.kind)) && op.comm == from) {
                op.comm = to;
            }
            change_communicator(op.then, from, to);
            change_communicator(op.otherwise, from, to);
        }
    }

    void move_to_other_communicators() {
        const int from = chance(50) ? 0 : 1;
        const int to = chance(50) ? 2 : 3;
        Program moved = program_;
        for (Ops& ops : moved.ranks) {
            change_communicator(ops, from, to);
        }
        try {
            check(moved);
            program_ = std::move(moved);
        } catch (const ProgramError&) {  // within a group of the intercommunicator
            for (Ops& ops : program_.ranks) {
                change_communicator(ops, from, 2);
            }
        }
    }

    void add_nobody() {
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            Ops& ops = program_.ranks[rank];
            for (std::uint64_t more = below(3); more > 0; --more) {
                constexpr std::array what{OpKind::send,  OpKind::isend, OpKind::issend, OpKind::recv,
                                          OpKind::irecv, OpKind::irecv, OpKind::probe};
                Op op{.kind = what[below(what.size())], .peer = nobody, .tag = 0};
                if (has_request(op.kind) || is_receive_or_probe(op.kind)) {
                    op.slot = new_slot(rank);
                }
                const std::size_t place = below(ops.size() + 1);
                const bool request = has_request(op.kind);
                insert(ops, place, std::move(op));
                if (request) {
                    of_nobody_.insert({&ops, ops[place].slot});
                    wait_somewhere(ops, place);
                }
            }
        }
    }

    static bool only_waited_for(const Ops& ops, int slot) {
        bool only = true;
        for_each_op(ops, [&](const Op& op) {
            only = only &&
                   (op.kind == OpKind::wait || std::find(op.slots.begin(), op.slots.end(), slot) == op.slots.end());
        });
        return only;
    }

    static bool is_of_pair(const Ops& ops, int slot) {
        return std::any_of(ops.begin(), ops.end(),
                           [&](const Op& op) { return op.kind == OpKind::isendrecv && op.slot == slot; });
    }

    void merge_sends_and_receives() {
        for (Ops& ops : program_.ranks) {
            for (std::size_t i = 0; i + 1 < ops.size(); ++i) {
                const std::size_t send = ops[i].kind == OpKind::send ? i : i + 1;
                const std::size_t receive = i + (i + 1 - send);
                if (ops[send].kind != OpKind::send || ops[receive].kind != OpKind::recv ||
                    ops[send].comm != ops[receive].comm) {
                    continue;
                }
                Op both = ops[receive];
                both.kind = OpKind::sendrecv;
                both.to = ops[send].peer;
                both.to_tag = ops[send].tag;
                ops[i] = both;
                ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                if (chance(50) && only_waited_for(ops, both.slot)) {
                    ops[i].kind = OpKind::isendrecv;
                    if (chance(75)) {
                        insert(ops, i + 1 + below(ops.size() - i), {.kind = OpKind::wait, .slots = {both.slot}});
                    }
                }
            }
        }
    }

    /// One rank posts a receive and says so to the other, which then sends. Nothing else has these tags.
    void add_ready_send() {
        const std::size_t receiver = below(ranks());
        const std::size_t sender = (receiver + 1 + below(ranks() - 1)) % ranks();
        const int comm = chance(50) ? 0 : 1;
        const int large = features_.contains(Feature::large) && chance(30) ? first_large_tag : 0;
        const auto insert_at = [&](std::size_t rank, std::initializer_list<Op> ops) {
            Ops& all = program_.ranks[rank];
            const std::size_t place = below(all.size() + 1);
            all.insert(all.begin() + static_cast<std::ptrdiff_t>(place), ops);
        };
        const OpKind says = chance(50) ? OpKind::ssend : OpKind::send;
        insert_at(receiver, {{.kind = OpKind::irecv,
                              .slot = new_slot(receiver),
                              .peer = static_cast<int>(sender),
                              .tag = ready_tag + large,
                              .comm = comm},
                             {.kind = says, .peer = static_cast<int>(sender), .tag = posted_tag, .comm = comm}});
        insert_at(
            sender,
            {{.kind = OpKind::recv,
              .slot = new_slot(sender),
              .peer = static_cast<int>(receiver),
              .tag = posted_tag,
              .comm = comm},
             {.kind = OpKind::rsend, .peer = static_cast<int>(receiver), .tag = ready_tag + large, .comm = comm}});
    }

    // ---- Requests

    void make_persistent() {
        for (Ops& ops : program_.ranks) {
            for (std::size_t i = 0; i < ops.size(); ++i) {
                Op& op = ops[i];
                if (op.peer == nobody) {
                    continue;
                }
                if (op.kind == OpKind::recv && chance(50)) {
                    op.kind = OpKind::irecv;
                    op.persistent = true;
                    const int slot = op.slot;
                    insert(ops, i + 1, {.kind = OpKind::wait, .slots = {slot}});
                } else if ((op.kind == OpKind::irecv || op.kind == OpKind::isend || op.kind == OpKind::issend) &&
                           chance(70)) {
                    op.persistent = true;
                }
            }
        }
    }

    void free_sends() {
        for (Ops& ops : program_.ranks) {
            for (std::size_t i = 0; i < ops.size(); ++i) {
                if ((ops[i].kind == OpKind::isend || ops[i].kind == OpKind::issend) && chance(50)) {
                    const int slot = ops[i].slot;
                    insert(ops, chance(60) ? i + 1 : i + 1 + below(ops.size() - i),
                           {.kind = OpKind::free, .slots = {slot}});
                }
            }
        }
    }

    void cancel_receives() {
        for (Ops& ops : program_.ranks) {
            for (std::size_t i = 0; i < ops.size(); ++i) {
                if (ops[i].kind == OpKind::irecv && ops[i].peer != nobody && chance(35)) {
                    const int slot = ops[i].slot;
                    const std::size_t where = i + 1 + below(ops.size() - i);
                    cancelled_.insert({&ops, slot});
                    insert(ops, where, {.kind = OpKind::cancel, .slots = {slot}});
                    insert(ops, where + 1, {.kind = OpKind::wait, .slots = {slot}});
                }
            }
        }
    }

    int times() { return chance(50) ? 1 : 1 + static_cast<int>(below(3)); }

    void poll() {
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            Ops& ops = program_.ranks[rank];
            for (std::size_t i = 0; i < ops.size(); ++i) {
                if (is_wait(ops[i].kind) && chance(40)) {
                    i += poll_for_requests(ops, i);
                } else if ((ops[i].kind == OpKind::recv || ops[i].kind == OpKind::probe) && ops[i].peer != nobody &&
                           chance(35)) {
                    i += poll_for_message(rank, i);
                }
            }
        }
    }

    /// Returns how many operations it has put there.
    std::size_t poll_for_requests(Ops& ops, std::size_t place) {
        Op op = ops[place];
        if (op.slots.empty() || std::set<int>(op.slots.begin(), op.slots.end()).size() != op.slots.size() ||
            op.slots.size() > 4 || std::any_of(op.slots.begin(), op.slots.end(), [&](int slot) {
                return is_of_pair(ops, slot) ||
                       cancelled_.contains({&ops, slot}) ||  // whether that came in time would never be told
                       (op.slots.size() > 1 && of_nobody_.contains({&ops, slot}));
            })) {
            return 0;
        }
        op.times = times();
        if (op.slots.size() == 1) {
            op.kind = chance(50)   ? OpKind::test
                      : chance(50) ? OpKind::getstatus
                                   : (chance(50) ? OpKind::testany : OpKind::testall);
        } else {
            constexpr std::array several{OpKind::testany, OpKind::testsome, OpKind::testall};
            op.kind = several[below(several.size())];
        }
        const int asked = op.slots[below(op.slots.size())];
        if (chance(50)) {
            ops[place] = std::move(op);
            if (chance(40)) {
                add_branch(ops, place + 1, asked);
            }
            return 0;
        }
        insert(ops, place, std::move(op));
        if (chance(40)) {
            add_branch(ops, place + 1, asked);
        }
        return 1;
    }

    std::size_t poll_for_message(std::size_t rank, std::size_t place) {
        Ops& ops = program_.ranks[rank];
        Op op = ops[place];
        op.times = times();
        if (op.kind == OpKind::recv && features_.contains(Feature::matched) && chance(35)) {
            op.kind = OpKind::improbe;  // what it does not get is received by nobody
            const int slot = op.slot;
            ops[place] = op;
            insert(ops, place + 1, {.kind = OpKind::mrecv, .slots = {slot}});
            return 1;
        }
        op.kind = OpKind::iprobe;
        if (ops[place].kind == OpKind::recv) {
            op.slot = new_slot(rank);
        }
        const int slot = op.slot;
        if (ops[place].kind == OpKind::recv) {
            insert(ops, place, std::move(op));
        } else {
            ops[place] = std::move(op);
        }
        if (chance(40)) {
            add_branch(ops, place + 1, slot);
        }
        return 1;
    }

    Program program_;
    const Features& features_;
    std::mt19937_64 random_;
    std::vector<int> next_slot_;
    std::set<std::pair<const Ops*, int>> cancelled_;
    std::set<std::pair<const Ops*, int>> of_nobody_;  ///< known to be complete, whatever a test of others says
};

}  // namespace

Features parse_features(const std::string& text) {
    Features features;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        const bool without = word.starts_with('-');
        const std::string name = without ? word.substr(1) : word;
        bool known = name == "classic";
        for (const NamedFeature& each : names) {
            if (name == "all" || name == each.name) {
                known = true;
                without ? static_cast<void>(features.erase(each.feature))
                        : static_cast<void>(features.insert(each.feature));
            }
        }
        if (!known) {
            throw std::runtime_error("--features knows no '" + name + "'");
        }
    }
    return features;
}

Program with_features(Program program, const Features& features, std::uint64_t seed) {
    return features.empty() ? program : Changes(std::move(program), features, seed).made();
}

}  // namespace dampi::oracle
