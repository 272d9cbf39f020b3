/* An MPI library that cannot do much, to be preloaded: MPI_Gather loses data where all ranks together have more than
 * 3,000 elements, MPI_Ibcast hangs with more than 1,000 bytes, MPI_Alltoall crashes where all have more than 20,000
 * bytes, and MPI_Allreduce gets more than 500 elements wrong with as many processes as there are in the test, and more
 * than 400 with others. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>
#include <unistd.h>

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static int size_of(MPI_Comm comm) {
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

static int bytes_of(MPI_Datatype type) {
    int bytes;
    MPI_Type_size(type, &bytes);
    return bytes;
}

int PMPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const int result = NEXT(PMPI_Gather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == root && (long long)sendcount * size_of(comm) > 3000) memset(recvbuf, 0, 1);
    return result;
}
int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int PMPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
    while ((long long)count * bytes_of(type) > 1000) pause();
    return NEXT(PMPI_Ibcast)(buffer, count, type, root, comm, request);
}
int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
    return PMPI_Ibcast(buffer, count, type, root, comm, request);
}

int PMPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
    if ((long long)recvcount * bytes_of(recvtype) * size_of(comm) > 20000) abort();
    return NEXT(PMPI_Alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm) {
    return PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int PMPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const int result = NEXT(PMPI_Allreduce)(sendbuf, recvbuf, count, type, op, comm);
    if (count > (size_of(comm) == 2 ? 500 : 400) && recvbuf != MPI_IN_PLACE) memset(recvbuf, 0, 1);
    return result;
}
int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return PMPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
}
