// What the machine has left when a run is over, written down where the judgement of a run looks for it: in the area, as
// ranks of the distributed engine leave it there. To be called when no rank's process exists any more.
#pragma once

#include "scheduler/engines/central/machine.hpp"
#include "transport/memory/area.hpp"

namespace dampi::scheduler::central {

/// Messages that nobody has received, receives that have met none, and collectives that not all have entered, or in
/// which ranks contradict each other.
void write_leftovers(const Machine& machine, const transport::memory::Area& area);

}  // namespace dampi::scheduler::central
