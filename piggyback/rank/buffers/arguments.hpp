// Which buffers each of MPI's functions reads and writes, by its arguments up to the communicator: as in mpi.h, with
// counts of either width. What is not significant in this rank, or goes to or comes from MPI_PROC_NULL, is no buffer.
// Called by the wrappers (interception/generate_wrappers.cpp), before MPI has judged the arguments: those that it is
// going to refuse are none, either.
#pragma once

#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/collectives/displacements.hpp"
#include "piggyback/rank/collectives/flow.hpp"

#include <mpi.h>

namespace dampi::piggyback::buffers {

inline void send(UsedBuffers& used, const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int /*tag*/,
                 MPI_Comm /*comm*/) {
    if (dest != MPI_PROC_NULL) {
        used.add(BufferRole::send, buf, count, datatype);
    }
}

inline void receive(UsedBuffers& used, void* buf, MPI_Count count, MPI_Datatype datatype, int source, int /*tag*/,
                    MPI_Comm /*comm*/) {
    if (source != MPI_PROC_NULL) {
        used.add(BufferRole::receive, buf, count, datatype);
    }
}

inline void matched_receive(UsedBuffers& used, void* buf, MPI_Count count, MPI_Datatype datatype,
                            const MPI_Message* message) {
    if (*message != MPI_MESSAGE_NO_PROC && *message != MPI_MESSAGE_NULL) {
        used.add(BufferRole::receive, buf, count, datatype);
    }
}

inline void send_and_receive(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             int dest, int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                             int source, int recvtag, MPI_Comm comm) {
    send(used, sendbuf, sendcount, sendtype, dest, sendtag, comm);
    receive(used, recvbuf, recvcount, recvtype, source, recvtag, comm);
}

inline void send_and_replace(UsedBuffers& used, void* buf, MPI_Count count, MPI_Datatype datatype, int dest,
                             int sendtag, int source, int recvtag, MPI_Comm comm) {
    if (source != MPI_PROC_NULL) {
        receive(used, buf, count, datatype, source, recvtag, comm);
    } else {
        send(used, buf, count, datatype, dest, sendtag, comm);
    }
}

void partitioned_send(UsedBuffers& used, const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                      int dest, int tag, MPI_Comm comm);
void partitioned_receive(UsedBuffers& used, void* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                         int source, int tag, MPI_Comm comm);

void reduce_local(UsedBuffers& used, const void* inbuf, const void* inoutbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op);
/// Of what is packed, so much as it has bytes.
void pack(UsedBuffers& used, const void* inbuf, MPI_Count incount, MPI_Datatype datatype, const void* outbuf,
          MPI_Count outsize, MPI_Count position);
void unpack(UsedBuffers& used, const void* inbuf, MPI_Count insize, MPI_Count position, const void* outbuf,
            MPI_Count outcount, MPI_Datatype datatype);
template <typename Position>
void pack(UsedBuffers& used, const void* inbuf, MPI_Count incount, MPI_Datatype datatype, const void* outbuf,
          MPI_Count outsize, const Position* position, MPI_Comm /*comm*/) {
    if (position != nullptr) {
        pack(used, inbuf, incount, datatype, outbuf, outsize, *position);
    }
}
template <typename Position>
void unpack(UsedBuffers& used, const void* inbuf, MPI_Count insize, const Position* position, const void* outbuf,
            MPI_Count outcount, MPI_Datatype datatype, MPI_Comm /*comm*/) {
    if (position != nullptr) {
        unpack(used, inbuf, insize, *position, outbuf, outcount, datatype);
    }
}

void bcast(UsedBuffers& used, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm);
void gather(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
void gatherv(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             Counts recvcounts, Displacements displs, MPI_Datatype recvtype, int root, MPI_Comm comm);
void scatter(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
void scatterv(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements displs, MPI_Datatype sendtype,
              void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
void allgather(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
void allgatherv(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                Counts recvcounts, Displacements displs, MPI_Datatype recvtype, MPI_Comm comm);
void alltoall(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
void alltoallv(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements sdispls, MPI_Datatype sendtype,
               void* recvbuf, Counts recvcounts, Displacements rdispls, MPI_Datatype recvtype, MPI_Comm comm);
void alltoallw(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements sdispls,
               const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
               const MPI_Datatype* recvtypes, MPI_Comm comm);
void reduce(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            int root, MPI_Comm comm);
void allreduce(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm);
void reduce_scatter(UsedBuffers& used, const void* sendbuf, void* recvbuf, Counts recvcounts, MPI_Datatype datatype,
                    MPI_Op op, MPI_Comm comm);
void reduce_scatter_block(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
void scan(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
          MPI_Comm comm);
void exscan(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm);
void neighbor_allgather(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
void neighbor_allgatherv(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                         void* recvbuf, Counts recvcounts, Displacements displs, MPI_Datatype recvtype, MPI_Comm comm);
void neighbor_alltoall(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
void neighbor_alltoallv(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements sdispls,
                        MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Displacements rdispls,
                        MPI_Datatype recvtype, MPI_Comm comm);
void neighbor_alltoallw(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements sdispls,
                        const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
                        const MPI_Datatype* recvtypes, MPI_Comm comm);

}  // namespace dampi::piggyback::buffers
