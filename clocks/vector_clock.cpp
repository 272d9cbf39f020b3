#include "clocks/vector_clock.hpp"

#include <algorithm>
#include <limits>

namespace dampi::clocks {

VectorClock VectorClock::from_words(std::span<const Word> words) {
    VectorClock clock;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool ascending = i == 0 || words[i - 1] < words[i];
        const bool one_component =
            is_single(words[i]) || i == 0 || rank_of(words[i - 1]) != rank_of(words[i]);
        // Single epochs stand behind a gap: one at or before the component's end would be known twice.
        const bool gap = !is_single(words[i]) || i == 0 || rank_of(words[i - 1]) != rank_of(words[i]) ||
                         is_single(words[i - 1]) || value_of(words[i - 1]) < value_of(words[i]);
        if (!ascending || !one_component || !gap || (!is_single(words[i]) && value_of(words[i]) == 0) ||
            value_of(words[i]) == std::numeric_limits<std::uint32_t>::max()) {
            return {};
        }
    }
    clock.words_.assign(words.begin(), words.end());
    return clock;
}

VectorClock::Range VectorClock::range(Rank rank) const {
    const auto first = std::lower_bound(words_.begin(), words_.end(), word(rank, false, 0));
    auto last = first;
    while (last != words_.end() && rank_of(*last) == rank) {
        ++last;
    }
    return {static_cast<std::size_t>(first - words_.begin()), static_cast<std::size_t>(last - words_.begin())};
}

bool VectorClock::knows(Rank rank, std::uint32_t index) const {
    const Range own = range(rank);
    if (own.first == own.last) {
        return false;
    }
    if (!is_single(words_[own.first]) && index < value_of(words_[own.first])) {
        return true;
    }
    return std::binary_search(words_.begin() + static_cast<std::ptrdiff_t>(own.first),
                              words_.begin() + static_cast<std::ptrdiff_t>(own.last), word(rank, true, index));
}

std::uint32_t VectorClock::known_below(Rank rank) const {
    const Range own = range(rank);
    return own.first == own.last || is_single(words_[own.first]) ? 0 : value_of(words_[own.first]);
}

std::uint64_t VectorClock::size() const {
    std::uint64_t count = 0;
    for (const Word word : words_) {
        count += is_single(word) ? 1 : value_of(word);
    }
    return count;
}

bool VectorClock::add(Rank rank, std::uint32_t index) {
    Range own = range(rank);
    std::uint32_t below = own.first == own.last || is_single(words_[own.first]) ? 0 : value_of(words_[own.first]);
    if (index < below) {
        return false;
    }
    const auto at = [&](std::size_t i) { return words_.begin() + static_cast<std::ptrdiff_t>(i); };
    const Word single = word(rank, true, index);
    if (index > below) {
        const auto place = std::lower_bound(at(own.first), at(own.last), single);
        if (place != at(own.last) && *place == single) {
            return false;
        }
        words_.insert(place, single);
        return true;
    }
    // The component grows, and swallows the single epochs that it reaches.
    std::size_t singles = own.first + (below == 0 ? 0 : 1);
    const std::size_t begin = singles;
    ++below;
    while (singles != own.last && value_of(words_[singles]) == below) {
        ++below;
        ++singles;
    }
    words_.erase(at(begin), at(singles));
    if (begin == own.first) {
        words_.insert(at(own.first), word(rank, false, below));
    } else {
        words_[own.first] = word(rank, false, below);
    }
    return true;
}

bool VectorClock::merge(const VectorClock& other) {
    if (words_ == other.words_ || other.words_.empty()) {
        return false;
    }
    if (words_.empty()) {
        words_ = other.words_;
        return true;
    }
    std::vector<Word> merged;
    merged.reserve(words_.size() + other.words_.size());
    std::size_t mine = 0;
    std::size_t theirs = 0;
    while (mine != words_.size() || theirs != other.words_.size()) {
        const Rank rank = std::min(mine == words_.size() ? std::numeric_limits<Rank>::max() : rank_of(words_[mine]),
                                   theirs == other.words_.size() ? std::numeric_limits<Rank>::max()
                                                                 : rank_of(other.words_[theirs]));
        std::uint32_t below = 0;
        const auto component = [&](const std::vector<Word>& words, std::size_t& i) {
            if (i != words.size() && rank_of(words[i]) == rank && !is_single(words[i])) {
                below = std::max(below, value_of(words[i]));
                ++i;
            }
        };
        component(words_, mine);
        component(other.words_, theirs);
        const std::size_t begin = merged.size();
        for (;;) {
            const bool left = mine != words_.size() && rank_of(words_[mine]) == rank;
            const bool right = theirs != other.words_.size() && rank_of(other.words_[theirs]) == rank;
            if (!left && !right) {
                break;
            }
            Word next = 0;
            if (left && right) {
                next = std::min(words_[mine], other.words_[theirs]);
                mine += words_[mine] == next ? 1U : 0U;
                theirs += other.words_[theirs] == next ? 1U : 0U;
            } else {
                next = left ? words_[mine++] : other.words_[theirs++];
            }
            if (value_of(next) == below) {
                ++below;
            } else if (value_of(next) > below) {
                merged.push_back(next);
            }
        }
        if (below != 0) {
            merged.insert(merged.begin() + static_cast<std::ptrdiff_t>(begin), word(rank, false, below));
        }
    }
    const bool changed = merged != words_;
    words_ = std::move(merged);
    return changed;
}

}  // namespace dampi::clocks
