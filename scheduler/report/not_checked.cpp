#include "scheduler/report/not_checked.hpp"

#include "scheduler/sweep/touches.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace dampi::scheduler {

namespace {

struct Unchecked {
    std::string_view what;
    std::vector<std::string_view> needed;  ///< functions that begin so are needed to get there
    bool can = false;                      ///< if without them
};

bool uses(const launch::Program& program, std::string_view beginning) {
    return std::any_of(program.mpi_functions.begin(), program.mpi_functions.end(),
                       [&](const std::string& function) { return function.starts_with(beginning); });
}

}  // namespace

std::vector<std::string> not_checked(const launch::Program& program, bool checks_buffers) {
    const std::array all{
        Unchecked{
            "some datatypes of collectives with a count per rank or neighbour",
            {"MPI_Allgatherv", "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Gatherv", "MPI_Scatterv", "MPI_Iallgatherv",
             "MPI_Ialltoallv", "MPI_Ialltoallw", "MPI_Igatherv", "MPI_Iscatterv", "MPI_Neighbor_", "MPI_Ineighbor_"}},
        Unchecked{"datatypes of partitioned transfers", {"MPI_Psend_init", "MPI_Precv_init"}},
        Unchecked{program.thread_sanitized ? "loads and stores in buffers by what was built without ThreadSanitizer"
                  : checks_buffers         ? "loads and stores in some buffers"
                                           : "loads and most stores in buffers",
                  {"MPI_Init_thread", "MPI_Win_"},
                  may_leave_pending(program)},
        Unchecked{program.thread_sanitized || checks_buffers
                      ? "windows' own loads and stores that messages or locks may order"
                      : "windows' own loads and stores",
                  {"MPI_Win_allocate", "MPI_Win_fence", "MPI_Win_lock", "MPI_Win_post", "MPI_Win_start"}},
        Unchecked{"accesses to files", {"MPI_File_open"}},
    };
    std::vector<std::string> result;
    for (const Unchecked& each : all) {
        if (each.can || program.mpi_at_run_time ||
            std::any_of(each.needed.begin(), each.needed.end(),
                        [&](std::string_view beginning) { return uses(program, beginning); })) {
            result.emplace_back(each.what);
        }
    }
    return result;
}

}  // namespace dampi::scheduler
