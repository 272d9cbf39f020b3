// What dampi-run tells a worker of its sweep, and how the worker makes a request of it: here it is checked that both
// would run the same.
#pragma once

#include "scheduler/cli/settled_request.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace dampi::scheduler {

/// Of the layers and of this dampi-worker itself: workers of another build would not understand.
[[nodiscard]] std::string worker_build(const std::filesystem::path& worker, const std::filesystem::path& layer);

/// The order to workers. `variables`: as in `environ`; those that belong to a machine are left out.
[[nodiscard]] std::string worker_order(const SettledRequest& request, const std::filesystem::path& layer,
                                       const char* const* variables);

/// Takes on the environment and the working directory of the order and settles its request on this machine. `run`: the
/// dampi-run that lies beside this worker. Throws dampi::Error with the differences where it would not be the same.
[[nodiscard]] SettledRequest follow_order(std::string_view order, const std::filesystem::path& run,
                                          const std::filesystem::path& layer);

}  // namespace dampi::scheduler
