// Lists that members of a window tell the others: a signal says where each lies (shared_list.hpp), so that it may grow.
#pragma once

#include "piggyback/distributed/one_sided/shared_list.hpp"
#include "piggyback/distributed/one_sided/signals.hpp"
#include "piggyback/distributed/waiting.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {

namespace told_lists_detail {

inline SharedList& list_at(const DistributedLayer& layer, transport::Token token) {
    return *static_cast<SharedList*>(layer.port.list(token));
}

}  // namespace told_lists_detail

/// Writes the items from number `first` on for the others; those before have not changed. `signal` is of the kind whose
/// value is the place of such a list, `about` what it is about. `site`: of the call that has added some; 0: only old
/// ones have changed.
template <typename Item>
void tell(DistributedLayer& layer, std::uint64_t site, Window& window, Signal signal, int about, ToldList& list,
          const std::vector<Item>& items, std::size_t first) {
    using told_lists_detail::list_at;
    const bool must_grow = items.size() > list.capacity;
    if (must_grow) {  // the smaller list stays as it is: somebody may be reading it
        list.capacity = grown(list.capacity, items.size());
        list.shared = layer.port.make_list(list_bytes<Item>(list.capacity));
        list_at(layer, list.shared).capacity = list.capacity;
        first = 0;
    }
    if (list.shared == 0) {
        return;
    }
    write(list_at(layer, list.shared), items, first);
    if (must_grow) {
        give(layer, site, window, signal, about, 0, list.shared);
    }
}

/// Another member's list as it was at some moment of this call; empty if it has told of none.
template <typename Item>
[[nodiscard]] std::vector<Item> told(DistributedLayer& layer, Window& window, Signal signal, int member, int about) {
    const transport::Token token = latest_value(layer, window, signal, member, about);
    if (token == 0) {
        return {};
    }
    SharedList& list = told_lists_detail::list_at(layer, token);
    for (;;) {
        if (auto items = try_read<Item>(list)) {
            return *std::move(items);
        }
        waiting_detail::yield(layer);
    }
}

}  // namespace dampi::piggyback::distributed
