/* Runs one collective with more and more data and looks whether what arrives is right: dampi-scale compiles it for the
 * site's MPI library and watches it. Not for people.
 *
 *   probe FILE COLLECTIVE BYTES NUMBER...
 *
 * Rank 0 writes to FILE first "library ...", and for each NUMBER of elements of so many bytes per rank a line when the
 * collective is over in all ranks, "NUMBER SECONDS ok", or "NUMBER wrong RANK", and goes no further; in the end "end".
 * A collective that hangs or crashes writes none. COLLECTIVE is a name of the table below.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static size_t element;

/* Word number `at` of what `from` has for `to`. */
static uint64_t word(int from, int to, size_t at) {
    const uint64_t mixed = (at + 1) * 0x9e3779b97f4a7c15u ^ (uint64_t)(from + 1) * 0xc2b2ae3d27d4eb4fu ^
                           (uint64_t)(to + 1) * 0x165667b19e3779f9u;
    return mixed ^ mixed >> 29;
}

static void fill(char* block, int from, int to, size_t bytes) {
    size_t at = 0;
    for (; (at + 1) * sizeof(uint64_t) <= bytes; ++at) {
        const uint64_t value = word(from, to, at);
        memcpy(block + at * sizeof value, &value, sizeof value);
    }
    const uint64_t value = word(from, to, at);
    memcpy(block + at * sizeof value, &value, bytes - at * sizeof value);
}

/* Looks at both ends, and every some thousand bytes in between. */
static int is_right(const char* block, int from, int to, size_t bytes) {
    const size_t words = bytes / sizeof(uint64_t);
    for (size_t at = 0; at < words; at += at < 8 || at + 520 >= words ? 1 : 509) {
        const uint64_t value = word(from, to, at);
        if (memcmp(block + at * sizeof value, &value, sizeof value) != 0) return 0;
    }
    const uint64_t value = word(from, to, words);
    return memcmp(block + words * sizeof value, &value, bytes - words * sizeof value) == 0;
}

static char* get(size_t bytes) {
    char* memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "probe: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return memory;
}

enum Kind { BCAST, GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE, REDUCE_SCATTER_BLOCK };
static const struct {
    const char* name;
    enum Kind kind;
    int irregular;
    int nonblocking;
} collectives[] = {
    {"MPI_Bcast", BCAST, 0, 0},
    {"MPI_Ibcast", BCAST, 0, 1},
    {"MPI_Gather", GATHER, 0, 0},
    {"MPI_Igather", GATHER, 0, 1},
    {"MPI_Gatherv", GATHER, 1, 0},
    {"MPI_Igatherv", GATHER, 1, 1},
    {"MPI_Scatter", SCATTER, 0, 0},
    {"MPI_Iscatter", SCATTER, 0, 1},
    {"MPI_Scatterv", SCATTER, 1, 0},
    {"MPI_Iscatterv", SCATTER, 1, 1},
    {"MPI_Allgather", ALLGATHER, 0, 0},
    {"MPI_Iallgather", ALLGATHER, 0, 1},
    {"MPI_Allgatherv", ALLGATHER, 1, 0},
    {"MPI_Iallgatherv", ALLGATHER, 1, 1},
    {"MPI_Alltoall", ALLTOALL, 0, 0},
    {"MPI_Ialltoall", ALLTOALL, 0, 1},
    {"MPI_Alltoallv", ALLTOALL, 1, 0},
    {"MPI_Ialltoallv", ALLTOALL, 1, 1},
    {"MPI_Reduce", REDUCE, 0, 0},
    {"MPI_Ireduce", REDUCE, 0, 1},
    {"MPI_Allreduce", ALLREDUCE, 0, 0},
    {"MPI_Iallreduce", ALLREDUCE, 0, 1},
    {"MPI_Reduce_scatter_block", REDUCE_SCATTER_BLOCK, 0, 0},
    {"MPI_Ireduce_scatter_block", REDUCE_SCATTER_BLOCK, 0, 1},
};

/* Reductions take the bitwise exclusive or of bytes: what comes out is that of the words of all ranks. */
static int is_reduced(const char* block, int to, size_t bytes) {
    const size_t words = bytes / sizeof(uint64_t);
    for (size_t at = 0; at < words; at += at < 8 || at + 520 >= words ? 1 : 509) {
        uint64_t value = 0;
        for (int from = 0; from < size; ++from) value ^= word(from, to, at);
        if (memcmp(block + at * sizeof value, &value, sizeof value) != 0) return 0;
    }
    return 1;
}

/* The buffers of all ranks together have a block for each rank where `all_sent` or `all_received`. */
static int run(int which, size_t number) {
    const enum Kind kind = collectives[which].kind;
    const int irregular = collectives[which].irregular;
    const int nonblocking = collectives[which].nonblocking;
    const int count = (int)number;
    const size_t bytes = number * element;
    const int reduces = kind >= REDUCE;
    const int sends = kind == BCAST || kind == SCATTER ? rank == 0 : 1;
    const int receives = kind == GATHER || kind == REDUCE ? rank == 0 : 1;
    const int all_sent = kind == SCATTER || kind == ALLTOALL || kind == REDUCE_SCATTER_BLOCK;
    const int all_received = kind == GATHER || kind == ALLGATHER || kind == ALLTOALL;
    char* sent = get(sends ? bytes * (all_sent ? (size_t)size : 1) : 0);
    char* received = kind == BCAST && rank == 0 ? sent : get(receives ? bytes * (all_received ? (size_t)size : 1) : 0);
    for (int to = 0; sends && to < (all_sent ? size : 1); ++to) {
        fill(sent + (size_t)to * bytes, rank, all_sent ? to : 0, bytes);
    }
    if (receives && received != sent) memset(received, 0, bytes * (all_received ? (size_t)size : 1));

    MPI_Datatype type = MPI_BYTE;
    int* counts = calloc((size_t)size, sizeof *counts);
    int* displacements = calloc((size_t)size, sizeof *displacements);
    int items = count;
    if (reduces) {
        items = (int)bytes; /* of a predefined type, for the operator's sake */
    } else {
        MPI_Type_contiguous((int)element, MPI_BYTE, &type);
        MPI_Type_commit(&type);
    }
    for (int i = 0; i < size; ++i) {
        counts[i] = count;
        displacements[i] = (int)((unsigned)i * (unsigned)count);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm comm = MPI_COMM_WORLD;
    switch (kind) {
        case BCAST:
            nonblocking ? MPI_Ibcast(received, count, type, 0, comm, &request)
                        : MPI_Bcast(received, count, type, 0, comm);
            break;
        case GATHER:
            irregular     ? nonblocking
                                ? MPI_Igatherv(sent, count, type, received, counts, displacements, type, 0, comm, &request)
                                : MPI_Gatherv(sent, count, type, received, counts, displacements, type, 0, comm)
                : nonblocking ? MPI_Igather(sent, count, type, received, count, type, 0, comm, &request)
                          : MPI_Gather(sent, count, type, received, count, type, 0, comm);
            break;
        case SCATTER:
            irregular     ? nonblocking
                                ? MPI_Iscatterv(sent, counts, displacements, type, received, count, type, 0, comm, &request)
                                : MPI_Scatterv(sent, counts, displacements, type, received, count, type, 0, comm)
                : nonblocking ? MPI_Iscatter(sent, count, type, received, count, type, 0, comm, &request)
                          : MPI_Scatter(sent, count, type, received, count, type, 0, comm);
            break;
        case ALLGATHER:
            irregular     ? nonblocking
                                ? MPI_Iallgatherv(sent, count, type, received, counts, displacements, type, comm, &request)
                                : MPI_Allgatherv(sent, count, type, received, counts, displacements, type, comm)
                : nonblocking ? MPI_Iallgather(sent, count, type, received, count, type, comm, &request)
                          : MPI_Allgather(sent, count, type, received, count, type, comm);
            break;
        case ALLTOALL:
            irregular
                ? nonblocking
                      ? MPI_Ialltoallv(sent, counts, displacements, type, received, counts, displacements, type, comm,
                                       &request)
                      : MPI_Alltoallv(sent, counts, displacements, type, received, counts, displacements, type, comm)
            : nonblocking ? MPI_Ialltoall(sent, count, type, received, count, type, comm, &request)
                          : MPI_Alltoall(sent, count, type, received, count, type, comm);
            break;
        case REDUCE:
            nonblocking ? MPI_Ireduce(sent, received, items, MPI_BYTE, MPI_BXOR, 0, comm, &request)
                        : MPI_Reduce(sent, received, items, MPI_BYTE, MPI_BXOR, 0, comm);
            break;
        case ALLREDUCE:
            nonblocking ? MPI_Iallreduce(sent, received, items, MPI_BYTE, MPI_BXOR, comm, &request)
                        : MPI_Allreduce(sent, received, items, MPI_BYTE, MPI_BXOR, comm);
            break;
        case REDUCE_SCATTER_BLOCK:
            nonblocking ? MPI_Ireduce_scatter_block(sent, received, items, MPI_BYTE, MPI_BXOR, comm, &request)
                        : MPI_Reduce_scatter_block(sent, received, items, MPI_BYTE, MPI_BXOR, comm);
            break;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    int right = 1;
    if (receives && reduces) {
        right = is_reduced(received, kind == REDUCE_SCATTER_BLOCK ? rank : 0, bytes);
    } else if (receives && kind == BCAST) {
        right = is_right(received, 0, 0, bytes);
    } else if (receives) {
        for (int from = 0; from < (all_received ? size : 1); ++from) {
            right = right && is_right(received + (size_t)from * bytes, from, all_sent ? rank : 0, bytes);
        }
    }
    if (!reduces) MPI_Type_free(&type);
    if (received != sent) free(received);
    free(sent);
    free(counts);
    free(displacements);
    return right;
}

int main(int argc, char** argv) {
    int which = -1;
    int length = 0;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    FILE* out = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; argc > 4 && i < sizeof collectives / sizeof *collectives; ++i) {
        if (strcmp(argv[2], collectives[i].name) == 0) which = (int)i;
    }
    if (which >= 0 && rank == 0) out = fopen(argv[1], "w");
    if (which < 0 || (rank == 0 && out == NULL)) {
        fprintf(stderr, "probe: it is dampi-scale's\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = '\0';
    if (rank == 0) {
        fprintf(out, "library %s\n", library);
        fflush(out);
    }
    element = (size_t)atol(argv[3]);
    for (int i = 4; i < argc; ++i) {
        const double begin = MPI_Wtime();
        const int wrong_here = run(which, (size_t)atoll(argv[i])) ? size : rank;
        int first_wrong = size;
        /* By messages of a few bytes, which no bound is about. */
        MPI_Allreduce(&wrong_here, &first_wrong, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (rank == 0) {
            first_wrong == size ? fprintf(out, "%s %.6f ok\n", argv[i], MPI_Wtime() - begin)
                                : fprintf(out, "%s wrong %d\n", argv[i], first_wrong);
            fflush(out);
        }
        if (first_wrong != size) break;
        MPI_Barrier(MPI_COMM_WORLD); /* nobody crashes before the line is there */
    }
    if (rank == 0) {
        fprintf(out, "end\n");
        fclose(out);
    }
    MPI_Finalize();
    return 0;
}
