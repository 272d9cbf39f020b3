#include "piggyback/distributed/one_sided/origin_buffers.hpp"

#include "piggyback/distributed/one_sided/accessed_bytes.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"

#include <algorithm>

namespace dampi::piggyback::distributed {
namespace {

/// So many are remembered of a window; what comes then is only compared with these.
constexpr std::size_t most_buffers = 1024;

void meet(DistributedLayer& layer, Window& window, const std::vector<OriginBuffer>& pending,
          const OriginBuffer& buffer) {
    for (const OriginBuffer& other : pending) {
        if (overlap(other.blocks, buffer.blocks)) {
            log_buffer_race(layer, window, buffer, other);
        }
    }
}

void remember(std::vector<OriginBuffer>& pending, const OriginBuffer& buffer) {
    if (!pending.empty() && pending.back().call == buffer.call && pending.back().target == buffer.target &&
        (pending.back().blocks == buffer.blocks || extend(pending.back().blocks, buffer.blocks))) {
        return;
    }
    if (pending.size() < most_buffers) {
        pending.push_back(buffer);
    }
}

}  // namespace

void note_buffers(DistributedLayer& layer, const Call& call, Window& window, int target, const Buffer& sent,
                  const Buffer& received, bool stays) {
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
                visit(OriginBuffer{.blocks = blocks, .target = target, .call = {call.site(), call.function()}});
            }
        }
    };
    std::vector<OriginBuffer> filled;
    each_block(received, [&](const OriginBuffer& buffer) {
        layer.windows.for_each([&](Window& other) {
            meet(layer, window, other.read_buffers, buffer);
            meet(layer, window, other.filled_buffers, buffer);
        });
        filled.push_back(buffer);
    });
    each_block(sent, [&](const OriginBuffer& buffer) {
        layer.windows.for_each([&](Window& other) { meet(layer, window, other.filled_buffers, buffer); });
        if (stays) {
            remember(window.read_buffers, buffer);
        }
    });
    if (stays) {
        for (const OriginBuffer& buffer : filled) {
            remember(window.filled_buffers, buffer);
        }
    }
}

}  // namespace dampi::piggyback::distributed
