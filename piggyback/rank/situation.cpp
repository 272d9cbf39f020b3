#include "piggyback/rank/situation.hpp"

#include "piggyback/rank/argument_text.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/object_names.hpp"
#include "piggyback/rank/python_places.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <unwind.h>

namespace dampi::piggyback {
namespace {

using Situation = transport::Board::Situation;

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
    auto& situation = *static_cast<Situation*>(argument);
    const std::uint64_t return_address = _Unwind_GetIP(context);
    if (return_address == 0 || situation.frames >= transport::situation_frames) {
        return _URC_END_OF_STACK;
    }
    situation.program_counters[situation.frames++] = return_address - 1;
    return _URC_NO_REASON;
}

template <std::size_t Size>
void copy(char (&into)[Size], const std::string& text) {
    const std::size_t length = std::min(text.size(), Size - 1);
    std::memcpy(into, text.data(), length);
    into[length] = '\0';
}

}  // namespace

void write_situation(Layer& layer, Asking asking) noexcept {
    static std::atomic_flag begun;
    const Call* call = Call::current();
    if (call == nullptr || begun.test_and_set()) {
        return;
    }
    // Other threads may be in the layer while this one is in MPI.
    const bool may_look = asking == Asking::layer || !layer.multithreaded;
    if (may_look) {
        log_modules(layer);
    }
    Situation& situation = layer.board().situation;
    copy(situation.call, call->function());
    situation.site = call->site();
    KnownNames names(layer, may_look);
    ArgumentText arguments(names);
    call->describe_arguments(arguments);
    copy(situation.arguments, arguments.text());
    const auto add = [&situation](const std::vector<std::uint64_t>& frames) {
        for (std::size_t i = 0; i < frames.size() && i < transport::situation_frames; ++i) {
            situation.program_counters[situation.frames++] = frames[i];
        }
    };
    if (transport::is_stack_place(call->site())) {
        add(layer.call_stacks.frames_of(call->site()));
    } else if (call->site() < transport::script_places) {
        _Unwind_Backtrace(visit_frame, &situation);
    } else {
        add(logged_python_stack(layer, transport::situation_frames));
    }
    situation.written.store(1, std::memory_order_release);
}

}  // namespace dampi::piggyback
