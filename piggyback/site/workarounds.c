/* To be preloaded: goes round what a site's MPI library cannot do with very much data. Made by dampi-scale from its
 * bounds, for one library; after H. Li, dissertation, 2018, section 4.4.
 *
 * - A collective with more data than the library takes is made in parts, by calls of the same function (W1-B there):
 *   each with some of the elements of every rank. All ranks must give the same number of elements of the same size, as
 *   nearly all programs do. Nonblocking ones are over when the call returns.
 * - Displacements that were too large for an int, and so have become others, are made whole, and go to the library as
 *   64 bits (MPI_Gatherv_c and so on), which needs MPI 4.0.
 *
 * Whatever else is called is the library's own.
 */
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum Form { BYTES_OF_ALL, ELEMENTS_OF_ALL, BYTES_OF_ONE, ELEMENTS_OF_ONE, THIS_SIZE };

static const struct Bound {
    const char* collective;
    int form;
    long long most;
    int processes;
    long long element;
} bounds[] = {
    /* BOUNDS */
    {"", THIS_SIZE, 0, 0, 0}};

/* In how many parts `count` elements of each rank go. */
static int parts_of(const char* collective, MPI_Comm comm, int count, MPI_Datatype type) {
    int size = 0, remote = 0, bytes = 0;
    long long most = LLONG_MAX;
    if (count <= 1) return 1;
    for (const struct Bound* bound = bounds; bound->collective[0] != '\0'; ++bound) {
        if (strcmp(bound->collective, collective) != 0) continue;
        if (size == 0) {
            MPI_Comm_test_inter(comm, &remote);
            remote ? MPI_Comm_remote_size(comm, &size) : MPI_Comm_size(comm, &size);
            MPI_Type_size(type, &bytes);
        }
        if (bytes <= 0 || size <= 0) continue;
        const long long elements =
            bound->form == BYTES_OF_ALL      ? bound->most / size / bytes
            : bound->form == ELEMENTS_OF_ALL ? bound->most / size
            : bound->form == BYTES_OF_ONE    ? bound->most / bytes
            : bound->form == ELEMENTS_OF_ONE || (bound->processes == size && bound->element == bytes) ? bound->most
                                                                                                      : LLONG_MAX;
        if (elements < most) most = elements > 0 ? elements : 1;
    }
    return count <= most ? 1 : (int)((count + most - 1) / most);
}

/* Part number `part` of `parts` of a buffer of `count` elements. */
struct Part {
    MPI_Aint offset; /* bytes from the buffer's beginning */
    int count;       /* elements */
};

static struct Part part_of(int part, int parts, int count, MPI_Datatype type) {
    MPI_Aint low, extent;
    MPI_Type_get_extent(type, &low, &extent);
    const int first = (int)((long long)count * part / parts);
    const int next = (int)((long long)count * (part + 1) / parts);
    const struct Part result = {first * extent, next - first};
    return result;
}

/* One of these for each rank lies where the part of its elements does. */
static MPI_Datatype block_of(struct Part part, int count, MPI_Datatype type) {
    MPI_Datatype elements, block;
    MPI_Aint low, extent;
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_contiguous(part.count, type, &elements);
    MPI_Type_create_resized(elements, low, count * extent, &block);
    MPI_Type_commit(&block);
    MPI_Type_free(&elements);
    return block;
}

static const void* at(const void* buffer, MPI_Aint offset) {
    return buffer == MPI_IN_PLACE ? buffer : (const char*)buffer + offset;
}
static void* into(void* buffer, MPI_Aint offset) { return buffer == MPI_IN_PLACE ? buffer : (char*)buffer + offset; }

/* Whether this rank's arguments about the blocks of all ranks count. */
static int is_root(MPI_Comm comm, int root) {
    int inter, rank;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_rank(comm, &rank);
    return inter ? root == MPI_ROOT : root == rank;
}

#define EACH_PART(of, type)                                  \
    int result = MPI_SUCCESS;                                \
    for (int i = 0; i < parts && result == MPI_SUCCESS; ++i) \
        for (struct Part part = part_of(i, parts, of, type), *once = &part; once; once = NULL)

static int bcast(int parts, void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    EACH_PART(count, type) result = PMPI_Bcast(into(buffer, part.offset), part.count, type, root, comm);
    return result;
}

static int gather(int parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const int here = is_root(comm, root);
    int result = MPI_SUCCESS;
    for (int i = 0; i < parts && result == MPI_SUCCESS; ++i) {
        const int sends = sendbuf != MPI_IN_PLACE && root != MPI_ROOT && root != MPI_PROC_NULL;
        const struct Part sent = sends ? part_of(i, parts, sendcount, sendtype) : (struct Part){0, 0};
        const struct Part got = here ? part_of(i, parts, recvcount, recvtype) : (struct Part){0, 0};
        MPI_Datatype block = here ? block_of(got, recvcount, recvtype) : MPI_BYTE;
        result = PMPI_Gather(at(sendbuf, sent.offset), sent.count, sends ? sendtype : MPI_BYTE,
                             here ? into(recvbuf, got.offset) : NULL, here ? 1 : 0, block, root, comm);
        if (here) MPI_Type_free(&block);
    }
    return result;
}

static int scatter(int parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const int here = is_root(comm, root);
    int result = MPI_SUCCESS;
    for (int i = 0; i < parts && result == MPI_SUCCESS; ++i) {
        const int receives = recvbuf != MPI_IN_PLACE && root != MPI_ROOT && root != MPI_PROC_NULL;
        const struct Part got = receives ? part_of(i, parts, recvcount, recvtype) : (struct Part){0, 0};
        const struct Part sent = here ? part_of(i, parts, sendcount, sendtype) : (struct Part){0, 0};
        MPI_Datatype block = here ? block_of(sent, sendcount, sendtype) : MPI_BYTE;
        result = PMPI_Scatter(here ? at(sendbuf, sent.offset) : NULL, here ? 1 : 0, block, into(recvbuf, got.offset),
                              got.count, receives ? recvtype : MPI_BYTE, root, comm);
        if (here) MPI_Type_free(&block);
    }
    return result;
}

static int allgather(int parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, MPI_Comm comm) {
    EACH_PART(recvcount, recvtype) {
        const int sends = sendbuf != MPI_IN_PLACE;
        const struct Part sent = sends ? part_of(i, parts, sendcount, sendtype) : (struct Part){0, 0};
        MPI_Datatype block = block_of(part, recvcount, recvtype);
        result = PMPI_Allgather(at(sendbuf, sent.offset), sent.count, sends ? sendtype : MPI_BYTE,
                                into(recvbuf, part.offset), 1, block, comm);
        MPI_Type_free(&block);
    }
    return result;
}

static int alltoall(int parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm) {
    EACH_PART(recvcount, recvtype) {
        const int sends = sendbuf != MPI_IN_PLACE;
        const struct Part sent = sends ? part_of(i, parts, sendcount, sendtype) : (struct Part){0, 0};
        MPI_Datatype from = sends ? block_of(sent, sendcount, sendtype) : MPI_BYTE;
        MPI_Datatype to = block_of(part, recvcount, recvtype);
        result = PMPI_Alltoall(at(sendbuf, sent.offset), sends ? 1 : 0, from, into(recvbuf, part.offset), 1, to, comm);
        MPI_Type_free(&to);
        if (sends) MPI_Type_free(&from);
    }
    return result;
}

static int reduce(int parts, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
                  MPI_Comm comm) {
    const int here = is_root(comm, root);
    EACH_PART(count, type)
    result = PMPI_Reduce(at(sendbuf, part.offset), here ? into(recvbuf, part.offset) : NULL, part.count, type, op, root,
                         comm);
    return result;
}

static int allreduce(int parts, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm comm) {
    EACH_PART(count, type)
    result = PMPI_Allreduce(at(sendbuf, part.offset), into(recvbuf, part.offset), part.count, type, op, comm);
    return result;
}

/* What of the buffers is significant here, for the number of parts. */
static int count_at(MPI_Comm comm, int root, int here, int there) { return is_root(comm, root) ? here : there; }
static MPI_Datatype type_at(MPI_Comm comm, int root, MPI_Datatype here, MPI_Datatype there) {
    return is_root(comm, root) ? here : there;
}

/* The body of a function: in parts where there are several. */
#define PARTED(name, count, type, whole, in_parts)               \
    const int parts = parts_of("MPI_" #name, comm, count, type); \
    if (parts == 1) return whole;                                \
    return in_parts

/* The request of what is over. */
static int over(int result, MPI_Request* request) {
    *request = MPI_REQUEST_NULL;
    return result;
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    PARTED(Bcast, count, datatype, PMPI_Bcast(buffer, count, datatype, root, comm),
           bcast(parts, buffer, count, datatype, root, comm));
}
int MPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
    PARTED(Ibcast, count, datatype, PMPI_Ibcast(buffer, count, datatype, root, comm, request),
           over(bcast(parts, buffer, count, datatype, root, comm), request));
}
int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm) {
    PARTED(Gather, count_at(comm, root, recvcount, sendcount), type_at(comm, root, recvtype, sendtype),
           PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
           gather(parts, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}
int MPI_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
    PARTED(Igather, count_at(comm, root, recvcount, sendcount), type_at(comm, root, recvtype, sendtype),
           PMPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request),
           over(gather(parts, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), request));
}
int MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm) {
    PARTED(Scatter, count_at(comm, root, sendcount, recvcount), type_at(comm, root, sendtype, recvtype),
           PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
           scatter(parts, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}
int MPI_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
    PARTED(Iscatter, count_at(comm, root, sendcount, recvcount), type_at(comm, root, sendtype, recvtype),
           PMPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request),
           over(scatter(parts, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), request));
}
int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
    PARTED(Allgather, recvcount, recvtype,
           PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
           allgather(parts, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}
int MPI_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
    PARTED(Iallgather, recvcount, recvtype,
           PMPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request),
           over(allgather(parts, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), request));
}
int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm) {
    PARTED(Alltoall, recvcount, recvtype,
           PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
           alltoall(parts, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}
int MPI_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
    PARTED(Ialltoall, recvcount, recvtype,
           PMPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request),
           over(alltoall(parts, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), request));
}
int MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
               MPI_Comm comm) {
    PARTED(Reduce, count, datatype, PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm),
           reduce(parts, sendbuf, recvbuf, count, datatype, op, root, comm));
}
int MPI_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
    PARTED(Ireduce, count, datatype, PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request),
           over(reduce(parts, sendbuf, recvbuf, count, datatype, op, root, comm), request));
}
int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    PARTED(Allreduce, count, datatype, PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm),
           allreduce(parts, sendbuf, recvbuf, count, datatype, op, comm));
}
int MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
    PARTED(Iallreduce, count, datatype, PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request),
           over(allreduce(parts, sendbuf, recvbuf, count, datatype, op, comm), request));
}

#if MPI_VERSION >= 4

/* What the displacements were before they became ints, where one of them has overflowed: then each block begins where
 * the one before it ends, or as far from it as that from its own. */
struct Wide {
    MPI_Count* counts;
    MPI_Aint* displacements;
};

static int ranks_of(MPI_Comm comm) {
    int inter, size;
    MPI_Comm_test_inter(comm, &inter);
    inter ? MPI_Comm_remote_size(comm, &size) : MPI_Comm_size(comm, &size);
    return size;
}

static int is_left_of(long long value, int left) { return value > INT_MAX && (int)(unsigned)value == left; }

static int has_overflowed(int ranks, const int* counts, const int* displacements) {
    for (int i = 1; counts != NULL && displacements != NULL && i < ranks; ++i) {
        const long long before = displacements[i - 1];
        if (displacements[i] < before) {
            return is_left_of(before + counts[i - 1], displacements[i]) ||
                   (i >= 2 && is_left_of(2 * before - displacements[i - 2], displacements[i]));
        }
    }
    return 0;
}

static struct Wide made_wide(int ranks, const int* counts, const int* displacements) {
    const long long around = 1LL << 32;
    struct Wide wide = {malloc(sizeof(MPI_Count) * (size_t)ranks), malloc(sizeof(MPI_Aint) * (size_t)ranks)};
    if (wide.counts == NULL || wide.displacements == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < ranks; ++i) {
        const long long step = i == 0 ? displacements[0] : (long long)displacements[i] - displacements[i - 1];
        wide.counts[i] = counts[i];
        wide.displacements[i] = i == 0 ? step : wide.displacements[i - 1] + step + (step < 0 ? around : 0);
    }
    return wide;
}

/* Of a nonblocking call the library reads them until it is over. */
static int let_go(struct Wide wide, int result) {
    free(wide.counts);
    free(wide.displacements);
    return result;
}

int MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
    if (!is_root(comm, root) || !has_overflowed(ranks_of(comm), recvcounts, displs))
        return PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    const struct Wide wide = made_wide(ranks_of(comm), recvcounts, displs);
    return let_go(wide, PMPI_Gatherv_c(sendbuf, sendcount, sendtype, recvbuf, wide.counts, wide.displacements, recvtype,
                                       root, comm));
}
int MPI_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    if (!is_root(comm, root) || !has_overflowed(ranks_of(comm), sendcounts, displs))
        return PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
    const struct Wide wide = made_wide(ranks_of(comm), sendcounts, displs);
    return let_go(wide, PMPI_Scatterv_c(sendbuf, wide.counts, wide.displacements, sendtype, recvbuf, recvcount,
                                        recvtype, root, comm));
}
int MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                   const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
    if (!has_overflowed(ranks_of(comm), recvcounts, displs))
        return PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    const struct Wide wide = made_wide(ranks_of(comm), recvcounts, displs);
    return let_go(wide, PMPI_Allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, wide.counts, wide.displacements,
                                          recvtype, comm));
}
int MPI_Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                 const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
    if (!is_root(comm, root) || !has_overflowed(ranks_of(comm), recvcounts, displs))
        return PMPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request);
    const struct Wide wide = made_wide(ranks_of(comm), recvcounts, displs);
    const int result = PMPI_Igatherv_c(sendbuf, sendcount, sendtype, recvbuf, wide.counts, wide.displacements, recvtype,
                                       root, comm, request);
    if (result == MPI_SUCCESS) PMPI_Wait(request, MPI_STATUS_IGNORE);
    return let_go(wide, result);
}
int MPI_Iscatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
    if (!is_root(comm, root) || !has_overflowed(ranks_of(comm), sendcounts, displs))
        return PMPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    const struct Wide wide = made_wide(ranks_of(comm), sendcounts, displs);
    const int result = PMPI_Iscatterv_c(sendbuf, wide.counts, wide.displacements, sendtype, recvbuf, recvcount,
                                        recvtype, root, comm, request);
    if (result == MPI_SUCCESS) PMPI_Wait(request, MPI_STATUS_IGNORE);
    return let_go(wide, result);
}
int MPI_Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
    if (!has_overflowed(ranks_of(comm), recvcounts, displs))
        return PMPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
    const struct Wide wide = made_wide(ranks_of(comm), recvcounts, displs);
    const int result = PMPI_Iallgatherv_c(sendbuf, sendcount, sendtype, recvbuf, wide.counts, wide.displacements,
                                          recvtype, comm, request);
    if (result == MPI_SUCCESS) PMPI_Wait(request, MPI_STATUS_IGNORE);
    return let_go(wide, result);
}

#endif
