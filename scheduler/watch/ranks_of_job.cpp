#include "scheduler/watch/ranks_of_job.hpp"

#include "base/content_of.hpp"
#include "base/parent_of.hpp"
#include "launch/observe/observed_process.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace dampi::scheduler::watch {
namespace {

/// What launchers call a process' rank and their number: PMIx' and Open MPI's own, Hydra's and other PMI servers',
/// Slurm's.
constexpr std::pair<std::string_view, std::string_view> rank_variables[] = {
    {"OMPI_COMM_WORLD_RANK=", "OMPI_COMM_WORLD_SIZE="},
    {"PMIX_RANK=", "PMIX_SIZE="},
    {"PMI_RANK=", "PMI_SIZE="},
    {"SLURM_PROCID=", "SLURM_NTASKS="}};

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    return wrong == std::errc() && end == text.data() + text.size() ? std::optional<int>(value) : std::nullopt;
}

std::optional<std::string_view> value_of(std::string_view environment, std::string_view variable) {
    for (std::size_t at = 0; at < environment.size();) {
        const std::size_t end = std::min(environment.find('\0', at), environment.size());
        const std::string_view entry = environment.substr(at, end - at);
        if (entry.starts_with(variable)) {
            return entry.substr(variable.size());
        }
        at = end + 1;
    }
    return std::nullopt;
}

std::map<pid_t, pid_t> all_processes_with_parents() {
    std::map<pid_t, pid_t> parents;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename();
        if (const auto process = number(name)) {
            parents.emplace(*process, base::parent_of(*process));
        }
    }
    return parents;
}

/// These and all that they have started.
std::set<pid_t> family(const std::vector<pid_t>& roots, const std::map<pid_t, pid_t>& parents) {
    std::set<pid_t> members(roots.begin(), roots.end());
    for (bool grows = true; grows;) {
        grows = false;
        for (const auto& [process, parent] : parents) {
            grows = (members.contains(parent) && members.insert(process).second) || grows;
        }
    }
    return members;
}

struct Candidate {
    RankProcess rank;
    bool uses_mpi = false;
    bool has_rank = false;
};

Candidate look_at(pid_t process) {
    Candidate found{{0, 0, process}, has_loaded(process, "/libmpi"), false};
    const std::string environment = base::content_of("/proc/" + std::to_string(process) + "/environ");
    for (const auto& [rank, size] : rank_variables) {
        const auto word = value_of(environment, rank);
        const auto value = word ? number(*word) : std::nullopt;
        if (value && *value >= 0) {
            found.has_rank = true;
            found.rank.rank = *value;
            const auto size_word = value_of(environment, size);
            found.rank.size = size_word ? number(*size_word).value_or(0) : 0;
            break;
        }
    }
    return found;
}

}  // namespace

bool has_loaded(pid_t process, std::string_view library) {
    return base::content_of("/proc/" + std::to_string(process) + "/maps").find(library) != std::string::npos;
}

std::vector<RankProcess> find_ranks(const std::vector<pid_t>& roots) {
    const std::map<pid_t, pid_t> parents = all_processes_with_parents();
    std::vector<Candidate> candidates;
    for (const pid_t process : family(roots, parents)) {
        if (process == getpid()) {
            continue;
        }
        Candidate candidate = look_at(process);
        if (candidate.has_rank || candidate.uses_mpi) {
            candidates.push_back(candidate);
        }
    }
    const bool any_with_rank = std::any_of(candidates.begin(), candidates.end(),
                                           [](const Candidate& one) { return one.has_rank && one.uses_mpi; });
    const bool any_uses_mpi =
        std::any_of(candidates.begin(), candidates.end(), [](const Candidate& one) { return one.uses_mpi; });
    std::map<int, RankProcess> ranks;
    int unnumbered = 0;
    for (const Candidate& candidate : candidates) {
        if (any_uses_mpi && !candidate.uses_mpi) {
            continue;
        }
        if (any_with_rank || !any_uses_mpi) {
            // Processes are in the order of their numbers, so what was started later comes later.
            if (candidate.has_rank) {
                ranks[candidate.rank.rank] = candidate.rank;
            }
        } else {
            const int rank = unnumbered++;
            ranks[rank] = {rank, 0, candidate.rank.process};
        }
    }
    std::vector<RankProcess> found;
    for (const auto& [rank, process] : ranks) {
        found.push_back(process);
    }
    return found;
}

std::vector<pid_t> processes_of_slurm_job(const std::string& job) {
    std::vector<pid_t> found;
    for (const auto& [process, parent] : all_processes_with_parents()) {
        const std::string environment = base::content_of("/proc/" + std::to_string(process) + "/environ");
        if (value_of(environment, "SLURM_JOB_ID=") == std::optional<std::string_view>(job)) {
            found.push_back(process);
        }
    }
    return found;
}

}  // namespace dampi::scheduler::watch
