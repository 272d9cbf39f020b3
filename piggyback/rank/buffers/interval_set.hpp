// Intervals of memory, each with a number, in the order in which they begin; they may overlap each other. Answers which
// of them have a byte in common with another one. Made for few at a time, most of which are added in the order of
// their addresses; many cost no more than the logarithm and a bounded rest. They are taken away many at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dampi::piggyback {

class IntervalSet {
public:
    /// [begin, end), not empty.
    void insert(std::int64_t begin, std::int64_t end, std::uint32_t number) {
        begin_ = size_ == 0 ? begin : std::min(begin_, begin);
        end_ = size_ == 0 ? end : std::max(end_, end);
        ++size_;
        Chunk& last = chunks_.back();
        if (last.entries.size() < most_entries && (last.entries.empty() || last.entries.back().begin <= begin)) {
            last.end = last.entries.empty() ? end : std::max(last.end, end);
            last.entries.push_back({begin, end, number});
        } else {
            insert_between(begin, end, number);
        }
    }

    /// Those of which `is_gone(number)` is true are taken away. Takes a while.
    template <typename IsGone>
    void remove_if(IsGone&& is_gone) {
        std::vector<Chunk> all = std::move(chunks_);
        chunks_ = std::vector<Chunk>(1);
        size_ = 0;
        for (const Chunk& chunk : all) {
            for (const Entry& each : chunk.entries) {
                if (!is_gone(each.number)) {
                    insert(each.begin, each.end, each.number);
                }
            }
        }
    }

    void clear() {
        if (size_ == 0) {
            return;
        }
        if (chunks_.size() > 1) {
            chunks_.resize(1);
        }
        chunks_.front().entries.clear();
        size_ = 0;
    }

    /// Calls `visit(number)` for those that have a byte in common with [begin, end) until it returns true; whether it
    /// has.
    template <typename Visit>
    bool any_overlapping(std::int64_t begin, std::int64_t end, Visit&& visit) const {
        if (lies_apart(begin, end)) {
            return false;
        }
        for (const Chunk& chunk : chunks_) {
            if (chunk.entries.front().begin >= end) {
                return false;
            }
            if (chunk.end <= begin) {
                continue;
            }
            for (const Entry& each : chunk.entries) {
                if (each.begin >= end) {
                    return false;
                }
                if (each.end > begin && visit(each.number)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether none has a byte in common with [begin, end).
    [[nodiscard]] bool has_none_in(std::int64_t begin, std::int64_t end) const {
        return lies_apart(begin, end) || !any_overlapping(begin, end, [](std::uint32_t /*number*/) { return true; });
    }

    [[nodiscard]] std::size_t size() const { return size_; }

private:
    static constexpr std::size_t most_entries = 128;

    struct Entry {
        std::int64_t begin;
        std::int64_t end;
        std::uint32_t number;
    };
    /// Neighbours in the order.
    struct Chunk {
        std::vector<Entry> entries{};
        std::int64_t end = 0;  ///< where the last of them ends; nothing if there are none
    };

    static std::int64_t end_of(const std::vector<Entry>& entries) {
        std::int64_t end = entries.empty() ? 0 : entries.front().end;
        for (const Entry& each : entries) {
            end = std::max(end, each.end);
        }
        return end;
    }
    [[nodiscard]] bool lies_apart(std::int64_t begin, std::int64_t end) const {
        return size_ == 0 || begin >= end_ || end <= begin_;
    }
    void insert_between(std::int64_t begin, std::int64_t end, std::uint32_t number) {
        Chunk& chunk = chunks_[chunk_for(begin)];
        const auto at = std::upper_bound(chunk.entries.begin(), chunk.entries.end(), begin,
                                         [](std::int64_t value, const Entry& each) { return value < each.begin; });
        chunk.entries.insert(at, {begin, end, number});
        chunk.end = std::max(chunk.end, end);
        if (chunk.entries.size() > most_entries) {
            split(chunk);
        }
    }
    /// The last one that begins no later, or the first.
    [[nodiscard]] std::size_t chunk_for(std::int64_t begin) const {
        const auto after =
            std::upper_bound(chunks_.begin() + 1, chunks_.end(), begin,
                             [](std::int64_t value, const Chunk& each) { return value < each.entries.front().begin; });
        return static_cast<std::size_t>(after - chunks_.begin()) - 1;
    }
    void split(Chunk& chunk) {
        const auto middle = chunk.entries.begin() + static_cast<std::ptrdiff_t>(chunk.entries.size() / 2);
        Chunk upper{.entries = {middle, chunk.entries.end()}};
        upper.end = end_of(upper.entries);
        chunk.entries.erase(middle, chunk.entries.end());
        chunk.end = end_of(chunk.entries);
        chunks_.insert(chunks_.begin() + (&chunk - chunks_.data()) + 1, std::move(upper));
    }

    std::vector<Chunk> chunks_ = std::vector<Chunk>(1);  ///< never none; none is empty but the only one
    std::size_t size_ = 0;
    std::int64_t begin_ = 0;  ///< where the first of all begins; nothing if there are none
    std::int64_t end_ = 0;    ///< where the last of all ends; likewise
};

}  // namespace dampi::piggyback
