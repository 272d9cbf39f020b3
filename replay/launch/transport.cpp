// What was measured (Debian 12's MPICH 4.0.2, ch4:ucx; MPI_Init and MPI_Finalize with 4 ranks on 2 cores; medians of
// 12 runs, wall time / CPU time of the job in ms; the first line by mpiexec, the others by Job):
//
//   mpiexec                                                    140 / 252
//   nothing set                                                130 / 242
//   HWLOC_COMPONENTS=no_os,stop                                 84 / 157
//   MPIR_CVAR_NOLOCAL=1                                         70 / 120
//   HWLOC_COMPONENTS, MPIR_CVAR_NOLOCAL                         26 / 44
//   HWLOC_COMPONENTS, UCX_TLS=self,sysv                         64 / 119
//   HWLOC_COMPONENTS, MPIR_CVAR_NOLOCAL, UCX_TLS=self,sysv      18 / 31
//
// Ping-pong of 2 ranks, nothing set against MPIR_CVAR_NOLOCAL and UCX_TLS=self,sysv (one run each; HWLOC_COMPONENTS
// alone changed nothing): 0.32 and 0.37 us at 8 bytes, 0.35 and 0.43 us at 64 bytes, 1.07 and 1.01 us at 4 KiB; 10.5
// and 12.2 GB/s at 256 KiB, 11.2 and 13.1 GB/s at 2 MiB. The largest send that completes unreceived stays at 8192
// bytes; the number of 8-byte sends that complete unreceived falls from 63 to 43. With all three settings, sums of
// doubles by Reduce, Allreduce, Iallreduce, Scan and Reduce_scatter_block were the same to the bit with 2 to 5 ranks.
//
// Left out: small UCX_SYSV_FIFO_SIZE and UCX_SYSV_SEG_SIZE save another 4 ms of CPU time, but divide the bandwidth by
// five and make sends above 1.5 KiB wait for their receive, so that programs would deadlock that natively do
// not; UCX_RCACHE_ENABLE=n saves nothing where UCX_TLS is set.
#include "replay/launch/transport.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

namespace dampi::replay {
namespace {

/// Whether System V shared memory can be had: a container may forbid it.
bool system_v_memory_works() {
    const int id = ::shmget(IPC_PRIVATE, std::size_t{4} << 20, IPC_CREAT | 0600);
    if (id < 0) return false;
    void* const memory = ::shmat(id, nullptr, 0);
    ::shmctl(id, IPC_RMID, nullptr);
    if (memory == reinterpret_cast<void*>(-1)) return false;
    ::shmdt(memory);
    return true;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> transport_environment(
    const Program& program, const std::vector<std::pair<std::string, std::string>>& chosen) {
    std::vector<std::string> names;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        names.emplace_back(text.substr(0, text.find('=')));
    }
    for (const auto& setting : chosen) names.push_back(setting.first);
    const auto user_set = [&](std::string_view part) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return name.find(part) != std::string::npos; });
    };

    std::vector<std::pair<std::string, std::string>> settings;
    // MPICH reads the machine's whole topology in each rank and uses it for process groups by hardware and for
    // topology-aware trees, which are off by default.
    if (!program.observes_topology && !user_set("HWLOC_")) settings.emplace_back("HWLOC_COMPONENTS", "no_os,stop");
    // Half of the start-up is a barrier in shared memory that spins without yielding. Without "local" ranks there
    // is none, but MPI_Comm_split_type(SHARED) makes groups of one and one-sided calls need the target's help.
    // Point-to-point messages go through UCX either way.
    if (!program.observes_node) {
        if (!user_set("NOLOCAL") && !user_set("NO_LOCAL") && !user_set("CLIQUES")) {
            settings.emplace_back("MPIR_CVAR_NOLOCAL", "1");
        }
        // Fewer transports to open. UCX marks its segments for removal at once, so killed ranks leave none behind.
        if (!user_set("UCX_") && system_v_memory_works()) settings.emplace_back("UCX_TLS", "self,sysv");
    }
    return settings;
}

}  // namespace dampi::replay
