#include "launch/program_snapshot.hpp"

#include <fstream>
#include <utility>

#include <unistd.h>

namespace dampi::launch {
namespace {

/// Resident pages that are not of a file or shared memory.
std::uint64_t private_memory(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    std::uint64_t shared = 0;
    file >> size >> resident >> shared;
    return resident < shared ? 0 : (resident - shared) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

ProgramSnapshot::ProgramSnapshot(std::vector<Holder> holders, Written written)
    : holders_(std::move(holders)), written_(std::move(written)) {
    for (const Holder& holder : holders_) {
        memory_ += private_memory(holder.process);
    }
}

ProgramSnapshot::~ProgramSnapshot() {
    for (const Holder& holder : holders_) {
        guard_.forget(holder.process);  // it is the only one of its group
        kill_and_reap(holder.process);
    }
}

std::optional<pid_t> ProgramSnapshot::start_rank(base::Rank rank, const ForkRequest& request) {
    const std::lock_guard lock(mutex_);
    DAMPI_CHECK(rank >= 0 && static_cast<std::size_t>(rank) < holders_.size());
    const Holder& holder = holders_[static_cast<std::size_t>(rank)];
    return fork_rank(holder.process, holder.socket.get(), guard_, request);
}

}  // namespace dampi::launch
