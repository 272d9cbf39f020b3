/* What constructors may do before main, by the first argument. main looks whether what they got belongs to this
 * process, and then MPI_COMM_WORLD is used a little. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* what = "";
static pid_t pid, child;
static int file = -1, initialized = -1, handled;
static time_t then;
static char* rank_text;
static volatile char* shared;
static char line[64];
static pthread_t thread;

static int does(const char* action) { return strcmp(what, action) == 0; }

static void* wait_for_ever(void* argument) {
    for (;;) pause();
    return argument;
}
static void on_signal(int number) { handled = number; }
static void at_end(void) { printf("the end of %d\n", rank_text != NULL); }

__attribute__((constructor)) static void construct(int argc, char** argv) {
    if (argc < 2) return;
    what = argv[1];
    if (does("print")) printf("constructed\n");
    if (does("write") && write(1, "constructed\n", 12) != 12) abort();
    if (does("complain")) fprintf(stderr, "constructed\n");
    if (does("thread")) pthread_create(&thread, NULL, wait_for_ever, NULL);
    if (does("open")) file = open("/dev/null", O_RDONLY);
    if (does("pid")) pid = getpid();
    if (does("time")) then = time(NULL);
    if (does("random") && getrandom(line, 1, 0) != 1) abort();
    if (does("rank")) rank_text = getenv("PMI_RANK");
    if (does("initialized")) MPI_Initialized(&initialized);
    if (does("init")) MPI_Init(NULL, NULL);
    if (does("share")) shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (does("fork") && (child = fork()) == 0) pause();
    if (does("alarm")) alarm(1000);
    if (does("read") && read(0, line, 1) < 0) abort();
    if (does("save")) {
        file = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (write(file, "x", 1) != 1) abort();
        close(file);
    }
    if (does("exit")) exit(0);
    if (does("crash")) raise(SIGSEGV);
    if (does("wipe")) {
        shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise((void*)shared, 4096, MADV_DONTFORK);
        shared[0] = 1;
    }
    /* These are the same in each rank. */
    if (does("harmless")) {
        sigset_t mask;
        sigemptyset(&mask);
        sigaddset(&mask, SIGUSR1);
        sigprocmask(SIG_BLOCK, &mask, NULL);
        signal(SIGUSR2, on_signal);
        setenv("CONSTRUCTED", getenv("PMI_SIZE"), 1);
        unsetenv("PATH");
        atexit(at_end);
        umask(027);
        assert(getenv("LD_PRELOAD") == NULL && getenv("DAMPI_PREPARE") == NULL);
    }
}

static void look(int rank) {
    if (does("pid")) assert(pid == getpid());
    if (does("time")) assert(time(NULL) - then < 60);
    if (does("open")) assert(file >= 3 && fcntl(file, F_GETFD) >= 0);
    if (does("thread")) assert(pthread_kill(thread, 0) == 0);
    if (does("rank")) assert(atoi(rank_text) == rank);
    if (does("initialized")) assert(initialized == 0);
    if (does("share")) assert(++*shared == 1); /* nobody else has it */
    if (does("wipe")) assert(shared[0] == 1);
    if (does("fork")) assert(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    if (does("alarm")) assert(alarm(0) > 0);
    if (does("harmless")) {
        sigset_t mask;
        sigprocmask(SIG_SETMASK, NULL, &mask);
        assert(sigismember(&mask, SIGUSR1) == 1);
        raise(SIGUSR2);
        assert(handled == SIGUSR2 && getenv("PATH") == NULL && umask(0) == 027);
        assert(strcmp(getenv("CONSTRUCTED"), getenv("PMI_SIZE")) == 0);
    }
}

int main(int argc, char** argv) {
    int rank, sum = 0, any = 0;
    if (!does("init")) MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    look(rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 1; i < 3; i++) MPI_Recv(&any, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    printf("rank %d of 3: %d\n", rank, sum);
    MPI_Finalize();
    return 0;
}
