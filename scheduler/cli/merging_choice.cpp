#include "scheduler/cli/merging_choice.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace dampi::scheduler {
namespace {

/// What comes of them, or what is said of them, depends on more than the state in which they are called: on what was
/// known when, or on how often something else was answered before.
constexpr std::array judged_by_history = std::to_array<std::string_view>({
    "MPI_Bsend",
    "MPI_Bsend_init",
    "MPI_Buffer_attach",
    "MPI_Buffer_detach",
    "MPI_Cancel",
    "MPI_Ibsend",
    "MPI_Improbe",
    "MPI_Iprobe",
    "MPI_Irsend",
    "MPI_Mprobe",
    "MPI_Pcontrol",
    "MPI_Request_free",
    "MPI_Request_get_status",
    "MPI_Rsend",
    "MPI_Rsend_init",
    "MPI_Test",
    "MPI_Testall",
    "MPI_Testany",
    "MPI_Testsome",
});

/// Whether it is that function, as Fortran spells it or with large counts.
bool is_function(std::string_view one, std::string_view other) {
    if (one.ends_with("_c")) {
        one.remove_suffix(2);
    }
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

}  // namespace

std::optional<std::string> obstacle_to_merging(const Options& options, const launch::Program& program) {
    if (options.engine != replay::EngineKind::central) {
        return "the MPI library's part of them cannot be seen (--engine central is needed)";
    }
    if (options.workers) {
        return "a worker knows nothing of the states of others (--workers)";
    }
    if (!options.hosts.empty()) {
        return "states of ranks on several hosts are not compared (--hosts)";
    }
    if (options.protocol() != clocks::Protocol::vector) {
        return "that needs vector clocks";
    }
    if (options.bounds != heuristics::SearchBoundSettings{} || options.explore_polls.value_or(0) != 0 ||
        options.sample.value_or(0) != 0) {
        return "bounds of the search, samples and --explore-polls go by what came before";
    }
    if (!options.prepare || options.fresh_directory || options.launcher) {
        return "each process is executed anew";
    }
    if (options.snapshots == SnapshotUse::always) {
        return "of ranks that were copied nobody can say in which state they are (--snapshots always)";
    }
    if (std::any_of(options.buffering.begin(), options.buffering.end(),
                    [](const replay::Buffering& each) { return each.counts_bytes(); })) {
        return "the room of buffers goes by what came before";
    }
    for (const std::string& function : program.mpi_functions) {
        for (const std::string_view name : judged_by_history) {
            if (is_function(function, name)) {
                return "it uses " + std::string(name);
            }
        }
    }
    if (options.virtual_time.value_or(false)) {
        return "time is virtual";
    }
    const std::string outside = launch::reaches_outside(program);
    return outside.empty() ? std::nullopt : std::optional(outside);
}

bool printed_tells(const launch::Program& program) {
    constexpr std::array others = std::to_array<std::string_view>({"MPI_Wtime", "MPI_Wtick", "MPI_Get_processor_name"});
    const auto uses = [&](const auto& names) {
        return std::any_of(program.mpi_functions.begin(), program.mpi_functions.end(),
                           [&](const std::string& function) {
                               return std::any_of(names.begin(), names.end(),
                                                  [&](std::string_view name) { return is_function(function, name); });
                           });
    };
    return !uses(judged_by_history) && !uses(others) && launch::reaches_outside(program).empty();
}

}  // namespace dampi::scheduler
