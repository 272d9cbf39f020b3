#include "piggyback/rank/lifecycle/way_out_of_main.hpp"

#include "piggyback/rank/core.hpp"
#include "piggyback/rank/libc_sigaction.hpp"
#include "piggyback/rank/lifecycle/main_function.hpp"
#include "transport/followed_main.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

#include <ucontext.h>
#include <unwind.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dampi::piggyback {

#if defined(__x86_64__)

namespace {

/// What main is followed for: so many instructions, and more if there is time. Each takes a microsecond, on a virtual
/// machine also a hundred.
struct Bound {
    std::uint32_t instructions;
    std::int64_t nanoseconds;
};
constexpr Bound most_in_stretch{500, 50'000'000};  ///< from one call of MPI's to the next
constexpr Bound most_in_all{3'000, 300'000'000};   ///< of all such stretches
constexpr Bound most_at_end{5'000, 700'000'000};   ///< behind MPI_Finalize

struct Spent {
    std::uint32_t instructions = 0;
    std::int64_t nanoseconds = 0;

    void add(std::int64_t time) noexcept {
        ++instructions;
        nanoseconds += time;
    }
    [[nodiscard]] bool exceeds(const Bound& bound) const noexcept {
        return instructions > bound.instructions && nanoseconds > bound.nanoseconds;
    }
};

constexpr greg_t stop_behind = 0x100;  ///< the flag of the processor
constexpr unsigned char breakpoint_code = 0xcc;
constexpr std::uint64_t longest_instruction = 15;
constexpr std::size_t least_stack = 16 << 10;  ///< that the handler gets by with

enum class Stage {
    off,
    waits,     ///< for what main has called, at the breakpoint
    steps,     ///< through main
    returned,  ///< from it
};

// Of the process' first thread, and its handler.
struct {
    pid_t process = 0;
    Stage stage = Stage::off;
    std::uint64_t breakpoint = 0;
    unsigned char replaced = 0;  ///< by the breakpoint
    std::uint64_t stack = 0;     ///< main's stack pointer there
    std::uint64_t caller = 0;    ///< where main returns to
    std::uint64_t caller_stack = 0;
    std::uint64_t last = 0;  ///< where it was a step ago
    std::uint64_t last_stack = 0;
    std::int64_t last_time = 0;
    Spent in_stretch;
    Spent in_all;
    std::array<std::uint64_t, 64> way{};
    std::size_t count = 0;  ///< in all, of which the last ones are in `way`
} state;

bool is_first_thread() noexcept { return syscall(SYS_gettid) == getpid(); }

/// Past the protection of the page, which then is this process' own.
bool write_code(std::uint64_t address, unsigned char byte) noexcept {
    const int saved = errno;
    const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC));
    const bool done = file >= 0 && syscall(SYS_pwrite64, file, &byte, 1, address) == 1;
    if (file >= 0) {
        syscall(SYS_close, file);
    }
    errno = saved;
    return done;
}

void remove_breakpoint() noexcept {
    if (state.stage == Stage::waits) {
        write_code(state.breakpoint, state.replaced);
        state.stage = Stage::off;
    }
}

void place_breakpoint(std::uint64_t address, std::uint64_t stack) noexcept {
    state.replaced = *reinterpret_cast<const unsigned char*>(address);
    state.breakpoint = address;
    state.stack = stack;
    state.stage = state.replaced != breakpoint_code && write_code(address, breakpoint_code) ? Stage::waits : Stage::off;
}

void note(std::uint64_t address) noexcept { state.way[state.count++ % state.way.size()] = address; }

/// Not the program's, which may be another one.
std::int64_t time_now() noexcept {
    constexpr std::int64_t second = 1'000'000'000;
    timespec now{};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return now.tv_sec * second + now.tv_nsec;
}

/// With one step more.
bool takes_too_long() noexcept {
    const std::int64_t now = time_now();
    const std::int64_t passed = now - state.last_time;
    state.last_time = now;
    state.in_stretch.add(passed);
    if (Core::current()->board().phase.load(std::memory_order_relaxed) == transport::Phase::finalized) {
        return state.in_stretch.exceeds(most_at_end);
    }
    state.in_all.add(passed);
    return state.in_stretch.exceeds(most_in_stretch) || state.in_all.exceeds(most_in_all);
}

/// Whether the processor is to stop behind the next instruction, too.
bool step(std::uint64_t now, std::uint64_t stack) noexcept {
    if (now == state.caller && stack == state.caller_stack) {
        state.stage = Stage::returned;
        return false;
    }
    if (stack == state.last_stack - sizeof stack) {
        const std::uint64_t back = *reinterpret_cast<const std::uint64_t*>(stack);
        if (back > state.last && back <= state.last + longest_instruction) {  // that was a call
            place_breakpoint(back, state.last_stack);
            return false;
        }
    }
    if (now != state.last) {
        note(now);
    }
    if (takes_too_long()) {
        state.stage = Stage::off;
        return false;
    }
    state.last = now;
    state.last_stack = stack;
    return true;
}

/// As the program would have had it.
void pass_on() noexcept {
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    libc_sigaction(SIGTRAP, &standard, nullptr);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGTRAP);  // it arrives when this handler has returned
}

void on_trap(int /*signal*/, siginfo_t* what, void* context) {
    gregset_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto stack = static_cast<std::uint64_t>(registers[REG_RSP]);
    const auto now = static_cast<std::uint64_t>(registers[REG_RIP]);
    const bool is_ours = getpid() == state.process && is_first_thread();  // and no child's
    if (what->si_code > 0 && state.stage == Stage::waits && now == state.breakpoint + 1) {
        remove_breakpoint();
        registers[REG_RIP] = static_cast<greg_t>(state.breakpoint);
        if (is_ours && stack == state.stack) {
            state.stage = Stage::steps;
            state.last = state.breakpoint;
            state.last_stack = stack;
            state.last_time = time_now();
            note(state.breakpoint);
            registers[REG_EFL] |= stop_behind;
        }
    } else if (what->si_code == TRAP_TRACE) {
        if (!is_ours || state.stage != Stage::steps || !step(now, stack)) {
            registers[REG_EFL] &= ~stop_behind;
        }
    } else {
        pass_on();
    }
}

/// False where the program has uses for the signal, or it could not be handled.
bool handle_traps() noexcept {
    std::uint64_t blocked = 0;
    constexpr std::uint64_t trap = std::uint64_t{1} << (SIGTRAP - 1);
    stack_t stack{};
    struct sigaction before {};
    if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &blocked, sizeof blocked) != 0 || (blocked & trap) != 0 ||
        sigaltstack(nullptr, &stack) != 0 || ((stack.ss_flags & SS_DISABLE) == 0 && stack.ss_size < least_stack) ||
        libc_sigaction(SIGTRAP, nullptr, &before) != 0) {
        return false;
    }
    if (before.sa_sigaction == on_trap) {
        return true;
    }
    struct sigaction ours {};
    ours.sa_sigaction = on_trap;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&ours.sa_mask);
    return (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL &&
           libc_sigaction(SIGTRAP, &ours, nullptr) == 0;
}

struct Frames {
    std::uint64_t main_function;
    std::uint64_t back = 0;  ///< in main; 0: it is not on the stack
    std::uint64_t stack = 0;
    std::uint64_t caller = 0;
    std::uint64_t caller_stack = 0;
    bool is_main = false;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
    Frames& frames = *static_cast<Frames*>(argument);
    const std::uint64_t address = _Unwind_GetIP(context);
    const std::uint64_t stack = _Unwind_GetCFA(context);
    if (address == 0) {
        return _URC_END_OF_STACK;
    }
    if (frames.is_main) {
        frames.caller = address;
        frames.caller_stack = stack;
    }
    frames.is_main = _Unwind_GetRegionStart(context) == frames.main_function;
    if (frames.is_main) {
        frames.back = address;
        frames.stack = stack;
    }
    return _URC_NO_REASON;
}

}  // namespace

bool follow_main(const Core& core) noexcept {
    if (core.port.terms().places_have_stacks != transport::main_is_followed || main_function() == 0 ||
        !is_first_thread()) {
        return false;
    }
    Frames frames{.main_function = main_function()};
    _Unwind_Backtrace(visit, &frames);
    if (frames.back == 0 || frames.caller == 0) {
        return false;
    }
    if (state.process == getpid() && state.stage == Stage::waits && state.breakpoint == frames.back &&
        state.stack == frames.stack) {
        return true;
    }
    remove_breakpoint();
    if (!handle_traps()) {
        return false;
    }
    state.process = getpid();
    state.caller = frames.caller;
    state.caller_stack = frames.caller_stack;
    state.in_stretch = {};
    place_breakpoint(frames.back, frames.stack);
    return true;
}

std::size_t way_out_of_main(std::span<std::uint64_t> addresses) noexcept {
    if (state.stage != Stage::returned || state.process != getpid()) {
        return 0;
    }
    const std::size_t known = std::min({state.count, state.way.size(), addresses.size()});
    for (std::size_t i = 0; i < known; ++i) {
        addresses[i] = state.way[(state.count - 1 - i) % state.way.size()];
    }
    return known;
}

#else

bool follow_main(const Core& /*core*/) noexcept { return false; }

std::size_t way_out_of_main(std::span<std::uint64_t> /*addresses*/) noexcept { return 0; }

#endif

}  // namespace dampi::piggyback
