/* A remote shell between the hosts of ./hosts, which are sets of namespaces of one machine.
 *
 *   remote_shell --serve SOCKET            in a host: execute what comes, a child for each connection
 *   remote_shell HOST COMMAND ARGUMENT...  execute a command there with these standard streams; its exit status
 *
 * Under the name rsh it does as ssh: the arguments are joined for a shell, whose environment is a bare one, and leading
 * options are skipped; so Hydra takes it in ssh's place. The streams go as descriptors through a socket with a path:
 * these reach into other namespaces. When the caller ends, its command is killed.
 * HOSTS_STATE names the directory with the sockets (HOST.socket). */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { streams_count = 3, most_bytes = 1 << 20, failed = 255, not_found = 127, look_each_ms = 2 };

union Control {
    struct cmsghdr header;
    char space[CMSG_SPACE(streams_count * sizeof(int))];
};

static void die(const char* what) {
    perror(what);
    exit(failed);
}

static struct sockaddr_un address_of(const char* path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        fprintf(stderr, "remote_shell: the path is too long: %s\n", path);
        exit(failed);
    }
    strcpy(address.sun_path, path);
    return address;
}

/* A request is the directory, the number of arguments, the arguments and the environment: strings that end with 0. */
struct Request {
    char* bytes;
    unsigned size;
};

static void add(struct Request* request, const char* text) {
    const size_t length = strlen(text) + 1;
    if (request->size + length > most_bytes) {
        fprintf(stderr, "remote_shell: the command is too long\n");
        exit(failed);
    }
    memcpy(request->bytes + request->size, text, length);
    request->size += (unsigned)length;
}

static void execute(char* at, const char* end, const int* streams) {
    const char* directory = at;
    at += strlen(at) + 1;
    const int count = atoi(at);
    at += strlen(at) + 1;
    char** arguments = calloc((size_t)count + 1, sizeof *arguments);
    for (int i = 0; i < count; ++i, at += strlen(at) + 1) {
        arguments[i] = at;
    }
    char** environment = calloc((size_t)(end - at) + 1, sizeof *environment);
    for (size_t i = 0; at < end; ++i, at += strlen(at) + 1) {
        environment[i] = at;
    }
    setsid();
    for (int i = 0; i < streams_count; ++i) {
        dup2(streams[i], i);
    }
    closefrom(streams_count);
    if (chdir(directory) != 0 && chdir("/") != 0) {
        _exit(failed);
    }
    signal(SIGCHLD, SIG_DFL);
    execvpe(arguments[0], arguments, environment);
    perror(arguments[0]);
    _exit(not_found);
}

static void answer(int connection) {
    struct Request request = {malloc(most_bytes), 0};
    union Control control;
    struct iovec vector = {&request.size, sizeof request.size};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(connection, &message, 0) != sizeof request.size || request.size > most_bytes) {
        _exit(failed);
    }
    const struct cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_type != SCM_RIGHTS) {
        _exit(failed);
    }
    int streams[streams_count];
    memcpy(streams, CMSG_DATA(header), sizeof streams);
    for (unsigned have = 0; have < request.size;) {
        const ssize_t count = read(connection, request.bytes + have, request.size - have);
        if (count <= 0) {
            _exit(failed);
        }
        have += (unsigned)count;
    }
    const pid_t child = fork();
    if (child == 0) {
        execute(request.bytes, request.bytes + request.size, streams);
    }
    for (int i = 0; i < streams_count; ++i) {
        close(streams[i]);
    }
    int status = 0;
    while (waitpid(child, &status, WNOHANG) != child) {
        struct pollfd caller = {connection, POLLIN | POLLRDHUP, 0};
        if (poll(&caller, 1, look_each_ms) > 0 && (caller.revents & (POLLHUP | POLLRDHUP)) != 0) {
            kill(-child, SIGKILL);
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    _exit(write(connection, &code, sizeof code) == sizeof code ? 0 : 1);
}

static _Noreturn void serve(const char* path) {
    const struct sockaddr_un address = address_of(path);
    const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unlink(path);
    if (bind(listening, (const struct sockaddr*)&address, sizeof address) != 0 || listen(listening, SOMAXCONN) != 0) {
        die(path);
    }
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        const int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        if (connection < 0) {
            continue;
        }
        if (fork() == 0) {
            signal(SIGCHLD, SIG_DFL);
            close(listening);
            answer(connection);
        }
        close(connection);
    }
}

/* As ssh does it. */
static void add_for_shell(struct Request* request, char** arguments, const char* state) {
    char line[1 << 16] = "";
    for (char** each = arguments; *each != NULL; ++each) {
        if (strlen(line) + strlen(*each) + 2 > sizeof line) {
            fprintf(stderr, "remote_shell: the command is too long\n");
            exit(failed);
        }
        strcat(line, *each);
        strcat(line, " ");
    }
    char variable[4096];
    snprintf(variable, sizeof variable, "HOSTS_STATE=%s", state);
    char files[4096];
    snprintf(files, sizeof files, "TMPDIR=%s/tmp", state); /* what killed processes leave there goes with the hosts */
    const char* words[] = {
        "3",          "/bin/sh",   "-c",     line, "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME=/root", "USER=root", variable, files};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        add(request, words[i]);
    }
}

static void add_as_given(struct Request* request, char** arguments) {
    int count = 0;
    while (arguments[count] != NULL) {
        ++count;
    }
    char number[20];
    snprintf(number, sizeof number, "%d", count);
    add(request, number);
    for (int i = 0; i < count; ++i) {
        add(request, arguments[i]);
    }
    for (char** each = environ; *each != NULL; ++each) {
        add(request, *each);
    }
}

static int ask(const char* state, const char* host, char** arguments, int as_ssh) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.socket", state, host);
    const struct sockaddr_un address = address_of(path);
    const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection, (const struct sockaddr*)&address, sizeof address) != 0) {
        die(path);
    }
    struct Request request = {malloc(most_bytes), 0};
    char directory[4096];
    add(&request, getcwd(directory, sizeof directory) != NULL ? directory : "/");
    if (as_ssh) {
        add_for_shell(&request, arguments, state);
    } else {
        add_as_given(&request, arguments);
    }
    const int streams[streams_count] = {0, 1, 2};
    union Control control = {{0}};
    struct iovec vector = {&request.size, sizeof request.size};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof streams);
    memcpy(CMSG_DATA(header), streams, sizeof streams);
    if (sendmsg(connection, &message, 0) != sizeof request.size) {
        die("sendmsg");
    }
    for (unsigned sent = 0; sent < request.size;) {
        const ssize_t count = write(connection, request.bytes + sent, request.size - sent);
        if (count <= 0) {
            die("write");
        }
        sent += (unsigned)count;
    }
    int code = failed;
    if (read(connection, &code, sizeof code) != sizeof code) {
        fprintf(stderr, "remote_shell: %s is gone\n", host);
    }
    return code;
}

int main(int argc, char** argv) {
    if (argc == 3 && strcmp(argv[1], "--serve") == 0) {
        serve(argv[2]);
    }
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; ++first) {
        if (strchr("oilpF", argv[first][1]) != NULL && argv[first][2] == 0) {
            ++first; /* ssh's options with a value */
        }
    }
    const char* state = getenv("HOSTS_STATE");
    if (first + 1 >= argc || state == NULL) {
        fprintf(stderr, "usage: HOSTS_STATE=DIRECTORY remote_shell HOST COMMAND ARGUMENT...\n");
        return failed;
    }
    const char* slash = strrchr(argv[0], '/');
    return ask(state, argv[first], argv + first + 1, strcmp(slash == NULL ? argv[0] : slash + 1, "rsh") == 0);
}
