#include "scheduler/cli/slurm_allocation.hpp"

#include "base/check.hpp"
#include "transport/network/commands.hpp"

#include <charconv>
#include <cstdlib>
#include <numeric>
#include <sstream>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

constexpr std::uint32_t most_nodes = 100'000;

/// A number at the start of the text, which is taken from it.
std::optional<std::uint32_t> take_number(std::string_view& text) {
    std::uint32_t number = 0;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number == 0) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
    return number;
}

bool take_word(std::string_view& text, std::string_view word) {
    const bool there = text.starts_with(word);
    text.remove_prefix(there ? word.size() : 0);
    return there;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> tasks_of_nodes(std::string_view text) {
    std::vector<std::uint32_t> tasks;
    do {
        const auto each = take_number(text);
        const auto times = each && take_word(text, "(x") ? take_number(text) : std::optional<std::uint32_t>(0);
        if (!each || !times || (*times != 0 && !take_word(text, ")")) || tasks.size() + *times > most_nodes) {
            return std::nullopt;
        }
        tasks.insert(tasks.end(), *times == 0 ? 1 : *times, *each);
    } while (take_word(text, ","));
    return text.empty() ? std::optional(std::move(tasks)) : std::nullopt;
}

std::vector<HostLine> hosts_of_allocation() {
    const char* const nodes = std::getenv("SLURM_JOB_NODELIST");
    const char* const each = std::getenv("SLURM_TASKS_PER_NODE");
    const auto tasks = nodes == nullptr || each == nullptr ? std::nullopt : tasks_of_nodes(each);
    if (!tasks || tasks->size() < 2) {
        return {};  // a step on one node says so in the same variable
    }
    std::istringstream names(transport::network::output_of({"scontrol", "show", "hostnames", nodes}, ""));
    std::vector<HostLine> hosts;
    for (std::string name; names >> name;) {
        hosts.push_back({.host = name, .slots = hosts.size() < tasks->size() ? (*tasks)[hosts.size()] : 0});
    }
    return hosts.size() == tasks->size() ? hosts : std::vector<HostLine>();
}

int tasks_of_allocation() {
    const char* const each = std::getenv("SLURM_TASKS_PER_NODE");
    const bool inside = std::getenv("SLURM_JOB_ID") != nullptr && std::getenv("SLURM_STEP_ID") == nullptr;
    const auto tasks = inside && each != nullptr ? tasks_of_nodes(each) : std::nullopt;
    return tasks ? static_cast<int>(std::accumulate(tasks->begin(), tasks->end(), 0U)) : 0;
}

std::string shell_of_allocation() {
    // The step shares what the job has there with other steps, and the ranks may be on each of its processors.
    return "srun --quiet --overlap --mpi=none --cpu-bind=none --job-name=dampi-node --nodes=1 --ntasks=1 "
           "--ntasks-per-node=1 --nodelist";
}

}  // namespace dampi::scheduler
