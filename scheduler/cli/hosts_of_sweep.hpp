// The hosts of one sweep, as --hosts or --hostfile names them: which ranks are where, and how dampi-node is started
// there.
#pragma once

#include "scheduler/cli/settled_request.hpp"
#include "scheduler/engines/hosts/hosts.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// The first ranks are on the first host, and so on; a host without a number has room for one. Throws dampi::Error
/// where they do not have room for all, or one stands there twice.
[[nodiscard]] std::vector<hosts::HostRanks> layout_of(const std::vector<HostLine>& hosts, int processes);

/// Null where all ranks are on this machine. `jobs`: runs that go on side by side; `say`: as HostsSettings::lost.
/// Throws dampi::Error.
[[nodiscard]] std::unique_ptr<hosts::Hosts> hosts_of(const SettledRequest& request, const std::filesystem::path& layer,
                                                     unsigned jobs, std::function<void(const std::string&)> say);

}  // namespace dampi::scheduler
