// Time as the program sees it where it is virtual (transport::RunTerms::virtual_time; docs/architecture/time.md). All
// clocks of the program tell one time: what has passed for this rank, and a microsecond more at each reading, so that
// no two readings are equal, and for each call of MPI before it that is no poll, so that who measures how long messages
// take does so. Time passes for a rank when it has slept, when it is told "nothing yet" because nobody else can go on,
// and when it hears of somebody for whom more has passed. So it follows from what the rank does and hears alone.
// Who sleeps waits, as in a call of MPI, until dampi-run lets it wake up. A timer of the program goes off when its time
// has come and the rank is in the layer.
//
// Only the program's own calls are told so: MPI, what it is built on, and the layer go by the real time.
#pragma once

#include "replay/answer_in_time.hpp"
#include "transport/words.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include <sys/time.h>

namespace dampi::piggyback {

using transport::VirtualTime;

inline constexpr VirtualTime virtual_second = 1'000'000'000;
/// What MPI_Wtime and the clocks without a date say at the run's beginning: no true clock begins with 0 either.
inline constexpr VirtualTime clocks_begin = 1000 * virtual_second;
/// What the clocks with a date say: the 1st of January 2020, 0:00 UTC, in all runs of all sweeps.
inline constexpr VirtualTime dates_begin = 1'577'836'800 * virtual_second;

[[nodiscard]] inline timespec as_timespec(VirtualTime time) noexcept {
    return {.tv_sec = static_cast<time_t>(time / virtual_second), .tv_nsec = static_cast<long>(time % virtual_second)};
}
/// Rounded up: what is left of a timer that is set is not 0.
[[nodiscard]] inline timeval as_timeval(VirtualTime time) noexcept {
    const VirtualTime microseconds = (time + 999) / 1000;
    return {.tv_sec = static_cast<time_t>(microseconds / 1'000'000),
            .tv_usec = static_cast<suseconds_t>(microseconds % 1'000'000)};
}

/// Whether this process is a rank in whose run time is virtual.
[[nodiscard]] bool time_is_virtual() noexcept;

/// The program reads a clock: what it says. Timers that are due go off.
VirtualTime read_clock() noexcept;

/// The program sleeps until then. 0; or what was left when a handler of a signal had run.
VirtualTime sleep_until(VirtualTime until) noexcept;
/// Likewise until a timer's handler has run, at whatever time. False at once: no timer is set.
bool sleep_until_handler() noexcept;
/// Time that has passed for the program without a wait of ours.
void let_pass(VirtualTime duration) noexcept;

/// The program gets to know of what another rank did when so much had passed there: so much has passed here, too.
void learn_time(VirtualTime passed) noexcept;
/// It is told "nothing yet". Of those that come because nobody could go on otherwise: if it has looked at a clock since
/// that was so last, time passes, each time twice as much.
void pass_with_answer(const replay::AnswerInTime& answer) noexcept;

/// What its clocks would say at the least, without a reading.
[[nodiscard]] VirtualTime virtual_now() noexcept;

/// What a timer is set to: when it goes off next (0: not), and how long after that again (0: not).
struct TimerSetting {
    VirtualTime next = 0;
    VirtualTime interval = 0;
};

/// The process' timer ITIMER_REAL, which alarm() sets, too. Returns what it was set to.
TimerSetting set_alarm(const TimerSetting& setting) noexcept;
[[nodiscard]] TimerSetting alarm_setting() noexcept;

/// Those of timer_create(), which are known by the system's name; false for one that is not followed, as when there are
/// too many: it goes by the real time. `beginning`: what its clock says at the run's beginning.
void follow_timer(timer_t name, int signal, const sigval& value, VirtualTime beginning) noexcept;
[[nodiscard]] VirtualTime timer_beginning(timer_t name) noexcept;  ///< 0: not followed
bool set_timer(timer_t name, const TimerSetting& setting, TimerSetting& before) noexcept;
bool timer_setting(timer_t name, TimerSetting& setting) noexcept;
void forget_timer(timer_t name) noexcept;

namespace virtual_time_detail {
extern std::atomic<VirtualTime> next_timer;           ///< 0: none is set
extern std::atomic<VirtualTime> calls_since_reading;  ///< that have taken time
/// Of the answers "nothing yet" with which time has passed, those since anything else has happened to the rank.
extern std::uint32_t answers_in_vain;
void let_timers_go_off() noexcept;
}  // namespace virtual_time_detail

/// The program makes a call of MPI that is no poll. (How often it polls is no matter of its own.)
inline void take_time() noexcept {
    auto& calls = virtual_time_detail::calls_since_reading;
    calls.store(calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// The program sends a message, enters a collective, or is told that something is complete: from here on what passes
/// with answers is short again.
inline void note_exchange() noexcept { virtual_time_detail::answers_in_vain = 0; }

/// Whether a timer of the program's is to go off.
inline bool timer_is_set() noexcept { return virtual_time_detail::next_timer.load(std::memory_order_relaxed) != 0; }

/// Lets those timers go off whose time dampi-run has let come: wherever a rank waits.
inline void let_timers_go_off(VirtualTime now) noexcept {
    const VirtualTime next = virtual_time_detail::next_timer.load(std::memory_order_relaxed);
    if (next != 0 && next <= now) [[unlikely]] {
        virtual_time_detail::let_timers_go_off();
    }
}

}  // namespace dampi::piggyback
