// The messages of one rank that may still lie in the buffer that the program has attached (MPI 3.6): those that were
// sent in buffered mode, and of which the rank does not know that their receive has matched. Pure.
#pragma once

#include "clocks/marks.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::clocks {

class BufferedMessages {
public:
    /// Forgets those that are known by `now` to have been received. Only where that is followed.
    void forget_received(base::Rank own, const Clock& now) {
        std::erase_if(held_, [&](const Held& each) {
            const bool received = now.vector.knows(buffered_of(own), each.number);
            bytes_ -= received ? each.bytes : 0;
            return received;
        });
    }
    [[nodiscard]] std::size_t count() const { return held_.size(); }
    /// What they take of the buffer, each with so much overhead beside its data.
    [[nodiscard]] std::uint64_t taken(std::uint64_t overhead) const { return bytes_ + held_.size() * overhead; }

    /// One is sent; returns its number.
    std::uint32_t add(std::uint64_t bytes) {
        held_.push_back({.number = next_, .bytes = bytes});
        bytes_ += bytes;
        return next_++;
    }
    /// MPI has refused the one that was added last.
    void withdraw_last() {
        bytes_ -= held_.back().bytes;
        held_.pop_back();
    }
    /// The buffer was detached: all of them are gone.
    void clear() {
        held_.clear();
        bytes_ = 0;
    }
    /// Whether some are not followed any more.
    [[nodiscard]] bool too_many() const { return next_ > most_marks; }

private:
    struct Held {
        std::uint32_t number;
        std::uint64_t bytes;
    };
    std::vector<Held> held_;
    std::uint64_t bytes_ = 0;
    std::uint32_t next_ = 0;
};

}  // namespace dampi::clocks
