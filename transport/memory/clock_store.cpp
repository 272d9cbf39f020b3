#include "transport/memory/clock_store.hpp"

#include "clocks/marks.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace dampi::transport::memory {

using clocks::Clock;
using clocks::Protocol;
using clocks::VectorClock;

namespace {

std::span<const VectorClock::Interval> intervals_of(const PublishedClock& published, std::uint64_t count) {
    return {reinterpret_cast<const VectorClock::Interval*>(&published + 1), count};
}

}  // namespace

ClockName publish_clock(const Area& area, Slab& slab, const clocks::Snapshot& snapshot) {
    if (area.protocol() == Protocol::lamport) {
        return snapshot->clock.lamport.value;
    }
    const auto intervals = snapshot->clock.vector.intervals();
    if (snapshot->published == 0 && !intervals.empty()) {
        const Offset offset = slab.allocate(sizeof(PublishedClock) + intervals.size_bytes());
        auto& published = area.at<PublishedClock>(offset);
        published.intervals = intervals.size();
        std::copy(intervals.begin(), intervals.end(), reinterpret_cast<VectorClock::Interval*>(&published + 1));
        snapshot->published = offset;
    }
    return snapshot->published;
}

Clock published_clock(const Area& area, ClockName name) {
    Clock clock;
    if (area.protocol() == Protocol::lamport) {
        clock.lamport.value = name;
    } else if (name != 0) {
        const auto& published = area.at<PublishedClock>(name);
        clock.vector = VectorClock::from_intervals(intervals_of(published, published.intervals));
    }
    return clock;
}

bool is_published_known(const Area& area, ClockName name, const Clock& clock) {
    if (area.protocol() == Protocol::lamport) {
        return name <= clock.lamport.value;
    }
    if (name == 0) {
        return true;
    }
    const auto& published = area.at<PublishedClock>(name);
    return clock.vector.contains(intervals_of(published, published.intervals));
}

clocks::Snapshot published_snapshot(const Area& area, ClockName name) {
    return clocks::Snapshot(published_clock(area, name), name);
}

bool read_published_clock(const Area& area, ClockName name, Clock& clock) {
    clock = {};
    if (area.protocol() == Protocol::lamport) {
        clock.lamport.value = name;
        return true;
    }
    if (name == 0) {
        return true;
    }
    for (base::Rank owner = 0; owner < static_cast<base::Rank>(area.processes()); ++owner) {
        const auto* published = area.checked<PublishedClock>(owner, name);
        if (published == nullptr) {
            continue;
        }
        const std::uint64_t count = published->intervals;
        if (count > (area.slab_end(owner) - name - sizeof(PublishedClock)) / sizeof(VectorClock::Interval)) {
            return false;
        }
        // Copied first: the program may still be writing there.
        const auto intervals = intervals_of(*published, count);
        const std::vector<VectorClock::Interval> copy(intervals.begin(), intervals.end());
        clock.vector = VectorClock::from_intervals(copy);
        const bool sound = clock.vector.intervals().size() == count;
        clock = without_marks(std::move(clock));
        return sound;
    }
    return false;
}

}  // namespace dampi::transport::memory
