// The buffer that the program has attached for sends in buffered mode, and what lies in it. Nothing really does: the
// data is in the memory that ranks share. But a program that needs more than it has attached must be told.
#pragma once

#include "replay/central/payload.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::central {

class AttachedBuffer {
public:
    void attach(std::uint64_t size) { size_ = size; }
    void detach() {
        size_ = 0;
        held_.clear();
    }
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// What a message of so many bytes needs beside those that have not been received yet.
    [[nodiscard]] std::uint64_t needed_for(const replay::central::Exchange& exchange, std::uint64_t bytes) {
        std::erase_if(held_, [&](const auto& each) {
            const auto* head = reinterpret_cast<const replay::central::BlockHead*>(exchange.at(each.first));
            return head->readers.load(std::memory_order_acquire) == 0;
        });
        std::uint64_t needed = bytes + MPI_BSEND_OVERHEAD;
        for (const auto& [place, held] : held_) {
            needed += held + MPI_BSEND_OVERHEAD;
        }
        return needed;
    }

    /// A message lies there until its receiver has taken it.
    void hold(replay::central::Place place, std::uint64_t bytes) { held_.emplace_back(place, bytes); }

    /// The place is used for something else now: its receiver has.
    void forget(replay::central::Place place) {
        if (!held_.empty()) {
            std::erase_if(held_, [&](const auto& each) { return each.first == place; });
        }
    }

private:
    std::uint64_t size_ = 0;
    std::vector<std::pair<replay::central::Place, std::uint64_t>> held_;
};

}  // namespace dampi::piggyback::central
