/* Leaves its memory in another state than it found it in, and fails where it does not find it as it must be. Each rank
 * prints its process' number. The argument: "plain"; "deep" uses much of the stack; "heap" gives back what it has from
 * before MPI_Init; "pages" writes to pages that it has not written to in other runs, if there are such; "block" keeps a
 * large block that was not there; "file" writes to a file and reads that again, "open" leaves one open; "mapping" gives
 * back a mapping from before MPI_Init; "status" ends with status 3; "late" calls MPI after MPI_Finalize; "exit" ends by
 * _exit(). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <fcntl.h>
#include <unistd.h>

enum { BYTES = 1 << 20, BLOCKS = 64, BLOCK = 4000, PAGE = 4096, PAGES = 512 };

static int runs = 0;
static char untouched[3 * 4096];
static char pages[PAGES * PAGE];

static void must(int condition, const char* what) {
    if (!condition) {
        fprintf(stderr, "not as it was: %s\n", what);
        abort();
    }
}

static void must_be(const char* bytes, size_t count, char value, const char* what) {
    for (size_t i = 0; i < count; i++) must(bytes[i] == value, what);
}

static int deep(int left) {
    volatile char frame[4096];
    memset((char*)frame, left, sizeof frame);
    return left == 0 ? frame[0] : deep(left - 1) + frame[17];
}

__attribute__((destructor)) static void at_end(void) {
    must(runs == 1, "what runs at the end");
    runs = 7;
}

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "plain";
    char* large = malloc(BYTES);
    char* small[BLOCKS];
    memset(large, 'l', BYTES);
    for (int i = 0; i < BLOCKS; i++) {
        small[i] = malloc(BLOCK);
        memset(small[i], 's', BLOCK);
    }
    const char* const name = getenv("COME_BACK");
    must(name == NULL, "the environment");
    MPI_Init(&argc, &argv);
    must(runs++ == 0, "a variable");
    must_be(untouched, sizeof untouched, 0, "a variable without a value");
    must_be(large, BYTES, 'l', "a large block");
    for (int i = 0; i < BLOCKS; i++) must_be(small[i], BLOCK, 's', "a small block");
    must_be(pages, sizeof pages, 0, "pages");
    memset(untouched + 4096, 'u', 4096);
    large[12345] = 'x';
    small[1][0] = 'x';

    int rank, size, value = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        for (int i = 1; i < size; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    if (strcmp(mode, "deep") == 0) must(deep(300) != 1, "arithmetic");
    if (strcmp(mode, "heap") == 0) {
        for (int i = 0; i < BLOCKS; i++) free(small[i]);
        char* other = calloc(BLOCKS, BLOCK);
        must_be(other, BLOCKS * BLOCK, 0, "a block of zeros");
        free(other);
    }
    if (strcmp(mode, "pages") == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        pages[now.tv_nsec / 100 % PAGES * PAGE + 99] = 'p';
        const int file = open("/proc/self/exe", O_RDONLY); /* the kernel writes as well */
        must(file >= 0 && read(file, pages + now.tv_nsec / 77 % PAGES * PAGE, 100) == 100 && close(file) == 0,
             "the program's file");
    }
    if (strcmp(mode, "block") == 0) {
        char* other = calloc(8, BYTES);
        must_be(other, 8 * BYTES, 0, "a large block of zeros");
        memset(other, 'b', 8 * BYTES);
    }
    if (strcmp(mode, "file") == 0) {
        char name[32], line[16] = "";
        snprintf(name, sizeof name, "come_back.%d", rank);
        FILE* file = fopen(name, "w");
        must(file != NULL && fputs("one line", file) >= 0 && fclose(file) == 0, "a file to write");
        file = fopen(name, "r");
        must(file != NULL && fgets(line, sizeof line, file) != NULL && strcmp(line, "one line") == 0,
             "what was written");
        must(fclose(file) == 0 && remove(name) == 0, "a file to read");
    }
    if (strcmp(mode, "open") == 0) must(fopen("/dev/null", "r") != NULL, "a file");
    if (strcmp(mode, "mapping") == 0) free(large);
    printf("%d\n", (int)getpid());
    MPI_Finalize();
    if (strcmp(mode, "late") == 0) {
        int finalized = 0;
        MPI_Finalized(&finalized);
        must(finalized, "MPI");
    }
    if (strcmp(mode, "exit") == 0) {
        fflush(stdout);
        _exit(0);
    }
    return strcmp(mode, "status") == 0 ? 3 : 0;
}
