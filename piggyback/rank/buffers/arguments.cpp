#include "piggyback/rank/buffers/arguments.hpp"

#include "piggyback/rank/errors/quiet_errors.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::piggyback::buffers {
namespace {

enum class Part { root, leaf, bystander };

/// Null for one that the layer does not know, or that MPI will refuse.
Communicator* known(const UsedBuffers& used, MPI_Comm comm) { return used.layer().communicators.find(comm); }

Part part_of(const Communicator& communicator, int root) {
    if (communicator.inter) {
        return root == MPI_ROOT ? Part::root : root == MPI_PROC_NULL ? Part::bystander : Part::leaf;
    }
    return root == communicator.rank ? Part::root : Part::leaf;
}

/// Whether a rank with this part in a collective with a root has data of its own, beside that of all at the root.
bool has_own_block(const Communicator& communicator, Part part) {
    return part == Part::leaf || (part == Part::root && !communicator.inter);
}

/// The block number `i` of equal ones; `count` may be whatever the program gave.
void add_nth(UsedBuffers& used, BufferRole role, const void* buffer, std::size_t i, MPI_Count count,
             MPI_Datatype datatype) {
    const Element* element = count <= 0 ? nullptr : used.layer().elements.of(datatype);
    std::int64_t offset = 0;
    if (element != nullptr && !__builtin_mul_overflow(element->extent, count, &offset) &&
        !__builtin_mul_overflow(offset, static_cast<std::int64_t>(i), &offset)) {
        used.add(role, buffer, count, datatype, offset);
    }
}

/// What so much data is when it is packed, behind the position in a buffer of this size.
void add_packed(UsedBuffers& used, BufferRole role, const void* buffer, MPI_Count size, MPI_Count position,
                MPI_Count count, MPI_Datatype datatype) {
    const QuietErrors quiet;
    MPI_Count bytes = 0;
    if (count > 0 && position >= 0 && position <= size && PMPI_Type_size_x(datatype, &bytes) == MPI_SUCCESS &&
        bytes > 0 && count <= (size - position) / bytes) {
        used.add(role, buffer, bytes * count, MPI_BYTE, position);
    }
}

/// `blocks` of the same length, one behind the other.
void add_equal(UsedBuffers& used, BufferRole role, const void* buffer, std::size_t blocks, MPI_Count count,
               MPI_Datatype datatype) {
    MPI_Count all = 0;
    if (count > 0 && !__builtin_mul_overflow(count, static_cast<MPI_Count>(blocks), &all)) {
        used.add(role, buffer, all, datatype);
    }
}

/// Those of which `there(i)` is true; displacements count elements.
template <typename There>
void add_blocks(UsedBuffers& used, BufferRole role, const void* buffer, std::size_t blocks, Counts counts,
                Displacements displacements, MPI_Datatype datatype, There&& there) {
    if (counts.null() || displacements.null()) {
        return;
    }
    for (std::size_t i = 0; i < blocks; ++i) {
        if (counts[i] <= 0 || !there(i)) {
            continue;
        }
        const Element* element = used.layer().elements.of(datatype);
        std::int64_t offset = 0;
        if (element != nullptr &&
            !__builtin_mul_overflow(element->extent, static_cast<std::int64_t>(displacements[i]), &offset)) {
            used.add(role, buffer, counts[i], datatype, offset);
        }
    }
}

/// Likewise; displacements count bytes, and each block has its own datatype.
template <typename There>
void add_typed_blocks(UsedBuffers& used, BufferRole role, const void* buffer, std::size_t blocks, Counts counts,
                      Displacements displacements, const MPI_Datatype* datatypes, There&& there) {
    if (counts.null() || displacements.null() || datatypes == nullptr) {
        return;
    }
    for (std::size_t i = 0; i < blocks; ++i) {
        if (counts[i] > 0 && there(i)) {
            used.add(role, buffer, counts[i], datatypes[i], displacements[i]);
        }
    }
}

/// The arrays that say where the blocks of a buffer lie. (Those of datatypes are copies of the bindings' in Fortran.)
void add_arrays(UsedBuffers& used, std::size_t blocks, const char* counts_name, Counts counts, const char* displs_name,
                Displacements displacements) {
    if (!counts.null() && !displacements.null()) {
        used.add_array(counts_name, counts.address(), counts.bytes(blocks));
        used.add_array(displs_name, displacements.address(), displacements.bytes(blocks));
    }
}

constexpr auto everyone = [](std::size_t /*i*/) { return true; };

/// Neighbours that are there.
auto present(const std::vector<int>& neighbours) {
    return [&neighbours](std::size_t i) { return neighbours[i] >= 0; };
}

void add_equal_of_neighbours(UsedBuffers& used, BufferRole role, const void* buffer, const std::vector<int>& neighbours,
                             MPI_Count count, MPI_Datatype datatype) {
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (neighbours[i] >= 0) {
            add_nth(used, role, buffer, i, count, datatype);
        }
    }
}

const Neighbours* neighbours(const UsedBuffers& used, MPI_Comm comm) {
    Communicator* communicator = known(used, comm);
    return communicator == nullptr ? nullptr : neighbours_of(*communicator);
}

/// What a rank sends in a collective, unless it lies where it is received.
void add_sent(UsedBuffers& used, const void* sendbuf, MPI_Count count, MPI_Datatype datatype) {
    used.add(BufferRole::send, sendbuf, count, datatype);
}

void add_received(UsedBuffers& used, void* recvbuf, MPI_Count count, MPI_Datatype datatype) {
    used.add(BufferRole::receive, recvbuf, count, datatype);
}

void add_partitions(UsedBuffers& used, BufferRole role, const void* buf, int partitions, MPI_Count count,
                    MPI_Datatype datatype, int peer) {
    if (peer == MPI_PROC_NULL || partitions <= 0) {
        return;
    }
    // Those of a send are the program's until they are ready, those of a receive once they have arrived, each by
    // itself: from the last to the first, for what follows each other is taken for one buffer.
    constexpr int most_apart = 1024;
    if (partitions > most_apart) {
        add_equal(used, role, buf, static_cast<std::size_t>(partitions), count, datatype);
        return;
    }
    for (int i = partitions - 1; i >= 0; --i) {
        add_nth(used, role, buf, static_cast<std::size_t>(i), count, datatype);
    }
}

}  // namespace

void partitioned_send(UsedBuffers& used, const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                      int dest, int /*tag*/, MPI_Comm /*comm*/) {
    add_partitions(used, BufferRole::send, buf, partitions, count, datatype, dest);
}

void partitioned_receive(UsedBuffers& used, void* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                         int source, int /*tag*/, MPI_Comm /*comm*/) {
    add_partitions(used, BufferRole::receive, buf, partitions, count, datatype, source);
}

void bcast(UsedBuffers& used, void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    const Part part = communicator == nullptr ? Part::bystander : part_of(*communicator, root);
    if (part != Part::bystander) {
        used.add(part == Part::root ? BufferRole::send : BufferRole::receive, buffer, count, datatype);
    }
}

void gather(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr) {
        return;
    }
    const Part part = part_of(*communicator, root);
    if (has_own_block(*communicator, part)) {
        add_sent(used, sendbuf, sendcount, sendtype);
    }
    if (part == Part::root) {
        add_equal(used, BufferRole::receive, recvbuf, communicator->peers.size(), recvcount, recvtype);
    }
}

void gatherv(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             Counts recvcounts, Displacements displs, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr) {
        return;
    }
    const Part part = part_of(*communicator, root);
    if (has_own_block(*communicator, part)) {
        add_sent(used, sendbuf, sendcount, sendtype);
    }
    if (part == Part::root) {
        add_blocks(used, BufferRole::receive, recvbuf, communicator->peers.size(), recvcounts, displs, recvtype,
                   everyone);
        add_arrays(used, communicator->peers.size(), "recvcounts", recvcounts, "displs", displs);
    }
}

void scatter(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr) {
        return;
    }
    const Part part = part_of(*communicator, root);
    if (part == Part::root) {
        add_equal(used, BufferRole::send, sendbuf, communicator->peers.size(), sendcount, sendtype);
    }
    if (has_own_block(*communicator, part)) {
        add_received(used, recvbuf, recvcount, recvtype);
    }
}

void scatterv(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements displs, MPI_Datatype sendtype,
              void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr) {
        return;
    }
    const Part part = part_of(*communicator, root);
    if (part == Part::root) {
        add_blocks(used, BufferRole::send, sendbuf, communicator->peers.size(), sendcounts, displs, sendtype, everyone);
    }
    if (has_own_block(*communicator, part)) {
        add_received(used, recvbuf, recvcount, recvtype);
    }
    if (part == Part::root) {
        add_arrays(used, communicator->peers.size(), "sendcounts", sendcounts, "displs", displs);
    }
}

void allgather(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (const Communicator* communicator = known(used, comm)) {
        add_sent(used, sendbuf, sendcount, sendtype);
        add_equal(used, BufferRole::receive, recvbuf, communicator->peers.size(), recvcount, recvtype);
    }
}

void allgatherv(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                Counts recvcounts, Displacements displs, MPI_Datatype recvtype, MPI_Comm comm) {
    if (const Communicator* communicator = known(used, comm)) {
        add_sent(used, sendbuf, sendcount, sendtype);
        add_blocks(used, BufferRole::receive, recvbuf, communicator->peers.size(), recvcounts, displs, recvtype,
                   everyone);
        add_arrays(used, communicator->peers.size(), "recvcounts", recvcounts, "displs", displs);
    }
}

void alltoall(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (const Communicator* communicator = known(used, comm)) {
        add_equal(used, BufferRole::send, sendbuf, communicator->peers.size(), sendcount, sendtype);
        add_equal(used, BufferRole::receive, recvbuf, communicator->peers.size(), recvcount, recvtype);
    }
}

void alltoallv(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements sdispls, MPI_Datatype sendtype,
               void* recvbuf, Counts recvcounts, Displacements rdispls, MPI_Datatype recvtype, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr) {
        return;
    }
    if (sendbuf != MPI_IN_PLACE) {
        add_blocks(used, BufferRole::send, sendbuf, communicator->peers.size(), sendcounts, sdispls, sendtype,
                   everyone);
    }
    add_blocks(used, BufferRole::receive, recvbuf, communicator->peers.size(), recvcounts, rdispls, recvtype, everyone);
    if (sendbuf != MPI_IN_PLACE) {
        add_arrays(used, communicator->peers.size(), "sendcounts", sendcounts, "sdispls", sdispls);
    }
    add_arrays(used, communicator->peers.size(), "recvcounts", recvcounts, "rdispls", rdispls);
}

void alltoallw(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements sdispls,
               const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
               const MPI_Datatype* recvtypes, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr) {
        return;
    }
    if (sendbuf != MPI_IN_PLACE) {
        add_typed_blocks(used, BufferRole::send, sendbuf, communicator->peers.size(), sendcounts, sdispls, sendtypes,
                         everyone);
    }
    add_typed_blocks(used, BufferRole::receive, recvbuf, communicator->peers.size(), recvcounts, rdispls, recvtypes,
                     everyone);
    if (sendbuf != MPI_IN_PLACE) {
        add_arrays(used, communicator->peers.size(), "sendcounts", sendcounts, "sdispls", sdispls);
    }
    add_arrays(used, communicator->peers.size(), "recvcounts", recvcounts, "rdispls", rdispls);
}

void reduce_local(UsedBuffers& used, const void* inbuf, const void* inoutbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op /*op*/) {
    used.add(BufferRole::send, inbuf, count, datatype);
    used.add(BufferRole::receive, inoutbuf, count, datatype);
}

void pack(UsedBuffers& used, const void* inbuf, MPI_Count incount, MPI_Datatype datatype, const void* outbuf,
          MPI_Count outsize, MPI_Count position) {
    used.add(BufferRole::send, inbuf, incount, datatype);
    add_packed(used, BufferRole::receive, outbuf, outsize, position, incount, datatype);
}

void unpack(UsedBuffers& used, const void* inbuf, MPI_Count insize, MPI_Count position, const void* outbuf,
            MPI_Count outcount, MPI_Datatype datatype) {
    add_packed(used, BufferRole::send, inbuf, insize, position, outcount, datatype);
    used.add(BufferRole::receive, outbuf, outcount, datatype);
}

void reduce(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
            MPI_Op /*op*/, int root, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr) {
        return;
    }
    const Part part = part_of(*communicator, root);
    if (has_own_block(*communicator, part)) {
        add_sent(used, sendbuf, count, datatype);
    }
    if (part == Part::root) {
        add_received(used, recvbuf, count, datatype);
    }
}

void allreduce(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
               MPI_Op /*op*/, MPI_Comm comm) {
    if (known(used, comm) != nullptr) {
        add_sent(used, sendbuf, count, datatype);
        add_received(used, recvbuf, count, datatype);
    }
}

void reduce_scatter(UsedBuffers& used, const void* sendbuf, void* recvbuf, Counts recvcounts, MPI_Datatype datatype,
                    MPI_Op /*op*/, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr || recvcounts.null()) {
        return;
    }
    MPI_Count sum = 0;
    for (std::size_t i = 0; i < communicator->members.size(); ++i) {
        if (recvcounts[i] < 0 || __builtin_add_overflow(sum, recvcounts[i], &sum)) {
            return;
        }
    }
    if (sendbuf == MPI_IN_PLACE) {
        used.set_in_place();
        sendbuf = recvbuf;
    }
    add_sent(used, sendbuf, sum, datatype);
    add_received(used, recvbuf, recvcounts[static_cast<std::size_t>(communicator->rank)], datatype);
    used.add_array("recvcounts", recvcounts.address(), recvcounts.bytes(communicator->members.size()));
}

void reduce_scatter_block(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                          MPI_Datatype datatype, MPI_Op /*op*/, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr) {
        return;
    }
    if (sendbuf == MPI_IN_PLACE) {
        used.set_in_place();
        sendbuf = recvbuf;
    }
    add_equal(used, BufferRole::send, sendbuf, communicator->members.size(), recvcount, datatype);
    add_received(used, recvbuf, recvcount, datatype);
}

void scan(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
          MPI_Comm comm) {
    allreduce(used, sendbuf, recvbuf, count, datatype, op, comm);
}

void exscan(UsedBuffers& used, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
            MPI_Op /*op*/, MPI_Comm comm) {
    const Communicator* communicator = known(used, comm);
    if (communicator == nullptr) {
        return;
    }
    add_sent(used, sendbuf, count, datatype);
    if (communicator->rank != 0 || sendbuf == MPI_IN_PLACE) {  // the first one receives nothing
        add_received(used, recvbuf, count, datatype);
    }
}

void neighbor_allgather(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (const Neighbours* all = neighbours(used, comm)) {
        add_sent(used, sendbuf, sendcount, sendtype);
        add_equal_of_neighbours(used, BufferRole::receive, recvbuf, all->in, recvcount, recvtype);
    }
}

void neighbor_allgatherv(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                         void* recvbuf, Counts recvcounts, Displacements displs, MPI_Datatype recvtype, MPI_Comm comm) {
    if (const Neighbours* all = neighbours(used, comm)) {
        add_sent(used, sendbuf, sendcount, sendtype);
        add_blocks(used, BufferRole::receive, recvbuf, all->in.size(), recvcounts, displs, recvtype, present(all->in));
        add_arrays(used, all->in.size(), "recvcounts", recvcounts, "displs", displs);
    }
}

void neighbor_alltoall(UsedBuffers& used, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (const Neighbours* all = neighbours(used, comm)) {
        add_equal_of_neighbours(used, BufferRole::send, sendbuf, all->out, sendcount, sendtype);
        add_equal_of_neighbours(used, BufferRole::receive, recvbuf, all->in, recvcount, recvtype);
    }
}

void neighbor_alltoallv(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements sdispls,
                        MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Displacements rdispls,
                        MPI_Datatype recvtype, MPI_Comm comm) {
    if (const Neighbours* all = neighbours(used, comm)) {
        add_blocks(used, BufferRole::send, sendbuf, all->out.size(), sendcounts, sdispls, sendtype, present(all->out));
        add_blocks(used, BufferRole::receive, recvbuf, all->in.size(), recvcounts, rdispls, recvtype, present(all->in));
        add_arrays(used, all->out.size(), "sendcounts", sendcounts, "sdispls", sdispls);
        add_arrays(used, all->in.size(), "recvcounts", recvcounts, "rdispls", rdispls);
    }
}

void neighbor_alltoallw(UsedBuffers& used, const void* sendbuf, Counts sendcounts, Displacements sdispls,
                        const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
                        const MPI_Datatype* recvtypes, MPI_Comm comm) {
    if (const Neighbours* all = neighbours(used, comm)) {
        add_typed_blocks(used, BufferRole::send, sendbuf, all->out.size(), sendcounts, sdispls, sendtypes,
                         present(all->out));
        add_typed_blocks(used, BufferRole::receive, recvbuf, all->in.size(), recvcounts, rdispls, recvtypes,
                         present(all->in));
        add_arrays(used, all->out.size(), "sendcounts", sendcounts, "sdispls", sdispls);
        add_arrays(used, all->in.size(), "recvcounts", recvcounts, "rdispls", rdispls);
    }
}

}  // namespace dampi::piggyback::buffers
