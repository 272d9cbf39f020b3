// The collective operations by number, as ranks publish them beside their clocks (words.hpp): the same
// number in every rank, and a name for each, so that the outside can say which collectives met. Likewise the
// operators of reductions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dampi::transport {

/// X(name, blocking function, nonblocking function, persistent function); an empty name where there is none.
#define DAMPI_COLLECTIVES(X)                                                                                          \
    X(barrier, "MPI_Barrier", "MPI_Ibarrier", "MPI_Barrier_init")                                                     \
    X(bcast, "MPI_Bcast", "MPI_Ibcast", "MPI_Bcast_init")                                                             \
    X(gather, "MPI_Gather", "MPI_Igather", "MPI_Gather_init")                                                         \
    X(gatherv, "MPI_Gatherv", "MPI_Igatherv", "MPI_Gatherv_init")                                                     \
    X(scatter, "MPI_Scatter", "MPI_Iscatter", "MPI_Scatter_init")                                                     \
    X(scatterv, "MPI_Scatterv", "MPI_Iscatterv", "MPI_Scatterv_init")                                                 \
    X(allgather, "MPI_Allgather", "MPI_Iallgather", "MPI_Allgather_init")                                             \
    X(allgatherv, "MPI_Allgatherv", "MPI_Iallgatherv", "MPI_Allgatherv_init")                                         \
    X(alltoall, "MPI_Alltoall", "MPI_Ialltoall", "MPI_Alltoall_init")                                                 \
    X(alltoallv, "MPI_Alltoallv", "MPI_Ialltoallv", "MPI_Alltoallv_init")                                             \
    X(alltoallw, "MPI_Alltoallw", "MPI_Ialltoallw", "MPI_Alltoallw_init")                                             \
    X(reduce, "MPI_Reduce", "MPI_Ireduce", "MPI_Reduce_init")                                                         \
    X(allreduce, "MPI_Allreduce", "MPI_Iallreduce", "MPI_Allreduce_init")                                             \
    X(reduce_scatter, "MPI_Reduce_scatter", "MPI_Ireduce_scatter", "MPI_Reduce_scatter_init")                         \
    X(reduce_scatter_block, "MPI_Reduce_scatter_block", "MPI_Ireduce_scatter_block", "MPI_Reduce_scatter_block_init") \
    X(scan, "MPI_Scan", "MPI_Iscan", "MPI_Scan_init")                                                                 \
    X(exscan, "MPI_Exscan", "MPI_Iexscan", "MPI_Exscan_init")                                                         \
    X(neighbor_allgather, "MPI_Neighbor_allgather", "MPI_Ineighbor_allgather", "MPI_Neighbor_allgather_init")         \
    X(neighbor_allgatherv, "MPI_Neighbor_allgatherv", "MPI_Ineighbor_allgatherv", "MPI_Neighbor_allgatherv_init")     \
    X(neighbor_alltoall, "MPI_Neighbor_alltoall", "MPI_Ineighbor_alltoall", "MPI_Neighbor_alltoall_init")             \
    X(neighbor_alltoallv, "MPI_Neighbor_alltoallv", "MPI_Ineighbor_alltoallv", "MPI_Neighbor_alltoallv_init")         \
    X(neighbor_alltoallw, "MPI_Neighbor_alltoallw", "MPI_Ineighbor_alltoallw", "MPI_Neighbor_alltoallw_init")         \
    X(comm_dup, "MPI_Comm_dup", "MPI_Comm_idup", "")                                                                  \
    X(comm_dup_with_info, "MPI_Comm_dup_with_info", "MPI_Comm_idup_with_info", "")                                    \
    X(comm_create, "MPI_Comm_create", "", "")                                                                         \
    X(comm_create_group, "MPI_Comm_create_group", "", "")                                                             \
    X(comm_split, "MPI_Comm_split", "", "")                                                                           \
    X(comm_split_type, "MPI_Comm_split_type", "", "")                                                                 \
    X(intercomm_create, "MPI_Intercomm_create", "", "")                                                               \
    X(intercomm_merge, "MPI_Intercomm_merge", "", "")                                                                 \
    X(cart_create, "MPI_Cart_create", "", "")                                                                         \
    X(cart_sub, "MPI_Cart_sub", "", "")                                                                               \
    X(graph_create, "MPI_Graph_create", "", "")                                                                       \
    X(dist_graph_create, "MPI_Dist_graph_create", "", "")                                                             \
    X(dist_graph_create_adjacent, "MPI_Dist_graph_create_adjacent", "", "")                                           \
    X(win_create, "MPI_Win_create", "", "")                                                                           \
    X(win_allocate, "MPI_Win_allocate", "", "")                                                                       \
    X(win_allocate_shared, "MPI_Win_allocate_shared", "", "")                                                         \
    X(win_create_dynamic, "MPI_Win_create_dynamic", "", "")                                                           \
    X(win_free, "MPI_Win_free", "", "")                                                                               \
    X(win_fence, "MPI_Win_fence", "", "")                                                                             \
    X(win_set_info, "MPI_Win_set_info", "", "")                                                                       \
    X(file_open, "MPI_File_open", "", "")                                                                             \
    X(file_close, "MPI_File_close", "", "")                                                                           \
    X(file_set_view, "MPI_File_set_view", "", "")                                                                     \
    X(file_set_size, "MPI_File_set_size", "", "")                                                                     \
    X(file_set_info, "MPI_File_set_info", "", "")                                                                     \
    X(file_set_atomicity, "MPI_File_set_atomicity", "", "")                                                           \
    X(file_preallocate, "MPI_File_preallocate", "", "")                                                               \
    X(file_seek_shared, "MPI_File_seek_shared", "", "")                                                               \
    X(file_sync, "MPI_File_sync", "", "")                                                                             \
    X(file_read_all, "MPI_File_read_all", "MPI_File_iread_all", "")                                                   \
    X(file_write_all, "MPI_File_write_all", "MPI_File_iwrite_all", "")                                                \
    X(file_read_at_all, "MPI_File_read_at_all", "MPI_File_iread_at_all", "")                                          \
    X(file_write_at_all, "MPI_File_write_at_all", "MPI_File_iwrite_at_all", "")                                       \
    X(file_read_ordered, "MPI_File_read_ordered", "", "")                                                             \
    X(file_write_ordered, "MPI_File_write_ordered", "", "")                                                           \
    X(file_read_all_begin, "MPI_File_read_all_begin", "", "")                                                         \
    X(file_write_all_begin, "MPI_File_write_all_begin", "", "")                                                       \
    X(file_read_at_all_begin, "MPI_File_read_at_all_begin", "", "")                                                   \
    X(file_write_at_all_begin, "MPI_File_write_at_all_begin", "", "")                                                 \
    X(file_read_ordered_begin, "MPI_File_read_ordered_begin", "", "")                                                 \
    X(file_write_ordered_begin, "MPI_File_write_ordered_begin", "", "")                                               \
    X(file_read_all_end, "MPI_File_read_all_end", "", "")                                                             \
    X(file_write_all_end, "MPI_File_write_all_end", "", "")                                                           \
    X(file_read_at_all_end, "MPI_File_read_at_all_end", "", "")                                                       \
    X(file_write_at_all_end, "MPI_File_write_at_all_end", "", "")                                                     \
    X(file_read_ordered_end, "MPI_File_read_ordered_end", "", "")                                                     \
    X(file_write_ordered_end, "MPI_File_write_ordered_end", "", "")                                                   \
    X(comm_create_from_group, "MPI_Comm_create_from_group", "", "")                                                   \
    X(intercomm_create_from_groups, "MPI_Intercomm_create_from_groups", "", "")                                       \
    X(comm_spawn, "MPI_Comm_spawn", "", "")                                                                           \
    X(comm_spawn_multiple, "MPI_Comm_spawn_multiple", "", "")                                                         \
    X(comm_accept, "MPI_Comm_accept", "", "")                                                                         \
    X(comm_connect, "MPI_Comm_connect", "", "")

enum class Collective : std::uint32_t {
#define DAMPI_ENUMERATOR(name, blocking, nonblocking, persistent) name,
    DAMPI_COLLECTIVES(DAMPI_ENUMERATOR)
#undef DAMPI_ENUMERATOR
};

/// Calls of different forms never match each other.
enum class CollectiveForm : std::uint32_t { blocking, nonblocking, persistent };

/// The number that stands in Contribution::operation.
constexpr std::uint32_t operation_number(Collective collective, CollectiveForm form) {
    return static_cast<std::uint32_t>(collective) * 3 + static_cast<std::uint32_t>(form);
}

constexpr CollectiveForm form_of(std::uint32_t operation) { return static_cast<CollectiveForm>(operation % 3); }

/// The function's name; "an unknown collective" for a number that operation_number() never gives.
constexpr const char* operation_name(std::uint32_t operation) {
    constexpr const char* names[] = {
#define DAMPI_NAMES(name, blocking, nonblocking, persistent) blocking, nonblocking, persistent,
        DAMPI_COLLECTIVES(DAMPI_NAMES)
#undef DAMPI_NAMES
    };
    if (operation >= sizeof names / sizeof names[0] || names[operation][0] == '\0') {
        return "an unknown collective";
    }
    return names[operation];
}

/// Whether both are forms of one collective.
constexpr bool same_collective(std::uint32_t operation, std::uint32_t other) { return operation / 3 == other / 3; }

#define DAMPI_REDUCTIONS(X) \
    X(max, "MPI_MAX")       \
    X(min, "MPI_MIN")       \
    X(sum, "MPI_SUM")       \
    X(prod, "MPI_PROD")     \
    X(land, "MPI_LAND")     \
    X(band, "MPI_BAND")     \
    X(lor, "MPI_LOR")       \
    X(bor, "MPI_BOR")       \
    X(lxor, "MPI_LXOR")     \
    X(bxor, "MPI_BXOR")     \
    X(minloc, "MPI_MINLOC") \
    X(maxloc, "MPI_MAXLOC") \
    X(replace, "MPI_REPLACE")

/// The operator of a reduction as far as ranks can compare it: the predefined ones, and one for all that programs
/// make, since their handles differ between ranks.
enum class Reduction : std::uint32_t {
    unknown,  ///< none, or it need not agree
    user_defined,
#define DAMPI_ENUMERATOR(name, text) name,
    DAMPI_REDUCTIONS(DAMPI_ENUMERATOR)
#undef DAMPI_ENUMERATOR
};

/// The operator's name in MPI; "a user-defined operator", or "an unknown operator" for a number that stands for no
/// operator.
constexpr const char* reduction_name(std::uint32_t reduction) {
    constexpr const char* names[] = {
#define DAMPI_NAMES(name, text) text,
        DAMPI_REDUCTIONS(DAMPI_NAMES)
#undef DAMPI_NAMES
    };
    constexpr auto first_predefined = static_cast<std::uint32_t>(Reduction::user_defined) + 1;
    if (reduction == static_cast<std::uint32_t>(Reduction::user_defined)) {
        return "a user-defined operator";
    }
    if (reduction < first_predefined || reduction - first_predefined >= sizeof names / sizeof names[0]) {
        return "an unknown operator";
    }
    return names[reduction - first_predefined];
}

}  // namespace dampi::transport
