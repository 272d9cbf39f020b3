#include "piggyback/rank/call.hpp"

#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/errors/held_error.hpp"
#include "piggyback/rank/lifecycle/late_start.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"
#include "piggyback/rank/python_places.hpp"
#include "piggyback/rank/rank.hpp"
#include "piggyback/rank/repetition.hpp"
#include "piggyback/rank/thread_lock.hpp"
#include "replay/unseen_calls.hpp"

#include <cstdint>
#include <cstring>

#include <mpi.h>

namespace dampi::piggyback {
namespace {

struct Thread {
    int depth;  ///< MPI calls that it is inside of: more than one when the library calls MPI_ names itself
    const Call* current;
    transport::memory::LastCall* last_call;  ///< null: not to be noted
};
__attribute__((tls_model("initial-exec"))) thread_local Thread thread{};

}  // namespace

Call::Call(const Function& function, const void* arguments, const void* return_address) noexcept
    : function_(function.name), wrapped_(&function), arguments_(arguments), return_address_(return_address) {
    if (repeating) [[unlikely]] {
        end_of_repetition(function_, return_address);
    }
    const std::uint64_t script = thread.depth == 0 ? python_site_if_any() : 0;
    begin();
    if (outermost_) {
        around_ = thread.current;
        if (script != 0) [[unlikely]] {
            site_ = script;
            log_python_places(*Layer::current());
        } else {
            site_ = program_site(return_address, this);
        }
        thread.current = this;
        note();
    } else if (Layer* layer = Layer::current(); layer != nullptr && layer->active() && !is_mpi_code(return_address)) {
        layer->resources.misses_calls();
        if (function.communicates) {
            layer->count_not_modelled(replay::calls_from_callbacks);
            layer->unmodelled_calls = true;
        }
    }
}

Call::Call(const char* function) noexcept : function_(function) { begin(); }

inline void Call::begin() noexcept {
    Layer* layer = Layer::current();
    if (layer == nullptr) [[unlikely]] {
        stand_behind_init(function_, arguments_);
        not_the_same_in_ranks("it calls MPI before main");
        if (has_been_initialised() || end_late_start()) {
            layer = Layer::current();
        }
    }
    outermost_ = ++thread.depth == 1 && layer != nullptr;
    modelled_ = outermost_ && layer->active();
    if (modelled_) {
        if (layer->locks_calls) {
            lock_threads();
            locked_ = true;
        }
        polling_ = layer->threads.enter().polling.open;
    }
    if (outermost_) {
        count_up(layer->header().calls);
    }
}

Call::~Call() {
    if (modelled_ && Layer::current()->active()) {
        notice_matches(*Layer::current());
    }
    if (locked_) {
        unlock_threads();
    }
    if (thread.current == this) {
        thread.current = around_;
        if (thread.last_call != nullptr) {
            thread.last_call->inside.store(0, std::memory_order_relaxed);
        }
    }
    --thread.depth;
}

const Call* Call::current() noexcept { return thread.current; }

void Call::note_in(transport::memory::LastCall& last_call) noexcept { thread.last_call = &last_call; }

inline void Call::note() const noexcept {
    if (transport::memory::LastCall* last = thread.last_call) {
        // As long as the name of every function that has a wrapper.
        std::memcpy(last->name, function_, sizeof last->name);
        last->site = site_;
        last->inside.store(1, std::memory_order_relaxed);
    }
}

Call::ProgramRuns::ProgramRuns(const Call& call) noexcept : call_(call), unlocked_(threads_locked()) {
    --thread.depth;
    thread.current = nullptr;
    if (thread.last_call != nullptr) {
        thread.last_call->inside.store(0, std::memory_order_relaxed);
    }
    if (unlocked_) {
        unlock_threads();
    }
}

Call::ProgramRuns::~ProgramRuns() {
    if (unlocked_) {
        lock_threads();
    }
    ++thread.depth;
    thread.current = &call_;
    call_.note();
}

Call::OthersEnter::OthersEnter() noexcept : unlocked_(threads_locked()) {
    if (unlocked_) {
        unlock_threads();
    }
}

Call::OthersEnter::~OthersEnter() {
    if (unlocked_) {
        lock_threads();
    }
}

bool Call::inside_mpi() noexcept { return thread.depth != 0; }

bool Call::nested() noexcept { return thread.depth > 1; }

void Call::not_modelled() const noexcept {
    Layer::current()->count_not_modelled(function_);
    Layer::current()->unmodelled_calls = true;
}

void Call::failed(int code) const noexcept {
    if (modelled_) {
        note_error(*this, code);
    }
    hand_over_kept_error(code);
}

void Call::hands_out(int request) const noexcept {
    if (modelled_) {
        Layer::current()->requests.handed_out(request);
    }
}

int Call::datatype_if_held(int handle) noexcept {
    return Layer::current()->resources.is_stale(ResourceKind::datatype, static_cast<std::uint32_t>(handle))
               ? MPI_DATATYPE_NULL
               : handle;
}

void Call::ends_polling() const noexcept {
    Layer& layer = *Layer::current();
    if (layer.active() && this_thread != nullptr && this_thread->polling.open) {
        give_up_polling(layer, *this, this_thread->polling);
    }
}

}  // namespace dampi::piggyback
