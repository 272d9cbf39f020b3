#include "clocks/vector_clock.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace dampi::clocks {
namespace {

using Interval = VectorClock::Interval;

constexpr std::size_t most_looked_at_in_turn = 8;

bool begins_before(const Interval& a, const Interval& b) {
    return std::tie(a.rank, a.begin) < std::tie(b.rank, b.begin);
}

/// Appends an interval that does not begin before the last one; joins them where they touch.
void append(std::vector<Interval>& intervals, const Interval& next) {
    if (!intervals.empty() && intervals.back().rank == next.rank && intervals.back().end >= next.begin) {
        intervals.back().end = std::max(intervals.back().end, next.end);
    } else {
        intervals.push_back(next);
    }
}

/// An epoch's place in the order of the intervals: by rank, then by index. (Ranks are not negative.)
std::uint64_t place(base::Rank rank, std::uint32_t index) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(rank)) << 32 | index;
}

/// The first interval that ends behind `index` of `rank`, or belongs to a later rank.
auto first_behind(std::span<const Interval> intervals, base::Rank rank, std::uint32_t index) {
    const std::uint64_t sought = place(rank, index);
    // Nearly all clocks have a handful of intervals: looking at each in turn is faster than halving.
    if (intervals.size() <= most_looked_at_in_turn) {
        return std::find_if(intervals.begin(), intervals.end(),
                            [&](const Interval& each) { return place(each.rank, each.end) > sought; });
    }
    return std::partition_point(intervals.begin(), intervals.end(),
                                [&](const Interval& each) { return place(each.rank, each.end) <= sought; });
}

}  // namespace

VectorClock VectorClock::from_intervals(std::span<const Interval> intervals) {
    const Interval* before = nullptr;
    for (const Interval& each : intervals) {
        const bool apart =
            before == nullptr || before->rank < each.rank || (before->rank == each.rank && before->end < each.begin);
        if (!apart || each.rank < 0 || each.begin >= each.end) {
            return {};
        }
        before = &each;
    }
    VectorClock clock;
    clock.intervals_.assign(intervals.begin(), intervals.end());
    return clock;
}

bool VectorClock::knows(base::Rank rank, std::uint32_t index) const {
    const std::span known = intervals();
    const auto found = first_behind(known, rank, index);
    return found != known.end() && found->rank == rank && found->begin <= index;
}

std::uint32_t VectorClock::known_below(base::Rank rank) const {
    const std::span known = intervals();
    const auto found = first_behind(known, rank, 0);
    return found != known.end() && found->rank == rank && found->begin == 0 ? found->end : 0;
}

std::uint32_t VectorClock::known_end(base::Rank rank) const {
    const auto behind = std::partition_point(intervals_.begin(), intervals_.end(),
                                             [&](const Interval& each) { return each.rank <= rank; });
    return behind != intervals_.begin() && std::prev(behind)->rank == rank ? std::prev(behind)->end : 0;
}

std::uint64_t VectorClock::size() const {
    std::uint64_t count = 0;
    for (const Interval& each : intervals_) {
        count += each.end - each.begin;
    }
    return count;
}

bool VectorClock::add(base::Rank rank, std::uint32_t index) {
    const auto behind = intervals_.begin() + (first_behind(intervals(), rank, index) - intervals().begin());
    if (behind != intervals_.end() && behind->rank == rank && behind->begin <= index) {
        return false;
    }
    const bool joins_behind = behind != intervals_.end() && behind->rank == rank && behind->begin == index + 1;
    const bool joins_before =
        behind != intervals_.begin() && std::prev(behind)->rank == rank && std::prev(behind)->end == index;
    if (joins_before && joins_behind) {
        std::prev(behind)->end = behind->end;
        intervals_.erase(behind);
    } else if (joins_before) {
        std::prev(behind)->end = index + 1;
    } else if (joins_behind) {
        behind->begin = index;
    } else {
        intervals_.insert(behind, {rank, index, index + 1});
    }
    return true;
}

bool VectorClock::contains(std::span<const Interval> other) const {
    std::span known = intervals();
    return std::all_of(other.begin(), other.end(), [&](const Interval& each) {
        const auto found = first_behind(known, each.rank, each.begin);
        known = known.last(static_cast<std::size_t>(known.end() - found));  // the others in `other` are behind it
        return found != known.end() && found->rank == each.rank && found->begin <= each.begin && found->end >= each.end;
    });
}

bool VectorClock::merge(const VectorClock& other) {
    if (contains(other)) {
        return false;  // mostly
    }
    if (other.contains(*this)) {
        intervals_ = other.intervals_;
        return true;
    }
    std::vector<Interval> merged;
    merged.reserve(intervals_.size() + other.intervals_.size());
    auto mine = intervals_.begin();
    auto theirs = other.intervals_.begin();
    while (mine != intervals_.end() || theirs != other.intervals_.end()) {
        const bool take_mine =
            theirs == other.intervals_.end() || (mine != intervals_.end() && begins_before(*mine, *theirs));
        append(merged, take_mine ? *mine++ : *theirs++);
    }
    intervals_ = std::move(merged);
    return true;
}

}  // namespace dampi::clocks
