// The C library's clocks, as the program reads them: where time is virtual they tell that (virtual_time.hpp); else they
// pass on. That the program has read one is noted: it may poll until a time is over, and before main it would make the
// ranks different. The clocks of processor time are always the true ones. Only in the shared library.
#include "piggyback/rank/call_depth.hpp"
#include "piggyback/rank/hook.hpp"
#include "piggyback/rank/lifecycle/callers.hpp"
#include "piggyback/rank/next_function.hpp"
#include "piggyback/rank/repetition.hpp"
#include "piggyback/rank/threads/threads.hpp"
#include "piggyback/rank/time/virtual_time.hpp"

#include <optional>

#include <ctime>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

/// A program that polls until a time is over does not poll for ever.
void looks_at_clock() noexcept {
    if (repeating) [[unlikely]] {
        end_of_repetition(nullptr);
    }
    if (this_thread != nullptr && !inside_mpi()) {
        this_thread->looks_at_clock();
    }
}

constexpr const char* has_processor_time = "a rank has asked for its processor time";
constexpr const char* the_time = "it asks for the time before main";

constinit Next<time_t(time_t*)> next_time("time");
constinit Next<int(timeval*, void*)> next_gettimeofday("gettimeofday");
constinit Next<int(timespec*, int)> next_timespec_get("timespec_get");
constinit Next<clock_t()> next_clock("clock");
constinit Next<int(clockid_t, timespec*)> next_clock_gettime("clock_gettime");
constinit Next<clock_t(tms*)> next_times("times");

/// As find_those_that_look (lifecycle/file_hooks.cpp): a sanitizer's runtime may be the first that asks.
__attribute__((constructor)) void find_clocks() {
    next_time.get();
    next_gettimeofday.get();
    next_timespec_get.get();
    next_clock.get();
    next_clock_gettime.get();
    next_times.get();
}

/// What this clock says where it tells virtual time.
std::optional<VirtualTime> reading(clockid_t clock, const void* caller) noexcept {
    if (!time_is_virtual() || is_of_mpi(caller)) {
        return std::nullopt;
    }
    switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
        case CLOCK_TAI:
            return dates_begin + read_clock();
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_BOOTTIME:
            return clocks_begin + read_clock();
        default:
            return std::nullopt;
    }
}

}  // namespace
}  // namespace dampi::piggyback

DAMPI_HOOK time_t time(time_t* result) noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    looks_at_clock();
    if (const auto now = reading(CLOCK_REALTIME, __builtin_return_address(0))) {
        const auto seconds = static_cast<time_t>(*now / virtual_second);
        if (result != nullptr) {
            *result = seconds;
        }
        return seconds;
    }
    return next_time.get()(result);
}

DAMPI_HOOK int timespec_get(timespec* result, int base) noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    looks_at_clock();
    if (base == TIME_UTC) {
        if (const auto now = reading(CLOCK_REALTIME, __builtin_return_address(0))) {
            *result = {.tv_sec = static_cast<time_t>(*now / virtual_second),
                       .tv_nsec = static_cast<long>(*now % virtual_second)};
            return base;
        }
    }
    return next_timespec_get.get()(result, base);
}

DAMPI_HOOK clock_t clock() noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    sees(__builtin_return_address(0), has_processor_time);
    looks_at_clock();
    return next_clock.get()();
}

DAMPI_HOOK clock_t times(tms* result) noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    sees(__builtin_return_address(0), has_processor_time);
    looks_at_clock();
    const clock_t ticks = next_times.get()(result);
    if (const auto now = reading(CLOCK_MONOTONIC, __builtin_return_address(0))) {
        return static_cast<clock_t>(*now / (virtual_second / static_cast<VirtualTime>(sysconf(_SC_CLK_TCK))));
    }
    return ticks;
}

DAMPI_HOOK int gettimeofday(timeval* result, void* zone) noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    looks_at_clock();
    if (const auto now = reading(CLOCK_REALTIME, __builtin_return_address(0))) {
        if (zone != nullptr) {
            *static_cast<struct timezone*>(zone) = {};
        }
        *result = {.tv_sec = static_cast<time_t>(*now / virtual_second),
                   .tv_usec = static_cast<suseconds_t>(*now % virtual_second / 1000)};
        return 0;
    }
    return next_gettimeofday.get()(result, zone);
}

DAMPI_HOOK int clock_gettime(clockid_t clock, timespec* result) noexcept {
    using namespace dampi::piggyback;
    asks(__builtin_return_address(0), the_time);
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) {
        sees(__builtin_return_address(0), has_processor_time);
    }
    looks_at_clock();
    if (const auto now = reading(clock, __builtin_return_address(0))) {
        *result = {.tv_sec = static_cast<time_t>(*now / virtual_second),
                   .tv_nsec = static_cast<long>(*now % virtual_second)};
        return 0;
    }
    return next_clock_gettime.get()(clock, result);
}
