#include "piggyback/rank/lifecycle/crash.hpp"

#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/libc_sigaction.hpp"
#include "piggyback/rank/lifecycle/main_function.hpp"
#include "piggyback/rank/lifecycle/way_out_of_main.hpp"
#include "piggyback/rank/memory/saved_context.hpp"
#include "piggyback/rank/programs_handlers.hpp"
#include "piggyback/rank/touches/page_guard.hpp"
#include "replay/violation_kind.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>

#include <ucontext.h>
#include <unwind.h>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

using transport::crash_frames;
using Crash = transport::Board::Crash;

constexpr std::array crash_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};

struct sigaction previous[NSIG];  ///< whom our handler hands over to, by signal
Crash* info = nullptr;
pid_t owner = 0;
bool ends_again = false;  ///< exit() was called by what it had called

alignas(64) char alternate_stack[128 * 1024];

struct Backtrace {
    std::uint64_t interrupted;
    bool reached = false;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
    Backtrace& backtrace = *static_cast<Backtrace*>(argument);
    const std::uint64_t address = _Unwind_GetIP(context);
    if (!backtrace.reached) {
        // The handler's own frames come first.
        backtrace.reached = address == backtrace.interrupted;
        return _URC_NO_REASON;
    }
    if (address == 0 || info->frames >= crash_frames) {
        return _URC_END_OF_STACK;
    }
    info->program_counters[info->frames++] = address - 1;  // within the calling instruction
    return _URC_NO_REASON;
}

void record(int signal, const siginfo_t& what, const ucontext_t& context) {
    const std::uint64_t interrupted = program_counter_of(context);
    info->fault_address = reinterpret_cast<std::uintptr_t>(what.si_addr);
    info->program_counters[0] = interrupted;
    info->frames = 1;
    info->signal.store(static_cast<std::uint32_t>(signal), std::memory_order_release);
    // That much is certain; looking at a damaged stack may fail.
    if (!is_logged_place(interrupted)) {
        // A call to an address without code: nothing can be unwound there, but the return address is known.
#if defined(__x86_64__)
        const std::uint64_t caller = *reinterpret_cast<const std::uint64_t*>(stack_pointer_of(context));
#else
        const std::uint64_t caller = context.uc_mcontext.regs[30];
#endif
        if (is_logged_place(caller)) {
            info->program_counters[info->frames++] = caller - 1;
        }
    }
    Backtrace backtrace{.interrupted = interrupted};
    _Unwind_Backtrace(visit_frame, &backtrace);
}

_Unwind_Reason_Code visit_caller(_Unwind_Context* context, void* /*argument*/) {
    const std::uint64_t address = _Unwind_GetIP(context);
    if (address == 0 || info->frames >= crash_frames) {
        return _URC_END_OF_STACK;
    }
    info->program_counters[info->frames++] = address - 1;
    return _URC_NO_REASON;
}

void on_exit_called(int status, void* /*argument*/) { note_exit(status); }

void on_crash(int signal, siginfo_t* what, void* context) {
    touches::give_up();
    // Not for a child process that shares the board, and only for the first crash.
    if (is_rank_itself() && info->signal.load(std::memory_order_relaxed) == 0) {
        record(signal, *what, *static_cast<ucontext_t*>(context));
    }
    libc_sigaction(signal, &previous[signal], nullptr);
    const bool recurs = what->si_code > 0 && signal != SIGABRT && signal != SIGSYS;
    if (!recurs) {
        // Blocked until this handler returns: it arrives where the program was interrupted.
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
    }
    // Else the program goes on at the faulty instruction, and the next handler learns the true cause.
}

/// Whether the handler is one with which a runtime library prints a backtrace before it ends the process.
bool belongs_to_runtime(const struct sigaction& action) {
    const auto handler = reinterpret_cast<std::uintptr_t>(action.sa_sigaction);
    return is_of_library(handler, "libucs.") || is_of_library(handler, "libgfortran.");
}

_Unwind_Reason_Code stop_at_once(_Unwind_Context* /*context*/, void* /*argument*/) { return _URC_NORMAL_STOP; }

void install(int signal) {
    struct sigaction current {};
    if (libc_sigaction(signal, nullptr, &current) != 0) {
        return;
    }
    const bool is_default = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_DFL;
    const bool is_other = current.sa_handler != SIG_IGN && current.sa_sigaction != on_crash;
    if (!is_default && !(is_other && belongs_to_runtime(current))) {
        return;
    }
    previous[signal] = current;
    struct sigaction ours {};
    ours.sa_sigaction = on_crash;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&ours.sa_mask);
    libc_sigaction(signal, &ours, nullptr);
}

void use_alternate_stack() {
    stack_t current{};
    if (sigaltstack(nullptr, &current) == 0 && (current.ss_flags & SS_DISABLE) != 0) {
        stack_t ours{};
        ours.ss_sp = alternate_stack;
        ours.ss_size = sizeof alternate_stack;
        sigaltstack(&ours, nullptr);
    }
}

}  // namespace

bool is_rank_itself() noexcept { return info != nullptr && getpid() == owner; }

void note_exit(int status) noexcept {
    Core* core = Core::current();
    if (core == nullptr || !is_rank_itself()) {
        return;
    }
    // A sanitizer that has something to say at the end puts a status of its own in the place of this one.
    info->exit_status.store((static_cast<std::uint32_t>(status) & 0xffU) + 1, std::memory_order_release);
    if (info->frames != 0) {
        return;
    }
    const auto phase = core->board().phase.load(std::memory_order_relaxed);
    if (status == 0 && phase == transport::Phase::finalized) {
        return;
    }
    log_modules(*core);
    info->main_function = main_function();
    const std::span<std::uint64_t> room(info->program_counters);
    if (const std::size_t known = ends_again ? 0 : way_out_of_main(room.subspan(1)); known != 0) {
        room.front() = info->main_function;
        info->frames = static_cast<std::uint32_t>(known) + 1;
        return;
    }
    _Unwind_Backtrace(visit_caller, nullptr);
}

void note_exit_called(int status) noexcept {
    if (!is_rank_itself() || info->exit_status.load(std::memory_order_relaxed) == 0) {
        return;
    }
    // A destructor, say, has called MPI after its end.
    info->frames = 0;
    ends_again = true;
    note_exit(status);
}

void note_exit_early() {
    static bool is_first = true;
    if (std::exchange(is_first, false)) {
        on_exit(on_exit_called, nullptr);
    }
}

void record_crashes(Core& core) {
    owner = getpid();
    info = &core.board().crash;
}

void install_crash_handlers() {
    static bool is_first = true;
    if (std::exchange(is_first, false)) {
        find_libc_sigaction();
        // The unwinder's first use may allocate memory, which a handler must not.
        _Unwind_Backtrace(stop_at_once, nullptr);
        on_exit(on_exit_called, nullptr);
    }
    use_alternate_stack();
    for (const int signal : crash_signals) {
        install(signal);
    }
}

namespace {

using AssertFail = void (*)(const char*, const char*, unsigned, const char*) noexcept;

void record_failed_assertion(const char* assertion, const char* file, unsigned line, const char* function,
                             const void* return_address) {
    Core* core = Core::current();
    if (core == nullptr || getpid() != owner) {
        return;
    }
    log_modules(*core);
    const auto text = [](const char* given) { return std::string(given == nullptr ? "?" : given); };
    core->log.append(
        transport::ViolationRecord{.kind = replay::number_of(replay::ViolationKind::crash),
                                   .message = "assertion `" + text(assertion) + "' failed",
                                   .call = "assert",
                                   .detail = text(file) + ":" + std::to_string(line) + ", in " + text(function),
                                   .site = program_site(return_address)});
}

}  // namespace
}  // namespace dampi::piggyback

/// Where the C library's assert() goes when it fails: the text of the assertion is known only here.
extern "C" __attribute__((visibility("default"))) void __assert_fail(const char* assertion, const char* file,
                                                                     unsigned line, const char* function) noexcept {
    using namespace dampi::piggyback;
    record_failed_assertion(assertion, file, line, function, __builtin_return_address(0));
    if (const auto real = reinterpret_cast<AssertFail>(dlsym(RTLD_NEXT, "__assert_fail"))) {
        real(assertion, file, line, function);
    }
    abort();
}
