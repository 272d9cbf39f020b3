/* To be preloaded into a dampi-node (here.sh): all that it sends and hears over the network is late, by up to 50 ms. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_microseconds = 50000 };

static int delays; /* it is a dampi-node, and not what that starts */
static __thread unsigned state;

__attribute__((constructor)) static void begin(void) {
    delays = strcmp(program_invocation_short_name, "dampi-node") == 0;
}

static void be_late(void) {
    if (state == 0) {
        state = (unsigned)getpid() ^ (unsigned)(unsigned long)&state ^ (unsigned)time(NULL);
    }
    const long microseconds = rand_r(&state) % (most_microseconds + 1);
    const struct timespec pause = {.tv_sec = 0, .tv_nsec = microseconds * 1000};
    const int error = errno;
    nanosleep(&pause, NULL);
    errno = error;
}

ssize_t send(int socket, const void* bytes, size_t size, int flags) {
    static ssize_t (*native)(int, const void*, size_t, int);
    if (native == NULL) {
        *(void**)&native = dlsym(RTLD_NEXT, "send");
    }
    if (delays) {
        be_late();
    }
    return native(socket, bytes, size, flags);
}

ssize_t recv(int socket, void* bytes, size_t size, int flags) {
    static ssize_t (*native)(int, void*, size_t, int);
    if (native == NULL) {
        *(void**)&native = dlsym(RTLD_NEXT, "recv");
    }
    const ssize_t got = native(socket, bytes, size, flags);
    if (delays && got > 0) {
        be_late();
    }
    return got;
}
