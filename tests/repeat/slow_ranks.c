/* Preloaded into ranks, slows them at random: from time to time, wherever the rank happens to be, it sleeps for up to
 * 3 ms. How often and for how long differs from rank to rank and from run to run. To be loaded before the program
 * starts; needs no MPI.
 *
 * SIGURG because nobody notices it without asking for it: its default action is to ignore it. A timer made by
 * timer_create, other than setitimer's, is not handed on to children and executed programs, where nobody would
 * expect the signal. What the program sees: nanosleep and the like end early with EINTR; other calls are restarted. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <signal.h>
#include <sys/random.h>

enum { nanoseconds_per_microsecond = 1000 };

static timer_t timer;
static uint64_t state;           /* of the random numbers; only used by the one handler that can be running */
static unsigned longest_pause;   /* in microseconds */
static unsigned longest_stretch; /* likewise, between two pauses */

/* From 0 to below `limit`; limit > 0. */
static unsigned random_below(unsigned limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32) % limit;
}

/* Sets the timer off once, so that no second signal comes while the first is handled. */
static void arm(void) {
    struct itimerspec when;
    memset(&when, 0, sizeof when);
    when.it_value.tv_nsec = (long)(50 + random_below(longest_stretch)) * nanoseconds_per_microsecond;
    timer_settime(timer, 0, &when, NULL);
}

static void pause_for_a_while(int signal) {
    (void)signal;
    const int saved = errno;
    struct timespec pause = {0, (long)random_below(longest_pause) * nanoseconds_per_microsecond};
    nanosleep(&pause, NULL);
    arm();
    errno = saved;
}

__attribute__((constructor)) static void begin(void) {
    if (getrandom(&state, sizeof state, 0) != (ssize_t)sizeof state || state == 0) {
        state = (uint64_t)(uintptr_t)&state | 1;
    }
    longest_pause = 1 + random_below(3000);
    longest_stretch = 100 + random_below(3000);

    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = pause_for_a_while;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGURG;
    if (sigaction(SIGURG, &action, NULL) == 0 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {
        arm();
    }
}
