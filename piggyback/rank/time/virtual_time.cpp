#include "piggyback/rank/time/virtual_time.hpp"

#include "piggyback/rank/call_depth.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/threads/threads.hpp"
#include "replay/answer_in_time.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

constexpr VirtualTime tick = 1000;  ///< that a reading takes, and a call of MPI that is no poll
constexpr VirtualTime for_ever = ~VirtualTime{0};

Core& core() noexcept { return *Core::current(); }

/// Time does not go back.
void advance(std::atomic<VirtualTime>& time, VirtualTime now) noexcept {
    VirtualTime before = time.load(std::memory_order_relaxed);
    while (before < now && !time.compare_exchange_weak(before, now, std::memory_order_relaxed)) {}
}

/// So much has passed for this rank. What it has used by looking at its clocks comes on top: who looks often is ahead
/// of the others, but what it says of time to them does not depend on how often.
void set_passed(VirtualTime passed) noexcept { advance(core().board().passed, passed); }

/// ProgramThread::clock_looks at the last of them.
std::uint64_t looks_at_answer = 0;

/// A process that the program has forked. (Ranks are not forked by the C library.)
bool is_child = false;

__attribute__((constructor)) void watch_forks() {
    pthread_atfork(nullptr, nullptr, [] { is_child = true; });
}

bool several_threads() noexcept {
    return core().active() && (program_threads().size() > 1 || core().multithreaded ||
                               core().board().multithreaded.load(std::memory_order_relaxed) != 0);
}

/// Whether the calling thread can wait like in a call of MPI: it is the only one that could call MPI, and stands in the
/// program, between MPI_Init and MPI_Finalize. (A child of the rank's is no rank.)
bool can_wait() noexcept {
    if (is_child || !core().active() || inside_mpi() || several_threads()) {
        return false;
    }
    const auto id = static_cast<pid_t>(syscall(SYS_gettid));
    if (program_threads().empty()) {  // no call has needed to know of a thread
        return id == static_cast<pid_t>(syscall(SYS_getpid));
    }
    return this_thread != nullptr && this_thread->id == id;
}

void sleep_really(VirtualTime duration) noexcept {
    const timespec time = as_timespec(duration);
    syscall(SYS_nanosleep, &time, nullptr);
}

/// Whether a child of this process lives, and none waits to be asked how it has ended.
bool has_working_children() noexcept {
    siginfo_t info{};
    const int error = errno;
    const bool any = syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, nullptr) == 0;
    errno = error;
    return any && info.si_pid == 0;
}

/// What a child does takes real time, and the rank may sleep to wait for it: so it sleeps as long as it says, but for
/// long sleeps. False: a handler has run meanwhile (of SIGCHLD, say), `duration` is what it has slept then.
bool sleep_beside_children(VirtualTime& duration) noexcept {
    constexpr VirtualTime long_enough = 10 * virtual_second;
    const VirtualTime asked = std::min(duration, long_enough);
    const timespec time = as_timespec(asked);
    timespec left{};
    const int error = errno;
    const bool whole = syscall(SYS_nanosleep, &time, &left) == 0;
    errno = error;
    if (!whole) {
        duration = asked - std::min(asked, static_cast<VirtualTime>(left.tv_sec) * virtual_second +
                                               static_cast<VirtualTime>(left.tv_nsec));
    }
    return whole;
}

// ---- timers ------------------------------------------------------------------------------------------------

/// The system's timer is set as well: a rank that never comes to the layer, computing until its handler says that it is
/// enough, would compute for ever. Whichever goes off first counts; so that this is not a busy machine's to decide, the
/// system's has so much more time.
constexpr VirtualTime patience_with_timers = 2 * virtual_second;

struct Timer {
    bool used = false;
    timer_t name{};  ///< of all but the first, which is ITIMER_REAL
    int signal = SIGALRM;
    sigval value{};
    VirtualTime beginning = 0;  ///< what its clock says at the run's beginning
    TimerSetting setting;
};

constexpr std::size_t most_timers = 32;
std::array<Timer, most_timers> timers{Timer{.used = true}};
bool is_alarm(const Timer& timer) { return &timer == timers.data(); }

/// Sets the system's.
void set_really(const Timer& timer, VirtualTime now) noexcept {
    const TimerSetting& setting = timer.setting;
    const VirtualTime left =
        setting.next == 0 ? 0 : setting.next - std::min(now, setting.next - 1) + patience_with_timers;
    const VirtualTime interval = setting.interval == 0 ? 0 : setting.interval + patience_with_timers;
    const int error = errno;
    if (is_alarm(timer)) {
        const itimerval value{.it_interval = as_timeval(interval), .it_value = as_timeval(left)};
        syscall(SYS_setitimer, ITIMER_REAL, &value, nullptr);
    } else {
        const itimerspec value{.it_interval = as_timespec(interval), .it_value = as_timespec(left)};
        timer_settime(timer.name, 0, &value, nullptr);
    }
    errno = error;
}

/// Whether the system's has gone off once and for all.
bool has_gone_off(const Timer& timer) noexcept {
    if (is_alarm(timer)) {
        itimerval value{};
        return syscall(SYS_getitimer, ITIMER_REAL, &value) == 0 && value.it_value.tv_sec == 0 &&
               value.it_value.tv_usec == 0;
    }
    itimerspec value{};
    return timer_gettime(timer.name, &value) == 0 && value.it_value.tv_sec == 0 && value.it_value.tv_nsec == 0;
}

/// Shows which is the next.
void show_timers() noexcept {
    VirtualTime next = 0;
    for (const Timer& timer : timers) {
        if (timer.used && timer.setting.next != 0 && (next == 0 || timer.setting.next < next)) {
            next = timer.setting.next;
        }
    }
    virtual_time_detail::next_timer.store(next, std::memory_order_relaxed);
    core().board().timer.store(next, std::memory_order_relaxed);
}

TimerSetting set(Timer& timer, const TimerSetting& setting) noexcept {
    const VirtualTime now = virtual_now();
    TimerSetting before = timer.setting;
    if (before.next != 0 && before.interval == 0 && has_gone_off(timer)) {
        before = {};
    }
    timer.setting = setting;
    set_really(timer, now);
    show_timers();
    return before;
}

Timer* find(timer_t name) noexcept {
    const auto found = std::find_if(timers.begin() + 1, timers.end(),
                                    [&](const Timer& timer) { return timer.used && timer.name == name; });
    return found == timers.end() ? nullptr : &*found;
}

/// Whether a handler of the program's has run since the last time, for the one sleep that there is.
bool handler_has_run = false;

bool runs_handler(int signal) noexcept {
    struct sigaction action {};
    sigset_t blocked;
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL &&
           pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0 && sigismember(&blocked, signal) == 0;
}

/// Returns when the program's time is `until`, or a timer is due.
void wait_until(VirtualTime until, VirtualTime duration) noexcept {
    if (can_wait()) {
        engine.wait_until(until, std::chrono::nanoseconds(std::min<VirtualTime>(duration, 1'000'000 * virtual_second)));
    } else if (several_threads() && until != for_ever) {
        sleep_really(duration);
    }
    if (until != for_ever) {
        set_passed(until);
        advance(core().board().clock, until);
    }
}

}  // namespace

namespace virtual_time_detail {

std::atomic<VirtualTime> next_timer{0};
std::atomic<VirtualTime> calls_since_reading{0};
std::uint32_t answers_in_vain = 0;

void let_timers_go_off() noexcept {
    set_passed(next_timer.load(std::memory_order_relaxed));
    const VirtualTime now = virtual_now();
    for (Timer& timer : timers) {
        if (!timer.used || timer.setting.next == 0 || timer.setting.next > now) {
            continue;
        }
        const bool gone_off = timer.setting.interval == 0 && has_gone_off(timer);
        timer.setting.next = timer.setting.interval == 0
                                 ? 0
                                 : timer.setting.next + timer.setting.interval *
                                                            (1 + (now - timer.setting.next) / timer.setting.interval);
        set_really(timer, now);
        show_timers();
        handler_has_run = runs_handler(timer.signal) || handler_has_run;
        if (gone_off) {
            continue;
        }
        const int error = errno;
        is_alarm(timer) ? raise(timer.signal) : sigqueue(getpid(), timer.signal, timer.value);
        errno = error;
    }
}

}  // namespace virtual_time_detail

bool time_is_virtual() noexcept { return Core::current() != nullptr && core().port.terms().virtual_time != 0; }

VirtualTime virtual_now() noexcept {
    return std::max(core().board().clock.load(std::memory_order_relaxed), core().port.passed());
}

VirtualTime read_clock() noexcept {
    auto& clock = core().board().clock;
    const VirtualTime passed = core().port.passed();
    const VirtualTime calls = virtual_time_detail::calls_since_reading.exchange(0, std::memory_order_relaxed);
    VirtualTime before = clock.load(std::memory_order_relaxed);
    VirtualTime now = 0;
    do {
        now = std::max(before + (1 + calls) * tick, passed);
    } while (!clock.compare_exchange_weak(before, now, std::memory_order_relaxed));
    let_timers_go_off(now);
    return now;
}

void let_pass(VirtualTime duration) noexcept { set_passed(virtual_now() + duration); }

void learn_time(VirtualTime passed) noexcept {
    if (passed != 0) {
        set_passed(passed);
    }
}

void pass_with_answer(const replay::AnswerInTime& answer) noexcept {
    using Kind = replay::AnswerInTime::Kind;
    if (answer.kind == Kind::additional) {
        set_passed(virtual_now() + replay::time_of_false_answer(answer.number));
        let_timers_go_off(virtual_now());
    } else if (answer.kind == Kind::released && this_thread != nullptr && this_thread->clock_looks != looks_at_answer) {
        looks_at_answer = this_thread->clock_looks;
        set_passed(core().port.passed() + replay::time_of_false_answer(virtual_time_detail::answers_in_vain++));
    }
}

VirtualTime sleep_until(VirtualTime until) noexcept {
    handler_has_run = false;
    for (;;) {
        const VirtualTime now = virtual_now();
        let_timers_go_off(now);
        if (handler_has_run) {
            return until == for_ever ? for_ever : until - std::min(until, virtual_now());
        }
        if (now >= until) {
            return 0;
        }
        const VirtualTime timer = virtual_time_detail::next_timer.load(std::memory_order_relaxed);
        const VirtualTime next = timer == 0 ? until : std::min(until, std::max(timer, now));
        VirtualTime duration = next - now;
        if (until != for_ever && can_wait() && has_working_children() && !sleep_beside_children(duration)) {
            set_passed(now + duration);
            return until - std::min(until, virtual_now());
        }
        wait_until(next, next - now);
    }
}

bool sleep_until_handler() noexcept {
    bool set = false;
    for (bool has_run = false; !has_run && virtual_time_detail::next_timer.load(std::memory_order_relaxed) != 0;) {
        set = true;
        has_run = sleep_until(virtual_time_detail::next_timer.load(std::memory_order_relaxed)) != 0 || handler_has_run;
    }
    return set;
}

TimerSetting set_alarm(const TimerSetting& setting) noexcept { return set(timers.front(), setting); }

TimerSetting alarm_setting() noexcept {
    const TimerSetting& setting = timers.front().setting;
    return setting.next != 0 && setting.interval == 0 && has_gone_off(timers.front()) ? TimerSetting{} : setting;
}

void follow_timer(timer_t name, int signal, const sigval& value, VirtualTime beginning) noexcept {
    const auto free = std::find_if(timers.begin(), timers.end(), [](const Timer& timer) { return !timer.used; });
    if (free != timers.end()) {
        *free = {.used = true, .name = name, .signal = signal, .value = value, .beginning = beginning, .setting = {}};
    }
}

VirtualTime timer_beginning(timer_t name) noexcept {
    const Timer* const timer = find(name);
    return timer == nullptr ? 0 : timer->beginning;
}

bool set_timer(timer_t name, const TimerSetting& setting, TimerSetting& before) noexcept {
    Timer* const timer = find(name);
    if (timer != nullptr) {
        before = set(*timer, setting);
    }
    return timer != nullptr;
}

bool timer_setting(timer_t name, TimerSetting& setting) noexcept {
    const Timer* const timer = find(name);
    if (timer != nullptr) {
        setting = timer->setting;
    }
    return timer != nullptr;
}

void forget_timer(timer_t name) noexcept {
    if (Timer* const timer = find(name)) {
        *timer = {};
        show_timers();
    }
}

}  // namespace dampi::piggyback
