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
// Without UCX_SYSV_RX_BUFS_GROW each rank makes 512 receive buffers of a page or two in shared memory and touches them
// all, though 65 are in use. With 128 at a time it has 690 page faults instead of 1070. One interleaving of
// tests/bench/programs/trivial.c with 4 ranks, verdict included (medians of 8 rounds in turns, on a busy machine with
// nice -15, wall / CPU ms; all with the three settings above):
//
//   mpiexec, nothing set, without dampi                        239 / 235
//   nothing more set, ranks executed                            65 / 53
//   UCX_SYSV_RX_BUFS_GROW=128, ranks executed                   49 / 46
//   the same, ranks forked (prepared_program.hpp)               45 / 34
//
// The number of sends that complete unreceived (64 of up to 8000 bytes while the receiver is outside MPI, 100,000 while
// it looks for progress) and the bandwidth stay the same.
//
// Ping-pong of 2 ranks, nothing set against MPIR_CVAR_NOLOCAL and UCX_TLS=self,sysv (one run each; HWLOC_COMPONENTS
// alone changed nothing): 0.32 and 0.37 us at 8 bytes, 0.35 and 0.43 us at 64 bytes, 1.07 and 1.01 us at 4 KiB; 10.5
// and 12.2 GB/s at 256 KiB, 11.2 and 13.1 GB/s at 2 MiB. The largest send that completes unreceived stays at 8192
// bytes; the number of 8-byte sends that complete unreceived falls from 63 to 43. With all three settings, sums of
// doubles by Reduce, Allreduce, Iallreduce, Scan and Reduce_scatter_block were the same to the bit with 2 to 5 ranks.
//
// Which standard-mode sends complete while no receive is posted (found by bisection, the receiver looking for progress
// meanwhile; with MPICH's own transports and with UCX_TLS=self,sysv the same; contiguous and strided data the same):
//
//   UCX_RNDV_THRESH     to another rank     to itself
//   not set, auto       up to 8255 bytes    up to 8191 bytes
//   T                   up to T - 1         up to T - 1 (with 0 not even an empty one)
//   inf                 of any size         of any size
//
// On a communicator of one process no send completes before its receive, whatever its size and the setting. So the
// threshold that is set here is the one between two ranks; a message to itself of 8192 to 8255 bytes is then buffered,
// where the library by itself would let it wait.
//
// Left out: small UCX_SYSV_FIFO_SIZE and UCX_SYSV_SEG_SIZE save another 4 ms of CPU time, but divide the bandwidth by
// five and make sends above 1.5 KiB wait for their receive, so that programs would deadlock that natively do
// not; UCX_RCACHE_ENABLE=n saves nothing where UCX_TLS is set.
#include "launch/transport.hpp"

#include "launch/program/preload.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

constexpr const char* rendezvous_variable = "UCX_RNDV_THRESH";
constexpr const char* transports_variable = "UCX_TLS";
constexpr const char* system_v_alone = "self,sysv";
constexpr const char* eager_variable = "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE";
constexpr std::uint64_t default_rendezvous_threshold = 8256;

/// What UCX makes of a number of bytes: "8256", "64k", "1mb". Nothing for other words ("auto"), and for "inf".
std::optional<std::uint64_t> bytes_of(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) {
        return std::nullopt;
    }
    std::string unit(end, text.data() + text.size());
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
    if (unit.size() == 2 && unit[1] == 'b') {
        unit.pop_back();
    }
    if (unit.empty() || unit == "b") {
        return number;
    }
    const std::size_t power = std::string_view("kmg").find(unit);
    if (unit.size() != 1 || power == std::string_view::npos) {
        return std::nullopt;
    }
    const unsigned shift = 10 * (static_cast<unsigned>(power) + 1);
    return number <= (replay::no_rendezvous >> shift) ? std::optional(number << shift) : std::nullopt;
}

/// The largest packet that the patched MPICH sends without asking, for messages below the threshold to be such: with
/// room for the packet's header. What is larger the layer sends in the synchronous mode.
std::uint64_t eager_limit(std::uint64_t threshold) {
    constexpr std::uint64_t header = 256;
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    return threshold >= most - header ? most : threshold + header;
}

/// Whether System V shared memory can be had: a container may forbid it.
bool system_v_memory_works() {
    const int id = ::shmget(IPC_PRIVATE, std::size_t{4} << 20, IPC_CREAT | 0600);
    if (id < 0) {
        return false;
    }
    void* const memory = ::shmat(id, nullptr, 0);
    ::shmctl(id, IPC_RMID, nullptr);
    if (memory == reinterpret_cast<void*>(-1)) {
        return false;
    }
    ::shmdt(memory);
    return true;
}

/// Names of variables that the ranks have by the user's will.
std::vector<std::string> users_variables(const std::vector<std::pair<std::string, std::string>>& chosen) {
    std::vector<std::string> names;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        names.emplace_back(text.substr(0, text.find('=')));
    }
    for (const auto& setting : chosen) {
        names.push_back(setting.first);
    }
    return names;
}

bool is_about_ucx(const std::string& variable) { return variable.find("UCX_") != std::string::npos; }

/// MPICH 4.0 moves all that windows need by messages, which their targets take in calls of their own, whatever the
/// transports are and whoever shares a node (tests/unit/launch, JobTest.NothingComesToAWindowWhileItsOwnerIsAway). Of
/// others nothing of that is known.
bool windows_are_by_messages(const Program& program) { return program.mpich_version.starts_with("4.0."); }
constexpr const char* windows_may_be_direct = "this MPICH may let ranks of a node access windows directly";

bool chooses_transports(const std::vector<TransportChoice>& choices) {
    return std::any_of(choices.begin(), choices.end(), [](const TransportChoice& choice) {
        return choice.name == transports_variable && !choice.value.empty();
    });
}

}  // namespace

std::vector<TransportChoice> transport_choices(const Program& program,
                                               const std::vector<std::pair<std::string, std::string>>& chosen,
                                               bool patched) {
    const std::vector<std::string> names = users_variables(chosen);
    const auto user_set = [&](std::string_view part) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return name.find(part) != std::string::npos; });
    };
    const auto choose = [](const char* name, const char* value, const char* why, const char* why_not) {
        return why_not == nullptr ? TransportChoice{name, value, why} : TransportChoice{name, "", why_not};
    };
    std::vector<TransportChoice> choices;
    if (program.thread_sanitized) {
        choices.push_back(choose("UCX_MEM_EVENTS", "n", "ThreadSanitizer cannot bear UCX's hooks in memory's functions",
                                 user_set("UCX_MEM_EVENTS") ? "it is set" : nullptr));
    }
    if (patched) {
        for (const char* name :
             {"MPIR_CVAR_CH3_RMA_OP_GLOBAL_POOL_SIZE", "MPIR_CVAR_CH3_RMA_TARGET_GLOBAL_POOL_SIZE"}) {
            choices.push_back(choose(name, "256", "no larger pool for one-sided calls than starts at once",
                                     user_set(name) ? "it is set" : nullptr));
        }
        return choices;
    }
    const char* needs_node = program.observes_node ? "the program can see which ranks share a node"
                             : program.has_windows && !windows_are_by_messages(program) ? windows_may_be_direct
                                                                                        : nullptr;

    // MPICH reads the machine's whole topology in each rank and uses it for process groups by hardware and for
    // topology-aware trees, which are off by default.
    choices.push_back(choose("HWLOC_COMPONENTS", "no_os,stop", "no rank reads the machine's topology",
                             program.observes_topology ? "the program can see the machine's topology"
                             : user_set("HWLOC_")      ? "HWLOC_ variables are set"
                                                       : nullptr));
    // Half of the start-up is a barrier in shared memory that spins without yielding. Without "local" ranks there
    // is no such barrier, but MPI_Comm_split_type(SHARED) makes groups of one, and MPI_Win_allocate_shared fails.
    // Point-to-point messages go through UCX either way.
    choices.push_back(choose("MPIR_CVAR_NOLOCAL", "1", "no start-up barrier that spins",
                             needs_node != nullptr ? needs_node
                             : user_set("NOLOCAL") || user_set("NO_LOCAL") || user_set("CLIQUES")
                                 ? "variables about local ranks are set"
                                 : nullptr));
    // Fewer transports to open. UCX marks its segments for removal at once, so killed ranks leave none behind.
    const char* not_sysv = needs_node != nullptr      ? needs_node
                           : user_set("UCX_")         ? "UCX_ variables are set"
                           : !system_v_memory_works() ? "the system refuses System V shared memory"
                                                      : nullptr;
    choices.push_back(choose(transports_variable, system_v_alone, "the transport that starts fastest", not_sysv));
    // With its cache of registrations MPICH's own UCX gives wrong results: of windows whose memory is not aligned to 16
    // bytes, MPI_Win_allocate's among them, nothing arrives; and a window that is never freed ends MPI_Finalize.
    if (program.observes_node || program.has_windows) {
        choices.push_back(choose("UCX_RCACHE_ENABLE", "n", "one-sided calls go wrong with the cache of registrations",
                                 user_set("UCX_RCACHE") ? "it is set" : nullptr));
    }
    // Buffers for messages that come are made, and their pages touched, so many at a time; 65 are needed at once.
    choices.push_back(choose("UCX_SYSV_RX_BUFS_GROW", "128", "no more receive buffers than are needed", not_sysv));
    return choices;
}

TransportChoice choice_for_ranks_alone(const std::vector<std::pair<std::string, std::string>>& chosen) {
    const std::vector<std::string> names = users_variables(chosen);
    if (std::find(names.begin(), names.end(), ucx_modules_variable) != names.end()) {
        return {ucx_modules_variable, "", "it is set"};
    }
    return {ucx_modules_variable, no_ucx_modules, "no transports to other machines are loaded"};
}

TransportChoice choice_for_closed_memory(const std::vector<TransportChoice>& choices,
                                         const std::vector<std::pair<std::string, std::string>>& chosen) {
    const std::vector<std::string> names = users_variables(chosen);
    if (chooses_transports(choices) || std::find(names.begin(), names.end(), transports_variable) != names.end()) {
        return {transports_variable, "", "it is set"};
    }
    return {transports_variable, "^cma,knem,xpmem", "no rank has the system copy from another one's memory"};
}

// With MPICH 4.0.2 accesses hang where only those are left out by which the system copies ("^cma,knem,xpmem").
TransportChoice choice_for_accesses_by_messages(const Program& program, const std::vector<TransportChoice>& choices,
                                                const std::vector<std::pair<std::string, std::string>>& chosen) {
    const std::vector<std::string> names = users_variables(chosen);
    if (!chooses_transports(choices) && std::any_of(names.begin(), names.end(), is_about_ucx)) {
        return {transports_variable, "", "it is set"};
    }
    if (!windows_are_by_messages(program)) {
        return {transports_variable, "", windows_may_be_direct};
    }
    if (!system_v_memory_works()) {
        return {transports_variable, "", "the system refuses System V shared memory"};
    }
    return {transports_variable, system_v_alone, "accesses to windows are messages"};
}

std::vector<std::pair<std::string, std::string>> transport_environment(const std::vector<TransportChoice>& choices) {
    std::vector<std::pair<std::string, std::string>> settings;
    for (const TransportChoice& choice : choices) {
        if (!choice.value.empty()) {
            settings.emplace_back(choice.name, choice.value);
        }
    }
    return settings;
}

Rendezvous rendezvous_for(replay::Buffering buffering, const std::vector<std::pair<std::string, std::string>>& chosen,
                          bool patched) {
    if (patched) {
        const std::uint64_t threshold = rendezvous_for(buffering, chosen, false).threshold;
        return {.settings = {{eager_variable, std::to_string(eager_limit(threshold))}}, .threshold = threshold};
    }
    if (buffering == replay::Buffering::infinite) {
        return {.settings = {{rendezvous_variable, "inf"}}, .threshold = replay::no_rendezvous};
    }
    const char* users = std::getenv(rendezvous_variable);
    for (const auto& [name, value] : chosen) {
        if (name == rendezvous_variable) {
            users = value.c_str();
        }
    }
    if (users != nullptr) {
        return {.settings = {}, .threshold = bytes_of(users).value_or(replay::no_rendezvous)};
    }
    return {.settings = {{rendezvous_variable, std::to_string(default_rendezvous_threshold)}},
            .threshold = default_rendezvous_threshold};
}

}  // namespace dampi::launch
