#include "replay/call_event.hpp"

#include <algorithm>
#include <string_view>

namespace dampi::replay {

std::optional<std::size_t> place_of(const std::vector<CallEvent>& calls, const CallName& name) {
    const auto found =
        std::lower_bound(calls.begin(), calls.end(), name,
                         [](const CallEvent& each, const CallName& wanted) { return each.name < wanted; });
    return found != calls.end() && found->name == name ? std::optional(static_cast<std::size_t>(found - calls.begin()))
                                                       : std::nullopt;
}

bool is_nonblocking(const CallEvent& call) {
    const std::string_view function = call.function;
    return function.starts_with("MPI_Start") ||
           (function.starts_with("MPI_I") && !function.starts_with("MPI_Intercomm") &&
            !function.starts_with("MPI_Iprobe") && !function.starts_with("MPI_Improbe"));
}

}  // namespace dampi::replay
