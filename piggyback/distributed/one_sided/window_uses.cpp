#include "piggyback/distributed/one_sided/window_uses.hpp"

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"

#include <utility>

namespace dampi::piggyback::distributed {
namespace {

/// Whether it is followed what this rank does with its own memory of the window: where others may access it between
/// fences, under locks, or since it is exposed.
bool is_open_to_others(const Window& window) { return window.exposed || !window.accessing; }

}  // namespace

std::uint64_t WindowUses::begin_use(const BufferUse& use, const char* function, std::uint64_t site) {
    if (layer_.windows.empty() || layer_.windows.shares_memory || layer_.multithreaded ||
        use.region.element != nullptr) {
        return 0;
    }
    const AccessCall call(site, function);
    const AccessKind kind = use.role == BufferRole::send ? AccessKind::read : AccessKind::write;
    std::vector<Use> uses;
    layer_.windows.for_each([&](Window& window) {
        const auto blocks =
            is_open_to_others(window)
                ? window.in_own_memory({.begin = use.region.begin, .length = use.region.end - use.region.begin})
                : std::nullopt;
        if (blocks && begin_owners_use(layer_, window, *blocks, kind, call)) {
            uses.push_back({.window = window.group->id, .blocks = *blocks, .call = call});
        }
    });
    if (uses.empty()) {
        return 0;
    }
    uses_.emplace(++last_token_, std::move(uses));
    return last_token_;
}

void WindowUses::end_use(std::uint64_t token) {
    const auto found = uses_.find(token);
    if (found == uses_.end()) {
        return;
    }
    for (const Use& use : found->second) {
        layer_.windows.for_each([&](Window& window) {
            if (window.group->id == use.window) {
                end_owners_use(layer_, window, use.blocks, use.call);
            }
        });
    }
    uses_.erase(found);
}

}  // namespace dampi::piggyback::distributed
