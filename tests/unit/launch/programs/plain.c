/* A program without MPI; its argument says what to do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char** argv) {
    const char* rank = getenv("PMI_RANK");
    const char* what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "exit") == 0) return atoi(argv[2]) + (rank ? atoi(rank) : 0);
    if (strcmp(what, "signal") == 0) raise(atoi(argv[2]));
    if (strcmp(what, "arguments") == 0) {
        for (int i = 0; i < argc; ++i) printf("[%s]\n", argv[i]);
    }
    if (strcmp(what, "variable") == 0) {
        const char* value = getenv(argv[2]);
        printf("%s=%s\n", argv[2], value ? value : "(unset)");
    }
    if (strcmp(what, "input") == 0) {
        char line[100] = "";
        char* got = fgets(line, sizeof line, stdin);
        printf("%s:%s\n", rank, got ? strtok(line, "\n") : "(none)");
    }
    if (strcmp(what, "open") == 0) { /* which descriptors are open */
        for (int i = 0; i < 200; ++i)
            if (fcntl(i, F_GETFD) >= 0) printf("%d ", i);
        printf("\n");
    }
    if (strcmp(what, "signals") == 0) {
        sigset_t mask;
        struct sigaction action;
        sigprocmask(SIG_SETMASK, NULL, &mask);
        sigaction(SIGPIPE, NULL, &action);
        printf("%d %d\n", sigismember(&mask, SIGUSR1), action.sa_handler == SIG_DFL);
    }
    if (strcmp(what, "grandchild") == 0) { /* writes the process id of a child that would live on */
        pid_t child = fork();
        if (child == 0) {
            for (;;) pause();
        }
        printf("%d\n", (int)child);
        fflush(stdout);
        if (argc > 2) pause();
    }
    if (strcmp(what, "garbage") == 0) { /* nonsense to the process manager */
        int fd = atoi(getenv("PMI_FD"));
        static char noise[100000];
        memset(noise, 'x', sizeof noise);
        noise[50000] = '\n';
        noise[60000] = 0;
        if (write(fd, noise, sizeof noise) < 0) return 1;
        if (write(fd, "\n\n=\ncmd=\ncmd=put\ncmd=get kvsname=\nendcmd\n", 40) < 0) return 1;
    }
    if (strcmp(what, "flood") == 0) { /* requests, and never a look at the answers */
        int fd = atoi(getenv("PMI_FD"));
        for (;;)
            if (write(fd, "cmd=get_maxes\ncmd=get_maxes\n", 28) < 0) return 1;
    }
    if (strcmp(what, "sleep") == 0) {
        for (;;) pause();
    }
    return 0;
}
