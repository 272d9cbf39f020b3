// Whoever does something first tells the others, then looks what they have told; so of two that conflict at least one
// sees the other. What lies in another phase of the window is ordered by a collective, and no matter of chance. Orders
// that come about by messages are not seen.
#include "piggyback/one_sided/order.hpp"

#include "piggyback/one_sided/signals.hpp"

#include <atomic>
#include <vector>

namespace dampi::piggyback {
namespace {

/// Tells that this has begun in this phase, unless that has been said. Whether there was something to say.
bool announce(Layer& layer, const Call& call, Window& window, Signal signal, int target) {
    const auto [said, is_new] = window.announced.try_emplace({target, signal}, window.phase);
    if (!is_new && said->second == window.phase) {
        return false;
    }
    said->second = window.phase;
    give(layer, call, window, signal, target, 0);
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
        case Signal::ordered_access:
            return {Signal::ordered_access, Signal::added_access};
        case Signal::added_access:
            return {Signal::ordered_access};
        case Signal::post:
        case Signal::complete:
        case Signal::exclusive_unlock:
        case Signal::shared_unlock:
        case Signal::bytes_accessed:
            break;
    }
    return {};
}

/// Whether another member has done what conflicts with this since that phase.
bool conflicts(Layer& layer, Window& window, Signal signal, int target, std::uint64_t since) {
    const int size = static_cast<int>(window.group->members.size());
    const int first = target == Window::everyone ? 0 : target;
    const int last = target == Window::everyone ? size - 1 : target;
    for (const Signal opponent : opponents(signal)) {
        for (int each = first; each <= last; ++each) {
            if (given_since(layer, window, opponent, each, since)) {
                return true;
            }
        }
    }
    return false;
}

void look_at_accesses(Layer& layer, Window& window, Signal access, int target, std::uint64_t since) {
    if (conflicts(layer, window, access, target, since)) {
        layer.count_not_modelled("order of atomic accesses");
    }
}

}  // namespace

void note_lock(Layer& layer, const Call& call, Window& window, Signal lock, int target) {
    if (announce(layer, call, window, lock, target) && conflicts(layer, window, lock, target, window.phase)) {
        layer.count_not_modelled("order of window locks");
    }
}

void note_access(Layer& layer, const Call& call, Window& window, Signal access, int target) {
    window.unfinished.try_emplace({target, access}, window.phase);
    if (announce(layer, call, window, access, target)) {
        look_at_accesses(layer, window, access, target, window.phase);
    }
}

void note_accesses_over(Layer& layer, const Call& call, Window& window, int target) {
    for (auto each = window.unfinished.begin(); each != window.unfinished.end();) {
        const auto [key, since] = *each;
        const auto [accessed, access] = key;
        if (target != Window::everyone && accessed != target) {
            ++each;
            continue;
        }
        if (since != window.phase) {  // it may have happened in any of these phases
            announce(layer, call, window, access, accessed);
            look_at_accesses(layer, window, access, accessed, since);
        }
        each = window.unfinished.erase(each);
    }
}

}  // namespace dampi::piggyback
