// Packed data on its way from one rank to others: a block in the sender's part of the exchange, which is the sender's
// again when the last reader has released it. Allocation needs no other rank; nothing here ever waits.
#pragma once

#include "base/check.hpp"
#include "transport/requests/exchange.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace dampi::transport::requests {

/// The start of a block; the data follows.
struct alignas(64) BlockHead {
    std::atomic<std::uint32_t> readers;  ///< who have not released it
    std::uint32_t size_class;
    Place next;  ///< in ChannelHeader::released
};

static_assert(sizeof(BlockHead) == 64);  // Exchange::has_block()

/// The data of a block that some rank has allocated.
[[nodiscard]] inline std::uint8_t* payload_data(const Exchange& exchange, Place place) {
    return exchange.at(place) + sizeof(BlockHead);
}

/// A reader has what it needs of the block.
inline void release_payload(const Exchange& exchange, Place place) {
    auto& head = *reinterpret_cast<BlockHead*>(exchange.at(place));
    if (head.readers.fetch_sub(1, std::memory_order_acq_rel) != 1) {
        return;
    }
    std::atomic<Place>& released = exchange.channel(exchange.owner(place)).released;
    head.next = released.load(std::memory_order_relaxed);
    while (!released.compare_exchange_weak(head.next, place, std::memory_order_release, std::memory_order_relaxed)) {}
}

/// The rank's own blocks. One thread at a time.
class PayloadArena {
public:
    PayloadArena(const Exchange& exchange, base::Rank own)
        : exchange_(exchange), own_(own), next_((exchange.payload_begin(own) + 63) / 64 * 64) {}

    /// A block for so many bytes of data, to be released by so many readers (at least one). Running out of address
    /// space is a failed check.
    Place allocate(std::uint64_t bytes, std::uint32_t readers = 1) {
        const auto size_class =
            std::max<std::uint32_t>(7, static_cast<std::uint32_t>(std::bit_width(bytes + sizeof(BlockHead) - 1)));
        if (free_[size_class].empty()) {
            collect();
        }
        Place place = next_;
        if (free_[size_class].empty()) {
            next_ += std::uint64_t{1} << size_class;
            DAMPI_CHECK(next_ <= exchange_.payload_end(own_));
        } else {
            place = free_[size_class].back();
            free_[size_class].pop_back();
        }
        auto& head = *reinterpret_cast<BlockHead*>(exchange_.at(place));
        head.size_class = size_class;
        head.readers.store(readers, std::memory_order_relaxed);
        return place;
    }

private:
    /// Takes back what readers have released.
    void collect() {
        Place place = exchange_.channel(own_).released.exchange(0, std::memory_order_acquire);
        while (place != 0) {
            const auto& head = *reinterpret_cast<const BlockHead*>(exchange_.at(place));
            const Place next = head.next;
            free_[head.size_class].push_back(place);
            place = next;
        }
    }

    const Exchange& exchange_;
    base::Rank own_;
    Place next_;
    std::array<std::vector<Place>, 64> free_;
};

}  // namespace dampi::transport::requests
