#include "scheduler/cli/hosts_of_sweep.hpp"

#include "base/check.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/joining.hpp"
#include "scheduler/cli/slurm_allocation.hpp"
#include "scheduler/cli/worker_order.hpp"
#include "transport/network/link.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

/// Of a host's number there is room beside that of a thread (RunOverHosts).
constexpr std::size_t most_hosts = 500;
constexpr unsigned most_lanes = 64;

bool is_this_machine(const std::string& host) {
    const std::string own = own_host();
    const char* const by_slurm = std::getenv("SLURMD_NODENAME");
    if ((by_slurm != nullptr && host == by_slurm) || host == "localhost" || host == "127.0.0.1" || host == own ||
        host == own.substr(0, own.find('.'))) {
        return true;
    }
    const auto addresses = transport::network::parse_address(transport::network::own_address(1, false)).hosts;
    return std::find(addresses.begin(), addresses.end(), host) != addresses.end();
}

}  // namespace

std::vector<hosts::HostRanks> layout_of(const std::vector<HostLine>& hosts, int processes) {
    std::vector<hosts::HostRanks> layout;
    std::uint64_t room = 0;
    base::Rank next = 0;
    for (const HostLine& line : hosts) {
        const auto places = static_cast<int>(std::max(line.slots, 1U));
        room += static_cast<std::uint64_t>(places);
        const auto same = std::find_if(layout.begin(), layout.end(),
                                       [&](const hosts::HostRanks& each) { return each.name == line.host; });
        if (same != layout.end()) {
            throw Error(
                fmt::format("host {0} stands twice among the hosts: name it once, with all its ranks, as in {0}:{1}",
                            line.host, 2 * places));
        }
        const int count = std::min(places, processes - next);
        if (count > 0) {
            layout.push_back({.name = line.host, .first = next, .count = count, .here = is_this_machine(line.host)});
            next += count;
        }
    }
    if (next < processes) {
        throw Error(
            fmt::format("the hosts have room for {} of {} ranks: say how many each is to have, as in --hosts {}:{}",
                        room, processes, hosts.front().host, processes));
    }
    if (layout.size() > most_hosts) {
        throw Error(fmt::format("ranks can be spread over {} hosts at most", most_hosts));
    }
    if (std::count_if(layout.begin(), layout.end(), [](const hosts::HostRanks& each) { return each.here; }) > 1) {
        throw Error("several of the hosts are this machine: name it once, with all its ranks");
    }
    return layout;
}

std::unique_ptr<hosts::Hosts> hosts_of(const SettledRequest& request, const std::filesystem::path& layer, unsigned jobs,
                                       std::function<void(const std::string&)> say) {
    if (request.options.hosts.empty()) {
        return nullptr;
    }
    std::vector<hosts::HostRanks> layout = layout_of(request.options.hosts, request.options.processes);
    if (std::all_of(layout.begin(), layout.end(), [](const hosts::HostRanks& each) { return each.here; })) {
        return nullptr;
    }
    struct stat input {};
    if (!layout.front().here && ::fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode)) {
        throw Error(fmt::format(
            "rank 0 is on host {}, which a file on standard input does not reach: name this machine first among the "
            "hosts, or give it with --env or as an argument, and </dev/null",
            layout.front().name));
    }
    const std::filesystem::path node = find_part("dampi-node", {"dampi-node"});
    const char* const given = std::getenv("DAMPI_SSH");
    const std::string shell = given == nullptr ? "ssh" : given;
    return std::make_unique<hosts::Hosts>(
        hosts::HostsSettings{.layout = std::move(layout),
                             .lanes = std::clamp(jobs, 1U, most_lanes),
                             .build = worker_build(node, layer),
                             .sweep = worker_order(request, layer, environ),
                             .node = node,
                             .shell = request.options.hosts_by_slurm ? shell_of_allocation() : shell,
                             .lost = std::move(say)});
}

}  // namespace dampi::scheduler
