// Whoever does something first tells the others, then looks what they have told; so of two that conflict at least one
// sees the other. What lies in another phase of the window is ordered by a collective, and no matter of chance; nor is
// a lock that this rank knows to have been given back, as messages tell.
#include "piggyback/distributed/one_sided/order.hpp"

#include "piggyback/distributed/one_sided/signals.hpp"

#include <atomic>
#include <vector>

namespace dampi::piggyback::distributed {
namespace {

/// Tells of the lock, unless all is said for this phase. Whether there was something to say.
bool announce(DistributedLayer& layer, const Call& call, Window& window, Signal signal, int target, std::uint32_t end) {
    const auto said = window.announced.find({target, signal});
    if (end == 0 && said != window.announced.end() && said->second == window.phase) {
        return false;
    }
    if (end == 0) {
        window.announced[{target, signal}] = window.phase;
    }
    give(layer, call.site(), window, signal, target, 0, end);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return true;
}

/// What of others conflicts with it.
std::vector<Signal> opponents(Signal signal) {
    switch (signal) {
        case Signal::exclusive_lock:
            return {Signal::exclusive_lock, Signal::shared_lock};
        case Signal::shared_lock:
            return {Signal::exclusive_lock};
        case Signal::post:
        case Signal::complete:
        case Signal::exclusive_unlock:
        case Signal::shared_unlock:
        case Signal::exposed:
        case Signal::no_put_fenced:
        case Signal::no_put_exposed:
        case Signal::unchecked:
        case Signal::bytes_accessed:
        case Signal::memory_attached:
            break;
    }
    return {};
}

/// Whether another member has done what conflicts with this in this phase, and may not have ended it.
bool conflicts(DistributedLayer& layer, Window& window, Signal signal, int target) {
    const int size = static_cast<int>(window.group->members.size());
    const int first = target == Window::everyone ? 0 : target;
    const int last = target == Window::everyone ? size - 1 : target;
    for (const Signal opponent : opponents(signal)) {
        for (int each = first; each <= last; ++each) {
            if (may_last(layer, window, opponent, each)) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

void note_lock(DistributedLayer& layer, const Call& call, Window& window, Signal lock, int target, std::uint32_t end) {
    if (announce(layer, call, window, lock, target, end) && conflicts(layer, window, lock, target)) {
        layer.count_not_modelled("order of window locks");
    }
}

}  // namespace dampi::piggyback::distributed
