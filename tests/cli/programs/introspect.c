/* Each rank writes what it can see of how its process was started, to one file per rank named by the argument: it must
 * be the same whether ranks are forked from a prepared process or executed. Numbers that differ in each run are left
 * out or compared here. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Who is linked to `environ` is executed for each rank. */
#define ENVIRON (*(char***)dlsym(RTLD_DEFAULT, "environ"))

static volatile sig_atomic_t caught;
static void catch_it(int number) { caught = number; }

static void* nothing(void* argument) { return argument; }

static int is_varying(const char* entry) {
    return strncmp(entry, "PMI_FD=", 7) == 0 || strncmp(entry, "DAMPI_", 6) == 0;
}

static void descriptors(FILE* out) {
    const int pmi = atoi(getenv("PMI_FD"));
    for (int fd = 0; fd < 256; fd++) {
        char name[64], target[4096];
        if (fd == fileno(out) || fd == pmi || fcntl(fd, F_GETFD) < 0) continue;
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        const ssize_t length = readlink(name, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = '\0';
        if (strstr(target, "/output/")) strcpy(target, "its output");
        fprintf(out, "descriptor %d is %s, flags %d, mode %d, at %ld\n", fd, target, fcntl(fd, F_GETFD),
                fcntl(fd, F_GETFL), fd > 2 ? 0 : (long)lseek(fd, 0, SEEK_CUR)); /* others are not ours */
    }
    fprintf(out, "descriptor of PMI: flags %d, mode %d\n", fcntl(pmi, F_GETFD), fcntl(pmi, F_GETFL));
}

static void environment(FILE* out, char** third) {
    static char shown[1 << 20];
    FILE* file = fopen("/proc/self/environ", "r");
    size_t length = fread(shown, 1, sizeof shown, file), at = 0;
    fclose(file);
    assert(third == ENVIRON);
    for (char** entry = ENVIRON; *entry; entry++) {
        if (!is_varying(*entry)) fprintf(out, "variable %s\n", *entry);
        /* What others see; executed ranks show LD_PRELOAD and the layer's variables, too. */
        for (at = 0; at < length && strcmp(shown + at, *entry) != 0;) at += strlen(shown + at) + 1;
        assert(at < length);
    }
    assert(getenv("DAMPI_PREPARE") == NULL && getenv("LD_PRELOAD") == NULL);
}

static void signals(FILE* out) {
    sigset_t mask;
    stack_t stack;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int number = 1; number < 65; number++) {
        struct sigaction action;
        if (number == 32 || number == 33 || sigaction(number, NULL, &action) != 0) continue;
        fprintf(out, "signal %d %s %d\n", number,
                action.sa_handler == SIG_DFL   ? "default"
                : action.sa_handler == SIG_IGN ? "ignored"
                                               : "handled",
                sigismember(&mask, number));
    }
    sigaltstack(NULL, &stack);
    int death = 0;
    prctl(PR_GET_PDEATHSIG, &death);
    fprintf(out, "signal stack %d, death %d\n", stack.ss_flags, death);
}

static void process(FILE* out, int rank) {
    char name[32], folder[4096];
    struct rlimit limit;
    struct itimerval timer;
    void* locks;
    size_t size;
    prctl(PR_GET_NAME, name);
    assert(getcwd(folder, sizeof folder) != NULL);
    const mode_t mask = umask(0);
    umask(mask);
    getitimer(ITIMER_REAL, &timer);
    assert(syscall(SYS_get_robust_list, 0, &locks, &size) == 0 && locks != NULL);
    fprintf(out, "name %s folder %s umask %o leads %d nice %d timer %ld\n", name, folder, mask, getpgrp() == getpid(),
            getpriority(PRIO_PROCESS, 0), (long)timer.it_value.tv_usec);
    assert(getpgrp() == getpid() && getsid(0) == getpid());
    for (int which = 0; which < RLIMIT_NLIMITS; which++) {
        getrlimit(which, &limit);
        fprintf(out, "limit %ld %ld\n", (long)limit.rlim_cur, (long)limit.rlim_max);
    }
    /* What the C library keeps about the only thread is about this one: a signal to it, a thread beside it, a robust
     * lock. */
    signal(SIGUSR2, catch_it);
    pthread_kill(pthread_self(), SIGUSR2);
    assert(caught == SIGUSR2 && gettid() == getpid() && syscall(SYS_gettid) == gettid());
    signal(SIGUSR2, SIG_DFL);
    pthread_t thread;
    assert(pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0);
    pthread_mutexattr_t robust;
    pthread_mutex_t lock;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_settype(&robust, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    assert(pthread_mutex_lock(&lock) == 0 && pthread_mutex_lock(&lock) != 0 && pthread_mutex_unlock(&lock) == 0);
    const pid_t child = fork();
    if (child == 0) _exit(getppid() == getpgrp() ? 7 : 8);
    int status = 0;
    assert(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

int main(int argc, char** argv, char** third) {
    int rank;
    const char* own = getenv("PMI_RANK");
    char file[4096];
    snprintf(file, sizeof file, "%s.%s", argv[1], own);
    FILE* out = fopen(file, "w");
    assert(out != NULL && argc == 3);
    fprintf(out, "%s %s %s\n", argv[0], argv[2], program_invocation_short_name);
    descriptors(out);
    environment(out, third);
    signals(out);
    process(out, atoi(own));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    assert(rank == atoi(own));
    char line[64];
    fprintf(out, "input %s\n", fgets(line, sizeof line, stdin) ? line : "none");
    fclose(out);
    printf("rank %d ends\n", rank);
    MPI_Finalize();
    return 0;
}
