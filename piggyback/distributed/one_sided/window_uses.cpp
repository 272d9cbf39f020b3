#include "piggyback/distributed/one_sided/window_uses.hpp"

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"

#include <utility>

namespace dampi::piggyback::distributed {
namespace {

/// Whether it is followed what this rank does with its own memory of the window: where others may access it between
/// fences, or under locks.
bool is_open_to_others(const Window& window) { return !window.accessing && !window.exposed; }

}  // namespace

std::uint64_t WindowUses::begin_use(const BufferUse& use, const char* function, std::uint64_t site) {
    if (layer_.windows.empty() || layer_.windows.shares_memory || layer_.multithreaded ||
        use.region.element != nullptr) {
        return 0;
    }
    const AccessCall call(site, function);
    std::vector<Use> uses;
    layer_.windows.for_each([&](Window& window) {
        const MPI_Aint size = window.memories[static_cast<std::size_t>(window.group->rank)].size;
        const auto memory = reinterpret_cast<std::intptr_t>(window.own_memory);
        const std::int64_t begin = use.region.begin - memory;
        const std::int64_t end = use.region.end - memory;
        if (window.own_memory == nullptr || size == Memory::not_known || begin < 0 || end > size ||
            !is_open_to_others(window)) {
            return;
        }
        const Blocks blocks{.begin = begin, .length = end - begin};
        const AccessKind kind = use.role == BufferRole::send ? AccessKind::read : AccessKind::write;
        if (begin_owners_use(layer_, window, blocks, kind, call)) {
            uses.push_back({.window = window.group->id, .blocks = blocks, .call = call});
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
