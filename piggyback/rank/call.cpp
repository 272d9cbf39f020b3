#include "piggyback/rank/call.hpp"

#include "piggyback/rank/call_depth.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/late_calls.hpp"
#include "piggyback/rank/python_places.hpp"
#include "piggyback/rank/repetition.hpp"
#include "piggyback/rank/sanitizers/in_mpi.hpp"
#include "piggyback/rank/thread_lock.hpp"
#include "piggyback/rank/threads/threads.hpp"
#include "piggyback/rank/touches/page_guard.hpp"
#include "replay/unseen_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace dampi::piggyback {
namespace {

struct Thread {
    const Call* current;
    transport::Board::LastCall* last_call;  ///< null: not to be noted
};
__attribute__((tls_model("initial-exec"))) thread_local Thread thread{};

using WithoutRank = void(const char* function, const void* arguments) noexcept;
constinit WithoutRank* call_without_rank = nullptr;

using NameSite = std::uint64_t(std::uint64_t site);
constinit NameSite* name_site = nullptr;

}  // namespace

Call::Call(const Function& function, const void* arguments, const void* return_address) noexcept
    : watched_(function.any_thread ? nullptr : function.name, return_address),
      function_(function.name),
      wrapped_(&function),
      arguments_(arguments),
      return_address_(return_address) {
    if (repeating) [[unlikely]] {
        end_of_repetition(function_);
    }
    const std::uint64_t script = call_depth == 0 ? python_site_if_any() : 0;
    begin();
    if (outermost_) {
        around_ = thread.current;
        if (script != 0) [[unlikely]] {
            site_ = script;
            log_python_places(*Core::current());
        } else {
            site_ = program_site(return_address, this);
        }
        if (modelled_ && name_site != nullptr) [[unlikely]] {
            site_ = name_site(site_);
        }
        thread.current = this;
        note();
        if (modelled_) {
            engine.enters_call(*this);
        } else if (look_at_late_call != nullptr) [[unlikely]] {
            look_at_late_call(*this);
        }
    } else if (Core* core = Core::current(); core != nullptr && core->active() && !is_mpi_code(return_address)) {
        core->misses_calls.store(true, std::memory_order_relaxed);
        if (function.communicates) {
            core->count_not_modelled(replay::calls_from_callbacks);
            core->unmodelled_calls = true;
        }
    }
}

Call::Call(const char* function) noexcept : function_(function) {
    begin();
    if (modelled_) {
        engine.enters_call(*this);
    }
}

inline void Call::begin() noexcept {
    Core* core = Core::current();
    if (core == nullptr && call_without_rank != nullptr) [[unlikely]] {
        call_without_rank(function_, arguments_);
        core = Core::current();
    }
    outermost_ = ++call_depth == 1 && core != nullptr;
    if (outermost_) {
        touches::enter_mpi();
        sanitizers::enter_mpi();
    }
    modelled_ = outermost_ && core->active();
    if (modelled_) {
        if (core->locks_calls) {
            if (this_thread != nullptr) {
                this_thread->false_answers.come();
            }
            lock_threads();
            locked_ = true;
        }
        enter_thread(*core);
    }
    if (outermost_) {
        count_up(core->board().calls);
    }
}

Call::~Call() {
    if (modelled_ && Core::current()->active()) {
        engine.leaves_call();
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
    --call_depth;
    if (outermost_) {
        sanitizers::leave_mpi();
        touches::leave_mpi();
    }
}

const Call* Call::current() noexcept { return thread.current; }

void Call::name_sites(NameSite* name) noexcept { name_site = name; }

void Call::note_in(transport::Board::LastCall& last_call) noexcept { thread.last_call = &last_call; }

inline void Call::note() const noexcept {
    if (transport::Board::LastCall* last = thread.last_call) {
        // As long as the name of every function that has a wrapper.
        std::memcpy(last->name, function_, sizeof last->name);
        last->site = site_;
        last->inside.store(1, std::memory_order_relaxed);
    }
}

Call::ProgramRuns::ProgramRuns(const Call& call) noexcept : call_(call), unlocked_(threads_locked()) {
    --call_depth;
    ++Core::current()->callbacks;
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
    ++call_depth;
    --Core::current()->callbacks;
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

void Call::note_last(std::string_view function, std::uint64_t site) noexcept {
    transport::Board::LastCall* last = thread.last_call;
    if (last == nullptr) {
        return;
    }
    if (function.empty()) {
        last->inside.store(0, std::memory_order_relaxed);
        return;
    }
    char name[sizeof last->name] = "";
    std::memcpy(name, function.data(), std::min(function.size(), sizeof name - 1));
    std::memcpy(last->name, name, sizeof last->name);
    last->site = site;
    last->inside.store(1, std::memory_order_relaxed);
}

void Call::without_rank(void (*what)(const char* function, const void* arguments) noexcept) noexcept {
    call_without_rank = what;
}

base::Digest Call::digest() const {
    base::DigestBuilder words;
    words.add(std::string_view(function_)).add(reinterpret_cast<std::uintptr_t>(return_address_)).add(site_);
    if (wrapped_ != nullptr) {
        for (const ParameterOf& parameter : wrapped_->parameters) {
            std::uint64_t value = 0;
            std::memcpy(&value, static_cast<const char*>(arguments_) + parameter.offset, parameter.size);
            words.add(value);
        }
    }
    return words.value();
}

void Call::not_modelled() const noexcept {
    Core::current()->count_not_modelled(function_, site_);
    Core::current()->unmodelled_calls = true;
}

}  // namespace dampi::piggyback
