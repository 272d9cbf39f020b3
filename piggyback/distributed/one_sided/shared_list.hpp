// A rank's list, of accesses unless it is said what of, where other ranks read it while it changes: one rank writes,
// anybody reads, nobody waits for the reader. It stays where it is; for more than its room a larger one is made.
#pragma once

#include "base/check.hpp"
#include "piggyback/distributed/one_sided/access_list.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

namespace dampi::piggyback::distributed {

struct alignas(64) SharedList {
    std::atomic<std::uint64_t> version;  ///< odd while being written
    std::atomic<std::uint64_t> count;
    std::uint64_t capacity;
    // followed by `capacity` items
};

template <typename Item = Access>
constexpr std::uint64_t list_bytes(std::uint64_t capacity) {
    return sizeof(SharedList) + capacity * sizeof(Item);
}

/// The room of the list that takes the place of one of `capacity` and is to hold `needed`.
constexpr std::uint64_t grown(std::uint64_t capacity, std::uint64_t needed) {
    return std::max<std::uint64_t>({capacity * 2, needed, 4});
}

namespace shared_list_detail {

using Word = std::uint64_t;
template <typename Item>
constexpr std::size_t words_in() {
    static_assert(sizeof(Item) % sizeof(Word) == 0 && std::is_trivially_copyable_v<Item>);
    return sizeof(Item) / sizeof(Word);
}

inline Word* words(SharedList& list) { return reinterpret_cast<Word*>(&list + 1); }

}  // namespace shared_list_detail

/// The list is `items` now, which differ from what it was only from number `first` on.
template <typename Item>
void write(SharedList& list, const std::vector<Item>& items, std::size_t first) {
    using namespace shared_list_detail;
    constexpr std::size_t words_each = words_in<Item>();
    DAMPI_CHECK(items.size() <= list.capacity);
    const std::uint64_t version = list.version.load(std::memory_order_relaxed);
    list.version.store(version + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = first; i < items.size(); ++i) {
        Word copy[words_each];
        std::memcpy(copy, &items[i], sizeof copy);
        for (std::size_t j = 0; j < words_each; ++j) {
            std::atomic_ref(words(list)[i * words_each + j]).store(copy[j], std::memory_order_relaxed);
        }
    }
    list.count.store(items.size(), std::memory_order_relaxed);
    list.version.store(version + 2, std::memory_order_release);
}

/// The list as it was at one moment of this call; nothing if it was being written all the time.
template <typename Item = Access>
std::optional<std::vector<Item>> try_read(SharedList& list) {
    using namespace shared_list_detail;
    constexpr std::size_t words_each = words_in<Item>();
    const std::uint64_t version = list.version.load(std::memory_order_acquire);
    if (version % 2 != 0) {
        return std::nullopt;
    }
    std::vector<Item> items(std::min(list.count.load(std::memory_order_relaxed), list.capacity));
    for (std::size_t i = 0; i < items.size(); ++i) {
        Word copy[words_each];
        for (std::size_t j = 0; j < words_each; ++j) {
            copy[j] = std::atomic_ref(words(list)[i * words_each + j]).load(std::memory_order_relaxed);
        }
        std::memcpy(&items[i], copy, sizeof copy);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    return list.version.load(std::memory_order_relaxed) == version ? std::optional(std::move(items)) : std::nullopt;
}

}  // namespace dampi::piggyback::distributed
