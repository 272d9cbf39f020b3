// Data that has come from another host, in the carrier's part of the exchange: each piece for one reader here, who
// releases it. As PayloadArena, but for who believes nothing of what the ranks could have overwritten: which blocks
// there are is kept apart, and what does not fit to that is left alone, so that its room is not used again. One thread
// at a time.
#pragma once

#include "base/check.hpp"
#include "transport/requests/exchange.hpp"
#include "transport/requests/payload.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dampi::scheduler::hosts {

class BroughtData {
public:
    explicit BroughtData(const transport::requests::Exchange& exchange)
        : exchange_(exchange), next_((exchange.payload_begin(exchange.carriers_part()) + 63) / 64 * 64) {}

    /// Where the data is now. Throws dampi::Error when there is no room.
    transport::requests::Place put(std::string_view data) {
        using transport::requests::BlockHead;
        const auto size_class =
            std::max<std::uint32_t>(7, static_cast<std::uint32_t>(std::bit_width(data.size() + sizeof(BlockHead) - 1)));
        if (free_[size_class].empty()) {
            collect();
        }
        transport::requests::Place place = next_;
        if (free_[size_class].empty()) {
            if (exchange_.payload_end(exchange_.carriers_part()) - next_ < std::uint64_t{1} << size_class) {
                throw Error("there is no room for the data that ranks of this host have got from others");
            }
            next_ += std::uint64_t{1} << size_class;
        } else {
            place = free_[size_class].back();
            free_[size_class].pop_back();
        }
        in_use_[place] = size_class;
        auto& head = *reinterpret_cast<BlockHead*>(exchange_.at(place));
        head.size_class = size_class;
        head.readers.store(1, std::memory_order_relaxed);
        std::memcpy(transport::requests::payload_data(exchange_, place), data.data(), data.size());
        return place;
    }

private:
    /// Takes back what readers have released.
    void collect() {
        transport::requests::Place place =
            exchange_.channel(exchange_.carriers_part()).released.exchange(0, std::memory_order_acquire);
        while (place != 0) {
            const auto found = in_use_.find(place);
            if (found == in_use_.end()) {
                return;
            }
            free_[found->second].push_back(place);
            in_use_.erase(found);
            place = reinterpret_cast<const transport::requests::BlockHead*>(exchange_.at(place))->next;
        }
    }

    const transport::requests::Exchange& exchange_;
    transport::requests::Place next_;
    std::unordered_map<transport::requests::Place, std::uint32_t> in_use_;  ///< with their size classes
    std::array<std::vector<transport::requests::Place>, 64> free_;
};

}  // namespace dampi::scheduler::hosts
