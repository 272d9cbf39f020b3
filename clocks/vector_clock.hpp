// The clock of the Lazy Vector Clocks Protocol (dissertation, section 5.2), as what it stands for: the set of
// epochs that are known to have matched. Sparse: a rank that has had no epoch has no component, so a program
// in which one rank receives by wildcards carries one component, whatever the number of ranks.
//
// A component says that all epochs of a rank below an index are known. Epochs that are known although an
// earlier one of the same rank is not (receives may match out of order) are listed one by one. So the set is exact.
#pragma once

#include "clocks/types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dampi::clocks {

class VectorClock {
public:
    /// A component or a single epoch in one word: the rank, whether it is a single epoch, and the number of
    /// epochs known from the first or the index of the single one. A clock is a strictly ascending list of words.
    using Word = std::uint64_t;

    VectorClock() = default;

    /// Words from an untrusted place; nothing is known where they are no clock.
    static VectorClock from_words(std::span<const Word> words);
    [[nodiscard]] std::span<const Word> words() const { return words_; }

    [[nodiscard]] bool empty() const { return words_.empty(); }
    [[nodiscard]] bool knows(Rank rank, std::uint32_t index) const;
    /// How many epochs of `rank` are known from its first on without a gap.
    [[nodiscard]] std::uint32_t known_below(Rank rank) const;
    /// How many epochs are known.
    [[nodiscard]] std::uint64_t size() const;

    /// Both return whether the clock has changed.
    bool add(Rank rank, std::uint32_t index);
    bool merge(const VectorClock& other);

    /// Calls `visit(rank, index)` for each epoch, ascending; stops when it returns false, and then returns false.
    template <typename Visit>
    bool for_each(Visit&& visit) const {
        for (const Word word : words_) {
            const std::uint32_t last = value_of(word);
            for (std::uint32_t index = is_single(word) ? last : 0; index < last + (is_single(word) ? 1 : 0); ++index) {
                if (!visit(rank_of(word), index)) {
                    return false;
                }
            }
        }
        return true;
    }

    bool operator==(const VectorClock&) const = default;

private:
    static constexpr Word word(Rank rank, bool single, std::uint32_t value) {
        return (static_cast<Word>(static_cast<std::uint32_t>(rank)) << 33U) | (static_cast<Word>(single) << 32U) |
               value;
    }
    static constexpr Rank rank_of(Word word) { return static_cast<Rank>(word >> 33U); }
    static constexpr bool is_single(Word word) { return ((word >> 32U) & 1U) != 0; }
    static constexpr std::uint32_t value_of(Word word) { return static_cast<std::uint32_t>(word); }

    /// The words of one rank: [first, last) in words_.
    struct Range {
        std::size_t first;
        std::size_t last;
    };
    [[nodiscard]] Range range(Rank rank) const;

    std::vector<Word> words_;
};

}  // namespace dampi::clocks
