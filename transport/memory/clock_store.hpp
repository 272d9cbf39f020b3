// Clocks that ranks publish for each other. A clock travels as one number (ClockName): with Lamport clocks the clock
// itself, with vector clocks the place in the publishing rank's slab where its intervals lie. A rank publishes a clock
// when it first has to name it, once; published clocks stay, so there are at most as many as there were epochs to learn
// of.
#pragma once

#include "clocks/snapshot.hpp"
#include "transport/memory/area.hpp"
#include "transport/memory/slab.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::transport::memory {

/// The snapshot's name; publishes it if that has not been done.
ClockName publish_clock(const Area& area, Slab& slab, const clocks::Snapshot& snapshot);

/// What another rank of the run has published: trusts it, as ranks trust each other's part of the area.
clocks::Clock published_clock(const Area& area, ClockName name);

/// What another rank has published, as a snapshot that keeps its name, so that nobody publishes it again.
clocks::Snapshot published_snapshot(const Area& area, ClockName name);

/// Reads published clocks for a rank that meets equal ones again and again: keeps the last one of each rank.
class PublishedClocks {
public:
    explicit PublishedClocks(std::uint32_t processes) : last_(processes) {}

    /// What `publisher` has published as `name`. The reference is valid until the next call for this publisher.
    const clocks::Clock& read(const Area& area, base::Rank publisher, ClockName name) {
        Last& last = last_[static_cast<std::size_t>(publisher)];
        if (last.name != name) {
            last.name = name;
            last.clock = published_clock(area, name);
        }
        return last.clock;
    }

private:
    struct Last {
        ClockName name = 0;
        clocks::Clock clock;
    };
    std::vector<Last> last_;
};

/// Whether all that another rank of the run has published as `name` is known in `clock`.
bool is_published_known(const Area& area, ClockName name, const clocks::Clock& clock);

/// published_clock() for dampi-run, which believes nothing: checks that `name` lies in some rank's slab and is a clock.
/// False when it makes no sense. Without marks.
bool read_published_clock(const Area& area, ClockName name, clocks::Clock& clock);

}  // namespace dampi::transport::memory
