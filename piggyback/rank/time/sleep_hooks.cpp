// The C library's functions that sleep and set timers, as the program calls them: where time is virtual it is that in
// which they do (virtual_time.hpp); else they pass on. Waits for descriptors are real ones, whose time has then passed.
// Only in the shared library.
#include "piggyback/rank/hook.hpp"
#include "piggyback/rank/lifecycle/callers.hpp"
#include "piggyback/rank/next_function.hpp"
#include "piggyback/rank/repetition.hpp"
#include "piggyback/rank/time/virtual_time.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

#include <threads.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

constinit Next<unsigned(unsigned)> next_sleep("sleep");
constinit Next<int(useconds_t)> next_usleep("usleep");
constinit Next<int(const timespec*, timespec*)> next_nanosleep("nanosleep");
constinit Next<int(clockid_t, int, const timespec*, timespec*)> next_clock_nanosleep("clock_nanosleep");
constinit Next<int(const timespec*, timespec*)> next_thrd_sleep("thrd_sleep");
constinit Next<int()> next_pause("pause");
constinit Next<int(int, fd_set*, fd_set*, fd_set*, timeval*)> next_select("select");
constinit Next<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)> next_pselect("pselect");
constinit Next<int(pollfd*, nfds_t, int)> next_poll("poll");
constinit Next<int(pollfd*, nfds_t, const timespec*, const sigset_t*)> next_ppoll("ppoll");
constinit Next<unsigned(unsigned)> next_alarm("alarm");
constinit Next<useconds_t(useconds_t, useconds_t)> next_ualarm("ualarm");
constinit Next<int(int, const itimerval*, itimerval*)> next_setitimer("setitimer");
constinit Next<int(int, itimerval*)> next_getitimer("getitimer");
constinit Next<int(clockid_t, sigevent*, timer_t*)> next_timer_create("timer_create");
constinit Next<int(timer_t, int, const itimerspec*, itimerspec*)> next_timer_settime("timer_settime");
constinit Next<int(timer_t, itimerspec*)> next_timer_gettime("timer_gettime");
constinit Next<int(timer_t)> next_timer_delete("timer_delete");

/// A copy of the process in which it is tried out whether polls repeat (repetition.cpp) may be the first that sleeps,
/// and looking a function up may change the heap: the C library throws the last error of dlsym away.
__attribute__((constructor)) void find_those_that_sleep() {
    next_sleep.get();
    next_usleep.get();
    next_nanosleep.get();
    next_clock_nanosleep.get();
    next_thrd_sleep.get();
    next_pause.get();
    next_select.get();
    next_pselect.get();
    next_poll.get();
    next_ppoll.get();
}

/// Whether this caller sleeps in virtual time. (What a copy of the process calls, it only seems to.)
bool in_virtual_time(const void* caller) noexcept { return time_is_virtual() && !repeating && !is_of_mpi(caller); }

/// More would overflow.
constexpr VirtualTime longest = 100'000'000'000 * std::uint64_t{10'000'000};

bool is_valid(const timespec* time) {
    return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 &&
           time->tv_nsec < static_cast<long>(virtual_second);
}
bool is_valid(const timeval& time) { return time.tv_sec >= 0 && time.tv_usec >= 0; }

VirtualTime from(const timespec& time) {
    const auto seconds = std::min(static_cast<VirtualTime>(time.tv_sec), longest / virtual_second);
    return seconds * virtual_second + static_cast<VirtualTime>(time.tv_nsec);
}
VirtualTime from(const timeval& time) {
    const auto seconds = std::min(static_cast<VirtualTime>(time.tv_sec), longest / virtual_second);
    return seconds * virtual_second + static_cast<VirtualTime>(time.tv_usec) * 1000;
}

/// Of a clock whose times are virtual; 0 for another one.
VirtualTime beginning_of(clockid_t clock) {
    switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_TAI:
            return dates_begin;
        case CLOCK_MONOTONIC:
        case CLOCK_BOOTTIME:
            return clocks_begin;
        default:
            return 0;
    }
}

/// The moment that a time of the clock means.
VirtualTime moment(const timespec& time, VirtualTime beginning) {
    const VirtualTime told = from(time);
    return told - std::min(told, beginning);
}

VirtualTime sleep_for(VirtualTime duration) noexcept { return sleep_until(virtual_now() + duration); }

/// As select() does it without descriptors.
int wait_for_nothing(VirtualTime duration) noexcept {
    if (sleep_for(duration) != 0) {
        errno = EINTR;
        return -1;
    }
    return 0;
}

VirtualTime left_of(const TimerSetting& setting) {
    const VirtualTime now = virtual_now();
    return setting.next == 0 ? 0 : std::max<VirtualTime>(1000, setting.next - std::min(setting.next, now));
}
itimerval as_itimerval(const TimerSetting& setting) {
    return {.it_interval = as_timeval(setting.interval), .it_value = as_timeval(left_of(setting))};
}
itimerspec as_itimerspec(const TimerSetting& setting) {
    return {.it_interval = as_timespec(setting.interval), .it_value = as_timespec(left_of(setting))};
}

}  // namespace
}  // namespace dampi::piggyback

DAMPI_HOOK unsigned sleep(unsigned seconds) {
    using namespace dampi::piggyback;
    if (!in_virtual_time(__builtin_return_address(0))) {
        return next_sleep.get()(seconds);
    }
    return static_cast<unsigned>((sleep_for(seconds * virtual_second) + virtual_second - 1) / virtual_second);
}

DAMPI_HOOK int usleep(useconds_t microseconds) {
    using namespace dampi::piggyback;
    if (!in_virtual_time(__builtin_return_address(0))) {
        return next_usleep.get()(microseconds);
    }
    return wait_for_nothing(microseconds * VirtualTime{1000});
}

DAMPI_HOOK int nanosleep(const timespec* time, timespec* left) {
    using namespace dampi::piggyback;
    if (!is_valid(time) || !in_virtual_time(__builtin_return_address(0))) {
        return next_nanosleep.get()(time, left);
    }
    const VirtualTime rest = sleep_for(from(*time));
    if (rest == 0) {
        return 0;
    }
    if (left != nullptr) {
        *left = as_timespec(rest);
    }
    errno = EINTR;
    return -1;
}

DAMPI_HOOK int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
    using namespace dampi::piggyback;
    const VirtualTime beginning = beginning_of(clock);
    if (beginning == 0 || !is_valid(time) || !in_virtual_time(__builtin_return_address(0))) {
        return next_clock_nanosleep.get()(clock, flags, time, left);
    }
    if ((flags & TIMER_ABSTIME) != 0) {
        return sleep_until(moment(*time, beginning)) == 0 ? 0 : EINTR;
    }
    const VirtualTime rest = sleep_for(from(*time));
    if (rest != 0 && left != nullptr) {
        *left = as_timespec(rest);
    }
    return rest == 0 ? 0 : EINTR;
}

DAMPI_HOOK int thrd_sleep(const timespec* time, timespec* left) {
    using namespace dampi::piggyback;
    if (!is_valid(time) || !in_virtual_time(__builtin_return_address(0))) {
        return next_thrd_sleep.get()(time, left);
    }
    const VirtualTime rest = sleep_for(from(*time));
    if (rest != 0 && left != nullptr) {
        *left = as_timespec(rest);
    }
    return rest == 0 ? 0 : -1;
}

DAMPI_HOOK int pause() {
    using namespace dampi::piggyback;
    if (in_virtual_time(__builtin_return_address(0)) && sleep_until_handler()) {
        errno = EINTR;
        return -1;
    }
    return next_pause.get()();
}

DAMPI_HOOK int select(int count, fd_set* to_read, fd_set* to_write, fd_set* exceptional, timeval* timeout) {
    using namespace dampi::piggyback;
    if (timeout == nullptr || !is_valid(*timeout) || !in_virtual_time(__builtin_return_address(0))) {
        return next_select.get()(count, to_read, to_write, exceptional, timeout);
    }
    const VirtualTime duration = from(*timeout);
    if (count == 0 || (to_read == nullptr && to_write == nullptr && exceptional == nullptr)) {
        const int result = wait_for_nothing(duration);
        *timeout = {};
        return result;
    }
    const int ready = next_select.get()(count, to_read, to_write, exceptional, timeout);
    if (ready == 0) {
        let_pass(duration);
    }
    return ready;
}

DAMPI_HOOK int pselect(int count, fd_set* to_read, fd_set* to_write, fd_set* exceptional, const timespec* timeout,
                       const sigset_t* mask) {
    using namespace dampi::piggyback;
    if (!is_valid(timeout) || !in_virtual_time(__builtin_return_address(0))) {
        return next_pselect.get()(count, to_read, to_write, exceptional, timeout, mask);
    }
    if (mask == nullptr && (count == 0 || (to_read == nullptr && to_write == nullptr && exceptional == nullptr))) {
        return wait_for_nothing(from(*timeout));
    }
    const int ready = next_pselect.get()(count, to_read, to_write, exceptional, timeout, mask);
    if (ready == 0) {
        let_pass(from(*timeout));
    }
    return ready;
}

DAMPI_HOOK int poll(pollfd* descriptors, nfds_t count, int timeout) {
    using namespace dampi::piggyback;
    if (timeout < 0 || !in_virtual_time(__builtin_return_address(0))) {
        return next_poll.get()(descriptors, count, timeout);
    }
    const VirtualTime duration = static_cast<VirtualTime>(timeout) * 1'000'000;
    if (count == 0) {
        return wait_for_nothing(duration);
    }
    const int ready = next_poll.get()(descriptors, count, timeout);
    if (ready == 0) {
        let_pass(duration);
    }
    return ready;
}

DAMPI_HOOK int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask) {
    using namespace dampi::piggyback;
    if (!is_valid(timeout) || !in_virtual_time(__builtin_return_address(0))) {
        return next_ppoll.get()(descriptors, count, timeout, mask);
    }
    if (count == 0 && mask == nullptr) {
        return wait_for_nothing(from(*timeout));
    }
    const int ready = next_ppoll.get()(descriptors, count, timeout, mask);
    if (ready == 0) {
        let_pass(from(*timeout));
    }
    return ready;
}

DAMPI_HOOK unsigned alarm(unsigned seconds) noexcept {
    using namespace dampi::piggyback;
    if (!in_virtual_time(__builtin_return_address(0))) {
        return next_alarm.get()(seconds);
    }
    const TimerSetting before =
        set_alarm({.next = seconds == 0 ? 0 : virtual_now() + seconds * virtual_second, .interval = 0});
    return static_cast<unsigned>((left_of(before) + virtual_second - 1) / virtual_second);
}

DAMPI_HOOK useconds_t ualarm(useconds_t first, useconds_t interval) noexcept {
    using namespace dampi::piggyback;
    if (!in_virtual_time(__builtin_return_address(0))) {
        return next_ualarm.get()(first, interval);
    }
    const TimerSetting before = set_alarm(
        {.next = first == 0 ? 0 : virtual_now() + first * VirtualTime{1000}, .interval = interval * VirtualTime{1000}});
    return static_cast<useconds_t>(left_of(before) / 1000);
}

DAMPI_HOOK int setitimer(__itimer_which_t which, const itimerval* value, itimerval* before) noexcept {
    using namespace dampi::piggyback;
    if (which != ITIMER_REAL || value == nullptr || !is_valid(value->it_value) || !is_valid(value->it_interval) ||
        !in_virtual_time(__builtin_return_address(0))) {
        return next_setitimer.get()(static_cast<int>(which), value, before);
    }
    const VirtualTime first = from(value->it_value);
    const TimerSetting old =
        set_alarm({.next = first == 0 ? 0 : virtual_now() + first, .interval = from(value->it_interval)});
    if (before != nullptr) {
        *before = as_itimerval(old);
    }
    return 0;
}

DAMPI_HOOK int getitimer(__itimer_which_t which, itimerval* value) noexcept {
    using namespace dampi::piggyback;
    if (which != ITIMER_REAL || value == nullptr || !in_virtual_time(__builtin_return_address(0))) {
        return next_getitimer.get()(static_cast<int>(which), value);
    }
    *value = as_itimerval(alarm_setting());
    return 0;
}

DAMPI_HOOK int timer_create(clockid_t clock, sigevent* event, timer_t* name) noexcept {
    using namespace dampi::piggyback;
    const int result = next_timer_create.get()(clock, event, name);
    const bool signals = event == nullptr || event->sigev_notify == SIGEV_SIGNAL;
    if (result != 0 || !signals || beginning_of(clock) == 0 || !in_virtual_time(__builtin_return_address(0))) {
        return result;
    }
    sigval value{};
    if (event != nullptr) {
        value = event->sigev_value;
    }
    follow_timer(*name, event == nullptr ? SIGALRM : event->sigev_signo, value, beginning_of(clock));
    return result;
}

DAMPI_HOOK int timer_settime(timer_t name, int flags, const itimerspec* value, itimerspec* before) noexcept {
    using namespace dampi::piggyback;
    if (value == nullptr || !is_valid(&value->it_value) || !is_valid(&value->it_interval) ||
        !in_virtual_time(__builtin_return_address(0))) {
        return next_timer_settime.get()(name, flags, value, before);
    }
    const VirtualTime first = from(value->it_value);
    TimerSetting setting{.next = 0, .interval = from(value->it_interval)};
    if (first != 0) {
        setting.next = (flags & TIMER_ABSTIME) != 0
                           ? std::max<VirtualTime>(1, moment(value->it_value, timer_beginning(name)))
                           : virtual_now() + first;
    }
    TimerSetting old;
    if (!set_timer(name, setting, old)) {
        return next_timer_settime.get()(name, flags, value, before);
    }
    if (before != nullptr) {
        *before = as_itimerspec(old);
    }
    return 0;
}

DAMPI_HOOK int timer_gettime(timer_t name, itimerspec* value) noexcept {
    using namespace dampi::piggyback;
    TimerSetting setting;
    if (value == nullptr || !in_virtual_time(__builtin_return_address(0)) || !timer_setting(name, setting)) {
        return next_timer_gettime.get()(name, value);
    }
    *value = as_itimerspec(setting);
    return 0;
}

DAMPI_HOOK int timer_delete(timer_t name) noexcept {
    using namespace dampi::piggyback;
    if (in_virtual_time(__builtin_return_address(0))) {
        forget_timer(name);
    }
    return next_timer_delete.get()(name);
}
