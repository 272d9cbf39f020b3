// The messages of one source on one communicator that no receive has matched, in sending order, with a digest of all of
// them that depends on nothing else, and that looks at each message once: a polynomial over the numbers below 2^128
// whose coefficients are the messages' own digests (R. Karp and M. Rabin, Efficient randomized pattern-matching
// algorithms, IBM Journal of Research and Development 31(2), 1987). Two different sequences of up to 2^32 messages
// share it only by a chance below some 2^-94, since own digests are as good as random. Pure bookkeeping. Not
// thread-safe.
#pragma once

#include "base/digest.hpp"

#include <cstdint>
#include <deque>

namespace dampi::scheduler::central {

namespace stream_digest {

using Number = unsigned __int128;
inline constexpr int word = 64;

constexpr Number inverse(Number odd) {
    Number found = odd;  // right in the lowest 3 bits, and each time in twice as many
    for (int bits = 3; bits < 2 * word; bits *= 2) {
        found *= 2 - odd * found;
    }
    return found;
}

/// Odd, so that it can be divided by; 5 modulo 8, so that its powers come back as late as possible.
inline constexpr Number factor = Number{0x9E3779B97F4A7C15} << word | 0xF39CC0605CEDC835;
inline constexpr Number inverse_factor = inverse(factor);
static_assert(factor * inverse_factor == 1);

}  // namespace stream_digest

class MessageStream {
public:
    using Index = std::uint32_t;
    using Iterator = std::deque<Index>::const_iterator;

    [[nodiscard]] bool empty() const { return messages_.empty(); }
    [[nodiscard]] std::size_t size() const { return messages_.size(); }
    [[nodiscard]] Iterator begin() const { return messages_.begin(); }
    [[nodiscard]] Iterator end() const { return messages_.end(); }

    void push_back(Index message) { messages_.push_back(message); }

    /// In front of `at`.
    void insert(const Iterator& at, Index message) {
        messages_.insert(at, message);
        forget_digests();
    }

    void erase(const Iterator& at) {
        const bool first = at == messages_.begin();
        messages_.erase(at);
        if (first && !own_digests_.empty()) {
            power_ *= stream_digest::inverse_factor;
            sum_ -= own_digests_.front() * power_;
            own_digests_.pop_front();
        } else {
            forget_digests();
        }
    }

    /// `own_digest(message)`: of one of them; must always be the same.
    template <typename OwnDigest>
    [[nodiscard]] base::Digest digest(const OwnDigest& own_digest) const {
        while (own_digests_.size() < messages_.size()) {
            const base::Digest own = own_digest(messages_[own_digests_.size()]);
            own_digests_.push_back(Number{own.high} << stream_digest::word | own.low);
            sum_ = sum_ * stream_digest::factor + own_digests_.back();
            power_ *= stream_digest::factor;
        }
        return {.low = static_cast<std::uint64_t>(sum_),
                .high = static_cast<std::uint64_t>(sum_ >> stream_digest::word)};
    }

private:
    using Number = stream_digest::Number;

    /// Others have taken the places of messages that digest() has seen.
    void forget_digests() {
        own_digests_.clear();
        sum_ = 0;
        power_ = 1;
    }

    std::deque<Index> messages_;
    // Of as many of the first messages as digest() has seen.
    mutable std::deque<Number> own_digests_;
    mutable Number sum_ = 0;    ///< each own digest times factor^(messages behind it, among those seen)
    mutable Number power_ = 1;  ///< factor^(messages seen)
};

}  // namespace dampi::scheduler::central
