#include "piggyback/distributed/one_sided/origin_buffers.hpp"

#include "piggyback/distributed/one_sided/accessed_bytes.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/rank/buffers/used_buffers.hpp"

#include <algorithm>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

/// So many are remembered of a window; what comes then is only compared with these.
constexpr std::size_t most_buffers = 1024;
/// So many parts of one of them, which are used by one call again and again, are what others must not use.
constexpr std::uint32_t most_parts = 64;

/// Whether it may not.
bool meet(DistributedLayer& layer, Window& window, const std::vector<OriginBuffer>& pending,
          const OriginBuffer& buffer) {
    bool found = false;
    for (const OriginBuffer& other : pending) {
        if (overlap(other.blocks, buffer.blocks)) {
            log_buffer_race(layer, window, buffer, other);
            found = true;
        }
    }
    return found;
}

/// Whether others may store there, through a window.
bool is_exposed(DistributedLayer& layer, const Blocks& blocks) {
    bool found = layer.windows.shares_memory;
    layer.windows.for_each([&](const Window& window) {
        const auto meets = [&](const void* memory, MPI_Aint size) {
            const auto begin = reinterpret_cast<std::intptr_t>(memory);
            found = found || (memory != nullptr && size != 0 && blocks.begin < begin + size && begin < blocks.end());
        };
        meets(window.own_memory, window.memories[static_cast<std::size_t>(window.group->rank)].size);
        for (const auto& [memory, size] : window.attached) {
            meets(memory, size);
        }
    });
    return found;
}

/// Nobody but MPI stores there until the access is complete.
void keep_still(DistributedLayer& layer, OriginBuffer& buffer) {
    if (buffer.blocks.count == 1 && watches_buffers(layer) && !is_exposed(layer, buffer.blocks)) {
        buffer.still = layer.pending_buffers.still().add(buffer.blocks.begin, buffer.blocks.end());
    }
}

BufferUse use_of(const Blocks& blocks, BufferRole role) {
    return {.region = {.begin = blocks.begin, .end = blocks.end()}, .role = role};
}

/// What ThreadSanitizer is told; nothing where the buffer may not be used, which is said already.
sanitizers::Fibers::Token tell_of(Layer& layer, const Call& call, const OriginBuffer& buffer, BufferRole role) {
    const BufferUse use = use_of(buffer.blocks, role);
    return tell_of_buffers(layer, call.function(), call.site(), buffer.is_wrong ? 0 : 1,
                           [&](std::size_t /*i*/) -> const BufferUse& { return use; });
}

/// Then it is known when accesses are over.
bool is_between_fences(const Window& window) {
    return window.fenced_by.site != 0 && window.locks.empty() && !window.accessing && !window.exposed;
}

/// Adds it to the memory of this one that others must not use until the access is complete. The first of it from now
/// on.
PendingUse& add_pending(DistributedLayer& layer, const Call& call, const Window& window, OriginBuffer& held,
                        const OriginBuffer& part, BufferRole role) {
    const BufferUse use = use_of(part.blocks, role);
    held.pending = layer.pending_buffers.add(use, call.function(), call.site(), held.pending);
    PendingUse& pending = layer.pending_buffers.at(held.pending);
    pending.of_access = true;
    pending.is_the_operations = !part.is_wrong;
    if (!is_between_fences(window)) {  // else it is an access to its own memory (note_own_memory)
        pending.told = layer.pending_buffers.listener->begin_use(use, call.function(), call.site());
    }
    return pending;
}

/// Until the access is complete the buffer is one that others must not use.
void hold(DistributedLayer& layer, const Call& call, const Window& window, OriginBuffer& buffer, BufferRole role) {
    if (buffer.blocks.count == 1 && watches_buffers(layer)) {
        add_pending(layer, call, window, buffer, buffer, role).fiber = tell_of(layer, call, buffer, role);
    }
}

/// `buffer` has become a part of one that is held. `is_new`: none of its bytes was one before.
void hold_more(DistributedLayer& layer, const Call& call, const Window& window, OriginBuffer& held,
               const OriginBuffer& buffer, BufferRole role, bool is_new) {
    if (held.pending == PendingBuffers::none || buffer.blocks.count != 1) {
        return;
    }
    if (!buffer.is_wrong) {
        const BufferUse use = use_of(buffer.blocks, role);
        layer.pending_buffers.fibers().go_on(layer.pending_buffers.at(held.pending).fiber,
                                             {.function = call.function(), .site = call.site()},
                                             [&](auto&& access) { access(use.region, role == BufferRole::receive); });
    }
    if (is_new && held.parts < most_parts) {
        ++held.parts;
        const auto fiber = std::exchange(layer.pending_buffers.at(held.pending).fiber, sanitizers::Fibers::none);
        add_pending(layer, call, window, held, buffer, role).fiber = fiber;
    }
}

void remember(DistributedLayer& layer, const Call& call, const Window& window, std::vector<OriginBuffer>& pending,
              const OriginBuffer& buffer, BufferRole role) {
    if (!pending.empty() && pending.back().call == buffer.call && pending.back().target == buffer.target) {
        const bool is_known = pending.back().blocks == buffer.blocks;
        if (is_known || extend(pending.back().blocks, buffer.blocks)) {
            hold_more(layer, call, window, pending.back(), buffer, role, !is_known);
            return;
        }
    }
    if (pending.size() < most_buffers) {
        pending.push_back(buffer);
        keep_still(layer, pending.back());
        hold(layer, call, window, pending.back(), role);
    }
}

/// The same for an access with a request. It is held as any other operation's, for accesses are not to meet it either.
void hold(DistributedLayer& layer, const Call& call, AccessRequest& request, const OriginBuffer& buffer,
          BufferRole role) {
    if (buffer.blocks.count == 1 && watches_buffers(layer)) {
        PendingUse& pending =
            request.buffers.add(layer.pending_buffers, use_of(buffer.blocks, role), call.function(), call.site());
        if (!is_exposed(layer, buffer.blocks)) {
            pending.still = layer.pending_buffers.still().add(buffer.blocks.begin, buffer.blocks.end());
        }
        pending.is_the_operations = !buffer.is_wrong;
        pending.fiber = tell_of(layer, call, buffer, role);
    }
}

/// Between fences buffers that lie in this rank's own memory of the window are accesses to it.
void note_own_memory(DistributedLayer& layer, const Call& call, Window& window, const Blocks& blocks, AccessKind kind) {
    const auto own = is_between_fences(window) ? window.in_own_memory(blocks) : std::nullopt;
    if (own) {
        note_own_bytes(layer, call, window, *own, kind);
    }
}

/// Whether loads or stores there have been told of (rank/touches) while an access uses it.
bool is_told(DistributedLayer& layer, std::int64_t address) {
    bool told = false;
    layer.pending_buffers.for_each([&](const PendingUse& pending) {
        told = told || (pending.of_access && pending.touches != 0 && pending.use.region.begin <= address &&
                        address < pending.use.region.end);
    });
    return told;
}

}  // namespace

void note_buffers(DistributedLayer& layer, const Call& call, Window& window, int target, const Buffer& sent,
                  const Buffer& received, AccessRequest* request) {
    const bool stays = request == nullptr;
    if (!stays) {
        request->window = &window;
        request->target = target;
    }
    const auto each_block = [&](const Buffer& buffer, auto&& visit) {
        if (buffer.address == nullptr || buffer.address == MPI_BOTTOM) {
            return;
        }
        const Element* const element = layer.elements.of(buffer.type);
        if (element == nullptr) {
            return;
        }
        const auto found = find_blocks(*element, reinterpret_cast<std::intptr_t>(buffer.address), buffer.count);
        for (const Blocks& blocks : found.blocks) {
            if (found.exact) {
                OriginBuffer each{.blocks = blocks, .target = target, .call = {call.site(), call.function()}};
                visit(each);
            }
        }
    };
    const auto check_with_pending = [&](OriginBuffer& buffer, BufferRole role) {
        if (buffer.blocks.count == 1 && check_against_pending(layer, call, use_of(buffer.blocks, role))) {
            buffer.is_wrong = true;
        }
    };
    if (received.type != MPI_DATATYPE_NULL) {  // it must not share any memory with the other one, or itself
        UsedBuffers both(Arrival::at_any_time);
        if (sent.type != MPI_DATATYPE_NULL) {
            both.add(BufferRole::send, sent.address, sent.count, sent.type);
        }
        both.add(BufferRole::receive, received.address, received.count, received.type);
        both.check_alone(call);
    }
    std::vector<OriginBuffer> filled;
    each_block(received, [&](OriginBuffer& buffer) {
        layer.windows.for_each([&](Window& other) {
            for (const auto* pending : {&other.read_buffers, &other.filled_buffers}) {
                buffer.is_wrong = meet(layer, window, *pending, buffer) || buffer.is_wrong;
            }
        });
        check_with_pending(buffer, BufferRole::receive);
        filled.push_back(buffer);
        if (stays) {
            note_own_memory(layer, call, window, buffer.blocks, AccessKind::write);
        }
    });
    each_block(sent, [&](OriginBuffer& buffer) {
        layer.windows.for_each([&](Window& other) {
            buffer.is_wrong = meet(layer, window, other.filled_buffers, buffer) || buffer.is_wrong;
        });
        check_with_pending(buffer, BufferRole::send);
        if (stays) {
            note_own_memory(layer, call, window, buffer.blocks, AccessKind::read);
            remember(layer, call, window, window.read_buffers, buffer, BufferRole::send);
        } else {
            hold(layer, call, *request, buffer, BufferRole::send);
        }
    });
    for (const OriginBuffer& buffer : filled) {
        if (stays) {
            remember(layer, call, window, window.filled_buffers, buffer, BufferRole::receive);
        } else {
            hold(layer, call, *request, buffer, BufferRole::receive);
        }
    }
}

void find_changed_origin(DistributedLayer& layer, const Call& call, StillMemory::Token token, std::int64_t address) {
    const auto look = [&](std::vector<OriginBuffer>& pending, BufferRole role) {
        for (OriginBuffer& buffer : pending) {
            if (buffer.still != token) {
                continue;
            }
            buffer.still = StillMemory::none;
            if (!is_told(layer, address)) {
                report_changed(
                    layer, call,
                    {.use = {.region = {.begin = buffer.blocks.begin, .end = buffer.blocks.end()}, .role = role},
                     .function = buffer.call.name,
                     .site = buffer.call.site},
                    address);
            }
        }
    };
    layer.windows.for_each([&](Window& window) {
        look(window.read_buffers, BufferRole::send);
        look(window.filled_buffers, BufferRole::receive);
    });
}

}  // namespace dampi::piggyback::distributed
