#include "scheduler/isp/log.hpp"

#include "scheduler/isp/call_text.hpp"
#include "scheduler/isp/completes_before.hpp"
#include "scheduler/isp/findings.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace dampi::scheduler::isp {
namespace {

using replay::CallEvent;
using replay::CallKind;
using replay::Violation;

std::string file_text(const replay::CodePlace& where) {
    const std::string file = file_of(where);
    return fmt::format("File: {} {} {}", file.size(), file, line_of(where));
}

replay::CodePlace place_of(const Violation& violation) {
    return violation.situations.empty() ? replay::CodePlace{} : violation.situations.front().where;
}

/// One line, as a reader of lines needs it.
std::string on_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::string leak_line(std::uint64_t number, replay::Rank rank, const Violation& leak) {
    return fmt::format("{} {} Leak {} {{ }} {{ }} Match: -1 -1 {}\n", number, rank, resource_of(leak),
                       file_text(place_of(leak)));
}

std::string assertion_line(std::uint64_t number, const Violation& assertion) {
    const replay::CodePlace where = place_of(assertion);
    const std::string function = where.function.empty() ? "unknown" : where.function;
    const std::string message = on_one_line(assertion.message);
    return fmt::format("{} {} ASSERT Message: {} {} Function: {} {} {}\n", number,
                       assertion.ranks.empty() ? 0 : assertion.ranks.front(), message.size(), message, function.size(),
                       function, file_text(where));
}

}  // namespace

std::string LogText::head() const { return fmt::format("{}\n", processes_); }

std::string LogText::communicator(const CallEvent& call) {
    // MPI_COMM_WORLD is 0, the others in the order in which the log comes to them.
    const std::size_t number = communicators_.try_emplace(call.comm, communicators_.size()).first->second;
    std::string text = fmt::format("{}_", number);
    for (const replay::Rank member : call.members) {
        text += fmt::format("{}:", member);
    }
    return text;
}

std::string LogText::interleaving(const Interleaving& run) {
    communicators_ = {{base::world_comm, 0}};
    std::string text;
    const std::vector<CompletesBefore> after = completes_before(run.calls, sends_block_);
    const auto leaks_of = [&](replay::Rank rank) {
        for (const Violation& violation : run.violations) {
            if (trouble_of(violation) == Trouble::leak &&
                std::find(violation.ranks.begin(), violation.ranks.end(), rank) != violation.ranks.end()) {
                text += leak_line(run.number, rank, violation);
            }
        }
    };
    std::size_t at = 0;
    for (replay::Rank rank = 0; rank < processes_; ++rank) {
        for (; at < run.calls.size() && run.calls[at].name.rank == rank; ++at) {
            const CallEvent& call = run.calls[at];
            text += fmt::format("{} {} {} {} {} {} ", run.number, rank, call.name.index, calls_ + call.order,
                                call.issue ? fmt::format("{}", calls_ + *call.issue) : "-1", display_name(call));
            if (call.kind == CallKind::send || call.kind == CallKind::receive || call.kind == CallKind::probe) {
                text += fmt::format("{} {} {} ", call.peer, call.tag, communicator(call));
            } else if (call.kind == CallKind::collective) {
                text += communicator(call) + " ";
            }
            text += "{ ";
            for (const std::uint32_t index : after[at].within) {
                text += fmt::format("{} ", index);
            }
            text += "} { ";
            for (const replay::CallName& other : after[at].across) {
                text += fmt::format("[ {} {} ] ", other.rank, other.index);
            }
            text += fmt::format("}} Match: {} {} {}\n", call.match ? call.match->rank : -1,
                                call.match ? static_cast<std::int64_t>(call.match->index) : -1, file_text(call.where));
        }
        leaks_of(rank);
    }
    calls_ += run.calls.size();
    bool deadlock = false;
    for (const Violation& violation : run.violations) {
        const Trouble trouble = trouble_of(violation);
        if (trouble == Trouble::assertion) {
            text += assertion_line(run.number, violation);
        }
        deadlock = deadlock || trouble == Trouble::deadlock;
    }
    if (deadlock) {
        text += fmt::format("{} DEADLOCK\n", run.number);
    }
    return text;
}

}  // namespace dampi::scheduler::isp
