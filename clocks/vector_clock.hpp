// The clock of the Lazy Vector Clocks Protocol (dissertation, section 5.2), as what it stands for: the set of
// epochs that are known to have matched. Sparse: a rank that has had no epoch has no component, so a program
// in which one rank receives by wildcards carries one component, whatever the number of ranks.
//
// A component is an interval of a rank's epochs. Most ranks have one, from their first epoch on; one that receives out
// of order, or waits long for an early receive, has a few. So the set is exact and small.
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dampi::clocks {

class VectorClock {
public:
    /// Epochs begin <= index < end of one rank.
    struct Interval {
        base::Rank rank = 0;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;

        bool operator==(const Interval&) const = default;
    };

    VectorClock() = default;

    /// Intervals from an untrusted place; nothing is known where they are no clock.
    static VectorClock from_intervals(std::span<const Interval> intervals);
    /// Sorted, not empty, and neither overlapping nor touching.
    [[nodiscard]] std::span<const Interval> intervals() const { return intervals_; }

    [[nodiscard]] bool empty() const { return intervals_.empty(); }
    [[nodiscard]] bool knows(base::Rank rank, std::uint32_t index) const;
    /// Whether all epochs in `other` are known.
    [[nodiscard]] bool contains(const VectorClock& other) const { return contains(other.intervals()); }
    [[nodiscard]] bool contains(std::span<const Interval> other) const;
    /// How many epochs of `rank` are known from its first on without a gap.
    [[nodiscard]] std::uint32_t known_below(base::Rank rank) const;
    /// No epoch of `rank` is known from this index on.
    [[nodiscard]] std::uint32_t known_end(base::Rank rank) const;
    /// How many epochs are known.
    [[nodiscard]] std::uint64_t size() const;

    /// Both return whether the clock has changed.
    bool add(base::Rank rank, std::uint32_t index);
    bool merge(const VectorClock& other);
    /// Forgets all of this rank and those above it.
    void drop_from(base::Rank rank) {
        while (!intervals_.empty() && intervals_.back().rank >= rank) {
            intervals_.pop_back();
        }
    }

    /// Calls `visit(rank, index)` for each epoch, ascending; stops when it returns false, and then returns false.
    template <typename Visit>
    bool for_each(Visit&& visit) const {
        for (const Interval& interval : intervals_) {
            for (std::uint32_t index = interval.begin; index != interval.end; ++index) {
                if (!visit(interval.rank, index)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Visits the epochs that `other` does not know, as for_each() does; in time proportional to them and the
    /// intervals.
    template <typename Visit>
    void for_each_not_in(const VectorClock& other, Visit&& visit) const {
        auto known = other.intervals_.begin();
        for (const Interval& interval : intervals_) {
            for (std::uint32_t index = interval.begin; index != interval.end;) {
                while (known != other.intervals_.end() &&
                       (known->rank < interval.rank || (known->rank == interval.rank && known->end <= index))) {
                    ++known;
                }
                const bool here = known != other.intervals_.end() && known->rank == interval.rank;
                if (here && known->begin <= index) {
                    index = std::min(known->end, interval.end);
                    continue;
                }
                for (const std::uint32_t end = here ? std::min(known->begin, interval.end) : interval.end; index != end;
                     ++index) {
                    visit(interval.rank, index);
                }
            }
        }
    }

    bool operator==(const VectorClock&) const = default;

private:
    std::vector<Interval> intervals_;
};

}  // namespace dampi::clocks
