#include "tests/oracle/instructions.hpp"

#include <algorithm>

namespace dampi::oracle {
namespace {

/// A wait for the receive is one for the send, too.
void append_pair(const Op& op, std::vector<Instruction>& code) {
    const int hidden = first_hidden_slot + op.slot;
    code.push_back({.op = {.kind = op.synchronous ? OpKind::issend : OpKind::isend,
                           .slot = hidden,
                           .peer = op.to,
                           .tag = op.to_tag,
                           .comm = op.comm}});
    Op receive = op;
    receive.kind = OpKind::irecv;
    receive.to = receive.to_tag = any;
    code.push_back({.op = receive});
    if (op.kind == OpKind::sendrecv) {
        code.push_back({.op = {.kind = OpKind::wait, .slots = {hidden, op.slot}}});
    }
}

void append_wait(const Op& op, const std::vector<int>& pairs, std::vector<Instruction>& code) {
    Op wait = op;
    for (const int slot : op.slots) {
        if (std::find(pairs.begin(), pairs.end(), slot) != pairs.end()) {
            wait.slots.push_back(first_hidden_slot + slot);
        }
    }
    code.push_back({.op = wait});
}

/// `pairs`: the slots of nonblocking ones.
void append(const std::vector<Op>& ops, const std::vector<int>& pairs, std::vector<Instruction>& code) {
    for (const Op& op : ops) {
        if (is_pair(op.kind)) {
            append_pair(op, code);
            continue;
        }
        if (op.kind == OpKind::wait) {
            append_wait(op, pairs, code);
            continue;
        }
        if (!is_branch(op.kind)) {
            code.push_back({.op = op});
            continue;
        }
        const std::size_t condition = code.size();
        code.push_back({.kind = Instruction::Kind::jump_unless,
                        .op = {.kind = op.kind, .slot = op.slot, .peer = op.peer, .tag = op.tag}});
        append(op.then, pairs, code);
        const std::size_t skip = code.size();
        code.push_back({.kind = Instruction::Kind::jump});
        code[condition].target = code.size();
        append(op.otherwise, pairs, code);
        code[skip].target = code.size();
    }
}

}  // namespace

std::vector<Instruction> flatten(const std::vector<Op>& ops) {
    std::vector<Instruction> code;
    std::vector<int> pairs;
    for_each_op(ops, [&](const Op& op) {
        if (op.kind == OpKind::isendrecv) {
            pairs.push_back(op.slot);
        }
    });
    append(ops, pairs, code);
    for (std::size_t i = 0, end = code.size(); i < end; ++i) {
        if (is_matched_probe(code[i].op.kind)) {
            code.push_back({.op = {.kind = OpKind::mrecv, .slots = {code[i].op.slot}}});
        }
    }
    Op wait{.kind = OpKind::wait};
    for (const Instruction& instruction : code) {
        if (has_request(instruction.op.kind)) {
            wait.slots.push_back(instruction.op.slot);
        }
    }
    code.push_back({.op = wait});
    return code;
}

std::size_t find_slot(const std::vector<Instruction>& code, int slot) {
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].kind == Instruction::Kind::op && code[i].op.slot == slot) {
            return i;
        }
    }
    return code.size();
}

}  // namespace dampi::oracle
