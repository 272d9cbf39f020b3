#include "scheduler/cli/system_limits.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <sys/resource.h>

namespace dampi::scheduler {
namespace {

/// Of virtual memory, for each rank of a run; of which little is used.
constexpr std::uint64_t mapped_for_rank = std::uint64_t{4} << 30U;

/// How many files are open at a time, as measured, with a few more for the ranks, which get theirs under numbers above.
std::uint64_t files_of_runs(const SettledRequest& request, std::uint64_t runs) {
    const auto ranks = static_cast<std::uint64_t>(request.options.processes);
    return request.engine() == replay::EngineKind::central ? 40 + ranks + 3 * ranks * runs : 28 + 2 * ranks * runs;
}

}  // namespace

unsigned runs_within_limits(const SettledRequest& request, unsigned wished, bool may_be_fewer) {
    rlimit memory{};
    if (::getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur < mapped_for_rank) {
        throw Error(
            fmt::format("the limit on virtual memory is {} MiB, and a run maps more than 4 GiB, of which it uses "
                        "little: take it away (ulimit -v unlimited)",
                        memory.rlim_cur >> 20U));
    }
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0) {
        return wished;
    }
    unsigned runs = wished;
    while (runs > 1 && may_be_fewer && files_of_runs(request, runs) > files.rlim_cur) {
        --runs;
    }
    const std::uint64_t needed = files_of_runs(request, runs);
    if (needed > files.rlim_cur) {
        throw Error(
            fmt::format("no more than {} files may be open at a time, and {} of {} processes {} {}: raise the "
                        "limit (ulimit -n {}){}",
                        files.rlim_cur, runs == 1 ? "a run" : fmt::format("{} runs side by side", runs),
                        request.options.processes, runs == 1 ? "needs" : "need", needed, needed,
                        runs == 1 ? "" : ", or let fewer runs go on side by side (-j)"));
    }
    return runs;
}

}  // namespace dampi::scheduler
