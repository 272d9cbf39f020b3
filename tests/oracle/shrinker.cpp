#include "tests/oracle/shrinker.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace dampi::oracle {
namespace {

bool mentions(const Op& op, int rank) {
    return (has_peer(op.kind) && op.peer == rank) || (is_pair(op.kind) && op.to == rank);
}

void drop_rank_from(std::vector<Op>& ops, int rank) {
    for (Op& op : ops) {
        if (is_collective(op.kind) && has_peer(op.kind) && op.peer == rank) {
            op.peer = 0;
        }
    }
    std::erase_if(ops, [&](const Op& op) { return !is_collective(op.kind) && mentions(op, rank); });
    for (Op& op : ops) {
        if (has_peer(op.kind) && op.peer > rank) {
            --op.peer;
        }
        if (is_pair(op.kind) && op.to > rank) {
            --op.to;
        }
        drop_rank_from(op.then, rank);
        drop_rank_from(op.otherwise, rank);
    }
}

void add_without_ranks(const Program& program, std::vector<Program>& smaller) {
    // A rank alone is another matter: MPICH does not buffer what it sends to itself.
    for (std::size_t rank = program.ranks.size(); program.ranks.size() > 2 && rank-- > 0;) {
        Program changed = program;
        changed.ranks.erase(changed.ranks.begin() + static_cast<std::ptrdiff_t>(rank));
        for (auto& ops : changed.ranks) {
            drop_rank_from(ops, static_cast<int>(rank));
        }
        smaller.push_back(std::move(changed));
    }
}

/// Blocking, or plain barriers, in all ranks.
void add_plainer_collectives(const Program& program, std::vector<Program>& smaller) {
    const auto& first = program.ranks.front();
    const auto count = std::count_if(first.begin(), first.end(), [](const Op& op) { return is_collective(op.kind); });
    const auto change = [&](std::ptrdiff_t which, auto&& how) {
        Program changed = program;
        for (auto& ops : changed.ranks) {
            std::ptrdiff_t seen = 0;
            for (Op& op : ops) {
                if (is_collective(op.kind) && seen++ == which) {
                    how(op);
                }
            }
        }
        if (changed != program) {
            smaller.push_back(std::move(changed));
        }
    };
    for (std::ptrdiff_t which = 0; which < count; ++which) {
        change(which, [](Op& op) {
            op.kind = blocking_form(op.kind);
            op.slot = no_slot;
        });
        change(which, [](Op& op) { op.comm = 0; });
        change(which, [](Op& op) {
            op.kind = is_nonblocking_collective(op.kind) ? OpKind::ibarrier : OpKind::barrier;
            op.peer = any;
        });
    }
}

void add_without_collectives(const Program& program, std::vector<Program>& smaller) {
    const auto& first = program.ranks.front();
    const auto count = std::count_if(first.begin(), first.end(), [](const Op& op) { return is_collective(op.kind); });
    for (std::ptrdiff_t which = 0; which < count; ++which) {
        Program changed = program;
        for (auto& ops : changed.ranks) {
            std::ptrdiff_t seen = 0;
            std::erase_if(ops, [&](const Op& op) { return is_collective(op.kind) && seen++ == which; });
        }
        smaller.push_back(std::move(changed));
    }
}

/// The plainer forms of one operation.
std::vector<Op> plainer(const Op& op) {
    std::vector<Op> forms;
    const auto add = [&](auto change) {
        Op changed = op;
        change(changed);
        if (changed != op) {
            forms.push_back(std::move(changed));
        }
    };
    switch (op.kind) {
        case OpKind::issend:
            add([](Op& o) { o.kind = OpKind::isend; });
            [[fallthrough]];
        case OpKind::isend:
            add([](Op& o) {
                o = {.kind = o.kind == OpKind::isend ? OpKind::send : OpKind::ssend,
                     .peer = o.peer,
                     .tag = o.tag,
                     .comm = o.comm};
            });
            break;
        case OpKind::ssend:
        case OpKind::bsend:
        case OpKind::rsend:
            add([](Op& o) { o.kind = OpKind::send; });
            break;
        case OpKind::irecv:
            add([](Op& o) { o.kind = OpKind::recv; });
            break;
        case OpKind::testany:
        case OpKind::testall:
        case OpKind::testsome:
            for (std::size_t i = 0; op.slots.size() > 1 && i < op.slots.size(); ++i) {
                add([&](Op& o) { o.slots.erase(o.slots.begin() + static_cast<std::ptrdiff_t>(i)); });
            }
            [[fallthrough]];
        case OpKind::test:
        case OpKind::getstatus:
            add([](Op& o) {
                o.kind = OpKind::wait;
                o.times = 1;
            });
            break;
        case OpKind::mprobe:
        case OpKind::iprobe:
            add([](Op& o) {
                o.kind = OpKind::probe;
                o.times = 1;
            });
            break;
        case OpKind::improbe:
            add([](Op& o) { o.kind = OpKind::iprobe; });
            add([](Op& o) {
                o.kind = OpKind::mprobe;
                o.times = 1;
            });
            break;
        case OpKind::isendrecv:
            add([](Op& o) { o.kind = OpKind::sendrecv; });
            [[fallthrough]];
        case OpKind::sendrecv:
            add([](Op& o) {
                o.kind = OpKind::recv;
                o.to = o.to_tag = any;
            });
            break;
        case OpKind::waitsome:
            add([](Op& o) { o.kind = OpKind::waitany; });
            [[fallthrough]];
        case OpKind::waitany:
            add([](Op& o) { o.kind = OpKind::wait; });
            [[fallthrough]];
        case OpKind::wait:
            for (std::size_t i = 0; op.slots.size() > 1 && i < op.slots.size(); ++i) {
                add([&](Op& o) { o.slots.erase(o.slots.begin() + static_cast<std::ptrdiff_t>(i)); });
            }
            break;
        default:
            break;
    }
    if (is_send(op.kind) || is_receive_or_probe(op.kind)) {
        add([](Op& o) { o.tag = 0; });
        add([](Op& o) { o.comm = 0; });
    }
    add([](Op& o) { o.persistent = false; });
    add([](Op& o) { o.times = 1; });
    add([](Op& o) { o.place = own_place; });
    return forms;
}

/// Calls `use` with each program that differs from `whole` in what one operation of `ops` (a part of it)
/// has become: nothing, its insides, or something plainer.
void change_one(const Program& whole, std::vector<Op>& ops, const std::function<void()>& use) {
    for (std::size_t i = ops.size(); i-- > 0;) {
        if (is_collective(ops[i].kind)) {
            continue;
        }
        const std::vector<Op> before = ops;
        const auto replace = [&](const std::vector<Op>& by) {
            ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
            ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(i), by.begin(), by.end());
            use();
            ops = before;
        };
        replace({});
        if (is_branch(before[i].kind)) {
            replace(before[i].then);
            replace(before[i].otherwise);
            change_one(whole, ops[i].then, use);
            change_one(whole, ops[i].otherwise, use);
        }
        for (const Op& form : plainer(before[i])) {
            replace({form});
        }
    }
}

std::vector<Program> all_smaller(const Program& program) {
    std::vector<Program> smaller;
    add_without_ranks(program, smaller);
    add_without_collectives(program, smaller);
    add_plainer_collectives(program, smaller);
    Program changed = program;
    for (auto& ops : changed.ranks) {
        change_one(changed, ops, [&] { smaller.push_back(changed); });
    }
    return smaller;
}

bool valid(const Program& program) {
    try {
        check(program);
        return true;
    } catch (const ProgramError&) {
        return false;
    }
}

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& shows, std::size_t most_questions) {
    std::size_t questions = 0;
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (Program& candidate : all_smaller(program)) {
            if (!valid(candidate)) {
                continue;
            }
            if (questions++ == most_questions) {
                return program;
            }
            if (shows(candidate)) {
                program = std::move(candidate);
                smaller = true;
                break;
            }
        }
    }
    return program;
}

}  // namespace dampi::oracle
