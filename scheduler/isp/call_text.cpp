#include "scheduler/isp/call_text.hpp"

#include <string_view>

namespace dampi::scheduler::isp {

using replay::CallEvent;
using replay::CallKind;

namespace {

/// Both halves of such a call are one function of the program's.
bool is_exchange(std::string_view function) {
    return function.starts_with("MPI_Sendrecv") || function.starts_with("MPI_Isendrecv");
}

}  // namespace

std::string display_name(const CallEvent& call) {
    const std::string_view function = call.function;
    if (is_exchange(function) && (call.kind == CallKind::send || call.kind == CallKind::receive)) {
        const std::string half = call.kind == CallKind::send ? "send" : "recv";
        return is_nonblocking(call) ? "I" + half : (call.kind == CallKind::send ? "Send" : "Recv");
    }
    return std::string(function.starts_with("MPI_") ? function.substr(4) : function);
}

bool is_blocking(const CallEvent& call, bool sends_block) {
    const std::string_view function = call.function;
    switch (call.kind) {
        case CallKind::send:
            return !is_nonblocking(call) && !function.starts_with("MPI_Bsend") &&
                   (sends_block || function.starts_with("MPI_Ssend"));
        case CallKind::receive:
        case CallKind::collective:
            return !is_nonblocking(call);
        case CallKind::probe:
        case CallKind::completion:
        case CallKind::finalize:
        case CallKind::abort:
            return true;
    }
    return true;
}

std::string file_of(const replay::CodePlace& where) { return where.file.empty() ? "unknown" : where.file; }

int line_of(const replay::CodePlace& where) { return where.file.empty() ? -1 : where.line; }

}  // namespace dampi::scheduler::isp
