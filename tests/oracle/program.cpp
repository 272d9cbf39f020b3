#include "tests/oracle/program.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

namespace dampi::oracle {
namespace {

struct NamedKind {
    OpKind kind;
    const char* name;
};

constexpr std::array kinds{
    NamedKind{OpKind::send, "send"},
    NamedKind{OpKind::isend, "isend"},
    NamedKind{OpKind::ssend, "ssend"},
    NamedKind{OpKind::issend, "issend"},
    NamedKind{OpKind::bsend, "bsend"},
    NamedKind{OpKind::recv, "recv"},
    NamedKind{OpKind::irecv, "irecv"},
    NamedKind{OpKind::probe, "probe"},
    NamedKind{OpKind::wait, "wait"},
    NamedKind{OpKind::waitany, "waitany"},
    NamedKind{OpKind::waitsome, "waitsome"},
    NamedKind{OpKind::test, "test"},
    NamedKind{OpKind::barrier, "barrier"},
    NamedKind{OpKind::bcast, "bcast"},
    NamedKind{OpKind::reduce, "reduce"},
    NamedKind{OpKind::branch, "if"},
    NamedKind{OpKind::branch_done, "ifdone"},
    NamedKind{OpKind::bracket, "bracket"},
    NamedKind{OpKind::unbracket, "unbracket"},
    NamedKind{OpKind::getstatus, "getstatus"},
    NamedKind{OpKind::testany, "testany"},
    NamedKind{OpKind::testsome, "testsome"},
    NamedKind{OpKind::testall, "testall"},
    NamedKind{OpKind::iprobe, "iprobe"},
    NamedKind{OpKind::improbe, "improbe"},
    NamedKind{OpKind::mprobe, "mprobe"},
    NamedKind{OpKind::mrecv, "mrecv"},
    NamedKind{OpKind::imrecv, "imrecv"},
    NamedKind{OpKind::cancel, "cancel"},
    NamedKind{OpKind::free, "free"},
    NamedKind{OpKind::sendrecv, "sendrecv"},
    NamedKind{OpKind::isendrecv, "isendrecv"},
    NamedKind{OpKind::rsend, "rsend"},
    NamedKind{OpKind::allreduce, "allreduce"},
    NamedKind{OpKind::allgather, "allgather"},
    NamedKind{OpKind::alltoall, "alltoall"},
    NamedKind{OpKind::gather, "gather"},
    NamedKind{OpKind::scatter, "scatter"},
    NamedKind{OpKind::scan, "scan"},
    NamedKind{OpKind::exscan, "exscan"},
    NamedKind{OpKind::ibarrier, "ibarrier"},
    NamedKind{OpKind::ibcast, "ibcast"},
    NamedKind{OpKind::ireduce, "ireduce"},
    NamedKind{OpKind::iallreduce, "iallreduce"},
    NamedKind{OpKind::iallgather, "iallgather"},
    NamedKind{OpKind::ialltoall, "ialltoall"},
    NamedKind{OpKind::igather, "igather"},
    NamedKind{OpKind::iscatter, "iscatter"},
    NamedKind{OpKind::iscan, "iscan"},
    NamedKind{OpKind::iexscan, "iexscan"},
};

constexpr std::array<std::pair<OpKind, OpKind>, 10> collective_forms{{{OpKind::barrier, OpKind::ibarrier},
                                                                      {OpKind::bcast, OpKind::ibcast},
                                                                      {OpKind::reduce, OpKind::ireduce},
                                                                      {OpKind::allreduce, OpKind::iallreduce},
                                                                      {OpKind::allgather, OpKind::iallgather},
                                                                      {OpKind::alltoall, OpKind::ialltoall},
                                                                      {OpKind::gather, OpKind::igather},
                                                                      {OpKind::scatter, OpKind::iscatter},
                                                                      {OpKind::scan, OpKind::iscan},
                                                                      {OpKind::exscan, OpKind::iexscan}}};

bool has_own_slot(OpKind kind) { return is_receive_or_probe(kind) || has_request(kind); }
bool has_comm(OpKind kind) { return is_send(kind) || is_receive_or_probe(kind) || is_collective(kind); }
bool may_be_persistent(OpKind kind) { return kind == OpKind::irecv || kind == OpKind::isend || kind == OpKind::issend; }
/// Whether its slots must be different ones.
bool chooses(OpKind kind) {
    return kind == OpKind::waitany || kind == OpKind::waitsome || kind == OpKind::testany || kind == OpKind::testsome ||
           kind == OpKind::testall;
}
bool names_one_slot(OpKind kind) { return names_slots(kind) && !chooses(kind) && kind != OpKind::wait; }

std::string number_text(int number) {
    return number == any ? "any" : number == nobody ? "null" : std::to_string(number);
}

void write_ops(std::ostream& out, const std::vector<Op>& ops, const std::string& indent) {
    for (const Op& op : ops) {
        const auto named = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.kind == op.kind; });
        out << indent << named->name;
        if (has_own_slot(op.kind) || is_branch(op.kind)) {
            out << ' ' << op.slot;
        }
        if (has_peer(op.kind)) {
            out << ' ' << number_text(op.peer);
        }
        if (is_send(op.kind) || is_receive_or_probe(op.kind)) {
            out << ' ' << number_text(op.tag);
        }
        if (is_pair(op.kind)) {
            out << ' ' << number_text(op.to) << ' ' << op.to_tag;
        }
        for (const int slot : op.slots) {
            out << ' ' << slot;
        }
        if (op.times != 1) {
            out << " x" << op.times;
        }
        if (op.persistent) {
            out << " %";
        }
        if (op.comm != 0) {
            out << " @" << op.comm;
        }
        if (op.place != own_place) {
            out << " ^" << op.place;
        }
        if (op.bound != nothing_inside) {
            out << ' ' << op.bound;
        }
        out << '\n';
        if (is_branch(op.kind)) {
            write_ops(out, op.then, indent + "  ");
            if (!op.otherwise.empty()) {
                out << indent << "else\n";
                write_ops(out, op.otherwise, indent + "  ");
            }
            out << indent << "end\n";
        }
    }
}

/// One line's words, read in order.
class Words {
public:
    Words(const std::string& line, int number) : stream_(line.substr(0, line.find('#'))), number_(number) {}

    bool next(std::string& word) { return static_cast<bool>(stream_ >> word); }
    int number() {
        std::string word;
        if (!next(word)) {
            fail("a number is missing");
        }
        if (word == "any") {
            return any;
        }
        if (word == "null") {
            return nobody;
        }
        try {
            std::size_t used = 0;
            const int value = std::stoi(word, &used);
            if (used == word.size() && value >= 0) {
                return value;
            }
        } catch (const std::exception&) {  // falls through to the message
        }
        fail("'" + word + "' is no number");
    }
    [[noreturn]] void fail(const std::string& why) const {
        throw ProgramError("line " + std::to_string(number_) + ": " + why);
    }

private:
    std::istringstream stream_;
    int number_;
};

Op read_op(const std::string& word, Words& words) {
    const auto named = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == word; });
    if (named == kinds.end()) {
        words.fail("there is no operation '" + word + "'");
    }
    Op op{.kind = named->kind};
    if (has_own_slot(op.kind) || is_branch(op.kind)) {
        op.slot = words.number();
    }
    if (has_peer(op.kind)) {
        op.peer = words.number();
    }
    if (is_send(op.kind) || is_receive_or_probe(op.kind)) {
        op.tag = words.number();
    }
    if (is_pair(op.kind)) {
        op.to = words.number();
        op.to_tag = words.number();
    }
    for (std::string more; words.next(more);) {
        if (more.front() == '@' && has_comm(op.kind)) {
            op.comm = Words(more.substr(1), 0).number();
        } else if (more.front() == '^' && has_place(op.kind)) {
            op.place = Words(more.substr(1), 0).number();
        } else if (more == "%" && may_be_persistent(op.kind)) {
            op.persistent = true;
        } else if (more.front() == 'x' && is_polling(op.kind)) {
            op.times = Words(more.substr(1), 0).number();
        } else if (names_slots(op.kind)) {
            op.slots.push_back(Words(more, 0).number());
        } else if (op.kind == OpKind::bracket && op.bound == nothing_inside) {
            op.bound = Words(more, 0).number();
        } else {
            words.fail("'" + more + "' is too much");
        }
    }
    return op;
}

void check_peer(int peer, const Op& op, int own, int ranks, const std::string& where) {
    if (peer >= ranks || (peer < 0 && peer != nobody)) {
        throw ProgramError(where + "there is no rank " + number_text(peer));
    }
    if (peer == nobody &&
        (is_collective(op.kind) || is_branch(op.kind) || is_polling(op.kind) || is_matched_probe(op.kind))) {
        throw ProgramError(where + "it cannot be of nobody");
    }
    if (op.comm == 3 && peer >= 0 && (peer - own) % 2 == 0) {
        throw ProgramError(where + "rank " + number_text(peer) + " is not in the remote group");
    }
}

void check_rank(const std::vector<Op>& ops, int own, int ranks, const std::string& where) {
    std::set<int> slots;
    std::set<int> pairs;
    for_each_op(ops, [&](const Op& op) {
        if (op.kind == OpKind::isendrecv) {
            pairs.insert(op.slot);
        }
    });
    for_each_op(ops, [&](const Op& op) {
        const bool takes_any = is_receive_or_probe(op.kind);
        if (has_peer(op.kind) && !(takes_any && op.peer == any)) {
            check_peer(op.peer, op, own, ranks, where);
        }
        if (is_pair(op.kind)) {
            check_peer(op.to, op, own, ranks, where);
        }
        if ((is_send(op.kind) && op.tag < 0) || (is_pair(op.kind) && op.to_tag < 0)) {
            throw ProgramError(where + "a send needs a tag");
        }
        if (has_own_slot(op.kind) && (op.slot < 0 || op.slot >= first_hidden_slot || !slots.insert(op.slot).second)) {
            throw ProgramError(where + "the slot " + std::to_string(op.slot) + " is used twice");
        }
        const int last_comm = is_collective(op.kind) || ranks < 2 ? 2 : 3;
        if (op.comm < 0 || op.comm > last_comm || (op.comm != 0 && !has_comm(op.kind))) {
            throw ProgramError(where + "there is no communicator " + std::to_string(op.comm));
        }
        if (chooses(op.kind)) {
            if (op.slots.size() > 6 || std::set<int>(op.slots.begin(), op.slots.end()).size() != op.slots.size()) {
                throw ProgramError(where + "a choice names a slot twice, or more than 6");
            }
        }
        if (op.place < own_place || op.bound < nothing_inside || (op.place != own_place && !has_place(op.kind)) ||
            (op.bound != nothing_inside && op.kind != OpKind::bracket)) {
            throw ProgramError(where + "there is no such place or bound");
        }
        if (op.kind != OpKind::wait &&
            std::any_of(op.slots.begin(), op.slots.end(), [&](int slot) { return pairs.contains(slot); })) {
            throw ProgramError(where + "only wait may name an isendrecv");
        }
        if (names_one_slot(op.kind) && op.slots.size() != 1) {
            throw ProgramError(where + "it needs one slot");
        }
        if (op.times < 1 || op.times > 5 || (op.times != 1 && !is_polling(op.kind))) {
            throw ProgramError(where + "it cannot be repeated so often");
        }
        if (op.persistent && (!may_be_persistent(op.kind) || op.peer == nobody)) {
            throw ProgramError(where + "it cannot be persistent");
        }
        if ((is_branch(op.kind) && op.slot < 0) ||
            std::any_of(op.slots.begin(), op.slots.end(), [](int slot) { return slot < 0; })) {
            throw ProgramError(where + "a slot has no number");
        }
        for (const auto* inner : {&op.then, &op.otherwise}) {
            if (std::any_of(inner->begin(), inner->end(), [](const Op& o) { return is_collective(o.kind); })) {
                throw ProgramError(where + "a collective stands in a branch");
            }
        }
    });
}

std::vector<std::tuple<OpKind, int, int>> collectives(const std::vector<Op>& ops) {
    std::vector<std::tuple<OpKind, int, int>> found;
    for (const Op& op : ops) {
        if (is_collective(op.kind)) {
            found.emplace_back(op.kind, op.peer, op.comm);
        }
    }
    return found;
}

}  // namespace

bool is_send(OpKind kind) {
    return kind == OpKind::send || kind == OpKind::isend || kind == OpKind::ssend || kind == OpKind::issend ||
           kind == OpKind::bsend || kind == OpKind::rsend;
}

bool is_pair(OpKind kind) { return kind == OpKind::sendrecv || kind == OpKind::isendrecv; }

bool is_matched_probe(OpKind kind) { return kind == OpKind::mprobe || kind == OpKind::improbe; }

bool is_probe(OpKind kind) { return kind == OpKind::probe || kind == OpKind::iprobe || is_matched_probe(kind); }

bool is_receive_or_probe(OpKind kind) {
    return kind == OpKind::recv || kind == OpKind::irecv || is_pair(kind) || is_probe(kind);
}

bool is_collective(OpKind kind) {
    return std::any_of(collective_forms.begin(), collective_forms.end(),
                       [&](const auto& forms) { return forms.first == kind || forms.second == kind; });
}

bool is_nonblocking_collective(OpKind kind) { return is_collective(kind) && blocking_form(kind) != kind; }

OpKind blocking_form(OpKind collective) {
    const auto forms = std::find_if(collective_forms.begin(), collective_forms.end(),
                                    [&](const auto& each) { return each.second == collective; });
    return forms == collective_forms.end() ? collective : forms->first;
}

OpKind nonblocking_form(OpKind collective) {
    const auto forms = std::find_if(collective_forms.begin(), collective_forms.end(),
                                    [&](const auto& each) { return each.first == collective; });
    return forms == collective_forms.end() ? collective : forms->second;
}

Flow flow(OpKind collective) {
    switch (blocking_form(collective)) {
        case OpKind::bcast:
        case OpKind::scatter:
            return Flow::from_root;
        case OpKind::reduce:
        case OpKind::gather:
            return Flow::to_root;
        case OpKind::scan:
        case OpKind::exscan:
            return Flow::lower;
        default:
            return Flow::everyone;
    }
}

bool is_test(OpKind kind) {
    return kind == OpKind::test || kind == OpKind::testany || kind == OpKind::testsome || kind == OpKind::testall ||
           kind == OpKind::getstatus;
}

bool is_polling(OpKind kind) { return is_test(kind) || kind == OpKind::iprobe || kind == OpKind::improbe; }

bool is_wait(OpKind kind) {
    return kind == OpKind::wait || kind == OpKind::waitany || kind == OpKind::waitsome || is_test(kind);
}

bool names_slots(OpKind kind) {
    return is_wait(kind) || kind == OpKind::mrecv || kind == OpKind::imrecv || kind == OpKind::cancel ||
           kind == OpKind::free;
}

bool is_branch(OpKind kind) { return kind == OpKind::branch || kind == OpKind::branch_done; }

bool is_bracket(OpKind kind) { return kind == OpKind::bracket || kind == OpKind::unbracket; }

bool has_peer(OpKind kind) {
    const bool rooted = is_collective(kind) && (flow(kind) == Flow::from_root || flow(kind) == Flow::to_root);
    return is_send(kind) || is_receive_or_probe(kind) || rooted || kind == OpKind::branch;
}

bool has_request(OpKind kind) {
    return kind == OpKind::irecv || kind == OpKind::isend || kind == OpKind::issend || kind == OpKind::imrecv ||
           kind == OpKind::isendrecv || is_nonblocking_collective(kind);
}

bool has_place(OpKind kind) { return is_receive_or_probe(kind) || is_wait(kind); }

bool is_wildcard(const Op& op) { return is_receive_or_probe(op.kind) && op.peer == any; }

void for_each_op(const std::vector<Op>& ops, const std::function<void(const Op&)>& visit) {
    for (const Op& op : ops) {
        visit(op);
        for_each_op(op.then, visit);
        for_each_op(op.otherwise, visit);
    }
}

namespace {

/// Of those with this tag or a higher one.
void make_sends_synchronous(std::vector<Op>& ops, int first_tag) {
    for (Op& op : ops) {
        if (is_pair(op.kind)) {
            op.synchronous = op.synchronous || op.to_tag >= first_tag;
        } else if (op.tag < first_tag) {
        } else if (op.kind == OpKind::send || op.kind == OpKind::rsend) {
            op.kind = OpKind::ssend;
        } else if (op.kind == OpKind::isend) {
            op.kind = OpKind::issend;
        }
        make_sends_synchronous(op.then, first_tag);
        make_sends_synchronous(op.otherwise, first_tag);
    }
}

}  // namespace

Program without_buffering(Program program) {
    for (std::vector<Op>& rank : program.ranks) {
        make_sends_synchronous(rank, 0);
        for (Op& op : rank) {
            if (is_collective(op.kind) && !is_nonblocking_collective(op.kind)) {  // none is in a branch
                op.kind = OpKind::barrier;
                op.peer = Op().peer;
            }
        }
    }
    return program;
}

Program large_messages_wait(Program program) {
    for (std::vector<Op>& rank : program.ranks) {
        make_sends_synchronous(rank, first_large_tag);
    }
    return program;
}

std::uint64_t message_bytes(const Op& send) {
    const int large = send.tag >= first_large_tag ? 2'500 : 0;
    return static_cast<std::uint64_t>(4 * (3 + 2 * (send.tag % 3) + send.comm + large));
}

std::size_t count_ops(const Program& program) {
    std::size_t count = 0;
    for (const auto& ops : program.ranks) {
        for_each_op(ops, [&](const Op&) { ++count; });
    }
    return count;
}

namespace {

/// A wildcard, or a choice among requests.
bool is_epoch(const Op& op) {
    return is_wildcard(op) || is_polling(op.kind) || op.kind == OpKind::cancel ||
           (is_wait(op.kind) && op.kind != OpKind::wait);
}

bool has_epochs(const std::vector<Op>& ops) {
    bool found = false;
    for_each_op(ops, [&](const Op& op) { found = found || is_epoch(op); });
    return found;
}

/// `open`: the slots of wildcards that may not be over, at the beginning and then at the end.
bool epochs_in_sequence(const std::vector<Op>& ops, std::set<int>& open) {
    return std::all_of(ops.begin(), ops.end(), [&](const Op& op) {
        if (is_epoch(op) && !open.empty()) {
            return false;
        }
        if (has_request(op.kind) && is_wildcard(op)) {
            open.insert(op.slot);
        } else if (op.kind == OpKind::wait) {
            for (const int slot : op.slots) {
                open.erase(slot);
            }
        }
        std::set<int> otherwise = open;
        const bool both = epochs_in_sequence(op.then, open) && epochs_in_sequence(op.otherwise, otherwise);
        open.merge(otherwise);
        return both;
    });
}

}  // namespace

std::size_t count_wildcard_ranks(const Program& program) {
    return static_cast<std::size_t>(std::count_if(program.ranks.begin(), program.ranks.end(), has_epochs));
}

bool epochs_in_sequence(const Program& program) {
    return count_wildcard_ranks(program) <= 1 &&
           std::all_of(program.ranks.begin(), program.ranks.end(), [](const std::vector<Op>& ops) {
               std::set<int> open;
               return epochs_in_sequence(ops, open);
           });
}

namespace {

template <typename Condition>
bool has(const Program& program, Condition&& condition) {
    bool found = false;
    for (const auto& ops : program.ranks) {
        for_each_op(ops, [&](const Op& op) { found = found || condition(op.kind); });
    }
    return found;
}

}  // namespace

bool has_tests(const Program& program) { return has(program, is_polling); }

bool has_cancels(const Program& program) {
    return has(program, [](OpKind kind) { return kind == OpKind::cancel; });
}

void check(const Program& program) {
    if (program.ranks.empty()) {
        throw ProgramError("a program needs a rank");
    }
    for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) {
        const std::string where = "rank " + std::to_string(rank) + ": ";
        check_rank(program.ranks[rank], static_cast<int>(rank), static_cast<int>(program.ranks.size()), where);
        if (collectives(program.ranks[rank]) != collectives(program.ranks[0])) {
            throw ProgramError(where + "its collectives differ from those of rank 0");
        }
    }
}

std::string to_text(const Program& program) {
    std::ostringstream out;
    out << "ranks " << program.ranks.size() << '\n';
    for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) {
        out << "rank " << rank << '\n';
        write_ops(out, program.ranks[rank], "  ");
    }
    return out.str();
}

Program parse_program(std::string_view text) {
    Program program;
    std::vector<std::vector<Op>> open;  // the lists of operations that we are in, innermost last
    std::vector<Op> branches;           // the branches that we are in
    std::vector<bool> in_else;
    std::size_t rank = 0;
    const auto close_rank = [&](const Words& words) {
        if (!branches.empty()) {
            words.fail("an 'if' has no 'end'");
        }
        if (!open.empty()) {
            program.ranks[rank] = std::move(open.front());
            open.clear();
        }
    };
    std::istringstream lines{std::string(text)};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        Words words(line, ++number);
        std::string word;
        if (!words.next(word)) {
            continue;
        }
        if (word == "ranks") {
            program.ranks.resize(static_cast<std::size_t>(std::clamp(words.number(), 1, 64)));
        } else if (word == "rank") {
            close_rank(words);
            rank = static_cast<std::size_t>(words.number());
            if (rank >= program.ranks.size()) {
                words.fail("there is no such rank");
            }
            open.emplace_back();
        } else if (open.empty()) {
            words.fail("an operation stands outside a rank");
        } else if (word == "else" || word == "end") {
            if (branches.empty() || (word == "else" && in_else.back())) {
                words.fail("'" + word + "' without 'if'");
            }
            (in_else.back() ? branches.back().otherwise : branches.back().then) = std::move(open.back());
            open.pop_back();
            if (word == "else") {
                in_else.back() = true;
                open.emplace_back();
            } else {
                open.back().push_back(std::move(branches.back()));
                branches.pop_back();
                in_else.pop_back();
            }
        } else {
            Op op = read_op(word, words);
            if (is_branch(op.kind)) {
                branches.push_back(std::move(op));
                in_else.push_back(false);
                open.emplace_back();
            } else {
                open.back().push_back(std::move(op));
            }
        }
    }
    close_rank(Words("", number));
    check(program);
    return program;
}

}  // namespace dampi::oracle
